//! Demo data and people for load tests.

use domain::{NoteId, Phone, Role, ShopId, ShopTypeId, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait};
use storage::bulk::{
    self, CommentRow, CountedTable, FollowRow, LikeRow, NoteRow, SeckillVoucherRow, ShopRow,
    ShopTypeRow, Surplus, UserInfoRow, UserRow, VoucherKind, VoucherRow, VoucherStatus,
};
use storage::{Db, Error, users};

use crate::support::{TestDb, on_both};

fn people(count: i64) -> Vec<UserRow> {
    (1..=count)
        .map(|n| UserRow {
            id: UserId::new(n),
            phone: Some(Phone::parse(&format!("139{n:08}")).unwrap()),
            email: None,
            nick_name: format!("人{n}"),
            icon: String::new(),
            role: Role::User,
            created_at: Timestamp::UNIX_EPOCH,
        })
        .collect()
}

fn shop(id: i64, score: i32) -> ShopRow {
    ShopRow {
        id: ShopId::new(id),
        name: "茶餐厅".to_owned(),
        type_id: ShopTypeId::new(1),
        images: "/imgs/a.webp".to_owned(),
        area: Some("大关".to_owned()),
        address: "金华路锦昌文华苑29号".to_owned(),
        x: 120.149192,
        y: 30.316078,
        avg_price_yuan: Some(80),
        score,
        open_hours: Some("10:00-22:00".to_owned()),
        phone: Some("0571-00012345".to_owned()),
        owner_id: None,
        created_at: Timestamp::UNIX_EPOCH,
    }
}

fn note(id: i64, shop: i64, score: Option<i16>) -> NoteRow {
    NoteRow {
        id: NoteId::new(id),
        shop_id: ShopId::new(shop),
        user_id: UserId::new(1),
        title: "好吃".to_owned(),
        images: "/imgs/a.webp".to_owned(),
        content: "真的".to_owned(),
        score,
        opinion: Default::default(),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

fn like(note: i64, user: i64) -> LikeRow {
    LikeRow {
        note_id: NoteId::new(note),
        user_id: UserId::new(user),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

fn follow(user: i64, followed: i64) -> FollowRow {
    FollowRow {
        user_id: UserId::new(user),
        followed_id: UserId::new(followed),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

#[tokio::test]
async fn inserting_again_adds_only_what_is_new() {
    on_both(async |test| {
        assert_eq!(
            bulk::insert_users(&test.db, &people(25_000)).await.unwrap(),
            25_000
        );
        assert_eq!(
            bulk::insert_users(&test.db, &people(25_010)).await.unwrap(),
            10
        );
        assert_eq!(test.count("tb_user").await, 25_010);
        assert_eq!(bulk::insert_users(&test.db, &[]).await.unwrap(), 0);
        let last = users::get(&test.db, UserId::new(25_010))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(last.nick_name, "人25010");
    })
    .await;
}

#[tokio::test]
async fn a_row_whose_other_key_is_taken_is_passed_over() {
    on_both(async |test| {
        bulk::insert_users(&test.db, &people(1)).await.unwrap();
        let mut same_phone = people(1);
        same_phone[0].id = UserId::new(77);
        assert_eq!(bulk::insert_users(&test.db, &same_phone).await.unwrap(), 0);

        let follows = [follow(1, 2), follow(1, 2), follow(2, 1)];
        assert_eq!(bulk::insert_follows(&test.db, &follows).await.unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn the_next_account_gets_a_number_above_the_given_ones() {
    on_both(async |test| {
        bulk::insert_users(&test.db, &people(500)).await.unwrap();
        let contact = Phone::parse("13000000000").unwrap().into();
        let user = users::find_or_create(&test.db, &contact, "x")
            .await
            .unwrap();
        assert!(user.id.get() > 500, "{}", user.id);
    })
    .await;
}

#[tokio::test]
async fn recounting_makes_every_counter_true() {
    on_both(async |test| {
        fill_small_world(&test.db).await;
        test.execute("UPDATE tb_blog SET liked = 99, comments = 99").await;
        test.execute(
            "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, status, pay_deadline) VALUES \
             (1, 1, 1, 1, 2, '2026-01-01 00:00:00'), (2, 1, 1, 1, 4, '2026-01-01 00:00:00'), \
             (3, 2, 1, 1, 3, '2026-01-01 00:00:00')",
        )
        .await;
        test.execute("UPDATE tb_blog_comments SET status = 2 WHERE id = 2").await;
        for _ in 0..2 {
            recount(&test.db, Surplus::Drop).await.unwrap();
            assert_counters(&test).await;
        }
    })
    .await;
}

/// Numbers that no rows explain: of an adopted database, or written by hand.
#[tokio::test]
async fn a_number_without_rows_is_kept_and_rows_are_added_to_it() {
    on_both(async |test| {
        let db = &test.db;
        fill_small_world(db).await;
        recount(db, Surplus::Keep).await.unwrap();
        for sql in [
            "UPDATE tb_shop SET sold = 4215, comments = 3035 WHERE id = 2",
            "UPDATE tb_blog SET liked = 100, comments = 50 WHERE id = 2",
            "UPDATE tb_blog_comments SET liked = 9 WHERE id = 1",
            "UPDATE tb_shop SET comments = 1 WHERE id = 1",
            "UPDATE tb_user_info SET fans = 77",
        ] {
            test.execute(sql).await;
        }
        let mut found = bulk::compare_counters(db, &CountedTable::ALL)
            .await
            .unwrap();
        found.sort_by_key(|difference| difference.counter);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.counter, found.below, found.above, found.has_base))
            .collect();
        assert_eq!(
            found,
            [
                ("tb_blog.comments", 0, 1, true),
                ("tb_blog.liked", 0, 1, true),
                ("tb_blog_comments.liked", 0, 1, true),
                ("tb_shop.comments", 1, 1, true),
                ("tb_shop.sold", 0, 1, true),
                ("tb_user_info.fans", 0, 3, false),
            ]
        );
        for _ in 0..2 {
            recount(db, Surplus::Keep).await.unwrap();
            let numbers = "SELECT CONCAT_WS(' ', sold, comments, score) FROM tb_shop ORDER BY id";
            assert_eq!(test.texts(numbers).await, ["0 3 45", "4215 3035 42"]);
            let notes = "SELECT CONCAT_WS(' ', liked, comments) FROM tb_blog WHERE id = 2";
            assert_eq!(test.texts(notes).await, ["100 50"]);
        }
        bulk::insert_likes(db, &[like(2, 2), like(2, 3)])
            .await
            .unwrap();
        bulk::insert_notes(db, &[note(9, 2, Some(5))])
            .await
            .unwrap();
        recount(db, Surplus::Drop).await.unwrap();
        let numbers = "SELECT CONCAT_WS(' ', sold, comments, score) FROM tb_shop WHERE id = 2";
        assert_eq!(test.texts(numbers).await, ["4215 3036 42"]);
        let notes = "SELECT CONCAT_WS(' ', liked, comments) FROM tb_blog WHERE id = 2";
        assert_eq!(test.texts(notes).await, ["102 50"]);
        let none = bulk::compare_counters(db, &CountedTable::ALL)
            .await
            .unwrap();
        assert_eq!(none, []);
    })
    .await;
}

#[tokio::test]
async fn recounting_beside_people_who_like_loses_no_like() {
    on_both(async |test| {
        // The likes go to the last of many: by then the recount has begun to look at the rows.
        let notes: Vec<NoteRow> = (1..=LIKED).map(|id| note(id, 1, None)).collect();
        bulk::insert_notes(&test.db, &notes).await.unwrap();
        let people = test.raw_connection().await;
        for round in 0..20 {
            let likes = async {
                for user in 0..10 {
                    like_one(&people, 10 * round + user).await;
                }
            };
            let (recounted, ()) = tokio::join!(recount(&test.db, Surplus::Drop), likes);
            recounted.unwrap();
            let liked = format!("SELECT CONCAT('', liked) FROM tb_blog WHERE id = {LIKED}");
            let expected = 10 * (round + 1);
            assert_eq!(test.texts(&liked).await, [expected.to_string()]);
        }
    })
    .await;
}

async fn recount(db: &Db, surplus: Surplus) -> Result<(), Error> {
    bulk::recount(db, &CountedTable::ALL, surplus).await
}

/// The note that people like in the test above.
const LIKED: i64 = 200;

/// As the site does it: the row and its counter in one transaction.
async fn like_one(connection: &DatabaseConnection, user: i64) {
    let transaction = connection.begin().await.unwrap();
    for sql in [
        format!("INSERT INTO tb_blog_like (blog_id, user_id) VALUES ({LIKED}, {user})"),
        format!("UPDATE tb_blog SET liked = liked + 1 WHERE id = {LIKED}"),
    ] {
        transaction.execute_unprepared(&sql).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

async fn fill_small_world(db: &Db) {
    bulk::insert_users(db, &people(4)).await.unwrap();
    let info = UserInfoRow {
        user_id: UserId::new(1),
        city: "杭州".to_owned(),
        introduce: None,
        is_female: true,
        birthday: None,
        credits: 3,
        level: 1,
        created_at: Timestamp::UNIX_EPOCH,
    };
    bulk::insert_user_infos(db, &[info]).await.unwrap();
    let shop_type = ShopTypeRow {
        id: ShopTypeId::new(1),
        name: "美食".to_owned(),
        icon: "/types/ms.png".to_owned(),
        sort: 1,
        created_at: Timestamp::UNIX_EPOCH,
    };
    bulk::insert_shop_types(db, &[shop_type]).await.unwrap();
    bulk::insert_shops(db, &[shop(1, 37), shop(2, 42)])
        .await
        .unwrap();
    insert_sale(db).await;
    let notes = [note(1, 1, Some(5)), note(2, 1, Some(4)), note(3, 1, None)];
    bulk::insert_notes(db, &notes).await.unwrap();
    bulk::insert_likes(db, &[like(1, 1), like(1, 2), like(2, 1)])
        .await
        .unwrap();
    bulk::insert_comments(db, &[comment(1), comment(2), comment(3)])
        .await
        .unwrap();
    let follows = [follow(1, 2), follow(3, 2), follow(2, 1)];
    bulk::insert_follows(db, &follows).await.unwrap();
}

async fn insert_sale(db: &Db) {
    let begin_at = Timestamp::UNIX_EPOCH;
    let voucher = VoucherRow {
        id: VoucherId::new(1),
        shop_id: ShopId::new(1),
        title: "100元代金券".to_owned(),
        sub_title: Some("周一至周日".to_owned()),
        rules: Some("全场通用\n无需预约".to_owned()),
        pay_value_cents: 8_000,
        actual_value_cents: 10_000,
        kind: VoucherKind::Flash,
        status: VoucherStatus::On,
        created_at: begin_at,
    };
    bulk::insert_vouchers(db, &[voucher]).await.unwrap();
    let sale = SeckillVoucherRow {
        voucher_id: VoucherId::new(1),
        stock: 100,
        begin_at,
        end_at: begin_at + SignedDuration::from_hours(1),
        limit_per_user: 1,
        created_at: begin_at,
    };
    bulk::insert_seckill_vouchers(db, &[sale]).await.unwrap();
}

fn comment(id: i64) -> CommentRow {
    CommentRow {
        id,
        user_id: UserId::new(1),
        note_id: NoteId::new(1),
        parent_id: 0,
        answer_id: 0,
        content: "同意".to_owned(),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

async fn assert_counters(test: &TestDb) {
    let notes = "SELECT CONCAT_WS(' ', id, liked, comments) FROM tb_blog ORDER BY id";
    assert_eq!(test.texts(notes).await, ["1 2 2", "2 1 0", "3 0 0"]);
    let shops = "SELECT CONCAT_WS(' ', id, sold, comments, score) FROM tb_shop ORDER BY id";
    assert_eq!(test.texts(shops).await, ["1 2 3 45", "2 0 0 42"]);
    let people =
        "SELECT CONCAT_WS(' ', user_id, fans, followee) FROM tb_user_info ORDER BY user_id";
    assert_eq!(test.texts(people).await, ["1 1 1", "2 2 1", "3 0 1"]);
}
