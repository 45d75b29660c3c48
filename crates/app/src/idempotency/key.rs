//! The `Idempotency-Key` that a client gives a request.

use thiserror::Error;

pub const KEY_MAX_CHARS: usize = 64;

/// An `Idempotency-Key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(Box<str>);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("must have 1 to {KEY_MAX_CHARS} visible ASCII characters")]
pub struct InvalidKey;

impl IdempotencyKey {
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let fits = (1..=KEY_MAX_CHARS).contains(&text.len());
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits && is_visible {
            Ok(Self(text.into()))
        } else {
            Err(InvalidKey)
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_and_visible() {
        for good in ["a", "4d3c-2b1a", &"k".repeat(KEY_MAX_CHARS)] {
            assert!(IdempotencyKey::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            " ",
            "a b",
            "钥匙",
            "a\u{7f}",
            &"k".repeat(KEY_MAX_CHARS + 1),
        ] {
            assert_eq!(IdempotencyKey::parse(bad), Err(InvalidKey), "{bad:?}");
        }
    }
}
