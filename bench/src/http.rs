//! The least of an HTTP client: one request over and over on kept connections, as fast as replies come.
//!
//! A client with comforts would cost more than the server and hide the difference that is to be measured.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// Replies of the scenarios are smaller; a larger one is a mistake.
const REPLY_MAX_BYTES: usize = 1024 * 1024;

/// Sends one request and returns the body of a 200.
pub(crate) async fn get_once(address: SocketAddr, path: &str) -> Result<String> {
    let mut connection = Connection::open(address, path).await?;
    connection.request().await?;
    Ok(String::from_utf8_lossy(connection.body()).into_owned())
}

/// Sends one request with a session, and returns the `data` of a success.
pub(crate) async fn call(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &Value,
) -> Result<Value> {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = Connection::open(address, path).await?;
    connection.request = request.into_bytes();
    connection.request().await?;
    let mut reply: Value = serde_json::from_slice(connection.body())?;
    ensure!(reply["success"] == true, "{method} {path}: {reply}");
    Ok(reply["data"].take())
}

/// Replies per second, from this many connections for this long.
pub(crate) async fn replies_per_sec(
    address: SocketAddr,
    path: &str,
    connections: usize,
    window: Duration,
) -> Result<f64> {
    let opened = (0..connections).map(|_| Connection::open(address, path));
    let connections = try_join_all(opened).await?;
    let since = Instant::now();
    let until = since + window;
    let counts = try_join_all(connections.into_iter().map(|connection| {
        let counting = tokio::spawn(connection.count_until(until));
        async move { counting.await? }
    }))
    .await?;
    let total: usize = counts.iter().sum();
    Ok(total as f64 / since.elapsed().as_secs_f64())
}

struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    reply: Vec<u8>,
    body_at: usize,
    body_end: usize,
}

impl Connection {
    async fn open(address: SocketAddr, path: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").into_bytes();
        Ok(Self {
            stream,
            request,
            reply: vec![0; REPLY_MAX_BYTES],
            body_at: 0,
            body_end: 0,
        })
    }

    async fn count_until(mut self, until: Instant) -> Result<usize> {
        let mut count = 0;
        while Instant::now() < until {
            self.request().await?;
            count += 1;
        }
        Ok(count)
    }

    async fn request(&mut self) -> Result<()> {
        self.stream.write_all(&self.request).await?;
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.reply[filled..]).await?;
            ensure!(read > 0, "the connection ended in the middle of a reply");
            filled += read;
            let Some(body_at) = end_of_head(&self.reply[..filled]) else {
                continue;
            };
            let body_end = body_at + content_length(&self.reply[..body_at])?;
            if filled >= body_end {
                (self.body_at, self.body_end) = (body_at, body_end);
                return self.check();
            }
        }
    }

    fn check(&self) -> Result<()> {
        if !self.reply.starts_with(b"HTTP/1.1 200 ") {
            bail!(
                "an unexpected reply: {}",
                String::from_utf8_lossy(&self.reply[..self.body_end])
            );
        }
        Ok(())
    }

    fn body(&self) -> &[u8] {
        &self.reply[self.body_at..self.body_end]
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let found = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    found.map(|at| at + 4)
}

fn content_length(head: &[u8]) -> Result<usize> {
    let head = std::str::from_utf8(head)?;
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let length = lines
        .filter(|(name, _)| *name == "content-length")
        .map(|(_, value)| value)
        .next();
    Ok(length.context("a reply without its length")?.parse()?)
}
