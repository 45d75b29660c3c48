//! Deletes demo data in small, repeatable steps that can stop anywhere.
//!
//! On a demo site every row with an id up to [`LAST_RESERVED_ID`] is demo data; load-test users have a phone range of
//! their own. Demo users are deleted with their notes, comments, likes and follows; demo shops with their vouchers
//! and all notes about them, and so are the orders that came with the demo data, behind which no money moved. Shops that
//! demo users created stay, without an owner. Other orders, payments and ledger entries stay: the books are never
//! deleted, and an order outlives its voucher.
//!
//! Invariant: users are deleted last, user 1 at the very end. The site counts as a demo site until the purge is
//! complete.

use domain::{OrderId, OrderStatus, Phone, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::LAST_RESERVED_ID;
use crate::sql::{codes, execute, statement};
use crate::time::to_sql;
use crate::{Backend, Db, Error};

/// Rows per statement: a few milliseconds each, so that a serving site can write in between.
const BATCH: u64 = 1_000;

/// A thousand in each of ten thousand blocks.
const MAX_DEMO_PEOPLE: i64 = 10_000_000;

/// Orders listed by id; beyond these the count is enough.
const NAMED_ORDERS: u64 = 10;

/// The phone ranges that identify demo users (by number and id) and load-test users (by number and name).
#[derive(Clone, Debug)]
pub struct Numbers {
    /// A demo user's phone number minus the id.
    pub demo_base: i64,
    pub load_test: (Phone, Phone),
    /// The name prefix of load-test users.
    pub load_test_name: &'static str,
}

/// Counts of users that are not real.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    pub demo_people: u64,
    pub load_test_people: u64,
    /// Real users with ids in the reserved range; with any of these nothing is safe to delete.
    pub strangers: u64,
}

/// What a purge would delete, and which data of real users it affects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub people: u64,
    pub shops: u64,
    pub vouchers: u64,
    pub notes: u64,
    pub comments: u64,
    /// Notes of real users about demo shops.
    pub notes_of_others: u64,
    /// Shops of demo users, which stay without an owner.
    pub shops_left: u64,
    /// Open orders of real users for demo vouchers: unpaid, paid or being refunded.
    pub open_orders: u64,
    /// The first of them.
    pub named_orders: Vec<OrderId>,
}

/// The users that a purge step covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    LoadTest,
    Demo,
}

impl Traces {
    pub fn are_none(&self) -> bool {
        self.demo_people == 0 && self.load_test_people == 0
    }
}

/// Counts users that are not real. Served by the phone index, so startup can afford it.
pub async fn traces(db: &Db, numbers: &Numbers) -> Result<Traces, Error> {
    let (first, last) = numbers.demo_range();
    let demo = format!(
        "SELECT COUNT(*) AS number FROM tb_user \
         WHERE phone BETWEEN '{first}' AND '{last}' AND {}",
        numbers.is_demo_person()
    );
    let load_test = format!(
        "SELECT COUNT(*) AS number FROM tb_user WHERE {}",
        numbers.is_load_test_person()
    );
    let demo_people = count(db, &demo).await?;
    let strangers = match demo_people {
        0 => 0,
        _ => count(db, &numbers.strangers()).await?,
    };
    Ok(Traces {
        demo_people,
        load_test_people: count(db, &load_test).await?,
        strangers,
    })
}

/// Counts what a purge would delete. Scans whole tables; only for the operator's command.
pub async fn extent(db: &Db, numbers: &Numbers) -> Result<Extent, Error> {
    const R: i64 = LAST_RESERVED_ID;
    let all = |from: &str| format!("SELECT COUNT(*) AS number FROM {from}");
    let load_test = numbers.is_load_test_person();
    let open = open_orders();
    Ok(Extent {
        people: count(
            db,
            &all(&format!("tb_user WHERE id <= {R} OR ({load_test})")),
        )
        .await?,
        shops: count(db, &all(&format!("tb_shop WHERE id <= {R}"))).await?,
        vouchers: count(db, &all(&format!("tb_voucher WHERE shop_id <= {R}"))).await?,
        notes: count(
            db,
            &all(&format!("tb_blog WHERE shop_id <= {R} OR user_id <= {R}")),
        )
        .await?,
        comments: count(db, &all(&format!("tb_blog_comments WHERE user_id <= {R}"))).await?,
        notes_of_others: count(
            db,
            &all(&format!("tb_blog WHERE shop_id <= {R} AND user_id > {R}")),
        )
        .await?,
        shops_left: count(
            db,
            &all(&format!("tb_shop WHERE id > {R} AND owner_id <= {R}")),
        )
        .await?,
        open_orders: count(db, &format!("SELECT COUNT(*) AS number FROM {open}")).await?,
        named_orders: ids(
            db,
            &format!("SELECT o.id AS id FROM {open} ORDER BY o.id LIMIT {NAMED_ORDERS}"),
        )
        .await?
        .into_iter()
        .map(OrderId::new)
        .collect(),
    })
}

/// Ends a batch of open or upcoming flash sales of demo shops and returns their ids; empty when none is left. The caller
/// updates their gates.
pub async fn end_sales(db: &Db, now: Timestamp) -> Result<Vec<VoucherId>, Error> {
    let running = format!(
        "SELECT s.voucher_id AS id FROM tb_seckill_voucher s \
         JOIN tb_voucher v ON v.id = s.voucher_id \
         WHERE v.shop_id <= {LAST_RESERVED_ID} AND s.end_time > ? \
         ORDER BY s.voucher_id LIMIT {BATCH}"
    );
    let before = now - SignedDuration::from_secs(1);
    let find = async {
        let asked = statement(db.writer(), running, [to_sql(now).into()]);
        let rows = db.writer().query_all_raw(asked).await?;
        let ids: Result<Vec<i64>, DbErr> = rows.iter().map(|row| row.try_get("", "id")).collect();
        let ids = ids?;
        for id in &ids {
            let sql = "UPDATE tb_seckill_voucher SET end_time = ?, \
                begin_time = CASE WHEN begin_time < ? THEN begin_time ELSE ? END, \
                epoch = epoch + 1, update_time = ? WHERE voucher_id = ?";
            let values: [Value; 5] = [
                to_sql(now).into(),
                to_sql(before).into(),
                to_sql(before).into(),
                to_sql(now).into(),
                (*id).into(),
            ];
            execute(db.writer(), sql, values).await?;
        }
        Ok(ids)
    };
    let ended = db.run("end demo sales", find).await?;
    Ok(ended.into_iter().map(VoucherId::new).collect())
}

/// A batch of users of the group with ids above `after`, by id.
pub async fn list_people(
    db: &Db,
    numbers: &Numbers,
    group: Group,
    after: UserId,
) -> Result<Vec<UserId>, Error> {
    let condition = match group {
        Group::LoadTest => numbers.is_load_test_person(),
        Group::Demo => format!("id <= {LAST_RESERVED_ID}"),
    };
    let sql = format!(
        "SELECT id FROM tb_user WHERE id > {after} AND {condition} ORDER BY id LIMIT {BATCH}"
    );
    Ok(ids(db, &sql).await?.into_iter().map(UserId::new).collect())
}

/// The steps for a group in the required order. Demo users come last because they include the shops.
pub fn steps(numbers: &Numbers, group: Group) -> Vec<PurgeStep> {
    match group {
        Group::LoadTest => {
            let who = |column: &str| {
                let condition = numbers.is_load_test_person();
                format!("{column} IN (SELECT id FROM tb_user WHERE {condition})")
            };
            let mut steps = deeds(&who);
            steps.push(PurgeStep::delete(
                "people",
                "tb_user",
                numbers.is_load_test_person(),
            ));
            steps
        }
        Group::Demo => {
            let who = |column: &str| format!("{column} <= {LAST_RESERVED_ID}");
            let mut steps = places();
            steps.extend(deeds(&who));
            let others = format!("id > 1 AND id <= {LAST_RESERVED_ID}");
            steps.push(PurgeStep::delete("people", "tb_user", others));
            steps.push(PurgeStep::delete("people", "tb_user", "id = 1".to_owned()));
            steps
        }
    }
}

/// A statement that is repeated until it finds nothing more.
#[derive(Clone, Debug)]
pub struct PurgeStep {
    /// What it deletes, for the progress output.
    pub what: &'static str,
    table: &'static str,
    /// `None` deletes.
    assignment: Option<&'static str>,
    condition: String,
}

impl PurgeStep {
    fn delete(what: &'static str, table: &'static str, condition: String) -> Self {
        Self {
            what,
            table,
            assignment: None,
            condition,
        }
    }

    fn set(
        what: &'static str,
        table: &'static str,
        assignment: &'static str,
        condition: String,
    ) -> Self {
        Self {
            assignment: Some(assignment),
            ..Self::delete(what, table, condition)
        }
    }

    /// Changes up to one batch of rows and returns the count; 0 when the step is done.
    pub async fn take(&self, db: &Db) -> Result<u64, Error> {
        let sql = self.sql(db.backend());
        db.run("purge demo data", execute(db.writer(), sql, []))
            .await
    }

    /// This build of SQLite has no `LIMIT` on `DELETE` and `UPDATE`.
    fn sql(&self, backend: Backend) -> String {
        let Self {
            table, condition, ..
        } = self;
        let head = match self.assignment {
            None => format!("DELETE FROM {table}"),
            Some(assignment) => format!("UPDATE {table} SET {assignment}"),
        };
        match (backend, *table) {
            (Backend::MySql, _) => format!("{head} WHERE {condition} LIMIT {BATCH}"),
            // Without a row id.
            (Backend::Sqlite, "tb_shop_gram") => format!(
                "{head} WHERE (gram, shop_id) IN \
                 (SELECT gram, shop_id FROM {table} WHERE {condition} LIMIT {BATCH})"
            ),
            (Backend::Sqlite, "tb_search_gram") => format!(
                "{head} WHERE (kind, gram, row_id) IN \
                 (SELECT kind, gram, row_id FROM {table} WHERE {condition} LIMIT {BATCH})"
            ),
            (Backend::Sqlite, _) => format!(
                "{head} WHERE rowid IN (SELECT rowid FROM {table} WHERE {condition} LIMIT {BATCH})"
            ),
        }
    }
}

/// Steps for everything the users matched by `who` created.
fn deeds(who: &dyn Fn(&str) -> String) -> Vec<PurgeStep> {
    let (user, notes) = (who("user_id"), in_notes(&who("user_id")));
    let mut steps = in_comments(&user);
    steps.extend(on_notes(&notes));
    // MySQL cannot select from the table it deletes from, except through a derived table.
    let answers = format!(
        "parent_id <> 0 AND parent_id IN \
         (SELECT id FROM (SELECT id FROM tb_blog_comments WHERE {user}) mine)"
    );
    steps.push(PurgeStep::delete("comments", "tb_blog_comments", answers));
    let mut delete = |what, table, column: &str| {
        steps.push(PurgeStep::delete(what, table, who(column)));
    };
    delete("likes", "tb_blog_comment_like", "user_id");
    delete("reports", "tb_blog_comment_report", "user_id");
    delete("reports", "tb_blog_report", "user_id");
    delete("mentions", "tb_blog_comment_mention", "user_id");
    delete("mentions", "tb_blog_mention", "user_id");
    delete("comments", "tb_blog_comments", "user_id");
    delete("likes", "tb_blog_like", "user_id");
    delete("notes", "tb_blog", "user_id");
    delete("dishes", "tb_blog_dish", "user_id");
    delete("drafts", "tb_blog_draft", "user_id");
    delete("follows", "tb_follow", "user_id");
    delete("follows", "tb_follow", "follow_user_id");
    delete("blocks", "tb_block", "user_id");
    delete("blocks", "tb_block", "blocked_user_id");
    delete("favourites", "tb_favourite", "user_id");
    delete("favourites", "tb_favourite_list", "user_id");
    delete("favourites", "tb_blog_favourite", "user_id");
    delete("check-ins", "tb_sign", "user_id");
    delete("keys", "tb_write_key", "user_id");
    delete("notices", "tb_notice_mute", "user_id");
    delete("notices", "tb_notice", "user_id");
    delete("profiles", "tb_user_info", "user_id");
    delete("profiles", "tb_profile_shown", "user_id");
    delete("profiles", "tb_account_deletion", "user_id");
    delete("profiles", "tb_phone_proof", "user_id");
    // Pictures that nothing uses are cleared away by the site itself.
    let used = format!("used_by IS NOT NULL AND {user}");
    steps.push(PurgeStep::set(
        "pictures",
        "tb_upload",
        "used_by = NULL",
        used,
    ));
    let owned = format!("owner_id IS NOT NULL AND {}", who("owner_id"));
    steps.push(PurgeStep::set(
        "owners",
        "tb_shop",
        "owner_id = NULL",
        owned,
    ));
    steps.extend(of_topics());
    steps
}

/// Steps for demo shops and everything attached to them. Demo comments and likes, identified by their own ids, come
/// first: they are the many, and finding them is cheap.
fn places() -> Vec<PurgeStep> {
    const R: i64 = LAST_RESERVED_ID;
    let mut steps = vec![
        PurgeStep::delete(
            "likes",
            "tb_blog_comment_like",
            format!("comment_id <= {R}"),
        ),
        PurgeStep::delete(
            "reports",
            "tb_blog_comment_report",
            format!("comment_id <= {R}"),
        ),
        PurgeStep::delete("comments", "tb_blog_comments", format!("id <= {R}")),
        PurgeStep::delete("likes", "tb_blog_like", format!("blog_id <= {R}")),
        PurgeStep::delete("reports", "tb_blog_report", format!("blog_id <= {R}")),
        PurgeStep::delete(
            "mentions",
            "tb_blog_comment_mention",
            format!("comment_id <= {R}"),
        ),
        PurgeStep::delete("mentions", "tb_blog_mention", format!("blog_id <= {R}")),
        PurgeStep::delete("topics", "tb_blog_topic", format!("blog_id <= {R}")),
        PurgeStep::delete("favourites", "tb_blog_favourite", format!("blog_id <= {R}")),
    ];
    let about = in_notes(&format!("shop_id <= {R}"));
    let pictures =
        format!("used_by IN (SELECT 'note:' || id FROM tb_blog WHERE shop_id <= {R} AND id > {R})");
    steps.extend(on_notes(&about));
    steps.push(PurgeStep::set(
        "pictures",
        "tb_upload",
        "used_by = NULL",
        pictures,
    ));
    let sales = format!("voucher_id IN (SELECT id FROM tb_voucher WHERE shop_id <= {R})");
    steps.extend([
        PurgeStep::delete("notes", "tb_blog", format!("id <= {R}")),
        PurgeStep::delete("notes", "tb_blog", format!("shop_id <= {R}")),
        PurgeStep::delete("sales", "tb_seckill_voucher", sales),
        PurgeStep::delete("vouchers", "tb_voucher", format!("shop_id <= {R}")),
        // After their sales, whose stock they explain. Orders that people placed have ids far above.
        PurgeStep::delete("orders", "tb_voucher_order", format!("id <= {R}")),
        PurgeStep::delete("orders", "tb_voucher_order_archive", format!("id <= {R}")),
        PurgeStep::delete("favourites", "tb_favourite", format!("shop_id <= {R}")),
        PurgeStep::delete("dishes", "tb_blog_dish", format!("shop_id <= {R}")),
        PurgeStep::delete("dishes", "tb_shop_dish", format!("shop_id <= {R}")),
        PurgeStep::delete("names", "tb_shop_gram", format!("shop_id <= {R}")),
        // Of demo people too, whose ids are reserved as well.
        PurgeStep::delete("names", "tb_search_gram", format!("row_id <= {R}")),
        PurgeStep::delete("shops", "tb_shop", format!("id <= {R}")),
    ]);
    steps
}

fn in_notes(condition: &str) -> String {
    format!("blog_id IN (SELECT id FROM tb_blog WHERE {condition})")
}

/// After notes went: topics that none has, and the counts of the others.
fn of_topics() -> [PurgeStep; 2] {
    // MySQL may read the other table here, but not the one that it changes.
    let left = "(SELECT COUNT(*) FROM tb_blog_topic t WHERE t.topic = tb_topic.topic)";
    [
        PurgeStep::delete("topics", "tb_topic", format!("{left} = 0")),
        PurgeStep::set(
            "topics",
            "tb_topic",
            "notes = (SELECT COUNT(*) FROM tb_blog_topic t WHERE t.topic = tb_topic.topic)",
            format!("notes <> {left}"),
        ),
    ]
}

/// Comments, likes, reports, mentions and topics of notes.
fn on_notes(notes: &str) -> Vec<PurgeStep> {
    let mut steps = in_comments(notes);
    steps.push(PurgeStep::delete(
        "comments",
        "tb_blog_comments",
        notes.to_owned(),
    ));
    steps.push(PurgeStep::delete("likes", "tb_blog_like", notes.to_owned()));
    steps.push(PurgeStep::delete(
        "reports",
        "tb_blog_report",
        notes.to_owned(),
    ));
    for (what, table) in [("mentions", "tb_blog_mention"), ("topics", "tb_blog_topic")] {
        steps.push(PurgeStep::delete(what, table, notes.to_owned()));
    }
    steps
}

/// Likes, reports and mentions of comments.
fn in_comments(comments: &str) -> Vec<PurgeStep> {
    let on = format!("comment_id IN (SELECT id FROM tb_blog_comments WHERE {comments})");
    vec![
        PurgeStep::delete("likes", "tb_blog_comment_like", on.clone()),
        PurgeStep::delete("reports", "tb_blog_comment_report", on.clone()),
        PurgeStep::delete("mentions", "tb_blog_comment_mention", on),
    ]
}

/// Open orders of real users at demo shops: unpaid, paid, refunding.
fn open_orders() -> String {
    let open = [
        OrderStatus::Unpaid,
        OrderStatus::Paid,
        OrderStatus::Refunding,
    ];
    let open = codes(open.map(OrderStatus::code));
    format!(
        "tb_voucher_order o JOIN tb_voucher v ON v.id = o.voucher_id \
         WHERE v.shop_id <= {LAST_RESERVED_ID} AND o.user_id > {LAST_RESERVED_ID} \
         AND o.status IN ({open})"
    )
}

impl Numbers {
    fn demo_range(&self) -> (i64, i64) {
        (self.demo_base + 1, self.demo_base + MAX_DEMO_PEOPLE)
    }

    fn is_demo_person(&self) -> String {
        let base = self.demo_base;
        format!("id <= {LAST_RESERVED_ID} AND CAST(phone AS SIGNED) = {base} + id")
    }

    fn strangers(&self) -> String {
        let base = self.demo_base;
        format!(
            "SELECT COUNT(*) AS number FROM tb_user WHERE id <= {LAST_RESERVED_ID} \
             AND (phone IS NULL OR CAST(phone AS SIGNED) <> {base} + id)"
        )
    }

    fn is_load_test_person(&self) -> String {
        let (first, last) = (self.load_test.0.as_str(), self.load_test.1.as_str());
        let (name, length) = (self.load_test_name, self.load_test_name.len());
        format!(
            "phone BETWEEN '{first}' AND '{last}' AND SUBSTR(nick_name, 1, {length}) = '{name}'"
        )
    }
}

async fn count(db: &Db, sql: &str) -> Result<u64, Error> {
    let read = async {
        let row = db.reader().query_one_raw(db.statement(sql)).await?;
        row.map_or(Ok(0_i64), |row| row.try_get("", "number"))
    };
    let number = db.run("count demo data", read).await?;
    Ok(u64::try_from(number).unwrap_or(0))
}

async fn ids(db: &Db, sql: &str) -> Result<Vec<i64>, Error> {
    let read = async {
        let rows = db.reader().query_all_raw(db.statement(sql)).await?;
        rows.iter().map(|row| row.try_get("", "id")).collect()
    };
    db.run("list demo data", read).await
}
