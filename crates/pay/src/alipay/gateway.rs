//! The one address all calls go to: requests signed by us, replies signed by Alipay.
//!
//! Nothing of a reply is believed before its signature holds. Whatever goes wrong on the way is a [`UnknownCause`], since the
//! request may have been carried out all the same.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::certificate::Certificates;
use super::envelope::Envelope;
use super::keys::{Signer, Verifier};
use super::replies::{Head, ReplyStatus};
use super::{AlipaySettings, Trust};
use crate::form::Form;
use crate::{Refusal, SetupError, UnknownCause, clock};

/// The largest replies we ask for have two kilobytes.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// A gateway that cannot be reached in this time will not be reached by waiting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// RSA with SHA-256. The older `RSA`, with SHA-1, is not spoken.
pub(super) const SIGN_TYPE: &str = "RSA2";

#[derive(Debug)]
pub(super) struct Gateway {
    client: Client,
    url: Url,
    app_id: String,
    signer: Signer,
    pub(super) verifier: Verifier,
    pub(super) certificates: Option<Certificates>,
}

#[derive(Debug)]
pub(super) enum GatewayReply<T> {
    Done(T),
    Refused(Refusal),
}

impl Gateway {
    pub(super) fn new(settings: &AlipaySettings) -> Result<Self, SetupError> {
        let signer = Signer::parse(&settings.app_private_key)?;
        let (verifier, certificates) = trusted(&settings.trust, &signer)?;
        if signer.belongs_to(&verifier) {
            return Err(SetupError::OwnKeyAsAlipays);
        }
        Ok(Self {
            client: client(settings.timeout)?,
            url: secure(&settings.gateway)?,
            app_id: settings.app_id.clone(),
            signer,
            verifier,
            certificates,
        })
    }

    /// The address that shows a person the cashier; `None` if it could not be signed.
    pub(super) fn page(&self, request: Form) -> Option<String> {
        let mut url = self.url.clone();
        url.set_query(Some(&self.signed(request)?.encode()));
        Some(url.into())
    }

    pub(super) fn request(&self, method: &str, content: &impl Serialize, now: Timestamp) -> Form {
        let mut form = Form::default();
        form.set("app_id", &self.app_id)
            .set("method", method)
            .set("format", "JSON")
            .set("charset", "utf-8")
            .set("sign_type", SIGN_TYPE)
            .set("timestamp", clock::to_beijing(now))
            .set("version", "1.0")
            .set("biz_content", to_json(content));
        if let Some(certificates) = &self.certificates {
            form.set("app_cert_sn", &certificates.app_sn)
                .set("alipay_root_cert_sn", &certificates.alipay_root_sn);
        }
        form
    }

    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        content: &impl Serialize,
    ) -> Result<GatewayReply<T>, UnknownCause> {
        let request = self.request(method, content, Timestamp::now());
        let signed = self.signed(request).ok_or(UnknownCause::Unsent)?;
        let reply = self
            .client
            .post(self.url.clone())
            // The charset of a body is looked for in the address.
            .query(&[("charset", "utf-8")])
            .header(
                "content-type",
                "application/x-www-form-urlencoded;charset=utf-8",
            )
            .body(signed.encode())
            .send()
            .await
            .map_err(network)?;
        if reply.status() != reqwest::StatusCode::OK {
            return Err(UnknownCause::Status(reply.status().as_u16()));
        }
        let body = read_bounded(reply).await?;
        self.read(&body, method)
    }

    fn signed(&self, mut request: Form) -> Option<Form> {
        let signature = self.signer.sign(&request.request_content())?;
        request.sign(signature);
        Some(request)
    }

    fn read<T: DeserializeOwned>(
        &self,
        body: &str,
        method: &str,
    ) -> Result<GatewayReply<T>, UnknownCause> {
        let envelope = Envelope::parse(body, method)?;
        let head: Head =
            serde_json::from_str(envelope.node).map_err(|_| UnknownCause::Unreadable("no code"))?;
        let Some(signature) = &envelope.signature else {
            return Err(UnknownCause::Unsigned { code: head.label() });
        };
        self.check_certificate(envelope.certificate_sn.as_deref())?;
        if !self.verifier.is_genuine(envelope.node, signature) {
            return Err(UnknownCause::WrongSignature);
        }
        match head.verdict() {
            ReplyStatus::Done => serde_json::from_str(envelope.node)
                .map(GatewayReply::Done)
                .map_err(|_| UnknownCause::Unreadable("fields are missing or not understood")),
            ReplyStatus::Refused(refusal) => Ok(GatewayReply::Refused(refusal)),
            ReplyStatus::Undecided(code) => Err(UnknownCause::Provider { code }),
        }
    }

    /// Says which certificate is missing, instead of calling the signature wrong.
    fn check_certificate(&self, given: Option<&str>) -> Result<(), UnknownCause> {
        match (given, &self.certificates) {
            (Some(given), Some(known)) if given != known.alipay_sn => {
                let plain = given.chars().filter(char::is_ascii_hexdigit).take(32);
                Err(UnknownCause::UnknownCertificate(plain.collect()))
            }
            _ => Ok(()),
        }
    }
}

fn trusted(trust: &Trust, signer: &Signer) -> Result<(Verifier, Option<Certificates>), SetupError> {
    match trust {
        Trust::PublicKey { alipay_public_key } => Ok((Verifier::parse(alipay_public_key)?, None)),
        Trust::Certificates {
            app,
            alipay,
            alipay_root,
        } => {
            let certificates = Certificates::parse(app, alipay, alipay_root, signer)?;
            Ok((certificates.verifier.clone(), Some(certificates)))
        }
    }
}

fn client(timeout: Duration) -> Result<Client, SetupError> {
    // Does nothing where the process has chosen one already; without any, the client would panic.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .timeout(timeout)
        .connect_timeout(CONNECT_TIMEOUT)
        // A redirect would carry a signed request to an address nobody configured.
        .redirect(Policy::none())
        .build()
        .map_err(SetupError::Client)
}

/// In the clear only to this machine, where tests play Alipay.
fn secure(gateway: &str) -> Result<Url, SetupError> {
    let url = Url::parse(gateway).map_err(|_| SetupError::InsecureGateway)?;
    let is_local = matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_local => Ok(url),
        _ => Err(SetupError::InsecureGateway),
    }
}

async fn read_bounded(mut reply: Response) -> Result<String, UnknownCause> {
    let mut body = Vec::new();
    while let Some(chunk) = reply.chunk().await.map_err(network)? {
        if body.len() + chunk.len() > MAX_REPLY_BYTES {
            return Err(UnknownCause::TooLarge(MAX_REPLY_BYTES));
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| UnknownCause::Unreadable("not UTF-8"))
}

/// Without the address, which may hold what was asked.
fn network(error: reqwest::Error) -> UnknownCause {
    UnknownCause::Network(error.without_url())
}

fn to_json(content: &impl Serialize) -> String {
    serde_json::to_string(content).expect("a structure of texts is JSON")
}
