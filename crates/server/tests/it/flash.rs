//! Flash sales over HTTP: published, claimed by crowds, changed while they run, on two servers and through outages.

mod claims;
mod crowd;
mod ledger_contract;
mod live;
mod outages;
mod processes;
mod running;
mod terms;

use std::time::Duration;

use app::load_test;
use domain::{OrderId, Role, VoucherId};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde_json::{Value, json};
use storage::flash_sales::{self, Holding};
use testkit::{Client, HttpReply, TestApp, wait_until};

use crate::shops::{MERCHANT, add_types, new_shop, open_shop, sign_in};

/// Far above what any of this takes, so that only a hang or a loss reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A site with a merchant who has a shop.
pub(crate) struct Market {
    pub(crate) app: TestApp,
    pub(crate) merchant: Client,
    pub(crate) shop: i64,
}

impl Market {
    pub(crate) async fn open() -> Self {
        Self::on(TestApp::spawn().await).await
    }

    pub(crate) async fn on(app: TestApp) -> Self {
        add_types(&app).await;
        let merchant = sign_in(&app, MERCHANT, Role::Merchant).await;
        let shop = open_shop(&merchant, &new_shop("茶餐厅")).await;
        app.wait_until_listening().await;
        Self {
            app,
            merchant,
            shop,
        }
    }

    /// What holds on one database must hold on the other.
    pub(crate) async fn on_both() -> [Self; 2] {
        let on_mariadb = TestApp::builder().on_mariadb().spawn().await;
        [Self::open().await, Self::on(on_mariadb).await]
    }

    /// A sale that is open now.
    pub(crate) async fn sell(&self, stock: u32) -> i64 {
        self.publish(&self.sale(stock)).await
    }

    pub(crate) async fn publish(&self, sale: &Value) -> i64 {
        let published = self.merchant.post_json("/api/voucher/seckill", sale).await;
        published.data().as_i64().expect("the id of the voucher")
    }

    pub(crate) fn sale(&self, stock: u32) -> Value {
        json!({
            "shopId": self.shop,
            "title": "100元代金券",
            "subTitle": "周一至周日可用",
            "rules": "全场通用",
            "payValue": 8000,
            "actualValue": 10000,
            "stock": stock,
            "beginTime": wall_clock(-3_600),
            "endTime": wall_clock(3_600),
        })
    }

    /// The live orders of a sale, by id.
    pub(crate) async fn holdings(&self, voucher: i64) -> Vec<Holding> {
        let (db, id) = (self.app.core().db(), VoucherId::new(voucher));
        let listed = flash_sales::holdings(db, id, OrderId::new(0), 100_000, Timestamp::MAX).await;
        listed.unwrap()
    }

    pub(crate) async fn wait_for_orders(&self, voucher: i64, count: usize) {
        wait_until("the orders are in SQL", PATIENCE, async || {
            self.holdings(voucher).await.len() == count
        })
        .await;
    }

    pub(crate) async fn people(&self, count: u32) -> Vec<Client> {
        people(&self.app, count).await
    }
}

/// People with live sessions, the same ones every time.
pub(crate) async fn people(app: &TestApp, count: u32) -> Vec<Client> {
    let visitor = app.visitor();
    let mut people = Vec::new();
    for batch in load_test::batches(count) {
        let tokens = load_test::open_sessions(app.core(), batch).await.unwrap();
        let signed = tokens
            .iter()
            .map(|token| visitor.clone().with_token(token.as_str()));
        people.extend(signed);
    }
    people
}

/// A time on the site's clocks, so many seconds from now.
#[track_caller]
pub(crate) fn wall_clock(secs_from_now: i64) -> String {
    let at = Timestamp::now() + SignedDuration::from_secs(secs_from_now);
    let zone = TimeZone::get("Asia/Shanghai").unwrap();
    let local = zone.to_datetime(at).with().subsec_nanosecond(0).build();
    local.unwrap().to_string()
}

pub(crate) async fn claim(client: &Client, voucher: i64) -> HttpReply {
    client
        .post(&format!("/api/voucher-order/seckill/{voucher}"))
        .await
}

/// The order that a claim got.
pub(crate) async fn win(client: &Client, voucher: i64) -> String {
    let claimed = claim(client, voucher).await;
    let order = claimed.data();
    order.as_str().expect("an id as a text").to_owned()
}

pub(crate) async fn sale_state(client: &Client, voucher: i64) -> Value {
    client
        .get(&format!("/api/voucher/seckill/{voucher}"))
        .await
        .data()
}
