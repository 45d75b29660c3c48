//! A shop is saved back with the pictures it came with, and takes no others that its owner did not upload.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use super::execute;
use crate::shops::{ADMIN, MERCHANT, RIVAL, new_shop, open_shop, sign_in, site, sites};

const OLD: &str =
    "https://qcloud.dpfile.com/pc/a_b.jpg,https://p0.meituan.net/bbia/c.jpg,/imgs/shops/old.png,";
const KEPT: &str =
    "https://qcloud.dpfile.com/pc/a_b.jpg,https://p0.meituan.net/bbia/c.jpg,/imgs/shops/old.png";

async fn save(client: &Client, shop: i64, images: &str) -> Value {
    let body = json!({ "id": shop, "images": images });
    client.put_json("/api/shop", &body).await.json()
}

async fn images(app: &TestApp, shop: i64) -> Value {
    let shop = app.visitor().get(&format!("/api/shop/{shop}")).await;
    shop.data()["images"].clone()
}

#[tokio::test]
async fn a_shop_keeps_its_old_pictures_and_takes_no_foreign_ones() {
    for app in sites().await {
        let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let rival = sign_in(&app, RIVAL, Role::Merchant).await;
        let shop = open_shop(&owner, &new_shop("茶餐厅")).await;
        let old = format!("UPDATE tb_shop SET images = '{OLD}' WHERE id = {shop}");
        execute(app.sql_url(), &[old]).await;
        for client in [&owner, &admin] {
            let saved = save(client, shop, OLD).await;
            assert_eq!(saved, json!({ "success": true }));
            assert_eq!(images(&app, shop).await, KEPT);
        }
        let uploaded = crate::notes::picture(&app, &owner).await;
        let mixed = format!("{KEPT},/imgs{uploaded}");
        let saved = save(&owner, shop, &mixed).await;
        assert_eq!(saved, json!({ "success": true }));
        let of_rival = crate::notes::picture(&app, &rival).await;
        for foreign in [
            "https://elsewhere.example/x.jpg",
            "https://p0.meituan.net/bbia/other.jpg",
            "javascript:alert(1)",
            &format!("/imgs{of_rival}"),
        ] {
            let refused = save(&owner, shop, &format!("{KEPT},{foreign}")).await;
            assert_eq!(refused["code"], "shop_picture_foreign", "{foreign}");
            let words = refused["errorMsg"].as_str().unwrap();
            assert!(words.contains("请先上传"), "{words}");
        }
        assert_eq!(images(&app, shop).await, mixed.as_str());
    }
}

#[tokio::test]
async fn a_picture_that_was_taken_off_is_foreign_again() {
    let app = site().await;
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let shop = open_shop(&owner, &new_shop("茶餐厅")).await;
    let old = format!("UPDATE tb_shop SET images = '{OLD}' WHERE id = {shop}");
    execute(app.sql_url(), &[old]).await;
    save(&owner, shop, "").await;
    assert_eq!(
        save(&owner, shop, OLD).await["code"],
        "shop_picture_foreign"
    );
    let new = json!({ "images": OLD });
    let mut shop = new_shop("茶餐厅");
    shop["images"] = new["images"].clone();
    let refused = owner.post_json("/api/shop", &shop).await;
    assert_eq!(refused.code(), "shop_picture_foreign");
}

#[tokio::test]
async fn pictures_of_hosts_that_the_operator_names_are_shown_and_taken() {
    let plain = site().await;
    let policy = |reply: &testkit::HttpReply| reply.header("content-security-policy").to_owned();
    let reply = plain.visitor().get("/").await;
    assert!(policy(&reply).contains("img-src 'self' data: blob:;"));
    let app = TestApp::builder()
        .setting("pictures.outside_hosts", "*.meituan.net,10.0.0.5:9000")
        .spawn()
        .await;
    crate::shops::add_types(&app).await;
    let reply = app.visitor().get("/").await;
    let expected = "img-src 'self' data: blob: *.meituan.net 10.0.0.5:9000; connect-src";
    assert!(policy(&reply).contains(expected), "{}", policy(&reply));
    let owner = sign_in(&app, MERCHANT, Role::Merchant).await;
    let shop = open_shop(&owner, &new_shop("茶餐厅")).await;
    let saved = save(&owner, shop, "https://p0.meituan.net/x.jpg").await;
    assert_eq!(saved, json!({ "success": true }));
    let refused = save(&owner, shop, "https://meituan.net.evil.example/x.jpg").await;
    assert_eq!(refused["code"], "shop_picture_foreign");
}

#[tokio::test]
async fn a_person_keeps_an_icon_on_another_host() {
    let app = site().await;
    let me = app.sign_in(MERCHANT).await;
    let icon = "https://thirdwx.qlogo.cn/mmopen/x/132";
    let user = crate::notes::id_of(&me).await;
    let old = format!("UPDATE tb_user SET icon = '{icon}' WHERE id = {user}");
    execute(app.sql_url(), &[old]).await;
    let saved = json!({ "icon": icon, "nickName": "鱼" });
    let saved = me.put_json("/api/user/info", &saved).await;
    assert_eq!(saved.json(), json!({ "success": true }));
    let me_now = me.get(&format!("/api/user/{user}")).await.data();
    assert_eq!(me_now["icon"], icon);
    assert_eq!(me_now["nickName"], "鱼");
    let other = json!({ "icon": "https://thirdwx.qlogo.cn/mmopen/y/132" });
    let refused = me.put_json("/api/user/info", &other).await;
    assert_eq!(refused.code(), "icon_invalid");
}
