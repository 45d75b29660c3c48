//! Reads the state of a sale, and the stock of many. Never loads a gate.

use std::ops::Range;
use std::sync::Arc;

use link::LinkError;
use redis::{Pipeline, Value, from_redis_value};
use thiserror::Error;

use crate::gate::items;
use crate::gate::known_sales::KnownSale;
use crate::{BuyerId, Flash, Ledger, LedgerError, OrderId, SaleId};

/// The state of a sale in its gate; in the ledger, if there is no gate yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaleState {
    /// Whether it sells, and if not, why.
    pub phase: SalePhase,
    /// Units for sale.
    pub stock: u32,
    /// The first millisecond of the window, since 1970.
    pub begin_ms: i64,
    /// The first millisecond after the window.
    pub end_ms: i64,
    /// By the clock of Redis, which decides.
    pub now_ms: i64,
    /// Live orders of the given buyer, as far as the gate knows them.
    pub orders: Vec<OrderId>,
}

/// The phase of a sale, as a buyer sees it. The set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalePhase {
    /// Its window has not begun.
    Waiting,
    /// It sells.
    Open,
    /// Its window is open, and no unit is left.
    SoldOut,
    /// Its window is over, or it was taken off the shelf.
    Ended,
}

/// Why the state of a sale could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StateError {
    /// Redis failed.
    #[error("the gate could not be read")]
    Gate(#[source] LinkError),
    /// The ledger failed.
    #[error("the ledger could not be read")]
    Ledger(#[source] LedgerError),
}

/// The fields that are read of each bucket.
const FIELDS: [&str; 5] = ["state", "stock", "begin", "end", "shelf"];

/// The reply to [`FIELDS`].
type GateFields = (
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<u8>,
);

impl<L: Ledger> Flash<L> {
    /// `None` if there is no such sale.
    pub async fn state(
        &self,
        sale: SaleId,
        buyer: Option<BuyerId>,
    ) -> Result<Option<SaleState>, StateError> {
        let found = self.find_gate(sale).await.map_err(StateError::Gate)?;
        let state = match found {
            Some(found) => self
                .state_in_gate(&found, buyer)
                .await
                .map_err(StateError::Gate)?,
            None => None,
        };
        match state {
            Some(state) => Ok(Some(state)),
            None => self.state_in_ledger(sale).await,
        }
    }

    /// The stock of each sale, in order; `None` for a sale whose gate is not open. One round trip for all of them, and
    /// another for those that this process does not know yet.
    pub async fn stocks(&self, sales: &[SaleId]) -> Result<Vec<Option<u32>>, LinkError> {
        let gates = self.find_gates(sales).await?;
        let buckets = gates.iter().flatten().flat_map(|gate| &gate.buckets);
        let mut pipeline = Pipeline::new();
        for bucket in buckets {
            let fields = ["state", "stock"];
            pipeline.cmd("HMGET").arg(&bucket.sale_key).arg(&fields);
        }
        let rows: Vec<(Option<String>, Option<i64>)> = match pipeline.is_empty() {
            true => Vec::new(),
            false => self.inner.link.pipe(&pipeline).await?,
        };
        let mut rows = rows.into_iter();
        let sum = |gate: Option<Arc<KnownSale>>| {
            let rows = rows.by_ref().take(gate?.buckets.len());
            let open = rows.map(|(state, stock)| stock.filter(|_| is_open(state.as_deref())));
            // Every row of the sale is consumed, also after one that is closed.
            let stocks: Vec<Option<i64>> = open.collect();
            stocks.into_iter().sum::<Option<i64>>().map(units)
        };
        Ok(gates.into_iter().map(sum).collect())
    }

    /// A sale that has a gate.
    pub(crate) async fn find_gate(
        &self,
        sale: SaleId,
    ) -> Result<Option<Arc<KnownSale>>, LinkError> {
        if let Some(known) = self.inner.known_sales.get(sale) {
            return Ok(Some(known));
        }
        let found = self.find_gates(&[sale]).await?;
        Ok(found.into_iter().next().flatten())
    }

    /// The sales that have a gate, in order. One round trip for all that this process does not know yet.
    pub(crate) async fn find_gates(
        &self,
        sales: &[SaleId],
    ) -> Result<Vec<Option<Arc<KnownSale>>>, LinkError> {
        let Self { inner } = self;
        let is_new = |sale: &&SaleId| inner.known_sales.get(**sale).is_none();
        let unknown: Vec<SaleId> = sales.iter().filter(is_new).copied().collect();
        let mut pipeline = Pipeline::with_capacity(unknown.len());
        for sale in &unknown {
            let key = inner.keys.sale(inner.partitions.of(*sale, 0), *sale);
            pipeline.cmd("HGET").arg(key).arg("spread");
        }
        let spreads: Vec<Option<u16>> = match unknown.is_empty() {
            true => Vec::new(),
            false => inner.link.pipe(&pipeline).await?,
        };
        for (sale, spread) in unknown.into_iter().zip(spreads) {
            if let Some(spread) = spread {
                inner.remember_sale(sale, spread);
            }
        }
        Ok(sales
            .iter()
            .map(|sale| inner.known_sales.get(*sale))
            .collect())
    }

    /// `None` if a bucket is not open.
    async fn state_in_gate(
        &self,
        sale: &KnownSale,
        buyer: Option<BuyerId>,
    ) -> Result<Option<SaleState>, LinkError> {
        let mut pipeline = Pipeline::with_capacity(sale.buckets.len() + 2);
        for bucket in &sale.buckets {
            pipeline.cmd("HMGET").arg(&bucket.sale_key).arg(&FIELDS);
        }
        pipeline.cmd("TIME");
        if let Some(buyer) = buyer {
            let bucket = sale.bucket(sale.bucket_of(buyer));
            pipeline.cmd("HGET").arg(&bucket.buyers_key).arg(buyer.0);
        }
        let replies: Vec<Value> = self.inner.link.pipe(&pipeline).await?;
        Ok(parse_state(replies, sale.buckets.len()))
    }

    async fn state_in_ledger(&self, sale: SaleId) -> Result<Option<SaleState>, StateError> {
        let terms = self.inner.ledger.sale(sale).await;
        let now_ms = jiff::Timestamp::now().as_millisecond();
        Ok(terms.map_err(StateError::Ledger)?.map(|terms| {
            let window = terms.begin_ms..terms.end_ms;
            SaleState {
                phase: phase(terms.on_shelf, i64::from(terms.stock), &window, now_ms),
                stock: terms.stock,
                begin_ms: window.start,
                end_ms: window.end,
                now_ms,
                orders: Vec::new(),
            }
        }))
    }
}

/// Rows of all buckets, the time, and the items of the buyer if one was given.
fn parse_state(replies: Vec<Value>, buckets: usize) -> Option<SaleState> {
    let mut replies = replies.into_iter();
    let rows = replies.by_ref().take(buckets);
    let rows: Vec<GateFields> = rows.map(from_redis_value).collect::<Result<_, _>>().ok()?;
    let (secs, micros): (i64, i64) = from_redis_value(replies.next()?).ok()?;
    let held = replies
        .next()
        .map_or(Ok(None), from_redis_value::<Option<String>>);
    let held = held.ok()?;
    let open = rows.iter().all(|row| is_open(row.0.as_deref()));
    let stock = rows.iter().map(|row| row.1).sum::<Option<i64>>()?;
    let (_, _, begin_ms, end_ms, shelf) = rows.into_iter().next()?;
    let window = begin_ms?..end_ms?;
    let now_ms = secs * 1000 + micros / 1000;
    let live = items(held.as_deref().unwrap_or_default()).filter(|item| item.is_live());
    open.then(|| SaleState {
        phase: phase(shelf == Some(1), stock, &window, now_ms),
        stock: units(stock),
        begin_ms: window.start,
        end_ms: window.end,
        now_ms,
        orders: live.map(|item| item.order).collect(),
    })
}

fn is_open(state: Option<&str>) -> bool {
    state == Some("open")
}

/// By the rules of the claim script.
fn phase(on_shelf: bool, stock: i64, window: &Range<i64>, now_ms: i64) -> SalePhase {
    if !on_shelf || now_ms >= window.end {
        SalePhase::Ended
    } else if now_ms < window.start {
        SalePhase::Waiting
    } else if stock <= 0 {
        SalePhase::SoldOut
    } else {
        SalePhase::Open
    }
}

fn units(stock: i64) -> u32 {
    u32::try_from(stock.max(0)).unwrap_or(u32::MAX)
}
