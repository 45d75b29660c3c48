//! A crowd claims everything at once, one buyer cancels, another gets the unit. After each step the ledger has what was granted.

use std::{collections::BTreeMap, error::Error, time::Duration};

use futures_util::future::try_join_all;
use redis_flash_sale::{
    BuyerId, CancellationToken, Claim, ClaimOutcome, Flash, Ledger, LedgerError, OrderId, SaleId,
    StockReturn, StockUnit,
};

pub(crate) const SALE: SaleId = SaleId(1);
pub(crate) const UNITS: u32 = 100;
type Orders = BTreeMap<OrderId, BuyerId>;
type Bought = Option<(OrderId, BuyerId)>;

/// Sells all units of [`SALE`] to some of the buyers, and one that `cancel` returns to the ledger's stock to the late one.
pub(crate) async fn sell_out<L: Ledger>(
    flash: &Flash<L>,
    buyers: &[BuyerId],
    late: BuyerId,
    cancel: impl AsyncFn(OrderId) -> Result<(), LedgerError>,
) -> Result<(), Box<dyn Error>> {
    flash.check_partitions().await?;
    let stop = CancellationToken::new();
    let (worker, until) = (flash.clone(), stop.clone());
    let worker = tokio::spawn(async move { worker.run_drain(until).await });

    let outcomes = try_join_all(buyers.iter().map(|buyer| claim(flash, *buyer))).await?;
    let mut granted: Orders = outcomes.into_iter().flatten().collect();
    println!("{} claims: {} granted", buyers.len(), granted.len());
    assert_eq!(granted.len(), usize::try_from(UNITS)?, "never more or less");
    assert_eq!(recorded(flash).await?, granted, "every grant is recorded");

    // A buyer cancels: first in the ledger, then in the gate. Other processes sell the unit within a second, this one at once.
    let (order, buyer) = granted.pop_first().ok_or("all units were granted")?;
    cancel(order).await?;
    let returned = StockReturn {
        sale: SALE,
        buyer,
        order,
        unit: StockUnit::Held,
    };
    assert!(flash.return_unit(returned).await?);
    granted.extend(claim(flash, late).await?);
    assert_eq!(granted.len(), usize::try_from(UNITS)?, "it is sold again");
    assert_eq!(recorded(flash).await?, granted, "to somebody else");
    stop.cancel();
    Ok(worker.await?)
}

/// The order and its buyer, if there is a unit for them.
async fn claim<L: Ledger>(flash: &Flash<L>, buyer: BuyerId) -> Result<Bought, Box<dyn Error>> {
    let (sale, key) = (SALE, None);
    Ok(match flash.claim(Claim { sale, buyer, key }).await? {
        ClaimOutcome::Granted(order) => Some((order, buyer)),
        _ => None,
    })
}

/// The live orders in the ledger, once everything granted has reached it.
async fn recorded<L: Ledger>(flash: &Flash<L>) -> Result<Orders, Box<dyn Error>> {
    flash.wait_until_drained(Duration::from_secs(10)).await?;
    let live = flash.ledger().holdings(SALE, OrderId(0), 2 * UNITS);
    Ok(live.await?.iter().map(|it| (it.order, it.buyer)).collect())
}
