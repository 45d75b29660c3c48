//! One of those who are compared, and what was seen of it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::target::Target;
use crate::load::{Requests, Tally, ask_for};
use crate::market::{Market, order_of};
use crate::pairs::Summary;
use crate::sql::Sql;
use crate::textbook::{SOLD_OUT, TextbookSite};

const WINDOW: Duration = Duration::from_secs(1);
/// Requests that are the same for everybody: more than are answered in a window.
const SAME: usize = 150_000;
/// A shop that all of them have.
const SHOP: i64 = 1;

#[derive(Debug)]
pub(super) enum Kind {
    Ours {
        market: Box<Market>,
        sold_out: i64,
    },
    Textbook {
        site: TextbookSite,
        sql: Sql,
        tokens: Vec<String>,
        /// Sales so far; each window has its own.
        sales: i64,
    },
    Outside {
        target: Target,
        /// Windows of claims so far.
        round: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Measured {
    Claim,
    /// Orders that are in SQL when the window of claims ends.
    Persisted,
    SoldOut,
    Shop,
}

#[derive(Debug)]
pub(super) struct Contestant {
    kind: Kind,
    /// Per second and p99 in milliseconds, window by window, by setting of `appendfsync`.
    seen: BTreeMap<(usize, Measured), (Vec<f64>, Vec<f64>)>,
}

impl Measured {
    pub(super) const ALL: [Self; 4] = [Self::Claim, Self::Persisted, Self::SoldOut, Self::Shop];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Claim => "claims",
            Self::Persisted => "orders that reach SQL meanwhile",
            Self::SoldOut => "sold-out answers",
            Self::Shop => "cached shops",
        }
    }
}

impl Contestant {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            seen: BTreeMap::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        match &self.kind {
            Kind::Ours { .. } => "this site",
            Kind::Textbook { .. } => "textbook server",
            Kind::Outside { target, .. } => target.url(),
        }
    }

    pub(super) fn market(&self) -> Option<&Market> {
        match &self.kind {
            Kind::Ours { market, .. } => Some(market),
            _ => None,
        }
    }

    /// Per second, window by window; empty where it cannot be seen.
    pub(super) fn rates(&self, place: usize, what: Measured) -> Vec<f64> {
        let seen = self.seen.get(&(place, what));
        seen.map(|(rates, _)| rates.clone()).unwrap_or_default()
    }

    pub(super) fn rows(&self, place: usize, fsync: &str) -> Vec<Vec<String>> {
        let median = |values: &[f64]| Summary::of(values.iter().copied()).median;
        let row = |what: Measured| {
            let (rates, waits) = self.seen.get(&(place, what))?;
            let wait = match what {
                Measured::Persisted => "–".to_owned(),
                _ => format!("{:.2}", median(waits)),
            };
            let rate = format!("{:.0}", median(rates));
            let fsync = match self.kind {
                Kind::Outside { .. } => "its own",
                _ => fsync,
            };
            let cells = [fsync, self.name(), what.name(), &rate, &wait];
            Some(cells.map(str::to_owned).into())
        };
        Measured::ALL.into_iter().filter_map(row).collect()
    }

    /// A window of each kind.
    pub(super) async fn measure(
        &mut self,
        place: usize,
        connections: usize,
        is_counted: bool,
    ) -> Result<()> {
        let (claimed, persisted) = self.kind.claim(connections).await?;
        let sold_out = self.kind.claim_in_vain(connections).await?;
        let shop = self.kind.read_shop(connections).await?;
        if !is_counted {
            return Ok(());
        }
        let mut note = |what, rate, p99| {
            let (rates, waits) = self.seen.entry((place, what)).or_default();
            rates.push(rate);
            waits.push(p99);
        };
        for (what, tally) in [
            (Measured::Claim, &claimed),
            (Measured::SoldOut, &sold_out),
            (Measured::Shop, &shop),
        ] {
            note(what, tally.per_sec(), tally.quantile_ms(0.99));
        }
        if let Some(orders) = persisted {
            note(
                Measured::Persisted,
                orders as f64 / claimed.took.as_secs_f64(),
                0.0,
            );
        }
        Ok(())
    }
}

impl Kind {
    fn address(&self) -> SocketAddr {
        match self {
            Self::Ours { market, .. } => market.address(),
            Self::Textbook { site, .. } => site.address(),
            Self::Outside { target, .. } => target.address(),
        }
    }

    /// What comes before the original's paths.
    fn prefix(&self) -> &str {
        match self {
            Self::Ours { .. } => "/api",
            Self::Textbook { .. } => "",
            Self::Outside { target, .. } => target.prefix(),
        }
    }

    /// One claim per person, and the orders that are in SQL when the last of them is answered.
    async fn claim(&mut self, connections: usize) -> Result<(Tally, Option<usize>)> {
        match self {
            Self::Ours { market, .. } => {
                let people = market.tokens.len() - 1;
                market.age_sessions(people).await?;
                let voucher = market.publish(people).await?;
                let claims = market.claims(voucher, 0..people);
                let tally = ask_for(market.address(), connections, claims, WINDOW).await?;
                let persisted = market.sql.order_ids(voucher).await?.len();
                ensure!(tally.answers.len() < people, "too few people for a second");
                let tally = tally.all_fine()?;
                market.note(voucher, tally.answers.iter().filter_map(order_of));
                market.settle().await?;
                Ok((tally, Some(persisted)))
            }
            Self::Textbook {
                site,
                sql,
                tokens,
                sales,
            } => {
                *sales += 1;
                site.publish(*sales, tokens.len()).await?;
                let claims = TextbookSite::claims(*sales, tokens);
                let tally = ask_for(site.address(), connections, claims, WINDOW).await?;
                let persisted = site.persisted(sql, *sales).await?;
                site.clear(*sales).await?;
                ensure!(
                    tally.answers.len() < tokens.len(),
                    "too few people for a second"
                );
                Ok((tally.all_fine()?, Some(persisted)))
            }
            Self::Outside { target, round } => {
                let claims = target.claims(*round);
                *round += 1;
                let tally = ask_for(target.address(), connections, claims, WINDOW).await?;
                let tally = tally.all_fine().with_context(|| {
                    format!(
                        "{} refused a claim; a person may claim a sale once: publish a new sale, or sign other people in",
                        target.url()
                    )
                })?;
                Ok((tally, None))
            }
        }
    }

    async fn claim_in_vain(&self, connections: usize) -> Result<Tally> {
        let (sale, tokens): (i64, &[String]) = match self {
            Self::Ours { market, sold_out } => {
                market.age_sessions(market.tokens.len() - 1).await?;
                (*sold_out, &market.tokens[..market.tokens.len() - 1])
            }
            Self::Textbook { tokens, .. } => (SOLD_OUT, tokens),
            Self::Outside { target, .. } => (target.sold_out(), target.tokens()),
        };
        let path = format!("{}/voucher-order/seckill/{sale}", self.prefix());
        let mut requests = Requests::default();
        for token in tokens.iter().cycle().take(SAME) {
            requests.push("POST", &path, Some(token));
        }
        let tally = ask_for(self.address(), connections, requests, WINDOW).await?;
        let sold = tally.answers.iter().filter(|answer| answer.is_success);
        ensure!(sold.count() == 0, "a sale that is sold out sold something");
        let denied = tally.answers.iter().find(|answer| answer.status == 401);
        ensure!(denied.is_none(), "a token is no longer accepted");
        Ok(tally)
    }

    async fn read_shop(&self, connections: usize) -> Result<Tally> {
        let shop = match self {
            Self::Outside { target, .. } => target.shop(),
            _ => SHOP,
        };
        let path = format!("{}/shop/{shop}", self.prefix());
        let requests = Requests::repeat("GET", &path, None, SAME);
        let tally = ask_for(self.address(), connections, requests, WINDOW).await?;
        tally.all_fine()
    }
}
