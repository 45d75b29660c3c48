//! What `serve --demo` does beside serving: fills an empty site and says how to try it.

use std::net::SocketAddr;

use app::App;
use app::seed::{self, DemoPlan, Progress, SeedError};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::print::print;
use super::progress::ProgressLine;
use crate::data_directory_access::DataDirectoryAccess;
use crate::settings::Settings;

/// Enough to look at.
const SCALE: u32 = 1;

/// Fills an empty site, and opens the flash sales of a demo site again. A site with data of its own stays as it is.
pub(super) async fn prepare(app: &App, directory: &DataDirectoryAccess) -> anyhow::Result<()> {
    let plan = DemoPlan {
        scale: SCALE,
        now: Timestamp::now(),
    };
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    match seed::prepare_demo_site(app, plan, &directory.data().imgs(), &mut show).await {
        Err(error @ (SeedError::SiteInUse | SeedError::NumbersTaken(_))) => {
            tracing::warn!(%error, "demo data not added");
            Ok(())
        }
        prepared => Ok(prepared.map(|_| ())?),
    }
}

/// Keeps flash sales open until shutdown: their windows are shorter than a demo site runs.
pub(super) fn renew_sales(app: &App, shutdown: &CancellationToken) {
    let (app, shutdown) = (app.clone(), shutdown.clone());
    supervise::spawn("demo sales", move || {
        seed::run_renewal(app.clone(), SCALE, shutdown.clone())
    });
}

/// Says how to try the site. A stdout that cannot be written is no reason not to serve.
pub(super) async fn print_welcome(
    settings: &Settings,
    app: &App,
    address: SocketAddr,
) -> anyhow::Result<()> {
    if let Err(error) = print(&welcome(settings, app, address).await?) {
        tracing::warn!(%error, "start message not printed");
    }
    Ok(())
}

async fn welcome(settings: &Settings, app: &App, address: SocketAddr) -> anyhow::Result<String> {
    let url = match &settings.http.public_url {
        Some(url) => url.clone(),
        None => format!("http://{address}"),
    };
    let mut text = format!("\n  Tandian is at {url}\n\n");
    let accounts = app::site::list_demo_accounts(app).await?;
    if !accounts.is_empty() {
        text.push_str("  Sign in by phone; the code appears on the page:\n");
    }
    for account in accounts {
        let role = match account.role {
            domain::Role::User => "visitor",
            other => other.as_str(),
        };
        text.push_str(&format!(
            "    {}  {role:<8}  {}\n",
            account.phone, account.nick_name
        ));
    }
    text.push_str(
        "\n  Try first: sign in as the visitor and win a flash sale of the home page; the API is at ",
    );
    text.push_str(&format!(
        "{url}/docs\n  Stop with Ctrl-C; data stays in {}\n\n",
        settings.data_dir.display()
    ));
    Ok(text)
}
