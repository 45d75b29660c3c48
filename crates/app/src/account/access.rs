//! Roles and blocks.
//!
//! SQL is changed first, then the sessions: at once by the caller, and again by the outbox, so a crash in between
//! only delays it. A login in progress checks again before it returns its token (see `login`).
//!
//! A session keeps the role it was opened with and ends when the user gets another one: a token stolen while it had
//! few rights never gains more.

use domain::{Contact, Role, UserId};
use storage::users::{self, User, UserChanged, UserStatus};

use super::session_profile;
use crate::{App, Error, notes};

/// Sets the role of the holder of `contact`; sessions with another role end. `None` if no user has this contact.
pub async fn grant_role(app: &App, contact: &Contact, role: Role) -> Result<Option<User>, Error> {
    let Some(user) = users::set_role(app.db(), contact, role, None).await? else {
        return Ok(None);
    };
    app.sessions().end_other_roles(user.id, user.role).await?;
    Ok(Some(user))
}

/// The holder of `contact`, if any.
pub async fn find_by_contact(app: &App, contact: &Contact) -> Result<Option<User>, Error> {
    Ok(users::find_by_contact(app.db(), contact).await?)
}

pub async fn find(app: &App, id: UserId) -> Result<Option<User>, Error> {
    Ok(users::get(app.db(), id).await?)
}

/// Ends all sessions of a user and the connections open on their behalf.
pub async fn sign_out_everywhere(app: &App, id: UserId) -> Result<(), Error> {
    Ok(app.sessions().end_all(id).await?)
}

/// Blocks a user: no login succeeds, and all sessions end. `None` if the user does not exist.
pub async fn block(app: &App, actor: Option<UserId>, id: UserId) -> Result<Option<User>, Error> {
    let Some(user) = users::set_status(app.db(), id, UserStatus::Blocked, actor).await? else {
        return Ok(None);
    };
    app.outbox().wake();
    app.sessions().end_all(id).await?;
    Ok(Some(user))
}

/// Unblocks a user. `None` if the user does not exist.
pub async fn unblock(app: &App, actor: Option<UserId>, id: UserId) -> Result<Option<User>, Error> {
    let user = users::set_status(app.db(), id, UserStatus::Active, actor).await?;
    app.outbox().wake();
    Ok(user)
}

/// Applies a changed user: notes show the new name, and live sessions are updated or ended from the row in SQL.
pub(crate) async fn apply_change(app: &App, change: &UserChanged) -> Result<(), Error> {
    notes::forget_author(app, change.id).await?;
    let Some(user) = users::get(app.db(), change.id).await? else {
        return Ok(());
    };
    if user.status != UserStatus::Active {
        app.sessions().end_all(user.id).await?;
        return Ok(());
    }
    app.sessions().end_other_roles(user.id, user.role).await?;
    app.sessions()
        .update_profile(&session_profile(&user))
        .await?;
    Ok(())
}
