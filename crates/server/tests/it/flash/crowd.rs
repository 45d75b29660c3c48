//! Crowds: many more people than units, on two servers at once.
//!
//! Here in a short form; the long one (200,000 people, 10,000 units, and everything being killed) is `make chaos`.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use testkit::{Client, TestApp};

use super::{Market, claim};

/// Claims under way at once: enough that batches form.
const AT_ONCE: usize = 128;

/// The replies to a crowd: orders by user, and how often each code.
struct Tally {
    orders: BTreeMap<usize, BTreeSet<String>>,
    refusals: BTreeMap<String, usize>,
}

/// Everybody claims once per entry of `servers`, at each of them.
async fn storm(crowd: &[Client], servers: &[String], voucher: i64) -> Tally {
    let claims = crowd.iter().enumerate().flat_map(|(number, person)| {
        let at = |server: &String| (number, person.clone().at(server.clone()));
        servers.iter().map(at).collect::<Vec<_>>()
    });
    let claims =
        claims.map(|(number, person)| async move { (number, claim(&person, voucher).await) });
    let answers: Vec<_> = stream::iter(claims)
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let mut tally = Tally {
        orders: BTreeMap::new(),
        refusals: BTreeMap::new(),
    };
    for (number, answer) in answers {
        let json = answer.json();
        if let Some(order) = json["data"].as_str() {
            let orders = tally.orders.entry(number).or_default();
            orders.insert(order.to_owned());
        }
        if json["success"] == false {
            *tally.refusals.entry(answer.code()).or_default() += 1;
        }
    }
    tally
}

async fn assert_sells_exactly(market: Market, other: TestApp, people: u32, stock: u32) {
    let crowd = market.people(people).await;
    let voucher = market.sell(stock).await;
    let servers = [market.app.url(), other.url()];
    let tally = storm(&crowd, &servers, voucher).await;
    assert_eq!(tally.orders.len(), stock as usize, "{:?}", tally.refusals);
    let mut handed_out = BTreeSet::new();
    for orders in tally.orders.values() {
        assert_eq!(orders.len(), 1, "a person has one order: {orders:?}");
        assert!(
            handed_out.insert(orders.first().unwrap().clone()),
            "ids are distinct"
        );
    }
    let codes: Vec<&str> = tally.refusals.keys().map(String::as_str).collect();
    assert_eq!(codes, ["already_bought", "sold_out"]);
    market.wait_for_orders(voucher, stock as usize).await;
    let recorded: BTreeSet<String> = market
        .holdings(voucher)
        .await
        .iter()
        .map(|held| held.order.to_string())
        .collect();
    assert_eq!(recorded, handed_out, "what was handed out is what SQL has");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_people_get_a_hundred_units_from_two_servers() {
    let market = Market::open().await;
    let other = market.app.beside().spawn().await;
    other.wait_until_listening().await;
    assert_sells_exactly(market, other, 10_000, 100).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_on_mariadb_sells_exactly_as_well() {
    let market = Market::on(TestApp::builder().on_mariadb().spawn().await).await;
    let other = market.app.beside().spawn().await;
    other.wait_until_listening().await;
    assert_sells_exactly(market, other, 1_000, 100).await;
}
