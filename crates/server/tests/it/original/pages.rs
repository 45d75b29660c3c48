//! The recorded requests of each of the original's ten pages, in their order and spelling, with what the page reads.

use serde_json::{Value, json};
use testkit::TestApp;

use super::browser::Browser;
use super::shape::{
    FEED, NOTE, SHOP, SHOP_TYPE, Shape, USER, USER_INFO, VOUCHER, check_done, check_refused,
    check_reply,
};
use super::{FRIEND, Town, VISITOR};

const PHOTO: &[u8] = include_bytes!("../../../../pictures/tests/it/files/turned.jpg");

/// What a page keeps of a site between its requests.
pub(crate) struct Visit<'a> {
    pub(crate) town: &'a Town,
    pub(crate) browser: Browser,
}

impl Visit<'_> {
    async fn get(&self, path: &str, data: &'static Shape) -> Value {
        let reply = self.browser.get(path).await;
        check_reply(&reply, data);
        reply.data()
    }

    /// `login2.html`: a password, which a site takes only if it says so.
    pub(crate) async fn login_by_password(&self) {
        let login = json!({"phone": VISITOR, "password": "123456"});
        let refused = self.browser.post_json("/user/login", login).await;
        check_refused(&refused, "密码登录未开启");
    }

    /// `index.html`: kinds and hot notes; a like, and the note read again.
    pub(crate) async fn index(&self) {
        self.get("/shop-type/list", &Shape::List(&SHOP_TYPE)).await;
        let hot = self.get("/blog/hot?&current=1", &Shape::List(&NOTE)).await;
        let past = self.get("/blog/hot?&current=99", &Shape::List(&NOTE)).await;
        assert_eq!(past, json!([]));
        for note in hot.as_array().unwrap() {
            // Vue 2 does not see a member that comes later.
            assert!(note["isLike"].is_boolean() && note["name"].is_string());
        }
        let id = &hot[0]["id"];
        for is_liked in [true, false] {
            check_done(&self.browser.put(&format!("/blog/like/{id}")).await);
            let note = self.get(&format!("/blog/{id}"), &NOTE).await;
            assert_eq!(note["isLike"], is_liked);
        }
    }

    /// `shop-list.html`: kinds, then pages of shops around a fixed place.
    pub(crate) async fn shop_list(&self) {
        self.get("/shop-type/list", &Shape::List(&SHOP_TYPE)).await;
        let place = "x=120.149993&y=30.334229";
        let mut distances = Vec::new();
        for (page, count) in [(1, 5), (2, 1), (3, 0)] {
            let path = format!("/shop/of/type?&typeId=1&current={page}&{place}");
            let shops = self.get(&path, &Shape::List(&SHOP)).await;
            let shops = shops.as_array().unwrap();
            assert_eq!(shops.len(), count);
            distances.extend(shops.iter().map(|shop| shop["distance"].as_f64().unwrap()));
        }
        assert!(distances.is_sorted(), "{distances:?}");
        for sort in ["comments", "score", "whatever"] {
            let path = format!("/shop/of/type?&typeId=1&current=1&sortBy={sort}&{place}");
            self.get(&path, &Shape::List(&SHOP)).await;
        }
    }

    /// `shop-detail.html`: the shop, its vouchers, and a claim.
    pub(crate) async fn shop_detail(&self) {
        self.get("/shop/1", &SHOP).await;
        let vouchers = self.get("/voucher/list/1", &Shape::List(&VOUCHER)).await;
        let vouchers = vouchers.as_array().unwrap();
        assert_eq!(vouchers[0]["type"], 0);
        assert_eq!(vouchers[1]["id"], self.town.sale);
        assert!(vouchers[1]["stock"].is_i64() && vouchers[1]["endTime"].is_string());
        let claim = format!("/voucher-order/seckill/{}", self.town.sale);
        let won = self.browser.post(&claim).await;
        check_reply(&won, &Shape::Int);
        let again = self.browser.post(&claim).await;
        check_refused(&again, "不能重复下单");
    }

    /// `blog-detail.html`: the note, its shop, its likers, the reader, and following its author.
    pub(crate) async fn blog_detail(&self) {
        let note = self.get(&format!("/blog/{}", self.town.note), &NOTE).await;
        self.get(&format!("/shop/{}", note["shopId"]), &SHOP).await;
        let likes = format!("/blog/likes/{}", note["id"]);
        assert_eq!(self.get(&likes, &Shape::List(&USER)).await, json!([]));
        let me = self.get("/user/me", &USER).await;
        assert!(me["id"].is_i64() && me["id"] != note["userId"]);
        let author = &note["userId"];
        let follows = format!("/follow/or/not/{author}");
        assert_eq!(self.get(&follows, &Shape::Bool).await, false);
        check_done(
            &self
                .browser
                .put(&format!("/blog/like/{}", note["id"]))
                .await,
        );
        let liked = self.get(&format!("/blog/{}", note["id"]), &NOTE).await;
        assert_eq!(
            (&liked["isLike"], &liked["liked"]),
            (&json!(true), &json!(1))
        );
        assert_eq!(self.get(&likes, &Shape::List(&USER)).await, json!([me]));
        for is_following in [true, false, true] {
            check_done(
                &self
                    .browser
                    .put(&format!("/follow/{author}/{is_following}"))
                    .await,
            );
            assert_eq!(self.get(&follows, &Shape::Bool).await, is_following);
        }
    }

    /// `blog-edit.html`: shops to choose from, pictures sent and taken back, a note.
    pub(crate) async fn blog_edit(&self) {
        self.get("/user/me", &USER).await;
        let all = self.get("/shop/of/name?", &Shape::List(&SHOP)).await;
        assert_eq!(all.as_array().unwrap().len(), 7);
        let found = "/shop/of/name?&name=%E5%BA%97%E9%93%BA2";
        let found = self.get(found, &Shape::List(&SHOP)).await;
        assert_eq!(found[0]["area"], "大关");
        let mut images = Vec::new();
        for _ in 0..2 {
            let sent = self.browser.upload(PHOTO).await;
            check_reply(&sent, &Shape::Text);
            images.push(format!("/imgs{}", sent.data().as_str().unwrap()));
        }
        let unwanted = images.pop().unwrap();
        let delete = format!("/upload/blog/delete?&name={unwanted}");
        check_done(&self.browser.get(&delete).await);
        let note = json!({
            "title": "好吃", "content": "下次<br/>再来", "shopId": found[0]["id"], "images": images.join(","),
        });
        let published = self.browser.post_json("/blog", note).await;
        check_reply(&published, &Shape::Int);
    }

    /// `info.html`: myself, my notes, the feed page by page, and the way out.
    pub(crate) async fn info(&self) {
        let me = self.get("/user/me", &USER).await;
        let info = format!("/user/info/{}", me["id"]);
        let info = self.get(&info, &USER_INFO).await;
        assert_eq!(info["followee"], 1);
        let mine = self.get("/blog/of/me", &Shape::List(&NOTE)).await;
        assert_eq!(mine.as_array().unwrap().len(), 1);
        let now = jiff::Timestamp::now().as_millisecond() + 1;
        // The first call drops the offset, which is 0.
        let feed = self
            .get(&format!("/blog/of/follow?&lastId={now}"), &FEED)
            .await;
        assert_eq!(feed["list"].as_array().unwrap().len(), 2);
        let (min_time, offset) = (&feed["minTime"], &feed["offset"]);
        let next = format!("/blog/of/follow?&minTime={min_time}&offset={offset}&lastId={min_time}");
        check_done(&self.browser.get(&next).await);
        let note = &feed["list"][0]["id"];
        check_done(&self.browser.put(&format!("/blog/like/{note}")).await);
        self.get(&format!("/blog/{note}"), &NOTE).await;
    }

    /// `info-edit.html` asks for nothing else.
    pub(crate) async fn info_edit(&self) {
        self.get("/user/me", &USER).await;
    }

    /// `other-info.html`: a person, their notes, whom we both follow.
    pub(crate) async fn other_info(&self) {
        let author = self.town.author_id;
        self.get(&format!("/user/{author}"), &USER).await;
        let info = self.get(&format!("/user/info/{author}"), &USER_INFO).await;
        assert_eq!(
            (&info["introduce"], &info["level"]),
            (&json!("爱吃"), &json!(false))
        );
        let notes = format!("/blog/of/user?&id={author}&current=1");
        let notes = self.get(&notes, &Shape::List(&NOTE)).await;
        assert_eq!(notes[0]["id"], self.town.note, "as they were written");
        self.get(&format!("/follow/or/not/{author}"), &Shape::Bool)
            .await;
        let friend = self.town.friend_id;
        let common = format!("/follow/common/{friend}");
        let common = self.get(&common, &Shape::List(&USER)).await;
        assert_eq!(common[0]["id"], author, "whom both follow");
        self.get("/user/me", &USER).await;
        check_done(&self.browser.put(&format!("/follow/{friend}/true")).await);
    }

    /// `info.html`'s way out; the token is dead then.
    pub(crate) async fn leave(&self) {
        check_done(&self.browser.post("/user/logout").await);
        let gone = self.browser.get("/user/me").await;
        assert_eq!((gone.status.as_u16(), &*gone.text), (401, ""));
    }

    /// All pages, as one person goes through them.
    pub(crate) async fn all(&self) {
        self.login_by_password().await;
        self.index().await;
        self.shop_list().await;
        self.shop_detail().await;
        self.blog_detail().await;
        self.blog_edit().await;
        self.info().await;
        self.info_edit().await;
        self.other_info().await;
        self.leave().await;
    }
}

#[tokio::test]
async fn every_page_of_the_original_gets_what_it_reads() {
    let town = Town::build().await;
    let browser = town.browse(VISITOR).await;
    let visit = Visit {
        town: &town,
        browser,
    };
    visit.all().await;
}

/// `login2.html` where the site allows passwords: the token, as `login.html` gets it, and its words for what is wrong.
#[tokio::test]
async fn a_site_that_allows_passwords_takes_those_of_login2() {
    let allowing = TestApp::builder().setting("password.enabled", true);
    let town = Town::on(allowing.spawn().await).await;
    let password = json!({ "password": "12345678" });
    let set = town.friend.put_json("/api/user/password", &password).await;
    assert_eq!(set.json()["success"], true);
    let browser = town.anonymous();
    for (phone, password) in [
        (FRIEND, "123456"),
        (FRIEND, "123456789"),
        (VISITOR, "12345678"),
    ] {
        let login = json!({"phone": phone, "password": password});
        check_refused(
            &browser.post_json("/user/login", login).await,
            "账号或密码错误",
        );
    }
    let login = json!({"phone": FRIEND, "password": "12345678"});
    let reply = browser.post_json("/user/login", login).await;
    check_reply(&reply, &Shape::Text);
    let browser = browser.with_token(reply.data().as_str().unwrap());
    let me = browser.get("/user/me").await;
    check_reply(&me, &USER);
    assert_eq!(me.data()["id"], town.friend_id);
}

#[tokio::test]
async fn a_person_sees_their_own_info_with_all_its_members() {
    let town = Town::build().await;
    let browser = town.browse_as(&town.author);
    let info = browser.get(&format!("/user/info/{}", town.author_id)).await;
    check_reply(&info, &USER_INFO);
    let names = ["city", "introduce", "gender", "birthday"];
    let data = info.data();
    assert!(names.iter().all(|name| !data[name].is_null()), "{data}");
}

#[tokio::test]
async fn strangers_see_hot_notes_without_a_like_of_theirs_and_go_to_sign_in_elsewhere() {
    let town = Town::build().await;
    let stranger = town.anonymous();
    let hot = stranger.get("/blog/hot?&current=1").await;
    check_reply(&hot, &Shape::List(&NOTE));
    assert!(hot.data()[0]["isLike"].is_null());
    for path in [
        "/user/me",
        "/blog/of/me",
        "/blog/of/follow?&lastId=1",
        "/follow/or/not/1",
    ] {
        let refused = stranger.get(path).await;
        assert_eq!(
            (refused.status.as_u16(), &*refused.text),
            (401, ""),
            "{path}"
        );
        assert_eq!(refused.header("content-type"), "");
    }
    let buying = stranger
        .post(&format!("/voucher-order/seckill/{}", town.sale))
        .await;
    assert_eq!((buying.status.as_u16(), &*buying.text), (401, ""));
}
