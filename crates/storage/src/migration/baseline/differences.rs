//! Compares a table that was found with the one that is wanted.
//!
//! A type is changed only to hold more: unsigned numbers become signed (the driver reads nothing else as `i64`), narrow
//! ones wider, `TIMESTAMP` becomes `DATETIME(3)`, which does not end in 2038 and does not change by itself. The sessions
//! run in UTC, so the instants stay the same.

use super::found::{FoundColumn, FoundTable};
use super::schema::{Column, ColumnType, Table, TableKey};

/// The integer types by their width in bytes.
const INTEGERS: [(&str, u32); 5] = [
    ("tinyint", 1),
    ("smallint", 2),
    ("mediumint", 3),
    ("int", 4),
    ("bigint", 8),
];

pub(super) fn missing_columns<'a>(
    table: &'a Table,
    found: &'a FoundTable,
) -> impl Iterator<Item = &'a Column> {
    let is_missing = |column: &&Column| !found.columns.contains_key(column.name);
    table.columns.iter().filter(is_missing)
}

/// Columns that are there, side by side.
pub(super) fn present_columns<'a>(
    table: &'a Table,
    found: &'a FoundTable,
) -> impl Iterator<Item = (&'a Column, &'a FoundColumn)> {
    let pair = |column: &'a Column| Some((column, found.columns.get(column.name)?));
    table.columns.iter().filter_map(pair)
}

pub(super) fn missing_keys<'a>(
    table: &'a Table,
    found: &'a FoundTable,
) -> impl Iterator<Item = &'a TableKey> {
    let is_missing = |key: &&TableKey| !has_key(found, key.columns, key.is_unique);
    table.keys.iter().filter(is_missing)
}

/// Names do not matter, only what the key does: an index may be longer than asked for, a unique key may not.
fn has_key(found: &FoundTable, columns: &[&str], is_unique: bool) -> bool {
    found.keys.values().any(|key| {
        if is_unique {
            key.is_unique && key.columns == columns
        } else {
            key.columns.len() >= columns.len() && key.columns[..columns.len()] == *columns
        }
    })
}

/// The type the column should have, or `None` if it is right as it stands.
pub(super) fn wanted_type(column: &Column, found: &FoundColumn) -> Option<String> {
    let sql_type = fitting_type(column.kind, &found.sql_type);
    let is_auto = column.kind == ColumnType::AutoId;
    let is_right = sql_type == found.sql_type
        && column.is_nullable == found.is_nullable
        && is_auto == found.is_auto;
    (!is_right).then_some(sql_type)
}

fn fitting_type(kind: ColumnType, found: &str) -> String {
    let fits = match kind {
        ColumnType::AutoId | ColumnType::Big => return fitting_integer(8, found),
        ColumnType::Int => return fitting_integer(4, found),
        ColumnType::Small => return fitting_integer(2, found),
        ColumnType::Text(chars) => {
            is_text(found) || argument(found, "varchar").is_some_and(|n| n >= u32::from(chars))
        }
        ColumnType::Token(chars) => {
            argument(found, "varchar").is_some_and(|n| n >= u32::from(chars))
        }
        ColumnType::LongText => matches!(found, "mediumtext" | "longtext"),
        ColumnType::Instant => argument(found, "datetime").is_some_and(|digits| digits >= 3),
        ColumnType::Double | ColumnType::Date => found == kind.mysql_type(),
    };
    if fits {
        found.to_owned()
    } else {
        kind.mysql_type()
    }
}

fn is_text(found: &str) -> bool {
    matches!(found, "text" | "mediumtext" | "longtext")
}

/// Signed, and as wide as the wider of the two.
fn fitting_integer(wanted_bytes: u32, found: &str) -> String {
    let found_bytes = integer_bytes(found).unwrap_or(0);
    if found_bytes >= wanted_bytes && !is_unsigned(found) {
        return found.to_owned();
    }
    let bytes = found_bytes.max(wanted_bytes);
    let (name, _) = INTEGERS
        .iter()
        .find(|(_, width)| *width == bytes)
        .expect("both widths come from the list");
    (*name).to_owned()
}

/// The largest value an unsigned column may hold to survive becoming signed; `None` if any does.
pub(super) fn signed_limit(column: &Column, found: &FoundColumn) -> Option<u64> {
    let found_bytes = integer_bytes(&found.sql_type)?;
    let becomes_bytes = integer_bytes(&fitting_type(column.kind, &found.sql_type))?;
    let is_at_risk = is_unsigned(&found.sql_type) && becomes_bytes == found_bytes;
    is_at_risk.then(|| (1 << (8 * found_bytes - 1)) - 1)
}

fn integer_bytes(sql_type: &str) -> Option<u32> {
    let base = sql_type.split(['(', ' ']).next()?;
    let (_, bytes) = INTEGERS.iter().find(|(name, _)| *name == base)?;
    Some(*bytes)
}

/// `ZEROFILL` implies it.
fn is_unsigned(sql_type: &str) -> bool {
    sql_type.contains("unsigned") || sql_type.contains("zerofill")
}

/// The number in brackets, if the type is of that name: `varchar(32)`.
fn argument(sql_type: &str, name: &str) -> Option<u32> {
    let argument = sql_type.strip_prefix(name)?.strip_prefix('(')?;
    argument.strip_suffix(')')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_numbers_become_signed_and_never_narrower() {
        for (kind, found, expected) in [
            (ColumnType::Big, "bigint(20) unsigned", "bigint"),
            (ColumnType::Big, "bigint(20)", "bigint(20)"),
            (ColumnType::Int, "int(10) unsigned zerofill", "int"),
            (ColumnType::Int, "bigint(20) unsigned", "bigint"),
            (ColumnType::Int, "bigint", "bigint"),
            (ColumnType::Small, "tinyint(3) unsigned", "smallint"),
            (ColumnType::Small, "tinyint(4)", "smallint"),
            (ColumnType::Small, "int unsigned", "int"),
            (ColumnType::Small, "year(4)", "smallint"),
        ] {
            assert_eq!(fitting_type(kind, found), expected, "{found}");
        }
    }

    #[test]
    fn texts_are_never_shortened() {
        for (kind, found, expected) in [
            (ColumnType::Text(32), "varchar(32)", "varchar(32)"),
            (ColumnType::Text(32), "varchar(500)", "varchar(500)"),
            (ColumnType::Text(32), "varchar(16)", "varchar(32)"),
            (ColumnType::Text(32), "text", "text"),
            (ColumnType::LongText, "text", "mediumtext"),
        ] {
            assert_eq!(fitting_type(kind, found), expected, "{found}");
        }
    }

    #[test]
    fn timestamps_become_datetimes_with_milliseconds() {
        for (found, expected) in [
            ("timestamp", "datetime(3)"),
            ("datetime", "datetime(3)"),
            ("datetime(6)", "datetime(6)"),
        ] {
            assert_eq!(
                fitting_type(ColumnType::Instant, found),
                expected,
                "{found}"
            );
        }
    }
}
