//! The database behind a market, looked at and filled from outside the product: what is in it is what counts.

use anyhow::{Context, Result};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, MySqlPool, SqlitePool};
use tempfile::TempDir;
use testkit::MariaDb;
use tokio::time::Instant;

/// Rows of one statement.
const ROWS: i64 = 1_000;

/// Buyers of a sale, about as many as a market has.
const PEOPLE: i64 = 20_000;

/// An order as numbers, with the one key that guards a sale.
const LEAN_TABLE: &str = "CREATE TABLE tb_raw_order (id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, \
    voucher_id BIGINT NOT NULL, slot SMALLINT, pay_type SMALLINT NOT NULL, status SMALLINT NOT NULL, \
    create_time BIGINT NOT NULL, update_time BIGINT NOT NULL, UNIQUE (voucher_id, user_id, slot))";

/// Where bare inserts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    /// A table with the columns and all indexes of that of orders, and rows like them.
    Twin,
    /// A table of numbers with one key.
    Lean,
}

/// Which database a site has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
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

/// One query over a connection that stays open, for a look every few milliseconds.
pub(crate) struct Gauge {
    pool: Pool,
    sql: String,
}

impl Gauge {
    pub(crate) async fn read(&self) -> Result<i64> {
        let sql = AssertSqlSafe(self.sql.clone());
        Ok(match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(sql).fetch_one(pool).await?,
            Pool::MariaDb(pool) => sqlx::query_scalar(sql).fetch_one(pool).await?,
        })
    }
}

impl DatabaseKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::MariaDb => "MariaDB",
        }
    }
}

impl Sql {
    pub(crate) async fn start(kind: DatabaseKind) -> Result<Self> {
        Ok(match kind {
            DatabaseKind::Sqlite => Self::Sqlite(tempfile::tempdir()?),
            DatabaseKind::MariaDb => {
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

    pub(crate) async fn gauge(&self, sql: String) -> Result<Gauge> {
        let pool = self.pool().await?;
        Ok(Gauge { pool, sql })
    }

    pub(crate) async fn execute(&self, sql: String) -> Result<()> {
        self.pool().await?.execute(sql).await
    }

    pub(crate) fn kind(&self) -> DatabaseKind {
        match self {
            Self::Sqlite(_) => DatabaseKind::Sqlite,
            Self::MariaDb { .. } => DatabaseKind::MariaDb,
        }
    }

    /// How often InnoDB has waited for the disk.
    pub(crate) async fn mariadb_fsyncs(&self) -> Result<i64> {
        let sql = "SELECT CAST(SUM(variable_value) AS SIGNED) FROM information_schema.global_status \
            WHERE variable_name IN ('INNODB_DATA_FSYNCS', 'INNODB_OS_LOG_FSYNCS')";
        let numbers = self.numbers(sql.to_owned()).await?;
        numbers
            .first()
            .copied()
            .context("MariaDB counts its flushes")
    }

    /// Lets MariaDB flush its log at every commit, which is its default; the test kit's flushes once a second.
    pub(crate) async fn flush_every_commit(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::MariaDb { .. } => {
                let set = "SET GLOBAL innodb_flush_log_at_trx_commit = 1";
                self.execute(set.to_owned()).await
            }
        }
    }

    /// Rows a second that statements of many rows put into a table.
    pub(crate) async fn bare_inserts_per_sec(&self, bare: Bare, rows: i64) -> Result<f64> {
        let pool = self.pool().await?;
        pool.execute("DROP TABLE IF EXISTS tb_raw_order".to_owned())
            .await?;
        for sql in self.table(bare).await? {
            pool.execute(sql).await?;
        }
        let since = Instant::now();
        for first in (0..rows).step_by(ROWS as usize) {
            pool.execute(bare.insert(first)).await?;
        }
        Ok(rows as f64 / since.elapsed().as_secs_f64())
    }

    /// The statements that make a table for bare inserts.
    async fn table(&self, bare: Bare) -> Result<Vec<String>> {
        let made = match (bare, self.pool().await?) {
            (Bare::Lean, _) => return Ok(vec![LEAN_TABLE.to_owned()]),
            (Bare::Twin, Pool::MariaDb(_)) => {
                return Ok(vec![
                    "CREATE TABLE tb_raw_order LIKE tb_voucher_order".to_owned(),
                ]);
            }
            (Bare::Twin, Pool::Sqlite(pool)) => {
                let made = "SELECT sql FROM sqlite_master \
                    WHERE tbl_name = 'tb_voucher_order' AND sql IS NOT NULL ORDER BY type DESC";
                sqlx::query_scalar::<_, String>(made)
                    .fetch_all(&pool)
                    .await?
            }
        };
        let twin = made
            .iter()
            .map(|sql| sql.replace("voucher_order", "raw_order"));
        Ok(twin.collect())
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

impl Bare {
    fn insert(self, first: i64) -> String {
        let columns = match self {
            Self::Lean => "",
            Self::Twin => {
                "(id, user_id, voucher_id, shop_id, slot, pay_deadline, create_time, update_time)"
            }
        };
        let rows: Vec<String> = (first..first + ROWS).map(|id| self.row(id)).collect();
        let rows = rows.join(",");
        format!("INSERT INTO tb_raw_order {columns} VALUES {rows}")
    }

    /// The same people buy one sale after the other.
    fn row(self, id: i64) -> String {
        let (user, sale) = (id % PEOPLE, id / PEOPLE);
        let at = "'2027-01-15 08:00:00.123'";
        match self {
            Self::Lean => format!("({id},{id},7,1,1,1,1800000000000,1800000000000)"),
            Self::Twin => format!("({id},{user},{sale},1,1,{at},{at},{at})"),
        }
    }
}
