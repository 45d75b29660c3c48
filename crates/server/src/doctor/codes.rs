//! Checks the senders of sign-in codes: credentials, and what the gateways must have approved. Sends nothing.

use app::{
    GatewayFault, GatewayRefusal, ItemState, Review, ReviewedItem, SenderError, SenderName,
    SenderReview,
};

use super::Finding;
use crate::settings::Settings;
use crate::startup;

pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let sender = match startup::code_sender(settings) {
        Ok(sender) => sender,
        Err(error) => {
            let text = format!("sign-in codes cannot be sent: {error:#}");
            return vec![Finding::problem(text, "correct the settings below [code]")];
        }
    };
    let reviews = sender.review().await.into_iter();
    reviews.flat_map(findings).collect()
}

fn findings(SenderReview { sender, outcome }: SenderReview) -> Vec<Finding> {
    match outcome {
        Ok(Review::WouldSend) => {
            let text = format!("codes by {sender}: not called, because it would send a message");
            vec![Finding::ok(text)]
        }
        Ok(Review::Accepted(items)) => {
            let accepted = Finding::ok(format!("codes by {sender}: the credentials are accepted"));
            let items = items.into_iter();
            let items = items.map(|(item, state)| reviewed(sender, item, state));
            std::iter::once(accepted).chain(items).collect()
        }
        Err(error) => vec![failed(sender, &error)],
    }
}

fn reviewed(sender: SenderName, item: ReviewedItem, state: ItemState) -> Finding {
    let (what, key) = match (sender, item) {
        (SenderName::Tencent, ReviewedItem::Sign) => ("sign", "code.tencent.sign_name and sign_id"),
        (SenderName::Tencent, ReviewedItem::Template) => ("template", "code.tencent.template_id"),
        (_, ReviewedItem::Sign) => ("sign", "code.aliyun.sign_name"),
        (_, ReviewedItem::Template) => ("template", "code.aliyun.template_code"),
    };
    let text = |is: &str| format!("codes by {sender}: the {what} {is}");
    match state {
        ItemState::Approved => Finding::ok(text("is approved")),
        ItemState::UnderReview => Finding::problem(
            text("is under review, and nothing is sent before"),
            "wait for the approval in the console",
        ),
        ItemState::Rejected => Finding::problem(
            text("was rejected or cancelled"),
            "read the reason in the console, and apply for it again",
        ),
        ItemState::Missing => Finding::problem(
            text("is not one of this account"),
            format!("set {key} as the console shows it"),
        ),
        ItemState::OtherVariables => Finding::problem(
            text("has other variables than the settings fill"),
            variables_advice(sender),
        ),
        ItemState::NotNamed => Finding::warning(
            text("was not looked up, for lack of its number"),
            "set code.tencent.sign_id as the console shows it",
        ),
    }
}

fn variables_advice(sender: SenderName) -> &'static str {
    match sender {
        SenderName::Tencent => "make code.tencent.params say what fills {1}, {2} …",
        _ => "set code.aliyun.code_param and minutes_param to the names in ${…}",
    }
}

fn failed(sender: SenderName, error: &SenderError) -> Finding {
    let text = format!("codes by {sender}: {}", with_causes(error));
    match error {
        SenderError::GatewayRefused(refusal) => refused(text, refusal),
        SenderError::MailRefused(_) => Finding::problem(
            text,
            "check user and password in code.smtp.url, and that the server lets them log in",
        ),
        _ if sender == SenderName::Smtp => Finding::problem(
            text,
            "check host, port and TLS in code.smtp.url, and that this machine may reach it",
        ),
        _ => Finding::problem(
            text,
            format!("check code.{sender}.endpoint, and that this machine may reach it"),
        ),
    }
}

fn refused(text: String, refusal: &GatewayRefusal) -> Finding {
    let gateway = refusal.gateway;
    let (id, secret, policy) = match gateway {
        SenderName::Tencent => ("secret_id", "secret_key", "QcloudSMSReadOnlyAccess"),
        _ => (
            "access_key_id",
            "access_key_secret",
            "AliyunDysmsReadOnlyAccess",
        ),
    };
    let advice = match refusal.fault {
        GatewayFault::KeyId => {
            format!("set code.{gateway}.{id} to a key that exists and is enabled")
        }
        GatewayFault::KeySecret => {
            format!("set code.{gateway}.{secret} to the secret of that key")
        }
        GatewayFault::Clock => "set this machine's clock, by NTP".to_owned(),
        // The signature was accepted; sending may be allowed all the same.
        GatewayFault::Permission => {
            let advice = format!("allow the key to look (policy {policy}), or see the console");
            return Finding::warning(text, advice);
        }
        GatewayFault::Account => "charge or activate the account in the console".to_owned(),
        GatewayFault::Quota => {
            return Finding::warning(text, "try again later, or raise the limit in the console");
        }
        GatewayFault::App => format!("set code.{gateway}.sdk_app_id to an app of this account"),
        GatewayFault::Sign | GatewayFault::Template => "see the console for its state".to_owned(),
        GatewayFault::Outage => {
            return Finding::warning(text, "try again later, and look at the provider's status");
        }
        GatewayFault::Number(_) | GatewayFault::Other => {
            "look the code up in the provider's list of errors".to_owned()
        }
    };
    Finding::problem(text, advice)
}

fn with_causes(error: &SenderError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}
