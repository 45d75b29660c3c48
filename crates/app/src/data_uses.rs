//! What the site does with personal data, by purpose: the data map (`storage::data_map`) as a privacy page tells it.
//!
//! It is computed from the map and from the retention periods in force, so it cannot say anything else than what happens.

use std::collections::BTreeMap;

use storage::data_map::{Erasure, KeptReason, Owner, Purpose, Retention, TABLES, TableData};
use storage::retention::RetentionTarget;

use crate::App;
use crate::retention::RetentionRules;

/// What becomes of the data of one purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataUse {
    pub purpose: Purpose,
    /// How long it stays while its owner has an account, the shortest first; several if it is in several places.
    pub kept: Vec<KeptFor>,
    /// Whether the export of one's own data has it.
    pub is_exported: bool,
    /// What stays of it when the account is erased; otherwise all of it goes.
    pub remains: Option<Remains>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeptFor {
    /// Until the work that needs it is done.
    Processed,
    Days(u32),
    /// Until the owner deletes it or the account.
    Account,
    /// For good: law demands books.
    Books,
}

/// Why something of it stays when the account is erased. What stays names a number, not a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains {
    /// Part of the books.
    Books,
    /// The record of who changed what, until its own time is over.
    Security,
}

/// The purposes for which the site keeps personal data, in the order of the map.
pub fn list(app: &App) -> Vec<DataUse> {
    of_map(app.retention())
}

fn of_map(rules: &RetentionRules) -> Vec<DataUse> {
    let mut uses: BTreeMap<Purpose, DataUse> = BTreeMap::new();
    for table in TABLES.iter().filter(|table| table.owner != Owner::Nobody) {
        let kept = kept_for(table, rules);
        for column in table.columns {
            if column.purpose == Purpose::Operation {
                continue;
            }
            let found = uses.entry(column.purpose).or_insert(DataUse {
                purpose: column.purpose,
                kept: Vec::new(),
                is_exported: false,
                remains: None,
            });
            found.kept.extend(kept);
            found.is_exported |= column.export.is_exported();
            found.remains = found.remains.or(remains(column.erasure));
        }
    }
    let mut uses: Vec<DataUse> = uses.into_values().collect();
    for found in &mut uses {
        found.kept.sort_unstable();
        found.kept.dedup();
    }
    uses
}

fn kept_for(table: &TableData, rules: &RetentionRules) -> Option<KeptFor> {
    match table.retention {
        Retention::Account => Some(KeptFor::Account),
        Retention::Days(_) => days_of(table, rules).map(KeptFor::Days),
        Retention::Books => Some(KeptFor::Books),
        Retention::Processed => Some(KeptFor::Processed),
        Retention::Site => None,
    }
}

/// A test holds that every table of the map that is emptied by age has its days.
fn days_of(table: &TableData, rules: &RetentionRules) -> Option<u32> {
    let mut targets = RetentionTarget::ALL.into_iter();
    let target = targets.find(|target| target.table() == table.table);
    target.map(|target| rules.days_of(target))
}

fn remains(erasure: Erasure) -> Option<Remains> {
    match erasure {
        Erasure::Kept(KeptReason::Books) => Some(Remains::Books),
        Erasure::Kept(KeptReason::Security) => Some(Remains::Security),
        Erasure::Kept(KeptReason::Reference | KeptReason::NotPersonal)
        | Erasure::Deleted
        | Erasure::Cleared
        | Erasure::Anonymised => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn rules() -> RetentionRules {
        RetentionRules {
            every: Duration::from_secs(1),
            batch: 1,
            notices_days: 11,
            visits_days: 12,
            audit_days: 13,
            check_ins_days: 14,
            dead_orders_days: 15,
            id_marks_days: 16,
            orders_days: 17,
        }
    }

    #[test]
    fn every_purpose_of_a_column_that_is_somebodys_is_told() {
        let told: Vec<Purpose> = of_map(&rules()).iter().map(|it| it.purpose).collect();
        for table in TABLES.iter().filter(|table| table.owner != Owner::Nobody) {
            for column in table.columns {
                let is_told = told.contains(&column.purpose);
                let is_operation = column.purpose == Purpose::Operation;
                assert!(is_told || is_operation, "{}.{}", table.table, column.name);
            }
        }
    }

    #[test]
    fn every_table_that_is_emptied_by_age_has_its_days() {
        for table in TABLES {
            if let Retention::Days(setting) = table.retention {
                assert!(days_of(table, &rules()).is_some(), "{setting}");
            }
        }
    }

    #[test]
    fn the_days_are_those_in_force_and_the_books_remain() {
        let uses = of_map(&rules());
        let of = |purpose| uses.iter().find(|it| it.purpose == purpose).unwrap();
        assert_eq!(of(Purpose::Notices).kept.first(), Some(&KeptFor::Days(11)));
        assert_eq!(of(Purpose::CheckIns).kept, [KeptFor::Days(14)]);
        assert_eq!(of(Purpose::CheckIns).remains, None);
        assert_eq!(of(Purpose::Content).remains, None);
        assert!(of(Purpose::Content).is_exported);
        assert_eq!(of(Purpose::Money).kept, [KeptFor::Books]);
        assert_eq!(of(Purpose::Money).remains, Some(Remains::Books));
        let security = of(Purpose::Security);
        assert!(security.kept.contains(&KeptFor::Days(13)));
        assert_eq!(security.remains, Some(Remains::Security));
    }
}
