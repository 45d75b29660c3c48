//! `tb_voucher_order`: one row per order. `slot` is set while an order of a flash sale holds a unit of stock.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_voucher_order")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub user_id: i64,
    pub voucher_id: i64,
    pub shop_id: i64,
    pub pay_type: i16,
    pub status: i16,
    pub slot: Option<i16>,
    pub redeem_code: Option<String>,
    pub pay_deadline: DateTime,
    pub pay_time: Option<DateTime>,
    pub use_time: Option<DateTime>,
    pub refund_time: Option<DateTime>,
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
