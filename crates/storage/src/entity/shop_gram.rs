//! `tb_shop_gram`: which shops have a pair of characters in their name.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_shop_gram")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub gram: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub shop_id: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
