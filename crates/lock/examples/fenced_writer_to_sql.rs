//! A writer that is paused past its lease cannot harm the database: `cargo run -p redis-locks --example fenced_writer_to_sql`.
//!
//! The row keeps the fence of the last holder who stamped it, and every write names its own. The writer that wakes up
//! too late changes zero rows, which `Fence::check` turns into an error.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

#[path = "support/server.rs"]
mod server;

use std::time::Duration;

use redis_locks::{Fence, FenceRejected, Locks, Term};
use sqlx::{SqlitePool, sqlite::SqlitePoolOptions};
use tokio::time::sleep;

/// Short, so that the example need not wait for long.
const LEASE: Duration = Duration::from_millis(400);

/// Stamps the account on entry: from here on every older holder is refused, also before the first write.
async fn stamp(sql: &SqlitePool, fence: Fence) -> anyhow::Result<i64> {
    let stamped = sqlx::query("UPDATE account SET fence = ? WHERE id = 1 AND fence <= ?")
        .bind(fence.as_i64())
        .bind(fence.as_i64())
        .execute(sql)
        .await?;
    fence.check(stamped.rows_affected())?;
    // Read after the stamp: what an older holder writes later is refused, so this cannot change under us.
    let (cents,) = sqlx::query_as("SELECT cents FROM account WHERE id = 1")
        .fetch_one(sql)
        .await?;
    Ok(cents)
}

async fn write(sql: &SqlitePool, fence: Fence, cents: i64) -> anyhow::Result<()> {
    let written = sqlx::query("UPDATE account SET cents = ? WHERE id = 1 AND fence <= ?")
        .bind(cents)
        .bind(fence.as_i64())
        .execute(sql)
        .await?;
    Ok(fence.check(written.rows_affected())?)
}

async fn open() -> anyhow::Result<SqlitePool> {
    // One connection: each connection to `:memory:` has a database of its own.
    let pool = SqlitePoolOptions::new().max_connections(1);
    let sql = pool.connect("sqlite::memory:").await?;
    for statement in [
        "CREATE TABLE account (id INTEGER PRIMARY KEY, cents BIGINT NOT NULL, fence BIGINT NOT NULL DEFAULT 0)",
        "INSERT INTO account (id, cents) VALUES (1, 1000)",
    ] {
        sqlx::query(statement).execute(&sql).await?;
    }
    Ok(sql)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let server = server::Server::find_or_start().await;
    let sql = open().await?;
    let (first, second) = (
        Locks::new(server.link().await?),
        Locks::new(server.link().await?),
    );

    let mutex = first.mutex("account 1").term(Term::Fixed(LEASE));
    let paused = mutex.lock().await?;
    let seen = stamp(&sql, paused.fence()).await?;
    println!("the first writer reads {seen} cents, and is paused for longer than its lease");
    sleep(LEASE * 2).await;

    let guard = second.mutex("account 1").lock().await?;
    let cents = stamp(&sql, guard.fence()).await?;
    write(&sql, guard.fence(), cents + 500).await?;
    guard.release().await?;
    println!("the second writer adds 500");

    // It would have been told by `paused.lost()`; a process that was stopped acts before it looks.
    let late = write(&sql, paused.fence(), seen - 300).await;
    let refused = late.expect_err("the row has a newer fence");
    anyhow::ensure!(refused.is::<FenceRejected>(), "{refused}");
    println!("the first writer wakes up and is refused: {refused}");

    let (cents,): (i64,) = sqlx::query_as("SELECT cents FROM account WHERE id = 1")
        .fetch_one(&sql)
        .await?;
    anyhow::ensure!(cents == 1500, "{cents} cents");
    println!("the account has {cents} cents: nothing was overwritten");
    Ok(())
}
