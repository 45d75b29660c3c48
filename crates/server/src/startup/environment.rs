//! Whether these settings may serve the site they found: a trial site must not become a production site with its demo
//! admin and its sessions.
//!
//! Production refuses demo data. A start in another environment than the last one ends all sessions, by a stamp that
//! SQL keeps and every session carries (`storage::site_marks`).

use anyhow::bail;
use app::{App, demo_purge};
use storage::site_marks::{self, EnvSettled};

use crate::settings::{Environment, Settings};

/// For a server. The tables must exist.
pub(super) async fn enter(settings: &Settings, app: &App) -> anyhow::Result<()> {
    if settings.is_production() {
        refuse_demo(app).await?;
    }
    let settled = site_marks::settle_env(app.db(), name(settings), &fresh_stamp()).await?;
    let EnvSettled { mark, before } = settled;
    if let Some(before) = before {
        tracing::warn!(
            before,
            env = mark.env,
            "environment changed: all sessions ended"
        );
    }
    app.kv().stamp_sessions(&mark.stamp);
    Ok(())
}

/// For a command, which does not change the environment.
pub(crate) async fn adopt_stamp(settings: &Settings, app: &App) -> anyhow::Result<()> {
    let mark = match site_marks::env(app.db()).await? {
        Some(mark) => mark,
        None => {
            let stamp = fresh_stamp();
            let settled = site_marks::settle_env(app.db(), name(settings), &stamp).await?;
            settled.mark
        }
    };
    app.kv().stamp_sessions(&mark.stamp);
    Ok(())
}

async fn refuse_demo(app: &App) -> anyhow::Result<()> {
    let traces = demo_purge::traces(app.db()).await?;
    if traces.are_none() {
        return Ok(());
    }
    bail!(
        "production refuses a database with {} demo people and {} people of load tests, whose numbers everybody \
         knows: `tandian demo purge` takes them away",
        traces.demo_people,
        traces.load_test_people
    );
}

fn name(settings: &Settings) -> &'static str {
    match settings.env {
        Environment::Development => "development",
        Environment::Production => "production",
    }
}

/// Of no other site, and of no other time of this one.
fn fresh_stamp() -> String {
    format!("{:032x}", rand::random::<u128>())
}
