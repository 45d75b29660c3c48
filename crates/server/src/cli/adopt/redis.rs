//! `tandian adopt --redis URL`: brings along what the original kept in Redis alone.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::adoption::redis::{self, Counts, ImportMode, OrdersReport, RedisReport};
use app::{App, Progress};
use link::{Link, Options, Target};

use crate::cli::progress::ProgressLine;
use crate::cli::site::OpenSite;
use crate::secret::SecretUrl;
use crate::settings::Settings;
use crate::startup;

/// A server on another machine, perhaps busy with the original; a command that takes longer means that it is down.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
pub(super) struct RedisArgs {
    /// The Redis of the original, such as redis://:password@host:6379/0: likes, follows, check-ins, visitors and open orders
    /// are written to SQL. It is only read
    #[arg(
        long,
        value_name = "URL",
        env = "ADOPT_REDIS_URL",
        hide_env_values = true,
        value_parser = secret_url
    )]
    redis: Option<SecretUrl>,
    /// Bring the Redis along once more, although likes and follows that people took back since the first time return
    #[arg(long, requires = "redis")]
    redis_again: bool,
}

impl RedisArgs {
    /// Refuses a URL that is none before anything is opened. The parser of arguments would show it, password and all.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let Some(url) = &self.redis else {
            return Ok(());
        };
        let target = Target::parse(url.expose()).context("--redis")?;
        if target.is_cluster() {
            bail!(
                "--redis: name each master of the Cluster in turn, as redis://host:port, \
                 from the second on with --redis-again"
            );
        }
        Ok(())
    }

    /// The Redis of the original, if one is named.
    pub(super) async fn connect(&self, settings: &Settings) -> anyhow::Result<Option<Link>> {
        let Some(url) = &self.redis else {
            return Ok(None);
        };
        let target = Target::parse(url.expose()).context("--redis")?;
        let options = Options {
            connect_timeout: CONNECT_TIMEOUT,
            response_timeout: RESPONSE_TIMEOUT,
            tls: startup::redis_tls(settings)?,
            ..Options::default()
        };
        let link = Link::connect(&target, options).await;
        let link = link.with_context(|| {
            format!(
                "cannot reach the original's Redis at {url} (one older than 6.0 cannot be read: \
                 start a newer one on its dump.rdb)"
            )
        })?;
        Ok(Some(link))
    }

    /// Reads the Redis, writes to SQL unless the run is dry, and says what was found and done. The database must be
    /// adopted by now. Orders of the stream may be paid until `pay_by`, which the caller sets.
    pub(super) async fn bring(
        &self,
        settings: &Settings,
        original: &Link,
        is_dry: bool,
        pay_by: Option<&str>,
    ) -> anyhow::Result<String> {
        let mode = match (is_dry, self.redis_again) {
            (true, _) => ImportMode::DryRun,
            (false, false) => ImportMode::Write,
            (false, true) => ImportMode::WriteAgain,
        };
        let site = OpenSite::open(settings).await?;
        let imported = import(&site.app, original, mode).await;
        let report = site.close(imported).await?;
        Ok(describe(&report, mode, pay_by))
    }
}

fn secret_url(text: &str) -> Result<SecretUrl, Infallible> {
    Ok(SecretUrl::new(text))
}

async fn import(app: &App, original: &Link, mode: ImportMode) -> anyhow::Result<RedisReport> {
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    Ok(redis::import(app, original, mode, &mut show).await?)
}

fn describe(report: &RedisReport, mode: ImportMode, pay_by: Option<&str>) -> String {
    let mut text = format!("The original's Redis: {} keys\n", report.keys);
    let verb = match mode {
        ImportMode::DryRun => "would be added",
        ImportMode::Write | ImportMode::WriteAgain => "added",
    };
    for (what, counts) in [
        ("likes", report.likes),
        ("follows", report.follows),
        ("check-ins", report.check_ins),
        ("visits of pages by day", report.visits),
    ] {
        describe_counts(&mut text, what, counts, verb);
    }
    describe_orders(&mut text, &report.orders, verb, pay_by);
    text.push_str("Left behind:\n");
    for (kind, count) in &report.left_behind {
        let (pattern, why) = kind.words();
        let _ = writeln!(text, "  {pattern}: {count} keys, {why}");
    }
    if report.left_behind.is_empty() && report.unknown == 0 {
        text.push_str("  nothing\n");
    }
    if report.unknown > 0 {
        let _ = writeln!(text, "  {} keys that are not understood:", report.unknown);
        for name in &report.unknown_names {
            let _ = writeln!(text, "    {name}");
        }
    }
    text
}

fn describe_counts(text: &mut String, what: &str, counts: Counts, verb: &str) {
    let _ = write!(
        text,
        "  {what}: {} found, {} {verb}",
        counts.found, counts.added
    );
    for (count, words) in [
        (counts.known, "in SQL already"),
        (counts.orphaned, "of users or notes that SQL does not have"),
        (counts.invalid, "not valid"),
        (counts.over_limit, "above the limit of follows"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {words}");
        }
    }
    text.push('\n');
}

/// Orders come with a warning: each is a promise to a buyer.
fn describe_orders(text: &mut String, orders: &OrdersReport, verb: &str, pay_by: Option<&str>) {
    let OrdersReport {
        entries,
        unreadable,
        known,
        added,
        ..
    } = orders;
    let _ = writeln!(
        text,
        "  orders of the stream: {entries} found, {added} {verb}, {known} in SQL already"
    );
    if *added > 0 {
        let state = match verb {
            "added" => "are in SQL",
            _ => "will be in SQL",
        };
        let deadline = match pay_by {
            Some(time) => format!("that may be paid until {time}"),
            None => "without a deadline".to_owned(),
        };
        let _ = writeln!(
            text,
            "WARNING: the original had accepted {added} orders and not written them. They {state} as unpaid orders \
             {deadline}."
        );
    }
    if orders.unwritten_count > 0 {
        let _ = writeln!(
            text,
            "WARNING: {} orders were accepted and cannot become orders here. Tell their buyers:",
            orders.unwritten_count
        );
        for order in &orders.unwritten {
            let _ = writeln!(
                text,
                "  order {} of user {}, voucher {}, {}: {}",
                order.id, order.user, order.voucher, order.accepted_at, order.reason
            );
        }
    }
    if *unreadable > 0 {
        let _ = writeln!(
            text,
            "WARNING: {unreadable} entries of the stream are no orders."
        );
    }
    if orders.buyers_without_order > 0 {
        let _ = writeln!(
            text,
            "WARNING: {} buyers of seckill:order:* have no order in SQL and none in the stream: the original lost them, \
             or kept them in its memory.",
            orders.buyers_without_order
        );
    }
}
