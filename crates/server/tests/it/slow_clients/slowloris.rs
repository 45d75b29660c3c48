//! A crowd that holds connections with half heads, half bodies and replies it does not read, and a good client beside it.
//!
//! The usual form is small, with shorter limits, and counts. `TANDIAN_SLOWLORIS=full` is 10,000 connections from one address
//! and then 2,000 from as many, with all limits as they are by default, and prints how much slower the good client is served.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::{Redis, Tandian, unique_prefix, wait_until};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::SOON;

/// What an attacker sends before it falls silent.
const HALF_HEAD: &[u8] = b"GET /api/site HTTP/1.1\r\nhost: x\r\nx-more: ";
const HALF_BODY: &[u8] =
    b"POST /api/payment/notify/sandbox HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
const UNREAD: &[u8] = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n";
/// Replies that one attacker asks for: together more than sockets hold.
const UNREAD_REPLIES: usize = 4;

/// How long an attacker that was sent away waits before it comes again, at least and at most: the machine has ports for all,
/// and they do not come in waves.
const COME_AGAIN_SECS: std::ops::Range<u64> = 5..20;

/// Requests that the good client sends over one connection.
const REQUESTS_PER_CONNECTION: usize = 10;
/// Its pause between two of them, so that a measurement outlasts several limits of the server.
const PAUSE: Duration = Duration::from_millis(5);
const GOOD: &[u8] = b"GET /api/site HTTP/1.1\r\nhost: x\r\n\r\n";

struct Attack {
    name: &'static str,
    connections: u32,
    addresses: u32,
}

const SHORT_LIMITS: &[(&str, &str)] = &[
    ("http.max_connections_per_address", "60"),
    ("http.stall_secs", "2"),
    ("http.keep_alive_secs", "5"),
];

struct Scale {
    attacks: [Attack; 2],
    /// Settings that differ from the defaults.
    limits: &'static [(&'static str, &'static str)],
    requests: usize,
}

impl Scale {
    fn of_environment() -> Self {
        let is_full = std::env::var("TANDIAN_SLOWLORIS").is_ok_and(|scale| scale == "full");
        let (from_one, from_many) = if is_full { (10_000, 2_000) } else { (240, 120) };
        Self {
            attacks: [
                Attack {
                    name: "one address",
                    connections: from_one,
                    addresses: 1,
                },
                Attack {
                    name: "many addresses",
                    connections: from_many,
                    addresses: from_many,
                },
            ],
            limits: if is_full { &[] } else { SHORT_LIMITS },
            requests: if is_full { 4_000 } else { 60 },
        }
    }
}

/// What became of the attackers so far.
#[derive(Default)]
struct Tally {
    /// Connected and sent what they had to send, or were sent away doing so.
    begun: AtomicUsize,
    /// Ended by the server.
    ended: AtomicUsize,
}

/// Comes, sends half of something, and waits for the end of it; then comes again.
async fn attack(number: u32, from: Ipv4Addr, site: SocketAddr, tally: Arc<Tally>) {
    loop {
        let socket = TcpSocket::new_v4().unwrap();
        // The less it takes, the sooner a reply is stuck.
        socket.set_recv_buffer_size(4_096).unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        if let Ok(mut stream) = socket.connect(site).await {
            let sent = match number % 3 {
                0 => stream.write_all(HALF_HEAD).await,
                1 => stream.write_all(HALF_BODY).await,
                _ => stream.write_all(&UNREAD.repeat(UNREAD_REPLIES)).await,
            };
            tally.begun.fetch_add(1, Ordering::Relaxed);
            if sent.is_ok() && number % 3 == 2 {
                // Reading would be what it is not here for; the server hangs up without being looked at.
                come_again().await;
            } else {
                let _ = stream.read_to_end(&mut Vec::new()).await;
                tally.ended.fetch_add(1, Ordering::Relaxed);
            }
        }
        come_again().await;
    }
}

async fn come_again() {
    let millis = COME_AGAIN_SECS.start * 1_000..COME_AGAIN_SECS.end * 1_000;
    tokio::time::sleep(Duration::from_millis(rand::random_range(millis))).await;
}

/// Times requests over connections of their own; opening one counts as part of its first request. All must be answered.
async fn ask(site: SocketAddr, requests: usize) -> Vec<Duration> {
    let mut connection = None;
    let mut took = Vec::with_capacity(requests);
    for number in 0..requests {
        if number % REQUESTS_PER_CONNECTION == 0 {
            connection = None;
        }
        let begun = Instant::now();
        let stream = match &mut connection {
            Some(stream) => stream,
            none => none.insert(BufReader::new(TcpStream::connect(site).await.unwrap())),
        };
        stream.write_all(GOOD).await.unwrap();
        let status = read_reply(stream).await;
        took.push(begun.elapsed());
        assert_eq!(status, "HTTP/1.1 200 OK");
        tokio::time::sleep(PAUSE).await;
    }
    took.sort();
    took
}

/// The first line of a reply that is read to its end.
async fn read_reply(stream: &mut BufReader<TcpStream>) -> String {
    let mut head = Vec::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(bytes) = line.strip_prefix("content-length: ") {
            length = bytes.parse().unwrap();
        }
        head.push(line);
    }
    stream.read_exact(&mut vec![0; length]).await.unwrap();
    head.swap_remove(0)
}

fn p99(sorted: &[Duration]) -> Duration {
    sorted[(sorted.len() * 99 / 100).min(sorted.len() - 1)]
}

fn allow_open_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: maximum,
        maximum,
    };
    setrlimit(Resource::Nofile, most).unwrap();
}

async fn serve(scale: &Scale) -> (Tandian, SocketAddr) {
    let mut settings = vec![
        ("redis.url", Redis::shared().await.url()),
        ("redis.prefix", unique_prefix()),
        ("metrics.addr", String::new()),
    ];
    let limits = scale.limits.iter();
    settings.extend(limits.map(|(name, value)| (*name, (*value).to_owned())));
    let site = Tandian::new(env!("CARGO_BIN_EXE_tandian"), &["serve"], &settings);
    site.start();
    site.wait_until_ready().await;
    let address = site.url().strip_prefix("http://").unwrap().parse().unwrap();
    (site, address)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_good_client_is_served_beside_a_slow_crowd() {
    allow_open_files();
    let scale = Scale::of_environment();
    let (site, address) = serve(&scale).await;
    ask(address, scale.requests / 3).await;
    let quiet = p99(&ask(address, scale.requests).await);
    for Attack {
        name,
        connections,
        addresses,
    } in &scale.attacks
    {
        let tally = Arc::new(Tally::default());
        let mut crowd = JoinSet::new();
        for number in 0..*connections {
            let from = Ipv4Addr::from(0x7F01_0000 + 256 + number % addresses);
            crowd.spawn(attack(number, from, address, Arc::clone(&tally)));
        }
        wait_until("everybody has come", SOON, async || {
            tally.begun.load(Ordering::Relaxed) >= *connections as usize
        })
        .await;
        let under_attack = p99(&ask(address, scale.requests).await);
        // Two thirds of them wait for an end and must have met one.
        let limit = *connections as usize / 3;
        wait_until("slow clients are ended", SOON, async || {
            tally.ended.load(Ordering::Relaxed) >= limit
        })
        .await;
        crowd.shutdown().await;
        let ratio = under_attack.as_secs_f64() / quiet.as_secs_f64();
        println!(
            "{connections} connections, {name}: p99 {under_attack:?}, quiet {quiet:?}, ratio {ratio:.2}; \
             {} were ended",
            tally.ended.load(Ordering::Relaxed)
        );
    }
    site.kill();
}
