//! The bearer token of a session. Only its holder knows it; we keep a hash.

use std::fmt;

/// 160 random bits in hex: more than the 128 that nobody can guess, in the original's alphabet.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken([u8; TOKEN_DIGITS]);

const TOKEN_BYTES: usize = 20;
const TOKEN_DIGITS: usize = TOKEN_BYTES * 2;
const DIGITS: &[u8; 16] = b"0123456789abcdef";

impl SessionToken {
    /// Builds a token from bytes of a cryptographic generator.
    pub fn from_random(bytes: [u8; TOKEN_BYTES]) -> Self {
        let mut digits = [0; TOKEN_DIGITS];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        Self(digits)
    }

    /// Anything that cannot be one of our tokens is `None`, so that junk never reaches Redis.
    /// An optional `Bearer ` goes before it; old clients send the bare token.
    pub fn parse(text: &str) -> Option<Self> {
        let token = match text.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("bearer ") => text[7..].trim(),
            _ => text.trim(),
        };
        let digits: [u8; TOKEN_DIGITS] = token.as_bytes().try_into().ok()?;
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        digits.iter().all(is_digit).then_some(Self(digits))
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("digits and letters")
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_the_header_with_and_without_bearer() {
        let token = SessionToken::from_random([0xab; TOKEN_BYTES]);
        for header in [
            token.as_str().to_owned(),
            format!("Bearer {}", token.as_str()),
            format!("bearer  {} ", token.as_str()),
        ] {
            assert_eq!(
                SessionToken::parse(&header).as_ref(),
                Some(&token),
                "{header}"
            );
        }
    }

    #[test]
    fn junk_is_not_a_token() {
        for text in [
            "",
            "Bearer ",
            "null",
            "ABCDEF",
            "é".repeat(20).as_str(),
            &"a".repeat(41),
        ] {
            assert!(SessionToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        let token = SessionToken::from_random([7; TOKEN_BYTES]);
        assert!(!format!("{token:?}").contains("0707"));
    }
}
