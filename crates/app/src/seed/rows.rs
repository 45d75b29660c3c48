//! Inserts the rows of the demo data, table by table, referenced rows first.

use demo::Demo;
use jiff::Timestamp;
use storage::{Db, bulk};

use super::{OnProgress, Progress, ROWS_PER_BATCH, SeedError, convert};

/// Inserts missing rows and returns their number.
pub(super) async fn insert_all(
    db: &Db,
    demo: &Demo,
    now: Timestamp,
    progress: OnProgress<'_>,
) -> Result<u64, SeedError> {
    let mut inserter = RowInserter {
        db,
        progress,
        rows: 0,
    };
    inserter.people(demo).await?;
    inserter.shops(demo, now).await?;
    inserter.vouchers(demo, now).await?;
    inserter.notes(demo).await?;
    inserter.comments(demo).await?;
    inserter.likes(demo).await?;
    inserter.follows(demo).await?;
    Ok(inserter.rows)
}

struct RowInserter<'a> {
    db: &'a Db,
    progress: OnProgress<'a>,
    /// Newly inserted rows.
    rows: u64,
}

impl RowInserter<'_> {
    async fn people(&mut self, demo: &Demo) -> Result<(), SeedError> {
        let mut step = Progress::begin("people", u64::from(demo.counts().people));
        for people in batches(demo.people()) {
            let users: Vec<_> = people.iter().map(convert::user).collect();
            let infos: Vec<_> = people.iter().map(convert::user_info).collect();
            self.rows += bulk::insert_users(self.db, &users).await?;
            self.rows += bulk::insert_user_infos(self.db, &infos).await?;
            self.report(&mut step, people.len());
        }
        Ok(())
    }

    async fn shops(&mut self, demo: &Demo, now: Timestamp) -> Result<(), SeedError> {
        let types: Vec<_> = demo
            .shop_types()
            .map(|t| convert::shop_type(t, now))
            .collect();
        self.rows += bulk::insert_shop_types(self.db, &types).await?;
        let mut step = Progress::begin("shops", u64::from(demo.counts().shops));
        for shops in batches(demo.shops().map(convert::shop)) {
            self.rows += bulk::insert_shops(self.db, &shops).await?;
            self.report(&mut step, shops.len());
        }
        Ok(())
    }

    async fn vouchers(&mut self, demo: &Demo, now: Timestamp) -> Result<(), SeedError> {
        let mut step = Progress::begin("vouchers", count(demo, |d| d.vouchers().count()).await);
        for vouchers in batches(demo.vouchers()) {
            let rows: Vec<_> = vouchers.iter().map(|v| convert::voucher(v, now)).collect();
            let sales = vouchers.iter().filter_map(|v| convert::flash_sale(v, now));
            let sales: Vec<_> = sales.collect();
            self.rows += bulk::insert_vouchers(self.db, &rows).await?;
            self.rows += bulk::insert_sold_sales(self.db, &sales).await?;
            self.report(&mut step, vouchers.len());
        }
        Ok(())
    }

    async fn notes(&mut self, demo: &Demo) -> Result<(), SeedError> {
        let mut step = Progress::begin("notes", u64::from(demo.counts().notes));
        for notes in batches(demo.notes().map(convert::note)) {
            self.rows += bulk::insert_notes(self.db, &notes).await?;
            self.report(&mut step, notes.len());
        }
        Ok(())
    }

    async fn comments(&mut self, demo: &Demo) -> Result<(), SeedError> {
        let mut step = Progress::begin("comments", count(demo, |d| d.comments().count()).await);
        for comments in batches(demo.comments().map(convert::comment)) {
            self.rows += bulk::insert_comments(self.db, &comments).await?;
            self.report(&mut step, comments.len());
        }
        Ok(())
    }

    async fn likes(&mut self, demo: &Demo) -> Result<(), SeedError> {
        let mut step = Progress::begin("likes", count(demo, |d| d.likes().count()).await);
        for likes in batches(demo.likes().map(convert::like)) {
            self.rows += bulk::insert_likes(self.db, &likes).await?;
            self.report(&mut step, likes.len());
        }
        Ok(())
    }

    async fn follows(&mut self, demo: &Demo) -> Result<(), SeedError> {
        let mut step = Progress::begin("follows", count(demo, |d| d.follows().count()).await);
        for follows in batches(demo.follows().map(convert::follow)) {
            self.rows += bulk::insert_follows(self.db, &follows).await?;
            self.report(&mut step, follows.len());
        }
        Ok(())
    }

    fn report(&mut self, step: &mut Progress, more: usize) {
        step.done += more as u64;
        (self.progress)(*step);
    }
}

impl Progress {
    fn begin(what: &'static str, total: u64) -> Self {
        Self {
            what,
            done: 0,
            total,
        }
    }
}

fn batches<T>(mut items: impl Iterator<Item = T>) -> impl Iterator<Item = Vec<T>> {
    std::iter::from_fn(move || {
        let batch: Vec<T> = items.by_ref().take(ROWS_PER_BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    })
}

/// Generating the items once more to count them is cheap next to inserting them, but blocks, hence the blocking
/// thread.
async fn count(demo: &Demo, count: fn(Demo) -> usize) -> u64 {
    let demo = *demo;
    let counted = tokio::task::spawn_blocking(move || count(demo)).await;
    counted.expect("making demo data does not panic") as u64
}
