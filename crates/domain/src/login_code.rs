//! Login codes, which prove that a user holds a phone or a mailbox.
//!
//! A code is a secret: it has no `Display` and its `Debug` shows nothing.

use std::fmt;

/// How codes look on this site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeShape {
    pub length: usize,
    pub letters: bool,
}

/// How many guesses an attacker has against one user's codes per day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuessBound {
    /// Codes that are sent to one person a day.
    pub codes_per_day: u32,
    /// Wrong tries before the person is locked, which takes the code away.
    pub tries: u32,
    /// How long a code is good for.
    pub ttl_secs: u64,
    /// The pause between two codes; browsers that signed in before have one of their own.
    pub resend_secs: u64,
    /// How long wrong tries are counted, and how long a lock lasts.
    pub lock_secs: u64,
}

/// Codes are sent to browsers that signed in before and to others, each with pauses of their own.
const KINDS_OF_CALLERS: u64 = 2;

/// The greatest chance that a site may leave an attacker to guess the code of one account within a day: one in a
/// thousand. The defaults (ten codes of six digits, five tries) leave one in four thousand.
pub const GUESS_CHANCE_MAX: f64 = 0.001;

impl GuessBound {
    /// Comparisons of a guess with a code of one person in a day, wherever guesses come from. Tries are counted
    /// from the first wrong one for as long as a lock lasts; a code that outlives that count is open to
    /// another round of them. Each guess is compared with every code that is good at the moment.
    pub fn guesses_per_day(self) -> u64 {
        let rounds = self.ttl_secs.div_ceil(self.lock_secs.max(1)).max(1);
        // The device that requested the code has tries of its own; all others share as many.
        let callers = self.codes_at_once() + 1;
        u64::from(self.codes_per_day) * u64::from(self.tries) * rounds * callers
    }

    /// How many codes of one person are good at the same time.
    fn codes_at_once(self) -> u64 {
        let of_a_kind = self.ttl_secs.div_ceil(self.resend_secs.max(1)).max(1);
        (of_a_kind * KINDS_OF_CALLERS).min(self.codes_per_day.into())
    }

    /// The chance that one of them is right.
    #[expect(clippy::cast_precision_loss, reason = "a chance needs no more digits")]
    pub fn chance_per_day(self, shape: CodeShape) -> f64 {
        self.guesses_per_day() as f64 / shape.count()
    }
}

/// A code in canonical form (upper case, no spaces).
#[derive(Clone, PartialEq, Eq)]
pub struct LoginCode(String);

/// ASVS 6.5.1 requires 20 bits: six digits. Users do not type more than ten.
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

    /// How many different codes there are.
    #[expect(clippy::cast_precision_loss, reason = "a chance needs no more digits")]
    pub fn count(self) -> f64 {
        let length = i32::try_from(self.length).unwrap_or(i32::MAX);
        (self.alphabet().len() as f64).powi(length)
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

    const DEFAULTS: GuessBound = GuessBound {
        codes_per_day: 10,
        tries: 5,
        ttl_secs: 120,
        resend_secs: 60,
        lock_secs: 600,
    };

    #[test]
    fn the_defaults_leave_250_guesses_a_day_among_a_million_codes() {
        let shape = CodeShape {
            length: 6,
            letters: false,
        };
        assert_eq!(DEFAULTS.guesses_per_day(), 250);
        assert!((DEFAULTS.chance_per_day(shape) - 0.000_25).abs() < 1e-12);
        assert!(DEFAULTS.chance_per_day(shape) <= GUESS_CHANCE_MAX);
    }

    #[test]
    fn a_code_that_outlives_the_count_of_tries_is_open_to_more_of_them() {
        let bound = GuessBound {
            ttl_secs: 1_200,
            resend_secs: 600,
            ..DEFAULTS
        };
        assert_eq!(bound.guesses_per_day(), 500);
        let hasty = GuessBound {
            lock_secs: 0,
            ..DEFAULTS
        };
        assert_eq!(hasty.guesses_per_day(), 250 * 120);
    }

    #[test]
    fn a_guess_counts_for_every_code_that_is_good_at_the_moment() {
        let alone = GuessBound {
            resend_secs: 120,
            ..DEFAULTS
        };
        assert_eq!(alone.guesses_per_day(), 150);
        let all_at_once = GuessBound {
            resend_secs: 1,
            ..DEFAULTS
        };
        assert_eq!(all_at_once.guesses_per_day(), 550);
    }

    #[test]
    fn debug_output_hides_the_code() {
        assert!(!format!("{:?}", LoginCode::parse("123456")).contains("123456"));
    }
}
