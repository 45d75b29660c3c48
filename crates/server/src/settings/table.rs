//! The table of all settings: each key with its type and what it may hold. A secret is a `SecretString` or a `SecretUrl`.
//!
//! Invariant: this table and `default.toml` name the same keys (a test compares them), and every number has a range.

use std::net::SocketAddr;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

use domain::PictureHost;
use secrecy::SecretString;

use super::network::Network;
use super::rules;
use super::schema::{choice, section};
use crate::secret::SecretUrl;

const HOUR_SECS: i64 = 3_600;
const DAY_SECS: i64 = 24 * HOUR_SECS;
const YEAR_SECS: i64 = 365 * DAY_SECS;

/// For ever, as far as a site goes.
const CENTURY_DAYS: i64 = 36_500;

section! {
    pub struct Settings {
        env: Environment => Choice(Environment::WORDS);
        data_dir: PathBuf => Text(rules::not_blank);
        [site]: Site;
        [http]: Http;
        [compat]: Compat;
        [metrics]: Metrics;
        [log]: Log;
        [disk]: Disk;
        [database]: Database;
        [redis]: Redis;
        [session]: Session;
        [code]: Code;
        [password]: Password;
        [account]: Account;
        [flash]: Flash;
        [order]: Order;
        [payment]: Payment;
        [notice]: Notice;
        [outbox]: Outbox;
        [cache]: Cache;
        [feed]: Feed;
        [pictures]: Pictures;
        [retention]: Retention;
        [limits]: Limits;
        [lab]: Lab;
        [map]: Map;
    }
}

choice! {
    pub enum Environment {
        Development = "development",
        Production = "production",
    }
}

section! {
    pub struct Site {
        name: String => Text(rules::not_blank);
        time_zone: String => Text(rules::time_zone);
        operator_name: Option<String> => OptionalText(rules::line);
        contact: Option<String> => OptionalText(rules::line);
        privacy_file: Option<PathBuf> => OptionalText(rules::anything);
        terms_file: Option<PathBuf> => OptionalText(rules::anything);
    }
}

section! {
    pub struct Http {
        addr: SocketAddr => Text(rules::address);
        public_url: Option<String> => OptionalText(rules::origin);
        trusted_proxies: Vec<Network> => Texts(rules::network);
        body_limit_bytes: usize => Whole(1_024..=64 * 1_024 * 1_024);
        request_timeout_secs: u64 => Whole(1..=300);
        max_in_flight: usize => Whole(1..=1_000_000);
        max_connections: usize => Whole(16..=1_000_000);
        max_connections_per_address: usize => Whole(1..=1_000_000);
        max_streams_per_address: usize => Whole(1..=1_000_000);
        min_bytes_per_sec: u64 => Whole(1..=1_048_576);
        stall_secs: u64 => Whole(1..=300);
        keep_alive_secs: u64 => Whole(1..=HOUR_SECS);
        shutdown_grace_secs: u64 => Whole(1..=HOUR_SECS);
    }
}

section! {
    /// For pages of the original.
    pub struct Compat {
        addr: Option<SocketAddr> => OptionalText(rules::address);
    }
}

section! {
    pub struct Metrics {
        addr: Option<SocketAddr> => OptionalText(rules::address);
        allow_public: bool => Flag;
    }
}

section! {
    pub struct Log {
        format: LogFormat => Choice(LogFormat::WORDS);
        filter: String => Text(rules::log_filter);
    }
}

choice! {
    pub enum LogFormat {
        Auto = "auto",
        Human = "human",
        Json = "json",
    }
}

section! {
    pub struct Disk {
        warn_free_mib: u64 => Whole(0..=1_048_576);
        refuse_free_mib: u64 => Whole(0..=1_048_576);
    }
}

section! {
    pub struct Database {
        url: Option<SecretUrl> => SecretUrl(rules::database_url);
        read_urls: Vec<SecretUrl> => SecretUrls(rules::mysql_url);
        tls: DatabaseTls => Choice(DatabaseTls::WORDS);
        ca_file: Option<PathBuf> => OptionalText(rules::anything);
        allow_plaintext: bool => Flag;
        max_connections: u32 => Whole(1..=1_000);
        acquire_timeout_ms: u64 => Whole(10..=60_000);
        query_timeout_ms: u64 => Whole(100..=600_000);
    }
}

choice! {
    pub enum DatabaseTls {
        /// As the URL says; by the authority, if there is one; else if the server offers it.
        Auto = "auto",
        Off = "off",
        /// Encrypted, without checking the certificate.
        Required = "required",
        /// Encrypted, with a certificate that the authority signed.
        VerifyCa = "verify-ca",
        /// Encrypted to whom the URL names.
        VerifyFull = "verify-full",
    }
}

section! {
    pub struct Redis {
        url: Option<SecretUrl> => SecretUrl(rules::redis_url);
        prefix: String => Text(rules::key_prefix);
        connect_timeout_ms: u64 => Whole(10..=60_000);
        response_timeout_ms: u64 => Whole(10..=60_000);
        ca_file: Option<PathBuf> => OptionalText(rules::anything);
        allow_plaintext: bool => Flag;
        allow_no_password: bool => Flag;
        server: String => Text(rules::not_blank);
        appendfsync: AppendFsync => Choice(AppendFsync::WORDS);
        // A terabyte: beyond it a number is a slip of the unit.
        max_memory_mib: u64 => Whole(0..=1024 * 1024);
    }
}

choice! {
    pub enum AppendFsync {
        Always = "always",
        Everysec = "everysec",
    }
}

section! {
    pub struct Session {
        idle_secs: u64 => Whole(60..=YEAR_SECS);
        absolute_secs: u64 => Whole(60..=YEAR_SECS);
        // More than a terabyte is a typing error.
        memory_mib: usize => Whole(0..=1_048_576);
        max_per_user: usize => Whole(1..=1_000);
    }
}

section! {
    pub struct Code {
        sender: CodeSender => Choice(CodeSender::WORDS);
        phone: Vec<PhoneSender> => Texts(rules::phone_sender);
        email: Option<EmailSender> => OptionalText(rules::email_sender);
        allow_public_demo: bool => Flag;
        length: usize => Whole(6..=10);
        letters: bool => Flag;
        ttl_secs: u64 => Whole(30..=HOUR_SECS);
        resend_secs: u64 => Whole(1..=HOUR_SECS);
        per_day: u32 => Whole(1..=1_000);
        per_day_kept: u32 => Whole(0..=999);
        per_day_per_address: u32 => Whole(1..=1_000);
        max_tries: u32 => Whole(1..=100);
        lock_secs: u64 => Whole(1..=DAY_SECS);
        per_address_per_hour: u32 => Whole(1..=1_000_000);
        logins_per_address_per_hour: u32 => Whole(1..=1_000_000);
        total_per_minute: u32 => Whole(1..=10_000_000);
        [smtp]: Smtp;
        [webhook]: Webhook;
        [aliyun]: Aliyun;
        [tencent]: Tencent;
    }
}

section! {
    pub struct Password {
        enabled: bool => Flag;
        per_address_per_hour: u32 => Whole(1..=1_000_000);
        // Each takes 19 MiB while it is hashed.
        max_parallel: usize => Whole(1..=64);
    }
}

section! {
    pub struct Account {
        deletion_grace_days: u64 => Whole(0..=365);
        deletion_settle_secs: u64 => Whole(0..=DAY_SECS);
        recent_sign_in_secs: u64 => Whole(0..=DAY_SECS);
        exports_per_user_per_day: u32 => Whole(1..=1_000);
        recycled_after_days: u64 => Whole(0..=3_650);
    }
}

choice! {
    pub enum CodeSender {
        Demo = "demo",
        Smtp = "smtp",
        Webhook = "webhook",
        /// As `phone` and `email` say.
        ByContact = "by_contact",
    }
}

choice! {
    pub enum PhoneSender {
        Aliyun = "aliyun",
        Tencent = "tencent",
        Webhook = "webhook",
    }
}

choice! {
    pub enum EmailSender {
        Smtp = "smtp",
        Webhook = "webhook",
    }
}

section! {
    pub struct Smtp {
        url: Option<SecretUrl> => SecretUrl(rules::smtp_url);
        from: Option<String> => OptionalText(rules::anything);
    }
}

section! {
    pub struct Webhook {
        url: Option<SecretUrl> => SecretUrl(rules::web_url);
        secret: Option<SecretString> => Secret(rules::webhook_secret);
        timeout_ms: u64 => Whole(100..=60_000);
    }
}

section! {
    /// Aliyun SMS.
    pub struct Aliyun {
        access_key_id: Option<SecretString> => Secret(rules::not_blank);
        access_key_secret: Option<SecretString> => Secret(rules::not_blank);
        sign_name: Option<String> => OptionalText(rules::not_blank);
        template_code: Option<String> => OptionalText(rules::not_blank);
        code_param: String => Text(rules::template_variable);
        minutes_param: Option<String> => OptionalText(rules::template_variable);
        endpoint: String => Text(rules::origin);
        allow_plaintext: bool => Flag;
        timeout_ms: u64 => Whole(100..=60_000);
    }
}

section! {
    /// Tencent Cloud SMS.
    pub struct Tencent {
        secret_id: Option<SecretString> => Secret(rules::not_blank);
        secret_key: Option<SecretString> => Secret(rules::not_blank);
        sdk_app_id: Option<String> => OptionalText(rules::number);
        sign_name: Option<String> => OptionalText(rules::not_blank);
        sign_id: Option<String> => OptionalText(rules::number);
        template_id: Option<String> => OptionalText(rules::number);
        params: Vec<TencentParam> => Texts(rules::tencent_param);
        region: String => Text(rules::not_blank);
        endpoint: String => Text(rules::origin);
        allow_plaintext: bool => Flag;
        timeout_ms: u64 => Whole(100..=60_000);
    }
}

choice! {
    /// What fills a variable of Tencent's templates, which have numbers in place of names.
    pub enum TencentParam {
        Code = "code",
        Minutes = "minutes",
    }
}

section! {
    pub struct Flash {
        transport: Transport => Choice(Transport::WORDS);
        partitions: NonZeroU16 => Whole(1..=256);
        spread: NonZeroU16 => Whole(1..=256);
        ids: OrderIds => Choice(OrderIds::WORDS);
        queue: usize => Whole(1..=1_000_000);
        backlog_limit: u64 => Whole(1..=100_000_000);
        drain_batch: NonZeroUsize => Whole(1..=20_000);
        drain_parallel: NonZeroUsize => Whole(1..=256);
        /// 0 sets no limit.
        drain_orders_per_sec: u32 => Whole(0..=1_000_000);
        // Redis itself cannot have more copies that are of any use.
        replicas: u32 => Whole(0..=16);
        claims_per_user_per_minute: u32 => Whole(0..=1_000_000);
        claims_per_address_per_minute: u32 => Whole(0..=100_000_000);
        claim_token: bool => Flag;
        claim_token_secret: Option<SecretString> => Secret(rules::claim_token_secret);
        reconcile_secs: u64 => Whole(1..=DAY_SECS);
        max_watchers: usize => Whole(0..=1_000_000);
        [rabbitmq]: RabbitMq;
        [kafka]: Kafka;
    }
}

choice! {
    pub enum Transport {
        Stream = "stream",
        RabbitMq = "rabbitmq",
        Kafka = "kafka",
    }
}

choice! {
    pub enum OrderIds {
        Counter = "counter",
        Snowflake = "snowflake",
    }
}

section! {
    pub struct RabbitMq {
        url: Option<SecretUrl> => SecretUrl(rules::amqp_url);
        ca_file: Option<PathBuf> => OptionalText(rules::anything);
        allow_plaintext: bool => Flag;
    }
}

section! {
    pub struct Kafka {
        brokers: Vec<String> => Texts(rules::broker);
        tls: bool => Flag;
        ca_file: Option<PathBuf> => OptionalText(rules::anything);
        sasl: KafkaSasl => Choice(KafkaSasl::WORDS);
        user: Option<String> => OptionalText(rules::anything);
        password: Option<SecretString> => Secret(rules::anything);
        allow_plaintext: bool => Flag;
    }
}

choice! {
    /// How to log in to Kafka.
    pub enum KafkaSasl {
        None = "none",
        Plain = "plain",
        ScramSha256 = "scram-sha-256",
        ScramSha512 = "scram-sha-512",
    }
}

section! {
    pub struct Order {
        pay_deadline_secs: u64 => Whole(1..=30 * DAY_SECS);
        max_unpaid_per_user: u32 => Whole(1..=1_000);
        remind_secs: u64 => Whole(0..=DAY_SECS);
    }
}

section! {
    pub struct Payment {
        provider: PaymentProvider => Choice(PaymentProvider::WORDS);
        cashier: bool => Flag;
        ask_after_secs: u64 => Whole(1..=HOUR_SECS);
        [alipay]: Alipay;
    }
}

choice! {
    pub enum PaymentProvider {
        Sandbox = "sandbox",
        Alipay = "alipay",
        None = "none",
    }
}

section! {
    /// Keys and certificates are files: they are long, and do not belong into an environment.
    pub struct Alipay {
        gateway: String => Text(rules::not_blank);
        app_id: Option<String> => OptionalText(rules::anything);
        seller_id: Option<String> => OptionalText(rules::anything);
        app_private_key_file: Option<PathBuf> => OptionalText(rules::anything);
        alipay_public_key_file: Option<PathBuf> => OptionalText(rules::anything);
        app_cert_file: Option<PathBuf> => OptionalText(rules::anything);
        alipay_cert_file: Option<PathBuf> => OptionalText(rules::anything);
        alipay_root_cert_file: Option<PathBuf> => OptionalText(rules::anything);
        timeout_ms: u64 => Whole(100..=60_000);
    }
}

section! {
    pub struct Notice {
        max_listeners: usize => Whole(0..=1_000_000);
    }
}

section! {
    pub struct Outbox {
        max_attempts: u32 => Whole(2..=10_000);
    }
}

section! {
    pub struct Cache {
        warm_up_shops: u32 => Whole(0..=20_000);
        warm_up_ms: u64 => Whole(100..=60_000);
    }
}

section! {
    pub struct Feed {
        push_limit: u32 => Whole(0..=1_000_000);
    }
}

section! {
    pub struct Pictures {
        store: PictureStore => Choice(PictureStore::WORDS);
        max_per_user: u64 => Whole(1..=10_000_000);
        uploads_per_user_per_hour: u32 => Whole(1..=1_000_000);
        max_in_hand: usize => Whole(1..=1_000);
        max_in_hand_per_user: usize => Whole(1..=1_000);
        outside_hosts: Vec<PictureHost> => Texts(rules::picture_host);
        [s3]: S3;
    }
}

choice! {
    pub enum PictureStore {
        Folder = "folder",
        S3 = "s3",
    }
}

section! {
    pub struct S3 {
        endpoint: Option<String> => OptionalText(rules::web_url);
        region: String => Text(rules::not_blank);
        bucket: Option<String> => OptionalText(rules::not_blank);
        access_key: Option<String> => OptionalText(rules::not_blank);
        secret_key: Option<SecretString> => Secret(rules::not_blank);
        allow_plaintext: bool => Flag;
    }
}

section! {
    /// How long what is kept; see `docs/guide/retention.md`.
    pub struct Retention {
        every_secs: u64 => Whole(1..=DAY_SECS);
        batch: u32 => Whole(1..=500);
        // Longer than any order waits for its payment: a reminder is not sent twice.
        notices_days: u32 => Whole(31..=CENTURY_DAYS);
        visits_days: u32 => Whole(91..=CENTURY_DAYS);
        audit_days: u32 => Whole(90..=CENTURY_DAYS);
        // Calendars reach back thirteen months.
        check_ins_days: u32 => Whole(400..=CENTURY_DAYS);
        dead_orders_days: u32 => Whole(30..=CENTURY_DAYS);
        id_marks_days: u32 => Whole(7..=CENTURY_DAYS);
        orders_days: u32 => Whole(30..=CENTURY_DAYS);
    }
}

section! {
    pub struct Lab {
        program: Option<PathBuf> => OptionalText(rules::anything);
    }
}

section! {
    pub struct Map {
        tiles_file: Option<PathBuf> => OptionalText(rules::anything);
        datum: MapDatum => Choice(MapDatum::WORDS);
        attribution: String => Text(rules::not_blank);
    }
}

choice! {
    /// What the coordinates of the map's file mean; shops in China are in GCJ-02.
    pub enum MapDatum {
        Wgs84 = "wgs84",
        Gcj02 = "gcj02",
    }
}

section! {
    /// What one person may do in an hour.
    pub struct Limits {
        comments_per_user_per_hour: u32 => Whole(1..=1_000_000);
        likes_per_user_per_hour: u32 => Whole(1..=1_000_000);
        follows_per_user_per_hour: u32 => Whole(1..=1_000_000);
        favourites_per_user_per_hour: u32 => Whole(1..=1_000_000);
        notes_per_user_per_hour: u32 => Whole(1..=1_000_000);
        purchases_per_user_per_hour: u32 => Whole(1..=1_000_000);
        named_requests_per_user_per_hour: u32 => Whole(1..=1_000_000);
    }
}
