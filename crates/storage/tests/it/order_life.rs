//! The life of orders without money: buying, cancelling, running out of time, being reminded of it.

use domain::{OrderId, OrderStatus, UserId, VoucherId, VoucherStatus};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use storage::flash_sales;
use storage::notices::{self, NoticeId, NoticeKind};
use storage::orders::{self, BuyRefusal, BuyTerms, NewOrder, OrderRefusal, UnitReturned};
use storage::shops::Principal;
use storage::{Db, outbox, vouchers};

use crate::selling::{
    GRANTED_AT, OWNER, PAY_WITHIN, assert_money_conserved, assert_stock_conserved, draft,
    open_sale, order, orders as sale_orders, stock, write,
};
use crate::support::{create_shop, on_both, person};

const ANN: UserId = UserId::new(1);
const BOB: UserId = UserId::new(2);

async fn status(db: &Db, owner: UserId, id: i64) -> OrderStatus {
    let order = orders::get(db, owner, OrderId::new(id)).await.unwrap();
    order.unwrap().status
}

async fn returned(db: &Db) -> Vec<UnitReturned> {
    let rows = outbox::list_due_all(db, 10_000, Timestamp::now())
        .await
        .unwrap();
    let rows = rows.iter().filter(|row| row.kind == UnitReturned::KIND);
    let decode = |row: &outbox::OutboxRow| {
        let piece: UnitReturned = serde_json::from_str(&row.payload).unwrap();
        assert_eq!(row.key, piece.key());
        piece
    };
    rows.map(decode).collect()
}

async fn kinds(db: &Db, owner: UserId) -> Vec<NoticeKind> {
    let notices = notices::list(db, owner, None, 50).await.unwrap();
    notices.iter().map(|notice| notice.kind).collect()
}

pub(crate) async fn ordinary(db: &Db) -> VoucherId {
    let shop = create_shop(db, "103茶餐厅").await;
    let voucher = vouchers::create(db, Principal::Owner(OWNER), shop.id, &draft()).await;
    voucher.unwrap().unwrap().id
}

const TERMS: BuyTerms = BuyTerms {
    pay_within: PAY_WITHIN,
    max_unpaid: 5,
};

async fn buy(db: &Db, id: i64, owner: UserId, voucher_id: VoucherId) -> Result<(), BuyRefusal> {
    let id = OrderId::new(id);
    let order = NewOrder {
        id,
        owner,
        voucher_id,
    };
    let bought = orders::create(db, order, GRANTED_AT, TERMS).await;
    bought.unwrap()
}

#[tokio::test]
async fn a_cancelled_order_returns_its_unit_once_and_its_owner_may_buy_again() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 1).await;
        write(db, &[order(1, id, 1)]).await;
        let epoch = flash_sales::terms(db, id).await.unwrap().unwrap().epoch;
        assert_eq!(
            orders::cancel(db, ANN, OrderId::new(1)).await.unwrap(),
            Ok(())
        );
        let refused = orders::cancel(db, ANN, OrderId::new(1)).await.unwrap();
        assert_eq!(
            refused,
            Err(OrderRefusal::WrongStatus(OrderStatus::Cancelled))
        );
        let terms = flash_sales::terms(db, id).await.unwrap().unwrap();
        assert_eq!((terms.stock, terms.epoch), (1, epoch + 1));
        let piece = UnitReturned {
            order: OrderId::new(1),
            voucher: id,
            user: ANN,
        };
        assert_eq!(returned(db).await, [piece]);
        assert_eq!(kinds(db, ANN).await, [NoticeKind::OrderCancelled]);

        write(db, &[order(2, id, 1)]).await;
        assert_eq!(status(db, ANN, 2).await, OrderStatus::Unpaid);
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn nobody_cancels_the_order_of_another() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 1).await;
        write(db, &[order(1, id, 1)]).await;
        let refused = orders::cancel(db, BOB, OrderId::new(1)).await.unwrap();
        assert_eq!(refused, Err(OrderRefusal::NoSuchOrder));
        let refused = orders::cancel(db, ANN, OrderId::new(9)).await.unwrap();
        assert_eq!(refused, Err(OrderRefusal::NoSuchOrder));
        assert_eq!(stock(db, id).await, 0);
    })
    .await;
}

#[tokio::test]
async fn orders_that_are_not_paid_in_time_end_in_batches() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 3_000).await;
        write(db, &sale_orders(id, 1..2_501)).await;
        let deadline = GRANTED_AT + SignedDuration::try_from(PAY_WITHIN).unwrap();
        let early = deadline - SignedDuration::from_millis(1);
        assert!(
            orders::expire_due(db, early, 1_000)
                .await
                .unwrap()
                .is_empty()
        );

        let mut ended = Vec::new();
        loop {
            let batch = orders::expire_due(db, deadline, 10_000).await.unwrap();
            assert!(batch.len() <= 1_000);
            if batch.is_empty() {
                break;
            }
            ended.extend(batch.iter().map(|order| order.id.get()));
        }
        ended.sort_unstable();
        assert_eq!(ended, (1..2_501).collect::<Vec<_>>());
        assert_eq!(stock(db, id).await, 3_000);
        assert_eq!(kinds(db, ANN).await, [NoticeKind::OrderExpired]);
        assert_stock_conserved(&test).await;
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn an_ordinary_voucher_is_bought_as_often_as_one_likes_and_each_id_once() {
    on_both(async |test| {
        let db = &test.db;
        let id = ordinary(db).await;
        for order in [1, 2, 3, 3] {
            assert_eq!(buy(db, order, ANN, id).await, Ok(()));
        }
        assert_eq!(buy(db, 3, BOB, id).await, Err(BuyRefusal::IdTaken));
        assert_eq!(test.count("tb_voucher_order").await, 3);
        let order = orders::get(db, ANN, OrderId::new(1)).await.unwrap();
        assert_eq!(order.unwrap().pay_deadline, Some(GRANTED_AT + PAY_WITHIN));
        assert_eq!(
            orders::cancel(db, ANN, OrderId::new(1)).await.unwrap(),
            Ok(())
        );
        let late = GRANTED_AT + SignedDuration::from_hours(1);
        assert_eq!(orders::expire_due(db, late, 100).await.unwrap().len(), 2);
        assert!(
            returned(db).await.is_empty(),
            "there is no piece to give back"
        );
    })
    .await;
}

#[tokio::test]
async fn what_is_not_for_sale_like_this_is_not_sold() {
    on_both(async |test| {
        let db = &test.db;
        let (id, flash) = (ordinary(db).await, open_sale(db, 1).await);
        assert_eq!(buy(db, 1, ANN, flash).await, Err(BuyRefusal::FlashSale));
        let unknown = VoucherId::new(99);
        assert_eq!(
            buy(db, 1, ANN, unknown).await,
            Err(BuyRefusal::NoSuchVoucher)
        );
        let off = VoucherStatus::OffShelf;
        vouchers::set_status(db, Principal::Admin, id, off)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(buy(db, 1, ANN, id).await, Err(BuyRefusal::OffShelf));
        assert_eq!(test.count("tb_voucher_order").await, 0);
    })
    .await;
}

#[tokio::test]
async fn people_are_reminded_once_while_there_is_time() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 1), order(2, id, 2)]).await;
        orders::cancel(db, BOB, OrderId::new(2))
            .await
            .unwrap()
            .unwrap();
        let deadline = GRANTED_AT + SignedDuration::try_from(PAY_WITHIN).unwrap();
        let soon = deadline + SignedDuration::from_mins(5);
        assert_eq!(
            orders::remind(db, GRANTED_AT..deadline, 100).await.unwrap(),
            0
        );
        assert_eq!(orders::remind(db, GRANTED_AT..soon, 100).await.unwrap(), 1);
        assert_eq!(orders::remind(db, GRANTED_AT..soon, 100).await.unwrap(), 0);
        assert_eq!(kinds(db, ANN).await, [NoticeKind::OrderExpiring]);
        assert_eq!(kinds(db, BOB).await, [NoticeKind::OrderCancelled]);
    })
    .await;
}

#[tokio::test]
async fn notices_are_paged_counted_and_marked_for_their_owner_alone() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        for n in 1..=5 {
            write(db, &[order(n, id, 1)]).await;
            orders::cancel(db, ANN, OrderId::new(n))
                .await
                .unwrap()
                .unwrap();
        }
        let all = notices::list(db, ANN, None, 50).await.unwrap();
        let ids: Vec<NoticeId> = all.iter().map(|notice| notice.id).collect();
        assert!(ids.windows(2).all(|pair| pair[0] > pair[1]));
        assert_eq!(all[0].order, Some(OrderId::new(5)));
        let next = notices::list(db, ANN, Some(ids[1]), 2).await.unwrap();
        assert_eq!(next, all[2..4]);
        let missed = notices::list_after(db, ANN, ids[2], 50).await.unwrap();
        assert_eq!([missed[0].id, missed[1].id], [ids[1], ids[0]]);

        assert_eq!(notices::count_unread(db, ANN).await.unwrap(), 5);
        notices::mark_read(db, BOB, ids[0]).await.unwrap();
        notices::mark_read(db, ANN, ids[2]).await.unwrap();
        assert_eq!(notices::count_unread(db, ANN).await.unwrap(), 2);
        let read = notices::list(db, ANN, None, 50).await.unwrap();
        assert!(read[1].read_at.is_none() && read[2].read_at.is_some());
        assert!(notices::list(db, BOB, None, 50).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn unpaid_orders_have_a_cap_that_holds_for_purchases_at_once() {
    on_both(async |test| {
        let db = &test.db;
        let (voucher, max) = (ordinary(db).await, i64::from(TERMS.max_unpaid));
        let ann = person(&test, 1).await;
        let racing = (1..=4 * max).map(|id| buy(db, id, ann, voucher));
        let bought = join_all(racing).await;
        let mine = (1..).zip(&bought).filter(|(_, bought)| bought.is_ok());
        let mine: Vec<i64> = mine.map(|(id, _)| id).collect();
        assert_eq!(mine.len(), TERMS.max_unpaid as usize);
        let refused = bought.into_iter().filter_map(Result::err);
        for refusal in refused {
            assert_eq!(refusal, BuyRefusal::TooManyUnpaid);
        }

        // Repeating one of them is no further order, and nobody else's orders count.
        assert_eq!(buy(db, mine[0], ann, voucher).await, Ok(()));
        assert_eq!(buy(db, 100, BOB, voucher).await, Ok(()));
        // An order of a flash sale has a limit of its own, and takes no place here.
        let sale = open_sale(db, 1).await;
        write(db, &[order(101, sale, ann.get())]).await;

        let cancelled = orders::cancel(db, ann, OrderId::new(mine[0])).await;
        cancelled.unwrap().unwrap();
        assert_eq!(buy(db, 102, ann, voucher).await, Ok(()));
        let again = buy(db, 103, ann, voucher).await;
        assert_eq!(again, Err(BuyRefusal::TooManyUnpaid));
    })
    .await;
}
