//! Sites whose processes die, on data that outlives them.

use sea_orm::{ConnectionTrait as _, Database};
use storage::accounts::{TrialBalance, trial_balance};
use storage::{Db, DbOptions};
use tempfile::TempDir;
use testkit::{MariaDb, Redis, Tandian, TestApp, wait_until};

use super::BOOKS;
use crate::chaos::record;
use crate::flash::{Market, PATIENCE};

/// A database of its own.
pub(super) enum Sql {
    Sqlite(TempDir),
    MariaDb(testkit::Database),
}

impl Sql {
    pub(super) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub(super) async fn mariadb() -> Self {
        Self::MariaDb(MariaDb::shared().await.create_database().await)
    }

    pub(super) async fn both() -> [Self; 2] {
        [Self::sqlite(), Self::mariadb().await]
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite://{}/tandian.db", folder.path().display()),
            Self::MariaDb(database) => database.url().to_owned(),
        }
    }

    pub(super) async fn connect(&self) -> Db {
        Db::connect(&DbOptions::new(self.url())).await.unwrap()
    }

    /// The time of every order is over now, as after a night in which nobody served.
    pub(super) async fn let_time_run_out(&self) {
        let connection = Database::connect(self.url()).await.unwrap();
        let sql = "UPDATE tb_voucher_order SET pay_deadline = create_time WHERE status = 1";
        connection.execute_unprepared(sql).await.unwrap();
        connection.close().await.unwrap();
    }
}

/// A market to set the stage in, and the same site as a program, which does not run yet.
pub(super) async fn open(sql: &Sql) -> (Market, Tandian) {
    let builder = TestApp::builder()
        .sql_url(sql.url())
        .setting("payment.ask_after_secs", 1);
    let market = Market::on(builder.spawn().await).await;
    let settings = [
        ("database.url", sql.url()),
        ("redis.url", Redis::shared().await.url()),
        ("redis.prefix", market.app.prefix().to_owned()),
        ("payment.ask_after_secs", "1".to_owned()),
    ];
    (
        market,
        Tandian::new(crate::chaos::program(), &["serve"], &settings),
    )
}

/// Starts the site, does what leads to a fail point, and waits until it has died there.
pub(super) async fn die_at(site: &Tandian, point: &str, work: impl AsyncFnOnce()) {
    site.start_with(&[("TANDIAN_FAIL_POINT", point)]);
    site.wait_until_ready().await;
    work().await;
    wait_for_end(site, point).await;
}

pub(super) async fn wait_for_end(site: &Tandian, point: &str) {
    wait_until(point, PATIENCE, async || site.take_end().is_some()).await;
    record::fault("server aborted at a fail point");
}

/// The books add up, as soon as everything is written into them.
pub(super) async fn assert_books_at(sql: &Sql) {
    let db = sql.connect().await;
    wait_until("the books add up", PATIENCE, async || {
        let zeroes = TrialBalance {
            total_cents: 0,
            wrong_balances: 0,
            escrow_excess_cents: 0,
        };
        trial_balance(&db).await.unwrap() == zeroes
    })
    .await;
    record::held(BOOKS, 1);
    db.close().await.unwrap();
}
