//! The few commands that the supervisor sends. Blocking, because the supervisor is a plain thread, and bounded, because a
//! server may hang.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Client, Connection, ConnectionAddr, RedisResult, ServerErrorKind};

use crate::memory::MemoryUsage;

/// A local server that needs longer for such commands hangs.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// How long shutdown waits for clients that are disconnecting. A client that stays longer sees the server exit.
const DISCONNECT_LIMIT: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

pub(crate) enum PingResult {
    Ready,
    /// Alive, and still loading its file.
    Loading,
    Silent,
}

/// The server behind a socket.
pub(crate) struct Identity {
    pub(crate) pid: i32,
    pub(crate) dir: String,
}

pub(crate) fn ping(socket: &Path) -> PingResult {
    let reply = connect(socket).and_then(|mut connection| redis::cmd("PING").exec(&mut connection));
    match reply {
        Ok(()) => PingResult::Ready,
        Err(error) if error.kind() == ServerErrorKind::BusyLoading.into() => PingResult::Loading,
        Err(_) => PingResult::Silent,
    }
}

/// `None` when no server answers there.
pub(crate) fn identify(socket: &Path) -> Option<Identity> {
    let mut connection = connect(socket).ok()?;
    let pid = info(&mut connection, "server", "process_id:")?;
    let (_, dir): (String, String) = redis::cmd("CONFIG")
        .arg(&["GET", "dir"])
        .query(&mut connection)
        .ok()?;
    Some(Identity { pid, dir })
}

/// The memory use of the server; `None` when it does not answer.
pub(crate) fn usage(socket: &Path) -> Option<MemoryUsage> {
    let mut connection = connect(socket).ok()?;
    let text: RedisResult<String> = redis::cmd("INFO").arg("memory").query(&mut connection);
    MemoryUsage::parse(&text.ok()?)
}

/// Sends `SHUTDOWN`, which flushes the append-only file. Success looks like a lost connection, so nothing is reported.
pub(crate) fn shut_down(socket: &Path) {
    if let Ok(mut connection) = connect(socket) {
        wait_for_other_clients(&mut connection);
        let _: RedisResult<()> = redis::cmd("SHUTDOWN").exec(&mut connection);
    }
}

/// Tasks that are being dropped close their connections a moment later; if Redis exited first, they would log a lost
/// connection.
fn wait_for_other_clients(connection: &mut Connection) {
    let deadline = Instant::now() + DISCONNECT_LIMIT;
    let mut connected = || info(connection, "clients", "connected_clients:");
    while connected().is_some_and(|clients| clients > 1) && Instant::now() < deadline {
        sleep(LOOK_AGAIN);
    }
}

/// A number of `INFO`.
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
