//! A database of the original becomes ours: every row kept, only what is missing added, and nothing touched when old rows
//! break a new key.

use std::time::Duration;

use domain::{NoteId, OrderId, OrderStatus, ProfileChange, Role, ShopId, UserId, VoucherId};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use storage::adoption;
use storage::bulk::{self, CountedTable, Surplus};
use storage::notes::{self, NewNote};
use storage::users::{self, UserStatus};
use storage::{Db, DbOptions, Error, SiteClock, StoredTimes, flash_sales, note_likes, orders};
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
        // Everybody who follows or is followed has a row of counters now.
        let added = i64::from(table == "tb_user_info");
        assert_eq!(test.count(table).await, rows + added, "{table}");
    }
    assert_keys(&test).await;

    let adopted = snapshot(&test).await;
    assert!(test.db.migrate().await.unwrap().is_empty());
    test.execute("DELETE FROM seaql_migrations").await;
    let again = test.db.migrate().await.unwrap();
    assert_eq!(again.changes, [""; 0]);
    assert_same(&snapshot(&test).await, &adopted);
}

/// The other published dump: its times of a sale default to now, and no date is zero.
#[tokio::test]
async fn the_dump_without_zero_dates_is_adopted_alike() {
    let test = original_with(
        "UPDATE tb_seckill_voucher SET begin_time = '2022-01-04 12:00:00', \
         end_time = '2022-01-05 12:00:00', update_time = update_time;
         ALTER TABLE tb_seckill_voucher \
         MODIFY begin_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP COMMENT '生效时间', \
         MODIFY end_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP COMMENT '失效时间';",
    )
    .await;
    let report = test.db.migrate().await.unwrap();
    let has_zero_dates = |line: &String| line.starts_with("tb_seckill_voucher: begin_time had");
    assert!(!report.changes.iter().any(has_zero_dates), "{report:#?}");
    assert_keys(&test).await;
    assert_eq!(
        test.texts(CLOCKS).await,
        ["2022-01-04 04:00:00.000 2022-01-05 04:00:00.000"]
    );
    test.execute("DELETE FROM seaql_migrations").await;
    let again = test.db.migrate().await.unwrap();
    assert_eq!(again.changes, [""; 0]);
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
        "tb_blog: liked is more than the rows behind it in 3 rows; the rest is kept as liked_base",
        "tb_user_info: fans and followees counted for 3 people",
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
        (1, 1, 200, 9),
        "fans and followees are those of its rows"
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
        ("", 2, None)
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
            "1 1 1 9999-01-01 00:00:00.000",
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

/// Replies between two cuts: all 540 take minutes on a busy machine, and most statements only read.
const STRIDE: usize = 5;

/// The reply to a statement is lost, again and again, later each time: it was executed, and the next run finds it done.
#[tokio::test]
async fn an_adoption_that_broke_off_at_any_statement_is_finished_by_the_next_run() {
    let extra = "ALTER TABLE tb_blog_comments MODIFY create_time datetime NOT NULL, \
        MODIFY update_time datetime NOT NULL; \
        INSERT INTO tb_user_info (user_id, create_time, update_time) \
        VALUES (5, '2022-01-01', '2022-01-01');";
    let whole = original_with(extra).await;
    let clock = shifted_clock(&whole, StoredTimes::SiteZone).await;
    whole.db.migrate_with(clock).await.unwrap();
    let expected = snapshot(&whole).await;

    let broken = original_with(extra).await;
    let server = MariaDb::shared().await;
    let proxy = FaultProxy::start(server.addr()).await;
    let url = broken
        .url
        .replace(&server.addr(), &proxy.addr().to_string());
    let mut replies = 0;
    loop {
        proxy.pass_replies_then_cut(replies).await;
        let db = Db::connect_lazily(&DbOptions::new(&url)).await.unwrap();
        if db.migrate_with(clock).await.is_ok() {
            break;
        }
        replies += STRIDE;
    }
    assert!(replies > 300, "{replies}: it was hardly broken off");
    assert_same(&snapshot(&broken).await, &expected);
}

#[tokio::test]
async fn an_adoption_that_broke_off_goes_on_with_the_decision_it_began_with() {
    let test = original().await;
    let site = shifted_clock(&test, StoredTimes::SiteZone).await;
    let other = shifted_clock(&test, StoredTimes::DatabaseZone).await;
    let undecided = undecided_clock(&test).await;
    let server = MariaDb::shared().await;
    let proxy = FaultProxy::start(server.addr()).await;
    let url = test.url.replace(&server.addr(), &proxy.addr().to_string());
    let is_converted = "SELECT COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
        AND TABLE_NAME = 'tb_user' AND COLUMN_NAME = 'create_time'";
    let mut replies = 0;
    while test.texts(is_converted).await != ["datetime(3)"] {
        replies += STRIDE;
        proxy.pass_replies_then_cut(replies).await;
        let db = Db::connect_lazily(&DbOptions::new(&url)).await.unwrap();
        db.migrate_with(site).await.unwrap_err();
    }
    for refused in [
        test.db.migrate_with(other).await,
        test.db.plan_migration(other).await,
    ] {
        assert!(matches!(refused, Err(Error::ZoneChanged)), "{refused:?}");
    }
    test.db.plan_migration(undecided).await.unwrap();
    test.db.migrate_with(undecided).await.unwrap();
    assert_eq!(
        test.texts(CLOCKS).await,
        ["2022-01-03 20:00:00.000 2022-01-04 20:00:00.000"]
    );
    let left = test.texts("SHOW TABLES LIKE 'tandian%'").await;
    assert_eq!(left, [""; 0]);
}

/// A site whose clocks are eight hours ahead of the database's.
async fn shifted_clock(test: &TestDb, stored_times: StoredTimes) -> SiteClock {
    SiteClock {
        stored_times: Some(stored_times),
        ..undecided_clock(test).await
    }
}

async fn undecided_clock(test: &TestDb) -> SiteClock {
    let zones = test.db.compare_zones().await.unwrap().unwrap();
    SiteClock {
        utc_offset: zones.database_offset + SignedDuration::from_hours(8),
        stored_times: None,
    }
}

/// The same zone: nothing to ask.
async fn same_clock(test: &TestDb) -> SiteClock {
    let zones = test.db.compare_zones().await.unwrap().unwrap();
    SiteClock {
        utc_offset: zones.database_offset,
        stored_times: None,
    }
}

const CLOCKS: &str = "SELECT CONCAT_WS(' ', CAST(begin_time AS CHAR), CAST(end_time AS CHAR)) \
    FROM tb_seckill_voucher WHERE voucher_id = 2";

#[tokio::test]
async fn a_database_in_another_zone_is_not_touched_until_somebody_decides() {
    let test = original().await;
    let before = snapshot(&test).await;
    let clock = undecided_clock(&test).await;
    for refused in [
        test.db.migrate_with(clock).await,
        test.db.plan_migration(clock).await,
    ] {
        let error = refused.unwrap_err();
        let Error::ZoneUnclear { zones } = error else {
            panic!("{error:?}");
        };
        let sample = zones.sample.unwrap();
        assert_eq!(sample.column, "tb_seckill_voucher.begin_time");
    }
    assert_same(&snapshot(&test).await, &before);
    assert!(test.texts("SHOW TABLES LIKE 'tb_audit'").await.is_empty());
}

#[tokio::test]
async fn times_become_what_the_operator_says_they_are() {
    for (stored_times, expected) in [
        (
            StoredTimes::DatabaseZone,
            "2022-01-04 04:00:00.000 2022-01-05 04:00:00.000",
        ),
        (
            StoredTimes::SiteZone,
            "2022-01-03 20:00:00.000 2022-01-04 20:00:00.000",
        ),
    ] {
        let test = original().await;
        let clock = shifted_clock(&test, stored_times).await;
        test.db.migrate_with(clock).await.unwrap();
        assert_eq!(test.texts(CLOCKS).await, [expected], "{stored_times:?}");
        assert_eq!(test.db.compare_zones().await.unwrap(), None);
    }
}

/// Some copies of the original have `datetime` columns, which no zone of the server ever touched.
#[tokio::test]
async fn bare_clock_times_are_clock_times_of_the_site() {
    let test = original_with(
        "ALTER TABLE tb_seckill_voucher MODIFY begin_time datetime NOT NULL, \
         MODIFY end_time datetime NOT NULL, \
         MODIFY update_time datetime NOT NULL DEFAULT CURRENT_TIMESTAMP \
            ON UPDATE CURRENT_TIMESTAMP;",
    )
    .await;
    let clock = SiteClock {
        utc_offset: SignedDuration::from_hours(8),
        stored_times: Some(StoredTimes::SiteZone),
    };
    test.db.migrate_with(clock).await.unwrap();
    // The session that loaded the dump ran at +08:00, so its clock read twelve.
    assert_eq!(
        test.texts(CLOCKS).await,
        ["2022-01-04 04:00:00.000 2022-01-05 04:00:00.000"]
    );
    let updated = "SELECT CAST(update_time AS CHAR) FROM tb_seckill_voucher WHERE voucher_id = 2";
    assert_eq!(test.texts(updated).await, ["2022-01-04 04:30:00.000"]);
}

#[tokio::test]
async fn a_dry_run_tells_everything_and_changes_nothing() {
    let test = original().await;
    let clock = same_clock(&test).await;
    let before = snapshot(&test).await;
    let plan = test.db.plan_migration(clock).await.unwrap();
    assert_same(&snapshot(&test).await, &before);
    assert!(test.texts("SHOW TABLES LIKE 'seaql%'").await.is_empty());

    let done = test.db.migrate_with(clock).await.unwrap();
    assert_eq!(plan.applied, done.applied);
    // A column that is filled before it becomes mandatory is announced as added, not as changed again.
    let is_told = |line: &&String| !plan.changes.contains(line) && !line.contains(", was ");
    let missing: Vec<_> = done.changes.iter().filter(is_told).collect();
    assert_eq!(missing, [""; 0], "{plan:#?}");
    let invented: Vec<_> = plan
        .changes
        .iter()
        .filter(|line| !done.changes.contains(line))
        .collect();
    assert_eq!(invented, [""; 0]);
    let again = test.db.plan_migration(SiteClock {
        utc_offset: SignedDuration::from_hours(8),
        stored_times: None,
    });
    assert!(again.await.unwrap().is_empty());
}

/// Copies lack tables whose chapter nobody got to; the migration makes them.
#[tokio::test]
async fn a_dry_run_takes_a_table_that_is_not_there_for_an_empty_one() {
    for table in TABLES {
        let test = original_with(&format!("DROP TABLE {table};")).await;
        let clock = same_clock(&test).await;
        let found = adoption::survey(&test.db).await.unwrap();
        assert_eq!(found.tables.len(), TABLES.len() - 1, "{table}");
        let mut plan = test.db.plan_migration(clock).await.expect(table);
        let mut done = test.db.migrate_with(clock).await.expect(table);
        plan.row_changes.sort();
        done.row_changes.sort();
        assert_eq!(plan.row_changes, done.row_changes, "without {table}");
    }
}

/// Longer than a page may take: keys that would find the rows come with the migration.
#[tokio::test]
async fn a_dry_run_of_a_large_database_has_the_time_it_needs() {
    let test = original_with(
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id, status) \
         SELECT seq, seq, 2, 1 + seq % 2 FROM seq_1000_to_1000999;
         INSERT INTO tb_user_info (user_id) SELECT seq FROM seq_1000_to_51000;
         INSERT INTO tb_follow (user_id, follow_user_id) SELECT seq, seq + 1 FROM seq_1000_to_50999;",
    )
    .await;
    let clock = same_clock(&test).await;
    let mut options = DbOptions::new(&test.url);
    options.query_timeout = Duration::from_millis(10);
    let db = Db::connect_lazily(&options).await.unwrap();
    let found = adoption::survey(&db).await.unwrap();
    assert_eq!(found.unpaid_orders, 500_001);
    let plan = tokio::time::timeout(UNHURRIED, db.plan_migration(clock)).await;
    let plan = plan.expect("nothing is compared row by row").unwrap();
    let counted = "tb_user_info: fans and followees counted for 50004 people".to_owned();
    assert!(plan.row_changes.contains(&counted), "{plan:#?}");
}

/// Above what reading each table some times takes, below what comparing each row with each other row does.
const UNHURRIED: Duration = Duration::from_secs(100);

#[tokio::test]
async fn adopted_orders_wait_until_somebody_gives_them_a_deadline() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    let db = &test.db;
    let (owner, order) = (UserId::new(1), OrderId::new(470_000_000_000_000_001));
    let far = "9000-01-01T00:00:00Z".parse().unwrap();
    for now in [Timestamp::now(), far] {
        let expired = orders::expire_due(db, now, 100).await.unwrap();
        assert_eq!(expired, []);
    }
    let found = orders::get(db, owner, order).await.unwrap().unwrap();
    assert_eq!(
        (found.status, found.pay_deadline),
        (OrderStatus::Unpaid, None)
    );
    let stock = "SELECT CAST(stock AS CHAR) FROM tb_seckill_voucher WHERE voucher_id = 2";
    assert_eq!(test.texts(stock).await, ["97"]);

    assert_eq!(orders::count_without_deadline(db).await.unwrap(), 1);
    let deadline: Timestamp = "2027-01-31T10:00:00Z".parse().unwrap();
    assert_eq!(
        orders::set_missing_deadlines(db, deadline).await.unwrap(),
        1
    );
    assert_eq!(
        orders::set_missing_deadlines(db, deadline).await.unwrap(),
        0
    );
    let found = orders::get(db, owner, order).await.unwrap().unwrap();
    assert_eq!(found.pay_deadline, Some(deadline));
    let expired = orders::expire_due(db, deadline, 100).await.unwrap();
    assert_eq!(expired.len(), 1);
}

const NUMBERS: &str = "SELECT CONCAT_WS(' ', sold, comments, score) FROM tb_shop WHERE id = 1";

#[tokio::test]
async fn numbers_of_the_original_are_added_to_and_never_lost() {
    let test = original().await;
    let liked = "SELECT CAST(liked AS CHAR) FROM tb_blog ORDER BY id";
    let before = (shop_numbers(&test).await, test.texts(liked).await);
    test.db.migrate().await.unwrap();
    let db = &test.db;
    let unchanged = async |what: &str| {
        let now = (shop_numbers(&test).await, test.texts(liked).await);
        assert_eq!(now, before, "{what}");
    };
    unchanged("adopted").await;
    for surplus in [Surplus::Keep, Surplus::Drop] {
        bulk::recount(db, &CountedTable::ALL, surplus)
            .await
            .unwrap();
        unchanged("rebuilt").await;
    }

    let (sold, comments, score) = shop_numbers(&test).await;
    let new = NewNote {
        author: UserId::new(1),
        shop_id: ShopId::new(1),
        title: "又来了".to_owned(),
        content: "还是好吃".to_owned(),
        pictures: Vec::new(),
        stars: Some(1),
        opinion: Default::default(),
        key: None,
        mentions: Vec::new(),
    };
    let note = notes::publish(db, &new).await.unwrap().unwrap();
    assert_eq!(
        shop_numbers(&test).await,
        (sold, comments + 1, score),
        "one star among thousands of reviews"
    );
    note_likes::toggle(db, note.id, UserId::new(2), None)
        .await
        .unwrap()
        .unwrap();
    note_likes::toggle(db, NoteId::new(5), UserId::new(2), None)
        .await
        .unwrap()
        .unwrap();
    bulk::recount(db, &CountedTable::ALL, Surplus::Drop)
        .await
        .unwrap();
    assert_eq!(test.texts(liked).await, ["1", "2", "1", "0", "1"]);
    assert_eq!(shop_numbers(&test).await, (sold, comments + 1, score));
}

async fn shop_numbers(test: &TestDb) -> (i64, i64, i64) {
    let text = test.texts(NUMBERS).await.remove(0);
    let numbers: Vec<i64> = text
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    (numbers[0], numbers[1], numbers[2])
}

#[tokio::test]
async fn the_sql_of_the_course_opens_a_sale() {
    let test = original().await;
    test.db.migrate().await.unwrap();
    test.execute(
        "INSERT INTO tb_voucher (id, shop_id, title, sub_title, rules, pay_value, actual_value, type, \
         status) VALUES (20, 1, '100元代金券', '周一至周五', '全场通用', 8000, 10000, 1, 1)",
    )
    .await;
    test.execute(
        "INSERT INTO tb_seckill_voucher (voucher_id, stock, begin_time, end_time) \
         VALUES (20, 100, '2022-01-25 10:09:17', '2037-01-26 12:09:04')",
    )
    .await;
    let terms = flash_sales::audit(&test.db, VoucherId::new(20))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((terms.terms.initial, terms.terms.stock), (100, 100));
}

/// A table of a busy site, cut off while it is rebuilt.
#[tokio::test]
async fn a_million_orders_are_adopted_and_none_expires() {
    let test = original_with(
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id, status) \
         SELECT seq, seq, 2, 1 + seq % 2 FROM seq_1000_to_1000999;
         INSERT INTO tb_blog (shop_id, user_id, title, images, content, liked) \
         SELECT 1, 1 + seq % 5, 'x', '', 'x', seq % 7 FROM seq_1_to_20000;",
    )
    .await;
    let db = Db::connect_lazily(&DbOptions::new(&test.url))
        .await
        .unwrap();
    let _cut_off = tokio::time::timeout(Duration::from_millis(700), db.migrate()).await;
    drop(db);
    test.db.migrate().await.unwrap();
    assert_eq!(test.count("tb_voucher_order").await, 1_000_006);
    assert_eq!(
        orders::count_without_deadline(&test.db).await.unwrap(),
        500_001
    );
    let expired = orders::expire_due(&test.db, Timestamp::now(), 100).await;
    assert_eq!(expired.unwrap(), []);
    let filled = "SELECT CAST(COUNT(*) AS CHAR) FROM tb_voucher_order WHERE slot = 1";
    assert_eq!(test.texts(filled).await, ["1000004"]);
}
