//! What a text setting must look like. A rule answers with what was expected, never with the value: values may be secret.

use std::net::SocketAddr;

use domain::{PictureHost, SiteZone};
use tracing_subscriber::EnvFilter;

use super::network::Network;
use super::{EmailSender, PhoneSender, TencentParam};

pub(super) type Rule = fn(&str) -> Result<(), &'static str>;

const PREFIX_MAX_LEN: usize = 32;

/// A name or an address that a page shows in one place.
const LINE_MAX_CHARS: usize = 200;

/// 128 bits written in hexadecimal are twice that; anything shorter than this is a word.
const WEBHOOK_SECRET_MIN_LEN: usize = 16;

/// A client that guesses it can claim without having loaded the page: 128 bits in hexadecimal.
const CLAIM_TOKEN_SECRET_MIN_LEN: usize = 32;

/// Longer than any name that a console shows.
const TEMPLATE_VARIABLE_MAX_LEN: usize = 32;

pub(super) fn anything(_: &str) -> Result<(), &'static str> {
    Ok(())
}

pub(super) fn not_blank(text: &str) -> Result<(), &'static str> {
    ensure(!text.trim().is_empty(), "a text that is not empty")
}

pub(super) fn line(text: &str) -> Result<(), &'static str> {
    let is_line = !text.trim().is_empty() && !text.contains(char::is_control);
    ensure(
        is_line && text.chars().count() <= LINE_MAX_CHARS,
        "one line of up to 200 characters",
    )
}

pub(super) fn time_zone(text: &str) -> Result<(), &'static str> {
    ensure(
        SiteZone::named(text).is_ok(),
        "an IANA time zone such as Asia/Shanghai",
    )
}

pub(super) fn address(text: &str) -> Result<(), &'static str> {
    ensure(
        text.parse::<SocketAddr>().is_ok(),
        "an IP address with a port, such as 127.0.0.1:8080",
    )
}

pub(super) fn network(text: &str) -> Result<(), &'static str> {
    ensure(
        text.parse::<Network>().is_ok(),
        "addresses or networks such as 10.0.0.0/8",
    )
}

pub(super) fn picture_host(text: &str) -> Result<(), &'static str> {
    ensure(
        text.parse::<PictureHost>().is_ok(),
        "hosts such as img.example.com, *.example.com or 10.0.0.5:9000, without https:// or a path",
    )
}

pub(super) fn log_filter(text: &str) -> Result<(), &'static str> {
    ensure(
        EnvFilter::try_new(text).is_ok(),
        "a level (error, warn, info, debug, trace) or a list such as info,server=debug",
    )
}

pub(super) fn key_prefix(text: &str) -> Result<(), &'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || ":_-".contains(c);
    ensure(
        text.len() <= PREFIX_MAX_LEN && text.chars().all(plain),
        "up to 32 letters, digits and : _ -",
    )
}

/// Compared letter by letter with what browsers send as `Origin`, so it must be spelled as they do.
pub(super) fn origin(text: &str) -> Result<(), &'static str> {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let plain = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    ensure(
        host.is_some_and(plain),
        "http:// or https:// with a host and no path, such as https://example.com",
    )?;
    let usual_port = if text.starts_with("https://") {
        ":443"
    } else {
        ":80"
    };
    ensure(
        !text.ends_with(usual_port) && !text.contains(|c: char| c.is_ascii_uppercase()),
        "the address as browsers send it: in lower case and without the usual port",
    )
}

pub(super) fn database_url(text: &str) -> Result<(), &'static str> {
    ensure(
        has_scheme(text, &["sqlite", "mysql"]),
        "sqlite:// or mysql://",
    )
}

pub(super) fn mysql_url(text: &str) -> Result<(), &'static str> {
    ensure(has_scheme(text, &["mysql"]), "mysql://")
}

pub(super) fn redis_url(text: &str) -> Result<(), &'static str> {
    const SCHEMES: [&str; 7] = [
        "redis",
        "rediss",
        "unix",
        "redis-cluster",
        "rediss-cluster",
        "redis-sentinel",
        "rediss-sentinel",
    ];
    ensure(
        has_scheme(text, &SCHEMES),
        "redis://, rediss://, unix://, redis-cluster:// or redis-sentinel://",
    )
}

pub(super) fn smtp_url(text: &str) -> Result<(), &'static str> {
    ensure(
        has_scheme(text, &["smtp", "smtps"]),
        "smtps://user:password@host:465 or smtp://…?tls=required",
    )
}

pub(super) fn web_url(text: &str) -> Result<(), &'static str> {
    ensure(has_scheme(text, &["http", "https"]), "http:// or https://")
}

pub(super) fn webhook_secret(text: &str) -> Result<(), &'static str> {
    ensure(
        text.len() >= WEBHOOK_SECRET_MIN_LEN,
        "at least 16 characters",
    )
}

pub(super) fn phone_sender(text: &str) -> Result<(), &'static str> {
    ensure(
        PhoneSender::WORDS.contains(&text),
        "a list of aliyun, tencent and webhook",
    )
}

pub(super) fn email_sender(text: &str) -> Result<(), &'static str> {
    ensure(EmailSender::WORDS.contains(&text), "smtp or webhook")
}

pub(super) fn tencent_param(text: &str) -> Result<(), &'static str> {
    ensure(
        TencentParam::WORDS.contains(&text),
        "a list of code and minutes",
    )
}

/// The name inside `${…}`.
pub(super) fn template_variable(text: &str) -> Result<(), &'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    ensure(
        (1..=TEMPLATE_VARIABLE_MAX_LEN).contains(&text.len()) && text.chars().all(is_plain),
        "the name of a template's variable without ${}, such as code",
    )
}

/// Numbers that are names: of apps, signs and templates.
pub(super) fn number(text: &str) -> Result<(), &'static str> {
    let is_number = text.parse::<u64>().is_ok() && text.bytes().all(|byte| byte.is_ascii_digit());
    ensure(
        is_number,
        "a whole number in quotes, as the console shows it",
    )
}

pub(super) fn claim_token_secret(text: &str) -> Result<(), &'static str> {
    ensure(
        text.len() >= CLAIM_TOKEN_SECRET_MIN_LEN,
        "at least 32 characters",
    )
}

pub(super) fn amqp_url(text: &str) -> Result<(), &'static str> {
    ensure(
        has_scheme(text, &["amqp", "amqps"]),
        "amqps://user:password@host:5671/%2f or amqp://…",
    )
}

pub(super) fn broker(text: &str) -> Result<(), &'static str> {
    let port = |(host, port): (&str, &str)| !host.is_empty() && port.parse::<u16>().is_ok();
    ensure(
        text.rsplit_once(':').is_some_and(port),
        "a host with a port, such as kafka1:9092",
    )
}

fn has_scheme(text: &str, schemes: &[&str]) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, rest)| schemes.contains(&scheme) && !rest.is_empty())
}

fn ensure(holds: bool, expected: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(expected) }
}
