//! Reading notes. A list is one query for what changes from moment to moment, that is, which notes are shown and how many
//! like them; their texts, which stay as they were published, come from [`super::texts`].

use domain::harmless::shown_name;
use domain::{NoteId, ShopId, TieBreak, UserId};
use sea_orm::sea_query::{IntoCondition, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, JoinType, Order, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};

use super::{Note, is_shown};
use crate::entity::blog::{Column, Entity, Model};
use crate::entity::{block, user};
use crate::{Db, Error, sql};

/// A note with what its page says about its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredNote {
    pub note: Note,
    /// Empty if the account is gone.
    pub author_name: String,
    pub author_icon: String,
}

/// A note that is shown, and its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedNote {
    pub id: NoteId,
    pub likes: u32,
    pub comments: u32,
}

/// A note that is shown, its likes, and the revision that they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteLikes {
    pub id: NoteId,
    pub likes: u32,
    pub revision: u64,
}

/// A note and only the shown columns of its author: columns are most of the cost of a list.
#[derive(Debug, FromQueryResult)]
struct AuthoredNoteRow {
    #[sea_orm(nested)]
    note: Model,
    author_name: Option<String>,
    author_icon: Option<String>,
}

/// Whose notes, or about what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOf {
    Author(UserId),
    Shop(ShopId),
    /// About a shop, with so many stars.
    Stars(ShopId, u8),
}

/// `None` for one that is gone or hidden. The author's account may be deleted while the notes stay.
pub async fn get(db: &Db, id: NoteId) -> Result<Option<AuthoredNote>, Error> {
    let by_author = Entity::belongs_to(user::Entity)
        .from(Column::UserId)
        .to(user::Column::Id)
        .into();
    let find = having(Column::Id.eq(id.get()))
        .join(JoinType::LeftJoin, by_author)
        .column_as(user::Column::NickName, "author_name")
        .column_as(user::Column::Icon, "author_icon")
        .into_model::<AuthoredNoteRow>()
        .one(db.reader());
    Ok(db.run("get note", find).await?.map(AuthoredNote::from_row))
}

/// The number of the author's visible notes.
pub async fn count_of_author(db: &Db, author: UserId) -> Result<u64, Error> {
    let count = Entity::find()
        .filter(Column::UserId.eq(author.get()))
        .filter(is_shown())
        .count(db.reader());
    db.run("count notes of author", count).await
}

/// One page; `page` counts from 1. Notes about a shop by people whom the reader blocks are left out.
pub async fn list(
    db: &Db,
    reader: Option<UserId>,
    of: ListOf,
    page: u32,
    size: u32,
    first: TieBreak,
) -> Result<Vec<ListedNote>, Error> {
    let about = |shop: ShopId| Column::ShopId.eq(shop.get()).into_condition();
    let wanted = match of {
        ListOf::Author(user) => Column::UserId.eq(user.get()).into_condition(),
        ListOf::Shop(shop) => about(shop),
        ListOf::Stars(shop, stars) => about(shop).add(Column::Score.eq(i16::from(stars))),
    };
    let mut select = having(wanted).order_by(Column::Id, order(first));
    if let (Some(reader), ListOf::Shop(_) | ListOf::Stars(..)) = (reader, of) {
        let blocked = block::Entity::find()
            .select_only()
            .column(block::Column::BlockedUserId)
            .filter(block::Column::UserId.eq(reader.get()));
        select = select.filter(Column::UserId.not_in_subquery(blocked.into_query()));
    }
    read(db, "list notes", paged(select, page, size)).await
}

/// One page, most liked first; `page` counts from 1.
pub async fn list_hot(
    db: &Db,
    page: u32,
    size: u32,
    tie_break: TieBreak,
) -> Result<Vec<ListedNote>, Error> {
    let select = having(Condition::all())
        .order_by_desc(Column::Liked)
        .order_by(Column::Id, order(tie_break));
    read(db, "list hot notes", paged(select, page, size)).await
}

/// The next `limit` visible notes above `after`, for a full scan. Reads the primary.
pub async fn list_likes(db: &Db, after: NoteId, limit: u64) -> Result<Vec<NoteLikes>, Error> {
    let find = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Liked, Column::Revision])
        .filter(is_shown())
        .filter(Column::Id.gt(after.get()))
        .order_by_asc(Column::Id)
        .limit(limit)
        .into_tuple::<(i64, i32, i64)>()
        .all(db.reader());
    let rows = db.run("list likes of notes", find).await?;
    let counted = |(id, likes, revision): (i64, i32, i64)| NoteLikes {
        id: NoteId::new(id),
        likes: u32::try_from(likes).unwrap_or(0),
        revision: revision.unsigned_abs(),
    };
    Ok(rows.into_iter().map(counted).collect())
}

/// The next `limit` notes above `after` with their authors, hidden ones included, for a full scan. Reads the primary.
pub async fn list_authors(
    db: &Db,
    after: NoteId,
    limit: u64,
) -> Result<Vec<(NoteId, UserId)>, Error> {
    let find = Entity::find()
        .select_only()
        .columns([Column::Id, Column::UserId])
        .filter(Column::Id.gt(after.get()))
        .order_by_asc(Column::Id)
        .limit(limit)
        .into_tuple::<(i64, i64)>()
        .all(db.reader());
    let rows = db.run("list authors of notes", find).await?;
    let typed = |(id, author)| (NoteId::new(id), UserId::new(author));
    Ok(rows.into_iter().map(typed).collect())
}

fn order(first: TieBreak) -> Order {
    match first {
        TieBreak::Newest => Order::Desc,
        TieBreak::Oldest => Order::Asc,
    }
}

fn having(condition: impl IntoCondition) -> Select<Entity> {
    let shown: SimpleExpr = is_shown();
    Entity::find()
        .filter(condition.into_condition())
        .filter(shown)
}

fn paged(select: Select<Entity>, page: u32, size: u32) -> Select<Entity> {
    select
        .offset(sql::offset(page, size))
        .limit(u64::from(size))
}

async fn read(
    db: &Db,
    operation: &'static str,
    select: Select<Entity>,
) -> Result<Vec<ListedNote>, Error> {
    let find = select
        .select_only()
        .columns([Column::Id, Column::Liked, Column::Comments])
        .into_tuple::<(i64, i32, i32)>()
        .all(db.reader());
    let rows = db.run(operation, find).await?;
    // A negative counter of an adopted database counts as zero.
    let count = |counter: i32| u32::try_from(counter).unwrap_or(0);
    let listed = |(id, likes, comments)| ListedNote {
        id: NoteId::new(id),
        likes: count(likes),
        comments: count(comments),
    };
    Ok(rows.into_iter().map(listed).collect())
}

impl AuthoredNote {
    fn from_row(row: AuthoredNoteRow) -> Self {
        Self {
            note: Note::from_row(row.note),
            author_name: shown_name(row.author_name.unwrap_or_default()),
            author_icon: shown_name(row.author_icon.unwrap_or_default()),
        }
    }
}
