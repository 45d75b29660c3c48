//! `tandian adopt`: leads an operator from a database of the original to a site that serves it.
//!
//! It looks, tells what it would do, asks, does it, and says what comes next. Nothing is written before the operator agrees,
//! and every step can be repeated.

mod redis;

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use app::pictures::{self, OutsideHosts};
use axum::http::Uri;
use axum::http::uri::Authority;
use domain::{PictureHost, SiteZone};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use link::Link;
use storage::adoption::{self, AdoptionSurvey};
use storage::{Backend, Db, MigrationReport, SiteClock, orders, shops};

use super::migrate::{TimesArg, explain};
use super::pictures::is_allowed;
use super::print::print;
use super::progress::ProgressLine;
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::startup;

#[derive(Debug, clap::Args)]
pub(super) struct AdoptArgs {
    /// Do it without asking; otherwise a terminal is asked, and without one this is a dry run
    #[arg(long)]
    yes: bool,
    /// Check and tell what would be done, and change nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    #[command(flatten)]
    times: TimesArg,
    /// Until when adopted unpaid orders may be paid, as the site's clocks show it (2027-01-31T18:00); without it they wait
    /// until somebody pays or cancels them
    #[arg(long, value_name = "TIME")]
    pay_by: Option<String>,
    #[command(flatten)]
    redis: redis::RedisArgs,
}

/// Hosts of pictures that are printed: a dump has a handful, and people's avatars may come from anywhere.
const LISTED_HOSTS: usize = 20;

/// What a person types to agree.
const AGREED: &str = "adopt";

pub(super) async fn run(settings: Settings, args: AdoptArgs) -> anyhow::Result<ExitCode> {
    args.redis.check()?;
    let clock = args.times.clock(&settings)?;
    let pay_by = parse_deadline(&settings, args.pay_by.as_deref())?;
    DataDir::open(&settings.data_dir)?;
    // Before anything is written: a Redis that does not answer is a reason not to begin.
    let original = args.redis.connect(&settings).await?;
    let db = startup::connect_sql(&settings).await?;
    let guide = Guide {
        settings: &settings,
        args: &args,
        db: &db,
        clock,
        pay_by,
    };
    let led = guide.lead_through(original.as_ref()).await;
    let closed = db.close().await;
    led?;
    closed?;
    Ok(ExitCode::SUCCESS)
}

/// How far the operator let it go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Nothing was changed.
    Looked,
    Adopted,
}

fn parse_deadline(settings: &Settings, text: Option<&str>) -> anyhow::Result<Option<Timestamp>> {
    let Some(text) = text else { return Ok(None) };
    let zone = SiteZone::named(&settings.site.time_zone)?;
    let moment = zone.moment(text);
    let moment = moment.context("--pay-by must be a date and a time, such as 2027-01-31T18:00")?;
    if moment <= Timestamp::now() {
        bail!("--pay-by must be in the future, or every unpaid order is cancelled at once");
    }
    Ok(Some(moment))
}

struct Guide<'a> {
    settings: &'a Settings,
    args: &'a AdoptArgs,
    db: &'a Db,
    clock: SiteClock,
    pay_by: Option<Timestamp>,
}

impl Guide<'_> {
    async fn lead_through(&self, original: Option<&Link>) -> anyhow::Result<()> {
        let outcome = self.lead().await?;
        let Some(original) = original else {
            return Ok(());
        };
        if !self.db.pending_migrations().await?.is_empty() {
            print(
                "The original's Redis is read once the database is adopted: the same command with --yes does both.\n",
            )?;
            return Ok(());
        }
        let is_dry = outcome == Outcome::Looked;
        let (redis, pay_by) = (&self.args.redis, self.args.pay_by.as_deref());
        let report = redis.bring(self.settings, original, is_dry, pay_by);
        print(&report.await?)?;
        // The orders of the stream came without one.
        if !is_dry {
            self.set_deadlines().await?;
        }
        Ok(())
    }

    async fn lead(&self) -> anyhow::Result<Outcome> {
        if self.db.backend() != Backend::MySql {
            bail!(
                "the database is SQLite, and the original's is MySQL or MariaDB: \
                 set TANDIAN_DATABASE__URL=mysql://user:password@host/database"
            );
        }
        let before = adoption::survey(self.db).await?;
        if before.tables.is_empty() {
            bail!(
                "the database holds no table of the original: load its dump first, \
                 or run `tandian migrate` for a new site"
            );
        }
        print(&self.describe_survey(&before).await?)?;
        let plan = self
            .db
            .plan_migration(self.clock)
            .await
            .map_err(|error| explain(error, self.clock))?;
        print("\n2. What will be done\n")?;
        print(&indent(&describe_plan(&plan)))?;
        print(&indent(&self.describe_orders(&before)))?;
        print(&self.describe_backup())?;
        if !self.is_agreed()? {
            print("Nothing was changed. Run it again with --yes to adopt the database.\n")?;
            return Ok(Outcome::Looked);
        }
        print(
            "\n4. Adopting: large tables take minutes, and a run that was cut off can be repeated\n",
        )?;
        let report = self
            .db
            .migrate_with(self.clock)
            .await
            .map_err(|error| explain(error, self.clock))?;
        let deadlines = self.set_deadlines().await?;
        let after = adoption::survey(self.db).await?;
        print(&describe_outcome(
            &before,
            &after,
            report.changes.len(),
            deadlines,
        )?)?;
        print(&self.describe_next(&after).await?)?;
        Ok(Outcome::Adopted)
    }

    async fn describe_survey(&self, survey: &AdoptionSurvey) -> anyhow::Result<String> {
        let mut text = "1. What is there\n".to_owned();
        writeln!(text, "   {}", self.db.version().await?)?;
        for found in &survey.tables {
            writeln!(text, "   {:<20} {:>10} row(s)", found.table, found.rows)?;
        }
        let machine = TimeZone::system();
        let machine = machine.iana_name().unwrap_or("unknown");
        let site = &self.settings.site.time_zone;
        match self.db.compare_zones().await? {
            Some(zones) => writeln!(
                text,
                "   time zones: database {}, site {site}, this machine {machine}",
                zones.database_zone
            )?,
            None => writeln!(
                text,
                "   times are in UTC already; site {site}, this machine {machine}"
            )?,
        }
        if survey.other_connections > 0 {
            writeln!(
                text,
                "   {} connection(s) of others to this database: stop the original before you go on",
                survey.other_connections
            )?;
        }
        Ok(text)
    }

    fn describe_orders(&self, survey: &AdoptionSurvey) -> String {
        match (survey.unpaid_orders, self.args.pay_by.as_deref()) {
            (0, _) => String::new(),
            (orders, Some(time)) => {
                format!(
                    "{orders} unpaid order(s) may be paid until {time} and are cancelled then\n"
                )
            }
            (orders, None) => format!(
                "{orders} unpaid order(s) get no deadline: they wait until somebody pays or cancels them \
                 (--pay-by sets one, now or in a later run)\n"
            ),
        }
    }

    fn describe_backup(&self) -> String {
        let url: Option<Uri> = self.settings.database_url().expose().parse().ok();
        let authority = url.as_ref().and_then(Uri::authority);
        let host = authority.map_or("HOST", Authority::host);
        let port = authority.and_then(Authority::port_u16).unwrap_or(3306);
        let user = authority.and_then(|authority| authority.as_str().split([':', '@']).next());
        let user = user.unwrap_or("USER");
        let name = url
            .as_ref()
            .map_or("DATABASE", |url| url.path().trim_start_matches('/'));
        format!(
            "\n3. Back up first: it is the way back\n   \
             mysqldump --single-transaction --host={host} --port={port} --user={user} -p {name} \
             > {name}-before-adoption.sql\n\n"
        )
    }

    fn is_agreed(&self) -> io::Result<bool> {
        if self.args.yes || self.args.dry_run || !io::stdin().is_terminal() {
            return Ok(self.args.yes);
        }
        print(&format!("Type \"{AGREED}\" to go on: "))?;
        io::stdout().flush()?;
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        Ok(line.trim() == AGREED)
    }

    async fn set_deadlines(&self) -> anyhow::Result<u64> {
        let Some(deadline) = self.pay_by else {
            return Ok(0);
        };
        let total = orders::count_without_deadline(self.db).await?;
        let (mut line, mut done) = (ProgressLine::new(), 0);
        loop {
            let set = orders::set_missing_deadlines(self.db, deadline).await?;
            if set == 0 {
                return Ok(done);
            }
            done += set;
            line.show("deadlines", done, total.max(done));
        }
    }

    /// Without the setting `pictures import` asks no host at all.
    async fn describe_pictures(&self, text: &mut String) -> anyhow::Result<()> {
        let found = pictures::list_outside_hosts(self.db).await?;
        let count: u64 = found.pictures.values().sum();
        let allowed = &self.settings.pictures.outside_hosts;
        if let Some(setting) = hosts_to_allow(&found, allowed) {
            writeln!(
                text,
                "   {setting}\n   {:<42} set it, and {count} picture(s) of other hosts are shown",
                ""
            )?;
        }
        writeln!(
            text,
            "   tandian pictures import                    then copies them to this site (`tandian pictures list` has all hosts)"
        )?;
        Ok(())
    }

    async fn describe_next(&self, survey: &AdoptionSurvey) -> anyhow::Result<String> {
        let mut text = "\n6. What to do next\n".to_owned();
        text.push_str("   tandian admin grant 13800000000 admin      somebody must run the site\n");
        let shops = shops::count_without_owner(self.db).await?;
        if shops > 0 {
            writeln!(
                text,
                "   tandian admin shop-owner SHOP PHONE        {shops} shop(s) have nobody who may edit them"
            )?;
        }
        if survey.outside_pictures > 0 {
            self.describe_pictures(&mut text).await?;
        }
        text.push_str(
            "   tandian adopt --redis redis://HOST --yes   likes, follows and check-ins of the original's Redis\n   \
             tandian doctor                             checks everything the site depends on\n   \
             tandian serve\n",
        );
        Ok(text)
    }
}

/// The setting that allows more hosts than `allowed`, those with most pictures first; `None` if there are no more.
fn hosts_to_allow(found: &OutsideHosts, allowed: &[PictureHost]) -> Option<String> {
    let mut hosts: Vec<(&String, &u64)> = found
        .pictures
        .iter()
        .filter(|(host, _)| !is_allowed(host, allowed))
        .collect();
    hosts.sort_by_key(|(_, pictures)| Reverse(**pictures));
    let allowed = allowed.iter().map(PictureHost::to_string);
    let more = hosts
        .iter()
        .take(LISTED_HOSTS)
        .map(|(host, _)| (*host).clone());
    let names: Vec<String> = allowed.chain(more).collect();
    (!hosts.is_empty()).then(|| format!("TANDIAN_PICTURES__OUTSIDE_HOSTS={}", names.join(",")))
}

fn describe_outcome(
    before: &AdoptionSurvey,
    after: &AdoptionSurvey,
    changes: usize,
    deadlines: u64,
) -> anyhow::Result<String> {
    let mut text = format!("\n5. Adopted: {changes} change(s) to the schema and its values\n");
    for found in &before.tables {
        let now = after.tables.iter().find(|table| table.table == found.table);
        let rows = now.map_or(0, |table| table.rows);
        if rows < found.rows {
            bail!(
                "{} had {} rows and has {rows}: restore the backup and report this",
                found.table,
                found.rows
            );
        }
    }
    let rows: u64 = before.tables.iter().map(|table| table.rows).sum();
    writeln!(text, "   all {rows} rows of the original are there")?;
    if deadlines > 0 {
        writeln!(text, "   {deadlines} unpaid order(s) have a deadline now")?;
    }
    Ok(text)
}

/// The steps that change values one by one, and the number of those that change the schema alone.
fn describe_plan(plan: &MigrationReport) -> String {
    if plan.is_empty() {
        return "The database is up to date.\n".to_owned();
    }
    let rows = &plan.row_changes;
    let mut text: String = rows.iter().map(|change| format!("{change}\n")).collect();
    let _ = writeln!(
        text,
        "and {} step(s) that add or widen tables, columns and keys (`tandian migrate --dry-run` lists them)",
        plan.changes.len() - rows.len()
    );
    text
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}
