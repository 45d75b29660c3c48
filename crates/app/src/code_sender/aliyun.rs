//! Sends codes by Aliyun SMS (`dysmsapi`, version 2017-05-25).
//!
//! Parameters travel in the query, the body is empty. Every call has a time and a nonce of its own, so a copied call is
//! refused; a call that failed is never repeated here.

mod answers;
mod signature;

use std::time::Duration;

use domain::Phone;
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::gateway_client::{GatewayAnswer, GatewayClient};
use super::gateway_fault::{GatewayFault, GatewayRefusal};
use super::review::{ItemState, ReviewedItem};
use super::{CodeMessage, Delivery, SenderError, SenderName};
use answers::{Head, SignAnswer, TemplateAnswer};
use signature::AcsRequest;

const NAME: SenderName = SenderName::Aliyun;
const VERSION: &str = "2017-05-25";

#[derive(Clone, Debug)]
pub struct AliyunSettings {
    /// `https://dysmsapi.aliyuncs.com`.
    pub endpoint: String,
    pub access_key_id: SecretString,
    pub access_key_secret: SecretString,
    pub sign_name: String,
    pub template_code: String,
    /// The template's variable for the code.
    pub code_param: String,
    /// The template's variable for the minutes that the code is good for, if it has one.
    pub minutes_param: Option<String>,
    pub timeout: Duration,
}

#[derive(Debug)]
pub struct Aliyun {
    client: GatewayClient,
    settings: AliyunSettings,
}

impl Aliyun {
    pub fn new(settings: AliyunSettings) -> Result<Self, SenderError> {
        let client = GatewayClient::new(NAME, settings.endpoint.clone(), settings.timeout)?;
        Ok(Self { client, settings })
    }

    pub(super) async fn send(
        &self,
        phone: &Phone,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let variables = self.variables(message);
        let params = [
            ("PhoneNumbers", phone.as_str()),
            ("SignName", &self.settings.sign_name),
            ("TemplateCode", &self.settings.template_code),
            ("TemplateParam", &variables),
        ];
        match self.call::<Head>("SendSms", &params).await {
            Ok(_) => Ok(Delivery::Sent),
            Err(SenderError::GatewayRefused(GatewayRefusal {
                fault: GatewayFault::Number(refusal),
                ..
            })) => Ok(Delivery::Refused(refusal)),
            Err(error) => Err(error),
        }
    }

    /// Values must be texts: numbers are refused.
    fn variables(&self, message: &CodeMessage<'_>) -> String {
        let settings = &self.settings;
        let mut variables = Map::new();
        variables.insert(settings.code_param.clone(), message.code.as_str().into());
        if let Some(minutes) = &settings.minutes_param {
            variables.insert(minutes.clone(), message.minutes().to_string().into());
        }
        Value::Object(variables).to_string()
    }

    /// The states of sign and template. A key that is accepted is needed to read them.
    pub(super) async fn review(&self) -> Result<Vec<(ReviewedItem, ItemState)>, SenderError> {
        let settings = &self.settings;
        let sign = [("SignName", settings.sign_name.as_str())];
        let sign = self.call::<SignAnswer>("QuerySmsSign", &sign).await;
        let sign = found(sign, GatewayFault::Sign)?;
        let template = [("TemplateCode", settings.template_code.as_str())];
        let template = self.call::<TemplateAnswer>("QuerySmsTemplate", &template);
        let template = found(template.await, GatewayFault::Template)?;
        let params = || std::iter::once(&settings.code_param).chain(&settings.minutes_param);
        Ok(vec![
            (
                ReviewedItem::Sign,
                sign.map_or(ItemState::Missing, |sign| sign.state()),
            ),
            (
                ReviewedItem::Template,
                template.map_or(ItemState::Missing, |template| template.state(params())),
            ),
        ])
    }

    async fn call<T: DeserializeOwned>(
        &self,
        action: &str,
        params: &[(&str, &str)],
    ) -> Result<T, SenderError> {
        let query = signature::canonical_query(params);
        let request = AcsRequest {
            host: self.client.host(),
            action,
            version: VERSION,
            date: &Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            nonce: &uuid::Uuid::new_v4().simple().to_string(),
            query: &query,
            body: "",
        };
        let authorization = request.authorization(
            self.settings.access_key_id.expose_secret(),
            self.settings.access_key_secret.expose_secret(),
        );
        let headers = [
            ("authorization", authorization),
            ("x-acs-action", action.to_owned()),
            ("x-acs-content-sha256", request.body_hash()),
            ("x-acs-date", request.date.to_owned()),
            ("x-acs-signature-nonce", request.nonce.to_owned()),
            ("x-acs-version", VERSION.to_owned()),
        ];
        let answer = self.client.post(&query, headers, String::new()).await?;
        self.read(&answer)
    }

    /// Refusals come with any status: those of the service with 200, those of the front door with 4xx.
    fn read<T: DeserializeOwned>(&self, answer: &GatewayAnswer) -> Result<T, SenderError> {
        let unreadable = |_| self.client.unreadable(answer.status);
        let head: Head = serde_json::from_str(&answer.body).map_err(unreadable)?;
        if head.code != "OK" || !answer.status.is_success() {
            return Err(SenderError::GatewayRefused(head.refusal(answer.status)));
        }
        serde_json::from_str(&answer.body).map_err(unreadable)
    }
}

/// `None` if the gateway says that there is no such item.
fn found<T>(
    answer: Result<T, SenderError>,
    missing: GatewayFault,
) -> Result<Option<T>, SenderError> {
    match answer {
        Ok(item) => Ok(Some(item)),
        Err(SenderError::GatewayRefused(refusal)) if refusal.fault == missing => Ok(None),
        Err(error) => Err(error),
    }
}
