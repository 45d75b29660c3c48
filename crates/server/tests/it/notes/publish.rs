//! Publishing, reading, listing and deleting.

use domain::Role;
use serde_json::json;

use super::{ADMIN, AUTHOR, READER, SHOP, draft, id_of, ids, picture, publish, read, site, sites};
use crate::shops::sign_in;

#[tokio::test]
async fn a_note_is_read_as_it_was_written_with_its_author() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let (one, two) = (picture(&app, &me).await, picture(&app, &me).await);
        let mut draft = draft(&format!("/imgs{one},{two}"));
        // The original binds the whole row.
        draft["score"] = json!(4);
        draft["liked"] = json!(9999);
        draft["comments"] = json!(9999);
        draft["userId"] = json!(1);
        let id = me.post_json("/api/blog", &draft).await.data();
        let note = app.visitor().get(&format!("/api/blog/{id}")).await.data();
        let author = me.get("/api/user/me").await.data();
        assert_eq!(note["id"], id);
        assert_eq!(note["shopId"], SHOP);
        assert_eq!(
            (&note["userId"], &note["name"]),
            (&author["id"], &author["nickName"])
        );
        assert_eq!(note["title"], "好吃");
        assert_eq!(note["content"], "下次<br>再来");
        assert_eq!(note["images"], format!("/imgs{one},/imgs{two}"));
        assert_eq!((&note["liked"], &note["comments"]), (&json!(0), &json!(0)));
        assert_eq!(note["score"], 4);
        let age_ms =
            jiff::Timestamp::now().as_millisecond() - note["createdAtMs"].as_i64().unwrap();
        assert!((-1_000..60_000).contains(&age_ms), "{age_ms}");
        let card = format!("/api/user/info/{}", author["id"]);
        me.put_json("/api/user/info", &json!({ "city": "杭州" }))
            .await
            .data();
        assert_eq!(app.visitor().get(&card).await.data()["notes"], 1);
        assert!(note.get("isLike").is_none(), "nobody is signed in");
        assert_eq!(read(&me, id.as_i64().unwrap()).await["isLike"], false);
        let shop = app.visitor().get("/api/shop/1").await.data();
        assert_eq!((&shop["comments"], &shop["score"]), (&json!(1), &json!(40)));
    }
}

#[tokio::test]
async fn what_does_not_make_a_note_is_refused_with_its_reason() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let (mine, theirs) = (picture(&app, &me).await, picture(&app, &other).await);
    let used = picture(&app, &me).await;
    me.post_json("/api/blog", &draft(&used)).await.data();
    let ten: Vec<String> = (0..10).map(|n| format!("/blogs/0/0/{n}.webp")).collect();
    let cases = [
        ("title", json!(""), "note_title_invalid"),
        ("title", json!("<b></b>"), "note_title_invalid"),
        ("title", json!("字".repeat(256)), "note_title_invalid"),
        ("content", json!(" "), "note_content_invalid"),
        (
            "content",
            json!("<script>1</script>"),
            "note_content_invalid",
        ),
        ("content", json!("字".repeat(2049)), "note_content_invalid"),
        ("images", json!(""), "note_images_invalid"),
        ("images", json!(ten.join(",")), "note_images_invalid"),
        (
            "images",
            json!("/blogs/0/0/nobodys.webp"),
            "picture_not_yours",
        ),
        (
            "images",
            json!("https://evil.example/x.png"),
            "note_images_invalid",
        ),
        ("images", json!(theirs), "picture_not_yours"),
        ("images", json!(used), "picture_not_yours"),
        ("score", json!(0), "note_score_invalid"),
        ("score", json!(6), "note_score_invalid"),
        ("shopId", json!(404), "shop_not_found"),
    ];
    for (field, value, code) in cases {
        let mut draft = draft(&mine);
        draft[field] = value.clone();
        let refused = me.post_json("/api/blog", &draft).await;
        assert_eq!(refused.status, 200);
        assert_eq!(refused.code(), code, "{field} {value}");
    }
    for (field, code) in [
        ("title", "note_title_invalid"),
        ("images", "note_images_invalid"),
        ("shopId", "shop_id_missing"),
    ] {
        let mut draft = draft(&mine);
        draft.as_object_mut().unwrap().remove(field);
        assert_eq!(me.post_json("/api/blog", &draft).await.code(), code);
    }
    assert_eq!(
        app.visitor()
            .post_json("/api/blog", &draft(&mine))
            .await
            .status,
        401
    );
    // Whatever was refused left the picture free.
    assert!(
        me.post_json("/api/blog", &draft(&mine))
            .await
            .data()
            .is_i64()
    );
    let missing = me.get("/api/blog/404").await;
    assert_eq!(
        (missing.status.as_u16(), &*missing.code()),
        (200, "note_not_found")
    );
}

#[tokio::test]
async fn lists_are_ten_a_page_newest_first_and_a_missing_author_breaks_none() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let mut notes = Vec::new();
        for _ in 0..12 {
            notes.insert(0, publish(&app, &me).await);
        }
        let user = id_of(&me).await;
        for list in [
            "/api/blog/of/me?x".to_owned(),
            format!("/api/blog/of/user?&id={user}"),
            format!("/api/blog/of/shop?id={SHOP}"),
        ] {
            assert_eq!(ids(&me, &list).await, notes[..10]);
            assert_eq!(ids(&me, &format!("{list}&current=2")).await, notes[10..]);
            assert_eq!(ids(&me, &format!("{list}&current=0")).await, notes[..10]);
            assert_eq!(ids(&me, &format!("{list}&current=3")).await, [0_i64; 0]);
        }
        let row = storage::bulk::NoteRow {
            id: domain::NoteId::new(1_000_000),
            shop_id: domain::ShopId::new(SHOP),
            user_id: domain::UserId::new(404),
            title: "无主".to_owned(),
            images: String::new(),
            content: "x".to_owned(),
            score: None,
            opinion: Default::default(),
            created_at: jiff::Timestamp::now(),
        };
        storage::bulk::insert_notes(app.core().db(), &[row])
            .await
            .unwrap();
        let list = me.get(&format!("/api/blog/of/shop?id={SHOP}")).await.data();
        assert_eq!(
            (&list[0]["title"], &list[0]["name"]),
            (&json!("无主"), &json!(""))
        );
        assert_eq!(list[1]["id"], notes[0]);
    }
}

#[tokio::test]
async fn only_its_author_or_an_admin_deletes_a_note_and_it_is_gone_from_everywhere_at_once() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let (mine, also_mine) = (publish(&app, &me).await, publish(&app, &me).await);
        let path = format!("/api/blog/{mine}");
        assert_eq!(app.visitor().delete(&path).await.status, 401);
        assert_eq!(other.delete(&path).await.status, 403);
        assert_eq!(other.delete("/api/blog/404").await.code(), "note_not_found");
        assert_eq!(me.delete(&path).await.json(), json!({"success": true}));
        assert_eq!(me.delete(&path).await.code(), "note_not_found");
        for list in ["/api/blog/hot", "/api/blog/of/me", "/api/blog/of/shop?id=1"] {
            assert_eq!(ids(&me, list).await, [also_mine], "{list}");
        }
        assert_eq!(other.get(&path).await.code(), "note_not_found");
        admin.delete(&format!("/api/blog/{also_mine}")).await.data();
        assert_eq!(ids(&me, "/api/blog/hot").await, [0_i64; 0]);
        let shop = app.visitor().get("/api/shop/1").await.data();
        assert_eq!(shop["comments"], 0);
    }
}

#[tokio::test]
async fn an_admin_hides_a_note_and_shows_it_again_and_nobody_else_does() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let note = publish(&app, &me).await;
    super::like(&me, note).await;
    let (hide, restore) = (
        format!("/api/console/notes/{note}/hide"),
        format!("/api/console/notes/{note}/restore"),
    );
    assert_eq!(app.visitor().post(&hide).await.status, 401);
    assert_eq!(me.post(&hide).await.status, 403);
    admin.post(&hide).await.data();
    assert_eq!(ids(&me, "/api/blog/hot").await, [0_i64; 0]);
    let hidden = me.get(&format!("/api/blog/{note}")).await;
    assert_eq!(hidden.code(), "note_not_found");
    admin.post(&restore).await.data();
    assert_eq!(ids(&me, "/api/blog/hot").await, [note]);
    let shown = read(&me, note).await;
    assert_eq!(
        (&shown["liked"], &shown["isLike"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(
        admin.post("/api/console/notes/404/hide").await.code(),
        "note_not_found"
    );
}

#[tokio::test]
async fn a_shop_shows_its_notes_by_their_stars() {
    for app in sites().await {
        let author = app.sign_in(AUTHOR).await;
        let visitor = app.visitor();
        let shop = format!("/api/shop/{SHOP}");
        assert_eq!(visitor.get(&shop).await.data().get("stars"), None);
        let mut published = Vec::new();
        for stars in [5, 3, 5] {
            let mut note = draft(&picture(&app, &author).await);
            note["score"] = json!(stars);
            let id = author.post_json("/api/blog", &note).await.data();
            published.push(id.as_i64().unwrap());
        }
        publish(&app, &author).await;
        let stars = visitor.get(&shop).await.data()["stars"].clone();
        assert_eq!(stars, json!([0, 0, 1, 0, 2]));
        let of_shop = format!("/api/blog/of/shop?id={SHOP}");
        let fives = ids(&visitor, &format!("{of_shop}&stars=5")).await;
        assert_eq!(fives, [published[2], published[0]]);
        assert_eq!(ids(&visitor, &of_shop).await.len(), 4);
        assert!(
            ids(&visitor, &format!("{of_shop}&stars=1"))
                .await
                .is_empty()
        );
        for wrong in ["0", "6", "-1", "x"] {
            let refused = visitor.get(&format!("{of_shop}&stars={wrong}")).await;
            assert_eq!(
                (refused.status.as_u16(), refused.code().as_str()),
                (400, "malformed")
            );
        }
    }
}

#[tokio::test]
async fn a_reported_note_waits_for_an_admin_who_hides_it_or_lets_it_stand() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let note = publish(&app, &me).await;
        let report = format!("/api/blog/{note}/report");
        let reason = json!({"reason": "广告".repeat(200)});
        assert_eq!(app.visitor().post_json(&report, &reason).await.status, 401);
        let missing = other.post_json("/api/blog/404/report", &reason).await;
        assert_eq!(missing.code(), "note_not_found");
        for _ in 0..2 {
            other.post_json(&report, &reason).await.data();
        }
        assert_eq!(ids(&me, "/api/blog/hot").await, [note], "it is still there");
        super::like(&other, note).await;

        let queue = "/api/console/notes";
        assert_eq!(app.visitor().get(queue).await.status, 401);
        assert_eq!(me.get(queue).await.status, 403);
        let listed = admin.get(queue).await.data()["list"].clone();
        assert_eq!(
            (&listed[0]["id"], &listed[0]["reports"]),
            (&json!(note), &json!(1))
        );
        assert_eq!(listed[0]["reason"].as_str().unwrap().chars().count(), 255);

        let restore = format!("{queue}/{note}/restore");
        admin.post(&restore).await.data();
        let empty = async |path: &str| admin.get(path).await.data()["list"] == json!([]);
        assert!(empty(queue).await);
        other.post_json(&report, &reason).await.data();
        assert!(empty(queue).await, "the same person counts once");
        me.post_json(&report, &reason).await.data();
        admin.post(&format!("{queue}/{note}/hide")).await.data();
        assert_eq!(
            other.post_json(&report, &reason).await.code(),
            "note_not_found"
        );
        let hidden = admin.get(&format!("{queue}?state=hidden")).await.data();
        assert_eq!(hidden["list"][0]["id"], note);
        admin.post(&restore).await.data();
        assert_eq!(ids(&me, "/api/blog/hot").await, [note]);
        me.delete(&format!("/api/blog/{note}")).await.data();
        assert!(empty(queue).await);
    }
}
