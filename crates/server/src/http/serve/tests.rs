//! Real sockets and short limits: who may keep a connection for how long, and that no request is lost by closing one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinHandle;

use super::*;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(100);
/// What a busy machine may take for what should be at once.
const SOON: Duration = Duration::from_secs(10);
/// For the slow handler, and for clients that are slower than a short limit.
const SLOW: Duration = Duration::from_millis(400);

/// More than the sockets of a connection hold.
const LARGE_BYTES: usize = 16 * 1024 * 1024;

const ASK_LARGE: &[u8] = b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n";
const ASK: &[u8] = b"POST /count HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n";
const ASK_SLOW: &[u8] = b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n";
const HALF: &[u8] = b"GET /count HTTP/1.1\r\nhost:";

struct Site {
    address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<()>,
    /// Requests that a handler has begun.
    begun: Arc<AtomicUsize>,
}

impl Site {
    async fn open(idle: Duration, head: Duration) -> Self {
        let connections = ConnectionLimits {
            most: 10_000,
            most_per_address: 10_000,
            exempt: Vec::new(),
        };
        Self::open_to(idle, head, connections).await
    }

    async fn open_to(idle: Duration, head: Duration, connections: ConnectionLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let begun = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&begun);
        let count = move |body: String| async move {
            counted.fetch_add(1, Ordering::SeqCst);
            // Long enough to be cut off in the middle, were that possible.
            tokio::time::sleep(SHORT / 20).await;
            body
        };
        let slow = async || tokio::time::sleep(SLOW).await;
        let limited = async |request: axum::extract::Request| {
            let query = request.uri().query().expect("a time limit and a time");
            let millis = |text: &str| Duration::from_millis(text.parse().unwrap());
            let (limit, takes) = query.split_once('&').expect("two numbers");
            let work = pin!(tokio::time::sleep(millis(takes)));
            let connection = request.extensions().get::<RequestConnection>().unwrap();
            match connection.timer.within(millis(limit), work).await {
                Some(()) => StatusCode::OK,
                None => StatusCode::SERVICE_UNAVAILABLE,
            }
        };
        let router = Router::new()
            .route("/count", post(count))
            .route("/large", get(async || vec![b'x'; LARGE_BYTES]))
            .route("/limited", get(limited))
            .route("/slow", get(slow));
        let limits = ServeLimits {
            timeouts: ConnectionTimeouts {
                idle,
                head,
                pace: MinimumPace {
                    window: SHORT,
                    bytes_per_sec: 1_000,
                },
            },
            grace: LONG,
            connections: Connections::new(connections),
        };
        let stop = CancellationToken::new();
        let serving = serve(listener, router, TaskTracker::new(), stop.clone(), limits);
        Self {
            address,
            stop,
            served: tokio::spawn(serving),
            begun,
        }
    }

    async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }
}

struct Client(TcpStream);

impl Client {
    async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    /// Whether the next reply is a 200; no reply at all is none.
    async fn is_answered(&mut self) -> bool {
        let mut reply = Vec::new();
        while !reply.ends_with(b"\r\n\r\n") {
            match self.0.read_u8().await {
                Ok(byte) => reply.push(byte),
                Err(_) => break,
            }
        }
        assert!(
            reply.is_empty() || reply.ends_with(b"\r\n\r\n"),
            "half a reply"
        );
        reply.starts_with(b"HTTP/1.1 200 ")
    }

    async fn ask(&mut self) {
        self.send(ASK).await;
        assert!(self.is_answered().await);
    }

    /// Waits until the site has closed the connection, without another word.
    async fn wait_for_end(&mut self) -> Duration {
        let since = Instant::now();
        let ended = tokio::time::timeout(SOON, self.0.read_u8()).await;
        assert!(ended.expect("the connection ends").is_err());
        since.elapsed()
    }
}

#[tokio::test]
async fn a_request_over_its_time_gets_its_reply_and_the_connection_goes_on() {
    let site = Site::open(LONG, LONG).await;
    let mut client = site.connect().await;
    for _ in 0..2 {
        let began = Instant::now();
        client.send(&limited(SHORT, LONG)).await;
        assert!(!client.is_answered().await, "it is given up");
        assert!((SHORT..SOON).contains(&began.elapsed()));
        client.ask().await;
    }
}

#[tokio::test]
async fn the_time_limit_of_a_request_does_not_end_the_next_one() {
    let site = Site::open(LONG, LONG).await;
    let mut client = site.connect().await;
    client.send(&limited(SLOW / 2, SHORT / 20)).await;
    assert!(client.is_answered().await);
    client.send(&limited(LONG, SLOW)).await;
    assert!(client.is_answered().await);
}

/// A request for a reply that takes so long, with this time limit.
fn limited(limit: Duration, takes: Duration) -> Vec<u8> {
    let (limit, takes) = (limit.as_millis(), takes.as_millis());
    format!("GET /limited?{limit}&{takes} HTTP/1.1\r\nhost: x\r\n\r\n").into_bytes()
}

#[tokio::test]
async fn a_connection_may_idle_for_longer_than_a_head_may_take() {
    let site = Site::open(LONG, SHORT).await;
    let mut client = site.connect().await;
    tokio::time::sleep(SLOW).await;
    client.ask().await;
    tokio::time::sleep(SLOW).await;
    client.ask().await;
}

#[tokio::test]
async fn a_connection_that_idles_for_too_long_is_closed() {
    let site = Site::open(SHORT, LONG).await;
    let mut fresh = site.connect().await;
    assert!(fresh.wait_for_end().await >= SHORT / 2);
    let mut kept = site.connect().await;
    kept.ask().await;
    assert!(kept.wait_for_end().await >= SHORT / 2);
}

#[tokio::test]
async fn half_a_head_is_cut_off_although_an_idle_client_may_wait() {
    let site = Site::open(LONG, SHORT).await;
    let mut fresh = site.connect().await;
    fresh.send(HALF).await;
    fresh.wait_for_end().await;
    let mut kept = site.connect().await;
    kept.ask().await;
    kept.send(HALF).await;
    kept.wait_for_end().await;
}

#[tokio::test]
async fn a_head_that_trickles_in_gains_no_time_by_every_byte() {
    let site = Site::open(LONG, SHORT).await;
    let mut client = site.connect().await;
    let trickling = async {
        loop {
            if client.0.write_all(b"x").await.is_err() {
                return;
            }
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    let cut_off = tokio::time::timeout(SOON, trickling).await;
    assert!(cut_off.is_ok(), "the head is still waited for");
}

#[tokio::test]
async fn a_request_in_flight_has_no_deadline() {
    let site = Site::open(SHORT, SHORT).await;
    let mut client = site.connect().await;
    client.send(ASK_SLOW).await;
    assert!(client.is_answered().await, "the handler is slow");
    let mut client = site.connect().await;
    client
        .send(b"POST /count HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nsl")
        .await;
    tokio::time::sleep(SLOW).await;
    client.send(b"ow").await;
    assert!(client.is_answered().await, "the body is slow");
}

#[tokio::test]
async fn a_client_that_does_not_read_its_reply_is_cut_off() {
    let site = Site::open(LONG, LONG).await;
    let mut client = site.connect().await;
    client.send(ASK_LARGE).await;
    tokio::time::sleep(SLOW).await;
    let mut read = Vec::new();
    let ended = tokio::time::timeout(SOON, client.0.read_to_end(&mut read)).await;
    // Reset or closed, with what the sockets held.
    let _ = ended.expect("the connection ends");
    assert!(read.len() < LARGE_BYTES, "it was sent whole");
}

#[test]
fn a_reader_that_keeps_the_pace_gets_window_after_window() {
    let minimum = MinimumPace {
        window: SHORT,
        bytes_per_sec: 1_000,
    };
    let deadline = ConnectionDeadline::new(ConnectionTimeouts {
        idle: LONG,
        head: LONG,
        pace: minimum,
    });
    deadline.begin_request();
    deadline.begin_stall();
    let mut now = Instant::now();
    for _ in 0..10 {
        deadline.read_in_stall(100);
        now += SHORT;
        assert!(!deadline.has_passed(now));
    }
    deadline.read_in_stall(99);
    assert!(deadline.has_passed(now + SHORT));
}

/// Whether a new connection from this address is answered.
async fn is_admitted(site: &Site, from: [u8; 4]) -> (bool, Client) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    let mut client = Client(socket.connect(site.address).await.unwrap());
    let _ = client.0.write_all(ASK).await;
    (client.is_answered().await, client)
}

#[tokio::test]
async fn an_address_has_its_connections_and_a_proxy_as_many_as_it_needs() {
    let connections = ConnectionLimits {
        most: 100,
        most_per_address: 3,
        exempt: vec!["127.0.0.9".parse().unwrap()],
    };
    let site = Site::open_to(LONG, LONG, connections).await;
    let mut kept = Vec::new();
    let mut admitted = [0; 3];
    for _ in 0..10 {
        for (place, host) in [7, 8, 9].into_iter().enumerate() {
            let (is_admitted, client) = is_admitted(&site, [127, 0, 0, host]).await;
            admitted[place] += usize::from(is_admitted);
            kept.push(client);
        }
    }
    assert_eq!(admitted, [3, 3, 10]);
    drop(kept);
    let again = async || is_admitted(&site, [127, 0, 0, 7]).await.0;
    let places_are_back = tokio::time::timeout(SOON, async { while !again().await {} }).await;
    places_are_back.expect("a closed connection gives its place back");
}

#[tokio::test]
async fn idle_connections_make_room_when_all_are_taken() {
    let connections = ConnectionLimits {
        most: 5,
        most_per_address: 5,
        exempt: Vec::new(),
    };
    let site = Site::open_to(LONG, LONG, connections).await;
    let mut idle = Vec::new();
    for host in 1..=5 {
        idle.push(is_admitted(&site, [127, 0, 1, host]).await.1);
    }
    let late = async || is_admitted(&site, [127, 0, 1, 6]).await.0;
    assert!(!late().await, "all are taken");
    let made_room = tokio::time::timeout(SOON, async { while !late().await {} }).await;
    made_room.expect("idle connections leave");
}

#[tokio::test]
async fn stopping_closes_idle_connections_at_once() {
    let site = Site::open(LONG, LONG).await;
    let mut client = site.connect().await;
    client.ask().await;
    site.stop.cancel();
    client.wait_for_end().await;
    let ended = tokio::time::timeout(SOON, site.served).await;
    ended.expect("nothing is in hand").unwrap();
}

#[tokio::test]
async fn stopping_does_not_wait_for_half_a_head_longer_than_otherwise() {
    let site = Site::open(LONG, DRAIN * 2).await;
    let mut client = site.connect().await;
    client.send(HALF).await;
    site.stop.cancel();
    client.wait_for_end().await;
    let ended = tokio::time::timeout(SOON, site.served).await;
    ended.expect("nothing is in hand").unwrap();
}

/// Asks within a millisecond or two of the moment at which the connection is closed.
async fn ask_at_the_last_moment(mut client: Client, place: u32) -> usize {
    client.ask().await;
    let around = SHORT + Duration::from_micros(20) * place - Duration::from_millis(2);
    tokio::time::sleep(around).await;
    // It may be closed already, and then nothing can be sent.
    let _ = client.0.write_all(ASK).await;
    1 + usize::from(client.is_answered().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_meets_the_closing_is_answered_or_not_begun() {
    // Heads come whole, so their limit may be shorter than the work.
    let site = Site::open(SHORT, SHORT / 50).await;
    let mut asking = Vec::new();
    for place in 0..200 {
        let client = site.connect().await;
        asking.push(tokio::spawn(ask_at_the_last_moment(client, place)));
    }
    let mut answered = 0;
    for client in asking {
        answered += client.await.unwrap();
    }
    assert_eq!(answered, site.begun.load(Ordering::SeqCst));
}

#[tokio::test]
async fn the_accept_queue_holds_a_crowd() {
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.local_addr().unwrap();
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    // More than the 1,024 that are usual, as far as the machine lets us, and fewer than the files a process may open.
    let crowd = most.trim().parse().unwrap_or(0).min(1_200);
    allow_open_files(2 * crowd as u64);
    let mut connected = Vec::new();
    for _ in 0..crowd {
        let connecting = TcpStream::connect(address);
        let connection = tokio::time::timeout(SOON, connecting).await;
        connected.push(connection.expect("nobody waits").unwrap());
    }
}

/// Lets this process have so many files open.
fn allow_open_files(count: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < count) {
        let current = Some(count);
        setrlimit(Resource::Nofile, Rlimit { current, maximum }).unwrap();
    }
}
