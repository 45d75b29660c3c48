//! `tandian pictures …`: what rows name on other hosts, and bringing it home.

use std::fmt::Write as _;
use std::process::ExitCode;

use app::App;
use app::pictures::{self, ImportReport, OutsideHosts};
use clap::Subcommand;
use domain::{OutsidePicture, PictureHost};

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(super) enum PicturesCommand {
    /// List other hosts whose pictures rows name, and which of them the site shows
    List,
    /// Copy pictures of allowed hosts to this site; may be cut off and repeated
    Import,
}

pub(super) async fn run(settings: Settings, command: PicturesCommand) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let outcome = match command {
        PicturesCommand::List => list(&site.app).await,
        PicturesCommand::Import => import(&site.app).await,
    };
    let (text, code) = site.close(outcome).await?;
    print(&text)?;
    Ok(code)
}

async fn list(app: &App) -> anyhow::Result<(String, ExitCode)> {
    let hosts = pictures::list_outside_hosts(app.db()).await?;
    Ok((describe_hosts(app, &hosts), ExitCode::SUCCESS))
}

async fn import(app: &App) -> anyhow::Result<(String, ExitCode)> {
    let mut line = ProgressLine::new();
    let mut show = |app::Progress { what, done, total }| line.show(what, done, total);
    let report = pictures::import_outside(app, &mut show).await?;
    line.clear();
    let code = match report.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    };
    Ok((describe(&report), code))
}

fn describe_hosts(app: &App, hosts: &OutsideHosts) -> String {
    if hosts.pictures.is_empty() {
        return "No row names a picture of another host.\n".to_owned();
    }
    let allowed = app.pictures().outside_hosts();
    let mut text = String::new();
    for (host, count) in &hosts.pictures {
        let state = match is_allowed(host, allowed) {
            true => "shown",
            false => "not shown",
        };
        let _ = writeln!(text, "  {host}  {count} picture(s), {state}");
    }
    text.push_str(
        "Hosts in pictures.outside_hosts are shown, and `tandian pictures import` copies their pictures to this site.\n",
    );
    text
}

/// Whether pictures of this host, as [`OutsideHosts`] names it, are shown and imported.
pub(super) fn is_allowed(host: &str, allowed: &[PictureHost]) -> bool {
    let picture = OutsidePicture::parse(&format!("https://{host}/"));
    picture.is_some_and(|picture| picture.is_on(allowed))
}

fn describe(report: &ImportReport) -> String {
    let mut text = String::new();
    for failure in &report.failures {
        let _ = writeln!(
            text,
            "  {} {}: {}: {}",
            failure.noun, failure.id, failure.url, failure.reason
        );
    }
    let untold = report.failed - report.failures.len() as u64;
    if untold > 0 {
        let _ = writeln!(text, "  and {untold} more that failed");
    }
    let _ = writeln!(
        text,
        "Imported {} picture(s), {} failed.",
        report.imported, report.failed
    );
    if report.failed > 0 {
        text.push_str("Rows keep the address of what failed: repeat the command to try again.\n");
    }
    for (host, count) in &report.not_allowed {
        let _ = writeln!(
            text,
            "Left {count} picture(s) on {host}: add it to pictures.outside_hosts to import them."
        );
    }
    text
}
