//! The promises, held against what the witness wrote down.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::{OrderId, VoucherId};
use jiff::Timestamp;
use storage::flash_sales::{self, Audit, Holding};
use storage::{Db, DbOptions};
use tokio::time::{Instant, sleep};

use super::record;
use super::site::Site;
use super::witness::{ClaimReply, Witness};

/// A backlog of this size is recorded in a moment; what takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(180);

const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What a site owes its buyers after what was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Every order that was handed out is kept.
    Everything,
    /// Redis lost what it was told to keep: orders that were not in SQL yet may be gone, and nothing else.
    WhatWasRecorded,
}

const KEPT: &str = "an order that was handed out is one row, its buyer's only one";
const KEPT_IF_RECORDED: &str =
    "an order that was in SQL outlived the flush, and its buyer was told of it";

/// The sale as SQL has it.
pub(super) struct Books {
    audit: Audit,
    pub(super) holdings: Vec<Holding>,
}

impl Books {
    pub(super) async fn read(site: &Site) -> Self {
        let db = Db::connect(&DbOptions::new(site.sql_url())).await.unwrap();
        let voucher = VoucherId::new(site.voucher());
        let audit = flash_sales::audit(&db, voucher).await.unwrap();
        let holdings =
            flash_sales::holdings(&db, voucher, OrderId::new(0), u32::MAX, Timestamp::MAX).await;
        db.close().await.unwrap();
        Self {
            audit: audit.expect("the sale was published"),
            holdings: holdings.unwrap(),
        }
    }

    fn orders(&self) -> impl Iterator<Item = String> {
        self.holdings.iter().map(|held| held.order.to_string())
    }
}

pub(super) async fn verify(site: &Site, witness: &Witness, promise: Promise) {
    let stock = site.stock() as usize;
    count_replies(site, witness);
    wait_until_sold(site).await;
    let books = Books::read(site).await;
    assert_sold_exactly(&books, stock);
    let recorded: BTreeSet<String> = books.orders().collect();
    let mut told = replied_orders(witness);
    forget_returned(&mut told, &site.returned());
    let mut kept = BTreeMap::new();
    for (person, orders) in &told {
        let of_person: Vec<_> = orders.iter().filter(|id| recorded.contains(*id)).collect();
        match promise {
            Promise::Everything => {
                let heard = || replies_of(witness, *person);
                assert_eq!(orders.len(), 1, "{person} heard {:?}", heard());
                assert_eq!(of_person.len(), 1, "lost: {person} heard {:?}", heard());
            }
            Promise::WhatWasRecorded => {
                assert!(of_person.len() <= 1, "{person} has two orders: {orders:?}");
                let heard_last =
                    of_person.is_empty() || of_person.first() == orders.last().as_ref();
                assert!(heard_last, "{person} was forgotten: {orders:?}");
            }
        }
        kept.extend(of_person.first().map(|&id| (*person, id.clone())));
    }
    let given: BTreeSet<&String> = kept.values().collect();
    assert_eq!(given.len(), kept.len(), "an order was given to two people");
    assert_eq!(
        given.len(),
        stock,
        "an order belongs to nobody who was told"
    );
    match promise {
        Promise::Everything => record::held(KEPT, kept.len()),
        Promise::WhatWasRecorded => record::held(KEPT_IF_RECORDED, kept.len()),
    }
    site.assert_buyers_see(&kept).await;
    site.assert_reconciled().await;
}

/// Waits until as many live orders are in SQL as there are pieces.
pub(super) async fn wait_until_sold(site: &Site) {
    let deadline = Instant::now() + PATIENCE;
    while !is_sold(site).await {
        let recorded = Books::read(site).await.holdings.len();
        assert!(
            Instant::now() < deadline,
            "{recorded} of {} are in SQL and no more come\n{}",
            site.stock(),
            site.logs(),
        );
        sleep(LOOK_AGAIN).await;
    }
}

/// Whether every unit has a live order in SQL.
pub(super) async fn is_sold(site: &Site) -> bool {
    Books::read(site).await.holdings.len() >= site.stock() as usize
}

/// Whoever was told an id while the outcome was not known, and had no order yet, got that id or none.
#[track_caller]
pub(super) fn assert_processing_came_true(witness: &Witness) {
    let told = replied_orders(witness);
    let (mut doubts, mut buyers) = (0, BTreeSet::new());
    for testimony in witness.testimonies() {
        if let ClaimReply::Order(_) = testimony.heard {
            buyers.insert(testimony.person);
        } else if let (ClaimReply::Processing(id), Some(orders), false) = (
            testimony.heard,
            told.get(&testimony.person),
            buyers.contains(&testimony.person),
        ) {
            doubts += 1;
            let heard = || replies_of(witness, testimony.person);
            assert_eq!(orders, &[id], "{} heard {:?}", testimony.person, heard());
        }
    }
    eprintln!("{doubts} doubts came true");
    record::held(
        "an id given while the outcome was unknown came true",
        doubts,
    );
}

#[track_caller]
fn assert_sold_exactly(books: &Books, stock: usize) {
    let Books { audit, holdings } = books;
    assert_eq!(holdings.len(), stock, "oversold, or sold short");
    assert_eq!((audit.terms.stock, audit.live_orders), (0, stock as u64));
    let people: BTreeSet<_> = holdings.iter().map(|holding| holding.user_id).collect();
    assert_eq!(people.len(), stock, "somebody has two live orders");
    record::held("a unit has exactly one live order in SQL", stock);
    record::held("a buyer has one live order", people.len());
}

/// For the report: how many people came and what they were told.
fn count_replies(site: &Site, witness: &Witness) {
    record::counted("buyers", site.people());
    record::counted("pieces", site.stock() as usize);
    let mut replies: BTreeMap<&str, usize> = BTreeMap::new();
    for testimony in witness.testimonies() {
        let reply = match testimony.heard {
            ClaimReply::Order(_) => "claims answered with an order",
            ClaimReply::Processing(_) => "claims answered as processing",
            ClaimReply::SoldOut => "claims answered as sold out",
            ClaimReply::NotNow(_) => "claims refused for the moment",
            ClaimReply::Nothing => "claims without a reply",
        };
        *replies.entry(reply).or_default() += 1;
    }
    for (reply, number) in replies {
        record::counted(reply, number);
    }
}

/// What was taken back is no promise any more, and whoever had it may have been told of another since.
fn forget_returned(told: &mut BTreeMap<usize, Vec<String>>, returned: &BTreeSet<String>) {
    for orders in told.values_mut() {
        orders.retain(|order| !returned.contains(order));
    }
    told.retain(|_, orders| !orders.is_empty());
}

fn replies_of(witness: &Witness, person: usize) -> Vec<ClaimReply> {
    let all = witness.testimonies().into_iter();
    let theirs = all.filter(|testimony| testimony.person == person);
    theirs.map(|testimony| testimony.heard).collect()
}

/// The orders each person was told of, the one heard last at the end.
fn replied_orders(witness: &Witness) -> BTreeMap<usize, Vec<String>> {
    let mut told: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for testimony in witness.testimonies() {
        if let ClaimReply::Order(order) = testimony.heard {
            let orders = told.entry(testimony.person).or_default();
            orders.retain(|earlier| *earlier != order);
            orders.push(order);
        }
    }
    told
}
