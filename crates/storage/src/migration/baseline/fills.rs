//! What old rows get in columns that they did not have, or had empty where this version wants a value.

use super::found::FoundTable;
use super::schema::{Column, ColumnType, Default, Table, quoted};

/// A live order, which holds a unit of stock: unpaid, paid, used or refunding. Literal, because a released migration must not
/// change with the enum.
pub(super) const LIVE: &str = "status IN (1, 2, 3, 5)";

/// How long the original's unpaid orders may still be paid; it had no deadline itself.
const PAY_MINUTES: u32 = 15;

/// The first instant a `TIMESTAMP` can hold, for times that nobody knows: nothing old looks new by it, and a sale that
/// began and ended then sells nothing. Zero dates, which no calendar has, become this where a value must be.
const EARLIEST: &str = "'1970-01-01 00:00:01'";

/// Sets `column = value` on the rows of `condition`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fill {
    value: String,
    condition: String,
}

/// How empty values of a column are filled; `None` if nothing is known that could stand there.
pub(super) fn fill(table: &Table, column: &Column) -> Option<Fill> {
    if let Some(value) = derived(table.name, column.name) {
        let live_only = (table.name, column.name) == ("tb_voucher_order", "slot");
        let condition = if live_only {
            format!(" AND {LIVE}")
        } else {
            String::new()
        };
        return Some(Fill {
            value,
            condition: format!("{} IS NULL{condition}", quoted(column.name)),
        });
    }
    let value = match column.default {
        _ if column.is_nullable => return None,
        Default::None => return None,
        Default::Literal(literal) => literal.to_owned(),
        Default::Now => EARLIEST.to_owned(),
    };
    Some(Fill {
        value,
        condition: format!("{} IS NULL", quoted(column.name)),
    })
}

/// True if the value comes from other columns, so that the column must be there, empty, before it can be filled.
pub(super) fn is_derived(table: &Table, column: &Column) -> bool {
    derived(table.name, column.name).is_some()
}

fn derived(table: &str, column: &str) -> Option<String> {
    let value = match (table, column) {
        ("tb_voucher_order", "slot") => "1".to_owned(),
        ("tb_voucher_order", "shop_id") => "COALESCE((SELECT v.shop_id FROM tb_voucher v \
             WHERE v.id = tb_voucher_order.voucher_id), 0)"
            .to_owned(),
        ("tb_voucher_order", "pay_deadline") => {
            format!("create_time + INTERVAL {PAY_MINUTES} MINUTE")
        }
        ("tb_seckill_voucher", "initial_stock") => format!(
            "stock + (SELECT COUNT(*) FROM tb_voucher_order o \
             WHERE o.voucher_id = tb_seckill_voucher.voucher_id AND o.{LIVE})"
        ),
        ("tb_sign", "create_time") => "CAST(`date` AS DATETIME)".to_owned(),
        _ => return None,
    };
    Some(value)
}

/// Replaces dates that the calendar does not have; only times and dates can hold one.
pub(super) fn zero_date_fill(column: &Column) -> Option<Fill> {
    if !matches!(column.kind, ColumnType::Instant | ColumnType::Date) {
        return None;
    }
    let name = quoted(column.name);
    let value = if column.is_nullable { "NULL" } else { EARLIEST };
    Some(Fill {
        value: value.to_owned(),
        condition: format!("MONTH({name}) = 0 OR DAYOFMONTH({name}) = 0"),
    })
}

impl Fill {
    /// `update_time` is set to itself: the original's column would otherwise change by itself, and nobody touched the row.
    pub(super) fn statement(&self, table: &Table, column: &Column, found: &FoundTable) -> String {
        let keeps_update_time =
            column.name != "update_time" && found.columns.contains_key("update_time");
        let keep = if keeps_update_time {
            ", update_time = update_time"
        } else {
            ""
        };
        let (table, column) = (quoted(table.name), quoted(column.name));
        let (value, condition) = (&self.value, &self.condition);
        format!("UPDATE {table} SET {column} = {value}{keep} WHERE {condition}")
    }
}
