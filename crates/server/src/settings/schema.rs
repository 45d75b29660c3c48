//! The table of all settings: each key with what it may hold and whether it may be shown.
//!
//! Invariant: this table, `default.toml` and the `Settings` types name the same keys (a test compares them), and every number has a range.

use std::ops::RangeInclusive;

use figment::value::Value;

use super::place;
use super::rules::{self, Rule};

#[derive(Debug)]
pub(super) struct Key {
    pub(super) path: &'static str,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Text(Rule),
    /// Empty means "not set"; anything else obeys the rule.
    OptionalText(Rule),
    /// As `OptionalText`, never shown.
    Secret(Rule),
    /// As `OptionalText`, shown without its password.
    SecretUrl(Rule),
    Texts(Rule),
    /// As `Texts`, each shown without its password.
    SecretUrls(Rule),
    Flag,
    Whole(RangeInclusive<i64>),
    Choice(&'static [&'static str]),
}

const fn key(path: &'static str, kind: Kind) -> Key {
    Key { path, kind }
}

const HOUR_SECS: i64 = 3_600;
const DAY_SECS: i64 = 24 * HOUR_SECS;
const YEAR_SECS: i64 = 365 * DAY_SECS;

/// For ever, as far as a site goes.
const CENTURY_DAYS: i64 = 36_500;

pub(super) const KEYS: &[Key] = &[
    key("env", Kind::Choice(&["development", "production"])),
    key("data_dir", Kind::Text(rules::not_blank)),
    key("site.name", Kind::Text(rules::not_blank)),
    key("site.time_zone", Kind::Text(rules::time_zone)),
    key("http.addr", Kind::Text(rules::address)),
    key("http.public_url", Kind::OptionalText(rules::origin)),
    key("http.trusted_proxies", Kind::Texts(rules::network)),
    key(
        "http.body_limit_bytes",
        Kind::Whole(1_024..=64 * 1_024 * 1_024),
    ),
    key("http.request_timeout_secs", Kind::Whole(1..=300)),
    key("http.max_in_flight", Kind::Whole(1..=1_000_000)),
    key("http.max_connections", Kind::Whole(16..=1_000_000)),
    key(
        "http.max_connections_per_address",
        Kind::Whole(1..=1_000_000),
    ),
    key("http.max_streams_per_address", Kind::Whole(1..=1_000_000)),
    key("http.min_bytes_per_sec", Kind::Whole(1..=1_048_576)),
    key("http.stall_secs", Kind::Whole(1..=300)),
    key("http.keep_alive_secs", Kind::Whole(1..=HOUR_SECS)),
    key("http.shutdown_grace_secs", Kind::Whole(1..=HOUR_SECS)),
    key("metrics.addr", Kind::OptionalText(rules::address)),
    key("metrics.allow_public", Kind::Flag),
    key("log.format", Kind::Choice(&["auto", "human", "json"])),
    key("log.filter", Kind::Text(rules::log_filter)),
    key("disk.warn_free_mib", Kind::Whole(0..=1_048_576)),
    key("disk.refuse_free_mib", Kind::Whole(0..=1_048_576)),
    key("database.url", Kind::SecretUrl(rules::database_url)),
    key("database.read_urls", Kind::SecretUrls(rules::mysql_url)),
    key(
        "database.tls",
        Kind::Choice(&["auto", "off", "required", "verify-ca", "verify-full"]),
    ),
    key("database.ca_file", Kind::OptionalText(rules::anything)),
    key("database.allow_plaintext", Kind::Flag),
    key("database.max_connections", Kind::Whole(1..=1_000)),
    key("database.acquire_timeout_ms", Kind::Whole(10..=60_000)),
    key("redis.url", Kind::SecretUrl(rules::redis_url)),
    key("redis.prefix", Kind::Text(rules::key_prefix)),
    key("redis.connect_timeout_ms", Kind::Whole(10..=60_000)),
    key("redis.response_timeout_ms", Kind::Whole(10..=60_000)),
    key("redis.ca_file", Kind::OptionalText(rules::anything)),
    key("redis.allow_plaintext", Kind::Flag),
    key("redis.allow_no_password", Kind::Flag),
    key("redis.server", Kind::Text(rules::not_blank)),
    key("redis.appendfsync", Kind::Choice(&["always", "everysec"])),
    // A terabyte: beyond it a number is a slip of the unit.
    key("redis.max_memory_mib", Kind::Whole(0..=1024 * 1024)),
    key("session.idle_secs", Kind::Whole(60..=YEAR_SECS)),
    key("session.absolute_secs", Kind::Whole(60..=YEAR_SECS)),
    // Longer, and a signed-out token would live on in some process for longer than people forgive.
    key("session.l1_ms", Kind::Whole(0..=10_000)),
    key("session.max_per_user", Kind::Whole(1..=1_000)),
    key("code.sender", Kind::Choice(&["demo", "smtp", "webhook"])),
    key("code.allow_public_demo", Kind::Flag),
    key("code.length", Kind::Whole(6..=10)),
    key("code.letters", Kind::Flag),
    key("code.ttl_secs", Kind::Whole(30..=HOUR_SECS)),
    key("code.resend_secs", Kind::Whole(1..=HOUR_SECS)),
    key("code.per_day", Kind::Whole(1..=1_000)),
    key("code.per_day_kept", Kind::Whole(0..=999)),
    key("code.per_day_per_address", Kind::Whole(1..=1_000)),
    key("code.max_tries", Kind::Whole(1..=100)),
    key("code.lock_secs", Kind::Whole(1..=DAY_SECS)),
    key("code.per_address_per_hour", Kind::Whole(1..=1_000_000)),
    key(
        "code.logins_per_address_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
    key("code.total_per_minute", Kind::Whole(1..=10_000_000)),
    key("code.smtp.url", Kind::SecretUrl(rules::smtp_url)),
    key("code.smtp.from", Kind::OptionalText(rules::anything)),
    key("code.webhook.url", Kind::SecretUrl(rules::web_url)),
    key("code.webhook.secret", Kind::Secret(rules::webhook_secret)),
    key("code.webhook.timeout_ms", Kind::Whole(100..=60_000)),
    key(
        "flash.transport",
        Kind::Choice(&["stream", "rabbitmq", "kafka"]),
    ),
    key("flash.partitions", Kind::Whole(1..=256)),
    key("flash.spread", Kind::Whole(1..=256)),
    key("flash.ids", Kind::Choice(&["counter", "snowflake"])),
    key("flash.queue", Kind::Whole(1..=1_000_000)),
    key("flash.backlog_limit", Kind::Whole(1..=100_000_000)),
    key("flash.drain_batch", Kind::Whole(1..=20_000)),
    key("flash.drain_parallel", Kind::Whole(1..=256)),
    key("flash.drain_orders_per_sec", Kind::Whole(0..=1_000_000)),
    // Redis itself cannot have more copies that are of any use.
    key("flash.replicas", Kind::Whole(0..=16)),
    key(
        "flash.claims_per_user_per_minute",
        Kind::Whole(0..=1_000_000),
    ),
    key(
        "flash.claims_per_address_per_minute",
        Kind::Whole(0..=100_000_000),
    ),
    key("flash.claim_token", Kind::Flag),
    key(
        "flash.claim_token_secret",
        Kind::Secret(rules::claim_token_secret),
    ),
    key("flash.reconcile_secs", Kind::Whole(1..=DAY_SECS)),
    key("flash.max_watchers", Kind::Whole(0..=1_000_000)),
    key("flash.rabbitmq.url", Kind::SecretUrl(rules::amqp_url)),
    key(
        "flash.rabbitmq.ca_file",
        Kind::OptionalText(rules::anything),
    ),
    key("flash.rabbitmq.allow_plaintext", Kind::Flag),
    key("flash.kafka.brokers", Kind::Texts(rules::broker)),
    key("flash.kafka.tls", Kind::Flag),
    key("flash.kafka.ca_file", Kind::OptionalText(rules::anything)),
    key(
        "flash.kafka.sasl",
        Kind::Choice(&["none", "plain", "scram-sha-256", "scram-sha-512"]),
    ),
    key("flash.kafka.user", Kind::OptionalText(rules::anything)),
    key("flash.kafka.password", Kind::Secret(rules::anything)),
    key("flash.kafka.allow_plaintext", Kind::Flag),
    key("order.pay_deadline_secs", Kind::Whole(1..=30 * DAY_SECS)),
    key("order.max_unpaid_per_user", Kind::Whole(1..=1_000)),
    key("order.remind_secs", Kind::Whole(0..=DAY_SECS)),
    key(
        "payment.provider",
        Kind::Choice(&["sandbox", "alipay", "none"]),
    ),
    key("payment.cashier", Kind::Flag),
    key("payment.ask_after_secs", Kind::Whole(1..=HOUR_SECS)),
    key("payment.alipay.gateway", Kind::Text(rules::not_blank)),
    key("payment.alipay.app_id", Kind::OptionalText(rules::anything)),
    key(
        "payment.alipay.seller_id",
        Kind::OptionalText(rules::anything),
    ),
    key(
        "payment.alipay.app_private_key_file",
        Kind::OptionalText(rules::anything),
    ),
    key(
        "payment.alipay.alipay_public_key_file",
        Kind::OptionalText(rules::anything),
    ),
    key(
        "payment.alipay.app_cert_file",
        Kind::OptionalText(rules::anything),
    ),
    key(
        "payment.alipay.alipay_cert_file",
        Kind::OptionalText(rules::anything),
    ),
    key(
        "payment.alipay.alipay_root_cert_file",
        Kind::OptionalText(rules::anything),
    ),
    key("payment.alipay.timeout_ms", Kind::Whole(100..=60_000)),
    key("notice.max_listeners", Kind::Whole(0..=1_000_000)),
    key("outbox.max_attempts", Kind::Whole(2..=10_000)),
    key("feed.push_limit", Kind::Whole(0..=1_000_000)),
    key("pictures.store", Kind::Choice(&["folder", "s3"])),
    key("pictures.max_per_user", Kind::Whole(1..=10_000_000)),
    key(
        "pictures.uploads_per_user_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
    key("pictures.max_in_hand", Kind::Whole(1..=1_000)),
    key("pictures.max_in_hand_per_user", Kind::Whole(1..=1_000)),
    key("pictures.s3.endpoint", Kind::OptionalText(rules::web_url)),
    key("pictures.s3.region", Kind::Text(rules::not_blank)),
    key("pictures.s3.bucket", Kind::OptionalText(rules::not_blank)),
    key(
        "pictures.s3.access_key",
        Kind::OptionalText(rules::not_blank),
    ),
    key("pictures.s3.secret_key", Kind::Secret(rules::not_blank)),
    key("pictures.s3.allow_plaintext", Kind::Flag),
    key("retention.every_secs", Kind::Whole(1..=DAY_SECS)),
    key("retention.batch", Kind::Whole(1..=500)),
    // Longer than any order waits for its payment: a reminder is not sent twice.
    key("retention.notices_days", Kind::Whole(31..=CENTURY_DAYS)),
    key("retention.visits_days", Kind::Whole(91..=CENTURY_DAYS)),
    key("retention.audit_days", Kind::Whole(90..=CENTURY_DAYS)),
    // Calendars reach back thirteen months.
    key("retention.check_ins_days", Kind::Whole(400..=CENTURY_DAYS)),
    key("retention.dead_orders_days", Kind::Whole(30..=CENTURY_DAYS)),
    key("retention.id_marks_days", Kind::Whole(7..=CENTURY_DAYS)),
    key("retention.orders_days", Kind::Whole(30..=CENTURY_DAYS)),
    key(
        "limits.comments_per_user_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
    key("limits.likes_per_user_per_hour", Kind::Whole(1..=1_000_000)),
    key(
        "limits.follows_per_user_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
    key("limits.notes_per_user_per_hour", Kind::Whole(1..=1_000_000)),
    key(
        "limits.purchases_per_user_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
    key(
        "limits.named_requests_per_user_per_hour",
        Kind::Whole(1..=1_000_000),
    ),
];

pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

pub(super) fn is_section(path: &str) -> bool {
    KEYS.iter()
        .any(|key| matches!(key.path.strip_prefix(path), Some(rest) if rest.starts_with('.')))
}

impl Kind {
    /// Whether the value of such a key is worth hiding: a secret, or a URL that carries a password.
    pub(super) fn is_secret(&self, value: &Value) -> bool {
        let text = value.as_str().unwrap_or_default();
        match self {
            Self::Secret(_) => !text.is_empty(),
            Self::SecretUrl(_) => place::has_password(text),
            Self::SecretUrls(_) => {
                let items = value.as_array().unwrap_or_default().iter();
                items.filter_map(Value::as_str).any(place::has_password)
            }
            _ => false,
        }
    }

    /// A value from a file, which has a type of its own.
    pub(super) fn admit(&self, given: &toml::Value) -> Result<Value, String> {
        match (self, given) {
            (Self::Texts(rule) | Self::SecretUrls(rule), toml::Value::Array(items)) => {
                let texts: Option<Vec<&str>> = items.iter().map(toml::Value::as_str).collect();
                admit_texts(*rule, texts.ok_or_else(|| self.expectation())?)
            }
            (Self::Flag, toml::Value::Boolean(flag)) => Ok(Value::from(*flag)),
            (Self::Whole(range), toml::Value::Integer(number)) if range.contains(number) => {
                Ok(Value::from(*number))
            }
            (Self::Texts(_) | Self::SecretUrls(_) | Self::Flag | Self::Whole(_), _) => {
                Err(self.expectation())
            }
            (_, toml::Value::String(text)) => self.admit_text(text),
            _ => Err(self.expectation()),
        }
    }

    /// A value from the environment, where everything is text.
    pub(super) fn admit_text(&self, text: &str) -> Result<Value, String> {
        let admitted = match self {
            Self::OptionalText(_) | Self::Secret(_) | Self::SecretUrl(_) if text.is_empty() => {
                Some(Value::from(text))
            }
            Self::Text(rule)
            | Self::OptionalText(rule)
            | Self::Secret(rule)
            | Self::SecretUrl(rule) => return admit_one(*rule, text),
            Self::Texts(rule) | Self::SecretUrls(rule) => {
                let texts = text.split(',').map(str::trim);
                return admit_texts(*rule, texts.filter(|item| !item.is_empty()).collect());
            }
            Self::Flag => text.parse().ok().map(|flag: bool| Value::from(flag)),
            Self::Whole(range) => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                number.map(|number: i64| Value::from(number))
            }
            Self::Choice(choices) => choices.contains(&text).then(|| Value::from(text)),
        };
        admitted.ok_or_else(|| self.expectation())
    }

    /// What the key expects, for a message. Never contains the refused value, which may be a secret.
    fn expectation(&self) -> String {
        match self {
            Self::Texts(_) | Self::SecretUrls(_) => "a list of texts".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Whole(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Self::Choice(choices) => format!("one of {}", choices.join(", ")),
            Self::Text(_) | Self::OptionalText(_) | Self::Secret(_) | Self::SecretUrl(_) => {
                "a text in quotes".to_owned()
            }
        }
    }
}

fn admit_one(rule: Rule, text: &str) -> Result<Value, String> {
    rule(text)?;
    Ok(Value::from(text))
}

fn admit_texts(rule: Rule, texts: Vec<&str>) -> Result<Value, String> {
    for text in &texts {
        rule(text)?;
    }
    Ok(Value::from(texts))
}
