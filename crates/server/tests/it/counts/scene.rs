//! A site with a bit of everything, left by those who made it, and a process that does nothing but answer.

use domain::{NoteId, ShopId, UserId};
use jiff::{SignedDuration, Timestamp};
use storage::bulk::{self, NoteRow};
use testkit::{Client, MariaDb, Redis, Tandian, TestApp, unique_prefix};

use super::TURNS;
use crate::flash::{Market, win};
use crate::follows::{follow, id_of};

/// More than a page.
const NOTES: i64 = 30;
const READER: &str = "13900000031";
const AUTHOR: &str = "13900000032";

/// A process whose every instruction is counted is slow, and Redis is not away because of that.
const PATIENCE_MS: u64 = 30_000;

pub(super) struct Scene {
    pub(super) visitor: Client,
    /// Who follows an author with notes.
    pub(super) reader: Client,
    /// One for each turn.
    pub(super) people: Vec<Client>,
    pub(super) shop: i64,
    pub(super) note: i64,
    pub(super) open_sale: i64,
    pub(super) sold_out_sale: i64,
    pub(super) redis: Redis,
    pub(super) mariadb: MariaDb,
    pub(super) web: Tandian,
}

impl Scene {
    /// `start` starts the process that answers.
    pub(super) async fn set(start: impl FnOnce(&[(&str, String)]) -> Tandian) -> Self {
        let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
        let (database, prefix) = (mariadb.create_database().await, unique_prefix());
        let app = TestApp::builder()
            .sql_url(database.url())
            .redis_url(redis.url())
            .setting("redis.prefix", &prefix)
            .spawn()
            .await;
        let market = Market::on(app).await;
        let (open_sale, sold_out_sale) = (market.sell(1_000).await, market.sell(1).await);
        let people = market.people(TURNS as u32 + 1).await;
        win(&people[TURNS], sold_out_sale).await;
        let reader = market.app.sign_in(READER).await;
        let author = market.app.sign_in(AUTHOR).await;
        let author = id_of(&author).await;
        write_notes(&market.app, market.shop, author).await;
        follow(&reader, author).await;
        market.wait_for_orders(sold_out_sale, 1).await;
        let shop = market.shop;
        market.app.stop().await;
        let settings = [
            ("database.url", database.url().to_owned()),
            ("redis.url", redis.url()),
            ("redis.prefix", prefix),
            ("redis.response_timeout_ms", PATIENCE_MS.to_string()),
            ("database.acquire_timeout_ms", PATIENCE_MS.to_string()),
            ("database.query_timeout_ms", PATIENCE_MS.to_string()),
        ];
        let web = start(&settings);
        web.wait_until_ready().await;
        let at_web = |client: Client| client.at(web.url());
        Self {
            visitor: Client::new(web.url()),
            reader: at_web(reader),
            people: people.into_iter().map(at_web).collect(),
            shop,
            note: 1,
            open_sale,
            sold_out_sale,
            redis,
            mariadb,
            web,
        }
    }

    /// Lets the process have the session in its memory, if the client has one. Twice, because a session that was idle is
    /// written to by the first request, which takes it out of the memory that the second one puts it into.
    pub(super) async fn recall(&self, client: &Client) {
        if !client.token().is_empty() {
            for _ in 0..2 {
                client.get("/api/user/me").await.data();
            }
        }
    }
}

async fn write_notes(app: &TestApp, shop: i64, author: UserId) {
    let row = |id: i64| NoteRow {
        id: NoteId::new(id),
        shop_id: ShopId::new(shop),
        user_id: author,
        title: "一碗面".to_owned(),
        images: "/imgs/blogs/a.webp".to_owned(),
        content: "好吃".to_owned(),
        score: None,
        opinion: Default::default(),
        created_at: Timestamp::now() - SignedDuration::from_mins(id),
    };
    let rows: Vec<NoteRow> = (1..=NOTES).map(row).collect();
    bulk::insert_notes(app.core().db(), &rows).await.unwrap();
}
