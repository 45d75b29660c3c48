//! What production refuses to show to others, and that an operator can accept each of it on purpose.

use super::*;

/// One exposure: what to set, the setting to blame, and the one that accepts it, where there is one.
struct Case {
    env: Env<'static>,
    blamed: &'static str,
    consent: Option<&'static str>,
}

const fn case(env: Env<'static>, blamed: &'static str, consent: Option<&'static str>) -> Case {
    Case {
        env,
        blamed,
        consent,
    }
}

const CASES: &[Case] = &[
    case(
        &[("TANDIAN_HTTP__TRUSTED_PROXIES", "")],
        "http.trusted_proxies",
        None,
    ),
    case(
        &[("TANDIAN_HTTP__TRUSTED_PROXIES", "10.0.0.0/8,0.0.0.0/0")],
        "http.trusted_proxies",
        None,
    ),
    case(
        &[("TANDIAN_HTTP__TRUSTED_PROXIES", "::/0")],
        "http.trusted_proxies",
        None,
    ),
    case(
        &[("TANDIAN_REDIS__URL", "redis://:pw@cache:6379")],
        "redis.url",
        Some("TANDIAN_REDIS__ALLOW_PLAINTEXT"),
    ),
    case(
        &[("TANDIAN_REDIS__URL", "redis-cluster://:pw@127.0.0.1,cache")],
        "redis.url",
        Some("TANDIAN_REDIS__ALLOW_PLAINTEXT"),
    ),
    case(
        &[("TANDIAN_REDIS__URL", "rediss://cache:6379")],
        "redis.url",
        Some("TANDIAN_REDIS__ALLOW_NO_PASSWORD"),
    ),
    case(
        &[("TANDIAN_DATABASE__URL", "mysql://u:pw@db/tandian")],
        "database.url",
        Some("TANDIAN_DATABASE__ALLOW_PLAINTEXT"),
    ),
    case(
        &[(
            "TANDIAN_DATABASE__URL",
            "mysql://u:pw@db/tandian?ssl-mode=PREFERRED",
        )],
        "database.url",
        Some("TANDIAN_DATABASE__ALLOW_PLAINTEXT"),
    ),
    case(
        &[
            ("TANDIAN_DATABASE__URL", "mysql://u:pw@127.0.0.1/tandian"),
            ("TANDIAN_DATABASE__READ_URLS", "mysql://u:pw@copy/tandian"),
        ],
        "database.read_urls",
        Some("TANDIAN_DATABASE__ALLOW_PLAINTEXT"),
    ),
    case(
        &[
            ("TANDIAN_FLASH__TRANSPORT", "rabbitmq"),
            ("TANDIAN_FLASH__RABBITMQ__URL", "amqp://u:pw@mq:5672/%2f"),
        ],
        "flash.rabbitmq.url",
        Some("TANDIAN_FLASH__RABBITMQ__ALLOW_PLAINTEXT"),
    ),
    case(
        &[
            ("TANDIAN_PICTURES__STORE", "s3"),
            ("TANDIAN_PICTURES__S3__ENDPOINT", "http://s3:9000"),
            ("TANDIAN_PICTURES__S3__BUCKET", "pictures"),
            ("TANDIAN_PICTURES__S3__ACCESS_KEY", "somebody"),
            ("TANDIAN_PICTURES__S3__SECRET_KEY", "hunter2"),
        ],
        "pictures.s3.endpoint",
        Some("TANDIAN_PICTURES__S3__ALLOW_PLAINTEXT"),
    ),
    case(
        &[("TANDIAN_METRICS__ADDR", "0.0.0.0:9090")],
        "metrics.addr",
        Some("TANDIAN_METRICS__ALLOW_PUBLIC"),
    ),
    case(
        &[("TANDIAN_METRICS__ADDR", "[2001:db8::1]:9090")],
        "metrics.addr",
        Some("TANDIAN_METRICS__ALLOW_PUBLIC"),
    ),
];

#[cfg(feature = "kafka")]
const KAFKA_CASES: &[Case] = &[case(
    &[
        ("TANDIAN_FLASH__TRANSPORT", "kafka"),
        (
            "TANDIAN_FLASH__KAFKA__BROKERS",
            "127.0.0.1:9092,kafka2:9092",
        ),
    ],
    "flash.kafka.brokers",
    Some("TANDIAN_FLASH__KAFKA__ALLOW_PLAINTEXT"),
)];
#[cfg(not(feature = "kafka"))]
const KAFKA_CASES: &[Case] = &[];

#[test]
fn production_refuses_each_exposure_by_itself_and_takes_it_on_purpose() {
    for Case {
        env,
        blamed,
        consent,
    } in CASES.iter().chain(KAFKA_CASES)
    {
        let problem = only_problem(PRODUCTION, env);
        assert!(problem.starts_with(&format!("`{blamed}`")), "{problem}");
        assert!(load_with("", env).is_ok(), "development may: {env:?}");
        let Some(consent) = consent else { continue };
        let accepted = [*env, &[(*consent, "true")]].concat();
        let effective = load_with(PRODUCTION, &accepted).unwrap();
        let exposures = effective.exposures();
        let named = exposures
            .iter()
            .filter(|e| matches!(e.verdict, ExposureVerdict::Accepted(_)) && e.key == *blamed);
        assert_eq!(named.count(), 1, "doctor names it: {exposures:?}");
    }
}

#[test]
fn all_exposures_are_reported_at_once() {
    let env = [
        ("TANDIAN_HTTP__TRUSTED_PROXIES", ""),
        ("TANDIAN_REDIS__URL", "redis://cache"),
        ("TANDIAN_DATABASE__URL", "mysql://u:pw@db/tandian"),
        ("TANDIAN_METRICS__ADDR", "0.0.0.0:9090"),
        ("TANDIAN_SESSION__IDLE_SECS", "31536000"),
    ];
    let problems = problems_of(PRODUCTION, &env);
    assert_eq!(problems.len(), 6, "{problems:#?}");
}

#[test]
fn what_is_encrypted_private_or_on_the_machine_is_no_exposure() {
    let safe: [Env<'_>; 10] = [
        &[("TANDIAN_HTTP__TRUSTED_PROXIES", "10.0.0.0/8,fd00::/8")],
        &[("TANDIAN_REDIS__URL", "rediss://:pw@cache")],
        &[("TANDIAN_REDIS__URL", "redis://127.0.0.1")],
        &[("TANDIAN_REDIS__URL", "unix:///run/redis.sock")],
        &[("TANDIAN_DATABASE__URL", "mysql://u:pw@localhost/tandian")],
        &[
            ("TANDIAN_DATABASE__URL", "mysql://u:pw@db/tandian"),
            ("TANDIAN_DATABASE__TLS", "verify-full"),
        ],
        &[
            ("TANDIAN_DATABASE__URL", "mysql://u:pw@db/tandian"),
            ("TANDIAN_DATABASE__CA_FILE", "/etc/ca.pem"),
        ],
        &[(
            "TANDIAN_DATABASE__URL",
            "mysql://u:pw@db/tandian?ssl-mode=verify_identity",
        )],
        &[
            ("TANDIAN_FLASH__TRANSPORT", "rabbitmq"),
            ("TANDIAN_FLASH__RABBITMQ__URL", "amqps://u:pw@mq"),
        ],
        &[("TANDIAN_METRICS__ADDR", "10.1.2.3:9090")],
    ];
    for env in safe {
        let effective = load_with(PRODUCTION, env);
        let effective = effective.unwrap_or_else(|error| panic!("{env:?}: {error}"));
        assert!(effective.exposures().is_empty(), "{env:?}");
    }
}

#[test]
fn alipay_in_production_is_the_real_one_and_its_key_is_private() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key.pem");
    fs::write(&key, "").unwrap();
    let base = [
        ("TANDIAN_PAYMENT__PROVIDER", "alipay"),
        ("TANDIAN_PAYMENT__ALIPAY__APP_ID", "1"),
        ("TANDIAN_PAYMENT__ALIPAY__SELLER_ID", "2088"),
        ("TANDIAN_PAYMENT__ALIPAY__ALIPAY_PUBLIC_KEY_FILE", "/public"),
        (
            "TANDIAN_PAYMENT__ALIPAY__APP_PRIVATE_KEY_FILE",
            key.to_str().unwrap(),
        ),
    ];
    make_mode(&key, 0o604);
    assert!(only_problem(PRODUCTION, &base).contains("chmod 600"));
    make_mode(&key, 0o640);
    let effective = load_with(PRODUCTION, &base).unwrap();
    assert_eq!(effective.exposures()[0].verdict, ExposureVerdict::Unwise);
    make_mode(&key, 0o600);
    assert!(load_with(PRODUCTION, &base).unwrap().exposures().is_empty());
    for gateway in [
        "https://openapi-sandbox.dl.alipaydev.com/gateway.do",
        "https://openapi.alipaydev.com/gateway.do",
        "http://openapi.alipay.com/gateway.do",
    ] {
        let env = [
            base.as_slice(),
            &[("TANDIAN_PAYMENT__ALIPAY__GATEWAY", gateway)],
        ]
        .concat();
        let problem = only_problem(PRODUCTION, &env);
        assert!(problem.starts_with("`payment.alipay.gateway`"), "{problem}");
    }
}

#[test]
fn data_that_others_can_read_is_refused_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let env = [("TANDIAN_DATA_DIR", folder.path().to_str().unwrap())];
    make_mode(folder.path(), 0o755);
    let problem = only_problem(PRODUCTION, &env);
    assert!(problem.contains("chmod 700"), "{problem}");
    assert!(load_with("", &env).is_ok());
    make_mode(folder.path(), 0o750);
    assert!(load_with(PRODUCTION, &env).is_ok());
    make_mode(folder.path(), 0o700);
    assert!(load_with(PRODUCTION, &env).is_ok());
}

#[test]
fn a_settings_file_with_secrets_that_others_can_read_is_refused_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.toml");
    let load = |text: &str, env: Env<'_>| {
        fs::write(&path, text).unwrap();
        make_mode(&path, 0o644);
        let env = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Effective::load(Some(&path), env).map(|_| ())
    };
    let refusal = load(PRODUCTION, &[]).unwrap_err().to_string();
    assert!(refusal.contains("holds secrets"), "{refusal}");
    assert!(!refusal.contains("0123456789abcdef"), "{refusal}");
    let bare = PRODUCTION.replace("secret = \"0123456789abcdef\"", "");
    let secret = [("TANDIAN_CODE__WEBHOOK__SECRET", "0123456789abcdef")];
    load(&bare, &secret).unwrap();
}

#[test]
fn the_demo_sender_listens_on_this_machine_alone() {
    let addresses = ["0.0.0.0:8070", "192.168.1.5:8080", "[::]:8070"];
    let listeners = ["TANDIAN_HTTP__ADDR", "TANDIAN_COMPAT__ADDR"];
    for (addr, listener) in addresses.into_iter().zip(listeners.into_iter().cycle()) {
        let env = [(listener, addr)];
        let problem = only_problem("", &env);
        assert!(problem.contains("code.allow_public_demo"), "{problem}");
        let accepted = [env[0], ("TANDIAN_CODE__ALLOW_PUBLIC_DEMO", "true")];
        assert!(load_with("", &accepted).is_ok());
        let real = [
            env[0],
            ("TANDIAN_CODE__SENDER", "webhook"),
            ("TANDIAN_CODE__WEBHOOK__URL", "http://sms.example.com"),
            ("TANDIAN_CODE__WEBHOOK__SECRET", "0123456789abcdef"),
        ];
        assert!(load_with("", &real).is_ok());
    }
    for addr in ["127.0.0.2:8080", "[::1]:8080", "[::ffff:127.0.0.1]:8080"] {
        assert!(load_with("", &[("TANDIAN_HTTP__ADDR", addr)]).is_ok());
    }
}
