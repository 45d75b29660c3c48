//! Sends codes by Tencent Cloud SMS (version 2021-01-11).
//!
//! One number a call. The answer has an error of the whole call, or a status for the number; both come with HTTP 200.

mod answers;
mod signature;

use std::time::Duration;

use domain::Phone;
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::gateway_client::{GatewayAnswer, GatewayClient};
use super::gateway_fault::GatewayFault;
use super::review::{ItemState, ReviewedItem};
use super::{CodeMessage, Delivery, SenderError, SenderName};
use answers::{Answer, Envelope, SendAnswer, SignsAnswer, TemplatesAnswer};
use signature::{CONTENT_TYPE, Tc3Request};

const NAME: SenderName = SenderName::Tencent;
const VERSION: &str = "2021-01-11";

/// Mainland messages, in the words of the API.
const MAINLAND: u8 = 0;

#[derive(Clone, Debug)]
pub struct TencentSettings {
    /// `https://sms.tencentcloudapi.com`.
    pub endpoint: String,
    pub region: String,
    pub secret_id: SecretString,
    pub secret_key: SecretString,
    pub sdk_app_id: String,
    pub sign_name: String,
    /// The sign's number, by which alone the gateway tells its state.
    pub sign_id: Option<u64>,
    pub template_id: u64,
    /// What fills the template's `{1}`, `{2}` …
    pub params: Vec<TencentParam>,
    pub timeout: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TencentParam {
    Code,
    /// How long the code is good for.
    Minutes,
}

#[derive(Debug)]
pub struct Tencent {
    client: GatewayClient,
    settings: TencentSettings,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct SendRequest<'a> {
    phone_number_set: [String; 1],
    sms_sdk_app_id: &'a str,
    sign_name: &'a str,
    template_id: String,
    template_param_set: Vec<String>,
}

impl Tencent {
    pub fn new(settings: TencentSettings) -> Result<Self, SenderError> {
        let client = GatewayClient::new(NAME, settings.endpoint.clone(), settings.timeout)?;
        Ok(Self { client, settings })
    }

    pub(super) async fn send(
        &self,
        phone: &Phone,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let settings = &self.settings;
        let fill = |param: &TencentParam| match param {
            TencentParam::Code => message.code.as_str().to_owned(),
            TencentParam::Minutes => message.minutes().to_string(),
        };
        let request = SendRequest {
            phone_number_set: [phone.e164()],
            sms_sdk_app_id: &settings.sdk_app_id,
            sign_name: &settings.sign_name,
            template_id: settings.template_id.to_string(),
            template_param_set: settings.params.iter().map(fill).collect(),
        };
        let sent = self.call::<SendAnswer>("SendSms", &request).await;
        let refusal = match sent {
            Ok((answer, status)) => match answer.number_refusal() {
                None => return Err(self.client.unreadable(status)),
                Some(Ok(())) => return Ok(Delivery::Sent),
                Some(Err(refusal)) => refusal,
            },
            Err(SenderError::GatewayRefused(refusal)) => refusal,
            Err(error) => return Err(error),
        };
        match refusal.fault {
            GatewayFault::Number(refusal) => Ok(Delivery::Refused(refusal)),
            _ => Err(SenderError::GatewayRefused(refusal)),
        }
    }

    /// The states of sign and template. A key that is accepted is needed to read them.
    pub(super) async fn review(&self) -> Result<Vec<(ReviewedItem, ItemState)>, SenderError> {
        let settings = &self.settings;
        let ids = json!({ "International": MAINLAND, "TemplateIdSet": [settings.template_id] });
        let (templates, _) = self
            .call::<TemplatesAnswer>("DescribeSmsTemplateList", &ids)
            .await?;
        let template = templates.state(settings.template_id, settings.params.len());
        let sign = match settings.sign_id {
            None => ItemState::NotNamed,
            Some(id) => {
                let ids = json!({ "International": MAINLAND, "SignIdSet": [id] });
                let (signs, _) = self
                    .call::<SignsAnswer>("DescribeSmsSignList", &ids)
                    .await?;
                signs.state(id, &settings.sign_name)
            }
        };
        Ok(vec![
            (ReviewedItem::Sign, sign),
            (ReviewedItem::Template, template),
        ])
    }

    async fn call<T: DeserializeOwned>(
        &self,
        action: &str,
        request: &impl Serialize,
    ) -> Result<(T, reqwest::StatusCode), SenderError> {
        let body = serde_json::to_string(request).expect("a structure of texts is JSON");
        let signed = Tc3Request {
            host: self.client.host(),
            action,
            at: Timestamp::now(),
            body: &body,
        };
        let authorization = signed.authorization(
            self.settings.secret_id.expose_secret(),
            self.settings.secret_key.expose_secret(),
        );
        let headers = [
            ("authorization", authorization),
            ("content-type", CONTENT_TYPE.to_owned()),
            ("x-tc-action", action.to_owned()),
            ("x-tc-timestamp", signed.at.as_second().to_string()),
            ("x-tc-version", VERSION.to_owned()),
            ("x-tc-region", self.settings.region.clone()),
        ];
        let answer = self.client.post("", headers, body).await?;
        Ok((self.read(&answer)?, answer.status))
    }

    fn read<T: DeserializeOwned>(&self, answer: &GatewayAnswer) -> Result<T, SenderError> {
        let unreadable = |_| self.client.unreadable(answer.status);
        let envelope: Envelope<T> = serde_json::from_str(&answer.body).map_err(unreadable)?;
        match envelope.response {
            Answer::Refused { error, request_id } => {
                Err(SenderError::GatewayRefused(error.refusal(&request_id)))
            }
            Answer::Done(_) if !answer.status.is_success() => {
                Err(self.client.unreadable(answer.status))
            }
            Answer::Done(answer) => Ok(answer),
        }
    }
}
