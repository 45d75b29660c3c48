//! Looks for whatever adoption could not carry over, before anything is changed.
//!
//! The answer is a list of lines for the operator, each naming rows by their primary key and never showing what is in
//! them: the values may be phone numbers.

use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::differences::{missing_keys, present_columns, signed_limit};
use super::fills::{LIVE, fill};
use super::found::{FoundTable, find_table};
use super::schema::{Table, quoted};
use super::tables::TABLES;

/// Rows named per rule: enough to see what is wrong, short enough to read.
const ROWS_PER_RULE: u32 = 20;

/// Empty when the database can be adopted.
pub(in crate::migration) async fn obstacles(
    connection: &impl ConnectionTrait,
) -> Result<Vec<String>, DbErr> {
    let mut lines = Vec::new();
    for table in TABLES {
        let Some(found) = find_table(connection, table.name).await? else {
            continue;
        };
        lines.extend(shape_obstacles(table, &found));
        for rule in rules(table, &found) {
            lines.extend(rule.broken_by(connection, table).await?);
        }
    }
    Ok(lines)
}

/// What can be derived from the table's definition alone.
fn shape_obstacles(table: &Table, found: &FoundTable) -> Vec<String> {
    let name = table.name;
    let foreign_keys = found.foreign_keys.iter().map(|key| {
        format!("{name}: drop the foreign key {key} first; the types of its columns must change")
    });
    let primary = found
        .keys
        .get("PRIMARY")
        .filter(|key| key.columns != table.primary)
        .map(|key| {
            let (is, wanted) = (key.columns.join(", "), table.primary.join(", "));
            format!("{name}: its primary key is ({is}) and must be ({wanted})")
        });
    let is_known = |column: &str| table.columns.iter().any(|known| known.name == column);
    let strangers = found
        .columns
        .iter()
        .filter(|(column, shape)| {
            !is_known(column) && !shape.is_nullable && !shape.has_default && !shape.is_auto
        })
        .map(|(column, _)| {
            format!("{name}: its own column {column} needs a default; nobody will fill it")
        });
    foreign_keys.chain(primary).chain(strangers).collect()
}

/// Finds rows that break something the table is about to get.
struct ObstacleRule {
    complaint: String,
    /// Groups of rows; `None` looks at each row alone.
    group_by: Option<String>,
    condition: String,
}

fn rules(table: &Table, found: &FoundTable) -> Vec<ObstacleRule> {
    let mut rules: Vec<ObstacleRule> = missing_keys(table, found)
        .filter(|key| key.is_unique)
        .filter_map(|key| duplicates(table, found, key.columns))
        .collect();
    if !found.keys.contains_key("PRIMARY") {
        rules.extend(duplicates(table, found, table.primary));
    }
    rules.extend(table.check.map(|check| ObstacleRule {
        complaint: format!("do not keep {}", check.condition),
        group_by: None,
        condition: format!("NOT ({})", check.condition),
    }));
    for (column, present) in present_columns(table, found) {
        let name = quoted(column.name);
        if let Some(limit) = signed_limit(column, present) {
            rules.push(ObstacleRule {
                complaint: format!("have a {} above {limit}", column.name),
                group_by: None,
                condition: format!("{name} > {limit}"),
            });
        }
        let must_have_value = !column.is_nullable && present.is_nullable;
        if must_have_value && fill(table, column).is_none() {
            rules.push(ObstacleRule {
                complaint: format!("have no {}", column.name),
                group_by: None,
                condition: format!("{name} IS NULL"),
            });
        }
    }
    rules
}

/// `None` when a column of the key is new and empty: rows without a value never collide.
fn duplicates(table: &Table, found: &FoundTable, columns: &[&str]) -> Option<ObstacleRule> {
    let values: Vec<String> = columns
        .iter()
        .map(|column| future_value(table.name, found, column))
        .collect::<Option<_>>()?;
    let present = |value: &String| format!("{value} IS NOT NULL");
    Some(ObstacleRule {
        complaint: format!("share one ({})", columns.join(", ")),
        condition: values.iter().map(present).collect::<Vec<_>>().join(" AND "),
        group_by: Some(values.join(", ")),
    })
}

/// What will stand in the column once it has been filled.
fn future_value(table: &str, found: &FoundTable, column: &str) -> Option<String> {
    let is_there = found.columns.contains_key(column);
    match (table, column) {
        ("tb_voucher_order", "slot") if is_there => {
            Some(format!("COALESCE(slot, CASE WHEN {LIVE} THEN 1 END)"))
        }
        ("tb_voucher_order", "slot") => Some(format!("CASE WHEN {LIVE} THEN 1 END")),
        _ => is_there.then(|| quoted(column)),
    }
}

impl ObstacleRule {
    async fn broken_by(
        &self,
        connection: &impl ConnectionTrait,
        table: &Table,
    ) -> Result<Vec<String>, DbErr> {
        let statement = Statement::from_string(connection.get_database_backend(), self.sql(table));
        let rows = connection.query_all_raw(statement).await?;
        let name = table.name;
        rows.iter()
            .map(|row| {
                let ids: String = row.try_get("", "offenders")?;
                Ok(format!("{name}: rows {ids} {}", self.complaint))
            })
            .collect()
    }

    fn sql(&self, table: &Table) -> String {
        let ids = table
            .primary
            .iter()
            .map(|column| quoted(column))
            .collect::<Vec<_>>()
            .join(", ");
        let id = format!("CONCAT_WS('/', {ids})");
        let from = format!("FROM {} WHERE {}", quoted(table.name), self.condition);
        match &self.group_by {
            None => format!(
                "SELECT CAST(GROUP_CONCAT(id SEPARATOR ', ') AS CHAR) AS offenders FROM \
                 (SELECT {id} AS id {from} ORDER BY {ids} LIMIT {ROWS_PER_RULE}) AS some \
                 HAVING COUNT(*) > 0"
            ),
            Some(group_by) => format!(
                "SELECT CAST(GROUP_CONCAT({id} ORDER BY {ids} SEPARATOR ', ') AS CHAR) AS offenders \
                 {from} GROUP BY {group_by} HAVING COUNT(*) > 1 ORDER BY MIN({id}) \
                 LIMIT {ROWS_PER_RULE}"
            ),
        }
    }
}
