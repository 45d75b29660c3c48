//! `tb_seckill_voucher`: the flash sale of a voucher. `initial_stock = stock + live orders`, always.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_seckill_voucher")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub voucher_id: i64,
    pub stock: i32,
    pub initial_stock: i32,
    pub begin_time: DateTime,
    pub end_time: DateTime,
    pub limit_per_user: i32,
    pub spread: i32,
    pub epoch: i64,
    pub create_time: DateTime,
    pub update_time: DateTime,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::voucher::Entity",
        from = "Column::VoucherId",
        to = "super::voucher::Column::Id"
    )]
    Voucher,
}

impl Related<super::voucher::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Voucher.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
