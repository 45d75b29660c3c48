//! An orphan: a Redis of an earlier run that still answers on the socket. It is shut down cleanly, so that a new one can use
//! its files.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::PrivateRedisError;
use crate::child::{StartPlan, ends_within};
use crate::client::{self, Identity};

/// An orphan has no clients that write, so its file is on disk already and exiting takes milliseconds.
const ORPHAN_LIMIT: Duration = Duration::from_secs(10);

/// Call with the data lock held: then a server in our directory has lost its parent.
pub(crate) fn end_orphan(plan: &StartPlan) -> Result<(), PrivateRedisError> {
    let deadline = Instant::now() + ORPHAN_LIMIT;
    for socket in [&plan.earlier_socket, &plan.socket] {
        while let Some(server) = client::identify(socket) {
            if !same_folder(Path::new(&server.dir), &plan.dir) {
                return Err(PrivateRedisError::ForeignServer {
                    socket: socket.clone(),
                    dir: server.dir,
                });
            }
            end(&server, socket, deadline)?;
            if Instant::now() > deadline {
                return Err(PrivateRedisError::OrphanStays { pid: server.pid });
            }
        }
    }
    Ok(())
}

fn end(server: &Identity, socket: &Path, deadline: Instant) -> Result<(), PrivateRedisError> {
    tracing::warn!(
        pid = server.pid,
        "orphaned Redis of an earlier run found: shutting it down"
    );
    let stays = PrivateRedisError::OrphanStays { pid: server.pid };
    let Some(pid) = Pid::from_raw(server.pid) else {
        return Err(stays);
    };
    let process = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(process) => process,
        Err(Errno::SRCH) => return Ok(()),
        Err(_) => return Err(stays),
    };
    client::shut_down(socket);
    if ends_within(&process, deadline.saturating_duration_since(Instant::now())) {
        Ok(())
    } else {
        Err(stays)
    }
}

fn same_folder(theirs: &Path, ours: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    canonical(theirs).is_some_and(|theirs| Some(theirs) == canonical(ours))
}
