//! Authors whose notes are not pushed: few on any site, so every process caches the list briefly.

use std::sync::Arc;
use std::time::Duration;

use domain::UserId;
use moka::future::Cache;

use crate::{App, Error};

/// How late the first note may show of an author who has just become unpushed.
const KEPT: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Unpushed {
    authors: Cache<(), Arc<Vec<UserId>>>,
}

impl Unpushed {
    pub(super) fn new() -> Self {
        let authors = Cache::builder().max_capacity(1).time_to_live(KEPT).build();
        Self { authors }
    }
}

pub(super) async fn list(app: &App) -> Result<Arc<Vec<UserId>>, Error> {
    let authors = &app.feeds().unpushed.authors;
    if let Some(known) = authors.get(&()).await {
        return Ok(known);
    }
    let listed = Arc::new(app.kv().list_unpushed_authors().await?);
    authors.insert((), listed.clone()).await;
    Ok(listed)
}

/// Adds an author and invalidates this process's cached list.
pub(super) async fn add(app: &App, author: UserId) -> Result<(), Error> {
    app.kv().add_unpushed_author(author).await?;
    app.feeds().unpushed.authors.invalidate(&()).await;
    Ok(())
}
