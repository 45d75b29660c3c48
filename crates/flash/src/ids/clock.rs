//! The clock of ids: Unix time, which may be set back or forth at any moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// The source of the time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The clock of the machine.
    #[default]
    System,
    /// Milliseconds since 1970, set by hand: for tests of days that end and clocks that go back.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    pub(super) fn now_ms(&self) -> i64 {
        match self {
            Self::System => Timestamp::now().as_millisecond(),
            Self::Manual(ms) => ms.load(Ordering::SeqCst),
        }
    }
}
