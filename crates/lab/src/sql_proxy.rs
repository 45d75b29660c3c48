//! A proxy between processes and SQL that can lose one reply: [`SqlProxy`].
//!
//! Client and server alternate, so the bytes after a statement are its reply. Losing them is what happens when a connection
//! breaks at the wrong moment: SQL has executed the statement, and the client does not know it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

/// More than a statement or a small answer needs.
const CHUNK_BYTES: usize = 16 * 1024;

/// A packet begins with its length in three bytes and its number in the conversation; then comes the command.
const NUMBER_AT: usize = 3;
const COMMAND_AT: usize = 4;
const QUERY: u8 = 0x03;
const EXECUTE: u8 = 0x17;

/// Forwards everything until a loss is requested. Stops when dropped.
#[derive(Debug)]
pub(crate) struct SqlProxy {
    addr: SocketAddr,
    plan: Arc<Mutex<LossPlan>>,
    _door: AbortOnDropHandle<()>,
}

/// The statement whose answer is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostReply {
    ToCommit,
    ToAnotherStatement,
}

#[derive(Debug, Default)]
struct LossPlan {
    /// Statements that are still answered, if one is not to be.
    answered: Option<usize>,
    lost: Option<LostReply>,
}

impl SqlProxy {
    pub(crate) async fn open(server: String) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let addr = listener.local_addr()?;
        let plan = Arc::new(Mutex::default());
        let door = tokio::spawn(admit(listener, server, plan.clone()));
        Ok(Self {
            addr,
            plan,
            _door: AbortOnDropHandle::new(door),
        })
    }

    pub(crate) fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// So many statements are answered from here on, and the next one is not.
    pub(crate) fn lose_after(&self, answered: usize) {
        *self.plan() = LossPlan {
            answered: Some(answered),
            lost: None,
        };
    }

    /// Forwards everything from here on. Returns what was dropped, if anything.
    pub(crate) fn keep(&self) -> Option<LostReply> {
        std::mem::take(&mut *self.plan()).lost
    }

    fn plan(&self) -> std::sync::MutexGuard<'_, LossPlan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LossPlan {
    /// Whether the answer to this packet is the one to lose.
    fn takes(&mut self, packet: &[u8]) -> bool {
        let Some(answered) = self.answered.filter(|_| is_statement(packet)) else {
            return false;
        };
        self.answered = answered.checked_sub(1);
        if answered > 0 {
            return false;
        }
        let is_commit = &packet[COMMAND_AT + 1..] == b"COMMIT";
        self.lost = Some(if is_commit {
            LostReply::ToCommit
        } else {
            LostReply::ToAnotherStatement
        });
        true
    }
}

/// What a purchase does each time. What a new connection needs besides, preparing and settings, does not count, or the
/// number of a statement would depend on the age of its connection.
fn is_statement(packet: &[u8]) -> bool {
    let is_first = packet.get(NUMBER_AT) == Some(&0);
    is_first
        && match packet.get(COMMAND_AT) {
            Some(&EXECUTE) => true,
            Some(&QUERY) => !packet[COMMAND_AT + 1..].starts_with(b"SET "),
            _ => false,
        }
}

async fn admit(listener: TcpListener, server: String, plan: Arc<Mutex<LossPlan>>) {
    while let Ok((client, _)) = listener.accept().await {
        // A broken connection is closed on both sides; there is nobody to report it to.
        tokio::spawn(carry(client, server.clone(), plan.clone()));
    }
}

async fn carry(mut client: TcpStream, server: String, plan: Arc<Mutex<LossPlan>>) -> Result<()> {
    let mut server = TcpStream::connect(server).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut sent, mut answered) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    loop {
        tokio::select! {
            read = client.read(&mut sent) => {
                let packet = &sent[..read?];
                if packet.is_empty() {
                    return Ok(());
                }
                let is_last = plan.lock().unwrap_or_else(PoisonError::into_inner).takes(packet);
                server.write_all(packet).await?;
                if is_last {
                    // It is done when the server has answered.
                    let _swallowed = server.read(&mut answered).await?;
                    return Ok(());
                }
            }
            read = server.read(&mut answered) => {
                let answer = &answered[..read?];
                if answer.is_empty() {
                    return Ok(());
                }
                client.write_all(answer).await?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(command: u8, text: &str) -> Vec<u8> {
        let length = u8::try_from(text.len() + 1).unwrap();
        [&[length, 0, 0, 0, command], text.as_bytes()].concat()
    }

    #[test]
    fn the_answer_that_is_lost_is_the_one_after_so_many() {
        let mut plan = LossPlan {
            answered: Some(1),
            lost: None,
        };
        let (ping, prepare) = (packet(0x0e, ""), packet(0x16, "SELECT 1"));
        for other in [ping, prepare, packet(QUERY, "SET NAMES utf8mb4")] {
            assert!(
                !plan.takes(&other),
                "{other:?} is no statement of a purchase"
            );
        }
        assert!(!plan.takes(&packet(QUERY, "BEGIN")));
        assert!(plan.takes(&packet(QUERY, "COMMIT")));
        assert_eq!(plan.lost, Some(LostReply::ToCommit));
        assert!(!plan.takes(&packet(QUERY, "COMMIT")), "only one is lost");
    }

    #[test]
    fn without_a_plan_nothing_is_lost() {
        let mut plan = LossPlan::default();
        assert!(!plan.takes(&packet(QUERY, "COMMIT")));
        assert_eq!(plan.lost, None);
    }
}
