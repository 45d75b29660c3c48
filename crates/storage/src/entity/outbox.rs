//! `tb_outbox`: effects of commits that are still to happen.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_outbox")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub kind: String,
    pub key: String,
    pub payload: String,
    pub attempts: i32,
    pub not_before: DateTime,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    pub create_time: DateTime,
    /// Which queue it waits in.
    pub lane: i16,
    /// Waiting, put off, or dead-lettered.
    pub state: i16,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
