//! Its handlers.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use axum::{Json, Router};
use redis::aio::MultiplexedConnection;
use redis::{Client, Script};
use serde::Serialize;
use serde_json::Value;
use sqlx::MySqlPool;
use sqlx::mysql::MySqlPoolOptions;
use tokio::net::TcpListener;

use super::{ORDERS, SaleKeys, session_key, shop_key, worker};

/// The plain script that decides for one person, with the order's number in it.
const CLAIM: &str = "
if tonumber(redis.call('GET', KEYS[1]) or 0) <= 0 then return -1 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return -2 end
redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], ARGV[1])
local order = redis.call('INCR', KEYS[3])
redis.call('XADD', KEYS[4], '*', 'order', order, 'sale', ARGV[2], 'buyer', ARGV[1])
return order";
/// How long a session lives without being used, and a shop in the cache: those of the original.
const SESSION_SECS: u32 = 1_800;
const SHOP_SECS: u32 = 1_800;
/// Connections to SQL: as many as the site has by default.
const SQL_CONNECTIONS: u32 = 16;

#[derive(Debug, clap::Args)]
pub(crate) struct TextbookArgs {
    #[arg(long)]
    redis: String,
    #[arg(long)]
    listen: SocketAddr,
    /// A MariaDB that orders go to; without it they stay in Redis, and the token is the buyer.
    #[arg(long)]
    database: Option<String>,
}

#[derive(Clone)]
struct Textbook {
    redis: MultiplexedConnection,
    claim: Arc<Script>,
    sql: Option<MySqlPool>,
}

/// The original's reply.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_msg: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

/// What went wrong; a tutorial answers 500.
struct Failure(anyhow::Error);

pub(crate) async fn serve(args: TextbookArgs) -> Result<()> {
    let client = Client::open(args.redis.as_str())?;
    let redis = client.get_multiplexed_async_connection().await?;
    let sql = match &args.database {
        Some(url) => {
            let pool = MySqlPoolOptions::new().max_connections(SQL_CONNECTIONS);
            let pool = pool.connect(url).await?;
            worker::spawn(client.clone(), pool.clone()).await?;
            Some(pool)
        }
        None => None,
    };
    let site = Textbook {
        redis,
        claim: Arc::new(Script::new(CLAIM)),
        sql,
    };
    let routes = Router::new()
        .route("/voucher-order/seckill/{sale}", post(claim))
        .route("/shop/{shop}", get(shop))
        .route("/readyz", get(|| async { "ready" }))
        .with_state(site);
    let listener = TcpListener::bind(args.listen).await?;
    let listener = listener.tap_io(|stream| {
        // A connection without it is slower, and works.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, routes).await?;
    Ok(())
}

async fn claim(
    State(mut site): State<Textbook>,
    Path(sale): Path<i64>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let token = headers.get(AUTHORIZATION).and_then(|it| it.to_str().ok());
    let Some(buyer) = site.buyer(token.unwrap_or_default()).await? else {
        return Ok(StatusCode::UNAUTHORIZED.into_response());
    };
    let SaleKeys([stock, buyers, numbers]) = SaleKeys::of(sale);
    let mut call = site.claim.key(stock);
    call.key(buyers).key(numbers).key(ORDERS);
    call.arg(buyer).arg(sale);
    let order: i64 = call.invoke_async(&mut site.redis).await?;
    let reply = match order {
        -1 => Envelope::refusal("库存不足"),
        -2 => Envelope::refusal("不能重复下单"),
        order => Envelope {
            success: true,
            error_msg: None,
            data: Some(order.to_string()),
        },
    };
    Ok(Json(reply).into_response())
}

/// From the cache in Redis, and from SQL when it is not there.
async fn shop(
    State(mut site): State<Textbook>,
    Path(shop): Path<i64>,
) -> Result<Response, Failure> {
    let mut get = redis::cmd("GET");
    let cached: Option<String> = get.arg(shop_key(shop)).query_async(&mut site.redis).await?;
    let shop = match cached {
        Some(shop) => shop,
        None => site.load_shop(shop).await?,
    };
    let body = format!("{{\"success\":true,\"data\":{shop}}}");
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

impl Envelope {
    fn refusal(words: &'static str) -> Self {
        Self {
            success: false,
            error_msg: Some(words),
            data: None,
        }
    }
}

impl Textbook {
    /// Reads the session and lets it live on, as the two interceptors of the original do.
    async fn buyer(&mut self, token: &str) -> Result<Option<String>> {
        if self.sql.is_none() {
            return Ok(Some(token.to_owned()));
        }
        let key = session_key(token);
        let mut read = redis::pipe();
        read.cmd("HGET").arg(&key).arg("id");
        read.cmd("EXPIRE").arg(&key).arg(SESSION_SECS).ignore();
        let (buyer,) = read.query_async(&mut self.redis).await?;
        Ok(buyer)
    }

    async fn load_shop(&mut self, shop: i64) -> Result<String> {
        let pool = self.sql.as_ref().context("there is no database")?;
        let row: String = sqlx::query_scalar("SELECT row_json FROM textbook_shop WHERE id = ?")
            .bind(shop)
            .fetch_one(pool)
            .await?;
        let value: Value = serde_json::from_str(&row)?;
        let mut set = redis::cmd("SETEX");
        set.arg(shop_key(shop))
            .arg(SHOP_SECS)
            .arg(value.to_string());
        let () = set.query_async(&mut self.redis).await?;
        Ok(value.to_string())
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, format!("{:#}", self.0)).into_response()
    }
}
