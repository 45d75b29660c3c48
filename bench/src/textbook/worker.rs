//! Orders from the stream to SQL, one by one: the worker thread of the course.

use std::time::Duration;

use anyhow::{Context as _, Result};
use redis::streams::{StreamId, StreamReadReply};
use redis::{AsyncConnectionConfig, Client};
use sqlx::MySqlPool;

use super::ORDERS;

const GROUP: &str = "g1";
const CONSUMER: &str = "c1";
const BLOCK: Duration = Duration::from_secs(1);
/// Above the time that a read blocks, so that an empty stream is no failure.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLES: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS textbook_sale (id BIGINT PRIMARY KEY, stock BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS textbook_order (id BIGINT NOT NULL, sale BIGINT NOT NULL, buyer BIGINT NOT NULL, \
     PRIMARY KEY (sale, id), UNIQUE (sale, buyer))",
    "CREATE TABLE IF NOT EXISTS textbook_shop (id BIGINT PRIMARY KEY, row_json TEXT NOT NULL)",
];

/// Makes the tables and the group, and works until the process ends.
pub(super) async fn spawn(client: Client, sql: MySqlPool) -> Result<()> {
    for table in TABLES {
        sqlx::query(table).execute(&sql).await?;
    }
    let mut connection = client.get_multiplexed_async_connection().await?;
    let mut create = redis::cmd("XGROUP");
    create.arg("CREATE").arg(ORDERS).arg(GROUP).arg("0");
    // It fails if the group exists, which is as good.
    let _: Result<(), _> = create.arg("MKSTREAM").query_async(&mut connection).await;
    let work = async move {
        if let Err(error) = work(client, sql).await {
            report(&error);
            // A site whose orders reach no database is no opponent: let it fail where everybody sees it.
            std::process::exit(1);
        }
    };
    tokio::spawn(work);
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the log of this process")]
fn report(error: &anyhow::Error) {
    eprintln!("the worker of the textbook server failed: {error:#}");
}

async fn work(client: Client, sql: MySqlPool) -> Result<()> {
    let patient = AsyncConnectionConfig::new().set_response_timeout(Some(PATIENCE));
    let mut connection = client
        .get_multiplexed_async_connection_with_config(&patient)
        .await?;
    loop {
        let mut read = redis::cmd("XREADGROUP");
        read.arg("GROUP").arg(GROUP).arg(CONSUMER);
        read.arg("COUNT").arg(1);
        read.arg("BLOCK").arg(BLOCK.as_millis() as u64);
        read.arg("STREAMS").arg(ORDERS).arg(">");
        let reply: Option<StreamReadReply> = read.query_async(&mut connection).await?;
        let entries = reply.into_iter().flat_map(|reply| reply.keys);
        for entry in entries.flat_map(|key| key.ids) {
            record(&entry, &sql).await?;
            let mut done = redis::pipe();
            done.cmd("XACK")
                .arg(ORDERS)
                .arg(GROUP)
                .arg(&entry.id)
                .ignore();
            done.cmd("XDEL").arg(ORDERS).arg(&entry.id).ignore();
            let () = done.query_async(&mut connection).await?;
        }
    }
}

/// The order and its unit of the stock, in one transaction.
async fn record(entry: &StreamId, sql: &MySqlPool) -> Result<()> {
    let field = |name: &str| -> Result<i64> {
        entry
            .get(name)
            .with_context(|| format!("an entry has no {name}"))
    };
    let (order, sale, buyer) = (field("order")?, field("sale")?, field("buyer")?);
    let mut transaction = sql.begin().await?;
    let insert = sqlx::query("INSERT INTO textbook_order (id, sale, buyer) VALUES (?, ?, ?)");
    let insert = insert.bind(order).bind(sale).bind(buyer);
    insert.execute(&mut *transaction).await?;
    let update =
        sqlx::query("UPDATE textbook_sale SET stock = stock - 1 WHERE id = ? AND stock > 0");
    update.bind(sale).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(())
}
