//! A MySQL server behind TLS with an authority of its own, which takes no plain connection.

use std::path::Path;

use storage::{Db, DbOptions, SqlTls};
use testkit::MariaDb;

/// Whether a connection is made, and by which cipher; the reason, if none is.
async fn connect(url: &str, tls: SqlTls, ca_file: Option<&Path>) -> Result<(), String> {
    // Whoever runs the process does this once.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let options = DbOptions {
        tls,
        ca_file: ca_file.map(Path::to_owned),
        acquire_timeout: std::time::Duration::from_secs(30),
        ..DbOptions::new(url)
    };
    let connected = Db::connect(&options).await;
    let db = connected.map_err(|error| format!("{error:?}"))?;
    db.migrate().await.map_err(|error| format!("{error:?}"))?;
    db.ping().await.map_err(|error| format!("{error:?}"))?;
    db.close().await.map_err(|error| format!("{error:?}"))
}

#[tokio::test]
async fn a_database_is_reached_over_tls_of_the_authority_that_was_named() {
    let server = MariaDb::start_with_tls().await;
    let other = MariaDb::start_with_tls().await;
    let database = server.create_database().await;
    let (url, ours) = (database.url(), Some(server.authority_file()));
    for (tls, ca_file) in [
        (SqlTls::Auto, ours),
        (SqlTls::VerifyFull, ours),
        (SqlTls::VerifyCa, ours),
        (SqlTls::Required, None),
    ] {
        let connected = connect(url, tls, ca_file).await;
        assert_eq!(connected, Ok(()), "{tls:?}");
    }
    let named = format!(
        "{url}?ssl-mode=VERIFY_IDENTITY&ssl-ca={}",
        server.authority_file().display()
    );
    assert_eq!(connect(&named, SqlTls::Auto, None).await, Ok(()));
    let theirs = Some(other.authority_file());
    for (tls, ca_file) in [
        (SqlTls::Off, None),
        (SqlTls::VerifyFull, None),
        (SqlTls::VerifyFull, theirs),
        (SqlTls::VerifyCa, theirs),
        (SqlTls::Auto, theirs),
    ] {
        let refused = connect(url, tls, ca_file).await;
        assert!(refused.is_err(), "{tls:?} {ca_file:?}");
    }
}
