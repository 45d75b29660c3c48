//! Notices over HTTP: a list, and events while a page is open, on any server.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::flash::{Market, PATIENCE};
use crate::order_life::{ALIPAY, buy, ordinary, pay, step};

/// The events of a page, as a browser reads them: id and data.
struct Events {
    response: reqwest::Response,
    text: String,
}

impl Events {
    async fn of(app: &TestApp, client: &Client, last: Option<&str>) -> Self {
        let url = format!("{}/api/notices/events", app.url());
        let mut request = reqwest::Client::new().get(url);
        request = request.header("authorization", client.token());
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self {
            response,
            text: String::new(),
        }
    }

    async fn read(&mut self) -> (String, Value) {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| line.strip_prefix(name).map(str::to_owned))
                };
                let (id, data) = (field("id: "), field("data: "));
                self.text = rest.to_owned();
                if let (Some(id), Some(data)) = (id, data) {
                    return (id, serde_json::from_str(&data).unwrap());
                }
                continue;
            }
            let chunk = self.response.chunk().await.unwrap().expect("it goes on");
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn next(&mut self) -> (String, Value) {
        let next = tokio::time::timeout(PATIENCE, self.read()).await;
        next.expect("an event")
    }
}

#[tokio::test]
async fn a_page_on_any_server_is_notified_and_catches_up() {
    let market = Market::open().await;
    let other = market.app.beside().spawn().await;
    let crowd = market.people(2).await;
    let voucher = ordinary(&market).await;
    let mut here = Events::of(&market.app, &crowd[0], None).await;
    let mut there = Events::of(&other, &crowd[0], None).await;
    let mut other_user = Events::of(&other, &crowd[1], None).await;
    let id = buy(&crowd[0], voucher).await;
    pay(&crowd[0], &id, ALIPAY).await.data();
    let (first, paid) = here.next().await;
    assert_eq!(
        (&paid["kind"], &paid["orderId"]),
        (&json!("order_paid"), &json!(id))
    );
    assert_eq!(paid["title"], "50元代金券", "live ones too");
    assert_eq!(there.next().await.0, first);
    drop(there);
    step(&crowd[0], &id, "refund").await.data();
    assert_eq!(here.next().await.1["kind"], "order_refunded");
    let mut back = Events::of(&other, &crowd[0], Some(&first)).await;
    assert_eq!(
        back.next().await.1["kind"],
        "order_refunded",
        "what it missed"
    );
    let mine = buy(&crowd[1], voucher).await;
    step(&crowd[1], &mine, "cancel").await.data();
    let (_, event) = other_user.next().await;
    assert_eq!(event["orderId"], json!(mine), "and nothing of other people");
}

#[tokio::test]
async fn notices_are_listed_page_by_page_and_read_once() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let voucher = ordinary(&market).await;
        for _ in 0..3 {
            let id = buy(&buyer, voucher).await;
            step(&buyer, &id, "cancel").await.data();
        }
        let page = buyer.get("/api/notices?size=2").await.data();
        assert_eq!(page["unread"], 3);
        let cursor = page["cursor"].as_str().unwrap();
        let path = format!("/api/notices?size=2&cursor={cursor}");
        let rest = buyer.get(&path).await.data();
        let (list, newest) = (rest["list"].as_array().unwrap(), &page["list"][0]);
        assert_eq!((list.len(), &rest["cursor"]), (1, &Value::Null));
        let all = buyer.get("/api/notices?size=3").await.data();
        let ends = all.get("cursor").is_none();
        assert!(ends, "a full page that is the last has no cursor: {all}");
        assert_eq!(newest["isRead"], false);
        let shop = buyer.get(&format!("/api/shop/{}", market.shop)).await;
        assert_eq!(
            (&newest["title"], &newest["shopName"], &newest["amount"]),
            (&json!("50元代金券"), &shop.data()["name"], &json!(4500))
        );
        let older = json!({ "lastId": page["list"][1]["id"] });
        let read = buyer.post_json("/api/notices/read", &older).await;
        assert_eq!(read.data(), json!({ "unread": 1 }));
        let page = buyer.get("/api/notices").await.data();
        assert_eq!(page["list"][1]["isRead"], true);
        assert_eq!(market.app.visitor().get("/api/notices").await.status, 401);
        assert_eq!(buyer.get("/api/notices?cursor=x").await.status, 400);
    }
}

#[tokio::test]
async fn open_pages_have_a_bound_in_all_and_per_person() {
    let app = TestApp::builder()
        .setting("notice.max_listeners", 9)
        .spawn()
        .await;
    let crowd = crate::flash::people(&app, 3).await;
    let mut pages = Vec::new();
    for _ in 0..8 {
        pages.push(Events::of(&app, &crowd[0], None).await);
    }
    assert_eq!(crowd[0].get("/api/notices/events").await.status, 429);
    pages.push(Events::of(&app, &crowd[1], None).await);
    let full = crowd[2].get("/api/notices/events").await;
    assert_eq!((full.status.as_u16(), full.code()), (503, "busy".into()));
    drop(pages);
    let free = async {
        loop {
            let url = format!("{}/api/notices/events", app.url());
            let asked = reqwest::Client::new().get(url);
            let asked = asked.header("authorization", crowd[2].token()).send();
            if asked.await.unwrap().status() == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, free)
        .await
        .expect("a place is free again");
}
