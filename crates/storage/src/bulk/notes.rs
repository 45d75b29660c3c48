//! Notes, their likes and their comments.

use std::collections::HashMap;

use domain::{NoteId, Opinion, ShopId, UserId};
use jiff::Timestamp;
use sea_orm::Value;

use super::dishes::insert_dishes;
use super::insert::{BulkRow, insert};
use crate::notes::{stored_dishes, stored_ratings};
use crate::search::{IndexedText, NoteWords};
use crate::time::to_sql;
use crate::{Db, Error};

#[derive(Clone, Debug)]
pub struct NoteRow {
    pub id: NoteId,
    pub shop_id: ShopId,
    pub user_id: UserId,
    pub title: String,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub content: String,
    /// 1 to 5 stars for the shop.
    pub score: Option<i16>,
    pub opinion: Opinion,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct LikeRow {
    pub note_id: NoteId,
    pub user_id: UserId,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct CommentRow {
    pub id: i64,
    pub user_id: UserId,
    pub note_id: NoteId,
    /// The comment of the first level that this one hangs under; 0 if it is one itself.
    pub parent_id: i64,
    /// The comment that this one answers, or 0.
    pub answer_id: i64,
    pub content: String,
    pub created_at: Timestamp,
}

pub async fn insert_notes(db: &Db, rows: &[NoteRow]) -> Result<u64, Error> {
    let inserted = insert(db, rows).await?;
    insert_dishes(db, rows).await?;
    Ok(inserted)
}

pub async fn insert_likes(db: &Db, rows: &[LikeRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_comments(db: &Db, rows: &[CommentRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

impl BulkRow for NoteRow {
    const OPERATION: &'static str = "insert notes";
    const TABLE: &'static str = "tb_blog";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "shop_id",
        "user_id",
        "title",
        "images",
        "content",
        "score",
        "rating_main",
        "rating_surroundings",
        "rating_service",
        "dishes",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        let ratings = stored_ratings(self.opinion.ratings);
        vec![
            self.id.get().into(),
            self.shop_id.get().into(),
            self.user_id.get().into(),
            self.title.as_str().into(),
            self.images.as_str().into(),
            self.content.as_str().into(),
            self.score.into(),
            ratings.main.into(),
            ratings.surroundings.into(),
            ratings.service.into(),
            stored_dishes(&self.opinion.dishes).into(),
            created_at.into(),
            created_at.into(),
        ]
    }

    /// Each brings a hundred rows of the search's index with it, or some more.
    const ROWS_PER_TRANSACTION: usize = 300;

    fn indexed(&self, _kinds: &HashMap<i64, String>) -> Option<IndexedText> {
        let words = NoteWords {
            title: &self.title,
            content: &self.content,
        };
        Some(IndexedText::of_note(self.id.get(), words))
    }

    fn content(&self) -> Option<(i64, &str)> {
        Some((self.id.get(), &self.content))
    }
}

impl BulkRow for LikeRow {
    const OPERATION: &'static str = "insert likes";
    const TABLE: &'static str = "tb_blog_like";
    const COLUMNS: &'static [&'static str] = &["blog_id", "user_id", "create_time"];

    fn values(&self) -> Vec<Value> {
        vec![
            self.note_id.get().into(),
            self.user_id.get().into(),
            to_sql(self.created_at).into(),
        ]
    }
}

impl BulkRow for CommentRow {
    const OPERATION: &'static str = "insert comments";
    const TABLE: &'static str = "tb_blog_comments";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "user_id",
        "blog_id",
        "parent_id",
        "answer_id",
        "content",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.id.into(),
            self.user_id.get().into(),
            self.note_id.get().into(),
            self.parent_id.into(),
            self.answer_id.into(),
            self.content.as_str().into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}
