//! How often the shortest requests ask for memory: the guard against a hidden copy or a box per layer. A binary of its own,
//! because it counts the allocations of the whole process.
//!
//! The client is in the process as well, so it allocates nothing: one request repeatedly, into one buffer. What the
//! workers of the site do meanwhile comes and goes, so the cheapest of many short windows is what counts.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]

use domain::{ShopId, ShopTypeId};
use jiff::Timestamp;
use storage::bulk::{self, ShopRow};
use testkit::TestApp;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const WINDOWS: usize = 40;
const REQUESTS: u64 = 10;

/// Longer than any reply here.
const REPLY_MAX_BYTES: usize = 16 * 1024;

/// What is asked for, and how many allocations it may take in a debug build: 30, 30 and 31 when this was written, and two
/// more for what a map or a buffer does on another day.
const BOUNDS: [(&str, u64); 3] = [("/healthz", 32), ("/api/shop/1", 32), ("/api/user/me", 33)];

/// A client that knows how long the reply is.
struct Asker {
    stream: TcpStream,
    request: Vec<u8>,
    reply: Vec<u8>,
}

impl Asker {
    async fn new(app: &TestApp, path: &str, token: &str) -> Self {
        let mut stream = TcpStream::connect(app.address()).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n\r\n");
        let request = request.into_bytes();
        stream.write_all(&request).await.unwrap();
        let mut reply = vec![0; REPLY_MAX_BYTES];
        let length = stream.read(&mut reply).await.unwrap();
        assert!(reply.starts_with(b"HTTP/1.1 200 "), "{path}");
        reply.truncate(length);
        Self {
            stream,
            request,
            reply,
        }
    }

    async fn ask(&mut self) {
        self.stream.write_all(&self.request).await.unwrap();
        self.stream.read_exact(&mut self.reply).await.unwrap();
    }

    /// Allocations a request, in the cheapest window.
    async fn allocations(&mut self) -> u64 {
        let mut fewest = u64::MAX;
        for _ in 0..WINDOWS {
            let before = dhat::HeapStats::get().total_blocks;
            for _ in 0..REQUESTS {
                self.ask().await;
            }
            let taken = dhat::HeapStats::get().total_blocks - before;
            fewest = fewest.min(taken / REQUESTS);
        }
        fewest
    }
}

async fn add_shop(app: &TestApp) {
    let row = ShopRow {
        id: ShopId::new(1),
        name: "茶餐厅".to_owned(),
        type_id: ShopTypeId::new(1),
        images: String::new(),
        area: None,
        address: "金华路29号".to_owned(),
        x: 120.149993,
        y: 30.334229,
        avg_price_yuan: None,
        score: 0,
        open_hours: None,
        phone: None,
        owner_id: None,
        created_at: Timestamp::now(),
    };
    bulk::insert_shops(app.core().db(), &[row]).await.unwrap();
    app::shops::rebuild_id_filter(app.core()).await.unwrap();
}

#[tokio::test]
async fn no_short_request_allocates_more_often_than_it_did() {
    let app = TestApp::spawn().await;
    add_shop(&app).await;
    app.wait_until_listening().await;
    let person = app.sign_in("13900000001").await;
    let _profiler = dhat::Profiler::builder().testing().build();
    let mut dearer = Vec::new();
    for (path, bound) in BOUNDS {
        let taken = Asker::new(&app, path, person.token())
            .await
            .allocations()
            .await;
        if taken > bound {
            dearer.push(format!(
                "{path} takes {taken} allocations, and {bound} are allowed"
            ));
        }
    }
    assert!(dearer.is_empty(), "{}", dearer.join("\n"));
}
