//! A flash sale behind HTTP: `POST /claim` with axum. Run it with `cargo run -p redis-flash-sale --example axum_gate`; it
//! serves, sends 200 claims for 50 units to itself, and ends.
//!
//! The buyer comes from the body here. A real service takes it from the session.

#![expect(clippy::print_stdout, reason = "an example shows what it did")]

#[path = "support/private_redis.rs"]
mod private_redis;

use std::collections::BTreeMap;
use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use futures_util::future::try_join_all;
use redis_flash_sale::{
    BuyerId, CancellationToken, Claim, ClaimError, ClaimOutcome, Flash, FlashOptions, Link,
    LinkOptions, Locks, MemoryLedger, SaleId, Target, Terms,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const SALE: SaleId = SaleId(1);

#[derive(serde::Deserialize)]
struct ClaimRequest {
    sale: i64,
    buyer: i64,
}

#[derive(serde::Serialize)]
struct ClaimReply {
    outcome: &'static str,
    order: Option<i64>,
}

/// Each outcome has its status: a client must know whether nothing was bought (409, 503) or whether it has to ask again
/// (202).
async fn claim(
    State(flash): State<Flash<MemoryLedger>>,
    Json(request): Json<ClaimRequest>,
) -> Response {
    let claim = Claim {
        sale: SaleId(request.sale),
        buyer: BuyerId(request.buyer),
        key: None,
    };
    let (status, outcome, order) = match flash.claim(claim).await {
        Ok(ClaimOutcome::Granted(order)) => (StatusCode::OK, "granted", Some(order)),
        Ok(ClaimOutcome::AlreadyBought(order)) => {
            (StatusCode::CONFLICT, "already bought", Some(order))
        }
        Ok(ClaimOutcome::SoldOut) => (StatusCode::CONFLICT, "sold out", None),
        Ok(ClaimOutcome::NotStarted) => (StatusCode::CONFLICT, "not started", None),
        Ok(ClaimOutcome::Ended) => (StatusCode::CONFLICT, "ended", None),
        Err(ClaimError::NoSuchSale) => (StatusCode::NOT_FOUND, "no such sale", None),
        Err(ClaimError::Unknown(order)) => {
            (StatusCode::ACCEPTED, "unknown, repeat it", Some(order))
        }
        Err(ClaimError::Busy { retry_after }) => {
            let secs = retry_after.as_secs().max(1).to_string();
            return (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, secs)]).into_response();
        }
    };
    let order = order.map(|order| order.0);
    (status, Json(ClaimReply { outcome, order })).into_response()
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let ledger = MemoryLedger::new();
    ledger.publish(SALE, Terms::open_now(50, Duration::from_secs(600)));
    let redis = private_redis::redis().await;
    let link = Link::connect(&Target::parse(&redis.url)?, LinkOptions::default()).await?;
    let options = FlashOptions {
        prefix: format!("axum-gate-{}:", std::process::id()),
        ..FlashOptions::default()
    };
    let flash = Flash::new(link.clone(), Locks::new(link), ledger.clone(), options);
    flash.check_partitions().await?;

    // Whatever runs in the background ends by this token; the server first, so that no claim is granted after the drain.
    let (stop_serving, stop) = (CancellationToken::new(), CancellationToken::new());
    let (worker, until) = (flash.clone(), stop.clone());
    let worker = tokio::spawn(async move { worker.run_drain(until).await });
    let (listener, until) = (flash.clone(), stop.clone());
    let listener = tokio::spawn(async move { listener.listen(until).await });
    let socket = TcpListener::bind("127.0.0.1:0").await?;
    let address = socket.local_addr()?;
    let router = Router::new().route("/claim", post(claim));
    let router = router.with_state(flash.clone());
    let server = axum::serve(socket, router);
    let server = server.with_graceful_shutdown(stop_serving.clone().cancelled_owned());
    let server = tokio::spawn(async move { server.await });

    let replies = try_join_all((1..=200).map(|buyer| post_claim(address, buyer))).await?;
    let mut statuses: BTreeMap<String, u32> = BTreeMap::new();
    for status in replies {
        *statuses.entry(status).or_default() += 1;
    }
    stop_serving.cancel();
    server.await??;
    flash.wait_until_drained(Duration::from_secs(30)).await?;
    stop.cancel();
    worker.await?;
    listener.await?;

    println!("200 claims for 50 units: {statuses:?}");
    assert_eq!(
        statuses,
        BTreeMap::from([("200".to_owned(), 50), ("409".to_owned(), 150)])
    );
    assert_eq!(
        ledger.live_orders(SALE).len(),
        50,
        "every grant is recorded"
    );
    Ok(())
}

/// A claim as a client sends it; the status of the response.
async fn post_claim(address: SocketAddr, buyer: i64) -> std::io::Result<String> {
    let body = format!(r#"{{"sale": {SALE}, "buyer": {buyer}}}"#);
    let request = format!(
        "POST /claim HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response.split(' ').nth(1).unwrap_or_default().to_owned())
}
