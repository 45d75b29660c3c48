//! One connection of the generator, and the little of HTTP that it understands.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use mio::net::TcpStream;
use mio::{Interest, Poll, Token};

use super::Answer;

/// Replies of the scenarios are smaller; a larger one is a mistake.
const REPLY_MAX_BYTES: usize = 16 * 1024;

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    reply: Vec<u8>,
    filled: usize,
}

impl Connection {
    /// Connected and registered under this number.
    pub(super) fn open(address: SocketAddr, poll: &Poll, number: usize) -> Result<Self> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry()
            .register(&mut stream, Token(number), Interest::READABLE)?;
        Ok(Self {
            stream,
            reply: vec![0; REPLY_MAX_BYTES],
            filled: 0,
        })
    }

    pub(super) fn send(&mut self, request: &[u8]) -> Result<()> {
        let written = self.stream.write(request)?;
        ensure!(written == request.len(), "a request did not fit the socket");
        Ok(())
    }

    /// The answer, if it is there as a whole.
    pub(super) fn receive(&mut self) -> Result<Option<Answer>> {
        let read = match self.stream.read(&mut self.reply[self.filled..]) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        ensure!(read > 0, "the connection ended in the middle of a reply");
        self.filled += read;
        let answer = read_reply(&self.reply[..self.filled])?;
        if answer.is_some() {
            self.filled = 0;
        }
        Ok(answer)
    }
}

fn read_reply(bytes: &[u8]) -> Result<Option<Answer>> {
    let Some(body_at) = end_of_head(bytes) else {
        return Ok(None);
    };
    let head = str::from_utf8(&bytes[..body_at])?;
    let length: usize = content_length(head).context("a reply without its length")?;
    let Some(body) = bytes.get(body_at..body_at + length) else {
        return Ok(None);
    };
    let status = head.get(9..12).context("a reply without a status")?;
    Ok(Some(Answer {
        status: status.parse()?,
        is_success: body.starts_with(br#"{"success":true"#),
        order: order_in(body),
    }))
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let found = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    found.map(|at| at + 4)
}

fn content_length(head: &str) -> Option<usize> {
    let (_, after) = head.split_once("content-length: ")?;
    let (length, _) = after.split_once("\r\n")?;
    length.parse().ok()
}

/// The id in `"data":"…"`.
fn order_in(body: &[u8]) -> Option<i64> {
    let (_, after) = str::from_utf8(body).ok()?.split_once(r#""data":""#)?;
    let (id, _) = after.split_once('"')?;
    id.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_read_when_all_of_it_is_there() {
        let reply =
            b"HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n{\"success\":true,\"data\":\"1234\"}";
        for part in 0..reply.len() {
            assert_eq!(read_reply(&reply[..part]).unwrap(), None);
        }
        let answer = Answer {
            status: 200,
            is_success: true,
            order: Some(1234),
        };
        assert_eq!(read_reply(reply).unwrap(), Some(answer));
    }
}
