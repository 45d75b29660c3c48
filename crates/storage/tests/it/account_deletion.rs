//! Deleting an account: what is in the way, what is erased and what stays, and what happens to a crash or a late order.

use std::collections::BTreeSet;

use domain::UserId;
use jiff::{Timestamp, ToSpan as _};
use storage::account_deletion::{
    self, DeletionState, EraseStep, ErasureBegun, Obstacle, ObstacleKind, take_step,
};
use storage::data_map::{Erasure, Owner, TABLES, TableData};
use storage::users::{self, UserStatus};
use storage::{comments, follows, note_likes, personal_data};

use crate::support::{TestDb, on_both, person, phone};

/// One row in each table of the books.
const BOOKS: [&str; 8] = [
    "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, status, pay_deadline, redeem_code) \
     VALUES (1, {user}, 1, 1, 3, '2026-01-01 00:00:00', '1234')",
    "INSERT INTO tb_voucher_order_archive (id, user_id, voucher_id, shop_id, pay_type, status, \
     pay_deadline, create_time, update_time, month) VALUES (2, {user}, 1, 1, 1, 3, \
     '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00', 202601)",
    "INSERT INTO tb_dead_order (order_id, voucher_id, user_id, reason, payload, state) \
     VALUES (3, 1, {user}, 'late', '', 2)",
    "INSERT INTO tb_payment (order_id, user_id, provider, pay_type, amount_cents, state, create_time, \
     update_time) VALUES (1, {user}, 'sandbox', 2, 100, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00')",
    "INSERT INTO tb_payment_archive (id, order_id, user_id, provider, pay_type, amount_cents, state, \
     create_time, update_time) VALUES (9, 2, {user}, 'sandbox', 2, 100, 1, '2026-01-01 00:00:00', \
     '2026-01-01 00:00:00')",
    "INSERT INTO tb_ledger_entry (payment_id, kind, account, amount_cents, create_time) \
     VALUES (1, 'pay', 'user:{user}', -100, '2026-01-01 00:00:00')",
    "INSERT INTO tb_ledger_entry_archive (id, payment_id, kind, account, amount_cents, create_time) \
     VALUES (9, 9, 'pay', 'user:{user}', -100, '2026-01-01 00:00:00')",
    "INSERT INTO tb_ledger_sum (account, amount_cents) VALUES ('user:{user}', 0)",
];

const OTHER_ROWS: [&str; 22] = [
    "INSERT INTO tb_account (user_id, balance_cents, update_time) VALUES ({user}, 0, '2026-01-01 00:00:00')",
    "INSERT INTO tb_sign (user_id, year, month, date) VALUES ({user}, 2026, 1, '2026-01-05')",
    "INSERT INTO tb_notice (user_id, kind, subject, payload, create_time) \
     VALUES ({user}, 'order_paid', 'order:{user}', '{}', '2026-01-01 00:00:00')",
    "INSERT INTO tb_profile_shown (user_id, city, gender, birthday, update_time) \
     VALUES ({user}, 1, 0, 0, '2026-01-01 00:00:00')",
    "INSERT INTO tb_audit (actor_id, action, subject, detail) VALUES ({user}, 'set_password', 'user:{user}', '')",
    "INSERT INTO tb_upload (name, user_id, used_by, create_time) \
     VALUES ('/blogs/1/1/free.webp', {user}, NULL, '2026-01-01 00:00:00')",
    "INSERT INTO tb_upload (name, user_id, used_by, create_time) \
     VALUES ('/blogs/1/1/shop.webp', {user}, 'shop:1', '2026-01-01 00:00:00')",
    "INSERT INTO tb_upload (name, user_id, used_by, create_time) \
     VALUES ('/blogs/1/1/face.webp', {user}, 'user:{user}', '2026-01-01 00:00:00')",
    "UPDATE tb_user SET email = 'ann@example.com', password = 'secret', icon = '/imgs/face' WHERE id = {user}",
    "INSERT INTO tb_blog_comment_report (comment_id, user_id, reason, create_time) \
     VALUES (1000, {user}, 'rude', '2026-01-01 00:00:00')",
    "INSERT INTO tb_blog_report (blog_id, user_id, reason, create_time) \
     VALUES (1000, {user}, 'rude', '2026-01-01 00:00:00')",
    "INSERT INTO tb_favourite_list (user_id, name, create_time) VALUES ({user}, 'tea', '2026-01-01 00:00:00')",
    "INSERT INTO tb_favourite (user_id, shop_id, list_id, create_time) \
     VALUES ({user}, 1, 1, '2026-01-01 00:00:00')",
    "INSERT INTO tb_blog_favourite (user_id, blog_id, create_time) VALUES ({user}, 1, '2026-01-01 00:00:00')",
    "INSERT INTO tb_block (user_id, blocked_user_id, create_time) VALUES ({user}, 1000, '2026-01-01 00:00:00')",
    "INSERT INTO tb_block (user_id, blocked_user_id, create_time) VALUES (1000, {user}, '2026-01-01 00:00:00')",
    "INSERT INTO tb_write_key (user_id, name, fingerprint, subject, create_time) \
     VALUES ({user}, 'key', 'print', 'note:1000', '2026-01-01 00:00:00')",
    "INSERT INTO tb_blog_draft (user_id, name, revision, body, update_time) \
     VALUES ({user}, 'key', 1, '{}', '2026-01-01 00:00:00')",
    "INSERT INTO tb_notice_mute (user_id, kind) VALUES ({user}, 'followed')",
    "INSERT INTO tb_phone_proof (user_id, proven_at) VALUES ({user}, '2026-01-01 00:00:00')",
    "INSERT INTO tb_blog_mention (blog_id, user_id, name, place) VALUES (1000, {user}, 'ann', 0)",
    "INSERT INTO tb_blog_comment_mention (comment_id, user_id, blog_id, name, place) \
     VALUES (1000, {user}, 1000, 'ann', 0)",
];

/// A person with something in every table, and another one who has to do with it.
struct Lives {
    ann: UserId,
    bob: UserId,
    notes_of_bob: [i64; 1],
}

async fn note_of(test: &TestDb, author: UserId) -> i64 {
    let sql = format!(
        "INSERT INTO tb_blog (shop_id, user_id, title, images, content) VALUES (1, {author}, 't', '', 'c')"
    );
    test.execute(&sql).await;
    let ids = format!("SELECT MAX(id) FROM tb_blog WHERE user_id = {author}");
    test.query(&ids).await[0].try_get_by_index(0).unwrap()
}

async fn comment(test: &TestDb, author: UserId, note: i64) -> i64 {
    let new = comments::NewComment {
        key: None,
        author,
        note: domain::NoteId::new(note),
        parent: None,
        answers: None,
        content: "同意".to_owned(),
        mentions: Vec::new(),
    };
    let created = comments::create(&test.db, &new).await.unwrap();
    created.unwrap().get()
}

async fn two_lives(test: &TestDb) -> Lives {
    let (ann, bob) = (person(test, 1).await, person(test, 2).await);
    for sql in BOOKS.iter().chain(&OTHER_ROWS) {
        test.execute(&sql.replace("{user}", &ann.to_string())).await;
    }
    let (of_ann, of_bob) = (note_of(test, ann).await, note_of(test, bob).await);
    for (user, note) in [(ann, of_ann), (bob, of_bob)] {
        for sql in [
            format!("UPDATE tb_blog SET dishes = '面', rating_main = 4 WHERE id = {note}"),
            format!(
                "INSERT INTO tb_blog_dish (shop_id, dish, blog_id, user_id, name) \
                 VALUES (1, '面', {note}, {user}, '面')"
            ),
        ] {
            test.execute(&sql).await;
        }
    }
    let (at_bobs, at_anns) = (
        comment(test, ann, of_bob).await,
        comment(test, bob, of_ann).await,
    );
    let by_bob = comment(test, bob, of_bob).await;
    for (user, note) in [(ann, of_bob), (bob, of_ann), (bob, of_bob)] {
        let note = domain::NoteId::new(note);
        let liked = note_likes::toggle(&test.db, note, user, None).await;
        liked.unwrap().unwrap();
    }
    for (user, id) in [(ann, by_bob), (bob, at_bobs), (bob, at_anns)] {
        let id = domain::CommentId::new(id);
        comments::toggle_like(&test.db, id, user).await.unwrap();
    }
    for (user, author) in [(ann, bob), (bob, ann)] {
        let followed = follows::set(&test.db, user, author, follows::FollowAction::Follow).await;
        followed.unwrap().unwrap();
    }
    Lives {
        ann,
        bob,
        notes_of_bob: [of_bob],
    }
}

fn owner_of(data: &TableData, user: UserId) -> Option<String> {
    match data.owner {
        Owner::Nobody => None,
        Owner::User { column, .. } | Owner::Buyer { column, .. } => {
            Some(format!("{column} = {user}"))
        }
        Owner::Ledger { column, .. } => Some(format!("{column} = 'user:{user}'")),
    }
}

async fn number(test: &TestDb, sql: &str) -> i64 {
    test.query(sql).await[0].try_get_by_index(0).unwrap()
}

async fn rows_of(test: &TestDb, data: &TableData, user: UserId) -> i64 {
    let Some(owner) = owner_of(data, user) else {
        return 0;
    };
    number(
        test,
        &format!("SELECT COUNT(*) FROM {} WHERE {owner}", data.table),
    )
    .await
}

async fn closed(test: &TestDb, user: UserId) {
    let now = Timestamp::now();
    let requested = account_deletion::request(&test.db, user, now, now).await;
    requested.unwrap().unwrap();
    assert!(account_deletion::close(&test.db, user, now).await.unwrap());
}

async fn all_steps(test: &TestDb, user: UserId) {
    for step in EraseStep::ALL {
        while take_step(&test.db, user, step, 1).await.unwrap() > 0 {}
    }
}

async fn erase(test: &TestDb, user: UserId) {
    closed(test, user).await;
    let now = Timestamp::now();
    let begun = account_deletion::begin_erasure(&test.db, user, now).await;
    assert_eq!(begun.unwrap(), ErasureBegun::Erasing);
    all_steps(test, user).await;
    assert!(account_deletion::finish(&test.db, user, now).await.unwrap());
}

/// No row is left that the map says is deleted, no value that it says is cleared, and every row that it says is kept is
/// there.
async fn assert_erased(test: &TestDb, user: UserId, before: &[i64]) {
    for (data, before) in TABLES.iter().zip(before) {
        let Some(owner) = owner_of(data, user) else {
            continue;
        };
        let after = rows_of(test, data, user).await;
        for column in data.columns {
            let place = format!("{}.{}", data.table, column.name);
            match column.erasure {
                Erasure::Deleted | Erasure::Anonymised => assert_eq!(after, 0, "{place} is there"),
                Erasure::Kept(_) => assert!(after >= *before, "{place} is gone"),
                Erasure::Cleared => {
                    let (table, name) = (data.table, column.name);
                    let sql = format!(
                        "SELECT COUNT(*) FROM {table} WHERE {owner} AND {name} IS NOT NULL AND {name} <> ''"
                    );
                    assert_eq!(number(test, &sql).await, 0, "{place} is not cleared");
                }
            }
        }
    }
}

#[tokio::test]
async fn an_erasure_does_what_the_data_map_says() {
    on_both(async |test| {
        let Lives {
            ann,
            bob,
            notes_of_bob,
        } = two_lives(&test).await;
        let mut before = Vec::new();
        for data in TABLES {
            let rows = rows_of(&test, data, ann).await;
            let is_later = data.table == "tb_account_deletion";
            let is_owned = owner_of(data, ann).is_some() && !is_later;
            assert!(!is_owned || rows > 0, "nothing in {}", data.table);
            before.push(rows);
        }
        let found_by =
            format!("SELECT COUNT(*) FROM tb_search_gram WHERE kind = 3 AND row_id = {ann}");
        assert!(number(&test, &found_by).await > 0);
        erase(&test, ann).await;
        assert_erased(&test, ann, &before).await;
        assert_eq!(
            number(&test, &found_by).await,
            0,
            "the name can be searched"
        );

        // What belongs to others is there, and counts what is left.
        let [note] = notes_of_bob;
        let counters = format!("SELECT liked * 10 + comments FROM tb_blog WHERE id = {note}");
        assert_eq!(number(&test, &counters).await, 11);
        let likes =
            format!("SELECT COUNT(*) FROM tb_blog_comments WHERE blog_id = {note} AND liked > 0");
        assert_eq!(number(&test, &likes).await, 0);
        let social = format!("SELECT fans + followee FROM tb_user_info WHERE user_id = {bob}");
        assert_eq!(number(&test, &social).await, 0);
        let fans_of_ann = format!("SELECT COUNT(*) FROM tb_follow WHERE follow_user_id = {ann}");
        assert_eq!(number(&test, &fans_of_ann).await, 0);
        let shop = "SELECT COUNT(*) FROM tb_upload WHERE used_by = 'shop:1' AND user_id = 0";
        assert_eq!(number(&test, shop).await, 1);
        let to_delete = "SELECT COUNT(*) FROM tb_upload WHERE used_by = 'gone'";
        assert_eq!(number(&test, to_delete).await, 2);
    })
    .await;
}

#[tokio::test]
async fn the_contact_of_an_erased_account_opens_a_new_one() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        erase(&test, ann).await;
        let again = person(&test, 1).await;
        assert_ne!(again, ann);
        let status = users::set_status(&test.db, ann, UserStatus::Active, None).await;
        assert_eq!(status.unwrap(), None, "nobody opens what was erased");
        let follow = follows::set(&test.db, again, ann, follows::FollowAction::Follow).await;
        assert!(follow.unwrap().is_err(), "nobody follows nobody");
    })
    .await;
}

#[tokio::test]
async fn an_erasure_that_was_cut_off_is_finished_by_two_at_once() {
    on_both(async |test| {
        let Lives { ann, .. } = two_lives(&test).await;
        let mut before = Vec::new();
        for data in TABLES {
            before.push(rows_of(&test, data, ann).await);
        }
        closed(&test, ann).await;
        let now = Timestamp::now();
        let begun = account_deletion::begin_erasure(&test.db, ann, now).await;
        assert_eq!(begun.unwrap(), ErasureBegun::Erasing);
        // The process dies here and there.
        take_step(&test.db, ann, EraseStep::NoteLikes, 1)
            .await
            .unwrap();
        take_step(&test.db, ann, EraseStep::Fans, 1).await.unwrap();
        let left = account_deletion::list(&test.db, DeletionState::Erasing, Timestamp::MAX, 10);
        assert_eq!(left.await.unwrap(), [ann]);
        tokio::join!(all_steps(&test, ann), all_steps(&test, ann));
        let (one, other) = tokio::join!(
            account_deletion::finish(&test.db, ann, now),
            account_deletion::finish(&test.db, ann, now)
        );
        assert!(one.unwrap() != other.unwrap(), "it is finished once");
        assert_erased(&test, ann, &before).await;
    })
    .await;
}

#[tokio::test]
async fn money_that_came_after_the_wish_opens_the_account_again() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        closed(&test, ann).await;
        test.execute(
            &BOOKS[0]
                .replace("{user}", &ann.to_string())
                .replace(", 3, '", ", 2, '"),
        )
        .await;
        let now = Timestamp::now();
        let begun = account_deletion::begin_erasure(&test.db, ann, now)
            .await
            .unwrap();
        let paid = Obstacle {
            kind: ObstacleKind::PaidOrders,
            count: 1,
        };
        assert_eq!(begun, ErasureBegun::Stopped(vec![paid]));
        let user = users::get(&test.db, ann).await.unwrap().unwrap();
        assert_eq!(user.status, UserStatus::Active);
        assert!(user.phone.is_some(), "nothing was erased");
        let notices = storage::notices::list(&test.db, ann, None, 10)
            .await
            .unwrap();
        assert_eq!(notices[0].kind.as_str(), "account_kept");
        assert_eq!(notices[0].order, None);
        let again = account_deletion::begin_erasure(&test.db, ann, now).await;
        assert_eq!(again.unwrap(), ErasureBegun::NothingToDo);
    })
    .await;
}

#[tokio::test]
async fn money_that_came_before_the_day_ends_the_wish() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        let now = Timestamp::now();
        let requested = account_deletion::request(&test.db, ann, now, now).await;
        requested.unwrap().unwrap();
        let paid = BOOKS[0].replace(", 3, '", ", 2, '");
        test.execute(&paid.replace("{user}", &ann.to_string()))
            .await;
        assert!(!account_deletion::close(&test.db, ann, now).await.unwrap());
        assert_eq!(
            account_deletion::get(&test.db, ann).await.unwrap(),
            None,
            "it does not come back by itself"
        );
        let user = users::get(&test.db, ann).await.unwrap().unwrap();
        assert_eq!(user.status, UserStatus::Active);
        let notices = storage::notices::list(&test.db, ann, None, 10).await;
        assert_eq!(notices.unwrap()[0].kind.as_str(), "account_kept");
    })
    .await;
}

#[tokio::test]
async fn the_wish_of_somebody_who_is_blocked_waits_and_undoes_no_block() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        let now = Timestamp::now();
        let requested = account_deletion::request(&test.db, ann, now, now).await;
        requested.unwrap().unwrap();
        let due = async || {
            account_deletion::list(&test.db, DeletionState::Requested, Timestamp::MAX, 10)
                .await
                .unwrap()
        };
        assert_eq!(due().await, [ann]);
        let set = async |status| {
            users::set_status(&test.db, ann, status, None)
                .await
                .unwrap()
        };
        set(UserStatus::Blocked).await.unwrap();
        assert_eq!(due().await, []);
        assert!(!account_deletion::close(&test.db, ann, now).await.unwrap());
        let user = users::get(&test.db, ann).await.unwrap().unwrap();
        assert_eq!(user.status, UserStatus::Blocked);
        set(UserStatus::Active).await.unwrap();
        assert!(account_deletion::close(&test.db, ann, now).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn everything_that_is_open_is_in_the_way() {
    on_both(async |test| {
        let cases: [(&str, &str, ObstacleKind); 10] = [
            (
                "UPDATE tb_user SET role = 1 WHERE id = {user}",
                "UPDATE tb_user SET role = 0",
                ObstacleKind::Role,
            ),
            (
                "INSERT INTO tb_shop (name, type_id, images, address, x, y, owner_id) \
                 VALUES ('a', 1, '', '', 0, 0, {user})",
                "DELETE FROM tb_shop",
                ObstacleKind::Shops,
            ),
            (
                "{order 1}",
                "DELETE FROM tb_voucher_order",
                ObstacleKind::UnpaidOrders,
            ),
            (
                "{order 2}",
                "DELETE FROM tb_voucher_order",
                ObstacleKind::PaidOrders,
            ),
            (
                "{order 5}",
                "DELETE FROM tb_voucher_order",
                ObstacleKind::Refunds,
            ),
            (
                "{payment 5}",
                "DELETE FROM tb_payment",
                ObstacleKind::Refunds,
            ),
            (
                "{payment 0}",
                "DELETE FROM tb_payment",
                ObstacleKind::Payments,
            ),
            (
                "INSERT INTO tb_dead_order (order_id, voucher_id, user_id, reason, payload, state) \
                 VALUES (3, 1, {user}, 'late', '', 0)",
                "DELETE FROM tb_dead_order",
                ObstacleKind::OrdersInDoubt,
            ),
            (
                "INSERT INTO tb_dead_order (order_id, voucher_id, user_id, reason, payload, state) \
                 VALUES (3, 1, {user}, 'late', '', 3)",
                "DELETE FROM tb_dead_order",
                ObstacleKind::OrdersInDoubt,
            ),
            (
                "INSERT INTO tb_account (user_id, balance_cents, update_time) \
                 VALUES ({user}, 1, '2026-01-01 00:00:00')",
                "DELETE FROM tb_account",
                ObstacleKind::Balance,
            ),
        ];
        let ann = person(&test, 1).await;
        for (make, settle, kind) in cases {
            let sql = match make.strip_prefix("{order ") {
                Some(rest) => {
                    let status = rest.trim_end_matches('}');
                    BOOKS[0].replace(", 3, '", &format!(", {status}, '"))
                }
                None => match make.strip_prefix("{payment ") {
                    Some(rest) => {
                        let state = rest.trim_end_matches('}');
                        BOOKS[3].replace("100, 1,", &format!("100, {state},"))
                    }
                    None => make.to_owned(),
                },
            };
            test.execute(&sql.replace("{user}", &ann.to_string())).await;
            let now = Timestamp::now();
            let refused = account_deletion::request(&test.db, ann, now, now)
                .await
                .unwrap();
            assert_eq!(refused, Err(vec![Obstacle { kind, count: 1 }]));
            test.execute(settle).await;
            let listed = account_deletion::list_obstacles(&test.db, ann).await;
            assert_eq!(listed.unwrap(), [], "{kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn of_keeping_and_closing_at_once_one_happens() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        let now = Timestamp::now();
        let requested = account_deletion::request(&test.db, ann, now, now)
            .await
            .unwrap();
        let again = account_deletion::request(&test.db, ann, now, now + 1.hour()).await;
        let due = requested.unwrap().due_at.as_millisecond();
        let again = again.unwrap().unwrap();
        assert_eq!(again.due_at.as_millisecond(), due, "the first one counts");
        let (is_kept, is_closed) = tokio::join!(
            account_deletion::keep(&test.db, ann),
            account_deletion::close(&test.db, ann, now)
        );
        let (is_kept, is_closed) = (is_kept.unwrap(), is_closed.unwrap());
        assert!(is_kept != is_closed, "{is_kept} {is_closed}");
        let user = users::find_by_contact(&test.db, &phone("13900000001")).await;
        let status = user.unwrap().unwrap().status;
        assert_eq!(status == UserStatus::Closed, is_closed);
        assert!(!account_deletion::keep(&test.db, ann).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn an_export_has_every_row_of_its_owner_and_none_of_others() {
    on_both(async |test| {
        let Lives { ann, .. } = two_lives(&test).await;
        for number in 0..=personal_data::PAGE_ROWS {
            let sql = format!(
                "INSERT INTO tb_upload (name, user_id, create_time) \
                 VALUES ('/blogs/2/{number}.webp', {ann}, '2026-01-01 00:00:00')"
            );
            test.execute(&sql).await;
        }
        for data in TABLES
            .iter()
            .filter(|data| data.exported().next().is_some())
        {
            let (mut rows, mut after) = (Vec::new(), None);
            loop {
                let page = personal_data::read_page(&test.db, ann, data, after.as_ref()).await;
                let page = page.unwrap();
                rows.extend(page.rows);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            let expected = rows_of(&test, data, ann).await;
            assert_eq!(rows.len() as i64, expected, "{}", data.table);
            for row in &rows {
                let named: BTreeSet<&str> = row.keys().map(String::as_str).collect();
                let mapped: BTreeSet<&str> = data.exported().map(|column| column.name).collect();
                assert!(named.is_subset(&mapped), "{}: {named:?}", data.table);
            }
            if data.table == "tb_user" {
                assert_eq!(rows[0]["phone"], "13900000001");
                assert_eq!(rows[0].get("password"), None);
            }
            if data.table == "tb_sign" {
                assert_eq!(rows[0]["date"], "2026-01-05");
            }
        }
    })
    .await;
}
