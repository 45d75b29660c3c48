//! How far a long piece of work has come, for whoever watches it.

/// Where it stands with one kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub what: &'static str,
    pub done: u64,
    pub total: u64,
}

/// Told after every batch.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);
