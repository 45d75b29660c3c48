//! `tb_shop`: one row per shop. `version` rises with every change that people make.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tb_shop")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub type_id: i64,
    pub images: String,
    pub area: Option<String>,
    pub address: String,
    pub x: f64,
    pub y: f64,
    pub avg_price: Option<i64>,
    pub sold: i32,
    pub comments: i32,
    pub score: i32,
    pub open_hours: Option<String>,
    pub phone: Option<String>,
    pub owner_id: Option<i64>,
    pub version: i64,
    pub create_time: DateTime,
    pub update_time: DateTime,
    /// Notes that gave it one star, and so on.
    pub stars_1: i32,
    pub stars_2: i32,
    pub stars_3: i32,
    pub stars_4: i32,
    pub stars_5: i32,
    /// Of the ratings of its notes: what they add up to, and how many there are.
    pub rating_main_sum: i32,
    pub rating_main_count: i32,
    pub rating_surroundings_sum: i32,
    pub rating_surroundings_count: i32,
    pub rating_service_sum: i32,
    pub rating_service_count: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
