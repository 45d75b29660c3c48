//! Asking for the deletion of one's own account, and taking it back while there is time.
//!
//! What follows when the time is over is in `erasure`.

use domain::LoginCode;
use jiff::Timestamp;
use kv::Session;
use storage::account_deletion::{self, AccountDeletion, Obstacle, ObstacleKind};
use storage::users::{self, User};

use super::confirmation::confirm;
use crate::site::DEMO_PHONE_BASE;
use crate::{App, Caller, Error, Refusal};

/// What a user is shown before deciding.
#[derive(Clone, Debug)]
pub struct DeletionOutlook {
    pub pending: Option<AccountDeletion>,
    /// To be settled first; empty if nothing is in the way.
    pub obstacles: Vec<Obstacle>,
}

pub async fn get_deletion(app: &App, session: &Session) -> Result<DeletionOutlook, Error> {
    let user = session.profile.user_id;
    Ok(DeletionOutlook {
        pending: account_deletion::get(app.db(), user).await?,
        obstacles: list_obstacles(app, session).await?,
    })
}

/// Asks for the deletion, confirmed by a code, and signs the user out everywhere. A second request gets the reply to the
/// first.
pub async fn request_deletion(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: &LoginCode,
) -> Result<AccountDeletion, Error> {
    let user = session.profile.user_id;
    if !list_obstacles(app, session).await?.is_empty() {
        return Err(Refusal::AccountNotSettled.into());
    }
    confirm(app, caller, session, code).await?;
    let now = Timestamp::now();
    let due_at = now + app.rules().account.deletion_grace;
    let requested = account_deletion::request(app.db(), user, now, due_at).await?;
    let pending = requested.map_err(|_| Refusal::AccountNotSettled)?;
    app.sessions().end_all(user).await?;
    Ok(pending)
}

/// Takes the wish back. Without one there is nothing to do.
pub async fn keep_account(app: &App, session: &Session) -> Result<(), Error> {
    account_deletion::keep(app.db(), session.profile.user_id).await?;
    Ok(())
}

async fn list_obstacles(app: &App, session: &Session) -> Result<Vec<Obstacle>, Error> {
    let id = session.profile.user_id;
    let user = users::get(app.db(), id).await?;
    let mut obstacles = account_deletion::list_obstacles(app.db(), id).await?;
    if user.is_some_and(|user| is_demo(&user)) {
        let (kind, count) = (ObstacleKind::DemoAccount, 1);
        obstacles.insert(0, Obstacle { kind, count });
    }
    Ok(obstacles)
}

/// Demo users have numbers that follow from their ids.
pub(super) fn is_demo(user: &User) -> bool {
    let number = user.phone.as_ref().map(domain::Phone::as_str);
    number.is_some_and(|number| *number == (DEMO_PHONE_BASE + user.id.get()).to_string())
}
