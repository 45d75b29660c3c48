//! Brings pictures home: downloads what rows name on other hosts, and stores it like uploads.
//!
//! A picture is fetched, checked and re-encoded, recorded as an unused upload, stored, and then put into its row in one
//! transaction that checks that the row still names it. Wherever this is cut off, an unused upload is left at most, which
//! the cleanup deletes after a day. So it may be repeated at any time, beside a serving site; pictures that are home are
//! not looked at again. A picture that fails is reported, and the next one is tried.

mod fetch;
mod public_address;

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use domain::shop::pictures_in;
use domain::{OutsidePicture, UserId};
use futures_util::{StreamExt as _, stream};
use pictures::{PictureName, PictureProcessor, ProcessError};
use storage::outside_pictures::{self, OutsideRow, PictureTable, Replaced};
use storage::{Db, uploads};
use thiserror::Error as ThisError;

use self::fetch::{FetchError, Fetcher};
use super::clean;
use crate::{App, Error, OnProgress, Progress};

/// Rows per query.
const BATCH: u64 = 100;

/// Downloads at a time: enough to hide the way to the host, few enough that no host minds.
const CONCURRENT: usize = 4;

/// A host that failed so often in a row is not asked again in this run: each attempt may take as long as its timeout.
const MAX_HOST_FAILURES: u32 = 5;

/// Failures that are described; more are counted.
const DESCRIBED_FAILURES: usize = 1_000;

/// The recorded uploader of a picture that is nobody's, such as that of a shop without an owner.
const NOBODY: UserId = UserId::new(0);

/// What an import came to.
#[derive(Clone, Debug, Default)]
pub struct ImportReport {
    pub imported: u64,
    pub failed: u64,
    /// The first of those that failed.
    pub failures: Vec<ImportFailure>,
    /// Pictures that stay where they are, by host: `pictures.outside_hosts` does not name it.
    pub not_allowed: BTreeMap<String, u64>,
}

#[derive(Clone, Debug)]
pub struct ImportFailure {
    /// The kind of row, such as `shop`.
    pub noun: &'static str,
    pub id: i64,
    pub url: String,
    pub reason: String,
}

#[derive(Debug, ThisError)]
pub enum ImportError {
    #[error("the client that downloads pictures cannot be set up")]
    Client(#[source] reqwest::Error),
    /// SQL or the store of pictures; what was imported before stays.
    #[error("the import stopped")]
    Site(#[from] Error),
}

/// Hosts of outside pictures.
#[derive(Clone, Debug, Default)]
pub struct OutsideHosts {
    /// How many pictures each has.
    pub pictures: BTreeMap<String, u64>,
}

/// Counts the outside pictures of all rows by host.
pub async fn list_outside_hosts(db: &Db) -> Result<OutsideHosts, Error> {
    let mut hosts = OutsideHosts::default();
    for table in PictureTable::ALL {
        let mut after = 0;
        loop {
            let rows = outside_pictures::list(db, table, after, BATCH).await?;
            let Some(last) = rows.last() else { break };
            after = last.id;
            for (_, picture) in rows.iter().flat_map(outside_of) {
                *hosts.pictures.entry(picture.place()).or_default() += 1;
            }
        }
    }
    Ok(hosts)
}

/// Imports every picture on a host that the site allows.
pub async fn import_outside(
    app: &App,
    progress: OnProgress<'_>,
) -> Result<ImportReport, ImportError> {
    let hosts = list_outside_hosts(app.db()).await?;
    let total = hosts.pictures.values().sum();
    let fetcher = Fetcher::new(app.pictures().outside_hosts().to_vec());
    let importer = Importer {
        app,
        fetcher: fetcher.map_err(ImportError::Client)?,
        processor: PictureProcessor::new(CONCURRENT),
        host_failures: Mutex::default(),
    };
    let mut report = ImportReport::default();
    let mut done = 0;
    for table in PictureTable::ALL {
        let mut after = 0;
        loop {
            let rows = outside_pictures::list(app.db(), table, after, BATCH);
            let rows = rows.await.map_err(Error::from)?;
            let Some(last) = rows.last() else { break };
            after = last.id;
            let pictures = rows.iter().flat_map(outside_of);
            let imports = pictures.map(|(row, picture)| importer.import(row, picture));
            let mut imports = stream::iter(imports).buffer_unordered(CONCURRENT);
            while let Some(outcome) = imports.next().await {
                report.add(outcome?);
                done += 1;
                progress(Progress {
                    what: "pictures",
                    done,
                    total: done.max(total),
                });
            }
        }
    }
    Ok(report)
}

fn outside_of(row: &OutsideRow) -> impl Iterator<Item = (&OutsideRow, NamedPicture)> {
    pictures_in(&row.pictures).filter_map(move |address| {
        let picture = OutsidePicture::parse(address)?;
        let address = address.to_owned();
        Some((row, NamedPicture { address, picture }))
    })
}

/// A picture and the way in which its row spells it.
#[derive(Clone, Debug)]
struct NamedPicture {
    address: String,
    picture: OutsidePicture,
}

impl NamedPicture {
    fn place(&self) -> String {
        self.picture.place()
    }
}

enum Outcome {
    Imported,
    /// Somebody else changed the row meanwhile.
    Changed,
    NotAllowed(String),
    Failed(ImportFailure),
}

struct Importer<'a> {
    app: &'a App,
    fetcher: Fetcher,
    processor: PictureProcessor,
    /// Failures in a row, by host.
    host_failures: Mutex<HashMap<String, u32>>,
}

impl Importer<'_> {
    /// An error is one of SQL or of the store, and ends the run.
    async fn import(&self, row: &OutsideRow, named: NamedPicture) -> Result<Outcome, Error> {
        let hosts = self.app.pictures().outside_hosts();
        if !named.picture.is_on(hosts) {
            return Ok(Outcome::NotAllowed(named.place()));
        }
        let failed = |reason: String| {
            Outcome::Failed(ImportFailure {
                noun: row.table.noun(),
                id: row.id,
                url: named.picture.url().to_owned(),
                reason,
            })
        };
        if self.gave_up_on(&named.place()) {
            let reason = format!(
                "not asked: {} failed {MAX_HOST_FAILURES} times",
                named.place()
            );
            return Ok(failed(reason));
        }
        let fetched = self.fetcher.fetch(&named.picture).await;
        self.note_host(&named.place(), &fetched);
        let file = match fetched {
            Ok(file) => file,
            Err(error) => return Ok(failed(error.to_string())),
        };
        let slot = self.processor.try_reserve();
        let slot = slot.expect("there are as many slots as downloads");
        let picture = match self.processor.reencode(slot, file.into()).await {
            Ok(picture) => picture,
            Err(error @ (ProcessError::Rejected(_) | ProcessError::Busy)) => {
                return Ok(failed(error.to_string()));
            }
        };
        let name = PictureName::generate();
        let address = name.to_string();
        let db = self.app.db();
        uploads::record(db, row.owner.unwrap_or(NOBODY), &address).await?;
        self.app.pictures().file_store.put(&name, picture).await?;
        let replaced =
            outside_pictures::replace(db, row.table, row.id, &named.address, &address).await?;
        if replaced != Replaced::Done {
            uploads::remove_orphan(db, &address).await?;
            clean::discard(self.app, &name).await?;
        }
        Ok(match replaced {
            Replaced::Done => Outcome::Imported,
            Replaced::Changed => Outcome::Changed,
            Replaced::TooLong => failed("the row has no room for the new address".to_owned()),
        })
    }

    fn gave_up_on(&self, host: &str) -> bool {
        let failures = self.host_failures.lock().expect("no holder panics");
        failures
            .get(host)
            .is_some_and(|count| *count >= MAX_HOST_FAILURES)
    }

    /// Any reply shows that the host is there.
    fn note_host(&self, host: &str, fetched: &Result<Vec<u8>, FetchError>) {
        let mut failures = self.host_failures.lock().expect("no holder panics");
        match fetched {
            Err(error) if error.is_of_host() => *failures.entry(host.to_owned()).or_default() += 1,
            _ => drop(failures.remove(host)),
        }
    }
}

impl ImportReport {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Imported => self.imported += 1,
            Outcome::Changed => {}
            Outcome::NotAllowed(host) => *self.not_allowed.entry(host).or_default() += 1,
            Outcome::Failed(failure) => {
                self.failed += 1;
                if self.failures.len() < DESCRIBED_FAILURES {
                    self.failures.push(failure);
                }
            }
        }
    }
}
