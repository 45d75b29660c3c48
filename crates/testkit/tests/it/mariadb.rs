//! A private MariaDB.

use std::time::Duration;

use testkit::MariaDb;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

#[tokio::test]
async fn each_database_is_empty_utf8mb4_and_reached_over_tcp() {
    let mariadb = MariaDb::shared().await;
    let (one, other) = tokio::join!(mariadb.create_database(), mariadb.create_database());
    one.execute("CREATE TABLE shop (name VARCHAR(32)); INSERT INTO shop VALUES ('🍜面馆')")
        .await;
    assert_eq!(one.execute("SELECT name FROM shop").await, "🍜面馆\n");
    assert_eq!(other.execute("SHOW TABLES").await, "");
    assert_eq!(
        one.url(),
        format!("mysql://root@127.0.0.1:{}/{}", mariadb.port(), one.name())
    );
    let mut greeting = [0; 5];
    let mut stream = TcpStream::connect(mariadb.addr()).await.unwrap();
    stream.read_exact(&mut greeting).await.unwrap();
}

#[tokio::test]
async fn a_killed_mariadb_comes_back_with_what_was_committed() {
    let mariadb = MariaDb::start().await;
    let database = mariadb.create_database().await;
    database
        .execute("CREATE TABLE stock (n INT); INSERT INTO stock VALUES (100)")
        .await;
    mariadb.stop_hard();
    assert!(TcpStream::connect(mariadb.addr()).await.is_err());
    mariadb.start_again().await;
    assert_eq!(database.execute("SELECT n FROM stock").await, "100\n");
}

#[tokio::test]
async fn a_frozen_mariadb_is_silent_until_it_thaws() {
    let mariadb = MariaDb::start().await;
    mariadb.freeze().await;
    let mut reply = Box::pin(mariadb.execute("SELECT 1"));
    let silence = tokio::time::timeout(Duration::from_millis(100), &mut reply).await;
    assert!(silence.is_err());
    mariadb.thaw();
    assert_eq!(reply.await, "1\n");
}
