//! How many files this process may have open, which bounds its connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For everything that is no connection of a client: databases, Redis, brokers, pictures, logs.
const SPARE: usize = 512;

/// How many files a process with so many connections has open at the most.
pub(crate) const fn needed_for(connections: usize) -> u64 {
    (connections + SPARE) as u64
}

/// Raises the limit of open files as far as the system lets us. Returns how many of `wanted` connections fit.
pub(super) fn within(wanted: usize) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = needed_for(wanted);
    let granted = match current {
        Some(current) if current < needed => raise(current, maximum, needed),
        _ => return wanted,
    };
    let fit = usize::try_from(granted)
        .unwrap_or(usize::MAX)
        .saturating_sub(SPARE)
        .max(1);
    if fit < wanted {
        tracing::warn!(
            max_connections = wanted,
            possible = fit,
            "too few file descriptors for http.max_connections: raise ulimit -n (LimitNOFILE in systemd)"
        );
    }
    fit.min(wanted)
}

fn raise(current: u64, maximum: Option<u64>, needed: u64) -> u64 {
    let possible = maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = Rlimit {
        current: Some(possible),
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => possible,
        Err(_) => current,
    }
}
