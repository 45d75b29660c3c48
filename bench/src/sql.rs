//! The database behind a market, looked at and filled from outside the product: what is in it is what counts.

use anyhow::Result;
use sqlx::mysql::MySqlPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, MySqlPool, SqlitePool};
use tempfile::TempDir;
use testkit::MariaDb;
use tokio::time::Instant;

/// Rows of one statement, as many as a drainer's transaction has.
const ROWS: i64 = 1_000;

/// The columns of an order that every row has.
const RAW_TABLE: &str = "CREATE TABLE raw_order (id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, \
    voucher_id BIGINT NOT NULL, slot SMALLINT, pay_type SMALLINT NOT NULL, status SMALLINT NOT NULL, \
    create_time BIGINT NOT NULL, update_time BIGINT NOT NULL, UNIQUE (voucher_id, user_id, slot))";

/// Which database a site has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    MariaDb,
}

#[derive(Debug)]
pub(crate) enum Sql {
    Sqlite(TempDir),
    MariaDb { _server: Box<MariaDb>, url: String },
}

enum Pool {
    Sqlite(SqlitePool),
    MariaDb(MySqlPool),
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::MariaDb => "MariaDB",
        }
    }
}

impl Sql {
    pub(crate) async fn start(kind: Kind) -> Result<Self> {
        Ok(match kind {
            Kind::Sqlite => Self::Sqlite(tempfile::tempdir()?),
            Kind::MariaDb => {
                let server = MariaDb::start().await;
                let url = server.create_database().await.url().to_owned();
                Self::MariaDb {
                    _server: Box::new(server),
                    url,
                }
            }
        })
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => {
                format!("sqlite://{}", folder.path().join("bench.db").display())
            }
            Self::MariaDb { url, .. } => url.clone(),
        }
    }

    /// The ids of a voucher's orders, ascending.
    pub(crate) async fn order_ids(&self, voucher: i64) -> Result<Vec<i64>> {
        let sql =
            format!("SELECT id FROM tb_voucher_order WHERE voucher_id = {voucher} ORDER BY id");
        self.numbers(sql).await
    }

    /// The ids of the people who are signed in by the thousand, in the order of their tokens.
    pub(crate) async fn crowd_ids(&self) -> Result<Vec<i64>> {
        let sql = "SELECT id FROM tb_user WHERE phone LIKE '199%' ORDER BY phone";
        self.numbers(sql.to_owned()).await
    }

    /// The first column of what a query finds.
    pub(crate) async fn numbers(&self, sql: String) -> Result<Vec<i64>> {
        let sql = AssertSqlSafe(sql);
        Ok(match self.pool().await? {
            Pool::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(&pool).await?,
            Pool::MariaDb(pool) => sqlx::query_scalar(sql).fetch_all(&pool).await?,
        })
    }

    pub(crate) async fn execute(&self, sql: String) -> Result<()> {
        self.pool().await?.execute(sql).await
    }

    /// Rows a second that statements of many rows put into a table with the columns and keys of an order.
    pub(crate) async fn raw_inserts_per_sec(&self, rows: i64) -> Result<f64> {
        let pool = self.pool().await?;
        pool.execute("DROP TABLE IF EXISTS raw_order".to_owned())
            .await?;
        pool.execute(RAW_TABLE.to_owned()).await?;
        let since = Instant::now();
        for first in (0..rows).step_by(ROWS as usize) {
            pool.execute(multi_row_insert(first)).await?;
        }
        Ok(rows as f64 / since.elapsed().as_secs_f64())
    }

    async fn pool(&self) -> Result<Pool> {
        Ok(match self {
            Self::Sqlite(folder) => {
                let options = SqliteConnectOptions::new()
                    .filename(folder.path().join("bench.db"))
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full);
                let pool = SqlitePoolOptions::new().max_connections(1);
                Pool::Sqlite(pool.connect_with(options).await?)
            }
            Self::MariaDb { url, .. } => {
                let pool = MySqlPoolOptions::new().max_connections(1);
                Pool::MariaDb(pool.connect(url).await?)
            }
        })
    }
}

impl Pool {
    async fn execute(&self, sql: String) -> Result<()> {
        match self {
            Self::Sqlite(pool) => {
                sqlx::raw_sql(AssertSqlSafe(sql)).execute(pool).await?;
            }
            Self::MariaDb(pool) => {
                sqlx::raw_sql(AssertSqlSafe(sql)).execute(pool).await?;
            }
        }
        Ok(())
    }
}

fn multi_row_insert(first: i64) -> String {
    let row = |id: i64| format!("({id},{id},7,1,1,1,1800000000000,1800000000000)");
    let rows: Vec<String> = (first..first + ROWS).map(row).collect();
    format!("INSERT INTO raw_order VALUES {}", rows.join(","))
}
