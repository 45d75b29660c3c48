//! A database of the original becomes ours: every row kept, only what is missing added, and nothing touched when old rows
//! break a new key.

use std::time::Duration;

use domain::{ProfileChange, Role, UserId};
use jiff::civil::date;
use storage::users::{self, UserStatus};
use storage::{Db, DbOptions, Error, bulk};
use testkit::{FaultProxy, MariaDb};

use crate::schema::assert_keys;
use crate::support::{TestDb, phone};

const ORIGINAL: &str = include_str!("fixtures/original.sql");

const TABLES: [&str; 11] = [
    "tb_blog",
    "tb_blog_comments",
    "tb_follow",
    "tb_seckill_voucher",
    "tb_shop",
    "tb_shop_type",
    "tb_sign",
    "tb_user",
    "tb_user_info",
    "tb_voucher",
    "tb_voucher_order",
];

/// A database as the original left it, with `extra` SQL run on top.
async fn original_with(extra: &str) -> TestDb {
    let database = MariaDb::shared().await.create_database().await;
    database.execute(&format!("{ORIGINAL}\n{extra}")).await;
    TestDb::open_url(database.url()).await
}

async fn original() -> TestDb {
    original_with("").await
}

/// Definitions and rows of all tables of the original, to compare before and after.
async fn snapshot(test: &TestDb) -> Vec<String> {
    let mut lines = Vec::new();
    for table in TABLES {
        for row in test.query(&format!("SHOW CREATE TABLE {table}")).await {
            lines.push(row.try_get_by_index(1).unwrap());
        }
        for row in test.query(&format!("CHECKSUM TABLE {table}")).await {
            let checksum: i64 = row.try_get_by_index(1).unwrap();
            lines.push(format!("{table} {checksum}"));
        }
    }
    lines
}

/// Line by line, so that a failure shows the table that differs and not all of them.
fn assert_same(left: &[String], right: &[String]) {
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(right) {
        assert_eq!(left, right);
    }
}

#[tokio::test]
async fn no_row_is_lost_and_a_second_run_changes_nothing() {
    let test = original().await;
    let mut before = Vec::new();
    for table in TABLES {
        before.push(test.count(table).await);
    }
    let report = test.db.migrate().await.unwrap();
    assert!(!report.is_empty());
    for (table, rows) in TABLES.into_iter().zip(before) {
        assert_eq!(test.count(table).await, rows, "{table}");
    }
    assert_keys(&test).await;

    let adopted = snapshot(&test).await;
    assert!(test.db.migrate().await.unwrap().is_empty());
    test.execute("DELETE FROM seaql_migrations").await;
    let again = test.db.migrate().await.unwrap();
    let is_new = |line: &&String| !line.contains("keep a number of likes");
    assert_eq!(again.changes.iter().filter(is_new).count(), 0, "{again:#?}");
    assert_same(&snapshot(&test).await, &adopted);
}

#[tokio::test]
async fn the_report_lists_what_was_done() {
    let report = original().await.db.migrate().await.unwrap();
    for line in [
        "tb_audit: created",
        "tb_user: column email added",
        "tb_user: key uk_user_email (email) added",
        "tb_voucher_order: slot filled in 4 rows",
        "tb_seckill_voucher: begin_time had a date that does not exist in 1 rows",
        "tb_blog: 3 notes keep a number of likes that no rows stand behind; \
         `tandian rebuild` counts the rows",
    ] {
        assert!(
            report.changes.iter().any(|change| change == line),
            "{line} is not in {report:#?}"
        );
    }
}

#[tokio::test]
async fn people_are_read_as_they_were() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    let user = users::find_by_contact(&test.db, &phone("13686869696"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (user.id, user.nick_name.as_str()),
        (UserId::new(1), "小鱼同学")
    );
    assert_eq!((user.role, user.status), (Role::User, UserStatus::Active));
    assert_eq!(
        user.created_at,
        "2021-12-24T10:27:19+08:00".parse().unwrap()
    );

    let info = users::get_info(&test.db, user.id).await.unwrap().unwrap();
    assert_eq!(
        (info.city.as_str(), info.introduce.as_str()),
        ("杭州", "爱吃🐟")
    );
    assert_eq!(
        (info.fans, info.followee, info.credits, info.level),
        (3, 4, 200, 9)
    );
    assert_eq!(
        (info.is_female, info.birthday),
        (true, Some(date(1999, 1, 31)))
    );

    let empty = users::get_info(&test.db, UserId::new(2))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (empty.city.as_str(), empty.fans, empty.birthday),
        ("", 0, None)
    );
    let odd = users::get(&test.db, UserId::new(6)).await.unwrap().unwrap();
    assert_eq!(
        (odd.phone, odd.nick_name.as_str(), odd.icon.as_str()),
        (None, "", "")
    );
}

#[tokio::test]
async fn people_can_sign_up_and_change_as_in_a_new_database() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    let new = users::find_or_create(&test.db, &crate::support::email("a@b.cn"), "x")
        .await
        .unwrap();
    assert_eq!(
        new.id,
        UserId::new(1010),
        "the counter of ids goes on where it stood"
    );
    let change = ProfileChange {
        nick_name: Some("🐟".to_owned()),
        city: Some("杭州".to_owned()),
        ..Default::default()
    };
    let changed = users::update_profile(&test.db, UserId::new(2), &change)
        .await
        .unwrap();
    assert_eq!(changed.nick_name, "🐟");
    users::set_role(&test.db, &phone("13686869696"), Role::Merchant, None)
        .await
        .unwrap()
        .unwrap();
    bulk::recount(&test.db).await.unwrap();
    assert_eq!(
        test.texts(
            "SELECT CONCAT_WS(' ', user_id, fans, followee) FROM tb_user_info ORDER BY user_id"
        )
        .await,
        ["1 1 1", "2 2 1", "5 0 1"]
    );
}

#[tokio::test]
async fn orders_get_slots_deadlines_and_shops_and_the_stock_adds_up() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    let orders = "SELECT CONCAT_WS(' ', id - 470000000000000000, COALESCE(slot, '-'), shop_id, \
        pay_deadline) FROM tb_voucher_order ORDER BY id";
    assert_eq!(
        test.texts(orders).await,
        [
            "1 1 1 2022-01-04 04:15:01.000",
            "2 1 1 2022-01-04 04:15:02.000",
            "3 1 1 2022-01-04 04:15:03.000",
            "4 - 1 2022-01-04 04:15:04.000",
            "5 - 1 2022-01-04 04:45:00.000",
            "6 1 0 2022-01-04 04:45:00.000",
        ]
    );
    let sales = "SELECT CONCAT_WS(' ', voucher_id, stock, initial_stock, limit_per_user, spread, \
        epoch, begin_time, end_time) FROM tb_seckill_voucher ORDER BY voucher_id";
    assert_eq!(
        test.texts(sales).await,
        [
            "2 97 100 1 1 0 2022-01-04 04:00:00.000 2022-01-05 04:00:00.000",
            "3 10 11 1 1 0 1970-01-01 00:00:01.000 1970-01-01 00:00:01.000",
        ]
    );
}

#[tokio::test]
async fn times_tell_what_happened_to_the_row_and_not_when_it_was_adopted() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    let times = "SELECT CAST(update_time AS CHAR) FROM tb_voucher_order ORDER BY id";
    assert_eq!(test.texts(times).await[0], "2022-01-04 04:00:01.000");
    let notes = "SELECT CAST(update_time AS CHAR) FROM tb_blog WHERE id = 7";
    assert_eq!(test.texts(notes).await, ["2022-03-10 01:21:42.000"]);
    let check_ins = "SELECT CAST(create_time AS CHAR) FROM tb_sign WHERE id = 1";
    assert_eq!(test.texts(check_ins).await, ["2022-03-01 00:00:00.000"]);
}

#[tokio::test]
async fn rows_that_break_a_new_key_are_named_and_nothing_is_touched() {
    let test = original_with(
        "INSERT INTO tb_follow VALUES (10, 1, 2, NOW()), (11, 1, 2, NOW());
         INSERT INTO tb_sign VALUES (3, 5, 2022, 3, '2022-03-02', 0);
         INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (9, 1, 2);
         INSERT INTO tb_seckill_voucher (voucher_id, stock) VALUES (8, -3);
         INSERT INTO tb_user_info (user_id, fans) VALUES (9, 4000000000);
         ALTER TABLE tb_shop ADD COLUMN own_column int NOT NULL;
         ALTER TABLE tb_blog ADD CONSTRAINT fk_author FOREIGN KEY (user_id) REFERENCES tb_user (id);",
    )
    .await;
    let before = snapshot(&test).await;
    let error = test.db.migrate().await.unwrap_err();
    let Error::CannotAdopt { obstacles } = &error else {
        panic!("{error:?}");
    };
    let expected = [
        "tb_user_info: rows 9 have a fans above 2147483647",
        "tb_shop: its own column own_column needs a default; nobody will fill it",
        "tb_seckill_voucher: rows 8 do not keep stock >= 0",
        "tb_voucher_order: rows 9, 470000000000000001 share one (voucher_id, user_id, slot)",
        "tb_blog: drop the foreign key fk_author first; the types of its columns must change",
        "tb_follow: rows 1, 10, 11 share one (user_id, follow_user_id)",
        "tb_sign: rows 2, 3 share one (user_id, date)",
    ];
    assert_eq!(obstacles, &expected);
    assert_same(&snapshot(&test).await, &before);
    assert!(test.texts("SHOW TABLES LIKE 'tb_audit'").await.is_empty());
    assert!(test.texts("SHOW TABLES LIKE 'seaql%'").await.is_empty());
}

#[tokio::test]
async fn ended_orders_of_one_user_are_no_obstacle() {
    let test = original_with(
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id, status) \
         VALUES (7, 1, 2, 4), (8, 1, 2, 6), (9, 1, 2, 4)",
    )
    .await;
    test.db.migrate().await.unwrap();
}

#[tokio::test]
async fn the_list_of_offending_rows_is_bounded() {
    let test = original_with(
        "INSERT INTO tb_follow (user_id, follow_user_id) SELECT seq DIV 2, 9 FROM seq_100_to_400;",
    )
    .await;
    let error = test.db.migrate().await.unwrap_err();
    assert!(error.to_string().lines().count() <= 25, "{error}");
}

#[tokio::test]
async fn old_engines_and_alphabets_are_converted() {
    let test = original_with(
        "ALTER TABLE tb_shop_type ENGINE = MyISAM;
         ALTER TABLE tb_voucher CONVERT TO CHARACTER SET utf8mb3;
         DROP TABLE tb_follow;
         ALTER TABLE tb_sign DROP COLUMN is_backup;",
    )
    .await;
    test.db.migrate().await.unwrap();
    assert_keys(&test).await;
    test.execute("UPDATE tb_voucher SET title = '🎫' WHERE id = 1")
        .await;
    let engines =
        "SELECT DISTINCT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";
    assert_eq!(test.texts(engines).await, ["InnoDB"]);
}

#[tokio::test]
async fn an_adoption_that_broke_off_anywhere_is_finished_by_the_next_run() {
    let whole = original().await;
    whole.db.migrate().await.unwrap();
    let expected = snapshot(&whole).await;

    let broken = original().await;
    let server = MariaDb::shared().await;
    let proxy = FaultProxy::start(server.addr()).await;
    let url = broken
        .url
        .replace(&server.addr(), &proxy.addr().to_string());
    let mut attempts = 0;
    loop {
        let db = Db::connect_lazily(&DbOptions::new(&url)).await.unwrap();
        let patience = Duration::from_millis(20 + 10 * attempts);
        let outcome = tokio::time::timeout(patience, db.migrate()).await;
        attempts += 1;
        if matches!(outcome, Ok(Ok(_))) {
            break;
        }
        proxy.cut().await;
        proxy.pass().await;
    }
    assert!(attempts > 3, "it was never broken off");
    assert_same(&snapshot(&broken).await, &expected);
}
