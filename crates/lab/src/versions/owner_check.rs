//! Version 7. The lock knows its owner: it is deleted only by whoever finds its own name in it.
//!
//! Looking and deleting are two commands. Whoever is held up between them (a garbage collection is enough) deletes the
//! lock of somebody else after all.

use anyhow::Result;
use link::Link;

use super::critical;
use crate::pace::Pace;
use crate::shelf::Shelf;
use crate::version::{Answer, Places, Version, Wish};

pub(crate) struct OwnerCheck {
    shelf: Shelf,
    link: Link,
    places: Places,
}

impl Version for OwnerCheck {
    async fn open(places: &Places) -> Result<Self> {
        Ok(Self {
            shelf: Shelf::open(&places.sql).await?,
            link: places.link().await?,
            places: places.clone(),
        })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let key = self.places.key(&format!("lock:{}", wish.sale));
        let me = format!("{:032x}", rand::random::<u128>());
        let lease = self.places.lease();
        if !critical::set_nx(&self.link, &key, &me, lease, pace).await? {
            return Ok(Answer::Busy);
        }
        let answer = critical::sell(&self.shelf, wish, pace).await;
        pace.step("about to release").await;

        let owner: Option<String> = self.link.run(redis::cmd("GET").arg(&key)).await?;
        if owner.as_deref() == Some(&me) {
            pace.step("found to be the owner").await;
            let () = self.link.run(redis::cmd("DEL").arg(&key)).await?;
        }
        answer
    }
}
