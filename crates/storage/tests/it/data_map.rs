//! The data map names every column of the schema, and no other.

use std::collections::BTreeSet;

use storage::data_map::{Export, Owner, Retention, TABLES};
use storage::{Backend, retention};

use crate::support::{TestDb, on_both};

/// `table.column` of everything in the database.
async fn columns(test: &TestDb) -> BTreeSet<String> {
    let sql = match test.db.backend() {
        Backend::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        }
        Backend::MySql => {
            "SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = DATABASE()"
        }
    };
    test.texts(sql).await.into_iter().collect()
}

#[tokio::test]
async fn every_column_of_the_schema_is_in_the_data_map() {
    on_both(async |test| {
        let named = |table: &str, column: &str| format!("{table}.{column}");
        let mapped: BTreeSet<String> = TABLES
            .iter()
            .flat_map(|data| data.columns.iter().map(|it| named(data.table, it.name)))
            .collect();
        let found = columns(&test).await;
        let untagged: Vec<_> = found.difference(&mapped).collect();
        assert!(
            untagged.is_empty(),
            "say in storage::data_map what these are for and what becomes of them: {untagged:?}"
        );
        let vanished: Vec<_> = mapped.difference(&found).collect();
        assert!(
            vanished.is_empty(),
            "not in the schema any more: {vanished:?}"
        );
    })
    .await;
}

#[test]
fn the_data_map_and_the_list_of_bounds_name_the_same_tables() {
    let mapped: Vec<&str> = TABLES.iter().map(|data| data.table).collect();
    let bounded: Vec<&str> = retention::TABLES.iter().map(|(table, _)| *table).collect();
    assert_eq!(mapped, bounded);
}

#[test]
fn what_is_removed_by_age_is_so_in_both_lists() {
    for (data, (table, bound)) in TABLES.iter().zip(retention::TABLES) {
        let removed = match bound {
            retention::GrowthBound::Removed(setting) => Some(*setting),
            _ => None,
        };
        let mapped = match data.retention {
            Retention::Days(setting) => Some(setting),
            _ => None,
        };
        assert_eq!(mapped, removed, "{table}");
    }
}

#[test]
fn rows_of_nobody_are_not_exported_and_owners_are_columns() {
    for data in TABLES {
        match data.owner {
            Owner::Nobody => assert_eq!(data.exported().count(), 0, "{}", data.table),
            Owner::User { column, key }
            | Owner::Buyer { column, key }
            | Owner::Ledger { column, key } => {
                for name in [column, key] {
                    assert!(data.column(name).is_some(), "{}.{name}", data.table);
                }
                let is_text = data.column(key).unwrap().export == Export::Text;
                assert!(!is_text || data.table == "tb_upload", "{}", data.table);
            }
        }
    }
}
