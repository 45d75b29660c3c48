//! The promises, held against what the witness wrote down.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::{OrderId, VoucherId};
use storage::flash_sales::{self, Audit, Holding};
use storage::{Db, DbOptions};
use testkit::wait_until;

use super::site::Site;
use super::witness::{Heard, Witness};

/// A backlog of this size is recorded in a moment; what takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a site owes its buyers after what was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Every order that was handed out is kept.
    Everything,
    /// Redis lost what it was told to keep: orders that were not in SQL yet may be gone, and nothing else.
    WhatWasRecorded,
}

/// The sale as SQL has it.
struct Books {
    audit: Audit,
    holdings: Vec<Holding>,
}

impl Books {
    async fn read(site: &Site) -> Self {
        let db = Db::connect(&DbOptions::new(site.sql_url())).await.unwrap();
        let voucher = VoucherId::new(site.voucher());
        let audit = flash_sales::audit(&db, voucher).await.unwrap();
        let holdings = flash_sales::holdings(&db, voucher, OrderId::new(0), u32::MAX).await;
        db.close().await.unwrap();
        Self {
            audit: audit.expect("the sale was published"),
            holdings: holdings.unwrap(),
        }
    }
}

pub(super) async fn verify(site: &Site, witness: &Witness, promise: Promise) {
    let stock = site.stock() as usize;
    wait_until("everything sold to be in SQL", PATIENCE, async || {
        Books::read(site).await.holdings.len() >= stock
    })
    .await;
    let books = Books::read(site).await;
    assert_sold_exactly(&books, stock);
    let told = orders_told(witness);
    let owners = owners(&books);
    for (person, orders) in &told {
        if promise == Promise::Everything {
            assert_eq!(orders.len(), 1, "person {person} was told of {orders:?}");
        }
        let last = orders.last().unwrap();
        assert!(owners.contains_key(last), "order {last} of {person} is lost");
    }
    let holders: BTreeSet<&String> = told.values().filter_map(|orders| orders.last()).collect();
    assert_eq!(holders.len(), told.len(), "an order was given to two people");
    assert_eq!(holders.len(), stock, "an order in SQL belongs to nobody who was told");
    site.assert_owners_see_their_orders(&told).await;
    site.assert_reconciled().await;
}

fn assert_sold_exactly(books: &Books, stock: usize) {
    let Books { audit, holdings } = books;
    assert_eq!(holdings.len(), stock, "oversold, or sold short");
    assert_eq!((audit.terms.stock, audit.live_orders), (0, stock as u64));
    let people: BTreeSet<_> = holdings.iter().map(|holding| holding.user_id).collect();
    assert_eq!(people.len(), stock, "somebody has two live orders");
}

/// The orders each person was told of, in the order of the answers, without repetition.
fn orders_told(witness: &Witness) -> BTreeMap<usize, Vec<String>> {
    let mut told: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for testimony in witness.testimonies() {
        if let Heard::Order(order) = testimony.heard {
            let orders = told.entry(testimony.person).or_default();
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
    }
    told
}

fn owners(books: &Books) -> BTreeMap<String, i64> {
    let owner = |holding: &Holding| (holding.order.to_string(), holding.user_id.get());
    books.holdings.iter().map(owner).collect()
}
