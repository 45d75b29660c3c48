//! Hiding a note and showing it again: a moderator's decision, recorded.

use domain::{NoteId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel, QuerySelect};

use super::opinion::opinion_of;
use super::shop_counts::{RatingChange, lock_shop, recount};
use super::{HIDDEN, NoteDeleted, NotePublished, REPORTED, SHOWN, dishes, words_of};
use crate::entity::blog::Entity;
use crate::search::index_note;
use crate::topics::{self, TopicsOf};
use crate::{Db, Error, audit, outbox};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Shown,
    Hidden,
}

/// Hides or shows a note; returns whether it exists. Caches and feeds treat a hidden note as deleted and a note that
/// is shown again as new.
pub async fn set_visibility(
    db: &Db,
    moderator: UserId,
    id: NoteId,
    visibility: Visibility,
) -> Result<bool, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).lock_exclusive();
        let Some(row) = find.one(&transaction).await? else {
            return Ok(false);
        };
        let (status, action, kind) = match visibility {
            Visibility::Hidden => (HIDDEN, "hide_note", NoteDeleted::KIND),
            Visibility::Shown => (SHOWN, "show_note", NotePublished::KIND),
        };
        if row.status == status {
            return Ok(true);
        }
        let (author, subject) = (UserId::new(row.user_id), format!("note:{id}"));
        audit::insert(&transaction, Some(moderator), action, &subject, "").await?;
        if (row.status, status) == (REPORTED, SHOWN) {
            // It was visible all the time.
            let update_time = row.update_time;
            let mut changed = row.into_active_model();
            changed.status = Set(SHOWN);
            changed.update_time = Set(update_time);
            changed.update(&transaction).await?;
            transaction.commit().await?;
            return Ok(true);
        }
        let shop = lock_shop(&transaction, row.shop_id).await?;
        let words = Some(words_of(&row));
        let (before, after) = match visibility {
            Visibility::Hidden => (words, None),
            Visibility::Shown => (None, words),
        };
        index_note(&transaction, row.id, before, after).await?;
        let (revision, note, opinion) = (row.revision + 1, row.clone(), opinion_of(&row));
        let mut changed = row.into_active_model();
        changed.status = Set(status);
        changed.revision = Set(revision);
        changed.update(&transaction).await?;
        if let Some(shop) = shop {
            let mut ratings = RatingChange::default();
            match visibility {
                Visibility::Hidden => {
                    ratings.before = opinion.ratings;
                    dishes::remove(&transaction, &note, &opinion.dishes).await?;
                }
                Visibility::Shown => {
                    ratings.after = opinion.ratings;
                    dishes::add(&transaction, &note, &opinion.dishes).await?;
                }
            }
            recount(&transaction, &shop, ratings).await?;
        }
        let content = &note.content;
        let text = match visibility {
            Visibility::Hidden => TopicsOf::Gone,
            Visibility::Shown => TopicsOf::Shown { content },
        };
        topics::replace(&transaction, id.get(), text).await?;
        let event = NotePublished { id, author };
        outbox::append(&transaction, kind, &subject, &event).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("set visibility of note", set).await
}
