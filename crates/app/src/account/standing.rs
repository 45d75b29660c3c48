//! What a person may do: roles and blocks.
//!
//! SQL is changed first and the sessions after it: at once by whoever made the change, and once more by the outbox, so a
//! process that dies in between only delays it. A session that is being opened meanwhile looks again before its token is
//! handed out (see `login`).
//!
//! A session has the role that it was opened with, and ends when its person is given another: a token that somebody else
//! got hold of while it was worth little never becomes one that is worth much.

use domain::{Contact, Role, UserId};
use storage::users::{self, User, UserChanged, UserStatus};

use super::session_profile;
use crate::{App, Error};

/// Gives the holder of `contact` a role; sessions that were opened with another one end. `None` when nobody has that
/// contact.
pub async fn grant_role(app: &App, contact: &Contact, role: Role) -> Result<Option<User>, Error> {
    let Some(user) = users::set_role(app.db(), contact, role, None).await? else {
        return Ok(None);
    };
    app.sessions().end_other_roles(user.id, user.role).await?;
    Ok(Some(user))
}

/// The holder of `contact`, if anybody has signed in with it.
pub async fn find_by_contact(app: &App, contact: &Contact) -> Result<Option<User>, Error> {
    Ok(users::find_by_contact(app.db(), contact).await?)
}

/// Ends all sessions of a person, and what is open on their behalf.
pub async fn sign_out_everywhere(app: &App, id: UserId) -> Result<(), Error> {
    Ok(app.sessions().end_all(id).await?)
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
    app.sessions().end_other_roles(user.id, user.role).await?;
    app.sessions().show_names(&session_profile(&user)).await?;
    Ok(())
}
