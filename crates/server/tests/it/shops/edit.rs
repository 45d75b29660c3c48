//! Opening and changing shops: who may, what may be said, and that it shows at once.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use super::{
    ADMIN, FOOD, HERE, KTV, MERCHANT, RIVAL, USER, around, grant, ids, list, new_shop, open_shop,
    sign_in, site, sites,
};

async fn change(client: &Client, body: Value) -> (u16, String) {
    let answer = client.put_json("/api/shop", &body).await;
    let json = answer.json();
    let outcome = json["code"].as_str().unwrap_or("done").to_owned();
    (answer.status.as_u16(), outcome)
}

async fn read(app: &TestApp, id: i64) -> Value {
    app.visitor().get(&format!("/api/shop/{id}")).await.data()
}

#[tokio::test]
async fn merchants_and_admins_open_shops_and_nobody_else_does() {
    for app in sites().await {
        let shop = new_shop("茶餐厅");
        let nobody = app.visitor().post_json("/api/shop", &shop).await;
        assert_eq!(
            (nobody.status.as_u16(), nobody.code().as_str()),
            (401, "not_signed_in")
        );
        let user = app.sign_in(USER).await.post_json("/api/shop", &shop).await;
        assert_eq!(
            (user.status.as_u16(), user.code().as_str()),
            (403, "forbidden")
        );
        for (phone, role) in [(MERCHANT, Role::Merchant), (ADMIN, Role::Admin)] {
            let person = sign_in(&app, phone, role).await;
            let id = open_shop(&person, &shop).await;
            assert_eq!(read(&app, id).await["name"], "茶餐厅");
        }
    }
}

#[tokio::test]
async fn a_shop_is_changed_by_its_owner_or_an_admin() {
    for app in sites().await {
        let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
        let id = open_shop(&owner, &new_shop("茶餐厅")).await;
        let renamed = |name: &str| json!({ "id": id, "name": name });
        let rival = sign_in(&app, RIVAL, Role::Merchant).await;
        assert_eq!(
            change(&rival, renamed("抢来的")).await,
            (403, "forbidden".into())
        );
        let user = app.sign_in(USER).await;
        assert_eq!(
            change(&user, renamed("抢来的")).await,
            (403, "forbidden".into())
        );
        assert_eq!(
            change(&app.visitor(), renamed("抢来的")).await,
            (401, "not_signed_in".into())
        );
        assert_eq!(read(&app, id).await["name"], "茶餐厅");
        assert_eq!(
            change(&owner, renamed("新茶餐厅")).await,
            (200, "done".into())
        );
        assert_eq!(read(&app, id).await["name"], "新茶餐厅");
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        assert_eq!(
            change(&admin, renamed("好茶餐厅")).await,
            (200, "done".into())
        );
        assert_eq!(read(&app, id).await["name"], "好茶餐厅");
        // A shop's owner who is no merchant any more may not edit it, and their session has ended before that.
        grant(&app, MERCHANT, Role::User).await;
        assert_eq!(
            change(&owner, renamed("旧")).await,
            (401, "not_signed_in".into())
        );
    }
}

#[tokio::test]
async fn a_change_without_a_shop_is_refused() {
    let app = site().await;
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let missing = owner.put_json("/api/shop", &json!({ "name": "x" })).await;
    assert_eq!(missing.code(), "shop_id_missing");
    assert_eq!(missing.json()["errorMsg"], "店铺id不能为空");
    for id in [0, -1, 9_999_999] {
        let unknown = change(&owner, json!({ "id": id, "name": "x" })).await;
        assert_eq!(unknown, (200, "shop_not_found".into()));
    }
}

#[tokio::test]
async fn every_field_has_its_bounds_and_its_refusal() {
    let app = site().await;
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let id = open_shop(&owner, &new_shop("茶餐厅")).await;
    let before = read(&app, id).await;
    let cases = [
        (json!({ "name": " " }), "shop_name_invalid"),
        (json!({ "name": "茶".repeat(129) }), "shop_name_invalid"),
        (json!({ "typeId": 99 }), "shop_type_unknown"),
        (
            json!({ "images": "https://elsewhere.example/a.png" }),
            "shop_picture_foreign",
        ),
        (json!({ "area": "区".repeat(129) }), "shop_area_invalid"),
        (json!({ "address": "" }), "shop_address_invalid"),
        (json!({ "x": 180.5 }), "shop_position_invalid"),
        (json!({ "y": 86 }), "shop_position_invalid"),
        (json!({ "avgPrice": -1 }), "shop_price_invalid"),
        (json!({ "openHours": "25:00" }), "shop_hours_invalid"),
        (
            json!({ "phone": "0571-0001 2345转8" }),
            "shop_phone_invalid",
        ),
        (json!({ "phone": "12" }), "shop_phone_invalid"),
    ];
    for (field, code) in cases {
        let mut changed = field.clone();
        changed["id"] = id.into();
        assert_eq!(
            change(&owner, changed).await,
            (200, code.to_owned()),
            "{field}"
        );
        let mut opened = new_shop("另一家");
        opened
            .as_object_mut()
            .unwrap()
            .extend(field.as_object().unwrap().clone());
        let refused = owner.post_json("/api/shop", &opened).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (200, code),
            "{field}"
        );
    }
    assert_eq!(read(&app, id).await, before);
    for field in ["name", "typeId", "address", "x", "y"] {
        let mut shop = new_shop("缺");
        shop.as_object_mut().unwrap().remove(field);
        let refused = owner.post_json("/api/shop", &shop).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (400, "malformed"),
            "{field}"
        );
    }
}

#[tokio::test]
async fn what_is_counted_or_owned_cannot_be_said() {
    for app in sites().await {
        let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
        let mut shop = new_shop("茶餐厅");
        let wishes = json!({
            "id": 77, "sold": 9, "comments": 9, "score": 50, "ownerId": 9, "version": 9, "distance": 1,
            "createTime": "2020-01-01T00:00:00",
        });
        shop.as_object_mut()
            .unwrap()
            .extend(wishes.as_object().unwrap().clone());
        let id = open_shop(&owner, &shop).await;
        assert_ne!(id, 77);
        let mut changed = wishes;
        changed["id"] = id.into();
        changed["area"] = "大关".into();
        assert_eq!(change(&owner, changed).await.1, "done");
        let read = read(&app, id).await;
        assert_eq!(read["area"], "大关");
        assert_eq!(
            (&read["sold"], &read["comments"], &read["score"]),
            (&0.into(), &0.into(), &0.into())
        );
        assert_ne!(read["createTime"], "2020-01-01T00:00:00");
        assert_eq!(
            change(&owner, json!({ "id": id, "name": "仍是我的" }))
                .await
                .1,
            "done"
        );
    }
}

#[tokio::test]
async fn absent_fields_stay_and_a_change_of_nothing_is_fine() {
    let app = site().await;
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let mut shop = new_shop("茶餐厅");
    let more = json!({ "area": "大关", "avgPrice": 80, "openHours": "10:00-22:00", "images": "/imgs/a.webp" });
    shop.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let id = open_shop(&owner, &shop).await;
    let before = read(&app, id).await;
    assert_eq!(change(&owner, json!({ "id": id })).await.1, "done");
    assert_eq!(read(&app, id).await, before);
    assert_eq!(
        change(&owner, json!({ "id": id, "name": null, "avgPrice": 90 }))
            .await
            .1,
        "done"
    );
    let after = read(&app, id).await;
    assert_eq!(
        (&after["name"], &after["avgPrice"], &after["area"]),
        (&"茶餐厅".into(), &90.into(), &"大关".into())
    );
}

#[tokio::test]
async fn a_change_shows_at_once_in_detail_lists_and_search() {
    for app in sites().await {
        let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
        let visitor = app.visitor();
        assert_eq!(ids(&list(&visitor, &around(FOOD, "")).await), [0; 0]);
        assert_eq!(ids(&list(&visitor, &around(KTV, "")).await), [0; 0]);
        let id = open_shop(&owner, &new_shop("茶餐厅")).await;
        assert_eq!(ids(&list(&visitor, &around(FOOD, "")).await), [id]);

        let moved = json!({ "id": id, "y": HERE.1 + 0.01 });
        assert_eq!(change(&owner, moved).await.1, "done");
        let shops = list(&visitor, &around(FOOD, "")).await;
        assert!(
            (shops[0]["distance"].as_f64().unwrap() - 1_112.3).abs() < 1.0,
            "{shops:?}"
        );

        assert_eq!(
            change(&owner, json!({ "id": id, "y": HERE.1 + 1.0 }))
                .await
                .1,
            "done"
        );
        assert_eq!(ids(&list(&visitor, &around(FOOD, "")).await), [0; 0]);

        let sings = json!({ "id": id, "typeId": KTV, "y": HERE.1, "name": "唱歌" });
        assert_eq!(change(&owner, sings).await.1, "done");
        assert_eq!(ids(&list(&visitor, &around(FOOD, "")).await), [0; 0]);
        assert_eq!(ids(&list(&visitor, &around(KTV, "")).await), [id]);
        let found = visitor.get("/api/shop/of/name?name=唱歌").await.data();
        assert_eq!(ids(found.as_array().unwrap()), [id]);
        let gone = visitor.get("/api/shop/of/name?name=茶餐厅").await.data();
        assert_eq!(gone, json!([]));
    }
}

#[tokio::test]
async fn a_new_shop_is_found_although_its_id_was_requested_too_early() {
    let app = site().await;
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let first = open_shop(&owner, &new_shop("一")).await;
    let early = app.visitor().get(&format!("/api/shop/{}", first + 1)).await;
    assert_eq!(early.code(), "shop_not_found");
    let second = open_shop(&owner, &new_shop("二")).await;
    assert_eq!(second, first + 1);
    assert_eq!(read(&app, second).await["name"], "二");
}

#[tokio::test]
async fn an_owner_sets_a_phone_and_takes_it_away() {
    for app in sites().await {
        let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
        let mut shop = new_shop("茶餐厅");
        shop["phone"] = json!(" +86 (571) 0001-2345 ");
        let id = open_shop(&owner, &shop).await;
        assert_eq!(read(&app, id).await["phone"], "+86 (571) 0001-2345");
        let done = (200, "done".to_owned());
        let other = json!({ "id": id, "phone": "110" });
        assert_eq!(change(&owner, other).await, done);
        assert_eq!(read(&app, id).await["phone"], "110");
        let none = json!({ "id": id, "phone": "" });
        assert_eq!(change(&owner, none).await, done);
        assert_eq!(read(&app, id).await.get("phone"), None);
    }
}
