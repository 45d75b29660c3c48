//! A client that sends what it is told to send. Connections are kept, because a server that misjudges the end of one
//! request answers the next one wrongly.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, Uri};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// The server's own limit on a request is shorter, so only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(20);
/// Above every reply of ours; a reply without end fails here.
const REPLY_MAX_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct Wire {
    address: SocketAddr,
    kept: Option<SendRequest<Body>>,
}

/// A request, ready to go as often as needed.
#[derive(Clone, Debug)]
pub(super) struct RawRequest {
    pub(super) method: Method,
    pub(super) target: Uri,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

#[derive(Debug)]
pub(super) struct RawReply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Wire {
    pub(super) fn to(address: SocketAddr) -> Self {
        Self {
            address,
            kept: None,
        }
    }

    /// The answer, or in words why there is none.
    pub(super) async fn send(&mut self, request: &RawRequest) -> Result<RawReply, String> {
        let sent = tokio::time::timeout(PATIENCE, self.send_unbounded(request)).await;
        sent.unwrap_or_else(|_| Err(format!("no answer within {PATIENCE:?}")))
    }

    async fn send_unbounded(&mut self, request: &RawRequest) -> Result<RawReply, String> {
        if let Some(kept) = self.kept.take() {
            // A server may hang up between two requests; only a fresh connection owes an answer.
            if let Ok(answer) = self.exchange(kept, request).await {
                return Ok(answer);
            }
        }
        let fresh = self.dial().await;
        self.exchange(fresh, request)
            .await
            .map_err(|error| format!("{error:?}"))
    }

    async fn dial(&self) -> SendRequest<Body> {
        let stream = TcpStream::connect(self.address)
            .await
            .expect("the server listens");
        let (sender, connection) = handshake(TokioIo::new(stream))
            .await
            .expect("HTTP/1.1 needs no greeting");
        tokio::spawn(connection);
        sender
    }

    async fn exchange(
        &mut self,
        mut connection: SendRequest<Body>,
        request: &RawRequest,
    ) -> Result<RawReply, axum::Error> {
        connection.ready().await.map_err(axum::Error::new)?;
        let response = connection.send_request(request.request()).await;
        let (head, body) = response.map_err(axum::Error::new)?.into_parts();
        let body = to_bytes(Body::new(body), REPLY_MAX_BYTES).await?;
        self.kept = Some(connection);
        Ok(RawReply {
            status: head.status,
            headers: head.headers,
            body,
        })
    }
}

impl RawRequest {
    fn request(&self) -> Request<Body> {
        let mut request = Request::new(Body::from(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.target.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}
