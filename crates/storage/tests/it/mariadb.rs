//! What only a server can be asked: sessions, outages, recovery.

use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use storage::{Backend, Db, DbOptions, users};
use testkit::{FaultProxy, MariaDb};

use crate::support::{TestDb, phone};

const RECOVERY_LIMIT: Duration = Duration::from_secs(5);

fn impatient(url: &str) -> DbOptions {
    DbOptions {
        max_connections: 4,
        acquire_timeout: Duration::from_millis(500),
        query_timeout: Duration::from_secs(1),
        ..DbOptions::new(url)
    }
}

/// Opens every connection of the pool, by more calls at once than it has.
async fn warm_up(db: &Db) {
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move { db.ping().await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}

/// Makes more calls than there are connections, so that every one of the pool is touched.
async fn assert_all_unavailable(db: &Db, limit: Duration) {
    let calls = (0..8).map(|_| {
        let db = db.clone();
        tokio::spawn(async move {
            let started = Instant::now();
            let error = users::find_by_contact(&db, &phone("13800000001"))
                .await
                .unwrap_err();
            (error, started.elapsed())
        })
    });
    for call in calls.collect::<Vec<_>>() {
        let (error, took) = call.await.unwrap();
        assert!(error.is_unavailable(), "{error:?}");
        assert!(took < limit, "{took:?}");
    }
}

async fn assert_recovers(db: &Db) {
    let recovered = async {
        while users::find_by_contact(db, &phone("13800000001"))
            .await
            .is_err()
        {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(RECOVERY_LIMIT, recovered).await;
    assert!(in_time.is_ok(), "not back within {RECOVERY_LIMIT:?}");
    users::find_or_create(db, &phone("13800000001"), "x")
        .await
        .unwrap();
}

#[tokio::test]
async fn a_server_that_was_killed_and_came_back_is_used_again() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let db = Db::connect(&impatient(database.url())).await.unwrap();
    db.migrate().await.unwrap();
    users::find_or_create(&db, &phone("13800000009"), "x")
        .await
        .unwrap();

    server.stop_hard();
    assert_all_unavailable(&db, Duration::from_secs(2)).await;
    assert!(db.ping().await.unwrap_err().is_unavailable());

    server.start_again().await;
    assert_recovers(&db).await;
    assert_eq!(
        users::find_by_contact(&db, &phone("13800000009"))
            .await
            .unwrap()
            .map(|user| user.nick_name),
        Some("x".to_owned())
    );
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up_in_time_and_used_again_later() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let db = Db::connect(&impatient(database.url())).await.unwrap();
    db.migrate().await.unwrap();

    warm_up(&db).await;
    server.freeze().await;
    assert_all_unavailable(&db, Duration::from_secs(2)).await;
    server.thaw();
    assert_recovers(&db).await;
}

#[tokio::test]
async fn lost_queries_give_their_connections_back_while_the_network_is_still_gone() {
    let server = MariaDb::shared().await;
    let test = TestDb::empty_mariadb().await;
    let proxy = FaultProxy::start(server.addr()).await;
    let url = test.url.replace(&server.addr(), &proxy.addr().to_string());
    let db = Db::connect(&impatient(&url)).await.unwrap();
    db.migrate().await.unwrap();

    let connection = test.raw_connection().await;
    let lock = lock_number(&connection).await;
    let calls: Vec<_> = (0..4).map(|_| tokio::spawn(sign_in(db.clone()))).collect();
    wait_for_running(&test, 4).await;
    proxy.black_hole().await;
    for call in calls {
        assert!(call.await.unwrap().unwrap_err().is_unavailable());
    }
    let all_given_up = async || proxy.connections() == 0;
    testkit::wait_until(
        "all lost connections to be given up",
        RECOVERY_LIMIT,
        all_given_up,
    )
    .await;
    lock.rollback().await.unwrap();
    proxy.pass().await;
    assert_recovers(&db).await;
}

/// Holds the number so that whoever signs in with it waits for the end of the transaction.
async fn lock_number(connection: &DatabaseConnection) -> DatabaseTransaction {
    let transaction = connection.begin().await.unwrap();
    let insert = "INSERT INTO tb_user (phone) VALUES ('13800000001')";
    transaction.execute_unprepared(insert).await.unwrap();
    transaction
}

async fn sign_in(db: Db) -> Result<users::User, storage::Error> {
    users::find_or_create(&db, &phone("13800000001"), "x").await
}

/// Waits until so many statements run in the test's own database.
async fn wait_for_running(test: &TestDb, statements: usize) {
    let server = MariaDb::shared().await;
    let name = test.url.rsplit('/').next().unwrap();
    let count = format!(
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST \
         WHERE DB = '{name}' AND COMMAND <> 'Sleep'"
    );
    let what = format!("{statements} running statements");
    testkit::wait_until(&what, RECOVERY_LIMIT, async || {
        server.execute(&count).await.trim() == statements.to_string()
    })
    .await;
}

#[tokio::test]
async fn a_lazy_handle_needs_no_server_until_it_is_used() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    server.stop_hard();
    let options = impatient(database.url());
    let error = Db::connect(&options).await.unwrap_err();
    assert!(error.is_unavailable(), "{error:?}");

    let db = Db::connect_lazily(&options).await.unwrap();
    assert!(db.ping().await.unwrap_err().is_unavailable());
    server.start_again().await;
    db.migrate().await.unwrap();
    assert_recovers(&db).await;
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_ended_on_the_server_too() {
    let test = TestDb::empty_mariadb().await;
    let db = Db::connect(&impatient(&test.url)).await.unwrap();
    db.migrate().await.unwrap();
    let connection = test.raw_connection().await;
    let _lock = lock_number(&connection).await;

    let error = sign_in(db).await.unwrap_err();
    assert!(error.is_unavailable(), "{error:?}");
    wait_for_running(&test, 0).await;
}

#[tokio::test]
async fn the_session_means_the_same_whatever_the_server_is_set_to() {
    let server = MariaDb::start().await;
    server
        .execute(
            "SET GLOBAL time_zone = '+08:00', GLOBAL sql_mode = '', \
             GLOBAL character_set_server = 'latin1'",
        )
        .await;
    let database = server.create_database().await;
    let db = Db::connect(&DbOptions::new(database.url())).await.unwrap();
    db.migrate().await.unwrap();
    let before = jiff::Timestamp::now().as_second();
    let user = users::find_or_create(&db, &phone("13800000001"), "🐟")
        .await
        .unwrap();
    assert!((before..before + 60).contains(&user.created_at.as_second()));
    let stored = database
        .execute("SELECT UNIX_TIMESTAMP(CONVERT_TZ(create_time, '+00:00', '+08:00')) FROM tb_user")
        .await;
    let stored: f64 = stored.trim().parse().unwrap();
    assert!(
        (stored - user.created_at.as_second() as f64).abs() < 1.0,
        "{stored}"
    );
    assert_eq!(db.backend(), Backend::MySql);
    assert!(db.version().await.unwrap().contains("MariaDB"));
}
