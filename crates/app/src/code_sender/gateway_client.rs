//! Calls of a gateway over HTTP, within bounds: one origin, no redirects, limited time and answers.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::{SenderError, SenderName};

/// The largest answers we ask for have a few kilobytes.
const ANSWER_MAX_BYTES: usize = 64 * 1024;

/// A gateway that cannot be reached in this time will not be reached by waiting. Until then the next one is sure to be
/// the only one that gets the message.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct GatewayClient {
    gateway: SenderName,
    client: Client,
    origin: String,
}

#[derive(Debug)]
pub(super) struct GatewayAnswer {
    pub(super) status: StatusCode,
    pub(super) body: String,
}

impl GatewayClient {
    /// `origin` is `https://host` or `https://host:port`.
    pub(super) fn new(
        gateway: SenderName,
        origin: String,
        timeout: Duration,
    ) -> Result<Self, SenderError> {
        let client = Client::builder()
            .timeout(timeout)
            .connect_timeout(CONNECT_TIMEOUT.min(timeout))
            // A redirect would carry the code to an address nobody configured.
            .redirect(Policy::none())
            .build()
            .map_err(|source| SenderError::GatewayClient { gateway, source })?;
        Ok(Self {
            gateway,
            client,
            origin,
        })
    }

    /// What the `Host` header says, which signatures cover.
    pub(super) fn host(&self) -> &str {
        self.origin
            .split_once("://")
            .map_or(&*self.origin, |(_, host)| host)
    }

    /// `query` is encoded already, as it was signed.
    pub(super) async fn post<const N: usize>(
        &self,
        query: &str,
        headers: [(&'static str, String); N],
        body: String,
    ) -> Result<GatewayAnswer, SenderError> {
        let mut url = Url::parse(&self.origin).expect("the settings admit origins only");
        url.set_query((!query.is_empty()).then_some(query));
        let mut request = self.client.post(url).body(body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = request.send().await.map_err(|error| self.failed(error))?;
        self.read(answer).await
    }

    async fn read(&self, mut answer: Response) -> Result<GatewayAnswer, SenderError> {
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| self.failed(error))? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(self.unreadable(status));
            }
            body.extend_from_slice(&chunk);
        }
        let body = String::from_utf8(body).map_err(|_| self.unreadable(status))?;
        Ok(GatewayAnswer { status, body })
    }

    pub(super) fn unreadable(&self, status: StatusCode) -> SenderError {
        SenderError::GatewayAnswerUnreadable {
            gateway: self.gateway,
            status,
        }
    }

    /// Without the address, which holds the number and the code.
    fn failed(&self, error: reqwest::Error) -> SenderError {
        SenderError::GatewayCall {
            gateway: self.gateway,
            source: error.without_url(),
        }
    }
}
