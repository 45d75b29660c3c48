//! `tb_audit`: who did what. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_audit")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Empty when the operator acted from the command line.
    pub actor_id: Option<i64>,
    pub action: String,
    pub subject: String,
    pub detail: String,
    pub create_time: DateTime,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
