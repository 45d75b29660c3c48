//! Rows of candidates, to be compared and ranked by the caller. SQL decides at this moment who and what is shown.

use domain::harmless::{shown_content, shown_name, shown_plain};
use domain::{NoteId, ShopId, UserId, VoucherStatus};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, Value};

use crate::notes::{HIDDEN, ListedNote};
use crate::sql::{IDS_PER_QUERY, placeholders, statement};
use crate::users::UserStatus;
use crate::{Db, Error, time};

/// A note that is shown, with the texts that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNote {
    pub listed: ListedNote,
    pub author: UserId,
    pub title: String,
    pub content: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPerson {
    pub id: UserId,
    pub nick_name: String,
    pub fans: u32,
}

#[derive(FromQueryResult)]
struct NoteRow {
    id: i64,
    user_id: i64,
    title: String,
    content: String,
    liked: i32,
    comments: i32,
}

#[derive(FromQueryResult)]
struct PersonRow {
    id: i64,
    nick_name: String,
    fans: Option<i32>,
}

#[derive(FromQueryResult)]
struct ShopRow {
    shop_id: i64,
}

/// Those of the notes that are shown, in no particular order. May lag; [`crate::notes::get_shown`] does not.
pub async fn list_notes(db: &Db, ids: &[i64]) -> Result<Vec<FoundNote>, Error> {
    let sql = format!(
        "SELECT id, user_id, title, content, liked, comments FROM tb_blog \
             WHERE id IN ({IDS}) AND status <> {HIDDEN}"
    );
    let rows: Vec<NoteRow> = by_ids(db, "list found notes", &sql, ids, &[]).await?;
    Ok(rows.into_iter().map(FoundNote::from_row).collect())
}

/// Those of the people who have an account that is not blocked, in no particular order. May lag.
pub async fn list_people(db: &Db, ids: &[i64]) -> Result<Vec<FoundPerson>, Error> {
    let active = UserStatus::Active.code();
    let sql = format!(
        "SELECT u.id, u.nick_name, i.fans FROM tb_user u \
             LEFT JOIN tb_user_info i ON i.user_id = u.id WHERE u.id IN ({IDS}) AND u.status = {active}"
    );
    let rows: Vec<PersonRow> = by_ids(db, "list found people", &sql, ids, &[]).await?;
    Ok(rows.into_iter().map(FoundPerson::from_row).collect())
}

/// Those of the shops that sell a voucher at `now`, or will in a flash sale. May lag.
pub async fn with_deals(db: &Db, ids: &[ShopId], now: Timestamp) -> Result<Vec<ShopId>, Error> {
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let on_shelf = VoucherStatus::OnShelf.code();
    let sql = format!(
        "SELECT DISTINCT v.shop_id FROM tb_voucher v \
             LEFT JOIN tb_seckill_voucher s ON s.voucher_id = v.id \
             WHERE v.shop_id IN ({IDS}) AND v.status = {on_shelf} \
             AND (s.voucher_id IS NULL OR s.end_time > ?)"
    );
    let now = [Value::from(time::to_sql(now))];
    let rows: Vec<ShopRow> = by_ids(db, "list shops with deals", &sql, &ids, &now).await?;
    Ok(rows
        .into_iter()
        .map(|row| ShopId::new(row.shop_id))
        .collect())
}

/// Stands for the ids in a statement.
const IDS: &str = "IDS";

async fn by_ids<R: FromQueryResult>(
    db: &Db,
    operation: &'static str,
    sql: &str,
    ids: &[i64],
    more: &[Value],
) -> Result<Vec<R>, Error> {
    let mut rows = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let values = chunk.iter().map(|id| Value::from(*id));
        let values = values.chain(more.iter().cloned());
        let statement = statement(
            db.reader(),
            sql.replace(IDS, &placeholders(chunk.len())),
            values,
        );
        rows.extend(db.read_from_replica::<R>(operation, statement).await?);
    }
    Ok(rows)
}

/// A negative counter of an adopted database counts as zero.
fn count(counter: i32) -> u32 {
    u32::try_from(counter).unwrap_or(0)
}

impl FoundNote {
    fn from_row(row: NoteRow) -> Self {
        Self {
            listed: ListedNote {
                id: NoteId::new(row.id),
                likes: count(row.liked),
                comments: count(row.comments),
            },
            author: UserId::new(row.user_id),
            title: shown_plain(row.title),
            content: shown_content(row.content).replace("<br>", "\n"),
        }
    }
}

impl FoundPerson {
    fn from_row(row: PersonRow) -> Self {
        Self {
            id: UserId::new(row.id),
            nick_name: shown_name(row.nick_name),
            fans: count(row.fans.unwrap_or(0)),
        }
    }
}
