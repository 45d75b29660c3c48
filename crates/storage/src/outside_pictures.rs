//! Rows that name pictures on other hosts, and their replacement by pictures of this site.

use domain::shop::pictures_in;
use domain::{NoteId, UserId};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, FromQueryResult, Value};

use crate::db::DatabaseTransaction;
use crate::entity::shop;
use crate::notes::NoteTextChanged;
use crate::sql::{execute, for_update, statement};
use crate::{Backend, Db, Error, outbox, shops, time, uploads, users};

/// A table whose rows name pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureTable {
    Shops,
    Notes,
    Users,
    ShopTypes,
}

/// A row that names a picture on another host, or something that looks like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideRow {
    pub table: PictureTable,
    pub id: i64,
    /// Its pictures, separated by commas.
    pub pictures: String,
    /// Whose picture it is: `None` for a shop without an owner and for a shop type.
    pub owner: Option<UserId>,
}

/// What became of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    Done,
    /// The row no longer names the picture.
    Changed,
    /// The new list does not fit its column.
    TooLong,
}

impl PictureTable {
    pub const ALL: [Self; 4] = [Self::ShopTypes, Self::Shops, Self::Users, Self::Notes];

    /// One of its rows, in a message.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Shops => "shop",
            Self::Notes => "note",
            Self::Users => "user",
            Self::ShopTypes => "shop type",
        }
    }

    const fn table(self) -> &'static str {
        match self {
            Self::Shops => "tb_shop",
            Self::Notes => "tb_blog",
            Self::Users => "tb_user",
            Self::ShopTypes => "tb_shop_type",
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Shops | Self::Notes => "images",
            Self::Users | Self::ShopTypes => "icon",
        }
    }

    const fn owner(self) -> &'static str {
        match self {
            Self::Shops => "owner_id",
            Self::Notes => "user_id",
            Self::Users => "id",
            Self::ShopTypes => "NULL",
        }
    }

    /// Column widths of the original's tables.
    const fn max_chars(self) -> usize {
        match self {
            Self::Shops => 1_024,
            Self::Notes => 2_048,
            Self::Users | Self::ShopTypes => 255,
        }
    }

    /// `used_by` of the pictures of a row.
    fn user_of(self, id: i64) -> String {
        match self {
            Self::Shops => format!("shop:{id}"),
            Self::Notes => format!("note:{id}"),
            Self::Users => format!("user:{id}"),
            Self::ShopTypes => format!("type:{id}"),
        }
    }

    /// How a row names an uploaded picture: icons of shop types are named below the folder of pictures.
    fn address(self, name: &str) -> String {
        match self {
            Self::ShopTypes => name.to_owned(),
            Self::Shops | Self::Notes | Self::Users => uploads::address(name),
        }
    }
}

#[derive(FromQueryResult)]
struct PicturesRow {
    id: i64,
    pictures: Option<String>,
    owner: Option<i64>,
}

/// The next `limit` rows above `after` that may name an outside picture; begin with 0.
pub async fn list(
    db: &Db,
    table: PictureTable,
    after: i64,
    limit: u64,
) -> Result<Vec<OutsideRow>, Error> {
    let (name, column, owner) = (table.table(), table.column(), table.owner());
    let sql = format!(
        "SELECT id, {column} AS pictures, {owner} AS owner FROM {name} \
         WHERE id > ? AND {column} LIKE '%//%' ORDER BY id LIMIT ?"
    );
    let values: [Value; 2] = [after.into(), limit.into()];
    let statement = statement(db.reader(), sql, values);
    let find = PicturesRow::find_by_statement(statement).all(db.reader());
    let rows = db.run("list outside pictures", find).await?;
    let outside = |row: PicturesRow| OutsideRow {
        table,
        id: row.id,
        pictures: row.pictures.unwrap_or_default(),
        owner: row.owner.map(UserId::new),
    };
    Ok(rows.into_iter().map(outside).collect())
}

/// Replaces a picture by an upload that nothing uses yet, if the row still names it, and claims the upload.
pub async fn replace(
    db: &Db,
    table: PictureTable,
    id: i64,
    outside: &str,
    name: &str,
) -> Result<Replaced, Error> {
    let replace = async {
        let transaction = db.begin().await?;
        let Some(pictures) = lock(&transaction, table, id).await? else {
            return Ok(Replaced::Changed);
        };
        let own = table.address(name);
        let listed = pictures_in(&pictures);
        let replaced: Vec<&str> = listed
            .map(|it| if it == outside { own.as_str() } else { it })
            .collect();
        if !replaced.contains(&own.as_str()) {
            return Ok(Replaced::Changed);
        }
        let replaced = replaced.join(",");
        if replaced.chars().count() > table.max_chars() {
            return Ok(Replaced::TooLong);
        }
        if !uploads::claim_any(&transaction, name, &table.user_of(id)).await? {
            return Ok(Replaced::Changed);
        }
        write(&transaction, table, id, &replaced).await?;
        transaction.commit().await?;
        Ok(Replaced::Done)
    };
    db.run("replace outside picture", replace).await
}

async fn lock(
    transaction: &DatabaseTransaction,
    table: PictureTable,
    id: i64,
) -> Result<Option<String>, DbErr> {
    let (name, column) = (table.table(), table.column());
    let lock = for_update(Backend::of(transaction));
    let sql = format!("SELECT {column} AS pictures FROM {name} WHERE id = ? {lock}");
    let statement = statement(transaction, sql, [id.into()]);
    let row = transaction.query_one_raw(statement).await?;
    row.map(|row| row.try_get("", "pictures")).transpose()
}

/// Writes the list, with the outbox row that makes caches and sessions follow.
async fn write(
    transaction: &DatabaseTransaction,
    table: PictureTable,
    id: i64,
    pictures: &str,
) -> Result<(), DbErr> {
    let (name, column) = (table.table(), table.column());
    let version = match table {
        PictureTable::Shops => ", version = version + 1",
        PictureTable::Notes | PictureTable::Users | PictureTable::ShopTypes => "",
    };
    let sql = format!("UPDATE {name} SET {column} = ?, update_time = ?{version} WHERE id = ?");
    let values: [Value; 3] = [pictures.into(), time::now().into(), id.into()];
    execute(transaction, sql, values).await?;
    match table {
        PictureTable::Shops => {
            let row = shop::Entity::find_by_id(id).one(transaction).await?;
            if let Some(row) = row {
                shops::enqueue_change(transaction, Some(row.type_id), &row).await?;
            }
        }
        PictureTable::Users => users::enqueue_change(transaction, UserId::new(id)).await?,
        PictureTable::Notes => {
            let changed = NoteTextChanged {
                mentioned: Vec::new(),
                unmentioned: Vec::new(),
                id: NoteId::new(id),
            };
            let (kind, key) = (NoteTextChanged::KIND, format!("note:{id}"));
            outbox::append(transaction, kind, &key, &changed).await?;
        }
        PictureTable::ShopTypes => {}
    }
    Ok(())
}
