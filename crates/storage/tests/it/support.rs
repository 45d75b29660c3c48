//! Fresh databases for the claims, and the means to run one claim on both of them.

use std::time::Duration;

use domain::{Contact, Email, Phone, ShopTypeId, UserId};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, QueryResult, Statement};
use storage::shops::{self, NewShop, Shop};
use storage::{Backend, Db, DbOptions, users};
use tempfile::TempDir;
use testkit::MariaDb;

/// How long a crowd may queue for a connection: longer than any machine needs, because claims are about what happens and not
/// about how fast.
const PATIENCE: Duration = Duration::from_secs(120);

/// A database of its own, empty, gone with the value or with the test process.
#[derive(Debug)]
pub(crate) struct TestDb {
    pub(crate) db: Db,
    pub(crate) url: String,
    /// Holds the SQLite file; MariaDB keeps its own.
    _folder: Option<TempDir>,
}

impl TestDb {
    pub(crate) async fn empty_sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/test.db", folder.path().display());
        Self::open(url, Some(folder)).await
    }

    pub(crate) async fn empty_mariadb() -> Self {
        let database = MariaDb::shared().await.create_database().await;
        Self::open(database.url().to_owned(), None).await
    }

    async fn open(url: String, folder: Option<TempDir>) -> Self {
        let options = DbOptions {
            acquire_timeout: PATIENCE,
            query_timeout: PATIENCE,
            ..DbOptions::new(&url)
        };
        let db = Db::connect(&options).await.unwrap();
        Self {
            db,
            url,
            _folder: folder,
        }
    }

    pub(crate) async fn open_url(url: &str) -> Self {
        Self::open(url.to_owned(), None).await
    }

    /// Changes something past the crate.
    pub(crate) async fn execute(&self, sql: &str) {
        let connection = self.raw_connection().await;
        connection.execute_unprepared(sql).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Reads something past the crate.
    pub(crate) async fn query(&self, sql: &str) -> Vec<QueryResult> {
        let connection = self.raw_connection().await;
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        let rows = connection.query_all_raw(statement).await.unwrap();
        connection.close().await.unwrap();
        rows
    }

    pub(crate) async fn raw_connection(&self) -> DatabaseConnection {
        Database::connect(self.url.as_str()).await.unwrap()
    }

    /// The first column of every row, as text.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let rows = self.query(sql).await;
        let text = |row: &QueryResult| row.try_get_by_index(0).unwrap();
        rows.iter().map(text).collect()
    }

    pub(crate) async fn count(&self, table: &str) -> i64 {
        let rows = self.query(&format!("SELECT COUNT(*) FROM {table}")).await;
        rows[0].try_get_by_index(0).unwrap()
    }
}

impl TestDb {
    /// The keys of a table: their columns, separated by commas (after the word PRIMARY for that one), and whether they
    /// are unique.
    pub(crate) async fn keys(&self, table: &str) -> Vec<(String, bool)> {
        let sql = match self.db.backend() {
            Backend::Sqlite => format!(
                "SELECT CASE origin WHEN 'pk' THEN 'PRIMARY ' ELSE '' END || \
                 (SELECT group_concat(name) FROM pragma_index_info(l.name)), \"unique\" \
                 FROM pragma_index_list('{table}') l \
                 UNION ALL SELECT 'PRIMARY ' || name, 1 FROM pragma_table_info('{table}') \
                 WHERE pk = 1 AND type = 'INTEGER'"
            ),
            Backend::MySql => format!(
                "SELECT CONCAT(IF(INDEX_NAME = 'PRIMARY', 'PRIMARY ', ''), \
                 GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX)), \
                 CAST(1 - NON_UNIQUE AS SIGNED) FROM information_schema.STATISTICS \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{table}' GROUP BY INDEX_NAME, NON_UNIQUE"
            ),
        };
        let key = |row: &QueryResult| {
            let is_unique: i64 = row.try_get_by_index(1).unwrap();
            (row.try_get_by_index(0).unwrap(), is_unique == 1)
        };
        self.query(&sql).await.iter().map(key).collect()
    }
}

/// Runs the claim on an empty database of each kind; a failure says on which.
pub(crate) async fn on_both_empty<F, C>(claim: F)
where
    F: Fn(TestDb) -> C,
    C: Future<Output = ()> + Send + 'static,
{
    let sqlite = tokio::spawn(claim(TestDb::empty_sqlite().await));
    let mariadb = tokio::spawn(claim(TestDb::empty_mariadb().await));
    let outcomes = [("SQLite", sqlite.await), ("MariaDB", mariadb.await)];
    for (name, outcome) in outcomes {
        assert!(outcome.is_ok(), "the claim does not hold on {name}");
    }
}

/// As [`on_both_empty`], on databases that have been migrated.
pub(crate) async fn on_both<F, C>(claim: F)
where
    F: Fn(TestDb) -> C + Copy + Send + 'static,
    C: Future<Output = ()> + Send + 'static,
{
    on_both_empty(move |test| async move {
        test.db.migrate().await.unwrap();
        claim(test).await;
    })
    .await;
}

pub(crate) fn phone(text: &str) -> Contact {
    Phone::parse(text).unwrap().into()
}

pub(crate) fn email(text: &str) -> Contact {
    Email::parse(text).unwrap().into()
}

/// A shop in Hangzhou like any other.
pub(crate) fn new_shop(name: &str) -> NewShop {
    NewShop {
        name: name.to_owned(),
        type_id: ShopTypeId::new(1),
        images: "/imgs/a.webp,/imgs/b.webp".to_owned(),
        area: Some("大关".to_owned()),
        address: "金华路锦昌文华苑29号".to_owned(),
        x: 120.149192,
        y: 30.316078,
        avg_price_yuan: Some(80),
        open_hours: Some("10:00-22:00".to_owned()),
        phone: Some("0571-00012345".to_owned()),
    }
}

pub(crate) async fn create_shop(db: &Db, name: &str) -> Shop {
    let owner = UserId::new(7);
    shops::create(db, owner, &new_shop(name)).await.unwrap()
}

/// A person named after the number.
pub(crate) async fn person(test: &TestDb, number: u32) -> UserId {
    let contact = phone(&format!("1390000{number:04}"));
    let name = format!("person {number}");
    let user = users::find_or_create(&test.db, &contact, &name).await;
    user.unwrap().id
}

/// How many rows the server has looked at so far.
pub(crate) async fn rows_read(server: &MariaDb) -> u64 {
    let status = server
        .execute("SHOW GLOBAL STATUS LIKE 'Handler_read_%'")
        .await;
    let count = |line: &str| line.rsplit('\t').next().unwrap().trim().parse::<u64>();
    let counters = status
        .lines()
        .filter(|line| line.starts_with("Handler_read_"));
    counters.map(|line| count(line).unwrap()).sum()
}
