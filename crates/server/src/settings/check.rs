//! Rules that concern several settings at once, and what production refuses. Everything wrong is reported together.

mod senders;

use std::net::SocketAddr;

use domain::{CodeShape, GUESS_CHANCE_MAX, GuessBound};

use super::{
    CodeSender, DatabaseTls, Environment, Kafka, KafkaSasl, PaymentProvider, PictureStore,
    Settings, Transport,
};

/// The key to blame and what to do about it.
pub(super) type Complaint = (&'static str, String);

pub(super) fn complaints(settings: &Settings) -> Vec<Complaint> {
    let mut found = Vec::new();
    http(settings, &mut found);
    database(settings, &mut found);
    session(settings, &mut found);
    guesses(settings, &mut found);
    senders::complaints(settings, &mut found);
    flash(settings, &mut found);
    pictures(settings, &mut found);
    order(settings, &mut found);
    payment(settings, &mut found);
    if settings.env == Environment::Production {
        production(settings, &mut found);
    }
    found
}

fn http(settings: &Settings, found: &mut Vec<Complaint>) {
    let http = &settings.http;
    if http.shutdown_grace_secs < http.request_timeout_secs {
        let text = "must be at least http.request_timeout_secs, or a stop cuts requests off";
        found.push(("http.shutdown_grace_secs", text.to_owned()));
    }
    let compat = settings.compat.addr.map(|addr| ("compat.addr", addr));
    let metrics = settings.metrics.addr.map(|addr| ("metrics.addr", addr));
    let mut taken = vec![("http.addr", http.addr)];
    for (key, addr) in [compat, metrics].into_iter().flatten() {
        if let Some((by, _)) = taken.iter().find(|(_, other)| collide(*other, addr)) {
            found.push((key, format!("must differ from {by}")));
        }
        taken.push((key, addr));
    }
}

/// Whether one socket takes the other's connections: `0.0.0.0` listens on every address.
fn collide(one: SocketAddr, other: SocketAddr) -> bool {
    let is_everywhere = one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() == other.port() && one.port() != 0 && (one.ip() == other.ip() || is_everywhere)
}

fn database(settings: &Settings, found: &mut Vec<Complaint>) {
    let database = &settings.database;
    let is_mysql = database
        .url
        .as_ref()
        .is_some_and(|url| url.expose().starts_with("mysql://"));
    if !database.read_urls.is_empty() && !is_mysql {
        let text = "needs a mysql:// database.url: a SQLite file has no copies";
        found.push(("database.read_urls", text.to_owned()));
    }
    if database.ca_file.is_some() && database.tls == DatabaseTls::Off {
        let text = "has an authority to check, and database.tls = \"off\" checks nothing";
        found.push(("database.ca_file", text.to_owned()));
    }
}

fn session(settings: &Settings, found: &mut Vec<Complaint>) {
    let session = &settings.session;
    if session.idle_secs > session.absolute_secs {
        let text = "must not exceed session.absolute_secs";
        found.push(("session.idle_secs", text.to_owned()));
    }
}

/// How many guesses a day the settings allow an attacker, for one account.
fn guesses(settings: &Settings, found: &mut Vec<Complaint>) {
    let code = &settings.code;
    let bound = GuessBound {
        codes_per_day: code.per_day,
        tries: code.max_tries,
        ttl_secs: code.ttl_secs,
        resend_secs: code.resend_secs,
        lock_secs: code.lock_secs,
    };
    let shape = CodeShape {
        length: code.length,
        letters: code.letters,
    };
    let chance = bound.chance_per_day(shape);
    if chance > GUESS_CHANCE_MAX {
        let text = format!(
            "leaves {} guesses a day for one account, one in {:.0} gets in; at most one in {:.0} may: lower it or \
             code.per_day, or raise code.length, code.lock_secs or code.resend_secs",
            bound.guesses_per_day(),
            1.0 / chance,
            1.0 / GUESS_CHANCE_MAX,
        );
        found.push(("code.max_tries", text));
    }
}

fn flash(settings: &Settings, found: &mut Vec<Complaint>) {
    let flash = &settings.flash;
    if flash.spread > flash.partitions {
        let text = "must not exceed flash.partitions";
        found.push(("flash.spread", text.to_owned()));
    }
    if flash.claim_token && flash.claim_token_secret.is_none() {
        let text = "is needed by flash.claim_token = true";
        found.push(("flash.claim_token_secret", text.to_owned()));
    }
    match flash.transport {
        Transport::Stream => {}
        Transport::RabbitMq if !cfg!(feature = "rabbitmq") => {
            let text = "rabbitmq is not part of this build: build with the feature `rabbitmq`";
            found.push(("flash.transport", text.to_owned()));
        }
        Transport::RabbitMq if flash.rabbitmq.url.is_none() => {
            let text = "is needed by flash.transport = \"rabbitmq\"";
            found.push(("flash.rabbitmq.url", text.to_owned()));
        }
        Transport::RabbitMq => {}
        Transport::Kafka if !cfg!(feature = "kafka") => {
            let text = "kafka is not part of this build: build with the feature `kafka`";
            found.push(("flash.transport", text.to_owned()));
        }
        Transport::Kafka if flash.kafka.brokers.is_empty() => {
            let text = "is needed by flash.transport = \"kafka\"";
            found.push(("flash.kafka.brokers", text.to_owned()));
        }
        Transport::Kafka => kafka(&flash.kafka, found),
    }
}

/// librdkafka takes TLS and SCRAM from OpenSSL, which only some builds include.
fn kafka(kafka: &Kafka, found: &mut Vec<Complaint>) {
    const NEEDS_TLS: &str = "is not part of this build: build with `--features kafka-tls`";
    let has_tls = cfg!(feature = "kafka-tls");
    if kafka.tls && !has_tls {
        found.push(("flash.kafka.tls", format!("TLS to Kafka {NEEDS_TLS}")));
    }
    let is_scram = matches!(kafka.sasl, KafkaSasl::ScramSha256 | KafkaSasl::ScramSha512);
    if is_scram && !has_tls {
        found.push(("flash.kafka.sasl", format!("SCRAM {NEEDS_TLS}")));
    }
    if kafka.ca_file.is_some() && !kafka.tls {
        let text = "is used by flash.kafka.tls = true";
        found.push(("flash.kafka.ca_file", text.to_owned()));
    }
    let text = "is needed by flash.kafka.sasl";
    if kafka.sasl != KafkaSasl::None && kafka.user.is_none() {
        found.push(("flash.kafka.user", text.to_owned()));
    }
    if kafka.sasl != KafkaSasl::None && kafka.password.is_none() {
        found.push(("flash.kafka.password", text.to_owned()));
    }
}

fn order(settings: &Settings, found: &mut Vec<Complaint>) {
    if settings.order.remind_secs >= settings.order.pay_deadline_secs {
        let text = "must be less than order.pay_deadline_secs, or everybody is reminded at once";
        found.push(("order.remind_secs", text.to_owned()));
    }
}

fn payment(settings: &Settings, found: &mut Vec<Complaint>) {
    if settings.payment.provider != PaymentProvider::Alipay {
        return;
    }
    let alipay = &settings.payment.alipay;
    let mut require = |is_there: bool, key: &'static str| {
        if !is_there {
            found.push((key, "is needed by payment.provider = \"alipay\"".to_owned()));
        }
    };
    require(alipay.app_id.is_some(), "payment.alipay.app_id");
    require(alipay.seller_id.is_some(), "payment.alipay.seller_id");
    require(
        alipay.app_private_key_file.is_some(),
        "payment.alipay.app_private_key_file",
    );
    if alipay.app_cert_file.is_some() {
        let (own, root) = (&alipay.alipay_cert_file, &alipay.alipay_root_cert_file);
        require(own.is_some(), "payment.alipay.alipay_cert_file");
        require(root.is_some(), "payment.alipay.alipay_root_cert_file");
    } else {
        let key = &alipay.alipay_public_key_file;
        require(key.is_some(), "payment.alipay.alipay_public_key_file");
    }
}

fn pictures(settings: &Settings, found: &mut Vec<Complaint>) {
    let s3 = &settings.pictures.s3;
    let needed = [
        ("pictures.s3.endpoint", s3.endpoint.is_some()),
        ("pictures.s3.bucket", s3.bucket.is_some()),
        ("pictures.s3.access_key", s3.access_key.is_some()),
        ("pictures.s3.secret_key", s3.secret_key.is_some()),
    ];
    if settings.pictures.store == PictureStore::S3 {
        let missing = needed.into_iter().filter(|(_, is_set)| !is_set);
        let text = "is needed by pictures.store = \"s3\"";
        found.extend(missing.map(|(key, _)| (key, text.to_owned())));
    }
}

fn production(settings: &Settings, found: &mut Vec<Complaint>) {
    if settings.code.sender == CodeSender::Demo {
        let text = "demo shows everybody every code: production needs smtp, webhook or by_contact";
        found.push(("code.sender", text.to_owned()));
    }
    if settings.payment.provider == PaymentProvider::Sandbox {
        let text = "the sandbox takes no money: production needs alipay, or none";
        found.push(("payment.provider", text.to_owned()));
    }
    if settings.lab.program.is_some() {
        let text = "lets readers start programs on this machine: production needs it empty";
        found.push(("lab.program", text.to_owned()));
    }
    match settings.http.public_url.as_deref() {
        None => {
            let text = "production needs the address people type, such as https://example.com";
            found.push(("http.public_url", text.to_owned()));
        }
        Some(url) if !url.starts_with("https://") => {
            let text = "production needs https, or session cookies are sent unencrypted";
            found.push(("http.public_url", text.to_owned()));
        }
        Some(_) => {}
    }
    let webhook = settings.code.webhook.url.as_ref();
    if webhook.is_some_and(|url| !url.expose().starts_with("https://")) {
        let text = "production needs https, or sign-in codes are sent unencrypted";
        found.push(("code.webhook.url", text.to_owned()));
    }
    let broker = settings.flash.rabbitmq.url.as_ref();
    if broker.is_some_and(|url| url.expose().contains("//guest:guest@")) {
        let text = "production needs an account of its own: everybody knows guest";
        found.push(("flash.rabbitmq.url", text.to_owned()));
    }
    let mail = settings.code.smtp.url.as_ref();
    if mail.is_some_and(|url| !is_guarded_mail(url.expose())) {
        let text =
            "production needs smtps:// or ?tls=required, or sign-in codes are sent unencrypted";
        found.push(("code.smtp.url", text.to_owned()));
    }
}

/// Whether mails leave the machine encrypted, or only reach a relay on the machine itself.
fn is_guarded_mail(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("smtp://") else {
        return true;
    };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = place.split('/').next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let tls = query.split('&').find(|pair| pair.starts_with("tls="));
    tls == Some("tls=required") || ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}
