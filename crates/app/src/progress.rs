//! Progress of long-running work.

/// Progress on one kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub what: &'static str,
    pub done: u64,
    pub total: u64,
}

/// Called after every batch.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);
