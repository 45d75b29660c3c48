//! Loads follow sets from SQL into Redis.

use domain::UserId;
use storage::follows::{self, MAX_FOLLOWEES};

use crate::{App, Error};

/// Loads a user's set. It may still be missing afterwards: after a concurrent change, for a user above the limit, or
/// if Redis lost it again. SQL answers then.
pub(super) async fn load(app: &App, user: UserId) -> Result<(), Error> {
    let load: u64 = rand::random();
    app.kv().begin_follows(user, load).await?;
    let most = u64::from(MAX_FOLLOWEES);
    let followees = follows::list_followees(app.db(), user, UserId::new(0), most + 1).await?;
    // Users of an adopted database may follow more.
    if followees.len() as u64 <= most {
        app.kv().publish_follows(user, load, &followees).await?;
    }
    Ok(())
}
