//! A person at a browser or a script, as the server sees them.

use std::panic::Location;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::Value;

/// Sends requests as one person. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    base: String,
    http: reqwest::Client,
    headers: HeaderMap,
}

/// A reply with its whole body.
#[derive(Clone, Debug)]
pub struct HttpReply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Client {
    pub fn new(base: String) -> Self {
        // A second call changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a plain client can be built");
        Self {
            base,
            http,
            headers: HeaderMap::new(),
        }
    }

    /// As [`Client::new`], with connections of the caller's making.
    pub fn over(base: String, http: reqwest::Client) -> Self {
        Self {
            base,
            http,
            headers: HeaderMap::new(),
        }
    }

    /// The same person's requests by other connections.
    pub fn by(mut self, http: reqwest::Client) -> Self {
        self.http = http;
        self
    }

    pub fn with_token(self, token: impl AsRef<str>) -> Self {
        self.with_header("authorization", token.as_ref())
    }

    /// The same person's requests with one more header.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("a header name");
        let value: HeaderValue = value.parse().expect("a header value");
        self.headers.insert(name, value);
        self
    }

    /// The same session on another server of the site.
    pub fn at(mut self, base: String) -> Self {
        self.base = base;
        self
    }

    /// The token this person signed in with.
    pub fn token(&self) -> &str {
        let header = self.headers.get("authorization");
        header
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::GET, path, None)
    }

    #[track_caller]
    pub fn post(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::POST, path, None)
    }

    #[track_caller]
    pub fn post_json(&self, path: &str, body: &Value) -> impl Future<Output = HttpReply> {
        self.send(Method::POST, path, Some(json(body)))
    }

    #[track_caller]
    pub fn put_json(&self, path: &str, body: &Value) -> impl Future<Output = HttpReply> {
        self.send(Method::PUT, path, Some(json(body)))
    }

    #[track_caller]
    pub fn delete(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::DELETE, path, None)
    }

    /// Sends anything; `body` is a content type and bytes. A failure names the line of the test.
    #[track_caller]
    pub fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
    ) -> impl Future<Output = HttpReply> {
        let caller = Location::caller();
        async move {
            let sent = self.try_send(method, path, body).await;
            sent.unwrap_or_else(|error| panic!("{caller}: {path}: {error:?}"))
        }
    }

    /// As [`Client::send`], for tests in which a connection may break.
    pub async fn try_send(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
    ) -> reqwest::Result<HttpReply> {
        let url = format!("{}{path}", self.base);
        let mut request = self.http.request(method, url).headers(self.headers.clone());
        if let Some((content_type, bytes)) = body {
            request = request.header("content-type", content_type).body(bytes);
        }
        let response = request.send().await?;
        Ok(HttpReply {
            status: response.status(),
            headers: response.headers().clone(),
            text: response.text().await?,
        })
    }
}

fn json(body: &Value) -> (&'static str, Vec<u8>) {
    ("application/json", body.to_string().into_bytes())
}

impl HttpReply {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error} in {} {:?}", self.status, self.text))
    }

    /// The `data` of a successful envelope; null when absent.
    #[track_caller]
    pub fn data(&self) -> Value {
        let json = self.json();
        assert_eq!(json["success"], true, "{} {json}", self.status);
        json["data"].clone()
    }

    /// The `code` of a failure.
    #[track_caller]
    pub fn code(&self) -> String {
        let json = self.json();
        assert_eq!(json["success"], false, "{} {json}", self.status);
        json["code"]
            .as_str()
            .expect("a failure has a code")
            .to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        let header = self.headers.get(name);
        header
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}
