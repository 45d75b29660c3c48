//! `tb_user_info`: what a person says about themselves, and the counters of their page. Absent until first needed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_user_info")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: i64,
    pub city: String,
    pub introduce: Option<String>,
    pub fans: i32,
    pub followee: i32,
    /// 0 male, 1 female.
    pub gender: i16,
    pub birthday: Option<Date>,
    pub credits: i32,
    pub level: i16,
    pub create_time: DateTime,
    pub update_time: DateTime,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
