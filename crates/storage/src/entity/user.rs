//! `tb_user`: one row per person. Its `password` column is read by
//! `users/password.rs` alone, so that no other query loads a hash.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_user")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub nick_name: String,
    pub icon: String,
    pub role: i16,
    pub status: i16,
    pub create_time: DateTime,
    pub update_time: DateTime,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
