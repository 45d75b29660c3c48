//! What the examples do with a ledger: a crowd claims everything at once, one buyer cancels, another gets the unit. After each
//! step the ledger must have exactly what was granted.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use futures_util::future::join_all;
use redis_flash_sale::{
    BuyerId, CancellationToken, Claim, ClaimOutcome, Flash, Ledger, OrderId, SaleId, StockReturn,
    StockUnit,
};

pub(crate) const SALE: SaleId = SaleId(1);
pub(crate) const UNITS: u32 = 100;

const PATIENCE: Duration = Duration::from_secs(10);

/// What the examples need of a ledger beside what the engine does.
pub(crate) trait Books: Ledger {
    type Error: Error + 'static;

    async fn live_orders(&self) -> Result<BTreeMap<OrderId, BuyerId>, Self::Error>;

    async fn cancel(&self, order: OrderId) -> Result<(), Self::Error>;
}

/// Sells all units of [`SALE`] to some of the buyers, and the one that is cancelled to the late one.
pub(crate) async fn sell_out<L: Books>(
    flash: &Flash<L>,
    buyers: &[BuyerId],
    late: BuyerId,
) -> Result<(), Box<dyn Error>> {
    flash.check_partitions().await?;
    let stop = CancellationToken::new();
    let (worker, until) = (flash.clone(), stop.clone());
    let worker = tokio::spawn(async move { worker.run_drain(until).await });
    let (listener, until) = (flash.clone(), stop.clone());
    let listener = tokio::spawn(async move { listener.listen(until).await });

    let claims = buyers.iter().map(|buyer| flash.claim(claim_of(*buyer)));
    let mut granted = BTreeMap::new();
    for (buyer, outcome) in buyers.iter().zip(join_all(claims).await) {
        if let ClaimOutcome::Granted(order) = outcome? {
            granted.insert(order, *buyer);
        }
    }
    flash.wait_until_drained(PATIENCE).await?;
    let (claims, sold) = (buyers.len(), granted.len());
    println!("{claims} claims for {UNITS} units: {sold} granted");
    assert_eq!(sold, usize::try_from(UNITS)?, "never more, never fewer");
    let recorded = flash.ledger().live_orders().await?;
    assert_eq!(recorded, granted, "every grant is recorded");

    // A buyer cancels: first in the ledger, then in the gate. The unit is for sale again within a second.
    let (order, buyer) = granted.pop_first().ok_or("all units were granted")?;
    flash.ledger().cancel(order).await?;
    let returned = StockReturn {
        sale: SALE,
        buyer,
        order,
        unit: StockUnit::Held,
    };
    assert!(flash.return_unit(returned).await?);
    granted.insert(buy(flash, late).await?, late);
    flash.wait_until_drained(PATIENCE).await?;
    let recorded = flash.ledger().live_orders().await?;
    assert_eq!(recorded, granted, "one order ended, another has its unit");
    stop.cancel();
    worker.await?;
    listener.await?;
    Ok(())
}

/// Claims until the unit that returned is seen: another process may take it for sold out a moment longer.
async fn buy<L: Books>(flash: &Flash<L>, buyer: BuyerId) -> Result<OrderId, Box<dyn Error>> {
    for _ in 0..100 {
        if let ClaimOutcome::Granted(order) = flash.claim(claim_of(buyer)).await? {
            return Ok(order);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("the unit did not return".into())
}

fn claim_of(buyer: BuyerId) -> Claim {
    Claim {
        sale: SALE,
        buyer,
        key: None,
    }
}
