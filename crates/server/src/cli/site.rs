//! The site of a command, whether or not a server runs on the same data directory.

use anyhow::bail;
use app::App;
use storage::{Backend, Db};

use crate::data_directory_access::DataDirectoryAccess;
use crate::settings::Settings;
use crate::startup::{self, environment};

/// An open site. [`OpenSite::close`] closes it.
#[derive(Debug)]
pub(super) struct OpenSite {
    pub(super) app: App,
    directory: DataDirectoryAccess,
}

impl OpenSite {
    pub(super) async fn open(settings: &Settings) -> anyhow::Result<Self> {
        let directory = DataDirectoryAccess::for_command(settings).await?;
        match connect(settings, &directory).await {
            Ok(app) => Ok(Self { app, directory }),
            Err(error) => {
                directory.close().await;
                Err(error)
            }
        }
    }

    #[cfg(feature = "demo")]
    pub(super) fn pictures(&self) -> std::path::PathBuf {
        self.directory.data().imgs()
    }

    /// Returns the command's error before an error of closing.
    pub(super) async fn close<T>(self, outcome: anyhow::Result<T>) -> anyhow::Result<T> {
        let Self { app, directory } = self;
        let closed = app.db().close().await;
        // Before Redis stops, or the log would report lost connections.
        drop(app);
        directory.close().await;
        let value = outcome?;
        closed?;
        Ok(value)
    }
}

async fn connect(settings: &Settings, directory: &DataDirectoryAccess) -> anyhow::Result<App> {
    let app = startup::connect(settings, &directory.redis_url()).await?;
    migrate_or_refuse(app.db()).await?;
    environment::adopt_stamp(settings, &app).await?;
    Ok(app)
}

/// Migrates a SQLite file, which belongs to this process. A database server may serve processes of an older version, so
/// there the operator runs the migration.
pub(super) async fn migrate_or_refuse(db: &Db) -> anyhow::Result<()> {
    if db.backend() == Backend::Sqlite {
        let report = db.migrate().await?;
        if !report.is_empty() {
            tracing::info!(applied = ?report.applied, "database migrated");
        }
        return Ok(());
    }
    let pending = db.pending_migrations().await?;
    if !pending.is_empty() {
        bail!(
            "the database lacks {} migration(s): run `tandian migrate` first \
             (for a database of hm-dianping `tandian adopt`)",
            pending.len()
        );
    }
    Ok(())
}
