//! Whose pictures are, and who sees them: those of a hidden note are shown to their owner and to admins alone.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, LocalS3, TestApp};

use super::bucket::on_bucket;
use super::{OTHER_PHONE, PHONE, delete, upload};
use crate::shops::{ADMIN, FOOD, HERE, add_shops, add_types, shop_row, sign_in};

/// A note about a shop with this picture.
async fn publish(me: &Client, picture: &str) -> i64 {
    let note = json!({
        "shopId": 1, "title": "好吃", "content": "下次再来", "images": format!("/imgs{picture}"),
    });
    let published = me.post_json("/api/blog", &note).await;
    published.data().as_i64().unwrap()
}

async fn furnish(app: &TestApp) {
    add_types(app).await;
    add_shops(app, &[shop_row(1, FOOD, HERE)]).await;
}

async fn hide_and_show(app: TestApp) {
    furnish(&app).await;
    let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER_PHONE).await);
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let (name, visitor) = (upload(&me).await, app.visitor());
    let note = publish(&me, &name).await;
    let file = name.strip_prefix("/blogs/").unwrap();
    let addresses = [
        format!("/imgs{name}"),
        format!("/imgs{name}?size=small"),
        format!("/imgs{}", name.replace(".jpg", "_s.jpg")),
        format!("/imgs/%62logs/{file}"),
        format!("/imgs//blogs/{file}"),
        format!("/imgs/./blogs/{file}"),
    ];
    let status = async |who: &Client, address: &str| who.get(address).await.status.as_u16();
    let tag = visitor.get(&addresses[0]).await.header("etag").to_owned();
    admin
        .post(&format!("/api/console/notes/{note}/hide"))
        .await
        .data();
    for address in &addresses {
        for who in [&visitor, &other] {
            assert_eq!(status(who, address).await, 404, "{address}");
        }
        for who in [&me, &admin] {
            let shown = who.get(address).await;
            assert_eq!(shown.status, 200, "{address}");
            assert_eq!(shown.header("cache-control"), "private, no-store");
        }
    }
    let kept = visitor.clone().with_header("if-none-match", &tag);
    assert_eq!(
        status(&kept, &addresses[0]).await,
        404,
        "a cache asks again"
    );
    admin
        .post(&format!("/api/console/notes/{note}/restore"))
        .await
        .data();
    for address in &addresses {
        assert_eq!(status(&visitor, address).await, 200, "{address}");
    }
}

#[tokio::test]
async fn pictures_of_a_hidden_note_are_shown_to_owner_and_admins_alone() {
    hide_and_show(TestApp::spawn().await).await;
}

#[tokio::test]
async fn pictures_of_a_hidden_note_in_a_bucket_are_shown_to_owner_and_admins_alone() {
    let server = LocalS3::start().await;
    hide_and_show(on_bucket(&server).spawn().await).await;
}

/// After its note is gone a picture is free, but not anybody's.
#[tokio::test]
async fn a_picture_stays_its_owners_after_its_note_is_deleted() {
    let app = TestApp::spawn().await;
    furnish(&app).await;
    let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER_PHONE).await);
    let merchant = sign_in(&app, "13900000012", Role::Merchant).await;
    let name = upload(&me).await;
    let address = format!("/imgs{name}");
    let take = async || {
        let icon = json!({ "icon": address });
        let refused = other.put_json("/api/user/info", &icon).await;
        assert_eq!(refused.code(), "icon_invalid");
        let mut shop = crate::shops::new_shop("茶餐厅");
        shop["images"] = json!(address);
        let refused = merchant.post_json("/api/shop", &shop).await;
        assert_eq!(refused.code(), "shop_picture_foreign");
        let note = json!({ "shopId": 1, "title": "x", "content": "y", "images": address });
        let refused = other.post_json("/api/blog", &note).await;
        assert_eq!(refused.json()["success"], false);
    };
    take().await;
    let note = publish(&me, &name).await;
    take().await;
    me.delete(&format!("/api/blog/{note}")).await.data();
    take().await;
    let icon = json!({ "icon": address });
    me.put_json("/api/user/info", &icon).await.data();
    me.put_json("/api/user/info", &json!({ "icon": "" }))
        .await
        .data();
    assert_eq!(delete(&me, &name).await.data(), Value::Null);
}
