//! The few questions the keeper asks a server. Blocking, because the keeper is a plain thread, and bounded, because a server may hang.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Client, Connection, ConnectionAddr, RedisResult, ServerErrorKind};

use super::memory::Usage;

/// A local server that needs longer to answer such questions is not well.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// For those who have let go of their connections to be seen leaving. Whoever stays longer sees the server end.
const LEAVE_LIMIT: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

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
    let pid = info(&mut connection, "server", "process_id:")?;
    let (_, dir): (String, String) = redis::cmd("CONFIG")
        .arg(&["GET", "dir"])
        .query(&mut connection)
        .ok()?;
    Some(Identity { pid, dir })
}

/// How full the server is; nothing when it does not answer.
pub(super) fn usage(socket: &Path) -> Option<Usage> {
    let mut connection = connect(socket).ok()?;
    let text: RedisResult<String> = redis::cmd("INFO").arg("memory").query(&mut connection);
    Usage::parse(&text.ok()?)
}

/// Asks for an orderly end: the append-only file is flushed first. Success looks like a lost connection, so nothing is reported.
pub(super) fn shut_down(socket: &Path) {
    if let Ok(mut connection) = connect(socket) {
        wait_for_the_others(&mut connection);
        let _: RedisResult<()> = redis::cmd("SHUTDOWN").exec(&mut connection);
    }
}

/// Tasks that are being dropped close their connections a moment later; cut off before, they would log a lost server.
fn wait_for_the_others(connection: &mut Connection) {
    let deadline = Instant::now() + LEAVE_LIMIT;
    let mut connected = || info(connection, "clients", "connected_clients:");
    while connected().is_some_and(|clients| clients > 1) && Instant::now() < deadline {
        sleep(LOOK_AGAIN);
    }
}

/// A number that the server tells of itself.
fn info(connection: &mut Connection, section: &str, field: &str) -> Option<i32> {
    let text: String = redis::cmd("INFO").arg(section).query(connection).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(field))?;
    value.trim().parse().ok()
}

fn connect(socket: &Path) -> RedisResult<Connection> {
    let client = Client::open(ConnectionAddr::Unix(socket.to_owned()))?;
    let connection = client.get_connection_with_timeout(ANSWER_LIMIT)?;
    connection.set_read_timeout(Some(ANSWER_LIMIT))?;
    connection.set_write_timeout(Some(ANSWER_LIMIT))?;
    Ok(connection)
}
