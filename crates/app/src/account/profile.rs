//! Profiles: what a user enters and what others see of it.

use domain::{InvalidProfile, ProfileChange, Shown, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use kv::Session;
use storage::users::{self, User, UserInfo, UserStatus};
use storage::{notes, uploads};

use super::login::session_profile;
use crate::notes::forget_author;
use crate::{App, Error, Refusal};

/// A deleted account is nobody's.
pub async fn get_user(app: &App, id: UserId) -> Result<Option<User>, Error> {
    let user = users::get(app.db(), id).await?;
    Ok(user.filter(|user| user.status != UserStatus::Closed))
}

/// What a viewer sees of a user's profile.
#[derive(Clone, Debug)]
pub struct Card {
    pub info: UserInfo,
    /// Absent unless the user shows it or views their own profile.
    pub city: Option<String>,
    pub is_female: Option<bool>,
    pub birthday: Option<Date>,
    /// The user's own choice; only in their own view.
    pub shown: Option<Shown>,
    /// The number of visible notes.
    pub notes: u64,
}

pub async fn get_card(
    app: &App,
    reader: Option<&Session>,
    id: UserId,
) -> Result<Option<Card>, Error> {
    let Some(info) = users::get_info(app.db(), id).await? else {
        return Ok(None);
    };
    let shown = users::get_shown(app.db(), id).await?;
    let notes = notes::count_of_author(app.db(), id).await?;
    let is_own = reader.is_some_and(|reader| reader.profile.user_id == id);
    Ok(Some(Card {
        city: (is_own || shown.city).then(|| info.city.clone()),
        is_female: (is_own || shown.gender).then_some(info.is_female),
        birthday: info.birthday.filter(|_| is_own || shown.birthday),
        shown: is_own.then_some(shown),
        info,
        notes,
    }))
}

/// Updates the caller's profile; their sessions show it at once.
pub async fn update_profile(
    app: &App,
    session: &Session,
    mut change: ProfileChange,
) -> Result<(), Error> {
    drop_unchanged_icon(app, session.profile.user_id, &mut change).await?;
    let today = app.rules().zone.date(Timestamp::now());
    let change = change.checked(today).map_err(Refusal::ProfileInvalid)?;
    if change.is_empty() {
        return Ok(());
    }
    if let Some(icon) = &change.icon {
        let user = session.profile.user_id;
        if uploads::any_foreign(app.db(), user, icon, &format!("user:{user}")).await? {
            return Err(Refusal::ProfileInvalid(InvalidProfile::Icon).into());
        }
    }
    let user = users::update_profile(app.db(), session.profile.user_id, &change).await?;
    app.outbox().wake();
    // If Redis is unavailable, the outbox does it again.
    if let Err(error) = forget_author(app, user.id).await {
        tracing::debug!(%error, "author not invalidated, outbox retries");
    }
    app.sessions()
        .update_profile(&session_profile(&user))
        .await?;
    Ok(())
}

/// Pages send the whole profile back. An adopted icon on another host is not refused then: it does not change.
async fn drop_unchanged_icon(
    app: &App,
    user: UserId,
    change: &mut ProfileChange,
) -> Result<(), Error> {
    if change.icon.is_none() {
        return Ok(());
    }
    let user = users::get(app.db(), user).await?;
    if user.is_some_and(|user| change.icon.as_ref() == Some(&user.icon)) {
        change.icon = None;
    }
    Ok(())
}
