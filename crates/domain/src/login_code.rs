//! The short code that proves a person holds a phone or a mailbox.
//!
//! A code is a secret: it has no `Display` and its `Debug` shows nothing.

use std::fmt;

/// How codes look on this site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeShape {
    pub length: usize,
    pub letters: bool,
}

/// A code in canonical form (upper case, no spaces).
#[derive(Clone, PartialEq, Eq)]
pub struct LoginCode(String);

/// ASVS 6.5.1 asks for 20 bits: six digits. Longer than ten nobody types.
pub const CODE_LENGTH: std::ops::RangeInclusive<usize> = 6..=10;

const DIGITS: &[u8] = b"0123456789";
/// Without 0, 1, I, L and O, which people misread for each other.
const DIGITS_AND_LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

impl CodeShape {
    fn alphabet(self) -> &'static [u8] {
        if self.letters {
            DIGITS_AND_LETTERS
        } else {
            DIGITS
        }
    }

    /// Builds a code from a source of uniform indexes: `pick(n)` must return a number below `n`
    /// from a cryptographic generator.
    pub fn generate(self, mut pick: impl FnMut(usize) -> usize) -> LoginCode {
        let alphabet = self.alphabet();
        let code = (0..self.length).map(|_| char::from(alphabet[pick(alphabet.len())]));
        LoginCode(code.collect())
    }
}

impl LoginCode {
    /// What a person typed. Only its form is judged here: the wrong code is still a code.
    pub fn parse(text: &str) -> Option<Self> {
        let canonical: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .take(CODE_LENGTH.end() + 1)
            .map(|c| c.to_ascii_uppercase())
            .collect();
        let is_plausible = CODE_LENGTH.contains(&canonical.len())
            && canonical.bytes().all(|b| b.is_ascii_alphanumeric());
        is_plausible.then_some(Self(canonical))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for LoginCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginCode(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_code_has_the_shape_asked_for() {
        let digits = CodeShape {
            length: 6,
            letters: false,
        };
        let mut turn = 0;
        let code = digits.generate(|below| {
            turn += 1;
            turn % below
        });
        assert_eq!(code.as_str(), "123456");

        let letters = CodeShape {
            length: 8,
            letters: true,
        };
        let code = letters.generate(|below| below - 1);
        assert_eq!(code.as_str(), "ZZZZZZZZ");
    }

    #[test]
    fn a_typed_code_is_compared_without_spaces_and_case() {
        assert_eq!(LoginCode::parse(" 12 34 56 ").unwrap().as_str(), "123456");
        assert_eq!(LoginCode::parse("ab3d5f").unwrap().as_str(), "AB3D5F");
    }

    #[test]
    fn texts_that_no_site_sends_are_not_codes() {
        for text in [
            "",
            "12345",
            "12345678901",
            "12345六",
            "12-456",
            &"1".repeat(10_000),
        ] {
            assert!(LoginCode::parse(text).is_none(), "{text:.12}");
        }
    }

    #[test]
    fn debug_output_hides_the_code() {
        assert!(!format!("{:?}", LoginCode::parse("123456")).contains("123456"));
    }
}
