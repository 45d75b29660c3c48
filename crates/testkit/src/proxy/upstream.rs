//! Where a proxy forwards to: a TCP address or a unix socket.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

/// The server behind a [`FaultProxy`](crate::FaultProxy).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upstream {
    /// `host:port`.
    Tcp(String),
    /// The path of a unix socket.
    Unix(PathBuf),
}

pub(super) type ReadHalf = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type WriteHalf = Box<dyn AsyncWrite + Send + Unpin>;

impl Upstream {
    pub(super) async fn connect(&self) -> std::io::Result<(ReadHalf, WriteHalf)> {
        match self {
            Self::Tcp(addr) => {
                let stream = TcpStream::connect(addr).await?;
                stream.set_nodelay(true)?;
                let (read, write) = stream.into_split();
                Ok((Box::new(read), Box::new(write)))
            }
            Self::Unix(path) => {
                let (read, write) = UnixStream::connect(path).await?.into_split();
                Ok((Box::new(read), Box::new(write)))
            }
        }
    }
}

impl From<&str> for Upstream {
    /// An absolute path is a unix socket, anything else `host:port`.
    fn from(text: &str) -> Self {
        if text.starts_with('/') {
            Self::Unix(text.into())
        } else {
            Self::Tcp(text.to_owned())
        }
    }
}

impl From<String> for Upstream {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<SocketAddr> for Upstream {
    fn from(addr: SocketAddr) -> Self {
        Self::Tcp(addr.to_string())
    }
}

impl From<PathBuf> for Upstream {
    fn from(path: PathBuf) -> Self {
        Self::Unix(path)
    }
}
