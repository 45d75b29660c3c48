//! As much of an HTTP server as a gateway needs: one request a connection, bounded by the test that runs it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Request {
    pub(crate) query: String,
    pub(crate) body: String,
}

pub(crate) async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = find(&bytes, b"\r\n\r\n") {
            break end + 4;
        }
        read_more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).ok()?;
    let length = content_length(&head);
    while bytes.len() < head_end + length {
        read_more(stream, &mut bytes).await?;
    }
    let target = head.split(' ').nth(1)?;
    Some(Request {
        query: target
            .split_once('?')
            .map_or("", |(_, query)| query)
            .to_owned(),
        body: String::from_utf8(bytes[head_end..].to_vec()).ok()?,
    })
}

/// The location matters to whoever follows redirects.
pub(crate) async fn write_answer(stream: &mut TcpStream, status: &str, body: &str) {
    let head = format!(
        "HTTP/1.1 {status}\r\nlocation: /gateway.do\r\ncontent-type: text/html;charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // The client may have gone; then there is nobody to tell.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
}

async fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let read = stream.read_buf(bytes).await.ok()?;
    (read > 0).then_some(())
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes
        .windows(pattern.len())
        .position(|window| window == pattern)
}

fn content_length(head: &str) -> usize {
    let line = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length:")
            .map(str::to_owned)
    });
    line.map_or(0, |value| value.trim().parse().unwrap())
}
