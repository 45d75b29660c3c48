//! What a site would show to people who must not see it: plain connections, open ports, files that others can read.
//!
//! One list for both uses: production refuses what is in it, `doctor` reports what was accepted on purpose or is merely
//! unwise. The operator decides whether a connection may be plain, by one setting per service: many run
//! inside a network that only they use.

use std::iter;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use super::file_access::{self, Audience};
use super::place;
use super::{
    CodeSender, DatabaseTls, PaymentProvider, PhoneSender, PictureStore, Settings, Transport,
};

/// Something that others can see or use.
#[derive(Debug)]
pub struct Exposure {
    /// The setting to change.
    pub key: &'static str,
    pub what: String,
    pub remedy: String,
    pub verdict: ExposureVerdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExposureVerdict {
    Refused,
    /// By this setting.
    Accepted(&'static str),
    /// Worth a line of `doctor`.
    Unwise,
}

/// Hosts that Alipay gives to those who try things out; no money moves there.
const ALIPAY_SANDBOXES: [&str; 2] = ["alipaydev.com", "sandbox"];

/// What production must not have.
pub(super) fn of_production(settings: &Settings) -> Vec<Exposure> {
    let mut found = Vec::new();
    proxies(settings, &mut found);
    redis(settings, &mut found);
    database(settings, &mut found);
    transport(settings, &mut found);
    bucket(settings, &mut found);
    gateways(settings, &mut found);
    metrics(settings, &mut found);
    alipay(settings, &mut found);
    data(settings, &mut found);
    found
}

/// What a demo site must not have either: there everybody may sign in as any user.
pub(super) fn of_development(settings: &Settings) -> Vec<Exposure> {
    if settings.code.sender != CodeSender::Demo {
        return Vec::new();
    }
    let site = ("http.addr", settings.http.addr);
    let original = settings.compat.addr.map(|addr| ("compat.addr", addr));
    let open = iter::once(site).chain(original);
    open.filter(|(_, addr)| !is_loopback(*addr))
        .map(|(key, _)| {
            Exposure::unless(
                ("code.allow_public_demo", settings.code.allow_public_demo),
                key,
                "code.sender = \"demo\" shows every code, so anybody who reaches this address can become an admin",
                "listen on 127.0.0.1",
            )
        })
        .collect()
}

/// A settings file with passwords in it.
pub(super) fn of_settings_file(file: &Path, key: &'static str) -> Option<Exposure> {
    let what = format!("the file {} holds secrets", file.display());
    by_access(file, key, &what, "600")
}

impl Exposure {
    fn refused(key: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            key,
            what: what.into(),
            remedy: remedy.into(),
            verdict: ExposureVerdict::Refused,
        }
    }

    /// Refused, unless a setting accepts it.
    fn unless(
        (setting, is_set): (&'static str, bool),
        key: &'static str,
        what: impl Into<String>,
        remedy: &str,
    ) -> Self {
        let remedy = format!("{remedy}, or set {setting} = true if only you can reach it");
        Self {
            verdict: if is_set {
                ExposureVerdict::Accepted(setting)
            } else {
                ExposureVerdict::Refused
            },
            ..Self::refused(key, what, remedy)
        }
    }
}

/// Only a proxy can speak https for us, so there is one, and it must be known: by its address everybody would be one
/// visitor, and a client that can choose its address evades every limit.
fn proxies(settings: &Settings, found: &mut Vec<Exposure>) {
    const KEY: &str = "http.trusted_proxies";
    let http = &settings.http;
    let is_https = settings.public_url().starts_with("https://");
    if is_https && http.trusted_proxies.is_empty() {
        found.push(Exposure::refused(
            KEY,
            "with https a proxy is in front, and limits per address would count it as the only visitor",
            "name it, such as [\"127.0.0.1\"]",
        ));
    }
    if let Some(wide) = http
        .trusted_proxies
        .iter()
        .find(|proxy| proxy.is_too_wide())
    {
        found.push(Exposure::refused(
            KEY,
            format!("{wide} lets any client forge its address and evade every limit"),
            "name the networks of your proxies alone",
        ));
    }
}

fn redis(settings: &Settings, found: &mut Vec<Exposure>) {
    const KEY: &str = "redis.url";
    let redis = &settings.redis;
    let Some(url) = redis.url.as_ref().map(|url| url.expose()) else {
        return;
    };
    if place::stays_here(url) {
        return;
    }
    if !url.starts_with("rediss") {
        found.push(Exposure::unless(
            ("redis.allow_plaintext", redis.allow_plaintext),
            KEY,
            "sessions and codes are sent unencrypted to another machine",
            "use rediss:// (with redis.ca_file for an authority of your own)",
        ));
    }
    if !place::has_password(url) {
        found.push(Exposure::unless(
            ("redis.allow_no_password", redis.allow_no_password),
            KEY,
            "Redis on another machine takes everybody without a password",
            "give it one (requirepass or an ACL user) and put it before the host",
        ));
    }
}

fn database(settings: &Settings, found: &mut Vec<Exposure>) {
    let database = &settings.database;
    let urls = database.url.iter().map(|url| ("database.url", url));
    let copies = database
        .read_urls
        .iter()
        .map(|url| ("database.read_urls", url));
    for (key, url) in urls.chain(copies) {
        let url = url.expose();
        if url.starts_with("sqlite") || place::stays_here(url) || has_socket(url) {
            continue;
        }
        match database.tls_of(url) {
            DatabaseTls::VerifyFull | DatabaseTls::VerifyCa => {}
            DatabaseTls::Required => found.push(Exposure {
                verdict: ExposureVerdict::Unwise,
                ..Exposure::refused(
                    key,
                    "the connection to the database is encrypted, but its server is not authenticated",
                    "set database.tls = \"verify-full\", with database.ca_file for an authority of your own",
                )
            }),
            DatabaseTls::Off | DatabaseTls::Auto => found.push(Exposure::unless(
                ("database.allow_plaintext", database.allow_plaintext),
                key,
                "SQL and its password may be sent unencrypted to another machine",
                "set database.tls = \"verify-full\" (with database.ca_file for an authority of your own)",
            )),
        }
    }
}

fn has_socket(url: &str) -> bool {
    place::parameter(url, "socket").is_some_and(|socket| !socket.is_empty())
}

fn transport(settings: &Settings, found: &mut Vec<Exposure>) {
    let flash = &settings.flash;
    match flash.transport {
        Transport::Stream => {}
        Transport::RabbitMq => {
            let url = flash.rabbitmq.url.as_ref().map(|url| url.expose());
            let is_plain = |url: &&str| url.starts_with("amqp://") && !place::stays_here(url);
            if url.as_ref().is_some_and(is_plain) {
                found.push(Exposure::unless(
                    (
                        "flash.rabbitmq.allow_plaintext",
                        flash.rabbitmq.allow_plaintext,
                    ),
                    "flash.rabbitmq.url",
                    "orders and the broker's password are sent unencrypted to another machine",
                    "use amqps:// (with flash.rabbitmq.ca_file for an authority of your own)",
                ));
            }
        }
        Transport::Kafka => {
            let kafka = &flash.kafka;
            let is_away = |broker: &String| !place::is_this_machine(place::host_of(broker));
            if !kafka.tls && kafka.brokers.iter().any(is_away) {
                found.push(Exposure::unless(
                    ("flash.kafka.allow_plaintext", kafka.allow_plaintext),
                    "flash.kafka.brokers",
                    "orders are sent unencrypted to another machine",
                    "set flash.kafka.tls = true (with flash.kafka.ca_file for an authority of your own)",
                ));
            }
        }
    }
}

fn bucket(settings: &Settings, found: &mut Vec<Exposure>) {
    let s3 = &settings.pictures.s3;
    let is_plain = |url: &&str| url.starts_with("http://") && !place::stays_here(url);
    let is_used = settings.pictures.store == PictureStore::S3;
    if is_used && s3.endpoint.as_deref().as_ref().is_some_and(is_plain) {
        found.push(Exposure::unless(
            ("pictures.s3.allow_plaintext", s3.allow_plaintext),
            "pictures.s3.endpoint",
            "pictures are sent unencrypted to another machine",
            "use https://",
        ));
    }
}

fn gateways(settings: &Settings, found: &mut Vec<Exposure>) {
    let code = &settings.code;
    let (aliyun, tencent) = (&code.aliyun, &code.tencent);
    let endpoints = [
        (
            PhoneSender::Aliyun,
            "code.aliyun.endpoint",
            &aliyun.endpoint,
            ("code.aliyun.allow_plaintext", aliyun.allow_plaintext),
        ),
        (
            PhoneSender::Tencent,
            "code.tencent.endpoint",
            &tencent.endpoint,
            ("code.tencent.allow_plaintext", tencent.allow_plaintext),
        ),
    ];
    for (gateway, key, endpoint, allowed) in endpoints {
        let is_plain = endpoint.starts_with("http://") && !place::stays_here(endpoint);
        if code.phone.contains(&gateway) && is_plain {
            let what = "numbers and sign-in codes are sent unencrypted to another machine";
            found.push(Exposure::unless(allowed, key, what, "use https://"));
        }
    }
}

fn metrics(settings: &Settings, found: &mut Vec<Exposure>) {
    let metrics = &settings.metrics;
    if metrics.addr.is_some_and(|addr| !is_private(addr.ip())) {
        found.push(Exposure::unless(
            ("metrics.allow_public", metrics.allow_public),
            "metrics.addr",
            "anybody who reaches the machine can read the site's metrics",
            "listen on 127.0.0.1 or on an address of a private network",
        ));
    }
}

fn alipay(settings: &Settings, found: &mut Vec<Exposure>) {
    const KEY: &str = "payment.alipay.gateway";
    const OURS: &str = "use https://openapi.alipay.com/gateway.do";
    if settings.payment.provider != PaymentProvider::Alipay {
        return;
    }
    let alipay = &settings.payment.alipay;
    if !alipay.gateway.starts_with("https://") {
        let what = "payments are sent unencrypted";
        found.push(Exposure::refused(KEY, what, OURS));
    } else if ALIPAY_SANDBOXES
        .iter()
        .any(|name| alipay.gateway.contains(name))
    {
        let what = "Alipay's sandbox takes no money, and its buyers have as much as they like";
        found.push(Exposure::refused(KEY, what, OURS));
    }
    let key = alipay.app_private_key_file.as_deref();
    found.extend(key.and_then(|file| {
        let what = format!("{} signs payments", file.display());
        by_access(file, "payment.alipay.app_private_key_file", &what, "600")
    }));
}

fn data(settings: &Settings, found: &mut Vec<Exposure>) {
    let folder = &settings.data_dir;
    let what = format!("the folder {} holds everything", folder.display());
    found.extend(by_access(folder, "data_dir", &what, "700"));
}

/// A file that is not there yet shows nothing.
fn by_access(path: &Path, key: &'static str, what: &str, mode: &str) -> Option<Exposure> {
    let remedy = format!("chmod {mode} {}", path.display());
    match file_access::audience(path)? {
        Audience::Owner => None,
        Audience::Group => Some(Exposure {
            verdict: ExposureVerdict::Unwise,
            ..Exposure::refused(
                key,
                format!("{what}, and its group can look into it"),
                remedy,
            )
        }),
        Audience::Everybody => Some(Exposure::refused(
            key,
            format!("{what}, and every user of the machine can look into it"),
            remedy,
        )),
    }
}

fn is_loopback(addr: SocketAddr) -> bool {
    addr.ip().to_canonical().is_loopback()
}

/// Not reachable from the internet. `0.0.0.0` and `::` are every address that the machine has.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}
