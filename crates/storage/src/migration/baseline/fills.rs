//! What old rows get in columns that they did not have, or had empty where this version wants a value.

use super::found::FoundTable;
use super::schema::{Column, ColumnType, Default, Table, quoted};

/// A live order, which holds a unit of stock: unpaid, paid, used or refunding. Literal, because a released migration must not
/// change with the enum.
pub(super) const LIVE: &str = "status IN (1, 2, 3, 5)";

/// The deadline of unpaid orders: none, because the original had none, and it cannot tell a forgotten order from one that
/// was paid at the counter. An instant that never comes stands for it. Orders that have ended get one that is over, by
/// which they are archived.
const NO_DEADLINE: &str = "'9999-01-01 00:00:00'";
const ENDED_MINUTES: u32 = 15;

/// The first instant a `TIMESTAMP` can hold, for times that nobody knows: nothing old looks new by it, and a sale that
/// began and ended then sells nothing. Zero dates, which no calendar has, become this where a value must be.
const EARLIEST: &str = "'1970-01-01 00:00:01'";

/// Sets `column = value` where the column is empty, or holds no date, and `also` holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fill {
    value: String,
    target: FillTarget,
    also: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FillTarget {
    Empty,
    ZeroDate,
}

/// How empty values of a column are filled; `None` if nothing is known that could stand there.
pub(super) fn fill(table: &Table, column: &Column) -> Option<Fill> {
    if let Some(value) = derived(table.name, column.name) {
        let live_only = (table.name, column.name) == ("tb_voucher_order", "slot");
        return Some(Fill {
            value,
            target: FillTarget::Empty,
            also: live_only.then_some(LIVE),
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
        target: FillTarget::Empty,
        also: None,
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
            format!(
                "CASE WHEN status = 1 THEN {NO_DEADLINE} \
                 ELSE create_time + INTERVAL {ENDED_MINUTES} MINUTE END"
            )
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
    let value = if column.is_nullable { "NULL" } else { EARLIEST };
    Some(Fill {
        value: value.to_owned(),
        target: FillTarget::ZeroDate,
        also: None,
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
        let condition = self.condition(column, found);
        let (table, column, value) = (quoted(table.name), quoted(column.name), &self.value);
        format!("UPDATE {table} SET {column} = {value}{keep} WHERE {condition}")
    }

    /// Counts the rows that [`Fill::statement`] would change, also before the column is there.
    pub(super) fn count(&self, table: &Table, column: &Column, found: &FoundTable) -> String {
        let condition = self.condition(column, found);
        let table = quoted(table.name);
        format!("SELECT COUNT(*) FROM {table} WHERE {condition}")
    }

    fn condition(&self, column: &Column, found: &FoundTable) -> String {
        let name = quoted(column.name);
        let is_present = found.columns.contains_key(column.name);
        let target = match self.target {
            FillTarget::Empty if !is_present => "TRUE".to_owned(),
            FillTarget::ZeroDate if !is_present => "FALSE".to_owned(),
            FillTarget::Empty => format!("{name} IS NULL"),
            FillTarget::ZeroDate => format!("(MONTH({name}) = 0 OR DAYOFMONTH({name}) = 0)"),
        };
        match self.also {
            Some(also) => format!("{target} AND {also}"),
            None => target,
        }
    }
}
