//! A site of some size, and the requests that it serves.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::json;
use tokio::time::Instant;

use crate::fill;
use crate::flash::CONNECTIONS;
use crate::load::{Requests, ask_all};
use crate::market::{Market, MarketPlan, MarketRole, order_of};
use crate::sql::DatabaseKind;

use super::size::{SMALLEST, SiteSize};

/// Who claim in a window of any site: as many as the smallest has, from all over a larger one.
const PEOPLE: usize = SMALLEST.people;
/// Sales that a window consists of.
const SALES: usize = 4;
/// Fans of the author and past orders of the buyer, on the smallest site.
const FANS: u64 = 100;
const ORDERS: u64 = 100;
/// Pages of a window, and the clients that request them.
const PAGES: usize = 400;
const READERS: usize = 16;
/// Notes of a window, one after the other.
const NOTES: usize = 5;
/// More notes than rounds publish.
const PICTURES: u64 = 100;
/// Shops of the demo data: one whose vouchers stay as they are, and one that all the others belong to.
const QUIET_SHOP: i64 = 2;
const BUSY_SHOP: i64 = 3;

/// A request that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Claim,
    Publish,
    MyOrders,
    Vouchers,
    Fans,
    Person,
}

#[derive(Debug)]
pub(super) struct Grown {
    pub(super) market: Market,
    /// How many times the smallest site it is, in what it has grown.
    pub(super) times: usize,
    /// Seconds a request, window by window.
    pub(super) costs: BTreeMap<Operation, Vec<f64>>,
    /// Who has fans and past orders: the first of the crowd.
    person: i64,
    published: u64,
}

impl Operation {
    pub(super) const ALL: [Self; 6] = [
        Self::Claim,
        Self::Publish,
        Self::MyOrders,
        Self::Vouchers,
        Self::Fans,
        Self::Person,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Publish => "publish",
            Self::MyOrders => "my orders",
            Self::Vouchers => "vouchers",
            Self::Fans => "fans",
            Self::Person => "profile",
        }
    }

    /// How many times the smallest site's cost is allowed.
    pub(super) fn goal(self) -> Option<f64> {
        match self {
            Self::Claim => Some(1.1),
            _ => None,
        }
    }
}

impl Grown {
    /// Everybody has bought something already.
    pub(super) async fn open(sql: DatabaseKind, times: usize, size: SiteSize) -> Result<Self> {
        let mut market = Market::open(MarketPlan {
            people: size.people,
            sql,
            role: MarketRole::All,
            ..MarketPlan::default()
        })
        .await?;
        let voucher = market.publish(market.tokens.len()).await?;
        market.sell_to_all(voucher, CONNECTIONS).await?;
        market.wait_until_drained().await?;
        market.tokens = scattered(&market.tokens);
        let person = market.sql.crowd_ids().await?[0];
        let sql = &market.sql;
        fill::add_ended_sales(sql, BUSY_SHOP, size.vouchers).await?;
        fill::add_old_orders(sql, BUSY_SHOP, SMALLEST.vouchers, size.orders).await?;
        fill::add_old_notes(sql, BUSY_SHOP, (person, PEOPLE), size.notes).await?;
        if sql.kind() == DatabaseKind::Sqlite {
            let more = (size.vouchers / SMALLEST.vouchers).max(1);
            fill::add_fans(sql, person, FANS * more).await?;
            fill::add_pictures(sql, person, PICTURES).await?;
            fill::add_past_orders(sql, BUSY_SHOP, person, ORDERS * more).await?;
        }
        Ok(Self {
            market,
            times,
            costs: BTreeMap::new(),
            person,
            published: 0,
        })
    }

    /// Seconds a request in one window.
    pub(super) async fn secs(&mut self, operation: Operation) -> Result<f64> {
        let person = self.person;
        match operation {
            Operation::Claim => self.secs_per_claim().await,
            Operation::Publish => self.secs_per_note().await,
            Operation::MyOrders => self.secs_per_page("/api/voucher-order/of/me").await,
            Operation::Vouchers => {
                self.secs_per_page(&format!("/api/voucher/list/{QUIET_SHOP}"))
                    .await
            }
            Operation::Fans => {
                self.secs_per_page(&format!("/api/follow/fans/{person}"))
                    .await
            }
            Operation::Person => {
                self.secs_per_page(&format!("/api/user/info/{person}"))
                    .await
            }
        }
    }

    async fn secs_per_claim(&mut self) -> Result<f64> {
        let market = &mut self.market;
        let vouchers = market.publish_many(SALES, PEOPLE).await?;
        market.arrive_some(PEOPLE, CONNECTIONS).await?;
        let since = Instant::now();
        for voucher in vouchers {
            let claims = market.claims(voucher, 0..PEOPLE);
            let sold = ask_all(market.address(), CONNECTIONS, claims).await?;
            let orders: Vec<i64> = sold.answers.iter().filter_map(order_of).collect();
            ensure!(orders.len() == PEOPLE, "a claim was refused");
            market.note(voucher, orders.into_iter());
        }
        market.wait_until_drained().await?;
        Ok(since.elapsed().as_secs_f64() / (PEOPLE * SALES) as f64)
    }

    async fn secs_per_note(&mut self) -> Result<f64> {
        let mut requests = Requests::default();
        for _ in 0..NOTES {
            let images = fill::picture(self.person, self.published);
            let note = json!({ "shopId": QUIET_SHOP, "title": "一碗面", "content": "好吃", "images": images });
            let token = self.market.tokens[0].as_str();
            requests.push_with("POST", "/api/blog", Some(token), &note.to_string());
            self.published += 1;
        }
        let tally = ask_all(self.market.address(), 1, requests)
            .await?
            .all_fine()?;
        self.market.wait_until_relayed().await?;
        Ok(tally.took.as_secs_f64() / NOTES as f64)
    }

    async fn secs_per_page(&self, path: &str) -> Result<f64> {
        let token = self.market.tokens[0].as_str();
        let requests = Requests::repeat("GET", path, Some(token), PAGES);
        let tally = ask_all(self.market.address(), READERS, requests).await?;
        Ok(1.0 / tally.all_fine()?.per_sec())
    }
}

/// The same tokens, of which the first [`PEOPLE`] belong to people from all over the crowd. The very first stays where it is.
fn scattered(tokens: &[String]) -> Vec<String> {
    let step = tokens.len().div_ceil(PEOPLE);
    let from = |first| tokens.iter().skip(first).step_by(step).cloned();
    (0..step).flat_map(from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_tokens_are_the_same_ones_and_the_first_come_from_all_over() {
        let tokens: Vec<String> = (0..10 * PEOPLE).map(|number| number.to_string()).collect();
        let scattered = scattered(&tokens);
        let first: Vec<&str> = scattered[..PEOPLE].iter().map(String::as_str).collect();
        assert_eq!(first[..3], ["0", "10", "20"]);
        assert_eq!(first.last(), Some(&"9990"));
        let mut sorted = scattered.clone();
        sorted.sort_by_key(|token| token.parse::<usize>().expect("it is a number"));
        assert_eq!(sorted, tokens);
    }
}
