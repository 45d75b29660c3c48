//! Visitors and views of pages, by day.

use domain::NoteId;
use jiff::civil::Date;
use kv::FoundKey;
use storage::visits::{self, Visit};

use super::{Import, RedisImportError};
use crate::visits::VisitedPage;

impl Import<'_> {
    pub(super) async fn take_visitors(
        &mut self,
        key: &FoundKey,
        page: &str,
        day: Date,
    ) -> Result<(), RedisImportError> {
        let count = self.original.count_visitors(key).await?;
        // Who came has seen the page at least once.
        let totals = count.map(|count| (count, count));
        self.take_totals(key, page, day, totals).await
    }

    pub(super) async fn take_views(
        &mut self,
        key: &FoundKey,
        page: &str,
        day: Date,
    ) -> Result<(), RedisImportError> {
        let count = self.original.count_views(key).await?;
        let totals = count.map(|count| (0, count));
        self.take_totals(key, page, day, totals).await
    }

    /// Visitors and views of a day are set and never lowered, so writing them again changes nothing.
    async fn take_totals(
        &mut self,
        key: &FoundKey,
        page: &str,
        day: Date,
        totals: Option<(u64, u64)>,
    ) -> Result<(), RedisImportError> {
        let (Some((uv, pv)), Some(page)) = (totals, page_of(page)) else {
            self.list_unknown(key);
            return Ok(());
        };
        self.report.visits.found += 1;
        self.report.visits.added += 1;
        if self.writes {
            let page = page.to_string();
            visits::fold(self.app.db(), &[Visit { day, page, uv, pv }]).await?;
        }
        Ok(())
    }
}

/// The original counted no pages, so copies name them as they like.
fn page_of(page: &str) -> Option<VisitedPage> {
    match page {
        "" | "all" | "total" => return Some(VisitedPage::Site),
        "index" => return Some(VisitedPage::Home),
        _ => {}
    }
    let note = page.strip_prefix("blog:").and_then(|id| id.parse().ok());
    note.map(|id| VisitedPage::Note(NoteId::new(id)))
        .or_else(|| page.parse().ok())
}
