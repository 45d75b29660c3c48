//! Whether the site that was found is one that these settings may serve: a site that was tried out does not become a
//! real one with its demo admin and everybody's sessions.
//!
//! Production refuses demo data. A start in another environment than the last one ends all sessions, by a stamp that
//! SQL keeps and every session carries (`storage::site_marks`).

use anyhow::bail;
use app::{App, demo_purge};
use storage::site_marks::{self, EnvSettled};

use crate::settings::{Environment, Settings};

/// For a process that serves. The tables must be there.
pub(super) async fn settle(settings: &Settings, app: &App) -> anyhow::Result<()> {
    if settings.is_production() {
        refuse_demo(app).await?;
    }
    let settled = site_marks::settle_env(app.db(), name(settings), &fresh_stamp()).await?;
    let EnvSettled { mark, before } = settled;
    if let Some(before) = before {
        tracing::warn!(
            before,
            env = mark.env,
            "the environment changed: all sessions have ended"
        );
    }
    app.kv().stamp_sessions(&mark.stamp);
    Ok(())
}

/// For a command, which works on the site as it is and changes no environment.
pub(crate) async fn take_note(settings: &Settings, app: &App) -> anyhow::Result<()> {
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
