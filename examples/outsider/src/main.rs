//! A lock, a cache and a flash sale in a program that has nothing to do with this repository:
//! `REDIS_URL=redis://127.0.0.1 cargo run`, in this folder.

use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

use redis_flash_sale::{
    BuyerId, CancellationToken, Claim, ClaimOutcome, Flash, FlashOptions, Link, LinkOptions, Locks,
    MemoryLedger, SaleId, Target, Terms,
};
use redis_two_level_cache::{Cache, NoLoader};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1".to_owned());
    let link = Link::connect(&Target::parse(&url)?, LinkOptions::default()).await?;

    let locks: redis_locks::Locks = Locks::new(link.clone());
    let guard = locks.mutex("outsider").lock().await?;
    println!("the lock, with fence {}", guard.fence());
    guard.release().await?;

    let squares = Cache::builder("square", link.clone(), NoLoader::<u64, u64, Infallible>::new());
    let squares = squares.build()?;
    let square = squares.get_with(&7, || async { Ok(Some(49)) }).await?;
    println!("the square of 7 is {square:?}");

    let ledger = MemoryLedger::new();
    let sale = SaleId(7);
    ledger.publish(sale, Terms::open_now(100, Duration::from_secs(600)));
    let flash = Flash::new(link, locks, ledger.clone(), FlashOptions::default());
    flash.check_partitions().await?;
    let stop = CancellationToken::new();
    let (drain, until) = (flash.clone(), stop.clone());
    let drain = tokio::spawn(async move { drain.run_drain(until).await });
    let claim = Claim {
        sale,
        buyer: BuyerId(42),
        key: None,
    };
    match flash.claim(claim).await? {
        ClaimOutcome::Granted(order) => println!("granted: order {order}"),
        outcome => println!("not granted: {outcome:?}"),
    }
    flash.wait_until_drained(Duration::from_secs(5)).await?;
    println!("recorded: {}", ledger.live_orders(sale).len());
    stop.cancel();
    drain.await?;
    Ok(())
}
