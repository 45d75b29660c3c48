//! The keys that the migrations create, read from the migrations themselves, so that a test can compare them with a
//! database without a list of its own.

use super::addition::{AdditionPlan, NewTable};

/// A primary key, a unique key or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaKey {
    pub table: &'static str,
    /// Separated by commas, without spaces.
    pub columns: String,
    pub is_unique: bool,
    pub is_primary: bool,
}

impl SchemaKey {
    pub(super) fn primary(table: &'static str, columns: &str) -> Self {
        Self {
            is_primary: true,
            ..Self::unique(table, columns)
        }
    }

    pub(super) fn unique(table: &'static str, columns: &str) -> Self {
        Self {
            is_unique: true,
            ..Self::index(table, columns)
        }
    }

    pub(super) fn index(table: &'static str, columns: &str) -> Self {
        Self {
            table,
            columns: columns.replace([' ', '`'], ""),
            is_unique: false,
            is_primary: false,
        }
    }
}

pub(super) fn of_plan(plan: &AdditionPlan) -> Vec<SchemaKey> {
    let indexes = plan
        .indexes
        .iter()
        .map(|index| SchemaKey::index(index.table, index.columns));
    plan.tables
        .iter()
        .flat_map(of_table)
        .chain(indexes)
        .collect()
}

/// From the MySQL body of `CREATE TABLE`, which names all its keys.
pub(super) fn of_table(table: &NewTable) -> Vec<SchemaKey> {
    let key = |part: &str| {
        let columns = || part.split_once('(')?.1.strip_suffix(')');
        if part.starts_with("UNIQUE KEY") {
            Some(SchemaKey::unique(table.name, columns()?))
        } else if part.starts_with("PRIMARY KEY") {
            Some(SchemaKey::primary(table.name, columns()?))
        } else if part.contains("PRIMARY KEY") {
            Some(SchemaKey::primary(table.name, part.split(' ').next()?))
        } else {
            None
        }
    };
    definitions(table.mysql).filter_map(key).collect()
}

/// Splits at the commas outside parentheses.
fn definitions(body: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    body.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_the_body_of_a_table() {
        let table = NewTable {
            name: "t",
            sqlite: "",
            mysql: "id bigint NOT NULL PRIMARY KEY, a int CHECK (a > 0), b varchar(16), \
                UNIQUE KEY uk (a, b)",
        };
        let expected = [SchemaKey::primary("t", "id"), SchemaKey::unique("t", "a,b")];
        assert_eq!(of_table(&table), expected);
    }
}
