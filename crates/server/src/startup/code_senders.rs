//! Builds the senders of sign-in codes from the settings, which were checked together before.

use std::time::Duration;

use anyhow::Context as _;
use app::{
    Aliyun, AliyunSettings, CodeSender, ContactSenders, EmailSender, PhoneGateway, PhoneGateways,
    Smtp, Tencent, TencentParam, TencentSettings, Webhook,
};

use super::install_tls;
use crate::settings::{self, Code, PhoneSender, Settings};

pub(crate) fn code_sender(settings: &Settings) -> anyhow::Result<CodeSender> {
    install_tls();
    let code = &settings.code;
    let senders = match code.sender {
        settings::CodeSender::Demo => return Ok(CodeSender::Demo),
        settings::CodeSender::Smtp => ContactSenders {
            phone: None,
            email: Some(EmailSender::Smtp(smtp(&code.smtp)?)),
        },
        settings::CodeSender::Webhook => {
            let webhook = webhook(&code.webhook)?;
            ContactSenders {
                phone: PhoneGateways::new(vec![PhoneGateway::Webhook(webhook.clone())]),
                email: Some(EmailSender::Webhook(webhook)),
            }
        }
        settings::CodeSender::ByContact => by_contact(code)?,
    };
    Ok(CodeSender::ByContact(senders))
}

fn by_contact(code: &Code) -> anyhow::Result<ContactSenders> {
    let mut gateways = Vec::new();
    for sender in &code.phone {
        gateways.push(match sender {
            PhoneSender::Aliyun => PhoneGateway::Aliyun(aliyun(&code.aliyun)?),
            PhoneSender::Tencent => PhoneGateway::Tencent(tencent(&code.tencent)?),
            PhoneSender::Webhook => PhoneGateway::Webhook(webhook(&code.webhook)?),
        });
    }
    let email = match code.email {
        None => None,
        Some(settings::EmailSender::Smtp) => Some(EmailSender::Smtp(smtp(&code.smtp)?)),
        Some(settings::EmailSender::Webhook) => Some(EmailSender::Webhook(webhook(&code.webhook)?)),
    };
    Ok(ContactSenders {
        phone: PhoneGateways::new(gateways),
        email,
    })
}

fn smtp(smtp: &settings::Smtp) -> anyhow::Result<Smtp> {
    let url = needed(smtp.url.as_ref(), "code.smtp.url")?;
    let from = needed(smtp.from.as_deref(), "code.smtp.from")?;
    Ok(Smtp::new(url.expose(), from)?)
}

fn webhook(webhook: &settings::Webhook) -> anyhow::Result<Webhook> {
    let url = needed(webhook.url.as_ref(), "code.webhook.url")?;
    let secret = needed(webhook.secret.clone(), "code.webhook.secret")?;
    let timeout = Duration::from_millis(webhook.timeout_ms);
    Ok(Webhook::new(url.expose().to_owned(), secret, timeout)?)
}

fn aliyun(aliyun: &settings::Aliyun) -> anyhow::Result<Aliyun> {
    let key_id = aliyun.access_key_id.clone();
    let key_secret = aliyun.access_key_secret.clone();
    Ok(Aliyun::new(AliyunSettings {
        endpoint: aliyun.endpoint.clone(),
        access_key_id: needed(key_id, "code.aliyun.access_key_id")?,
        access_key_secret: needed(key_secret, "code.aliyun.access_key_secret")?,
        sign_name: needed(aliyun.sign_name.clone(), "code.aliyun.sign_name")?,
        template_code: needed(aliyun.template_code.clone(), "code.aliyun.template_code")?,
        code_param: aliyun.code_param.clone(),
        minutes_param: aliyun.minutes_param.clone(),
        timeout: Duration::from_millis(aliyun.timeout_ms),
    })?)
}

fn tencent(tencent: &settings::Tencent) -> anyhow::Result<Tencent> {
    let template_id = needed(tencent.template_id.as_deref(), "code.tencent.template_id")?;
    let sign_id = tencent.sign_id.as_deref().map(str::parse);
    let param = |param: &settings::TencentParam| match param {
        settings::TencentParam::Code => TencentParam::Code,
        settings::TencentParam::Minutes => TencentParam::Minutes,
    };
    Ok(Tencent::new(TencentSettings {
        endpoint: tencent.endpoint.clone(),
        region: tencent.region.clone(),
        secret_id: needed(tencent.secret_id.clone(), "code.tencent.secret_id")?,
        secret_key: needed(tencent.secret_key.clone(), "code.tencent.secret_key")?,
        sdk_app_id: needed(tencent.sdk_app_id.clone(), "code.tencent.sdk_app_id")?,
        sign_name: needed(tencent.sign_name.clone(), "code.tencent.sign_name")?,
        sign_id: sign_id.transpose().context("code.tencent.sign_id")?,
        template_id: template_id.parse().context("code.tencent.template_id")?,
        params: tencent.params.iter().map(param).collect(),
        timeout: Duration::from_millis(tencent.timeout_ms),
    })?)
}

fn needed<T>(value: Option<T>, key: &'static str) -> anyhow::Result<T> {
    value.with_context(|| format!("{key} is not set"))
}
