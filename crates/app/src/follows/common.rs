//! Common followees of two users: reads the smaller set and checks it against the larger one.
//!
//! The sets of two users are on different masters of a Cluster, so no single command can intersect them. The transfer
//! is bounded by the limit on followees.

use domain::UserId;
use kv::Session;
use storage::follows;
use storage::users::User;

use super::{people_in_order, sets};
use crate::{App, Error};

/// The most users shown, lowest ids first.
const MOST: usize = 100;

/// The users that the caller and another both follow, by id.
pub async fn list_common(app: &App, session: &Session, other: UserId) -> Result<Vec<User>, Error> {
    let pair = [session.profile.user_id, other];
    let mut common = match by_sets(app, pair).await {
        Ok(Some(common)) => common,
        Ok(None) => by_sql(app, pair).await?,
        Err(error) if error.is_outage() => by_sql(app, pair).await?,
        Err(error) => return Err(error),
    };
    common.sort_unstable();
    common.truncate(MOST);
    people_in_order(app, &common).await
}

async fn by_sql(app: &App, [one, other]: [UserId; 2]) -> Result<Vec<UserId>, Error> {
    Ok(follows::list_common(app.db(), one, other, MOST as u64).await?)
}

/// `None` if a set could not be loaded.
async fn by_sets(app: &App, pair: [UserId; 2]) -> Result<Option<Vec<UserId>>, Error> {
    let mut counts = app.kv().count_followees(pair).await?;
    if counts.contains(&None) {
        for (user, count) in pair.into_iter().zip(counts) {
            if count.is_none() {
                sets::load(app, user).await?;
            }
        }
        counts = app.kv().count_followees(pair).await?;
    }
    let (smaller, larger) = match counts {
        [Some(one), Some(other)] if one <= other => (pair[0], pair[1]),
        [Some(_), Some(_)] => (pair[1], pair[0]),
        _ => return Ok(None),
    };
    let Some(followees) = app.kv().list_followees(smaller).await? else {
        return Ok(None);
    };
    Ok(app.kv().followed_among(larger, &followees).await?)
}
