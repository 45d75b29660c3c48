//! Identifies a browser that logged in before. It grants no access; it only reserves a share of the code limits.

use std::fmt;

/// 160 random bits in hex, known to the browser alone; we keep a hash.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceToken(String);

const TOKEN_BYTES: usize = 20;

impl DeviceToken {
    /// Builds a token from bytes of a cryptographic generator.
    pub fn from_random(bytes: [u8; TOKEN_BYTES]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Anything that cannot be one of our tokens is `None`, so that junk never reaches Redis.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_ours = text.len() == TOKEN_BYTES * 2 && text.bytes().all(is_hex);
        is_ours.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DeviceToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeviceToken(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_cookie_and_junk_does_not() {
        let token = DeviceToken::from_random([0xab; TOKEN_BYTES]);
        assert_eq!(DeviceToken::parse(token.as_str()), Some(token.clone()));
        for junk in ["", "null", &"g".repeat(40), &"a".repeat(41)] {
            assert_eq!(DeviceToken::parse(junk), None, "{junk}");
        }
        assert!(!format!("{token:?}").contains("abab"));
    }
}
