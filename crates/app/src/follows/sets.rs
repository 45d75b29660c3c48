//! The sets that Redis keeps of whom people follow, loaded from SQL.

use domain::UserId;
use storage::follows::{self, MAX_FOLLOWEES};

use crate::{App, Error};

/// Loads the set of a person. It may still not be there afterwards: when something changed in between, when the person
/// follows more people than a set is kept of, or when Redis lost it again. SQL answers then.
pub(super) async fn load(app: &App, user: UserId) -> Result<(), Error> {
    let load: u64 = rand::random();
    app.kv().begin_follows(user, load).await?;
    let most = u64::from(MAX_FOLLOWEES);
    let followees = follows::list_followees(app.db(), user, UserId::new(0), most + 1).await?;
    // People of an adopted database may follow more.
    if followees.len() as u64 <= most {
        app.kv().publish_follows(user, load, &followees).await?;
    }
    Ok(())
}
