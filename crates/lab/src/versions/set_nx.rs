//! Version 6. A lock in Redis: `SET lock 1 NX PX 10000` to take it, `DEL lock` to give it back.
//!
//! All processes see it, and the lease frees it if its holder dies. But a holder that is held up for longer than the
//! lease comes back to a lock that is somebody else's, and deletes it: a third one walks in beside the second.

use anyhow::Result;
use link::Link;

use super::critical;
use crate::pace::Pace;
use crate::shelf::Shelf;
use crate::version::{Answer, Places, Version, Wish};

pub(crate) struct SetNx {
    shelf: Shelf,
    link: Link,
    places: Places,
}

impl Version for SetNx {
    async fn open(places: &Places) -> Result<Self> {
        Ok(Self {
            shelf: Shelf::open(&places.sql).await?,
            link: places.link().await?,
            places: places.clone(),
        })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let key = self.places.key(&format!("lock:{}", wish.sale));
        let lease = self.places.lease();
        if !critical::set_nx(&self.link, &key, "1", lease, pace).await? {
            return Ok(Answer::Busy);
        }
        let answer = critical::sell(&self.shelf, wish, pace).await;
        pace.step("about to release").await;

        let () = self.link.run(redis::cmd("DEL").arg(&key)).await?;
        answer
    }
}
