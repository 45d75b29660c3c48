//! What people did: likes, follows, check-ins.

use std::collections::{HashMap, HashSet};

use domain::{Month, NoteId, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use kv::{FoundKey, Member};
use storage::note_likes::Liker;
use storage::{check_ins, follows, redis_import};

use super::{Import, RedisImportError};

impl Import<'_> {
    pub(super) async fn take_likes(
        &mut self,
        key: &FoundKey,
        note: NoteId,
    ) -> Result<(), RedisImportError> {
        let is_note = redis_import::is_note(self.app.db(), note).await?;
        let (mut cursor, mut added) = (Some(0), 0);
        while let Some(from) = cursor {
            let part = self.original.scan_members(key, from).await?;
            cursor = part.next;
            let found = part.items.len() as u64;
            self.report.likes.found += found;
            if is_note {
                added += self.take_likers(note, &part.items).await?;
            } else {
                self.report.likes.orphaned += found;
            }
            self.show("likes", self.report.likes.found, 0);
        }
        if added > 0 && self.writes {
            crate::notes::show_imported_likes(self.app, note).await?;
        }
        Ok(())
    }

    async fn take_likers(
        &mut self,
        note: NoteId,
        members: &[Member],
    ) -> Result<u64, RedisImportError> {
        let (db, now) = (self.app.db(), Timestamp::now());
        let moments: HashMap<UserId, Timestamp> = members
            .iter()
            .filter_map(|member| Some((UserId::new(member.id?), moment(member, now))))
            .collect();
        let users: Vec<UserId> = moments.keys().copied().collect();
        let known = redis_import::known_users(db, &users).await?;
        let likers = redis_import::list_likers(db, note, &users).await?;
        let likers: HashSet<UserId> = likers.into_iter().collect();
        let is_missing = |user: &&UserId| known.contains(*user) && !likers.contains(*user);
        let mut missing: Vec<Liker> = users
            .iter()
            .filter(is_missing)
            .map(|user| Liker {
                user: *user,
                liked_at: moments[user],
            })
            .collect();
        missing.sort_unstable_by_key(|liker| liker.user);
        if self.writes {
            redis_import::add_likes(db, note, &missing).await?;
            let forgotten = self.app.kv().forget_own_likes(&users).await;
            forgotten.map_err(crate::Error::from)?;
        }
        let (found, added) = (members.len() as u64, missing.len() as u64);
        let is_orphan = |user: &&UserId| !known.contains(*user) && !likers.contains(*user);
        let orphaned = users.iter().filter(is_orphan).count() as u64;
        let invalid = members.iter().filter(|member| member.id.is_none()).count() as u64;
        let counts = &mut self.report.likes;
        counts.added += added;
        counts.invalid += invalid;
        counts.orphaned += orphaned;
        counts.known += found - added - invalid - orphaned;
        Ok(added)
    }

    pub(super) async fn take_follows(
        &mut self,
        key: &FoundKey,
        user: UserId,
    ) -> Result<(), RedisImportError> {
        let is_user = !redis_import::known_users(self.app.db(), &[user])
            .await?
            .is_empty();
        let mut cursor = Some(0);
        while let Some(from) = cursor {
            let part = self.original.scan_members(key, from).await?;
            cursor = part.next;
            let found = part.items.len() as u64;
            self.report.follows.found += found;
            if is_user {
                self.take_followees(user, &part.items).await?;
            } else {
                self.report.follows.orphaned += found;
            }
            self.show("follows", self.report.follows.found, 0);
        }
        Ok(())
    }

    async fn take_followees(
        &mut self,
        user: UserId,
        members: &[Member],
    ) -> Result<(), RedisImportError> {
        let db = self.app.db();
        let ids = members.iter().filter_map(|member| member.id);
        let authors: Vec<UserId> = ids.map(UserId::new).filter(|it| *it != user).collect();
        let known = redis_import::known_users(db, &authors).await?;
        let followed = follows::followed_among(db, user, &authors).await?;
        let followed: HashSet<UserId> = followed.into_iter().collect();
        let counts = &mut self.report.follows;
        counts.invalid += (members.len() - authors.len()) as u64;
        for author in authors {
            if followed.contains(&author) {
                counts.known += 1;
            } else if !known.contains(&author) {
                counts.orphaned += 1;
            } else if self.writes {
                // With its counters and its effect on feeds, as if the user had done it.
                match follows::set(db, user, author, follows::FollowAction::Follow).await? {
                    Ok(true) => counts.added += 1,
                    Ok(false) => counts.known += 1,
                    Err(follows::FollowRefusal::TooMany) => counts.over_limit += 1,
                    Err(follows::FollowRefusal::NoSuchAuthor) => counts.orphaned += 1,
                    // One has blocked the other since, and a block ends follows.
                    Err(follows::FollowRefusal::Blocked | follows::FollowRefusal::Blocking) => {
                        counts.invalid += 1;
                    }
                }
            } else {
                counts.added += 1;
            }
        }
        Ok(())
    }

    pub(super) async fn take_check_ins(
        &mut self,
        key: &FoundKey,
        user: UserId,
        month: Month,
    ) -> Result<(), RedisImportError> {
        let db = self.app.db();
        let bits = self.original.check_ins(key).await?.list();
        let (first, today) = (month.first(), self.app.rules().zone.date(Timestamp::now()));
        let date = |day: &i8| Date::new(first.year(), first.month(), *day).ok();
        let has_been = |day: &Date| *day <= today;
        let days: Vec<Date> = bits.iter().filter_map(date).filter(has_been).collect();
        let counts = &mut self.report.check_ins;
        counts.found += bits.len() as u64;
        counts.invalid += (bits.len() - days.len()) as u64;
        if redis_import::known_users(db, &[user]).await?.is_empty() {
            counts.orphaned += days.len() as u64;
            return Ok(());
        }
        let known = check_ins::list_days(db, user, first, month.last()).await?;
        let known: HashSet<Date> = known.into_iter().collect();
        let is_missing = |day: &Date| !known.contains(day);
        let missing: Vec<Date> = days.iter().copied().filter(is_missing).collect();
        counts.added += missing.len() as u64;
        counts.known += (days.len() - missing.len()) as u64;
        if self.writes && !missing.is_empty() {
            redis_import::add_check_ins(db, user, &missing).await?;
            // The bitmap, if it is loaded, lacks the new days.
            let forgotten = self.app.kv().forget_check_ins(user, &[month]).await;
            forgotten.map_err(crate::Error::from)?;
        }
        Ok(())
    }
}

/// A plain set has no moments, and one that is none or in the future is not believed.
fn moment(member: &Member, now: Timestamp) -> Timestamp {
    let at = member.at_ms.and_then(|ms| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float beyond the range becomes its end, which is no moment"
        )]
        let ms = ms as i64;
        Timestamp::from_millisecond(ms).ok()
    });
    at.filter(|at| *at > Timestamp::UNIX_EPOCH && *at <= now)
        .unwrap_or(now)
}
