//! Rows by the hundred thousand, put into the database directly: what a site has collected over years must not take years here.

use anyhow::Result;

use crate::sql::{DatabaseKind, Sql};

/// Fans without a user row: their ids are far above those that the product assigns.
const UNSEEN_FANS: i64 = 500_000_000;
/// Vouchers that nobody claims, and their orders, likewise.
const PAST: i64 = 700_000_000;
/// Vouchers that ended, their orders, and sales that ended, likewise.
const ENDED: i64 = 800_000_000;
const ENDED_SALES: i64 = 900_000_000;
/// Rows of one transaction: a running site gets its turn in between.
const ROWS: u64 = 50_000;

/// Gives an author so many fans without a user row.
pub(crate) async fn add_fans(sql: &Sql, author: i64, count: u64) -> Result<()> {
    let row = format!("{UNSEEN_FANS} + i, {author}");
    insert(sql, "tb_follow (user_id, follow_user_id)", &row, count).await?;
    count_fans(sql, author, count).await
}

/// Gives an author so many fans, the first of which are the users between two positions of the crowd.
pub(crate) async fn add_fans_and_crowd(
    sql: &Sql,
    author: i64,
    count: u64,
    (first, known): (usize, usize),
) -> Result<()> {
    add_fans(sql, author, count - known as u64).await?;
    let people = people(first, known);
    sql.execute(format!(
        "INSERT INTO tb_follow (user_id, follow_user_id) SELECT id, {author} FROM ({people})"
    ))
    .await?;
    count_fans(sql, author, count).await
}

async fn count_fans(sql: &Sql, author: i64, count: u64) -> Result<()> {
    sql.execute(format!(
        "INSERT INTO tb_user_info (user_id, fans) VALUES ({author}, {count}) \
         ON CONFLICT (user_id) DO UPDATE SET fans = excluded.fans"
    ))
    .await
}

/// Gives an author pictures for so many notes.
pub(crate) async fn add_pictures(sql: &Sql, author: i64, count: u64) -> Result<()> {
    let row = format!("'{}' || i || '.webp', {author}", picture_stem(author));
    insert(sql, "tb_upload (name, user_id)", &row, count).await
}

/// The picture with this number.
pub(crate) fn picture(author: i64, number: u64) -> String {
    format!("{}{number}.webp", picture_stem(author))
}

fn picture_stem(author: i64) -> String {
    format!("/blogs/0/0/bench-{author}-")
}

/// Three notes of everybody between two places of the crowd.
pub(crate) async fn add_notes(sql: &Sql, first: usize, count: usize) -> Result<()> {
    let people = people(first, count);
    sql.execute(format!(
        "INSERT INTO tb_blog (shop_id, user_id, title, images, content, create_time) \
         SELECT 1, id, '一碗面', '/imgs/demo/noodles-01.jpg', '笋片很嫩，雪菜不咸，是小时候的味道。', \
         strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || (id * 7 % 86400 + n * 3600) || ' seconds') \
         FROM ({people}), (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3)"
    ))
    .await
}

/// Lets a reader follow everybody between two places of the crowd.
pub(crate) async fn add_followees(
    sql: &Sql,
    reader: i64,
    first: usize,
    count: usize,
) -> Result<()> {
    let people = people(first, count);
    sql.execute(format!(
        "INSERT INTO tb_follow (user_id, follow_user_id) SELECT {reader}, id FROM ({people})"
    ))
    .await
}

/// Ordinary vouchers of a shop that no scenario looks at, and as many used orders of one buyer.
pub(crate) async fn add_past_orders(sql: &Sql, shop: i64, buyer: i64, count: u64) -> Result<()> {
    let columns = "tb_voucher (id, shop_id, title, pay_value, actual_value)";
    let row = format!("{PAST} + i, {shop}, '50元代金券', 4000, 5000");
    insert(sql, columns, &row, count).await?;
    let columns = "tb_voucher_order (id, user_id, voucher_id, shop_id, status, slot, pay_deadline)";
    let row = format!("{PAST} + i, {buyer}, {PAST} + i, {shop}, 3, 1, '2024-01-01 00:00:00.000'");
    insert(sql, columns, &row, count).await
}

/// Ordinary vouchers of a shop, and as many flash sales that ended long ago.
pub(crate) async fn add_ended_sales(sql: &Sql, shop: i64, count: u64) -> Result<()> {
    for (kind, from) in [(0, ENDED), (1, ENDED_SALES)] {
        let columns = "tb_voucher (id, shop_id, title, pay_value, actual_value, type)";
        let row = format!("{from} + i, {shop}, '50元代金券', 4000, 5000, {kind}");
        insert(sql, columns, &row, count).await?;
    }
    let columns = "tb_seckill_voucher (voucher_id, stock, initial_stock, begin_time, end_time)";
    let (begin, end) = ("'2024-01-01 00:00:00.000'", "'2024-01-02 00:00:00.000'");
    let row = format!("{ENDED_SALES} + i, 0, 0, {begin}, {end}");
    insert(sql, columns, &row, count).await
}

/// Used orders of so many ended vouchers by people of all ids, who have one of each at the most.
pub(crate) async fn add_old_orders(sql: &Sql, shop: i64, vouchers: u64, count: u64) -> Result<()> {
    let columns = "tb_voucher_order (id, user_id, voucher_id, shop_id, status, slot, pay_deadline)";
    let buyer = match sql.kind() {
        DatabaseKind::Sqlite => format!("1 + i / {vouchers}"),
        DatabaseKind::MariaDb => format!("1 + i DIV {vouchers}"),
    };
    let row = format!(
        "{ENDED} + i, {buyer}, {ENDED} + i % {vouchers}, {shop}, 3, 1, '2024-01-01 00:00:00.000'"
    );
    insert(sql, columns, &row, count).await
}

/// Notes about one shop, by so many authors in turn, whose ids follow each other.
pub(crate) async fn add_old_notes(
    sql: &Sql,
    shop: i64,
    (first_author, authors): (i64, usize),
    count: u64,
) -> Result<()> {
    let columns = "tb_blog (shop_id, user_id, title, images, content)";
    let (picture, words) = (
        "/imgs/demo/noodles-01.jpg",
        "笋片很嫩，雪菜不咸，是小时候的味道。",
    );
    let author = format!("{first_author} + i % {authors}");
    let row = format!("{shop}, {author}, '一碗面', '{picture}', '{words}'");
    insert(sql, columns, &row, count).await
}

fn people(first: usize, count: usize) -> String {
    format!(
        "SELECT id FROM tb_user WHERE phone LIKE '199%' ORDER BY phone LIMIT {count} OFFSET {first}"
    )
}

/// Puts `count` rows into a table; `row` is their SQL by their number `i`.
async fn insert(sql: &Sql, columns: &str, row: &str, count: u64) -> Result<()> {
    for first in (0..count).step_by(ROWS as usize) {
        let end = count.min(first + ROWS);
        let numbers = match sql.kind() {
            DatabaseKind::Sqlite => format!(
                "WITH RECURSIVE n (i) AS \
                 (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {end}) \
                 SELECT {row} FROM n"
            ),
            DatabaseKind::MariaDb => {
                let last = end - 1;
                format!("SELECT {row} FROM (SELECT seq AS i FROM seq_{first}_to_{last}) n")
            }
        };
        sql.execute(format!("INSERT INTO {columns} {numbers}"))
            .await?;
    }
    Ok(())
}
