//! What people say of themselves and what others see of it.

use domain::{ProfileChange, UserId};
use jiff::Timestamp;
use kv::Session;
use storage::notes;
use storage::users::{self, User, UserInfo};

use super::login::session_profile;
use crate::{App, Error, Refusal};

pub async fn get_user(app: &App, id: UserId) -> Result<Option<User>, Error> {
    Ok(users::get(app.db(), id).await?)
}

/// What others see of a person who said something of themselves.
#[derive(Clone, Debug)]
pub struct Card {
    pub info: UserInfo,
    /// Notes that everybody can read.
    pub notes: u64,
}

pub async fn get_card(app: &App, id: UserId) -> Result<Option<Card>, Error> {
    let Some(info) = users::get_info(app.db(), id).await? else {
        return Ok(None);
    };
    let notes = notes::count_of_author(app.db(), id).await?;
    Ok(Some(Card { info, notes }))
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
