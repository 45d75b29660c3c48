//! How far a long command has come: one line that changes in a terminal, a line every few seconds elsewhere. Always on stderr.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Faster than the eye needs, slower than a terminal minds.
const TERMINAL_PAUSE: Duration = Duration::from_millis(100);
/// A log is read later: a sign of life is enough.
const LOG_PAUSE: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct ProgressLine {
    is_terminal: bool,
    next: Instant,
}

impl ProgressLine {
    pub(super) fn new() -> Self {
        let is_terminal = io::stderr().is_terminal();
        let pause = if is_terminal {
            Duration::ZERO
        } else {
            LOG_PAUSE
        };
        Self {
            is_terminal,
            next: Instant::now() + pause,
        }
    }

    pub(super) fn show(&mut self, what: &str, done: u64, total: u64) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        if self.is_terminal {
            self.next = now + TERMINAL_PAUSE;
            self.write(&format!("\r\x1b[K  {what}: {done} of {total}"));
        } else {
            self.next = now + LOG_PAUSE;
            self.write(&format!("{what}: {done} of {total}\n"));
        }
    }

    /// Takes the changing line away, so that what comes next has the screen for itself.
    pub(super) fn clear(&mut self) {
        if self.is_terminal {
            self.write("\r\x1b[K");
        }
    }

    /// Nobody is worse off without it: a closed stderr must not end the work.
    fn write(&self, text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// The final message of the command starts on a clean line, also after an error.
impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
