//! The few questions the keeper asks a server. Blocking, because the keeper is a plain thread, and bounded, because a server may hang.

use std::path::Path;
use std::time::Duration;

use redis::{Client, Connection, ConnectionAddr, RedisResult, ServerErrorKind};

/// A local server that needs longer to answer such questions is not well.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

pub(super) enum Answer {
    Ready,
    /// Alive, and still reading its file.
    Loading,
    Silent,
}

/// Who is behind a socket.
pub(super) struct Identity {
    pub(super) pid: i32,
    pub(super) dir: String,
}

pub(super) fn ask(socket: &Path) -> Answer {
    let answer =
        connect(socket).and_then(|mut connection| redis::cmd("PING").exec(&mut connection));
    match answer {
        Ok(()) => Answer::Ready,
        Err(error) if error.kind() == ServerErrorKind::BusyLoading.into() => Answer::Loading,
        Err(_) => Answer::Silent,
    }
}

/// Nothing when no server answers there.
pub(super) fn identify(socket: &Path) -> Option<Identity> {
    let mut connection = connect(socket).ok()?;
    let info: String = redis::cmd("INFO")
        .arg("server")
        .query(&mut connection)
        .ok()?;
    let (_, dir): (String, String) = redis::cmd("CONFIG")
        .arg(&["GET", "dir"])
        .query(&mut connection)
        .ok()?;
    let pid = info
        .lines()
        .find_map(|line| line.strip_prefix("process_id:"))?;
    let pid = pid.trim().parse().ok()?;
    Some(Identity { pid, dir })
}

/// Asks for an orderly end: the append-only file is flushed first. Success looks like a lost connection, so nothing is reported.
pub(super) fn shut_down(socket: &Path) {
    if let Ok(mut connection) = connect(socket) {
        let _: RedisResult<()> = redis::cmd("SHUTDOWN").exec(&mut connection);
    }
}

fn connect(socket: &Path) -> RedisResult<Connection> {
    let client = Client::open(ConnectionAddr::Unix(socket.to_owned()))?;
    let connection = client.get_connection_with_timeout(ANSWER_LIMIT)?;
    connection.set_read_timeout(Some(ANSWER_LIMIT))?;
    connection.set_write_timeout(Some(ANSWER_LIMIT))?;
    Ok(connection)
}
