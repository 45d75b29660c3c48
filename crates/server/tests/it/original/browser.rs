//! The original's `common.js`: what its axios puts into every request, and what its pages make of a reply.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, HttpReply};

use super::shape::{Shape, check_reply};

/// One tab of a browser at the original's pages.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    client: Client,
    /// What stands before the paths of the back end: `/api` through its nginx, nothing without.
    prefix: &'static str,
}

/// As axios 0.18 sends it.
const JSON: &str = "application/json;charset=utf-8";

impl Browser {
    pub(crate) fn open(url: String, prefix: &'static str) -> Self {
        let client = Client::new(url)
            .with_header("accept", "application/json, text/plain, */*")
            .with_header("accept-language", "en-US,en;q=0.9")
            // The page's own host, which its nginx does not pass on.
            .with_header("origin", "http://192.168.150.101:8080")
            .with_header("referer", "http://192.168.150.101:8080/");
        Self { client, prefix }
    }

    /// `login.html`: a code, then the token, which every later request carries as it is.
    pub(crate) async fn sign_in(&mut self, phone: &str) {
        let sent = self.post(&format!("/user/code?phone={phone}")).await;
        let code = sent.data()["demoCode"].clone();
        let login = self.post_json("/user/login", json!({"phone": phone, "code": code}));
        let reply = login.await;
        check_reply(&reply, &Shape::Text);
        assert_eq!(reply.header("content-type"), "application/json");
        *self = self.clone().with_token(reply.data().as_str().unwrap());
    }

    /// By other connections, such as those that trust an authority of a test.
    pub(crate) fn over(mut self, http: reqwest::Client) -> Self {
        self.client = self.client.by(http);
        self
    }

    pub(crate) fn with_token(mut self, token: &str) -> Self {
        self.client = self.client.with_token(token);
        self
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::GET, path, None)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::POST, path, None)
    }

    #[track_caller]
    pub(crate) fn put(&self, path: &str) -> impl Future<Output = HttpReply> {
        self.send(Method::PUT, path, None)
    }

    #[track_caller]
    pub(crate) fn post_json(&self, path: &str, body: Value) -> impl Future<Output = HttpReply> {
        self.send(Method::POST, path, Some((JSON, body.to_string().into())))
    }

    /// A form with one picture, as its upload component sends it.
    #[track_caller]
    pub(crate) fn upload(&self, file: &[u8]) -> impl Future<Output = HttpReply> {
        let mut form =
            b"--between\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\
            content-type: image/jpeg\r\n\r\n"
                .to_vec();
        form.extend_from_slice(file);
        form.extend_from_slice(b"\r\n--between--\r\n");
        let media = "multipart/form-data; boundary=between";
        self.send(Method::POST, "/upload/blog", Some((media, form)))
    }

    #[track_caller]
    pub(crate) fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<(&'static str, Vec<u8>)>,
    ) -> impl Future<Output = HttpReply> {
        let path = format!("{}{path}", self.prefix);
        let client = self.client.clone();
        async move { client.send(method, &path, body).await }
    }
}
