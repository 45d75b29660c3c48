//! Aliyun SMS, version 2017-05-25, as far as codes need it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Answer, Behaviour, GatewayState, KEY_ID, KEY_SECRET, RawRequest, Refused, SIGN};
use super::{SentMessage, hex, mac, part, sha256};

pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("code.aliyun.access_key_id", KEY_ID),
    ("code.aliyun.access_key_secret", KEY_SECRET),
    ("code.aliyun.sign_name", SIGN),
    ("code.aliyun.template_code", TEMPLATE),
    ("code.aliyun.minutes_param", "minutes"),
];

const TEMPLATE: &str = "SMS_1234567";
const ALGORITHM: &str = "ACS3-HMAC-SHA256";
const CLOCK_TOLERANCE_SECS: i64 = 15 * 60;

/// What must be signed, whatever else is.
const SIGNED_ALWAYS: [&str; 6] = [
    "host",
    "x-acs-action",
    "x-acs-content-sha256",
    "x-acs-date",
    "x-acs-signature-nonce",
    "x-acs-version",
];

type Params = BTreeMap<String, String>;

pub(super) fn answer(method: &str, request: &RawRequest, state: &mut GatewayState) -> Answer {
    let done = check(method, request, state).and_then(|params| act(request, &params, state));
    let (status, body) = match done {
        Ok(None) => return None,
        Ok(Some(body)) => (200, body),
        Err((status, code)) => (
            status,
            json!({ "Code": code, "Message": format!("about {code}") }),
        ),
    };
    let code = body["Code"].as_str().unwrap_or("nonsense").to_owned();
    state.answered.push(code);
    Some((status, with_request_id(body)))
}

fn with_request_id(mut body: Value) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.insert(
            "RequestId".into(),
            json!("819BE656-D2E0-4858-8B21-B2E477085AAF"),
        );
    }
    body
}

fn refused<T>(status: u16, code: &str) -> Result<T, Refused> {
    Err((status, code.to_owned()))
}

/// The parameters of a request that is signed, fresh and not a copy.
fn check(method: &str, request: &RawRequest, state: &mut GatewayState) -> Result<Params, Refused> {
    let authorization = request.header("authorization");
    if part(authorization, "Credential") != KEY_ID {
        return refused(404, "InvalidAccessKeyId.NotFound");
    }
    let date: Result<Timestamp, _> = request.header("x-acs-date").parse();
    let Ok(date) = date else {
        return refused(400, "InvalidTimeStamp.Format");
    };
    if (date.as_second() - state.now_secs()).abs() > CLOCK_TOLERANCE_SECS {
        return refused(400, "InvalidTimeStamp.Expired");
    }
    if state
        .nonces
        .contains(request.header("x-acs-signature-nonce"))
    {
        return refused(400, "SignatureNonceUsed");
    }
    let params = params_of(request.query());
    if !is_signed(method, request, &params) {
        return refused(400, "SignatureDoesNotMatch");
    }
    state
        .nonces
        .insert(request.header("x-acs-signature-nonce").to_owned());
    if request.header("x-acs-version") != "2017-05-25" {
        return refused(400, "InvalidVersion");
    }
    Ok(params)
}

fn is_signed(method: &str, request: &RawRequest, params: &Params) -> bool {
    let authorization = request.header("authorization");
    let names = part(authorization, "SignedHeaders");
    let signed: Vec<&str> = names.split(';').collect();
    let must_be = |name: &&str| name.starts_with("x-acs-") || *name == "content-type";
    let present = request.headers.keys().map(|name| name.as_str());
    let mut needed = SIGNED_ALWAYS.into_iter().chain(present.filter(must_be));
    let body_hash = sha256(&request.body);
    if !needed.all(|name| signed.contains(&name))
        || !signed.is_sorted()
        || request.header("x-acs-content-sha256") != body_hash
    {
        return false;
    }
    let pairs = params
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    let query = pairs.collect::<Vec<_>>().join("&");
    let headers = request.signed_lines(names, false);
    let path = request.path();
    let canonical = format!("{method}\n{path}\n{query}\n{headers}\n{names}\n{body_hash}");
    let text = format!("{ALGORITHM}\n{}", sha256(canonical.as_bytes()));
    let signature = hex(&mac(KEY_SECRET.as_bytes(), &text));
    authorization.starts_with(&format!("{ALGORITHM} "))
        && part(authorization, "Signature") == signature
}

fn act(
    request: &RawRequest,
    params: &Params,
    state: &mut GatewayState,
) -> Result<Option<Value>, Refused> {
    match request.header("x-acs-action") {
        "SendSms" => send(params, state),
        "QuerySmsSign" if params["SignName"] == SIGN => Ok(Some(json!({
            "Code": "OK", "Message": "OK", "SignName": SIGN, "SignStatus": state.sign_status,
            "Reason": "无审批备注", "CreateDate": "2026-01-01 08:00:00",
        }))),
        "QuerySmsSign" => refused(200, "isv.SMS_SIGNATURE_ILLEGAL"),
        "QuerySmsTemplate" if params["TemplateCode"] == TEMPLATE => Ok(Some(json!({
            "Code": "OK", "Message": "OK", "TemplateCode": TEMPLATE, "TemplateType": 0,
            "TemplateStatus": state.template_status, "TemplateContent": state.template_content,
        }))),
        "QuerySmsTemplate" => refused(200, "isv.SMS_TEMPLATE_ILLEGAL"),
        _ => refused(404, "InvalidAction.NotFound"),
    }
}

fn send(params: &Params, state: &mut GatewayState) -> Result<Option<Value>, Refused> {
    match state.behaviour {
        Behaviour::Refuses(status, code) => return refused(status, code),
        Behaviour::RefusesNumber(code) => return refused(200, code),
        Behaviour::Works | Behaviour::SendsAndStaysSilent | Behaviour::SendsAndAnswersNonsense => {}
    }
    let phone = &params["PhoneNumbers"];
    if phone.len() != 11 || !phone.starts_with('1') {
        return refused(200, "isv.MOBILE_NUMBER_ILLEGAL");
    }
    if params["SignName"] != SIGN || state.sign_status != 1 {
        return refused(200, "isv.SMS_SIGNATURE_ILLEGAL");
    }
    if params["TemplateCode"] != TEMPLATE || state.template_status != 1 {
        return refused(200, "isv.SMS_TEMPLATE_ILLEGAL");
    }
    let Ok(given) = serde_json::from_str::<BTreeMap<String, String>>(&params["TemplateParam"])
    else {
        return refused(200, "isv.INVALID_JSON_PARAM");
    };
    let Some(variables) = filled(state.template_content, &given) else {
        return refused(200, "isv.TEMPLATE_MISSING_PARAMETERS");
    };
    state.sent.push(SentMessage {
        phone: phone.clone(),
        variables,
    });
    Ok(match state.behaviour {
        Behaviour::SendsAndStaysSilent => None,
        Behaviour::SendsAndAnswersNonsense => Some(Value::Null),
        _ => Some(json!({ "Code": "OK", "Message": "OK", "BizId": "9006197469364984400" })),
    })
}

/// The values of the template's variables, in its order.
fn filled(content: &str, given: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let names = content.split("${").skip(1);
    let names = names.map(|rest| rest.split('}').next().unwrap());
    names.map(|name| given.get(name).cloned()).collect()
}

fn params_of(query: &str) -> Params {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

/// As servers read queries: a plus is a space.
fn decode(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(decoded).unwrap()
}

fn encode(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}
