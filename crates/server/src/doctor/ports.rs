//! The addresses the site listens on: free, or in use by the site itself.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::Finding;
use crate::settings::Settings;

const ANSWER_LIMIT: Duration = Duration::from_secs(2);
const ANSWER_MAX_BYTES: u64 = 4096;

/// A page that identifies the site: a 200 whose headers contain the mark. Another program on the port fails that.
struct ProbePage {
    path: &'static str,
    mark: &'static str,
}

const SITE: ProbePage = ProbePage {
    path: "/healthz",
    mark: "x-request-id:",
};
const METRICS: ProbePage = ProbePage {
    path: "/metrics",
    mark: "text/plain; version=0.0.4",
};

pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![examine_one(settings.http.addr, &SITE, "http.addr").await];
    if let Some(addr) = settings.compat.addr {
        findings.push(examine_one(addr, &SITE, "compat.addr").await);
    }
    if let Some(addr) = settings.metrics.addr {
        findings.push(examine_one(addr, &METRICS, "metrics.addr").await);
    }
    findings
}

async fn examine_one(addr: SocketAddr, page: &ProbePage, setting: &str) -> Finding {
    match TcpListener::bind(addr).await {
        Ok(_) => Finding::ok(format!("{addr} is free for {setting}")),
        Err(_) if is_served(addr, page).await => {
            Finding::ok(format!("{addr} is served by a running tandian"))
        }
        Err(error) => Finding::problem(
            format!("cannot listen on {addr}: {error}"),
            format!("stop the program that does, or change {setting}"),
        ),
    }
}

async fn is_served(addr: SocketAddr, page: &ProbePage) -> bool {
    let request = async {
        let mut stream = TcpStream::connect(addr).await?;
        let head = format!("GET {} HTTP/1.1\r\nhost: {addr}\r\n", page.path);
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(b"connection: close\r\n\r\n").await?;
        let mut answer = Vec::new();
        let mut start = stream.take(ANSWER_MAX_BYTES);
        start.read_to_end(&mut answer).await?;
        std::io::Result::Ok(String::from_utf8_lossy(&answer).to_lowercase())
    };
    let answer = tokio::time::timeout(ANSWER_LIMIT, request).await;
    matches!(answer, Ok(Ok(text)) if text.starts_with("http/1.1 200") && text.contains(page.mark))
}
