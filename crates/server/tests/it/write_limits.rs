//! Writes of signed-in people are limited by kind, over all servers together.

use futures_util::future::join_all;
use serde_json::json;
use testkit::{HttpReply, TestApp};

use crate::flash::Market;
use crate::order_life::ordinary;

fn builder(kind: &str, app: Option<&TestApp>) -> testkit::TestAppBuilder {
    let builder = app.map_or_else(TestApp::builder, TestApp::beside);
    builder.setting(&format!("limits.{kind}_per_user_per_hour"), 3)
}

/// Three are admitted, whatever their outcome, and the others get `Retry-After`.
#[track_caller]
fn assert_three_of(answers: &[HttpReply], kind: &str) {
    let refused: Vec<_> = answers.iter().filter(|it| it.status == 429).collect();
    assert_eq!(answers.len() - refused.len(), 3, "{kind}");
    for answer in refused {
        assert_eq!(answer.code(), "too_many");
        let wait_secs: u64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=1200).contains(&wait_secs), "{kind}: {wait_secs}");
    }
}

#[tokio::test]
async fn each_kind_of_write_has_its_limit_over_both_servers() {
    let note = json!({ "shopId": 1, "title": "t", "content": "c", "images": "/imgs/blogs/a.jpg" });
    let writes = [
        (
            "comments",
            "POST",
            "/api/blog-comments",
            json!({ "blogId": 1, "content": "x" }),
        ),
        ("likes", "PUT", "/api/blog/like/1", json!({})),
        ("follows", "PUT", "/api/follow/2/true", json!({})),
        (
            "favourites",
            "PUT",
            "/api/favourite/shop/1",
            json!({ "listId": 0 }),
        ),
        ("notes", "POST", "/api/blog", note),
    ];
    for (kind, method, path, body) in writes {
        let app = builder(kind, None).spawn().await;
        let second = builder(kind, Some(&app)).spawn().await;
        let here = app.sign_in("13900000001").await;
        let there = here.clone().at(second.url());
        let asks = (0..12).map(|number| {
            let client = if number % 2 == 0 { &here } else { &there };
            let body = ("application/json", body.to_string().into_bytes());
            client.send(method.parse().unwrap(), path, Some(body))
        });
        assert_three_of(&join_all(asks).await, kind);
        let other = app.sign_in("13900000002").await;
        let body = ("application/json", body.to_string().into_bytes());
        let answer = other.send(method.parse().unwrap(), path, Some(body)).await;
        assert_ne!(answer.status, 429, "{kind}: others go on");
    }
}

#[tokio::test]
async fn purchases_and_named_requests_have_their_limits() {
    for kind in ["purchases", "named_requests"] {
        let market = Market::on(builder(kind, None).spawn().await).await;
        let voucher = ordinary(&market).await;
        let buyer = market.people(1).await.remove(0);
        let asks = (0..8).map(|number| {
            let buyer = buyer
                .clone()
                .with_header("idempotency-key", &format!("name-of-request-{number}"));
            async move {
                let path = format!("/api/voucher-order/{voucher}");
                buyer.post(&path).await
            }
        });
        assert_three_of(&join_all(asks).await, kind);
    }
}
