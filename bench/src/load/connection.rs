//! One connection of the generator, and the little of HTTP that it understands.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::SocketAddr;

use anyhow::{Result, ensure};
use mio::net::TcpStream;
use mio::{Interest, Poll, Token};

use super::Answer;

/// What most replies fit into; it grows when one does not.
const REPLY_USUAL_BYTES: usize = 4 * 1024;
/// Replies of the scenarios are smaller; a larger one is a mistake.
const REPLY_MAX_BYTES: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    reply: Vec<u8>,
    filled: usize,
    /// What is in flight; empty when nothing is.
    request: Vec<u8>,
}

/// What there was to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Received {
    /// Nothing, or not all of an answer.
    Nothing,
    Whole(Answer),
    /// The other side closed the connection and had not begun to answer.
    Farewell,
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
            reply: vec![0; REPLY_USUAL_BYTES],
            filled: 0,
            request: Vec::new(),
        })
    }

    pub(super) fn send(&mut self, request: &[u8]) -> Result<()> {
        let written = self.stream.write(request)?;
        ensure!(written == request.len(), "a request did not fit the socket");
        self.request.clear();
        self.request.extend_from_slice(request);
        Ok(())
    }

    /// The request in flight, if repeating it is harmless.
    pub(super) fn take_repeatable(&mut self) -> Result<Vec<u8>> {
        let request = std::mem::take(&mut self.request);
        let is_repeatable = request.is_empty() || request.starts_with(b"GET ");
        ensure!(is_repeatable, "the connection ended before a reply did");
        Ok(request)
    }

    /// Readiness is edge-triggered, so everything available is read.
    pub(super) fn receive(&mut self) -> Result<Received> {
        loop {
            let read = match self.stream.read(&mut self.reply[self.filled..]) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
                Err(error) => return Err(error.into()),
            };
            if read == 0 {
                ensure!(self.filled == 0, "the connection ended within a reply");
                return Ok(Received::Farewell);
            }
            self.filled += read;
            if self.filled < self.reply.len() {
                break;
            }
            ensure!(self.filled < REPLY_MAX_BYTES, "a reply is too long");
            self.reply.resize(self.filled * 2, 0);
        }
        let Some(answer) = Answer::read(&self.reply[..self.filled])? else {
            return Ok(Received::Nothing);
        };
        self.filled = 0;
        self.request.clear();
        Ok(Received::Whole(answer))
    }
}
