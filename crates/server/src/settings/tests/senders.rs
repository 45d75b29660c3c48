//! Senders of codes by kind of contact: what a list of gateways needs, all told at once.

use super::*;

const GATEWAYS: &str = r#"
[code]
sender = "by_contact"
phone = ["aliyun", "tencent"]
email = "smtp"
[code.smtp]
url = "smtps://me:pw@mail.example.com"
from = "codes@example.com"
[code.aliyun]
access_key_id = "id"
access_key_secret = "secret"
sign_name = "探店"
template_code = "SMS_1"
[code.tencent]
secret_id = "id"
secret_key = "secret"
sdk_app_id = "1400006666"
sign_name = "探店"
template_id = "1110"
"#;

fn in_production(code: &str) -> String {
    let (before, rest) = PRODUCTION.split_once("[code]").unwrap();
    let (_, payment) = rest.split_once("[payment]").unwrap();
    format!("{before}{code}[payment]{payment}")
}

#[test]
fn production_accepts_gateways_for_phones_and_mail_beside_them() {
    let settings = load_with(&in_production(GATEWAYS), &[]).unwrap().settings;
    let code = &settings.code;
    assert_eq!(code.phone, [PhoneSender::Aliyun, PhoneSender::Tencent]);
    assert_eq!(code.email, Some(EmailSender::Smtp));
    assert_eq!(code.tencent.params, [TencentParam::Code]);
}

#[test]
fn the_environment_lists_gateways_with_commas() {
    let env = [("TANDIAN_CODE__PHONE", "tencent, aliyun")];
    let settings = load_with(GATEWAYS, &env).unwrap().settings;
    assert_eq!(
        settings.code.phone,
        [PhoneSender::Tencent, PhoneSender::Aliyun]
    );
}

#[test]
fn everything_that_a_gateway_lacks_is_told_at_once() {
    let bare =
        "[code]\nsender = \"by_contact\"\nphone = [\"aliyun\", \"tencent\"]\nemail = \"smtp\"";
    let problems = problems_of(bare, &[]);
    for key in [
        "code.aliyun.access_key_id",
        "code.aliyun.access_key_secret",
        "code.aliyun.sign_name",
        "code.aliyun.template_code",
        "code.tencent.secret_id",
        "code.tencent.secret_key",
        "code.tencent.sdk_app_id",
        "code.tencent.sign_name",
        "code.tencent.template_id",
        "code.smtp.url",
        "code.smtp.from",
    ] {
        let named = format!("`{key}`");
        let found = problems.iter().filter(|it| it.starts_with(&named));
        assert_eq!(found.count(), 1, "{key}: {problems:#?}");
    }
    assert_eq!(problems.len(), 11, "{problems:#?}");
}

#[test]
fn a_list_that_cannot_work_is_refused() {
    for (key, value, told) in [
        (
            "TANDIAN_CODE__PHONE",
            "aliyun,tencent,aliyun",
            "names a gateway twice",
        ),
        (
            "TANDIAN_CODE__PHONE",
            "twilio",
            "a list of aliyun, tencent and webhook",
        ),
        ("TANDIAN_CODE__EMAIL", "aliyun", "smtp or webhook"),
        ("TANDIAN_CODE__SENDER", "demo", "by_contact"),
        (
            "TANDIAN_CODE__ALIYUN__TIMEOUT_MS",
            "12000",
            "may take 16000 ms",
        ),
        ("TANDIAN_CODE__ALIYUN__MINUTES_PARAM", "code", "must differ"),
        ("TANDIAN_CODE__ALIYUN__CODE_PARAM", "${code}", "without ${}"),
        (
            "TANDIAN_CODE__ALIYUN__ENDPOINT",
            "dysmsapi.aliyuncs.com",
            "http:// or https://",
        ),
        (
            "TANDIAN_CODE__TENCENT__ENDPOINT",
            "https://a.example/b",
            "no path",
        ),
        (
            "TANDIAN_CODE__TENCENT__PARAMS",
            "minutes",
            "must hold \"code\" once",
        ),
        (
            "TANDIAN_CODE__TENCENT__PARAMS",
            "code,number",
            "a list of code and minutes",
        ),
        (
            "TANDIAN_CODE__TENCENT__TEMPLATE_ID",
            "SMS_1",
            "a whole number",
        ),
        ("TANDIAN_CODE__LETTERS", "true", "digits alone"),
        ("TANDIAN_CODE__LENGTH", "7", "must be 6"),
    ] {
        let problems = problems_of(GATEWAYS, &[(key, value)]);
        let is_told = problems.iter().any(|problem| problem.contains(told));
        assert!(is_told, "{key}={value}: {problems:#?}");
    }
    let neither = [("TANDIAN_CODE__PHONE", ""), ("TANDIAN_CODE__EMAIL", "")];
    let problem = only_problem(GATEWAYS, &neither);
    assert!(
        problem.contains("code.phone, code.email or both"),
        "{problem}"
    );
    // Tencent's rules are no rules for Aliyun.
    let aliyun = [
        ("TANDIAN_CODE__PHONE", "aliyun"),
        ("TANDIAN_CODE__LETTERS", "true"),
    ];
    load_with(GATEWAYS, &aliyun).unwrap();
}

#[test]
fn production_talks_plainly_to_gateways_on_this_machine_or_by_consent() {
    for gateway in ["ALIYUN", "TENCENT"] {
        let endpoint = format!("TANDIAN_CODE__{gateway}__ENDPOINT");
        let consent = format!("TANDIAN_CODE__{gateway}__ALLOW_PLAINTEXT");
        let away = [(&*endpoint, "http://sms.example.com:8080")];
        let problem = only_problem(&in_production(GATEWAYS), &away);
        assert!(problem.contains("are sent unencrypted"), "{problem}");
        assert!(problem.contains("allow_plaintext = true"), "{problem}");
        let accepted = [away[0], (&*consent, "true")];
        load_with(&in_production(GATEWAYS), &accepted).unwrap();
        let here = [(&*endpoint, "http://127.0.0.1:8080")];
        load_with(&in_production(GATEWAYS), &here).unwrap();
    }
}
