//! `tb_blog`: notes.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_blog")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub shop_id: i64,
    pub user_id: i64,
    pub title: String,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub content: String,
    pub liked: i32,
    pub comments: i32,
    /// 1 to 5 stars for the shop.
    pub score: Option<i16>,
    /// 0 shown, 1 reported and shown, 2 hidden.
    pub status: i16,
    pub create_time: DateTime,
    pub update_time: DateTime,
    /// Rises with every change of its likes and of who may see it.
    pub revision: i64,
    /// How often its author changed it.
    pub edits: i32,
    /// When its author changed it last.
    pub edited_at: Option<DateTime>,
    /// 1 to 5 each.
    pub rating_main: Option<i16>,
    pub rating_surroundings: Option<i16>,
    pub rating_service: Option<i16>,
    /// Names of what it recommends, one a line.
    pub dishes: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
