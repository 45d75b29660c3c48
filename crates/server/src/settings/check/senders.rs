//! Rules about the senders of sign-in codes: what each needs, and what a list of gateways must keep to.

use super::super::{
    Aliyun, Code, CodeSender, EmailSender, PhoneSender, Settings, Smtp, Tencent, TencentParam,
    Webhook,
};
use super::Complaint;

/// Tencent's templates for codes take numbers of up to six digits.
const TENCENT_CODE_MAX_LENGTH: usize = 6;

pub(super) fn complaints(settings: &Settings, found: &mut Vec<Complaint>) {
    let code = &settings.code;
    match code.sender {
        CodeSender::Demo => {}
        CodeSender::Smtp => smtp(&code.smtp, "code.sender = \"smtp\"", found),
        CodeSender::Webhook => webhook(&code.webhook, "code.sender = \"webhook\"", found),
        CodeSender::ByContact => return by_contact(settings, found),
    }
    let unused = "is used by code.sender = \"by_contact\" alone: set it, or leave this empty";
    if !code.phone.is_empty() {
        found.push(("code.phone", unused.to_owned()));
    }
    if code.email.is_some() {
        found.push(("code.email", unused.to_owned()));
    }
}

fn by_contact(settings: &Settings, found: &mut Vec<Complaint>) {
    let code = &settings.code;
    if code.phone.is_empty() && code.email.is_none() {
        let text = "by_contact needs code.phone, code.email or both";
        found.push(("code.sender", text.to_owned()));
    }
    let count = |sender| code.phone.iter().filter(|other| *other == sender).count();
    if code.phone.iter().any(|sender| count(sender) > 1) {
        found.push(("code.phone", "names a gateway twice".to_owned()));
    }
    if code.phone.contains(&PhoneSender::Aliyun) {
        aliyun(&code.aliyun, found);
    }
    if code.phone.contains(&PhoneSender::Tencent) {
        tencent(code, &code.tencent, found);
    }
    match code.email {
        Some(EmailSender::Smtp) => smtp(&code.smtp, "code.email = \"smtp\"", found),
        Some(EmailSender::Webhook) => webhook(&code.webhook, "code.email = \"webhook\"", found),
        None => {}
    }
    if code.phone.contains(&PhoneSender::Webhook) && code.email != Some(EmailSender::Webhook) {
        webhook(&code.webhook, "code.phone", found);
    }
    timeouts(settings, found);
}

/// Whoever asks for a code waits for every gateway that is silent.
fn timeouts(settings: &Settings, found: &mut Vec<Complaint>) {
    let code = &settings.code;
    let timeout_ms = |sender: &PhoneSender| match sender {
        PhoneSender::Aliyun => code.aliyun.timeout_ms,
        PhoneSender::Tencent => code.tencent.timeout_ms,
        PhoneSender::Webhook => code.webhook.timeout_ms,
    };
    let total_ms: u64 = code.phone.iter().map(timeout_ms).sum();
    if total_ms >= settings.http.request_timeout_secs * 1_000 {
        let text = format!(
            "may take {total_ms} ms, which http.request_timeout_secs cuts off: lower their timeout_ms"
        );
        found.push(("code.phone", text));
    }
}

fn smtp(smtp: &Smtp, by: &str, found: &mut Vec<Complaint>) {
    require(smtp.url.is_some(), "code.smtp.url", by, found);
    require(smtp.from.is_some(), "code.smtp.from", by, found);
}

fn webhook(webhook: &Webhook, by: &str, found: &mut Vec<Complaint>) {
    require(webhook.url.is_some(), "code.webhook.url", by, found);
    require(webhook.secret.is_some(), "code.webhook.secret", by, found);
}

fn aliyun(aliyun: &Aliyun, found: &mut Vec<Complaint>) {
    let needed = [
        ("code.aliyun.access_key_id", aliyun.access_key_id.is_some()),
        (
            "code.aliyun.access_key_secret",
            aliyun.access_key_secret.is_some(),
        ),
        ("code.aliyun.sign_name", aliyun.sign_name.is_some()),
        ("code.aliyun.template_code", aliyun.template_code.is_some()),
    ];
    for (key, is_set) in needed {
        require(is_set, key, "aliyun in code.phone", found);
    }
    if aliyun.minutes_param.as_ref() == Some(&aliyun.code_param) {
        let text = "must differ from code.aliyun.code_param";
        found.push(("code.aliyun.minutes_param", text.to_owned()));
    }
}

fn tencent(code: &Code, tencent: &Tencent, found: &mut Vec<Complaint>) {
    let needed = [
        ("code.tencent.secret_id", tencent.secret_id.is_some()),
        ("code.tencent.secret_key", tencent.secret_key.is_some()),
        ("code.tencent.sdk_app_id", tencent.sdk_app_id.is_some()),
        ("code.tencent.sign_name", tencent.sign_name.is_some()),
        ("code.tencent.template_id", tencent.template_id.is_some()),
    ];
    for (key, is_set) in needed {
        require(is_set, key, "tencent in code.phone", found);
    }
    let codes = tencent
        .params
        .iter()
        .filter(|it| **it == TencentParam::Code);
    if codes.count() != 1 {
        let text = "must hold \"code\" once: messages would lack the code";
        found.push(("code.tencent.params", text.to_owned()));
    }
    if code.letters {
        let text = "must be false for tencent in code.phone, whose templates take digits alone";
        found.push(("code.letters", text.to_owned()));
    }
    if code.length > TENCENT_CODE_MAX_LENGTH {
        let text = "must be 6 for tencent in code.phone, whose templates take no more";
        found.push(("code.length", text.to_owned()));
    }
}

fn require(is_set: bool, key: &'static str, by: &str, found: &mut Vec<Complaint>) {
    if !is_set {
        found.push((key, format!("is needed by {by}")));
    }
}
