//! Following a sale live: server-sent events.

use std::time::Duration;

use serde_json::Value;
use testkit::TestApp;

use super::{Market, PATIENCE, win};

/// The events of a sale, as a browser reads them.
struct Events {
    response: reqwest::Response,
    text: String,
}

impl Events {
    async fn of(app: &TestApp, voucher: i64) -> Self {
        let url = format!("{}/api/voucher/seckill/{voucher}/events", app.url());
        let response = reqwest::get(url).await.unwrap();
        assert_eq!(response.status(), 200);
        let kind = response.headers()["content-type"].to_str().unwrap();
        assert_eq!(kind, "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next event; nothing when the stream has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(str::to_owned);
                self.text = rest.to_owned();
                match data {
                    Some(data) => return Some(serde_json::from_str(&data).unwrap()),
                    None => continue,
                }
            }
            let chunk = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn next_stock(&mut self) -> i64 {
        let event = tokio::time::timeout(PATIENCE, self.next()).await.unwrap();
        event.unwrap()["stock"].as_i64().unwrap()
    }
}

#[tokio::test]
async fn a_page_sees_the_stock_fall_and_the_sale_end() {
    let market = Market::open().await;
    let voucher = market.sell(3).await;
    let (mut one, mut two) = (
        Events::of(&market.app, voucher).await,
        Events::of(&market.app, voucher).await,
    );
    assert_eq!((one.next_stock().await, two.next_stock().await), (3, 3));
    for person in market.people(3).await {
        win(&person, voucher).await;
    }
    for events in [&mut one, &mut two] {
        while events.next_stock().await > 0 {}
    }
}

#[tokio::test]
async fn a_page_that_looks_on_keeps_no_server_from_stopping() {
    let market = Market::open().await;
    let voucher = market.sell(3).await;
    let mut events = Events::of(&market.app, voucher).await;
    assert_eq!(events.next_stock().await, 3);
    let stopped = tokio::time::timeout(Duration::from_secs(10), market.app.stop());
    let (stopped, last) = tokio::join!(stopped, events.next());
    stopped.expect("the server stopped in time");
    assert_eq!(last, None);
}

#[tokio::test]
async fn places_to_look_on_are_counted_and_given_back() {
    let app = TestApp::builder().setting("flash.max_watchers", 1);
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(3).await;
    let path = format!("/api/voucher/seckill/{voucher}/events");
    let events = Events::of(&market.app, voucher).await;
    let refused = market.merchant.get(&path).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (503, "busy")
    );
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    drop(events);
    testkit::wait_until("the place is free", PATIENCE, async || {
        let url = format!("{}{path}", market.app.url());
        reqwest::get(url).await.unwrap().status() == 200
    })
    .await;
    let nothing = market
        .merchant
        .get("/api/voucher/seckill/123456/events")
        .await;
    // Whether a place is free or not, there is nothing to see.
    assert!(["voucher_not_found", "busy"].contains(&nothing.code().as_str()));
}
