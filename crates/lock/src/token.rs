//! Who asks: a [`Token`] is new for every acquisition and never reused, so the server can tell a repetition from a
//! rival. Its first half names the process, which is how a wake-up finds its way.

use std::fmt;

/// One `Locks` of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process(u64);

/// Whether a holder tolerates others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    Exclusive,
    Shared,
}

/// 128 random bits and the mode; 33 characters in Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Token {
    process: u64,
    claim: u64,
    mode: Mode,
}

impl Process {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }

    pub(crate) fn token(self, mode: Mode) -> Token {
        Token {
            process: self.0,
            claim: rand::random(),
            mode,
        }
    }
}

impl Token {
    /// Reads what [`Display`](fmt::Display) wrote.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let hex = |range| u64::from_str_radix(text.get(range)?, 16).ok();
        let mode = match text.get(32..)? {
            "x" => Mode::Exclusive,
            "s" => Mode::Shared,
            _ => return None,
        };
        Some(Self {
            process: hex(0..16)?,
            claim: hex(16..32)?,
            mode,
        })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Exclusive => 'x',
            Mode::Shared => 's',
        };
        write!(f, "{:016x}{:016x}{mode}", self.process, self.claim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_as_it_was_written() {
        let process = Process::random();
        for mode in [Mode::Exclusive, Mode::Shared] {
            let token = process.token(mode);
            let text = token.to_string();
            assert_eq!(text.len(), 33);
            assert!(text.starts_with(&process.to_string()));
            assert_eq!(Token::parse(text.as_bytes()), Some(token));
        }
    }

    #[test]
    fn other_text_is_no_token() {
        for text in ["", "x", "é", &"0".repeat(33), &"g".repeat(33)] {
            assert_eq!(Token::parse(text.as_bytes()), None, "{text}");
        }
    }
}
