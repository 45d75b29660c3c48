//! The fencing token that comes with every grant: [`Fence`], which grows from grant to grant.

use std::fmt;

/// A fencing token: higher than those of all earlier grants of the same lock.
///
/// A lease alone cannot protect a resource: a holder that was paused for longer than its lease continues as if it held the
/// lock. The resource can protect itself. Each grant has a higher number than all grants before it; the resource stores
/// the highest number it has seen and refuses writes with a lower one. A table needs one column (`BIGINT NOT NULL DEFAULT
/// 0`) and one predicate for it:
///
/// ```
/// # use redis_locks::{Fence, FenceRejected};
/// # fn execute(_sql: &str) -> u64 { 1 }
/// # fn example(fence: Fence) -> Result<(), FenceRejected> {
/// let stamp = format!(
///     "UPDATE job SET {} WHERE id = 7 AND {}",
///     fence.assignment("fence"),
///     fence.condition("fence"),
/// );
/// fence.check(execute(&stamp))?;
/// // … the work …
/// let finish = format!(
///     "UPDATE job SET state = 'done' WHERE id = 7 AND {}",
///     fence.condition("fence"),
/// );
/// fence.check(execute(&finish))?;
/// # Ok(()) }
/// ```
///
/// Or, with placeholders: `UPDATE job SET fence = ? WHERE id = ? AND fence <= ?`, and [`Fence::as_i64`] twice.
///
/// The first statement stamps the resource. The resource learns of a newer holder only by its first write, and until then
/// accepts the older one, so this write comes on entry, before the new holder reads anything that its work depends on.
///
/// A fence is `max(last + 1, the server's clock in microseconds)`, so it grows even if Redis lost the last one, unless
/// its clock went back at the same time. Then a newer holder may be refused, and must acquire again: a delay, never two
/// writers. It stays below 2⁵³ until the year 2255, so JSON and JavaScript keep it exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(u64);

/// The resource has accepted a newer holder: the write had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a newer holder of the lock has written already (this one has fence {0})")]
pub struct FenceRejected(pub Fence);

impl Fence {
    pub(crate) fn new(number: u64) -> Self {
        Self(number)
    }

    pub(crate) fn plus(self, steps: u64) -> Self {
        Self(self.0 + steps)
    }

    /// The number itself.
    pub fn get(self) -> u64 {
        self.0
    }

    /// For a `BIGINT` column.
    pub fn as_i64(self) -> i64 {
        i64::try_from(self.0).expect("a clock in microseconds stays far below 2^63")
    }

    /// `column = 1789…`, for the `SET` list. The column name is not escaped.
    pub fn assignment(self, column: &str) -> String {
        format!("{column} = {self}")
    }

    /// `column <= 1789…`, for the `WHERE` clause. The column name is not escaped.
    pub fn condition(self, column: &str) -> String {
        format!("{column} <= {self}")
    }

    /// Checks a fenced write by the rows it matched: zero means that it was refused.
    ///
    /// MySQL must count matched rows, not changed ones (`CLIENT_FOUND_ROWS`, the default of sqlx), or a write repeated
    /// with the same fence would look refused.
    pub fn check(self, rows_matched: u64) -> Result<(), FenceRejected> {
        match rows_matched {
            0 => Err(FenceRejected(self)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fenced_write_names_the_fence_twice_and_is_checked_by_its_rows() {
        let fence = Fence::new(1_789_000_000_000_000);
        assert_eq!(fence.assignment("f"), "f = 1789000000000000");
        assert_eq!(fence.condition("t.f"), "t.f <= 1789000000000000");
        assert_eq!(fence.check(1), Ok(()));
        assert_eq!(fence.check(0), Err(FenceRejected(fence)));
    }
}
