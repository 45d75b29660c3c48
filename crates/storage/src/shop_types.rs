//! The kinds of shops: `tb_shop_type`. A handful of rows that hardly ever change.

use domain::ShopTypeId;
use domain::harmless::shown_name;
use sea_orm::{EntityTrait, QueryOrder};
use serde::{Deserialize, Serialize};

use crate::entity::shop_type;
use crate::{Db, Error};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopType {
    pub id: ShopTypeId,
    pub name: String,
    pub icon: String,
    /// Place among the others; lower comes first.
    pub sort: i32,
}

/// All of them, in the order in which the site shows them.
pub async fn list(db: &Db) -> Result<Vec<ShopType>, Error> {
    let find = shop_type::Entity::find()
        .order_by_asc(shop_type::Column::Sort)
        .order_by_asc(shop_type::Column::Id)
        .all(db.reader());
    let rows = db.run("list shop types", find).await?;
    Ok(rows.into_iter().map(ShopType::from_row).collect())
}

impl ShopType {
    fn from_row(row: shop_type::Model) -> Self {
        Self {
            id: ShopTypeId::new(row.id),
            name: shown_name(row.name),
            icon: shown_name(row.icon),
            sort: row.sort,
        }
    }
}
