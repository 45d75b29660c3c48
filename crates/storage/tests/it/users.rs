//! People: one row per contact, profiles, roles.

use domain::{PasswordHash, ProfileChange, Role, Shown, ShownChange, UserId};
use jiff::Timestamp;
use jiff::civil::date;
use storage::users::{self, UserStatus};

use crate::support::{email, on_both, phone};

#[tokio::test]
async fn sixty_four_first_logins_of_one_number_make_one_account() {
    on_both(async |test| {
        let contact = phone("13800000001");
        let logins = (0..64).map(|n| {
            let (db, contact) = (test.db.clone(), contact.clone());
            let login = async move { users::find_or_create(&db, &contact, &format!("n{n}")).await };
            tokio::spawn(login)
        });
        let mut ids = Vec::new();
        for login in logins.collect::<Vec<_>>() {
            ids.push(login.await.unwrap().unwrap().id);
        }
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
        assert_eq!(test.count("tb_user").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_new_account_is_plain_active_and_found_again() {
    on_both(async |test| {
        let before = Timestamp::now().as_second();
        let contact = email("li@example.com");
        let made = users::find_or_create(&test.db, &contact, "user_abc")
            .await
            .unwrap();
        assert_eq!((made.role, made.status), (Role::User, UserStatus::Active));
        assert_eq!(
            (made.nick_name.as_str(), made.icon.as_str()),
            ("user_abc", "")
        );
        assert_eq!(made.phone, None);
        assert!((before..=before + 60).contains(&made.created_at.as_second()));

        let again = users::find_or_create(&test.db, &contact, "other")
            .await
            .unwrap();
        assert_eq!(again, made);
        let found = users::find_by_contact(&test.db, &contact).await.unwrap();
        assert_eq!(found, Some(made.clone()));
        assert_eq!(users::get(&test.db, made.id).await.unwrap(), Some(made));
    })
    .await;
}

#[tokio::test]
async fn addresses_that_differ_in_case_are_one_person_on_both_databases() {
    on_both(async |test| {
        let lower = users::find_or_create(&test.db, &email("li@example.com"), "a").await;
        let upper = users::find_or_create(&test.db, &email("Li@Example.com"), "b").await;
        assert_eq!(lower.unwrap().id, upper.unwrap().id);
    })
    .await;
}

#[tokio::test]
async fn many_are_fetched_at_once_and_unknown_ids_left_out() {
    on_both(async |test| {
        let mut ids = Vec::new();
        for n in 0..3 {
            let contact = phone(&format!("1380000000{n}"));
            ids.push(
                users::find_or_create(&test.db, &contact, "a")
                    .await
                    .unwrap()
                    .id,
            );
        }
        let asked: Vec<UserId> = ids
            .iter()
            .copied()
            .chain((9_000..11_500).map(UserId::new))
            .collect();
        let mut got: Vec<UserId> = users::get_many(&test.db, &asked)
            .await
            .unwrap()
            .iter()
            .map(|user| user.id)
            .collect();
        got.sort();
        assert_eq!(got, ids);
        assert!(users::get_many(&test.db, &[]).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_profile_update_changes_only_the_given_fields() {
    on_both(async |test| {
        let user = users::find_or_create(&test.db, &phone("13800000001"), "user_x")
            .await
            .unwrap();
        assert_eq!(users::get_info(&test.db, user.id).await.unwrap(), None);

        let whole = ProfileChange {
            nick_name: Some("小鱼🐟同学👩‍👩‍👧".to_owned()),
            icon: Some("/imgs/a.webp".to_owned()),
            city: Some("杭州".to_owned()),
            introduce: Some("吃遍天下 🍜".to_owned()),
            is_female: Some(true),
            birthday: Some(date(1999, 2, 28)),
            shown: ShownChange {
                city: Some(true),
                ..ShownChange::default()
            },
        };
        let after = users::update_profile(&test.db, user.id, &whole)
            .await
            .unwrap();
        assert_eq!(after.nick_name, "小鱼🐟同学👩‍👩‍👧");
        assert_eq!(
            users::get(&test.db, user.id).await.unwrap(),
            Some(after.clone())
        );

        let shown = users::get_shown(&test.db, user.id).await.unwrap();
        let city_alone = Shown {
            city: true,
            ..Shown::default()
        };
        assert_eq!(shown, city_alone);
        let one = ProfileChange {
            city: Some("上海".to_owned()),
            ..Default::default()
        };
        assert_eq!(
            users::update_profile(&test.db, user.id, &one)
                .await
                .unwrap(),
            after
        );
        let info = users::get_info(&test.db, user.id).await.unwrap().unwrap();
        assert_eq!(
            (info.city.as_str(), info.introduce.as_str()),
            ("上海", "吃遍天下 🍜")
        );
        assert_eq!(
            (info.is_female, info.birthday),
            (true, Some(date(1999, 2, 28)))
        );
    })
    .await;
}

#[tokio::test]
async fn changes_of_one_profile_at_once_all_take_effect() {
    on_both(async |test| {
        let id = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap()
            .id;
        let changes = [
            ProfileChange {
                city: Some("杭州".to_owned()),
                ..Default::default()
            },
            ProfileChange {
                introduce: Some("hi".to_owned()),
                ..Default::default()
            },
            ProfileChange {
                is_female: Some(true),
                ..Default::default()
            },
            ProfileChange {
                nick_name: Some("n".to_owned()),
                ..Default::default()
            },
        ];
        let updates = changes.map(|change| {
            let db = test.db.clone();
            tokio::spawn(async move { users::update_profile(&db, id, &change).await })
        });
        for update in updates {
            update.await.unwrap().unwrap();
        }
        let info = users::get_info(&test.db, id).await.unwrap().unwrap();
        assert_eq!(
            (info.city.as_str(), info.introduce.as_str(), info.is_female),
            ("杭州", "hi", true)
        );
        assert_eq!(
            users::get(&test.db, id).await.unwrap().unwrap().nick_name,
            "n"
        );
    })
    .await;
}

#[tokio::test]
async fn the_profile_of_nobody_cannot_be_changed() {
    on_both(async |test| {
        let change = ProfileChange {
            city: Some("杭州".to_owned()),
            ..Default::default()
        };
        let error = users::update_profile(&test.db, UserId::new(7), &change)
            .await
            .unwrap_err();
        assert!(matches!(error, storage::Error::NoSuchUser(_)), "{error:?}");
        assert!(!error.is_unavailable());
        assert_eq!(test.count("tb_user_info").await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_role_is_given_with_a_record_and_nobody_is_created_for_it() {
    on_both(async |test| {
        let contact = phone("13800000001");
        let nobody = users::set_role(&test.db, &contact, Role::Admin, None)
            .await
            .unwrap();
        assert_eq!(nobody, None);
        assert_eq!(
            (test.count("tb_user").await, test.count("tb_audit").await),
            (0, 0)
        );

        let user = users::find_or_create(&test.db, &contact, "x")
            .await
            .unwrap();
        let admin = users::set_role(&test.db, &contact, Role::Admin, Some(user.id))
            .await
            .unwrap();
        assert_eq!(admin.map(|user| user.role), Some(Role::Admin));
        let line = format!("{}|set_role|user:{}|user -> admin", user.id, user.id);
        let select = "SELECT CONCAT_WS('|', actor_id, action, subject, detail) FROM tb_audit";
        assert_eq!(test.texts(select).await, [line]);
    })
    .await;
}

#[tokio::test]
async fn a_blocked_person_can_be_unblocked() {
    on_both(async |test| {
        let id = users::find_or_create(&test.db, &phone("13800000001"), "x")
            .await
            .unwrap()
            .id;
        for status in [UserStatus::Blocked, UserStatus::Active] {
            let user = users::set_status(&test.db, id, status, None).await.unwrap();
            assert_eq!(user.map(|user| user.status), Some(status));
            assert_eq!(
                users::get(&test.db, id).await.unwrap().unwrap().status,
                status
            );
        }
        let nobody = users::set_status(&test.db, UserId::new(99), UserStatus::Blocked, None).await;
        assert_eq!(nobody.unwrap(), None);
        assert_eq!(test.count("tb_audit").await, 2);
    })
    .await;
}

#[tokio::test]
async fn an_odd_phone_number_in_an_old_row_does_not_break_reading() {
    on_both(async |test| {
        test.execute(
            "INSERT INTO tb_user (id, phone, nick_name) VALUES (1, '02112345678', '老用户')",
        )
        .await;
        let user = users::get(&test.db, UserId::new(1)).await.unwrap().unwrap();
        assert_eq!((user.phone, user.nick_name.as_str()), (None, "老用户"));
    })
    .await;
}

fn hash(text: &str) -> PasswordHash {
    PasswordHash::parse(&format!("$argon2id${text}")).unwrap()
}

#[tokio::test]
async fn a_password_replaces_the_one_that_its_owner_knew() {
    on_both(async |test| {
        let contact = phone("13800000001");
        let user = users::find_or_create(&test.db, &contact, "a")
            .await
            .unwrap();
        let other = phone("13800000002");
        users::find_or_create(&test.db, &other, "b").await.unwrap();
        let (first, second) = (hash("first"), hash("second"));
        let set = async |known: Option<&PasswordHash>, new: Option<&PasswordHash>| {
            users::set_password(&test.db, user.id, known, new, 7)
                .await
                .unwrap()
        };
        assert!(
            !set(Some(&first), Some(&second)).await,
            "there is none to replace"
        );
        assert!(set(None, Some(&first)).await);
        assert!(!set(None, Some(&second)).await, "there is one already");
        assert!(!set(Some(&second), None).await, "it is another one");
        let stored = users::find_password(&test.db, &contact).await.unwrap();
        assert_eq!(stored.as_ref(), Some(&first));
        assert!(set(Some(&first), Some(&second)).await);
        let stored = users::get_password(&test.db, user.id).await.unwrap();
        assert_eq!(stored, Some(second.clone()));
        assert_eq!(users::find_password(&test.db, &other).await.unwrap(), None);
        assert!(set(Some(&second), None).await);
        assert_eq!(users::get_password(&test.db, user.id).await.unwrap(), None);

        let actions = test.texts("SELECT action FROM tb_audit ORDER BY id").await;
        assert_eq!(
            actions,
            ["set_password", "change_password", "remove_password"]
        );
        let kinds = test.texts("SELECT kind FROM tb_outbox ORDER BY id").await;
        assert_eq!(
            kinds,
            ["password_changed", "password_changed"],
            "the first ends no session"
        );
    })
    .await;
}

#[tokio::test]
async fn what_an_adopted_database_holds_is_no_password_and_may_be_replaced() {
    on_both(async |test| {
        let contact = phone("13800000001");
        let user = users::find_or_create(&test.db, &contact, "a")
            .await
            .unwrap();
        for stored in [
            "",
            "123456",
            "salt@5f4dcc3b5aa765d61d8327deb882cf99",
            "$2b$12$abc",
        ] {
            test.execute(&format!("UPDATE tb_user SET password = '{stored}'"))
                .await;
            let found = users::find_password(&test.db, &contact).await.unwrap();
            assert_eq!(found, None, "{stored}");
        }
        let first = hash("first");
        let set = users::set_password(&test.db, user.id, None, Some(&first), 7).await;
        assert!(set.unwrap());
    })
    .await;
}
