//! Pages of the original (hm-dianping) against the listener that is for them: the same requests in the same order, and
//! replies of the same names, types and order.

mod browser;
mod listener;
mod nginx;
mod pages;
mod refusals;
mod replies;
mod shape;
mod stand_ins;

use domain::Role;
use serde_json::json;
use testkit::{Client, TestApp};

use self::browser::Browser;
use crate::flash::wall_clock;
use crate::notes;
use crate::shops::{ADMIN, FOOD, HERE, KTV, add_shops, add_types, shop_row, sign_in};

/// Who looks at the pages.
const VISITOR: &str = "13688668889";
const AUTHOR: &str = "13838411438";
const FRIEND: &str = "13686869696";

const SHOP: i64 = 1;
const SALE_STOCK: u32 = 5;

/// A site with what the original's pages show: kinds, shops, vouchers, notes, people who follow each other.
struct Town {
    app: TestApp,
    admin: Client,
    /// Two people with sessions, of whom the friend follows the author.
    author: Client,
    friend: Client,
    author_id: i64,
    friend_id: i64,
    note: i64,
    sale: i64,
}

impl Town {
    async fn build() -> Self {
        Self::on(TestApp::spawn().await).await
    }

    async fn on(app: TestApp) -> Self {
        add_types(&app).await;
        let mut shops = Vec::new();
        for id in 1..=7 {
            let kind = if id < 7 { FOOD } else { KTV };
            let mut row = shop_row(id, kind, (HERE.0 + 0.001 * id as f64, HERE.1));
            row.images = "/imgs/blogs/blog1.jpg,/imgs/blogs/blog1.jpg".to_owned();
            row.area = Some("大关".to_owned());
            row.avg_price_yuan = Some(80);
            row.open_hours = Some("10:00-22:00".to_owned());
            // What the original does not have, its pages are not shown.
            row.phone = Some("0571-0001 2345".to_owned());
            row.score = 37;
            shops.push(row);
        }
        add_shops(&app, &shops).await;
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let voucher = json!({
            "shopId": SHOP, "title": "50元代金券", "subTitle": "周一至周日均可使用", "rules": "全场通用",
            "payValue": 4750, "actualValue": 5000,
        });
        admin.post_json("/api/voucher", &voucher).await.data();
        let mut sale = voucher;
        sale["stock"] = json!(SALE_STOCK);
        sale["beginTime"] = json!(wall_clock(-3_600));
        sale["endTime"] = json!(wall_clock(3_600));
        let sale = admin.post_json("/api/voucher/seckill", &sale).await;
        let sale = sale.data().as_i64().unwrap();

        let (author, friend) = (app.sign_in(AUTHOR).await, app.sign_in(FRIEND).await);
        let mut said = notes::draft(&notes::picture(&app, &author).await);
        // What the original does not have, its pages are not shown.
        said["score"] = json!(4);
        said["ratings"] = json!({"main": 5, "service": 3});
        said["dishes"] = json!(["片儿川"]);
        let note = author.post_json("/api/blog", &said).await.data();
        let note = note.as_i64().unwrap();
        notes::publish(&app, &author).await;
        let profile =
            json!({"introduce": "爱吃", "city": "杭州", "gender": true, "birthday": "1999-01-31"});
        author.put_json("/api/user/info", &profile).await.data();
        let author_id = notes::id_of(&author).await.get();
        let follows = format!("/api/follow/{author_id}/true");
        friend.put_json(&follows, &json!({})).await.data();
        Self {
            admin,
            author_id,
            friend_id: notes::id_of(&friend).await.get(),
            author,
            friend,
            note,
            sale,
            app,
        }
    }

    /// Somebody at the original's pages, signed in as there.
    async fn browse(&self, phone: &str) -> Browser {
        let mut browser = Browser::open(self.app.original_url(), "");
        browser.sign_in(phone).await;
        browser
    }

    /// The same for one who has a session already.
    fn browse_as(&self, person: &Client) -> Browser {
        self.anonymous().with_token(person.token())
    }

    fn anonymous(&self) -> Browser {
        Browser::open(self.app.original_url(), "")
    }
}
