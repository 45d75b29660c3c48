//! What the columns hold and what they refuse, the same on both databases.

use domain::profile::{CITY_MAX_CHARS, INTRODUCE_MAX_CHARS, NICK_NAME_MAX_CHARS};
use domain::{NoteId, ProfileChange, Role, ShopId, UserId};
use jiff::Timestamp;
use sea_orm::ConnectionTrait;
use storage::bulk::{self, NoteRow, UserRow};
use storage::users;

use crate::support::{on_both, phone};

#[tokio::test]
async fn texts_as_long_as_allowed_are_kept_whole() {
    on_both(async |test| {
        let id = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap()
            .id;
        let longest = ProfileChange {
            nick_name: Some("🐟".repeat(NICK_NAME_MAX_CHARS)),
            city: Some("杭".repeat(CITY_MAX_CHARS)),
            introduce: Some("🍜".repeat(INTRODUCE_MAX_CHARS)),
            ..Default::default()
        };
        let user = users::update_profile(&test.db, id, &longest).await.unwrap();
        let info = users::get_info(&test.db, id).await.unwrap().unwrap();
        assert_eq!(Some(user.nick_name), longest.nick_name);
        assert_eq!(Some(info.city), longest.city);
        assert_eq!(Some(info.introduce), longest.introduce);
    })
    .await;
}

#[tokio::test]
async fn a_text_that_is_too_long_is_refused_not_cut() {
    on_both(async |test| {
        let id = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap()
            .id;
        let too_long = ProfileChange {
            nick_name: Some("x".repeat(NICK_NAME_MAX_CHARS + 1)),
            ..Default::default()
        };
        let error = users::update_profile(&test.db, id, &too_long)
            .await
            .unwrap_err();
        assert!(!error.is_unavailable(), "{error:?}");
        assert_eq!(
            users::get(&test.db, id).await.unwrap().unwrap().nick_name,
            "x"
        );
    })
    .await;
}

#[tokio::test]
async fn a_note_of_the_greatest_length_fits() {
    on_both(async |test| {
        let note = NoteRow {
            id: NoteId::new(1),
            shop_id: ShopId::new(1),
            user_id: UserId::new(1),
            title: "题".repeat(255),
            images: "/".repeat(2048),
            content: "😋".repeat(2048),
            score: Some(5),
            opinion: Default::default(),
            created_at: Timestamp::now(),
        };
        bulk::insert_notes(&test.db, std::slice::from_ref(&note))
            .await
            .unwrap();
        let content = test.texts("SELECT content FROM tb_blog").await;
        assert_eq!(content, [note.content]);
    })
    .await;
}

#[tokio::test]
async fn instants_come_back_to_the_millisecond() {
    on_both(async |test| {
        for (n, text) in [
            "2026-11-15T23:59:59.999Z",
            "2026-02-28T16:00:00Z",
            "2099-12-31T23:59:59.001Z",
            "1970-01-01T00:00:01Z",
        ]
        .into_iter()
        .enumerate()
        {
            let created_at: Timestamp = text.parse().unwrap();
            let id = UserId::new(1 + i64::try_from(n).unwrap());
            let row = UserRow {
                id,
                phone: None,
                email: None,
                nick_name: "x".to_owned(),
                icon: String::new(),
                role: Role::User,
                created_at,
            };
            bulk::insert_users(&test.db, &[row]).await.unwrap();
            let user = users::get(&test.db, id).await.unwrap().unwrap();
            assert_eq!(user.created_at, created_at);
        }
    })
    .await;
}

#[tokio::test]
async fn stock_never_falls_below_zero() {
    on_both(async |test| {
        test.execute(
            "INSERT INTO tb_seckill_voucher (voucher_id, stock, initial_stock, begin_time, end_time) \
             VALUES (1, 1, 1, '2026-01-01 00:00:00', '2026-01-02 00:00:00')",
        )
        .await;
        let take = "UPDATE tb_seckill_voucher SET stock = stock - 1 WHERE voucher_id = 1";
        let connection = test.raw_connection().await;
        connection.execute_unprepared(take).await.unwrap();
        connection.execute_unprepared(take).await.unwrap_err();
    })
    .await;
}

#[tokio::test]
async fn a_person_holds_one_live_order_per_slot_and_any_number_of_dead_ones() {
    on_both(async |test| {
        let order = |id: i64, slot: &str| {
            format!(
                "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, slot, pay_deadline) \
                 VALUES ({id}, 7, 3, 1, {slot}, '2026-01-01 00:00:00')"
            )
        };
        let connection = test.raw_connection().await;
        for (id, slot) in [(1, "NULL"), (2, "NULL"), (3, "1"), (4, "2")] {
            connection.execute_unprepared(&order(id, slot)).await.unwrap();
        }
        connection.execute_unprepared(&order(5, "1")).await.unwrap_err();
    })
    .await;
}

#[tokio::test]
async fn a_number_that_was_given_is_never_given_again() {
    on_both(async |test| {
        let first = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap();
        test.execute("DELETE FROM tb_user").await;
        let second = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap();
        assert!(second.id > first.id, "{} after {}", second.id, first.id);
    })
    .await;
}
