//! Taking demo data away again, in small steps that can stop anywhere and be repeated.
//!
//! On a demo site every row with an id up to [`LAST_RESERVED_ID`] is demo data. Besides, people of load tests have
//! numbers of a range of their own. With demo people go their notes, comments, likes and follows; with demo shops their
//! vouchers and everybody's notes about them. Shops that demo people made themselves stay, without an owner. Orders,
//! payments and the ledger stay as they are: books are never deleted, and an order outlives its voucher.
//!
//! Invariant: the people go last, and the first of them at the very end. So long as a purge is not complete, the site
//! counts as a demo site.

use domain::{OrderId, Phone, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::LAST_RESERVED_ID;
use crate::sql::{execute, statement};
use crate::time::to_sql;
use crate::{Backend, Db, Error};

/// Rows per statement: some milliseconds each, so that a site that serves meanwhile gets its turn.
const BATCH: u64 = 1_000;

/// A thousand in each of ten thousand blocks.
const MAX_DEMO_PEOPLE: i64 = 10_000_000;

/// Orders that are named one by one; beyond these a number says enough.
const NAMED_ORDERS: u64 = 10;

/// The numbers that mark people who are not real: demo people by number and id, those of load tests by number and name.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The number of a demo person less the id.
    pub demo_base: i64,
    pub load_test: (Phone, Phone),
    /// What the names of load-test people begin with.
    pub load_test_name: &'static str,
}

/// Who is on the site without being real.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    pub demo_people: u64,
    pub load_test_people: u64,
    /// People whose ids are reserved for demo data and who are none of it: then nothing here is safe to delete.
    pub strangers: u64,
}

/// What a purge would take away, and what of real people it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub people: u64,
    pub shops: u64,
    pub vouchers: u64,
    pub notes: u64,
    pub comments: u64,
    /// Of real people, about demo shops.
    pub notes_of_others: u64,
    /// Of demo people, which stay without an owner.
    pub shops_left: u64,
    /// Of real people for demo vouchers: unpaid, paid or being refunded.
    pub open_orders: u64,
    /// The first of them.
    pub named_orders: Vec<OrderId>,
}

/// Whom a step is about.
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

/// Looks for people who are not real. Served by the index on numbers, so a start can afford it.
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

/// Counts what a purge would do. Reads whole tables: for a person who waits for it.
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

/// Ends some of the flash sales of demo shops that are not over, and says which; none when all are. Their gates are to
/// be told.
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

/// Some people of the group above `after`, in the order of their ids.
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

/// The steps for a group, in the order in which they must be taken. Demo people last of all: they bring the shops along.
pub fn steps(numbers: &Numbers, group: Group) -> Vec<Step> {
    match group {
        Group::LoadTest => {
            let who = |column: &str| {
                let condition = numbers.is_load_test_person();
                format!("{column} IN (SELECT id FROM tb_user WHERE {condition})")
            };
            let mut steps = deeds(&who);
            steps.push(Step::delete(
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
            steps.push(Step::delete("people", "tb_user", others));
            steps.push(Step::delete("people", "tb_user", "id = 1".to_owned()));
            steps
        }
    }
}

/// A statement that is repeated until it finds nothing more.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it takes away, for people.
    pub what: &'static str,
    table: &'static str,
    /// `None` deletes.
    assignment: Option<&'static str>,
    condition: String,
}

impl Step {
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

    /// Changes up to a batch of rows and says how many; none when the step is done.
    pub async fn take(&self, db: &Db) -> Result<u64, Error> {
        let sql = self.sql(db.backend());
        db.run("purge demo data", execute(db.writer(), sql, []))
            .await
    }

    /// SQLite as it is built here knows no limit on what it changes.
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
            (Backend::Sqlite, _) => format!(
                "{head} WHERE rowid IN (SELECT rowid FROM {table} WHERE {condition} LIMIT {BATCH})"
            ),
        }
    }
}

/// What people did, whoever `who` says they are.
fn deeds(who: &dyn Fn(&str) -> String) -> Vec<Step> {
    let (user, notes) = (who("user_id"), in_notes(&who("user_id")));
    let mut steps = in_comments(&user);
    steps.extend(on_notes(&notes));
    // MySQL reads no table that it is deleting from, except by way of another.
    let answers = format!(
        "parent_id <> 0 AND parent_id IN \
         (SELECT id FROM (SELECT id FROM tb_blog_comments WHERE {user}) mine)"
    );
    steps.push(Step::delete("comments", "tb_blog_comments", answers));
    let mut delete = |what, table, column: &str| {
        steps.push(Step::delete(what, table, who(column)));
    };
    delete("likes", "tb_blog_comment_like", "user_id");
    delete("reports", "tb_blog_comment_report", "user_id");
    delete("comments", "tb_blog_comments", "user_id");
    delete("likes", "tb_blog_like", "user_id");
    delete("notes", "tb_blog", "user_id");
    delete("follows", "tb_follow", "user_id");
    delete("follows", "tb_follow", "follow_user_id");
    delete("check-ins", "tb_sign", "user_id");
    delete("notices", "tb_notice", "user_id");
    delete("profiles", "tb_user_info", "user_id");
    delete("profiles", "tb_profile_shown", "user_id");
    // Pictures that nothing uses are cleared away by the site itself.
    let used = format!("used_by IS NOT NULL AND {user}");
    steps.push(Step::set("pictures", "tb_upload", "used_by = NULL", used));
    let owned = format!("owner_id IS NOT NULL AND {}", who("owner_id"));
    steps.push(Step::set("owners", "tb_shop", "owner_id = NULL", owned));
    steps
}

/// Demo shops with all that is at them. Whose demo comments and likes are known by their own ids go first: those are the
/// many, and finding them costs nothing.
fn places() -> Vec<Step> {
    const R: i64 = LAST_RESERVED_ID;
    let mut steps = vec![
        Step::delete(
            "likes",
            "tb_blog_comment_like",
            format!("comment_id <= {R}"),
        ),
        Step::delete(
            "reports",
            "tb_blog_comment_report",
            format!("comment_id <= {R}"),
        ),
        Step::delete("comments", "tb_blog_comments", format!("id <= {R}")),
        Step::delete("likes", "tb_blog_like", format!("blog_id <= {R}")),
    ];
    let about = in_notes(&format!("shop_id <= {R}"));
    let pictures =
        format!("used_by IN (SELECT 'note:' || id FROM tb_blog WHERE shop_id <= {R} AND id > {R})");
    steps.extend(on_notes(&about));
    steps.push(Step::set(
        "pictures",
        "tb_upload",
        "used_by = NULL",
        pictures,
    ));
    let sales = format!("voucher_id IN (SELECT id FROM tb_voucher WHERE shop_id <= {R})");
    steps.extend([
        Step::delete("notes", "tb_blog", format!("id <= {R}")),
        Step::delete("notes", "tb_blog", format!("shop_id <= {R}")),
        Step::delete("sales", "tb_seckill_voucher", sales),
        Step::delete("vouchers", "tb_voucher", format!("shop_id <= {R}")),
        Step::delete("names", "tb_shop_gram", format!("shop_id <= {R}")),
        Step::delete("shops", "tb_shop", format!("id <= {R}")),
    ]);
    steps
}

fn in_notes(condition: &str) -> String {
    format!("blog_id IN (SELECT id FROM tb_blog WHERE {condition})")
}

/// What hangs on notes.
fn on_notes(notes: &str) -> Vec<Step> {
    let mut steps = in_comments(notes);
    steps.push(Step::delete(
        "comments",
        "tb_blog_comments",
        notes.to_owned(),
    ));
    steps.push(Step::delete("likes", "tb_blog_like", notes.to_owned()));
    steps
}

/// What hangs on comments.
fn in_comments(comments: &str) -> Vec<Step> {
    let on = format!("comment_id IN (SELECT id FROM tb_blog_comments WHERE {comments})");
    vec![
        Step::delete("likes", "tb_blog_comment_like", on.clone()),
        Step::delete("reports", "tb_blog_comment_report", on),
    ]
}

/// Orders of real people that wait for something at a demo shop: unpaid, paid, refunding.
fn open_orders() -> String {
    format!(
        "tb_voucher_order o JOIN tb_voucher v ON v.id = o.voucher_id \
         WHERE v.shop_id <= {LAST_RESERVED_ID} AND o.user_id > {LAST_RESERVED_ID} \
         AND o.status IN (1, 2, 5)"
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
