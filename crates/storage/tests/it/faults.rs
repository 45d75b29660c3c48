//! Writing functions that fail at each of their statements: nothing of them is kept, and the next call is served.
//!
//! `TANDIAN_FAULTS=all` tries every fault at every statement on MariaDB as well; by default each statement meets one of them
//! there, in turn, because a killed connection costs a new one.

mod disk;
mod kills;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use domain::UserId;
use jiff::civil::date;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use storage::{Backend, Db, Error, Fault, WriteFault, check_ins, flash_sales};

use crate::selling::{LEASE, PAY_WITHIN, open_sale, order, stock};
use crate::support::{TestDb, on_both};

/// More statements than any function has on the few rows of these claims.
const MOST_STATEMENTS: u32 = 64;

const OF_SQLITE: [Fault; 5] = [
    Fault::Full,
    Fault::Io,
    Fault::ReadOnly,
    Fault::Killed,
    Fault::Hang,
];
const OF_MYSQL: [Fault; 6] = [
    Fault::Deadlock,
    Fault::Killed,
    Fault::Interrupted,
    Fault::Full,
    Fault::ReadOnly,
    Fault::Hang,
];

/// What a call that failed may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaves {
    Nothing,
    /// Some of its parts, each whole; doing it again does the rest.
    Parts,
}

struct Trial<'t> {
    test: &'t TestDb,
    /// Sees what is committed and nothing else.
    observer: DatabaseConnection,
    tables: String,
    tried: BTreeSet<&'static str>,
    /// Statements that were made to fail.
    failures: u32,
}

impl<'t> Trial<'t> {
    async fn new(test: &'t TestDb) -> Self {
        let tables = match test.db.backend() {
            Backend::Sqlite => Vec::new(),
            Backend::MySql => {
                let sql = "SELECT TABLE_NAME FROM information_schema.TABLES \
                    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'tb%'";
                test.texts(sql).await
            }
        };
        Self {
            observer: test.raw_connection().await,
            tables: tables.join(", "),
            test,
            tried: BTreeSet::new(),
            failures: 0,
        }
    }

    /// Calls `work` with a fault at its first statement, at its second, and so on until none is met any more.
    async fn try_all<T>(
        &mut self,
        name: &'static str,
        leaves: Leaves,
        work: impl AsyncFn(&Db) -> Result<T, Error>,
    ) {
        self.tried.insert(name);
        let before = self.committed().await;
        let mut skipped = 0;
        while self.fails_at(name, leaves, skipped, &work).await {
            skipped += 1;
            assert!(skipped < MOST_STATEMENTS, "{name} never comes to its end");
        }
        assert!(skipped > 0, "{name} met no fault: it writes nothing");
        if leaves == Leaves::Nothing {
            assert_ne!(
                self.committed().await,
                before,
                "{name} answered and kept nothing"
            );
        }
    }

    /// Whether the call has a statement after so many; without one it goes well.
    async fn fails_at<T>(
        &mut self,
        name: &str,
        leaves: Leaves,
        skipped: u32,
        work: &impl AsyncFn(&Db) -> Result<T, Error>,
    ) -> bool {
        for fault in self.faults(skipped) {
            let before = self.committed().await;
            if self.goes_well(fault, skipped, work).await {
                return false;
            }
            self.failures += 1;
            if leaves == Leaves::Nothing {
                let after = self.committed().await;
                assert_eq!(
                    after, before,
                    "{name}: {fault:?} after {skipped} left something"
                );
            }
        }
        true
    }

    /// A call with this fault armed. One that hangs is given up, as a time limit would.
    async fn goes_well<T>(
        &self,
        fault: Fault,
        skipped: u32,
        work: &impl AsyncFn(&Db) -> Result<T, Error>,
    ) -> bool {
        let db = &self.test.db;
        db.faults().arm(fault, skipped);
        let done = tokio::select! {
            done = work(db) => Some(done),
            () = db.faults().triggered(), if fault == Fault::Hang => None,
        };
        let has_triggered = db.faults().disarm();
        match done {
            Some(Ok(_)) => assert!(!has_triggered, "{fault:?} after {skipped} went unnoticed"),
            Some(Err(error)) => {
                assert!(has_triggered, "{error:?}");
                assert!(error.is_unavailable(), "{fault:?} is an outage: {error:?}");
            }
            None => {}
        }
        !has_triggered
    }

    fn faults(&self, skipped: u32) -> Vec<Fault> {
        match self.test.db.backend() {
            Backend::Sqlite => OF_SQLITE.to_vec(),
            Backend::MySql if std::env::var("TANDIAN_FAULTS").as_deref() == Ok("all") => {
                OF_MYSQL.to_vec()
            }
            Backend::MySql => {
                let turn = usize::try_from(skipped).unwrap() + self.tried.len();
                vec![OF_MYSQL[turn % OF_MYSQL.len()]]
            }
        }
    }

    /// Changes when anything is committed.
    async fn committed(&self) -> Vec<Option<i64>> {
        let (sql, column) = match self.test.db.backend() {
            Backend::Sqlite => ("PRAGMA data_version".to_owned(), 0),
            Backend::MySql => (format!("CHECKSUM TABLE {}", self.tables), 1),
        };
        let statement = Statement::from_string(self.observer.get_database_backend(), sql);
        let rows = self.observer.query_all_raw(statement).await.unwrap();
        let number = |row: &sea_orm::QueryResult| row.try_get_by_index(column).unwrap();
        rows.iter().map(number).collect()
    }
}

#[tokio::test]
async fn a_fault_at_any_statement_of_any_writing_function_leaves_nothing_in_sqlite() {
    try_table(TestDb::empty_sqlite().await).await;
}

#[tokio::test]
async fn a_fault_at_any_statement_of_any_writing_function_leaves_nothing_in_mariadb() {
    try_table(TestDb::empty_mariadb().await).await;
}

async fn try_table(test: TestDb) {
    test.db.migrate().await.unwrap();
    let mut trial = Trial::new(&test).await;
    table::try_everything(&mut trial).await;
    let missing: Vec<String> = writing_functions()
        .into_iter()
        .filter(|name| !trial.tried.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "add to faults/table.rs: {missing:?}");
    eprintln!(
        "{}: {} functions, {} failures",
        test.db.backend(),
        trial.tried.len(),
        trial.failures
    );
}

/// Every public function of the crate that is not known to read.
fn writing_functions() -> BTreeSet<String> {
    let names = functions().into_keys();
    names
        .filter(|name| !table::READS.contains(&name.as_str()))
        .collect()
}

/// The bodies of all public functions, by `module::function`.
fn functions() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    collect(&root, None, &mut found);
    found
}

/// Modules are named by their first folder: what is below is shown there.
fn collect(folder: &Path, module: Option<&str>, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if module.is_none() && ["db", "error", "migration", "entity"].contains(&stem.as_str()) {
            continue;
        }
        let module = module.unwrap_or(&stem);
        if path.is_dir() {
            collect(&path, Some(module), found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for function in text.split("\npub async fn ").skip(1) {
            let name = function.split(['(', '<']).next().unwrap();
            let body = function.split("\n}\n").next().unwrap();
            found.insert(format!("{module}::{name}"), body.to_owned());
        }
    }
}

#[test]
fn a_function_that_is_said_to_read_does_not_write() {
    let functions = functions();
    for name in table::READS {
        let body = functions.get(*name);
        let body = body.unwrap_or_else(|| panic!("there is no {name}: remove it from READS"));
        let writes = ["db.begin()", "(db.writer()", ".writer().exec"];
        assert!(!writes.iter().any(|call| body.contains(call)), "{name}");
    }
}

#[tokio::test]
async fn orders_whose_commit_went_unanswered_are_found_when_they_are_written_again() {
    on_both(async |test| {
        let db = &test.db;
        let sale = open_sale(db, 10).await;
        let rows = [order(1, sale, 1), order(2, sale, 2)];
        let write = || flash_sales::write_orders(db, LEASE, &rows, PAY_WITHIN);
        let mut lost = 0;
        for skipped in 0..MOST_STATEMENTS {
            db.faults().arm(Fault::ReplyLost, skipped);
            let wrote = write().await;
            if !db.faults().disarm() {
                wrote.unwrap().unwrap();
                break;
            }
            assert!(wrote.unwrap_err().is_unavailable());
            lost += 1;
        }
        assert!(lost > 2, "no statement was met");
        assert_eq!(test.count("tb_voucher_order").await, 2);
        assert_eq!(stock(db, sale).await, 8);
    })
    .await;
}

#[tokio::test]
async fn after_a_full_disk_the_fault_is_reported_until_a_write_succeeds() {
    let test = TestDb::empty_sqlite().await;
    test.db.migrate().await.unwrap();
    let (user, day) = (UserId::new(1), date(2026, 11, 15));
    assert_eq!(test.db.write_fault(), None);
    test.db.faults().arm(Fault::Full, 1);
    let error = check_ins::check_in(&test.db, user, day).await.unwrap_err();
    let is_full = matches!(
        error,
        Error::CannotWrite {
            fault: WriteFault::DiskFull,
            ..
        }
    );
    assert!(is_full, "{error:?}");
    assert_eq!(test.db.write_fault(), Some(WriteFault::DiskFull));
    test.db.faults().disarm();
    test.db.probe_write().await.unwrap();
    assert_eq!(test.db.write_fault(), None);
}
