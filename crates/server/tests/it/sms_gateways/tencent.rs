//! Tencent Cloud SMS, version 2021-01-11, as far as codes need it.

use serde_json::{Value, json};

use super::{Answer, Behaviour, GatewayState, KEY_ID, KEY_SECRET, RawRequest, SIGN, SentMessage};
use super::{hex, mac, part, sha256};

pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("code.tencent.secret_id", KEY_ID),
    ("code.tencent.secret_key", KEY_SECRET),
    ("code.tencent.sdk_app_id", APP),
    ("code.tencent.sign_name", SIGN),
    ("code.tencent.sign_id", "11"),
    ("code.tencent.template_id", "1110"),
    ("code.tencent.params", "code,minutes"),
];

const APP: &str = "1400006666";
const SIGN_ID: u64 = 11;
const TEMPLATE: &str = "1110";
const ALGORITHM: &str = "TC3-HMAC-SHA256";
const CLOCK_TOLERANCE_SECS: i64 = 5 * 60;

pub(super) fn answer(method: &str, request: &RawRequest, state: &mut GatewayState) -> Answer {
    let done = check(method, request, state).and_then(|()| act(request, state));
    let mut response = match done {
        Ok(None) => return None,
        Ok(Some(Value::Null)) => {
            state.answered.push("nonsense".to_owned());
            return Some((502, Value::Null));
        }
        Ok(Some(response)) => response,
        Err(code) => json!({ "Error": { "Code": code, "Message": format!("about {code}") } }),
    };
    let code = [
        &response["Error"]["Code"],
        &response["SendStatusSet"][0]["Code"],
    ]
    .into_iter()
    .find_map(Value::as_str);
    state.answered.push(code.unwrap_or("Ok").to_owned());
    response["RequestId"] = json!("a0aabda6-cf91-4f3e-a81f-9198114a2279");
    // Refusals are 200 too.
    Some((200, json!({ "Response": response })))
}

fn check(method: &str, request: &RawRequest, state: &GatewayState) -> Result<(), &'static str> {
    let authorization = request.header("authorization");
    let credential = part(authorization, "Credential");
    let Some((KEY_ID, scope)) = credential.split_once('/') else {
        return Err("AuthFailure.SecretIdNotFound");
    };
    let at_secs: i64 = request.header("x-tc-timestamp").parse().unwrap_or_default();
    if (at_secs - state.now_secs()).abs() > CLOCK_TOLERANCE_SECS {
        return Err("AuthFailure.SignatureExpire");
    }
    if signature(method, request, at_secs, scope) != part(authorization, "Signature")
        || !authorization.starts_with(&format!("{ALGORITHM} "))
    {
        return Err("AuthFailure.SignatureFailure");
    }
    if request.header("x-tc-version") != "2021-01-11" {
        return Err("NoSuchVersion");
    }
    if request.header("x-tc-region").is_empty() {
        return Err("MissingParameter");
    }
    Ok(())
}

/// The day of the scope is computed from the time that was signed, so neither can be changed alone.
fn signature(method: &str, request: &RawRequest, at_secs: i64, scope: &str) -> String {
    let at = jiff::Timestamp::from_second(at_secs).unwrap();
    let date = at.strftime("%F").to_string();
    if scope != format!("{date}/sms/tc3_request") {
        return "of another scope".to_owned();
    }
    let names = part(request.header("authorization"), "SignedHeaders");
    if !["content-type", "host", "x-tc-action"]
        .iter()
        .all(|name| names.split(';').any(|signed| signed == *name))
    {
        return "of too few headers".to_owned();
    }
    let headers = request.signed_lines(names, true);
    let (path, query, body) = (request.path(), request.query(), sha256(&request.body));
    let canonical = format!("{method}\n{path}\n{query}\n{headers}\n{names}\n{body}");
    let hash = sha256(canonical.as_bytes());
    let key = mac(format!("TC3{KEY_SECRET}").as_bytes(), &date);
    let key = mac(&mac(&key, "sms"), "tc3_request");
    hex(&mac(
        &key,
        &format!("{ALGORITHM}\n{at_secs}\n{scope}\n{hash}"),
    ))
}

fn act(request: &RawRequest, state: &mut GatewayState) -> Result<Option<Value>, &'static str> {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    match request.header("x-tc-action") {
        "SendSms" => send(&body, state),
        "DescribeSmsSignList" => {
            let known = body["SignIdSet"] == json!([SIGN_ID]);
            let sign = json!({
                "SignId": SIGN_ID, "International": 0, "SignName": SIGN,
                "StatusCode": state.sign_status, "ReviewReply": "", "CreateTime": 1_580_000_000,
            });
            let found = known.then_some(sign);
            Ok(Some(
                json!({ "DescribeSignListStatusSet": found.as_slice() }),
            ))
        }
        "DescribeSmsTemplateList" => {
            let id: u64 = TEMPLATE.parse().unwrap();
            let known = body["TemplateIdSet"] == json!([id]);
            let template = json!({
                "TemplateId": id, "International": 0, "TemplateName": "验证码",
                "StatusCode": state.template_status, "ReviewReply": "", "CreateTime": 1_580_000_000,
                "TemplateContent": state.template_content,
            });
            let found = known.then_some(template);
            Ok(Some(
                json!({ "DescribeTemplateStatusSet": found.as_slice() }),
            ))
        }
        _ => Err("InvalidAction"),
    }
}

fn send(body: &Value, state: &mut GatewayState) -> Result<Option<Value>, &'static str> {
    if body["SmsSdkAppId"] != APP {
        return Err("UnauthorizedOperation.SmsSdkAppIdVerifyFail");
    }
    let phone = body["PhoneNumberSet"][0].as_str().unwrap_or_default();
    let code = match state.behaviour {
        Behaviour::Refuses(_, code) => return Err(code),
        Behaviour::RefusesNumber(code) => code,
        _ if !phone.starts_with("+861") || phone.len() != 14 => {
            "InvalidParameterValue.IncorrectPhoneNumber"
        }
        _ if body["SignName"] != SIGN || state.sign_status != 0 => {
            "FailedOperation.SignatureIncorrectOrUnapproved"
        }
        _ if body["TemplateId"] != TEMPLATE || state.template_status != 0 => {
            "FailedOperation.TemplateIncorrectOrUnapproved"
        }
        _ => "Ok",
    };
    let variables: Vec<String> = serde_json::from_value(body["TemplateParamSet"].clone()).unwrap();
    if code == "Ok" {
        if variables.len() != state.template_content.matches('{').count() {
            return Err("InvalidParameterValue.TemplateParameterFormatError");
        }
        state.sent.push(SentMessage {
            phone: phone.to_owned(),
            variables,
        });
    }
    Ok(match state.behaviour {
        Behaviour::SendsAndStaysSilent => None,
        Behaviour::SendsAndAnswersNonsense => Some(Value::Null),
        _ => Some(json!({ "SendStatusSet": [{
            "SerialNo": "5000:1045710669157053657849499619", "PhoneNumber": phone, "Fee": 1,
            "SessionContext": "", "Code": code, "Message": format!("about {code}"), "IsoCode": "CN",
        }] })),
    })
}
