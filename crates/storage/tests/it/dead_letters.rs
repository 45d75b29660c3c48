//! Dead-lettered orders: seen by their buyers and by admins, and dealt with once.

use domain::{OrderId, UserId};
use storage::flash_sales::{self, StockUnit};
use storage::orders::{self, DeadLetterState, Remedy};
use storage::{Db, audit};

use crate::selling::{LEASE, open_sale, order};
use crate::support::on_both;

const ADMIN: UserId = UserId::new(99);

async fn dead_letter(db: &Db, count: i64) {
    let sale = open_sale(db, 10).await;
    for number in 1..=count {
        let order = order(number, sale, number);
        let dead_lettered =
            flash_sales::dead_letter(db, LEASE, &order, "poison", StockUnit::Held).await;
        dead_lettered.unwrap().unwrap();
    }
}

async fn state(db: &Db, id: i64) -> DeadLetterState {
    let found = orders::get_dead_lettered(db, OrderId::new(id))
        .await
        .unwrap();
    found.expect("it was dead-lettered").state
}

#[tokio::test]
async fn a_dead_lettered_order_is_visible_to_its_buyer_alone() {
    on_both(async |test| {
        let db = &test.db;
        dead_letter(db, 1).await;
        let is_of = async |user, id| {
            let (user, id) = (UserId::new(user), OrderId::new(id));
            orders::is_dead_lettered(db, user, id).await.unwrap()
        };
        assert!(is_of(1, 1).await);
        assert!(!is_of(2, 1).await);
        assert!(!is_of(1, 2).await);
    })
    .await;
}

#[tokio::test]
async fn dead_lettered_orders_are_listed_newest_first_page_by_page() {
    on_both(async |test| {
        let db = &test.db;
        dead_letter(db, 5).await;
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = orders::list_dead_lettered(db, before, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some(last.id);
            seen.extend(page.iter().map(|order| order.id.get()));
        }
        assert_eq!(seen, [5, 4, 3, 2, 1]);
    })
    .await;
}

#[tokio::test]
async fn a_dead_lettered_order_is_settled_once_and_the_audit_names_the_admin() {
    on_both(async |test| {
        let db = &test.db;
        dead_letter(db, 1).await;
        let settle = async |remedy| {
            let settled =
                orders::settle_dead_lettered(db, ADMIN, OrderId::new(1), remedy, "a note").await;
            settled.unwrap()
        };
        assert_eq!(state(db, 1).await, DeadLetterState::Waiting);
        assert!(settle(Remedy::Compensated).await);
        assert!(
            !settle(Remedy::Redriven).await,
            "whoever comes second is told"
        );
        assert_eq!(
            state(db, 1).await,
            DeadLetterState::Remedied(Remedy::Compensated)
        );
        let recorded = audit::is_recorded(db, "dead_order_compensated", "order:1").await;
        assert!(recorded.unwrap());
        let recorded = audit::is_recorded(db, "dead_order_redriven", "order:1").await;
        assert!(!recorded.unwrap());
    })
    .await;
}

#[tokio::test]
async fn an_order_that_is_claimed_again_is_not_compensated_meanwhile() {
    on_both(async |test| {
        let db = &test.db;
        dead_letter(db, 2).await;
        let id = OrderId::new(1);
        let settle = async |id, remedy| {
            let settled = orders::settle_dead_lettered(db, ADMIN, id, remedy, "a note").await;
            settled.unwrap()
        };
        assert!(orders::begin_redrive(db, id).await.unwrap());
        assert!(
            orders::begin_redrive(db, id).await.unwrap(),
            "by the next process"
        );
        assert_eq!(state(db, 1).await, DeadLetterState::Waiting);
        assert!(
            !settle(id, Remedy::Compensated).await,
            "the buyer may have a new order"
        );
        assert!(settle(id, Remedy::Redriven).await);
        assert!(!orders::begin_redrive(db, id).await.unwrap());
        assert!(!orders::abandon_redrive(db, id).await.unwrap());
        assert_eq!(
            state(db, 1).await,
            DeadLetterState::Remedied(Remedy::Redriven)
        );

        let id = OrderId::new(2);
        assert!(orders::begin_redrive(db, id).await.unwrap());
        assert!(orders::abandon_redrive(db, id).await.unwrap());
        assert!(
            settle(id, Remedy::Compensated).await,
            "nothing was to be had"
        );
        assert!(!orders::begin_redrive(db, id).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_site_that_has_not_begun_has_no_partitions() {
    on_both(async |test| {
        let db = &test.db;
        assert_eq!(flash_sales::settled_partitions(db).await.unwrap(), None);
        flash_sales::settle_partitions(db, 4).await.unwrap();
        assert_eq!(flash_sales::settled_partitions(db).await.unwrap(), Some(4));
    })
    .await;
}
