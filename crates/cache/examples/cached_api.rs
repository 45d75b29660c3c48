//! A web API in front of a slow database, with a cache between: a thousand clients ask for one shop at once, and the database is
//! asked once.
//!
//! `cargo run -p redis-two-level-cache --example cached_api`: starts a Redis of its own unless `REDIS_URL` names one, serves
//! on a free port, sends itself the requests, prints what happened, and ends.

#![expect(clippy::print_stdout, reason = "it is what an example is for")]

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::get,
};
use redis_two_level_cache::{
    Cache, Loader,
    link::{Link, Options, Target},
};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

const CLIENTS: usize = 1000;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Shop {
    id: u64,
    name: String,
    version: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the database is down")]
struct DbError;

/// Takes as long as a query that was not made for this.
#[derive(Clone, Default)]
struct Database {
    queries: Arc<AtomicUsize>,
    version: Arc<AtomicUsize>,
}

impl Loader for Database {
    type Key = u64;
    type Value = Shop;
    type Error = DbError;

    async fn load(&self, id: &u64) -> Result<Option<Shop>, DbError> {
        self.queries.fetch_add(1, Ordering::SeqCst);
        let version = self.version.load(Ordering::SeqCst) as u64;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let name = format!("Tea house {id}, edition {version}");
        let shop = Shop {
            id: *id,
            name,
            version,
        };
        Ok((*id < 100).then_some(shop))
    }

    fn version(shop: &Shop) -> Option<u64> {
        Some(shop.version)
    }
}

#[derive(Clone)]
struct App {
    database: Database,
    shops: Cache<Database>,
}

async fn show(State(app): State<App>, Path(id): Path<u64>) -> Result<Json<Shop>, StatusCode> {
    match app.shops.get(&id).await {
        Ok(Some(shop)) => Ok(Json(Shop::clone(&shop))),
        Ok(None) => Err(StatusCode::NOT_FOUND),
        Err(_) => Err(StatusCode::SERVICE_UNAVAILABLE),
    }
}

async fn rename(State(app): State<App>, Path(id): Path<u64>) -> Result<StatusCode, StatusCode> {
    // The commit, and after it the invalidation. A real service also writes an outbox row in the same transaction.
    let version = app.database.version.fetch_add(1, Ordering::SeqCst) as u64 + 1;
    let invalidated = app.shops.invalidate_older(&id, version).await;
    invalidated.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn request(port: u16, method: &str, id: u64) -> Result<String, std::io::Error> {
    let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = format!("{method} /shops/{id} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    server.write_all(request.as_bytes()).await?;
    let mut reply = String::new();
    server.read_to_string(&mut reply).await?;
    Ok(reply)
}

/// All clients at once; returns how many replies hold these words.
async fn crowd(port: u16, words: &'static str) -> Result<usize, Box<dyn Error>> {
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(request(port, "GET", 7));
    }
    let mut matching = 0;
    while let Some(reply) = clients.join_next().await {
        matching += usize::from(reply??.contains(words));
    }
    Ok(matching)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (url, _redis) = match std::env::var("REDIS_URL") {
        Ok(url) => (url, None),
        Err(_) => {
            let redis = testkit::Redis::start().await;
            (redis.url(), Some(redis))
        }
    };
    let link = Link::connect(&Target::parse(&url)?, Options::default()).await?;
    let database = Database::default();
    let shops = Cache::builder("shop", link, database.clone())
        .prefix(format!("example-{}:", std::process::id()))
        .build()?;
    let app = App { database, shops };
    let routes = Router::new().route("/shops/{id}", get(show).put(rename));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let port = listener.local_addr()?.port();
    let routes = routes.with_state(app.clone());
    let server = tokio::spawn(async move { axum::serve(listener, routes).await });

    let queries = || app.database.queries.load(Ordering::SeqCst);
    for (what, words) in [("cold", "edition 0"), ("warm", "edition 0")] {
        let (before, since) = (queries(), Instant::now());
        let served = crowd(port, words).await?;
        let (after, took) = (queries() - before, since.elapsed().as_millis());
        println!("{what}: {served} of {CLIENTS} readers served, {after} queries, {took} ms");
    }
    request(port, "PUT", 7).await?;
    let before = queries();
    let served = crowd(port, "edition 1").await?;
    let after = queries() - before;
    println!(
        "after a change: {served} of {CLIENTS} readers served the new edition, {after} queries"
    );
    println!("{:#?}", app.shops.stats());
    server.abort();
    Ok(())
}
