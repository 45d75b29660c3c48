//! Connections to a MySQL server.
//!
//! The session is set up once per connection so that the server's own configuration cannot change what our SQL means:
//! UTC, utf8mb4, strict mode, READ COMMITTED.
//!
//! READ COMMITTED, because no transaction here reads the same rows twice: what must not change under it is locked or
//! decided by a conditional update, and the gap locks of REPEATABLE READ would make concurrent inserts deadlock.

use std::time::Duration;

use sea_orm::sqlx::mysql::{
    MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions, MySqlSslMode,
};
use sea_orm::sqlx::{self, AssertSqlSafe, ConnectOptions, Connection, Executor};
use sea_orm::{DatabaseConnection, DbErr, RuntimeErr, SqlxMySqlConnector};

use super::{DbOptions, SqlTls};
use crate::Error;

/// A server or firewall may have cut a connection that was idle this long, so the pool pings it before use. Busy
/// connections skip the ping, which saves a round trip per query.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

const SQL_MODE: &str = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,\
    NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT";

/// An adopted table may hold zero dates and may have them as defaults; with the usual mode the server would refuse to
/// touch such a table at all, even to repair it.
const MIGRATION_SQL_MODE: &str =
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT";

/// No limit, as `max_statement_time` spells it.
const UNLIMITED: Duration = Duration::ZERO;

/// A pool that connects lazily and reconnects when the server comes back.
pub(super) fn open(options: &DbOptions) -> Result<MySqlPool, Error> {
    let connect_options = parse(options)?;
    let (acquire_timeout, query_timeout) = (options.acquire_timeout, options.query_timeout);
    Ok(MySqlPoolOptions::new()
        .max_connections(options.max_connections)
        .acquire_timeout(acquire_timeout)
        .test_before_acquire(false)
        .before_acquire(|connection, rest| {
            Box::pin(async move {
                if rest.idle_for >= PING_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .after_connect(move |connection, _| Box::pin(set_up(connection, SQL_MODE, query_timeout)))
        .after_release(move |connection, _| Box::pin(still_answers(connection, acquire_timeout)))
        .connect_lazy_with(connect_options))
}

/// The pool for statements that change nothing.
pub(super) fn reader(pool: &MySqlPool) -> DatabaseConnection {
    SqlxMySqlConnector::from_sqlx_mysql_pool(pool.clone())
}

/// One connection without a statement timeout: rebuilding a large table can take long.
pub(super) fn open_for_migration(options: &DbOptions) -> Result<DatabaseConnection, Error> {
    let pool = MySqlPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(options.acquire_timeout)
        .after_connect(|connection, _| Box::pin(set_up(connection, MIGRATION_SQL_MODE, UNLIMITED)))
        .connect_lazy_with(parse(options)?);
    Ok(SqlxMySqlConnector::from_sqlx_mysql_pool(pool))
}

/// Connects once outside the pool, because the pool would wait instead of reporting why the server refuses.
pub(super) async fn probe(options: &DbOptions) -> Result<(), Error> {
    const OPERATION: &str = "connect";
    let limit = options.acquire_timeout;
    let probe = async { parse(options)?.connect().await.map_err(cannot_connect) };
    let connection = tokio::time::timeout(limit, probe)
        .await
        .map_err(|_| Error::TimedOut {
            operation: OPERATION,
            limit,
        })??;
    connection.close().await.map_err(cannot_connect)
}

fn parse(options: &DbOptions) -> Result<MySqlConnectOptions, Error> {
    let parsed = options.url.parse();
    let url: MySqlConnectOptions = parsed.map_err(|error: sqlx::Error| Error::BadUrl {
        reason: error.to_string(),
    })?;
    if url.get_database().is_none() {
        let reason = "it names no database".to_owned();
        return Err(Error::BadUrl { reason });
    }
    Ok(with_tls(url, options)
        .charset("utf8mb4")
        .timezone(Some("+00:00".to_owned()))
        .disable_statement_logging())
}

fn with_tls(url: MySqlConnectOptions, options: &DbOptions) -> MySqlConnectOptions {
    let is_in_url = ["ssl-mode=", "sslmode="]
        .iter()
        .any(|name| options.url.contains(name));
    let mode = match options.tls {
        SqlTls::Auto if options.ca_file.is_some() && !is_in_url => {
            Some(MySqlSslMode::VerifyIdentity)
        }
        SqlTls::Auto => None,
        SqlTls::Off => Some(MySqlSslMode::Disabled),
        SqlTls::Required => Some(MySqlSslMode::Required),
        SqlTls::VerifyCa => Some(MySqlSslMode::VerifyCa),
        SqlTls::VerifyFull => Some(MySqlSslMode::VerifyIdentity),
    };
    let url = match mode {
        Some(mode) => url.ssl_mode(mode),
        None => url,
    };
    match &options.ca_file {
        Some(file) => url.ssl_ca(file),
        None => url,
    }
}

fn cannot_connect(error: sqlx::Error) -> Error {
    Error::new("connect", DbErr::Conn(RuntimeErr::SqlxError(error.into())))
}

/// `/*M! … */` is read by MariaDB alone; MySQL knows the limit by another name and for reads only, so there the
/// client's own limit stands alone.
async fn set_up(
    connection: &mut MySqlConnection,
    sql_mode: &str,
    query_timeout: Duration,
) -> Result<(), sqlx::Error> {
    let seconds = query_timeout.as_secs_f64();
    let session = format!(
        "SET SESSION sql_mode = '{sql_mode}' /*M!100100 , max_statement_time = {seconds} */"
    );
    connection.execute(AssertSqlSafe(session)).await?;
    connection
        .execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
        .await?;
    Ok(())
}

/// The pool pings a released connection without a timeout: on a dead network its slot would stay taken until TCP
/// gives up after a quarter of an hour. This ping runs first and has a timeout.
async fn still_answers(
    connection: &mut MySqlConnection,
    limit: Duration,
) -> Result<bool, sqlx::Error> {
    match tokio::time::timeout(limit, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        Err(_) => Err(sqlx::Error::PoolTimedOut),
    }
}
