//! How many things of one kind were found, and what became of them.

/// Every one that was found is in exactly one of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub found: u64,
    /// Written, or to be written by a run that is not dry.
    pub added: u64,
    /// In SQL before.
    pub known: u64,
    /// Of a user or note that SQL does not have.
    pub orphaned: u64,
    /// Not a number, not a day that has been, or a follow of oneself.
    pub invalid: u64,
    /// More follows than a user may have.
    pub over_limit: u64,
}
