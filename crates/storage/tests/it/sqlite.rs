//! What only SQLite can be asked: its file and its one writer.

use std::os::unix::fs::PermissionsExt;

use storage::{Backend, Db, DbOptions, Error, users};

use crate::support::{TestDb, phone};

async fn refusal(url: &str) -> Error {
    Db::connect(&DbOptions::new(url)).await.unwrap_err()
}

#[tokio::test]
async fn fifty_writers_at_once_never_find_the_database_locked() {
    let test = TestDb::empty_sqlite().await;
    test.db.migrate().await.unwrap();
    let other_process = Db::connect(&DbOptions::new(&test.url)).await.unwrap();
    let writers = (0..50).map(|writer| {
        let db = if writer % 2 == 0 {
            &test.db
        } else {
            &other_process
        };
        let db = db.clone();
        tokio::spawn(async move {
            for n in 0..10 {
                let contact = phone(&format!("138{writer:04}{n:04}"));
                users::find_or_create(&db, &contact, "x").await?;
            }
            Ok::<_, Error>(())
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap().unwrap();
    }
    assert_eq!(test.count("tb_user").await, 500);
}

#[tokio::test]
async fn readers_go_on_while_a_transaction_writes() {
    let test = TestDb::empty_sqlite().await;
    test.db.migrate().await.unwrap();
    let writer = test.raw_connection().await;
    let transaction = sea_orm::TransactionTrait::begin(&writer).await.unwrap();
    let insert = "INSERT INTO tb_user (nick_name) VALUES ('x')";
    sea_orm::ConnectionTrait::execute_unprepared(&transaction, insert)
        .await
        .unwrap();
    let found = users::find_by_contact(&test.db, &phone("13800000001")).await;
    assert_eq!(found.unwrap(), None);
}

#[tokio::test]
async fn the_journal_is_a_write_ahead_log() {
    let test = TestDb::empty_sqlite().await;
    assert_eq!(test.texts("PRAGMA journal_mode").await, ["wal"]);
    assert_eq!(test.db.backend(), Backend::Sqlite);
    assert!(test.db.version().await.unwrap().starts_with("3."));
    test.db.ping().await.unwrap();
}

#[tokio::test]
async fn the_file_is_for_its_owner_alone() {
    let test = TestDb::empty_sqlite().await;
    let path = test.url.strip_prefix("sqlite://").unwrap();
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_missing_folder_is_named() {
    let error = refusal("sqlite:///no/such/folder/x.db").await;
    assert!(matches!(error, Error::NoFolder(_)), "{error:?}");
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(&format!("sqlite://{}", folder.path().display())).await;
    assert!(matches!(error, Error::NotWritable { .. }), "{error:?}");
}

#[tokio::test]
async fn other_urls_are_refused_in_one_line_without_the_password() {
    for url in [
        "postgres://u:secret@h/d",
        "secret",
        "mysql://u:secret@h",
        "sqlite::memory:",
        "mysql://u:secret@h:notaport/d",
    ] {
        let error = refusal(url).await;
        let text = error.to_string();
        assert!(!text.contains('\n') && !text.contains("secret"), "{text}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
    let options = DbOptions::new("mysql://u:secret@h/d");
    assert!(!format!("{options:?}").contains("secret"));
}

#[tokio::test]
async fn after_closing_everything_is_in_the_file_and_calls_fail_at_once() {
    let test = TestDb::empty_sqlite().await;
    test.db.migrate().await.unwrap();
    test.db.close().await.unwrap();
    let error = test.db.ping().await.unwrap_err();
    assert!(error.is_unavailable(), "{error:?}");
    let log = format!("{}-wal", test.url.strip_prefix("sqlite://").unwrap());
    assert!(
        !std::path::Path::new(&log).exists(),
        "the log was not folded in"
    );
}
