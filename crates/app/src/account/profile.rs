//! What people say of themselves and what others see of it.

use domain::{ProfileChange, UserId};
use jiff::Timestamp;
use kv::Session;
use storage::users::{self, User, UserInfo};

use super::login::session_profile;
use crate::{App, Error, Refusal};

pub async fn get_user(app: &App, id: UserId) -> Result<Option<User>, Error> {
    Ok(users::get(app.db(), id).await?)
}

pub async fn get_info(app: &App, id: UserId) -> Result<Option<UserInfo>, Error> {
    Ok(users::get_info(app.db(), id).await?)
}

/// Changes the asker's own profile; their sessions show it at once.
pub async fn update_profile(
    app: &App,
    session: &Session,
    change: ProfileChange,
) -> Result<(), Error> {
    let today = app.rules().zone.date(Timestamp::now());
    let change = change.checked(today).map_err(Refusal::ProfileInvalid)?;
    if change.is_empty() {
        return Ok(());
    }
    let user = users::update_profile(app.db(), session.profile.user_id, &change).await?;
    app.sessions().show_names(&session_profile(&user)).await?;
    Ok(())
}
