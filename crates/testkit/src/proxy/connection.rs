//! One client connection of a proxy: the upstream connection it is given, and a pump for each direction.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::net::TcpStream;

use super::pump::{Direction, Pump};
use super::{Fault, Shared, Upstream};

/// Carries bytes until either side ends the connection. Neither Redis nor SQL nor AMQP half-closes, so one end is the end.
pub(super) async fn carry(client: TcpStream, upstream: Upstream, shared: Arc<Shared>) {
    let open = Open::new(Arc::clone(&shared));
    // Costs latency, not correctness, if it fails.
    let _ = client.set_nodelay(true);
    let Ok((server_read, server_write)) = upstream.connect().await else {
        return stay_silent(&shared).await;
    };
    let (client_read, client_write) = client.into_split();
    let requests = Pump::new(Direction::Requests, &shared, Some(open));
    let replies = Pump::new(Direction::Replies, &shared, None);
    tokio::select! {
        () = requests.run(client_read, server_write) => {}
        () = replies.run(server_read, client_write) => {}
    }
}

/// A black hole does not reveal that the server behind it closed the connection.
async fn stay_silent(shared: &Shared) {
    let mut fault = shared.fault.subscribe();
    let _ = fault.wait_for(|fault| *fault != Fault::BlackHole).await;
}

/// Counts a client connection as open while it lives.
#[derive(Debug)]
pub(super) struct Open(Arc<Shared>);

impl Open {
    fn new(shared: Arc<Shared>) -> Self {
        shared.accepted.fetch_add(1, Ordering::SeqCst);
        shared.open.fetch_add(1, Ordering::SeqCst);
        Self(shared)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}
