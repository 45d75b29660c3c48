//! Settings as an operator sees them: what is refused, with which message, and what is never shown.

mod exposure;
mod senders;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use figment::value::{Dict, Value};

use super::layers::DEFAULTS;
use super::schema::{KEYS, ValueKind};
use super::*;

type Env<'a> = &'a [(&'a str, &'a str)];

fn load_with(file: &str, env: Env<'_>) -> Result<Effective, SettingsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.toml");
    fs::write(&path, file).unwrap();
    make_mode(&path, 0o600);
    let env = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Effective::load(Some(&path), env)
}

fn make_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn problems_of(file: &str, env: Env<'_>) -> Vec<String> {
    match load_with(file, env) {
        Err(SettingsError::Invalid(problems)) => problems.lines().collect(),
        other => panic!("expected problems, got {other:?}"),
    }
}

fn only_problem(file: &str, env: Env<'_>) -> String {
    let problems = problems_of(file, env);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].clone()
}

const PRODUCTION: &str = r#"
env = "production"
[http]
public_url = "https://example.com"
trusted_proxies = ["127.0.0.1"]
[code]
sender = "webhook"
[code.webhook]
url = "https://sms.example.com/send"
secret = "0123456789abcdef"
[payment]
provider = "none"
"#;

#[test]
fn the_defaults_are_usable_as_they_are() {
    let settings = load_with("", &[]).unwrap().settings;
    assert_eq!(settings.public_url(), "http://127.0.0.1:8080");
    assert_eq!(settings.database_url().expose(), "sqlite://data/tandian.db");
    assert_eq!(settings.code.sender, CodeSender::Demo);
    assert!(settings.redis.url.is_none());
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
    let file = "[http]\naddr = \"127.0.0.1:1\"\nmax_in_flight = 7";
    let env = [
        ("TANDIAN_HTTP__ADDR", "127.0.0.1:2"),
        ("TANDIAN_DATA_DIR", "/srv/t"),
        ("PATH", "x"),
    ];
    let settings = load_with(file, &env).unwrap().settings;
    assert_eq!(settings.http.addr.port(), 2);
    assert_eq!(settings.http.max_in_flight, 7);
    assert_eq!(settings.data_dir, Path::new("/srv/t"));
}

#[test]
fn an_empty_text_unsets_what_an_earlier_layer_set() {
    let file = "[http]\npublic_url = \"https://example.com\"";
    let env = [("TANDIAN_HTTP__PUBLIC_URL", "")];
    let effective = load_with(file, &env).unwrap();
    assert_eq!(effective.settings.http.public_url, None);
    let printed = effective.print();
    assert!(
        printed.contains("public_url = \"\"  # TANDIAN_HTTP__PUBLIC_URL"),
        "{printed}"
    );
}

#[test]
fn texts_in_the_environment_stay_texts_and_lists_are_split_at_commas() {
    let env = [
        ("TANDIAN_SITE__NAME", "42"),
        ("TANDIAN_HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ("TANDIAN_CODE__LETTERS", "true"),
        ("TANDIAN_CODE__WEBHOOK__TIMEOUT_MS", "100"),
    ];
    let settings = load_with("", &env).unwrap().settings;
    assert_eq!(settings.site.name, "42");
    assert!(settings.http.trusts("10.1.2.3".parse().unwrap()));
    assert!(!settings.http.trusts("11.1.2.3".parse().unwrap()));
    assert!(settings.code.letters);
    assert_eq!(settings.code.webhook.timeout_ms, 100);
}

#[test]
fn an_unknown_key_in_a_file_is_refused_with_the_nearest_one() {
    let problem = only_problem("[http]\nadr = \"127.0.0.1:1\"", &[]);
    assert!(problem.starts_with("`http.adr` in "), "{problem}");
    assert!(problem.contains("site.toml: "), "{problem}");
    assert!(problem.ends_with("did you mean `http.addr`?"), "{problem}");
}

#[test]
fn an_unknown_variable_is_refused_with_the_nearest_one() {
    assert_eq!(
        only_problem("", &[("TANDIAN_REDIS_URL", "redis://h")]),
        "TANDIAN_REDIS_URL: there is no such setting; did you mean TANDIAN_REDIS__URL?"
    );
}

#[test]
fn a_key_in_the_wrong_section_is_pointed_to_the_right_one() {
    let problem = only_problem("trusted_proxies = []", &[]);
    assert!(
        problem.ends_with("did you mean `http.trusted_proxies`?"),
        "{problem}"
    );
}

#[test]
fn an_unknown_key_like_no_other_gets_no_guess() {
    let problem = only_problem("[plugins]\nfrobnicator = 1", &[]);
    assert!(
        problem.ends_with("`tandian settings` lists all"),
        "{problem}"
    );
}

#[test]
fn a_setting_that_is_gone_is_refused_with_what_to_do() {
    let in_file = only_problem("[session]\nl1_ms = 3000", &[]);
    let in_variable = only_problem("", &[("TANDIAN_SESSION__L1_MS", "0")]);
    for problem in [in_file, in_variable] {
        assert!(problem.contains("this setting is gone"), "{problem}");
        assert!(problem.contains("`session.memory_mib`"), "{problem}");
    }
}

#[test]
fn wrong_types_say_where_and_what_was_expected() {
    let problem = only_problem("[http]\nmax_in_flight = \"many\"", &[]);
    assert!(
        problem.ends_with("site.toml: expected a whole number from 1 to 1000000"),
        "{problem}"
    );
    assert_eq!(
        only_problem("", &[("TANDIAN_CODE__LETTERS", "maybe")]),
        "TANDIAN_CODE__LETTERS: expected true or false"
    );
    assert!(only_problem("http = 3", &[]).ends_with("expected a section, [http]"));
    assert!(
        only_problem("[log]\nformat = \"xml\"", &[]).ends_with("expected one of auto, human, json")
    );
    assert!(only_problem("[site]\ntime_zone = \"Mars/Olympus\"", &[]).contains("IANA time zone"));
    assert!(only_problem("[http]\ntrusted_proxies = [\"ten\"]", &[]).contains("networks"));
}

#[test]
fn every_number_is_refused_just_outside_its_range() {
    for key in KEYS.iter() {
        let ValueKind::Whole(range) = &key.kind else {
            continue;
        };
        for number in [range.start() - 1, range.end() + 1] {
            let name = format!("TANDIAN_{}", key.path.replace('.', "__").to_uppercase());
            let problem = only_problem("", &[(&name, &number.to_string())]);
            assert!(problem.contains("expected a whole number"), "{problem}");
        }
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let problems = problems_of(
        "colour = 1\n[http]\naddr = 3\n[session]\nmemory_mib = -1",
        &[("TANDIAN_CODE__LENGTH", "x"), ("TANDIAN_NOPE", "1")],
    );
    assert_eq!(problems.len(), 5, "{problems:#?}");
}

#[test]
fn a_named_file_must_be_there_and_must_be_toml() {
    let missing = Effective::load(
        Some(Path::new("/nonexistent/site.toml")),
        std::iter::empty(),
    );
    assert!(matches!(missing, Err(SettingsError::Read { .. })));
    match load_with("[http]\n\naddr =", &[]) {
        Err(SettingsError::Syntax { line, .. }) => assert_eq!(line, 3),
        other => panic!("expected a syntax error, got {other:?}"),
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let problems = problems_of(
        "[http]\nshutdown_grace_secs = 2\n[metrics]\naddr = \"127.0.0.1:8080\"\n[session]\nabsolute_secs = 60",
        &[("TANDIAN_CODE__SENDER", "smtp")],
    );
    let blamed: Vec<&str> = problems
        .iter()
        .map(|p| p.split('`').nth(1).unwrap())
        .collect();
    assert_eq!(
        blamed,
        [
            "http.shutdown_grace_secs",
            "metrics.addr",
            "session.idle_secs",
            "code.smtp.url",
            "code.smtp.from"
        ]
    );
}

#[test]
fn each_listener_has_an_address_of_its_own() {
    for (http, compat, metrics, blamed) in [
        (
            "127.0.0.1:8080",
            "127.0.0.1:8080",
            "",
            Some(("`compat.addr`", "must differ from http.addr")),
        ),
        (
            "127.0.0.1:8080",
            "127.0.0.1:9090",
            "127.0.0.1:9090",
            Some(("`metrics.addr`", "must differ from compat.addr")),
        ),
        (
            "127.0.0.1:8080",
            "0.0.0.0:8080",
            "",
            Some(("`compat.addr`", "must differ from http.addr")),
        ),
        ("127.0.0.1:8080", "127.0.0.1:8081", "127.0.0.1:9090", None),
        ("127.0.0.1:8080", "127.0.0.2:8080", "", None),
        ("127.0.0.1:0", "127.0.0.1:0", "", None),
        ("127.0.0.1:8080", "", "", None),
    ] {
        let file = format!(
            "[http]\naddr = \"{http}\"\n[compat]\naddr = \"{compat}\"\n[metrics]\naddr = \"{metrics}\"\n\
             [code]\nallow_public_demo = true"
        );
        let problems = match load_with(&file, &[]) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        match blamed {
            Some((key, problem)) => {
                assert!(
                    problems.contains(key) && problems.contains(problem),
                    "{problems}"
                );
            }
            None => assert_eq!(problems, ""),
        }
    }
}

#[test]
fn codes_that_are_too_easy_to_guess_are_refused() {
    for (file, is_refused) in [
        ("[code]\nper_day = 40", false),
        ("[code]\nper_day = 41", true),
        ("[code]\nper_day = 1000\nlength = 8", false),
        ("[code]\nmax_tries = 20", false),
        ("[code]\nmax_tries = 20\nper_day = 11", true),
        ("[code]\nlock_secs = 1", true),
        ("[code]\nlock_secs = 1\nletters = true", false),
    ] {
        match (load_with(file, &[]), is_refused) {
            (Ok(_), false) => {}
            (Err(SettingsError::Invalid { .. }), true) => {}
            (other, _) => panic!("{file}: {other:?}"),
        }
    }
}

#[test]
fn the_needs_of_flash_settings_are_reported() {
    let problem = only_problem("", &[("TANDIAN_FLASH__TRANSPORT", "rabbitmq")]);
    assert!(problem.contains("flash.rabbitmq.url"), "{problem}");
    let problem = only_problem("", &[("TANDIAN_FLASH__CLAIM_TOKEN", "true")]);
    assert!(problem.contains("flash.claim_token_secret"), "{problem}");
    let problem = only_problem("[flash]\npartitions = 2\nspread = 3", &[]);
    assert!(problem.contains("flash.partitions"), "{problem}");
    let broker = [("TANDIAN_FLASH__RABBITMQ__URL", "amqp://guest:guest@mq")];
    assert!(load_with("", &broker).is_ok());
    let problem = only_problem(PRODUCTION, &broker);
    assert!(problem.contains("everybody knows guest"), "{problem}");
}

#[test]
fn a_bucket_needs_to_be_named_and_unlocked() {
    let problems = problems_of("[pictures]\nstore = \"s3\"", &[]);
    assert_eq!(problems.len(), 4, "{problems:?}");
    let env = [
        ("TANDIAN_PICTURES__STORE", "s3"),
        ("TANDIAN_PICTURES__S3__ENDPOINT", "https://s3.example.com"),
        ("TANDIAN_PICTURES__S3__BUCKET", "pictures"),
        ("TANDIAN_PICTURES__S3__ACCESS_KEY", "somebody"),
        ("TANDIAN_PICTURES__S3__SECRET_KEY", "hunter2"),
    ];
    let effective = load_with("", &env).unwrap();
    assert!(!effective.print().contains("hunter2"));
    assert!(!format!("{:?}", effective.settings).contains("hunter2"));
}

#[test]
fn rabbitmq_needs_a_build_that_knows_it() {
    let env = [
        ("TANDIAN_FLASH__TRANSPORT", "rabbitmq"),
        ("TANDIAN_FLASH__RABBITMQ__URL", "amqp://me:pw@mq"),
    ];
    assert_eq!(load_with("", &env).is_ok(), cfg!(feature = "rabbitmq"));
}

#[test]
fn kafka_needs_a_build_that_knows_it() {
    let env = [
        ("TANDIAN_FLASH__TRANSPORT", "kafka"),
        ("TANDIAN_FLASH__KAFKA__BROKERS", "kafka1:9092,kafka2:9092"),
    ];
    assert_eq!(load_with("", &env).is_ok(), cfg!(feature = "kafka"));
    let secured = [
        ("TANDIAN_FLASH__KAFKA__TLS", "true"),
        ("TANDIAN_FLASH__KAFKA__SASL", "scram-sha-512"),
        ("TANDIAN_FLASH__KAFKA__USER", "tandian"),
        ("TANDIAN_FLASH__KAFKA__PASSWORD", "hunter2"),
    ];
    let env = [env.as_slice(), &secured].concat();
    assert_eq!(load_with("", &env).is_ok(), cfg!(feature = "kafka-tls"));
    let problem = only_problem("", &[("TANDIAN_FLASH__KAFKA__BROKERS", "kafka1")]);
    assert!(problem.contains("such as kafka1:9092"), "{problem}");
}

#[test]
fn production_accepts_a_site_that_is_safe() {
    let settings = load_with(PRODUCTION, &[]).unwrap().settings;
    assert!(settings.is_production());
    assert_eq!(settings.public_url(), "https://example.com");
}

#[test]
fn production_refuses_demo_codes_and_plain_http() {
    let problems = problems_of("env = \"production\"", &[]);
    assert!(
        problems
            .iter()
            .any(|p| p.starts_with("`code.sender` in default.toml")),
        "{problems:?}"
    );
    assert!(
        problems.iter().any(|p| p.starts_with("`http.public_url`")),
        "{problems:?}"
    );
    assert!(
        problems.iter().any(|p| p.starts_with("`payment.provider`")),
        "{problems:?}"
    );
    let plain = [("TANDIAN_HTTP__PUBLIC_URL", "http://example.com")];
    assert!(only_problem(PRODUCTION, &plain).contains("cookies are sent unencrypted"));
    let hook = [("TANDIAN_CODE__WEBHOOK__URL", "http://sms.example.com")];
    assert!(only_problem(PRODUCTION, &hook).contains("codes are sent unencrypted"));
    let bare = [("TANDIAN_CODE__WEBHOOK__SECRET", "")];
    assert!(only_problem(PRODUCTION, &bare).contains("is needed by code.sender"));
}

#[test]
fn production_sends_mail_encrypted_or_through_its_own_relay() {
    let mail_by = |url| {
        let env = [
            ("TANDIAN_CODE__SENDER", "smtp"),
            ("TANDIAN_CODE__SMTP__FROM", "codes@example.com"),
            ("TANDIAN_CODE__SMTP__URL", url),
        ];
        load_with(PRODUCTION, &env).map(|_| ())
    };
    for url in [
        "smtps://me:pw@mail.example.com",
        "smtp://me:pw@mail.example.com:587?tls=required",
        "smtp://localhost",
        "smtp://127.0.0.1:25",
        "smtp://[::1]:25",
    ] {
        assert!(mail_by(url).is_ok(), "{url}");
    }
    for url in [
        "smtp://me:pw@mail.example.com",
        "smtp://me:pw@mail.example.com?tls=opportunistic",
        "smtp://mail.example.com?tls=opportunistic&tls=required",
        "smtp://mail.example.com/@localhost",
        "smtp://localhost.example.com",
    ] {
        let refusal = mail_by(url).unwrap_err().to_string();
        assert!(refusal.contains("codes are sent unencrypted"), "{url}");
    }
}

#[test]
fn the_public_address_is_spelled_as_browsers_spell_it() {
    for url in [
        "https://Example.com",
        "https://example.com:443",
        "http://example.com:80",
    ] {
        let complaint = only_problem("", &[("TANDIAN_HTTP__PUBLIC_URL", url)]);
        assert!(complaint.contains("as browsers send it"), "{complaint}");
    }
    let fine = [("TANDIAN_HTTP__PUBLIC_URL", "https://example.com:8443")];
    assert!(load_with("", &fine).is_ok());
}

#[test]
fn secrets_appear_in_no_print_and_in_no_error() {
    let env = [
        ("TANDIAN_DATABASE__URL", "mysql://root:hunter2@db/tandian"),
        (
            "TANDIAN_DATABASE__READ_URLS",
            "mysql://ro:hunter2@a/t, mysql://ro:hunter2@b/t",
        ),
        ("TANDIAN_REDIS__URL", "redis://:hunter2@h:6379"),
        ("TANDIAN_CODE__SMTP__URL", "smtps://me:hunter2@mail:465"),
        ("TANDIAN_CODE__WEBHOOK__SECRET", "hunter2-and-sixteen-more"),
        ("TANDIAN_CODE__ALIYUN__ACCESS_KEY_ID", "hunter2-id"),
        ("TANDIAN_CODE__ALIYUN__ACCESS_KEY_SECRET", "hunter2"),
        ("TANDIAN_CODE__TENCENT__SECRET_ID", "hunter2-id"),
        ("TANDIAN_CODE__TENCENT__SECRET_KEY", "hunter2"),
        (
            "TANDIAN_FLASH__CLAIM_TOKEN_SECRET",
            "hunter2-and-thirty-two-more-of-it",
        ),
        ("TANDIAN_FLASH__RABBITMQ__URL", "amqp://me:hunter2@mq:5672"),
    ];
    let effective = load_with("", &env).unwrap();
    let print = effective.print();
    assert!(!print.contains("hunter2"), "{print}");
    assert!(!format!("{:?}", effective.settings).contains("hunter2"));
    assert!(
        print.contains("url = \"mysql://root:***@db/tandian\"  # TANDIAN_DATABASE__URL"),
        "{print}"
    );
    let wrong = [
        ("TANDIAN_DATABASE__URL", "hunter2"),
        ("TANDIAN_CODE__WEBHOOK__SECRET", "hunter2"),
        ("TANDIAN_CODE__LENGTH", "hunter2"),
        ("TANDIAN_ENV", "hunter2"),
    ];
    let error = load_with("", &wrong).unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[test]
fn what_is_printed_can_be_read_back() {
    let env = [
        ("TANDIAN_HTTP__TRUSTED_PROXIES", "10.0.0.0/8"),
        ("TANDIAN_SITE__NAME", "a \"b\""),
    ];
    let print = load_with("", &env).unwrap().print();
    let again = load_with(&print, &[]).unwrap();
    assert_eq!(again.settings.site.name, "a \"b\"");
    assert_eq!(
        format!("{:?}", again.settings),
        format!("{:?}", load_with("", &env).unwrap().settings)
    );
}

fn leaves(prefix: &str, values: &Dict, found: &mut BTreeSet<String>) {
    for (name, value) in values {
        let path = format!("{prefix}{name}");
        match value {
            Value::Dict(_, inner) => leaves(&format!("{path}."), inner, found),
            _ => assert!(found.insert(path)),
        }
    }
}

#[test]
fn the_table_and_the_default_file_name_the_same_keys() {
    let mut in_file = BTreeSet::new();
    let defaults: Dict = toml::from_str(DEFAULTS).unwrap();
    leaves("", &defaults, &mut in_file);
    let in_table: BTreeSet<String> = KEYS.iter().map(|key| key.path.to_owned()).collect();
    assert_eq!(in_file, in_table);
}

#[test]
fn the_default_file_documents_every_key() {
    let lines: Vec<&str> = DEFAULTS.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let is_key = line.contains(" = ") && !line.starts_with('#');
        if is_key {
            assert!(lines[number - 1].starts_with("# "), "undocumented: {line}");
        }
    }
}

#[test]
fn every_choice_of_the_table_fits_its_type() {
    for key in KEYS.iter() {
        let ValueKind::Choice(choices) = key.kind else {
            continue;
        };
        for choice in *choices {
            let name = format!("TANDIAN_{}", key.path.replace('.', "__").to_uppercase());
            match load_with("", &[(&name, choice)]) {
                Ok(_) | Err(SettingsError::Invalid(_)) => {}
                Err(error) => panic!("{name}={choice}: {error:?}"),
            }
        }
    }
}

#[test]
fn the_length_of_codes_is_the_rules_own() {
    let key = KEYS.iter().find(|key| key.path == "code.length").unwrap();
    let ValueKind::Whole(range) = &key.kind else {
        panic!("code.length is a number")
    };
    let rule = domain::login_code::CODE_LENGTH;
    assert_eq!(
        *range,
        i64::try_from(*rule.start()).unwrap()..=i64::try_from(*rule.end()).unwrap()
    );
}
