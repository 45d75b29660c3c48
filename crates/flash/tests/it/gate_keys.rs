//! The keys of a gate as a test sees and spoils them, without the engine's help.

use flash::{Flash, Ledger, Partitions, SaleId};
use redis::FromRedisValue;
use redis::aio::ConnectionLike;

use crate::site::Site;

/// Runs a command of words.
pub(crate) async fn ask<T: FromRedisValue>(
    connection: &mut impl ConnectionLike,
    command: &[&str],
) -> T {
    let mut cmd = redis::Cmd::new();
    let answer = cmd.arg(command).query_async(connection).await;
    answer.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs a script of the engine by hand.
pub(crate) async fn eval<T: FromRedisValue>(
    connection: &mut impl ConnectionLike,
    source: &str,
    keys: &[String],
    args: &[&str],
) -> T {
    let mut cmd = redis::cmd("EVAL");
    cmd.arg(source).arg(keys.len()).arg(keys).arg(args);
    cmd.query_async(connection).await.unwrap()
}

/// The key of a bucket: `what` is `sale`, `buyers`, `moved` or `received`.
pub(crate) fn key(
    site: &Site,
    partitions: Partitions,
    sale: SaleId,
    bucket: u16,
    what: &str,
) -> String {
    let partition = partitions.of(sale, bucket);
    format!("{}{{{partition}}}:{what}:{sale}", site.prefix)
}

/// Asserts that gate and ledger tell the same story, when everything is at rest.
pub(crate) async fn assert_in_balance<L: Ledger>(flash: &Flash<L>, sale: SaleId) {
    let report = flash.reconcile(sale, flash::Repair::No).await.unwrap();
    let report = report.expect("the sale was published");
    assert_eq!(report.drifts, [], "{:?}", report.equations);
}
