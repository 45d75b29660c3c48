//! Codes by SMS gateways: signed calls, the order of gateways, and one code per request whatever fails.

mod doctor;

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{HttpReply, TestApp};
use tokio::net::TcpListener;

use super::{PHONE, login, send_code};
use crate::sms_gateways::{Behaviour, RawRequest, SmsGateway, site_with};

async fn site(phone: &str, gateways: &[&SmsGateway]) -> TestApp {
    site_with(TestApp::builder(), phone, gateways).spawn().await
}

/// Aliyun first, then Tencent.
async fn both() -> (SmsGateway, SmsGateway, TestApp) {
    let (aliyun, tencent) = (SmsGateway::aliyun().await, SmsGateway::tencent().await);
    let app = site("aliyun,tencent", &[&aliyun, &tencent]).await;
    (aliyun, tencent, app)
}

/// The code of the only message that it has sent.
#[track_caller]
fn only_code(gateway: &SmsGateway) -> String {
    let sent = gateway.sent();
    assert_eq!(sent.len(), 1, "{sent:?}");
    sent[0].variables[0].clone()
}

async fn signs_in(app: &TestApp, phone: &str, code: &str) -> bool {
    login(&app.visitor(), phone, code).await.json()["success"] == true
}

async fn request_code(app: &TestApp) -> HttpReply {
    send_code(&app.visitor(), PHONE).await
}

#[tokio::test]
async fn aliyun_gets_a_signed_call_and_the_code_signs_in() {
    let aliyun = SmsGateway::aliyun().await;
    let app = site("aliyun", &[&aliyun]).await;
    let sent = request_code(&app).await.data();
    assert_eq!(sent, json!({ "retryAfterSecs": 60 }));
    assert_eq!(aliyun.answered(), ["OK"]);
    let message = aliyun.sent().pop().unwrap();
    assert_eq!((&*message.phone, &*message.variables[1]), (PHONE, "2"));
    assert!(signs_in(&app, PHONE, &only_code(&aliyun)).await);
}

#[tokio::test]
async fn tencent_gets_a_signed_call_and_the_code_signs_in() {
    let tencent = SmsGateway::tencent().await;
    let app = site("tencent", &[&tencent]).await;
    request_code(&app).await.data();
    assert_eq!(tencent.answered(), ["Ok"]);
    let message = tencent.sent().pop().unwrap();
    assert_eq!(message.phone, format!("+86{PHONE}"));
    assert_eq!(message.variables[1], "2");
    assert!(signs_in(&app, PHONE, &only_code(&tencent)).await);
}

/// What the gateways of these tests would let through, they could not prove.
#[tokio::test]
async fn a_copied_changed_or_late_call_is_refused() {
    let (aliyun, tencent, app) = both().await;
    request_code(&app).await.data();
    let call = aliyun.requests().pop().unwrap();
    assert_eq!(aliyun.repeat(&call, |_| {}).await, "SignatureNonceUsed");
    let nonce = |call: &mut RawRequest| {
        call.headers
            .insert("x-acs-signature-nonce", "another".parse().unwrap());
    };
    assert_eq!(aliyun.repeat(&call, nonce).await, "SignatureDoesNotMatch");
    aliyun.change(|state| state.clock_ahead_secs = 16 * 60);
    assert_eq!(
        aliyun.repeat(&call, |_| {}).await,
        "InvalidTimeStamp.Expired"
    );

    aliyun.change(|state| {
        state.clock_ahead_secs = 0;
        state.behaviour = Behaviour::Refuses(400, "Throttling.User");
    });
    send_code(&app.visitor(), "13900000002").await.data();
    let call = tencent.requests().pop().unwrap();
    let other_number = |call: &mut RawRequest| {
        let body = String::from_utf8(call.body.to_vec()).unwrap();
        call.body = body.replace("13900000002", "13900000003").into();
    };
    let changed = tencent.repeat(&call, other_number).await;
    assert_eq!(changed, "AuthFailure.SignatureFailure");
    tencent.change(|state| state.clock_ahead_secs = 6 * 60);
    let late = tencent.repeat(&call, |_| {}).await;
    assert_eq!(late, "AuthFailure.SignatureExpire");
    assert_eq!((aliyun.sent().len(), tencent.sent().len()), (1, 1));
}

#[tokio::test]
async fn the_next_gateway_gets_the_code_when_the_first_cannot_send() {
    for (status, code) in [
        (200, "isv.AMOUNT_NOT_ENOUGH"),
        (200, "isv.SMS_SIGNATURE_ILLEGAL"),
        (400, "SignatureDoesNotMatch"),
        (404, "InvalidAccessKeyId.NotFound"),
        (400, "Throttling.User"),
        (503, "ServiceUnavailable"),
    ] {
        let (aliyun, tencent, app) = both().await;
        aliyun.behave(Behaviour::Refuses(status, code));
        request_code(&app).await.data();
        assert_eq!(aliyun.answered(), [code]);
        assert!(aliyun.sent().is_empty(), "{code}");
        assert!(signs_in(&app, PHONE, &only_code(&tencent)).await, "{code}");
    }
}

#[tokio::test]
async fn tencents_failures_reach_the_next_gateway_too() {
    for failure in [
        Behaviour::Refuses(200, "AuthFailure.SignatureFailure"),
        Behaviour::Refuses(200, "RequestLimitExceeded"),
        Behaviour::RefusesNumber("FailedOperation.InsufficientBalanceInSmsPackage"),
    ] {
        let (aliyun, tencent) = (SmsGateway::aliyun().await, SmsGateway::tencent().await);
        let app = site("tencent,aliyun", &[&aliyun, &tencent]).await;
        tencent.behave(failure);
        request_code(&app).await.data();
        assert!(
            signs_in(&app, PHONE, &only_code(&aliyun)).await,
            "{failure:?}"
        );
    }
}

/// The reason is the number's, so the next gateway is not asked; nothing was sent, so nobody waits for a new code.
#[tokio::test]
async fn a_refused_number_is_told_and_goes_to_no_other_gateway() {
    for (refusal, told) in [
        ("isv.MOBILE_NUMBER_ILLEGAL", "phone_unreachable"),
        ("isv.BUSINESS_LIMIT_CONTROL", "phone_message_limit"),
    ] {
        let (aliyun, tencent, app) = both().await;
        aliyun.behave(Behaviour::RefusesNumber(refusal));
        assert_eq!(request_code(&app).await.code(), told);
        assert!(tencent.requests().is_empty(), "{refusal}");
        aliyun.behave(Behaviour::Works);
        request_code(&app).await.data();
        assert!(signs_in(&app, PHONE, &only_code(&aliyun)).await);
    }
    for (refusal, told) in [
        (
            "InvalidParameterValue.IncorrectPhoneNumber",
            "phone_unreachable",
        ),
        (
            "FailedOperation.PhoneNumberInBlacklist",
            "phone_unreachable",
        ),
        ("LimitExceeded.PhoneNumberDailyLimit", "phone_message_limit"),
    ] {
        let tencent = SmsGateway::tencent().await;
        let app = site("tencent", &[&tencent]).await;
        tencent.behave(Behaviour::RefusesNumber(refusal));
        assert_eq!(request_code(&app).await.code(), told);
    }
}

/// It may have sent the message; the person who waits gets it from the next one, and the code is the same.
#[tokio::test]
async fn a_silent_gateway_and_the_next_one_send_the_same_code() {
    for doubt in [
        Behaviour::SendsAndStaysSilent,
        Behaviour::SendsAndAnswersNonsense,
    ] {
        let (aliyun, tencent, app) = both().await;
        aliyun.behave(doubt);
        request_code(&app).await.data();
        let code = only_code(&aliyun);
        assert_eq!(code, only_code(&tencent), "{doubt:?}");
        assert!(signs_in(&app, PHONE, &code).await);
        assert!(!signs_in(&app, PHONE, &code).await, "it signs in once");
    }
}

#[tokio::test]
async fn a_code_that_any_gateway_may_have_sent_counts_as_sent() {
    for last in [
        Behaviour::RefusesNumber("LimitExceeded.PhoneNumberDailyLimit"),
        Behaviour::Refuses(200, "AuthFailure.SecretIdNotFound"),
        Behaviour::SendsAndAnswersNonsense,
    ] {
        let (aliyun, tencent, app) = both().await;
        aliyun.behave(Behaviour::SendsAndAnswersNonsense);
        tencent.behave(last);
        assert_eq!(request_code(&app).await.code(), "unavailable", "{last:?}");
        assert_eq!(
            request_code(&app).await.code(),
            "code_too_often",
            "{last:?}"
        );
        assert!(signs_in(&app, PHONE, &only_code(&aliyun)).await, "{last:?}");
    }
}

#[tokio::test]
async fn a_code_that_no_gateway_took_is_no_code_and_costs_no_wait() {
    let (aliyun, tencent, app) = both().await;
    aliyun.behave(Behaviour::Refuses(200, "isv.AMOUNT_NOT_ENOUGH"));
    tencent.behave(Behaviour::Refuses(200, "AuthFailure.SecretIdNotFound"));
    assert_eq!(request_code(&app).await.code(), "unavailable");
    aliyun.behave(Behaviour::Works);
    request_code(&app).await.data();
    assert!(signs_in(&app, PHONE, &only_code(&aliyun)).await);
}

#[tokio::test]
async fn a_gateway_that_failed_is_asked_last_for_a_while() {
    let (aliyun, tencent, app) = both().await;
    aliyun.behave(Behaviour::Refuses(503, "ServiceUnavailable"));
    request_code(&app).await.data();
    send_code(&app.visitor(), "13900000002").await.data();
    assert_eq!((aliyun.requests().len(), tencent.sent().len()), (1, 2));
    aliyun.behave(Behaviour::Works);
    tencent.behave(Behaviour::Refuses(200, "RequestLimitExceeded"));
    send_code(&app.visitor(), "13900000003").await.data();
    assert_eq!(aliyun.sent().len(), 1);
}

#[tokio::test]
async fn a_gateway_that_nobody_answers_for_costs_no_code() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (aliyun, tencent) = (SmsGateway::aliyun().await, SmsGateway::tencent().await);
    let builder = site_with(TestApp::builder(), "aliyun,tencent", &[&aliyun, &tencent]);
    let app = builder
        .setting("code.aliyun.endpoint", nobody)
        .spawn()
        .await;
    request_code(&app).await.data();
    assert!(signs_in(&app, PHONE, &only_code(&tencent)).await);
}

#[tokio::test]
async fn of_many_requests_at_once_for_one_number_one_sends_a_message() {
    let (aliyun, tencent, app) = both().await;
    aliyun.behave(Behaviour::Refuses(400, "Throttling.User"));
    let requests: Vec<_> = (0..20)
        .map(|_| {
            let visitor = app.visitor();
            tokio::spawn(async move { send_code(&visitor, PHONE).await.json() })
        })
        .collect();
    let mut granted = 0;
    for request in requests {
        let reply = request.await.unwrap();
        let code = &reply["code"];
        match reply["success"] == Value::Bool(true) {
            true => granted += 1,
            false => assert_eq!(code, "code_too_often", "{reply}"),
        }
    }
    assert_eq!((granted, aliyun.sent().len()), (1, 0));
    assert!(signs_in(&app, PHONE, &only_code(&tencent)).await);
}

#[tokio::test]
async fn a_site_says_what_it_can_send_codes_to() {
    let aliyun = SmsGateway::aliyun().await;
    let app = site("aliyun", &[&aliyun]).await;
    let visitor = app.visitor();
    let contacts = visitor.get("/api/site").await.data()["contacts"].clone();
    assert_eq!(contacts, json!(["phone"]));
    let to = json!({ "email": "li@example.com" });
    let refused = visitor.post_json("/api/user/code", &to).await;
    assert_eq!(refused.code(), "email_unsupported");

    let builder = site_with(TestApp::builder(), "aliyun", &[&aliyun])
        .setting("code.email", "smtp")
        .setting("code.smtp.url", "smtp://127.0.0.1:1")
        .setting("code.smtp.from", "codes@tandian.example");
    let app = builder.spawn().await;
    let visitor = app.visitor();
    let contacts = visitor.get("/api/site").await.data()["contacts"].clone();
    assert_eq!(contacts, json!(["phone", "email"]));
    send_code(&visitor, PHONE).await.data();
    assert!(signs_in(&app, PHONE, &only_code(&aliyun)).await);
    // The mail server is asked for mail alone, and nobody is there.
    let failed = visitor.post_json("/api/user/code", &to).await;
    assert_eq!(failed.code(), "unavailable");
    assert_eq!(aliyun.sent().len(), 1);
}

#[tokio::test]
async fn a_server_that_stops_waits_for_the_second_gateway() {
    let (aliyun, tencent, app) = both().await;
    aliyun.behave(Behaviour::SendsAndStaysSilent);
    let visitor = app.visitor();
    let client = tokio::spawn(async move { send_code(&visitor, PHONE).await });
    let limit = Duration::from_secs(30);
    testkit::wait_until("the first gateway has the code", limit, || async {
        !aliyun.sent().is_empty()
    })
    .await;
    client.abort();
    app.stop().await;
    assert_eq!(only_code(&aliyun), only_code(&tencent));
}
