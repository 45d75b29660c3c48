//! Seeds demo data: the crate `demo` generates it, this module writes rows and pictures.
//!
//! Every step is idempotent. Existing rows stay, missing pictures are drawn, and counters are recomputed, so the next
//! run completes one that was killed anywhere. Rows are inserted in batches: any scale needs the same memory.
//!
//! A site with its own data is refused: demo rows have fixed ids and would mix with its rows.

mod balances;
mod check_ins;
mod convert;
mod favourites;
mod pictures;
mod rows;
mod sales;

use std::path::{Path, PathBuf};

use demo::Demo;
pub use demo::{DemoPlan, ScaleOutOfRange};
use domain::{Phone, UserId};
pub use sales::run_renewal;
use storage::bulk::{CountedTable, Surplus};
use storage::demo_site::Renewal;
use storage::{Db, audit, bulk, demo_site, users};
use thiserror::Error;

pub use crate::progress::{OnProgress, Progress};
use crate::site::DEMO_PHONE_BASE;
use crate::{App, notes, shops};

/// Rows per batch: bounds the memory and paces the progress.
const ROWS_PER_BATCH: usize = 5_000;

/// What a seed added; zero when everything existed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    pub rows: u64,
    pub pictures: u64,
}

#[derive(Debug, Error)]
pub enum SeedError {
    #[error(transparent)]
    Scale(#[from] ScaleOutOfRange),
    #[error("the site has data of its own: demo data needs an empty site or a demo site")]
    SiteInUse,
    #[error("{0} people have signed up with numbers of the demo data: choose a smaller scale")]
    NumbersTaken(u64),
    #[error("cannot write the picture {}", path.display())]
    Picture {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("SQL failed")]
    Storage(#[from] storage::Error),
    #[error(
        "the rows are there, but servers that are running may not show them yet: run `tandian rebuild`"
    )]
    Unannounced(#[source] crate::Error),
}

/// Seeds the site by the plan. `plan.now` sets the times of new rows only.
pub async fn seed(
    app: &App,
    plan: DemoPlan,
    picture_folder: &Path,
    progress: OnProgress<'_>,
) -> Result<Added, SeedError> {
    let demo = Demo::new(plan)?;
    let db = app.db();
    reserve_id_range(db, &demo).await?;
    let pictures = pictures::write_missing(&demo, picture_folder, progress).await?;
    let rows = rows::insert_all(db, &demo, plan.now, progress).await?;
    bulk::recount(db, &CountedTable::ALL, Surplus::Keep).await?;
    balances::grant(app).await?;
    check_ins::insert(app, plan.now).await?;
    favourites::insert(app).await?;
    shops::refresh_all(app, progress)
        .await
        .map_err(SeedError::Unannounced)?;
    notes::rebuild(app, Surplus::Keep, progress)
        .await
        .map_err(SeedError::Unannounced)?;
    record_end(db, plan.scale).await?;
    Ok(Added { rows, pictures })
}

/// Prepares a demo site at startup: seeds it if no seed completed yet, draws missing pictures, and renews past flash
/// sales.
pub async fn prepare_demo_site(
    app: &App,
    plan: DemoPlan,
    picture_folder: &Path,
    progress: OnProgress<'_>,
) -> Result<Added, SeedError> {
    let demo = Demo::new(plan)?;
    let added = if is_complete(app.db(), plan.scale).await? {
        let pictures = pictures::write_missing(&demo, picture_folder, progress).await?;
        Added { rows: 0, pictures }
    } else {
        seed(app, plan, picture_folder, progress).await?
    };
    balances::grant(app).await?;
    sales::renew_windows(app, &demo, Renewal::OutOfPhase, plan.now).await?;
    Ok(added)
}

/// Checks that the demo ids and phone numbers are free or demo data, and reserves them.
async fn reserve_id_range(db: &Db, demo: &Demo) -> Result<(), SeedError> {
    let (first, last) = (demo_phone(1), demo_phone(i64::from(demo.counts().people)));
    let taken = demo_site::count_numbers_taken(db, &first, &last).await?;
    if taken > 0 {
        return Err(SeedError::NumbersTaken(taken));
    }
    if is_demo_site(db).await? {
        return Ok(());
    }
    if demo_site::is_occupied(db).await? {
        return Err(SeedError::SiteInUse);
    }
    Ok(demo_site::reserve_ids(db).await?)
}

/// Users are inserted first and in order, so user 1 exists from the first batch on.
async fn is_demo_site(db: &Db) -> Result<bool, SeedError> {
    let first = users::get(db, UserId::new(1)).await?;
    Ok(first.and_then(|user| user.phone) == Some(demo_phone(1)))
}

async fn is_complete(db: &Db, scale: u32) -> Result<bool, SeedError> {
    Ok(audit::is_recorded(db, audit::SEED, &audit_subject(scale)).await?)
}

async fn record_end(db: &Db, scale: u32) -> Result<(), SeedError> {
    if !is_complete(db, scale).await? {
        audit::record(db, None, audit::SEED, &audit_subject(scale), "").await?;
    }
    Ok(())
}

fn audit_subject(scale: u32) -> String {
    format!("demo:{scale}")
}

/// The phone number of the demo user with this id.
fn demo_phone(id: i64) -> Phone {
    let number = DEMO_PHONE_BASE + id;
    Phone::parse(&number.to_string()).expect("numbers of demo people are mobile numbers")
}
