//! A [`Token`] identifies one acquisition and is never reused, so the server can tell a repeated request from a competing
//! one. Its first half identifies the process, which routes wake-ups.

use std::fmt;

/// Identifies one `Locks` of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessId(u64);

/// Whether other holders are allowed at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LockMode {
    Exclusive,
    Shared,
}

/// 128 random bits and the mode; 33 characters in Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Token {
    process: u64,
    acquisition: u64,
    mode: LockMode,
}

impl ProcessId {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }

    pub(crate) fn token(self, mode: LockMode) -> Token {
        Token {
            process: self.0,
            acquisition: rand::random(),
            mode,
        }
    }
}

impl Token {
    pub(crate) fn mode(self) -> LockMode {
        self.mode
    }

    /// Parses the [`Display`](fmt::Display) form, which an owner may follow.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let hex = |range| u64::from_str_radix(text.get(range)?, 16).ok();
        let is_whole = matches!(text.as_bytes().get(33), None | Some(b':'));
        let mode = match text.get(32..33)? {
            _ if !is_whole => return None,
            "x" => LockMode::Exclusive,
            "s" => LockMode::Shared,
            _ => return None,
        };
        Some(Self {
            process: hex(0..16)?,
            acquisition: hex(16..32)?,
            mode,
        })
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            LockMode::Exclusive => 'x',
            LockMode::Shared => 's',
        };
        write!(f, "{:016x}{:016x}{mode}", self.process, self.acquisition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_parses_from_its_text() {
        let process = ProcessId::random();
        for mode in [LockMode::Exclusive, LockMode::Shared] {
            let token = process.token(mode);
            let text = token.to_string();
            assert_eq!(text.len(), 33);
            assert!(text.starts_with(&process.to_string()));
            assert_eq!(Token::parse(text.as_bytes()), Some(token));
            let owned = format!("{text}:order é");
            assert_eq!(Token::parse(owned.as_bytes()), Some(token));
            assert_eq!(Token::parse(format!("{text}x").as_bytes()), None);
        }
    }

    #[test]
    fn other_text_is_no_token() {
        for text in ["", "x", "é", &"0".repeat(33), &"g".repeat(33)] {
            assert_eq!(Token::parse(text.as_bytes()), None, "{text}");
        }
    }
}
