//! A textbook server that runs, and the crowd in front of it.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use redis::aio::MultiplexedConnection;
use tempfile::TempDir;
use testkit::Redis;

use super::{ORDERS, SaleKeys, session_key};
use crate::load::{Requests, Tally, ask_all_of};
use crate::process::Watched;
use crate::program::{ServerProcess, serve_own};
use crate::sql::Sql;

/// Sessions of one pipeline.
const SESSIONS: usize = 1_000;
/// The sale that has nothing left.
pub(crate) const SOLD_OUT: i64 = 999_999;
/// A shop as the original sends it.
const SHOP: &str = r#"{"id":1,"name":"103茶餐厅","typeId":1,"images":"/imgs/demo/noodles-01.jpg","area":"大关","address":"金华路29号","x":120.149192,"y":30.316078,"avgPrice":80,"sold":4215,"comments":3035,"score":37,"openHours":"10:00-22:00"}"#;

#[derive(Debug)]
pub(crate) struct TextbookSite {
    process: ServerProcess,
    _folder: TempDir,
    connection: MultiplexedConnection,
    /// The process of its Redis.
    redis: u32,
}

/// The path of its claims, which is the original's.
fn claim_path(sale: i64) -> String {
    format!("/voucher-order/seckill/{sale}")
}

impl TextbookSite {
    /// Starts the server beside a site, on the same Redis by the same socket.
    pub(crate) async fn open(redis: &Redis, database: Option<&str>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut args = vec![
            "textbook".to_owned(),
            "--redis".to_owned(),
            redis.unix_url(),
        ];
        if let Some(url) = database {
            args.extend(["--database".to_owned(), url.to_owned()]);
        }
        Ok(Self {
            process: serve_own(folder.path(), &args).await?,
            _folder: folder,
            connection: redis.connection().await,
            redis: redis.pid(),
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.process.address
    }

    /// Puts so many pieces up for sale.
    pub(crate) async fn publish(&self, sale: i64, stock: usize) -> Result<()> {
        let mut set = redis::cmd("SET");
        set.arg(SaleKeys::of(sale).stock()).arg(stock);
        Ok(set.query_async(&mut self.connection.clone()).await?)
    }

    /// One claim of each of these people.
    pub(crate) fn claims(sale: i64, tokens: &[String]) -> Requests {
        let path = claim_path(sale);
        let mut requests = Requests::default();
        for token in tokens {
            requests.push("POST", &path, Some(token));
        }
        requests
    }

    /// Everybody claims a piece and gets one; then everything is removed from Redis, so that nothing grows.
    pub(crate) async fn sell_to(
        &self,
        sale: i64,
        tokens: &[String],
        connections: usize,
    ) -> Result<Tally> {
        self.publish(sale, tokens.len()).await?;
        let claims = Self::claims(sale, tokens);
        let watched = Watched {
            server: self.process.pid(),
            redis: self.redis,
        };
        let tally = ask_all_of(watched, self.address(), connections, claims).await?;
        let tally = tally.all_fine()?;
        let mut effect = redis::pipe();
        let SaleKeys(keys) = SaleKeys::of(sale);
        effect.cmd("GET").arg(&keys[0]).cmd("XLEN").arg(ORDERS);
        effect.cmd("UNLINK").arg(&keys).arg(ORDERS).ignore();
        let (left, orders): (i64, usize) = effect.query_async(&mut self.connection.clone()).await?;
        ensure!(
            left == 0 && orders == tokens.len(),
            "the textbook server sold {orders} pieces to {} people",
            tokens.len()
        );
        Ok(tally)
    }

    /// Signs people in, whose ids are their places; a shop and a sale with nothing left are there as well.
    pub(crate) async fn furnish(&self, sql: &Sql, tokens: &[String]) -> Result<()> {
        for (batch, tokens) in tokens.chunks(SESSIONS).enumerate() {
            let mut write = redis::pipe();
            for (place, token) in tokens.iter().enumerate() {
                let id = batch * SESSIONS + place + 1;
                let key = session_key(token);
                write.cmd("HSET").arg(&key).arg("id").arg(id).ignore();
            }
            let () = write.query_async(&mut self.connection.clone()).await?;
        }
        self.publish(SOLD_OUT, 0).await?;
        sql.execute(format!("INSERT INTO textbook_shop VALUES (1, '{SHOP}')"))
            .await
    }

    /// Orders of a sale that are in SQL.
    pub(crate) async fn persisted(&self, sql: &Sql, sale: i64) -> Result<usize> {
        let count = format!("SELECT COUNT(*) FROM textbook_order WHERE sale = {sale}");
        let count = sql.numbers(count).await?;
        Ok(count.first().copied().unwrap_or_default() as usize)
    }

    /// Removes a sale from Redis, with the orders that have not reached SQL: waiting for them would take minutes.
    pub(crate) async fn clear(&self, sale: i64) -> Result<()> {
        let SaleKeys(keys) = SaleKeys::of(sale);
        let mut clear = redis::pipe();
        clear.cmd("UNLINK").arg(&keys).ignore();
        clear.cmd("XTRIM").arg(ORDERS).arg("MAXLEN").arg(0).ignore();
        Ok(clear.query_async(&mut self.connection.clone()).await?)
    }
}
