//! Sends codes through the operator's webhook: a signed request to a configured URL.
//!
//! The header `x-tandian-signature: t=<unix seconds>,v1=<hex>` carries the HMAC-SHA-256 of `<t>.<body>` under the
//! shared secret, so the receiver can tell that the call is ours and fresh. `id` names the call in the receiver's log.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;

use super::digest::{hex, hmac_sha256};
use super::{CodeMessage, SenderError};
use crate::Language;

#[derive(Clone)]
pub struct Webhook {
    client: reqwest::Client,
    url: String,
    secret: SecretString,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: uuid::Uuid,
    kind: &'static str,
    to: &'a str,
    code: &'a str,
    ttl_secs: u64,
    language: &'static str,
}

impl Webhook {
    pub fn new(url: String, secret: SecretString, timeout: Duration) -> Result<Self, SenderError> {
        let client = reqwest::Client::builder()
            .timeout(timeout)
            // A redirect would carry the code to an address nobody configured.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(SenderError::Webhook)?;
        Ok(Self {
            client,
            url,
            secret,
        })
    }

    /// `kind` is what the contact `to` is.
    pub(super) async fn send(
        &self,
        kind: &'static str,
        to: &str,
        message: &CodeMessage<'_>,
    ) -> Result<(), SenderError> {
        let body = Body {
            id: uuid::Uuid::new_v4(),
            kind,
            to,
            code: message.code.as_str(),
            ttl_secs: message.ttl.as_secs(),
            language: match message.language {
                Language::Chinese => "zh-CN",
                Language::English => "en",
            },
        };
        let body = serde_json::to_string(&body).expect("a body of plain texts is JSON");
        let signature = sign(
            self.secret.expose_secret(),
            Timestamp::now().as_second(),
            &body,
        );
        let answer = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .header("x-tandian-signature", signature)
            .body(body)
            .send()
            .await
            // The address may hold a key of the operator's.
            .map_err(|error| SenderError::Webhook(error.without_url()))?;
        let status = answer.status();
        if status.is_success() {
            Ok(())
        } else {
            Err(SenderError::WebhookRefused(status))
        }
    }
}

fn sign(secret: &str, at_secs: i64, body: &str) -> String {
    let digest = hex(&hmac_sha256(
        secret.as_bytes(),
        &format!("{at_secs}.{body}"),
    ));
    format!("t={at_secs},v1={digest}")
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with `printf '1700000000.{}' | openssl dgst -sha256 -hmac key`.
    #[test]
    fn the_signature_can_be_checked_by_other_tools() {
        assert_eq!(
            sign("key", 1_700_000_000, "{}"),
            "t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae"
        );
    }
}
