//! Rebuilds the follow sets for `tandian rebuild`: drops them; readers load them again.

use domain::UserId;
use storage::bulk::{CountedTable, Surplus};
use storage::{bulk, follows};

use crate::{App, Error, OnProgress, Progress};

/// People per query and per round trip.
const BATCH: u64 = 1_000;

/// Counters first: people see them beside the lists.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    // Their rows are all in SQL, so nothing is in surplus.
    bulk::recount(app.db(), &[CountedTable::People], Surplus::Drop).await?;
    let forget = async |people: Vec<UserId>| Ok(app.kv().forget_follows(&people).await?);
    forget_of_all(app, "follows", forget, progress).await
}

/// Calls `forget` with all users who follow anyone, in batches.
pub(crate) async fn forget_of_all(
    app: &App,
    what: &'static str,
    forget: impl AsyncFn(Vec<UserId>) -> Result<(), Error>,
    progress: OnProgress<'_>,
) -> Result<(), Error> {
    let (mut after, mut done) = (UserId::new(0), 0);
    loop {
        let people = follows::list_followers(app.db(), after, BATCH).await?;
        let Some(last) = people.last() else {
            return Ok(());
        };
        after = *last;
        done += people.len() as u64;
        forget(people).await?;
        progress(Progress {
            what,
            done,
            total: done,
        });
    }
}
