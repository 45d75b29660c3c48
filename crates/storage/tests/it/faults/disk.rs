//! SQLite without room: by its own limit on pages, and on a disk that is really full.

use std::path::Path;

use domain::UserId;
use jiff::civil::{Date, date};
use storage::{Db, DbOptions, Error, Fault, WriteFault, check_ins};
use testkit::SmallDisk;

use crate::support::TestDb;

const DAY: Date = date(2026, 11, 15);

/// The people whose check-in was answered, among these.
async fn check_in(db: &Db, people: std::ops::Range<i64>) -> (Vec<i64>, Vec<Error>) {
    let (mut answered, mut errors) = (Vec::new(), Vec::new());
    for n in people {
        match check_ins::check_in(db, UserId::new(n), DAY).await {
            Ok(is_first) => {
                assert!(is_first);
                answered.push(n);
            }
            Err(error) => errors.push(error),
        }
    }
    (answered, errors)
}

/// What a process that is killed now leaves: the files as they are, opened by another.
async fn kept_after_a_kill(file: &Path) -> Vec<i64> {
    let copy = tempfile::tempdir().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    for suffix in ["", "-wal"] {
        let from = file.with_file_name(format!("{name}{suffix}"));
        std::fs::copy(from, copy.path().join(format!("x.db{suffix}"))).unwrap();
    }
    let url = format!("sqlite://{}/x.db", copy.path().display());
    let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
    let people = check_ins::list_people(&db, UserId::new(0), 1_000_000).await;
    people.unwrap().into_iter().map(UserId::get).collect()
}

#[tokio::test]
async fn when_the_file_may_not_grow_what_was_answered_is_kept_and_nothing_else() {
    let test = TestDb::empty_sqlite().await;
    test.db.migrate().await.unwrap();
    let mut answered = Vec::new();
    let mut first = 1;
    // Each round ends at another statement: that of the row, that of the outbox, an index, the commit.
    for _ in 0..20 {
        test.db.faults().arm(Fault::NoGrowth, 0);
        let (kept, mut errors) = loop {
            let (kept, errors) = check_in(&test.db, first..first + 1).await;
            first += 1;
            if !errors.is_empty() {
                break (kept, errors);
            }
            answered.extend(kept);
        };
        assert!(kept.is_empty());
        let error = errors.pop().unwrap();
        let is_full = matches!(
            error,
            Error::CannotWrite {
                fault: WriteFault::DiskFull,
                ..
            }
        );
        assert!(is_full, "{error:?}");
        test.db.faults().disarm();
    }
    let file = test.url.strip_prefix("sqlite://").unwrap();
    assert_eq!(kept_after_a_kill(Path::new(file)).await, answered);
}

#[tokio::test]
async fn when_the_disk_is_full_and_free_again_the_site_writes_by_itself() {
    let Some(disk) = SmallDisk::mount(8 * 1024) else {
        return;
    };
    let file = disk.path().join("test.db");
    let options = DbOptions::new(format!("sqlite://{}", file.display()));
    let db = Db::connect(&options).await.unwrap();
    db.migrate().await.unwrap();
    let mut answered = Vec::new();
    let mut first = 1;
    for _ in 0..5 {
        let (kept, errors) = check_in(&db, first..first + 20).await;
        assert!(errors.is_empty(), "{errors:?}");
        answered.extend(kept);
        disk.fill();
        let (kept, errors) = check_in(&db, first + 20..first + 70).await;
        answered.extend(kept);
        assert!(errors.len() > 2, "the disk was not full");
        assert!(errors.iter().all(Error::is_unavailable), "{errors:?}");
        assert!(db.write_fault().is_some());
        disk.free();
        let (kept, errors) = check_in(&db, first + 70..first + 90).await;
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(kept.len(), 20);
        db.probe_write().await.unwrap();
        assert_eq!(db.write_fault(), None);
        answered.extend(kept);
        first += 90;
    }
    assert_eq!(kept_after_a_kill(&file).await, answered);
}
