//! `tb_blog_comments`: what people say about notes.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_blog_comments")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    pub blog_id: i64,
    /// The comment of the first level that this one hangs under; 0 if it is one itself.
    pub parent_id: i64,
    /// The comment that this one answers, or 0.
    pub answer_id: i64,
    pub content: String,
    pub liked: i32,
    /// 0 shown, 1 reported, 2 hidden.
    pub status: i16,
    pub create_time: DateTime,
    pub update_time: DateTime,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
