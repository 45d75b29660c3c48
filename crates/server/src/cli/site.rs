//! The site as a command finds it: beside a running server, or asleep in its data folder.

use std::path::PathBuf;

use anyhow::bail;
use app::App;
use storage::{Backend, Db};

use crate::premises::Premises;
use crate::settings::Settings;
use crate::startup::{self, standing};

/// An open site. [`Site::close`] ends what was started for it.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) app: App,
    premises: Premises,
}

impl Site {
    pub(super) async fn open(settings: &Settings) -> anyhow::Result<Self> {
        let premises = Premises::for_command(settings).await?;
        match connect(settings, &premises).await {
            Ok(app) => Ok(Self { app, premises }),
            Err(error) => {
                premises.leave().await;
                Err(error)
            }
        }
    }

    pub(super) fn pictures(&self) -> PathBuf {
        self.premises.data().imgs()
    }

    /// `outcome` is what the command came to; a failure to close shows only if there was no other.
    pub(super) async fn close<T>(self, outcome: anyhow::Result<T>) -> anyhow::Result<T> {
        let Self { app, premises } = self;
        let closed = app.db().close().await;
        // First, or its connections would be seen to break.
        drop(app);
        premises.leave().await;
        let value = outcome?;
        closed?;
        Ok(value)
    }
}

async fn connect(settings: &Settings, premises: &Premises) -> anyhow::Result<App> {
    let app = startup::connect(settings, &premises.redis_url()).await?;
    migrate_or_refuse(app.db()).await?;
    standing::take_note(settings, &app).await?;
    Ok(app)
}

/// A SQLite file is ours alone and is brought up to date by itself. A server may be shared with processes of an older version, so
/// there the operator chooses the moment.
pub(super) async fn migrate_or_refuse(db: &Db) -> anyhow::Result<()> {
    if db.backend() == Backend::Sqlite {
        let report = db.migrate().await?;
        if !report.is_empty() {
            tracing::info!(applied = ?report.applied, "the database was brought up to date");
        }
        return Ok(());
    }
    let pending = db.pending_migrations().await?;
    if !pending.is_empty() {
        bail!(
            "the database lacks {} migration(s): run `tandian migrate` first",
            pending.len()
        );
    }
    Ok(())
}
