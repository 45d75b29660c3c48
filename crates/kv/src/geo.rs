//! Positions of shops: one geo index per shop type, with a marker that is present if the index is loaded.
//!
//! An index without its marker does not exist, whatever its key holds: a search then answers `None`, and the caller
//! loads the index from SQL. Loading stages all members under a key of its own and publishes them in one step, so no
//! search ever sees half an index. Changes of single shops go into a loaded index only; one that is being loaded will
//! read the changed row.
//!
//! A writer holds the type's lock and passes its fencing token. The marker remembers the highest fence, and
//! a writer with a lower one, who was paused while its lock went to another, changes nothing.

use std::time::Duration;

use domain::{Position, ShopId, ShopTypeId};
use link::Script;

use crate::keys::GeoKeys;
use crate::{Error, Kv};

static FIND: Script = Script::new(include_str!("lua/find_near.lua"));
static PLACE: Script = Script::new(include_str!("lua/place_shop.lua"));
static PUBLISH: Script = Script::new(include_str!("lua/publish_geo.lua"));

/// Members per command while an index is staged: about a millisecond of the server's time.
const MEMBERS_PER_COMMAND: usize = 1_000;

/// What a loader that died left behind is gone after this; a million shops are staged in less.
const STAGED_TTL: Duration = Duration::from_secs(600);

/// A shop and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoIndexEntry {
    pub id: ShopId,
    pub position: Position,
}

/// A shop found by a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    pub id: ShopId,
    pub metres: f64,
}

/// What became of a change of one shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    Done,
    /// Nothing to change: the next search has the index loaded from SQL.
    NotLoaded,
    /// A newer holder of the lock has written; nothing was changed.
    Outdated,
}

impl Kv {
    /// At most `count` shops of the type within the radius, nearest first; `None` if the index is not loaded.
    ///
    /// One round trip, and no script as long as there are shops: what is found beside its marker is an index. Nothing may
    /// mean that Redis was flushed between the two commands, so the script, which is atomic, decides about that.
    pub async fn find_near(
        &self,
        type_id: ShopTypeId,
        around: Position,
        radius_metres: u32,
        count: usize,
    ) -> Result<Option<Vec<Near>>, Error> {
        let keys = self.keys.geo(type_id);
        let mut pipe = redis::pipe();
        pipe.cmd("EXISTS").arg(&keys.ready);
        pipe.cmd("GEOSEARCH").arg(&keys.index);
        pipe.arg("FROMLONLAT").arg(around.x()).arg(around.y());
        pipe.arg("BYRADIUS").arg(radius_metres).arg("m");
        pipe.arg("ASC").arg("COUNT").arg(count).arg("WITHDIST");
        let (is_loaded, found): (bool, Vec<(i64, f64)>) = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("search around a place"))?;
        let found = match is_loaded && !found.is_empty() {
            true => Some(found),
            false => {
                self.find_by_script(&keys, around, radius_metres, count)
                    .await?
            }
        };
        let near = |(id, metres)| Near {
            id: ShopId::new(id),
            metres,
        };
        Ok(found.map(|found| found.into_iter().map(near).collect()))
    }

    async fn find_by_script(
        &self,
        keys: &GeoKeys,
        around: Position,
        radius_metres: u32,
        count: usize,
    ) -> Result<Option<Vec<(i64, f64)>>, Error> {
        let args = (around.x(), around.y(), radius_metres, count);
        let found = self
            .link
            .eval(&FIND, &[&keys.index, &keys.ready], args)
            .await;
        found.map_err(Error::during("search around a place"))
    }

    pub async fn is_geo_loaded(&self, type_id: ShopTypeId) -> Result<bool, Error> {
        let ready = self.keys.geo(type_id).ready;
        let found = self.link.run(redis::cmd("EXISTS").arg(ready)).await;
        found.map_err(Error::during("look for a geo index"))
    }

    /// Lets the index of the type show the shop at this position, or not at all.
    pub async fn place_shop(
        &self,
        type_id: ShopTypeId,
        id: ShopId,
        position: Option<Position>,
        fence: u64,
    ) -> Result<Placed, Error> {
        let keys = self.keys.geo(type_id);
        let mut args = vec![fence.to_string(), id.to_string()];
        args.extend(
            position
                .into_iter()
                .flat_map(|p| [p.x().to_string(), p.y().to_string()]),
        );
        let placed: i64 = self
            .link
            .eval(&PLACE, &[&keys.index, &keys.ready], args)
            .await
            .map_err(Error::during("place a shop"))?;
        Ok(match placed {
            1 => Placed::Done,
            0 => Placed::NotLoaded,
            _ => Placed::Outdated,
        })
    }

    /// Adds members to the index that the holder of `fence` is loading. Nobody sees them before they are published.
    pub async fn stage_places(
        &self,
        type_id: ShopTypeId,
        places: &[GeoIndexEntry],
        fence: u64,
    ) -> Result<(), Error> {
        if places.is_empty() {
            return Ok(());
        }
        let next = self.keys.geo(type_id).next(fence);
        let mut pipe = redis::pipe();
        for chunk in places.chunks(MEMBERS_PER_COMMAND) {
            let add = pipe.cmd("GEOADD").arg(&next);
            for place in chunk {
                let GeoIndexEntry { id, position } = place;
                add.arg(position.x()).arg(position.y()).arg(id.get());
            }
            add.ignore();
            pipe.cmd("EXPIRE")
                .arg(&next)
                .arg(STAGED_TTL.as_secs())
                .ignore();
        }
        let staged = self.link.pipe::<()>(&pipe).await;
        staged.map_err(Error::during("stage a geo index"))
    }

    /// Puts the staged index of `count` members in force. `false` if it was not: a newer holder of the lock has
    /// written, or Redis lost members on the way.
    pub async fn publish_places(
        &self,
        type_id: ShopTypeId,
        count: usize,
        fence: u64,
    ) -> Result<bool, Error> {
        let keys = self.keys.geo(type_id);
        let next = keys.next(fence);
        let published = self
            .link
            .eval(&PUBLISH, &[&keys.index, &keys.ready, &next], (fence, count))
            .await;
        published.map_err(Error::during("publish a geo index"))
    }
}
