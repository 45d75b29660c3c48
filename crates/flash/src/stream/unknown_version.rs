//! Entries of a version that this process does not know. They stay pending; each is logged once.

use std::collections::HashSet;

use super::entry::EntryId;
use crate::{Partition, meter};

/// Entries remembered as logged; beyond that some are logged again.
const MAX_REMEMBERED: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct UnknownVersions {
    noted: HashSet<EntryId>,
}

impl UnknownVersions {
    pub(crate) fn note(&mut self, partition: Partition, id: EntryId) {
        if self.noted.len() >= MAX_REMEMBERED {
            self.noted.clear();
        }
        if self.noted.insert(id) {
            meter::unknown_version();
            tracing::error!(
                %partition,
                entry = %id,
                "stream entry of unknown version left pending: a process of that version must drain it"
            );
        }
    }

    pub(crate) fn contains(&self, id: EntryId) -> bool {
        self.noted.contains(&id)
    }
}
