//! Passwords, which a user may choose beside sign-in codes, and what is stored of them.
//!
//! A password is a secret: neither it nor its hash has a `Display`, and their `Debug` shows nothing.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;

/// Fewer are guessed (NIST SP 800-63B).
pub const PASSWORD_CHARS_MIN: usize = 8;
/// Longer than any that is typed; bounds what one hash reads.
pub const PASSWORD_CHARS_MAX: usize = 128;

/// The width of the column, which is the original's.
const HASH_MAX_BYTES: usize = 128;

const ARGON2ID: &str = "$argon2id$";

/// A password as the user typed it: every character counts, spaces included.
#[derive(Clone)]
pub struct Password(SecretString);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a password has 8 to 128 characters, none of them a control character")]
pub struct InvalidPassword;

impl Password {
    pub fn parse(text: &SecretString) -> Result<Self, InvalidPassword> {
        let typed = text.expose_secret();
        // Counting stops behind the limit: a body may be a megabyte.
        let chars = typed.chars().take(PASSWORD_CHARS_MAX + 1).count();
        let is_valid = (PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&chars)
            && !typed.chars().any(char::is_control);
        is_valid.then(|| Self(text.clone())).ok_or(InvalidPassword)
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// A hash by argon2id in PHC form. Everything else that a database may hold, such as the original's MD5, is no hash of a
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    pub fn parse(text: &str) -> Option<Self> {
        let is_ours = text.starts_with(ARGON2ID) && text.len() <= HASH_MAX_BYTES;
        is_ours.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Password, InvalidPassword> {
        Password::parse(&SecretString::from(text))
    }

    #[test]
    fn eight_to_128_characters_are_a_password_whatever_their_bytes() {
        for text in ["12345678", " a b c d ", &"密".repeat(8), &"密".repeat(128)] {
            assert_eq!(parse(text).unwrap().expose(), text);
        }
        for text in ["", "1234567", &"密".repeat(7), &"a".repeat(129)] {
            assert_eq!(parse(text).err(), Some(InvalidPassword), "{text}");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for text in ["1234567\n", "1234567\0", "12345678\u{7f}", "12345678\u{85}"] {
            assert_eq!(parse(text).err(), Some(InvalidPassword), "{text:?}");
        }
    }

    #[test]
    fn only_argon2id_is_a_hash() {
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA";
        assert_eq!(PasswordHash::parse(hash).unwrap().as_str(), hash);
        let md5 = "abcdefghij0123456789@5f4dcc3b5aa765d61d8327deb882cf99";
        let long = format!("{ARGON2ID}{}", "a".repeat(HASH_MAX_BYTES));
        for text in [
            "",
            md5,
            "$argon2i$v=19$m=19456,t=2,p=1$c2Fs$aGFzaA",
            "$2b$12$x",
            &long,
        ] {
            assert_eq!(PasswordHash::parse(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_shows_neither() {
        let shown = format!(
            "{:?} {:?}",
            parse("hunter22"),
            PasswordHash::parse("$argon2id$x")
        );
        assert!(
            !shown.contains("hunter22") && !shown.contains("argon2id"),
            "{shown}"
        );
    }
}
