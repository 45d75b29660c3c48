//! Writing a command's answer to stdout. A reader that has seen enough (`tandian settings | head`) is no failure.

use std::io::{self, Write};

pub(super) fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
