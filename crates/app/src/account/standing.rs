//! What a person may do: roles and blocks.
//!
//! SQL is changed first and the sessions after it: at once by whoever made the change, and once more by the outbox, so a
//! process that dies in between only delays it. A session that is being opened meanwhile looks again before its token is
//! handed out (see `login`).

use domain::{Contact, Role, UserId};
use storage::users::{self, User, UserChanged, UserStatus};

use super::session_profile;
use crate::{App, Error};

/// Gives the holder of `contact` a role; running sessions have it at once. `None` when nobody has that contact.
pub async fn grant_role(app: &App, contact: &Contact, role: Role) -> Result<Option<User>, Error> {
    let Some(user) = users::set_role(app.db(), contact, role, None).await? else {
        return Ok(None);
    };
    app.sessions().show_role(user.id, user.role).await?;
    Ok(Some(user))
}

/// Shuts a person out: no code signs them in, and their sessions end. `None` when there is no such person.
pub async fn block(app: &App, actor: Option<UserId>, id: UserId) -> Result<Option<User>, Error> {
    let Some(user) = users::set_status(app.db(), id, UserStatus::Blocked, actor).await? else {
        return Ok(None);
    };
    app.sessions().end_all(id).await?;
    Ok(Some(user))
}

/// Lets a person sign in again. `None` when there is no such person.
pub async fn unblock(app: &App, actor: Option<UserId>, id: UserId) -> Result<Option<User>, Error> {
    let user = users::set_status(app.db(), id, UserStatus::Active, actor).await?;
    Ok(user)
}

/// Makes running sessions show what SQL says of a person now.
pub(crate) async fn follow_change(app: &App, change: &UserChanged) -> Result<(), Error> {
    let Some(user) = users::get(app.db(), change.id).await? else {
        return Ok(());
    };
    if user.status == UserStatus::Blocked {
        app.sessions().end_all(user.id).await?;
        return Ok(());
    }
    app.sessions().show_role(user.id, user.role).await?;
    app.sessions().show_names(&session_profile(&user)).await?;
    Ok(())
}
