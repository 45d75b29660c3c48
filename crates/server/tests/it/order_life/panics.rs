//! A background task that panics is restarted: selling, draining, cancelling and giving back go on in the same process.

use testkit::{Client, wait_until};

use super::sites::{Sql, open};
use super::{UNPAID, wait_for_status};
use crate::flash::{Market, PATIENCE, claim, sale_state, win};

/// Where a task panics once: the claim batcher, the drain loop, the runner that cancels, the outbox relay.
const POINTS: [&str; 4] = [
    "after_script_before_reply",
    "after_commit_before_ack",
    "before_expiry",
    "between_effect_and_its_end",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_panics_is_restarted_and_selling_goes_on() {
    for point in POINTS {
        let sql = Sql::sqlite();
        let (market, site) = open(&sql).await;
        let crowd = market.people(2).await;
        let voucher = market.sell(1).await;
        let Market { app, .. } = market;
        app.stop().await;
        let variable = format!("{point}:1:panic");
        site.start_with(&[("TANDIAN_FAIL_POINT", &variable)]);
        site.wait_until_ready().await;
        let crowd: Vec<Client> = crowd.into_iter().map(|one| one.at(site.url())).collect();
        // A client that gets an unknown outcome retries, and gets the same order.
        let first = claim(&crowd[0], voucher).await;
        let again = claim(&crowd[0], voucher).await;
        let order = again.json()["data"].as_str().unwrap_or_default().to_owned();
        assert!(
            !order.is_empty() && first.json().to_string().contains(&order),
            "{point}: {first:?} and then {again:?}"
        );
        wait_for_status(&crowd[0], &order, UNPAID).await;
        sql.let_time_run_out().await;
        wait_until("the unit is for sale", PATIENCE, async || {
            sale_state(&crowd[1], voucher).await["stock"] == 1
        })
        .await;
        let second = win(&crowd[1], voucher).await;
        wait_for_status(&crowd[1], &second, UNPAID).await;
        assert!(site.take_end().is_none(), "{point} ended the process");
        wait_until("the panic in the log", PATIENCE, async || {
            let log = site.log_tail();
            log.contains("background task panicked") && log.contains(point)
        })
        .await;
    }
}
