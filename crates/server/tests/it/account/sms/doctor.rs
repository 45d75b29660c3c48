//! `tandian doctor` looks at the credentials of code senders without sending anything, and says what to do.

use testkit::Tandian;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::sms_gateways::SmsGateway;

/// The lines of the report about codes.
async fn report(phone: &str, gateways: &[&SmsGateway], others: &[(&str, &str)]) -> Vec<String> {
    let mut settings = vec![
        ("code.sender", "by_contact".to_owned()),
        ("code.phone", phone.to_owned()),
    ];
    settings.extend(gateways.iter().flat_map(|gateway| gateway.settings()));
    settings.extend(
        others
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned())),
    );
    let tandian = Tandian::new(env!("CARGO_BIN_EXE_tandian"), &["serve"], &settings);
    let output = tandian.run(&["doctor"]).await;
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| line.contains("codes by "));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    assert!(!lines.is_empty(), "{text}");
    for gateway in gateways {
        assert!(gateway.sent().is_empty(), "doctor sends nothing");
    }
    lines
}

#[tokio::test]
async fn doctor_accepts_gateways_that_are_ready() {
    let (aliyun, tencent) = (SmsGateway::aliyun().await, SmsGateway::tencent().await);
    let lines = report("aliyun,tencent", &[&aliyun, &tencent], &[]).await;
    let expected = ["aliyun", "tencent"].into_iter().flat_map(|name| {
        [
            "the credentials are accepted",
            "the sign is approved",
            "the template is approved",
        ]
        .map(|text| format!("✓ codes by {name}: {text}"))
    });
    assert_eq!(lines, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn doctor_names_the_wrong_credential_of_aliyun() {
    let aliyun = SmsGateway::aliyun().await;
    for (key, code, to_do) in [
        (
            "code.aliyun.access_key_id",
            "InvalidAccessKeyId.NotFound",
            "set code.aliyun.access_key_id",
        ),
        (
            "code.aliyun.access_key_secret",
            "SignatureDoesNotMatch",
            "set code.aliyun.access_key_secret",
        ),
    ] {
        let lines = report("aliyun", &[&aliyun], &[(key, "hunter2-of-somebody-else")]).await;
        let [line] = &*lines else { panic!("{lines:?}") };
        let opening = format!("✗ codes by aliyun: aliyun answered {code} (request ");
        assert!(line.starts_with(&opening) && line.contains(to_do), "{line}");
        assert!(!line.contains("hunter2"), "{line}");
    }
    aliyun.change(|state| state.clock_ahead_secs = 3_600);
    let lines = report("aliyun", &[&aliyun], &[]).await;
    assert!(lines[0].contains("InvalidTimeStamp.Expired"), "{lines:?}");
    assert!(lines[0].contains("set this machine's clock"), "{lines:?}");
}

#[tokio::test]
async fn doctor_names_what_aliyun_has_not_approved() {
    let aliyun = SmsGateway::aliyun().await;
    aliyun.change(|state| {
        state.sign_status = 0;
        state.template_status = 2;
    });
    let lines = report("aliyun", &[&aliyun], &[]).await;
    assert!(lines[1].starts_with("✗ codes by aliyun: the sign is under review"));
    assert!(lines[2].starts_with("✗ codes by aliyun: the template was rejected"));

    aliyun.change(|state| state.template_status = 1);
    let others = [
        ("code.aliyun.sign_name", "别家"),
        ("code.aliyun.minutes_param", ""),
    ];
    let lines = report("aliyun", &[&aliyun], &others).await;
    assert!(
        lines[1].contains("the sign is not one of this account"),
        "{lines:?}"
    );
    assert!(lines[1].contains("set code.aliyun.sign_name"), "{lines:?}");
    assert!(
        lines[2].contains("other variables than the settings fill"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn doctor_names_what_is_wrong_at_tencent() {
    let tencent = SmsGateway::tencent().await;
    for (key, code, to_do) in [
        (
            "code.tencent.secret_id",
            "AuthFailure.SecretIdNotFound",
            "set code.tencent.secret_id",
        ),
        (
            "code.tencent.secret_key",
            "AuthFailure.SignatureFailure",
            "set code.tencent.secret_key",
        ),
    ] {
        let lines = report("tencent", &[&tencent], &[(key, "somebody-else")]).await;
        assert!(
            lines[0].contains(code) && lines[0].contains(to_do),
            "{lines:?}"
        );
    }
    tencent.change(|state| state.sign_status = 1);
    let others = [("code.tencent.template_id", "2220")];
    let lines = report("tencent", &[&tencent], &others).await;
    assert!(lines[1].contains("the sign is under review"), "{lines:?}");
    assert!(
        lines[2].contains("the template is not one of this account"),
        "{lines:?}"
    );

    let others = [
        ("code.tencent.sign_id", ""),
        ("code.tencent.params", "code"),
    ];
    let lines = report("tencent", &[&tencent], &others).await;
    assert!(lines[1].starts_with("! ") && lines[1].contains("set code.tencent.sign_id"));
    assert!(
        lines[2].contains("make code.tencent.params say"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn doctor_says_that_a_gateway_cannot_be_reached() {
    let nowhere = [("code.aliyun.endpoint", "http://127.0.0.1:1")];
    let aliyun = SmsGateway::aliyun().await;
    let lines = report("aliyun", &[&aliyun], &nowhere).await;
    assert!(
        lines[0].starts_with("✗ codes by aliyun: aliyun could not be called"),
        "{lines:?}"
    );
    assert!(lines[0].contains("check code.aliyun.endpoint"), "{lines:?}");
}

#[tokio::test]
async fn doctor_logs_in_to_the_mail_server_and_sends_no_mail() {
    for (answer, opening) in [
        (
            "235 welcome\r\n",
            "✓ codes by smtp: the credentials are accepted",
        ),
        (
            "535 go away\r\n",
            "✗ codes by smtp: the mail server answered 535",
        ),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(log_in(listener, answer));
        let url = format!("smtp://somebody:hunter2@{address}");
        let others = [
            ("code.email", "smtp"),
            ("code.smtp.url", &*url),
            ("code.smtp.from", "codes@tandian.example"),
        ];
        let lines = report("", &[], &others).await;
        assert!(lines[0].starts_with(opening), "{lines:?}");
        assert!(!lines[0].contains("hunter2"), "{lines:?}");
        server.abort();
    }
}

/// A mail server that takes nothing but a login.
async fn log_in(listener: TcpListener, answer: &'static str) {
    let (reader, mut writer) = listener.accept().await.unwrap().0.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 test\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        let reply = match line.split(' ').next().unwrap() {
            "EHLO" => "250-test\r\n250 AUTH PLAIN\r\n",
            "AUTH" => answer,
            "NOOP" => "250 fine\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "503 no mail here\r\n",
        };
        writer.write_all(reply.as_bytes()).await.unwrap();
    }
}
