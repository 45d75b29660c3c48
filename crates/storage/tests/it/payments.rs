//! Payments: money that comes is believed once, goes where it belongs, and never disappears.

use domain::{OrderId, OrderStatus, PayType, RedeemCode, UserId};
use jiff::{SignedDuration, Timestamp};
use storage::orders::{self, OrderRefusal, RedeemRefusal};
use storage::outbox::{Lane, RetryState};
use storage::payments::{
    self, BalanceRefusal, ConfirmRefusal, Confirmed, PaymentId, PaymentState, RefundDue,
    RefundRefusal, Refunded,
};
use storage::shops::Principal;
use storage::{Backend, Db, accounts, outbox};

use crate::selling::{
    OWNER, PRICE, assert_money_conserved, assert_stock_conserved, begin, confirm, fresh_code,
    open_sale, order, stock, top_up, write,
};
use crate::support::on_both;

const ANN: UserId = UserId::new(1);
const BOB: UserId = UserId::new(2);
const ORDER: OrderId = OrderId::new(1);
const RICH: i64 = 1_000_000;

/// Ann has an unpaid order and money.
async fn ann_orders(db: &Db) -> domain::VoucherId {
    let id = open_sale(db, 10).await;
    write(db, &[order(1, id, 1)]).await;
    top_up(db, ANN).await;
    id
}

async fn balance(db: &Db) -> i64 {
    accounts::balance_cents(db, ANN).await.unwrap()
}

async fn pay(db: &Db) -> Result<(), BalanceRefusal> {
    let paid = payments::pay_with_balance(db, ANN, ORDER, &fresh_code()).await;
    paid.unwrap()
}

async fn ann_order(db: &Db) -> orders::Order {
    orders::get(db, ANN, ORDER).await.unwrap().unwrap()
}

async fn code(db: &Db) -> RedeemCode {
    ann_order(db).await.redeem_code.unwrap()
}

async fn redeem(db: &Db, principal: Principal) -> Result<(), RedeemRefusal> {
    let redeemed = orders::redeem(db, principal, &code(db).await)
        .await
        .unwrap();
    redeemed.map(|redeemed| assert_eq!((redeemed.order, redeemed.user_id), (ORDER, ANN)))
}

async fn due(db: &Db) -> Vec<PaymentId> {
    let rows = outbox::list_due_all(db, 100, Timestamp::now())
        .await
        .unwrap();
    let rows = rows.iter().filter(|row| row.kind == RefundDue::KIND);
    let decode = |row: &outbox::OutboxRow| {
        let due: RefundDue = serde_json::from_str(&row.payload).unwrap();
        assert_eq!(row.key, due.key());
        due.payment
    };
    rows.map(decode).collect()
}

const PAID: Confirmed = Confirmed::Paid {
    order: ORDER,
    user_id: ANN,
};
const LATE: Confirmed = Confirmed::Late {
    order: ORDER,
    user_id: ANN,
};
const REFUNDED: Refunded = Refunded::Now {
    order: ORDER,
    user_id: ANN,
};

#[tokio::test]
async fn paying_from_a_balance_takes_the_price_once() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        top_up(db, ANN).await;
        assert_eq!(
            balance(db).await,
            RICH,
            "the same money twice is the same money"
        );
        assert_eq!(pay(db).await, Ok(()));
        let paid = OrderRefusal::WrongStatus(OrderStatus::Paid);
        assert_eq!(pay(db).await, Err(BalanceRefusal::Order(paid)));
        assert_eq!(balance(db).await, RICH - PRICE);
        let order = ann_order(db).await;
        assert_eq!(
            (order.status, order.pay_type),
            (OrderStatus::Paid, PayType::Balance)
        );
        assert!(order.paid_at.is_some() && order.redeem_code.is_some());
        assert_eq!(
            test.texts("SELECT CONCAT('', sold) FROM tb_shop").await,
            ["1"]
        );
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_poor_or_wrong_payer_leaves_everything_as_it_was() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 1)]).await;
        assert_eq!(pay(db).await, Err(BalanceRefusal::TooSmall));
        let cents = PRICE - 1;
        let topped = payments::top_up(db, ANN, cents, PayType::WeChat, "wechat", "a").await;
        topped.unwrap();
        assert_eq!(pay(db).await, Err(BalanceRefusal::TooSmall));
        top_up(db, BOB).await;
        let refused = payments::pay_with_balance(db, BOB, ORDER, &fresh_code()).await;
        let no_order = BalanceRefusal::Order(OrderRefusal::NoSuchOrder);
        assert_eq!(refused.unwrap(), Err(no_order));
        assert_eq!(ann_order(db).await.status, OrderStatus::Unpaid);
        assert_eq!((balance(db).await, stock(db, id).await), (cents, 9));
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_confirmed_payment_pays_its_order_however_often_it_is_confirmed() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await;
        assert_eq!(
            (payment.amount_cents, payment.state),
            (PRICE, PaymentState::Begun)
        );
        assert_eq!(
            begin(db, ANN, ORDER).await.id,
            payment.id,
            "it goes on where it was"
        );
        assert_eq!(confirm(db, payment.id, "trade-1").await, Ok(PAID));
        let code = code(db).await;
        for _ in 0..3 {
            assert_eq!(
                confirm(db, payment.id, "trade-1").await,
                Ok(Confirmed::Repeated)
            );
        }
        let other = confirm(db, payment.id, "trade-2").await;
        assert!(
            matches!(other, Err(ConfirmRefusal::OtherRef { .. })),
            "{other:?}"
        );
        let order = ann_order(db).await;
        assert_eq!(
            (order.pay_type, order.redeem_code),
            (PayType::Alipay, Some(code))
        );
        let begun = payments::begin(db, ANN, ORDER, PayType::Alipay, "alipay").await;
        let paid = OrderRefusal::WrongStatus(OrderStatus::Paid);
        assert_eq!(begun.unwrap().unwrap_err(), paid);
        assert_eq!(balance(db).await, RICH, "it was not the balance that paid");
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_wrong_amount_or_an_unknown_payment_is_not_believed() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await;
        for cents in [0, 1, PRICE - 1, PRICE + 1] {
            let refused = payments::confirm(db, payment.id, "t", cents, &fresh_code()).await;
            let expected_cents = PRICE;
            assert_eq!(
                refused.unwrap(),
                Err(ConfirmRefusal::WrongAmount { expected_cents })
            );
        }
        let unknown = confirm(db, PaymentId::new(99), "t").await;
        assert_eq!(unknown, Err(ConfirmRefusal::NoSuchPayment));
        assert_eq!(ann_order(db).await.status, OrderStatus::Unpaid);
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn one_number_of_a_provider_pays_one_order() {
    on_both(async |test| {
        let db = &test.db;
        let sale = ann_orders(db).await;
        write(db, &[order(2, sale, 2)]).await;
        let second = OrderId::new(2);
        let theirs = payments::begin(db, BOB, second, PayType::Alipay, "alipay").await;
        let theirs = theirs.unwrap().unwrap();
        assert_eq!(
            confirm(db, begin(db, ANN, ORDER).await.id, "t").await,
            Ok(PAID)
        );
        let twice = confirm(db, theirs.id, "t").await;
        assert_eq!(twice, Err(ConfirmRefusal::RefTaken));
        let order = orders::get(db, BOB, second).await.unwrap().unwrap();
        assert_eq!(order.status, OrderStatus::Unpaid);
        assert_money_conserved(&test).await;
        assert!(confirm(db, theirs.id, "u").await.is_ok(), "its own number");
    })
    .await;
}

#[tokio::test]
async fn money_that_comes_too_late_goes_back_and_nobody_loses_any() {
    on_both(async |test| {
        let db = &test.db;
        let id = ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await;
        let late = Timestamp::now() + SignedDuration::from_hours(24 * 365 * 200);
        assert_eq!(orders::expire_due(db, late, 10).await.unwrap().len(), 1);
        assert_eq!(confirm(db, payment.id, "trade-1").await, Ok(LATE));
        assert_eq!(
            confirm(db, payment.id, "trade-1").await,
            Ok(Confirmed::Repeated)
        );
        assert_eq!(ann_order(db).await.status, OrderStatus::Cancelled);
        assert_eq!(due(db).await, [payment.id]);
        assert_money_conserved(&test).await;

        assert_eq!(
            payments::finish_refund(db, payment.id).await.unwrap(),
            REFUNDED
        );
        assert_eq!(
            payments::finish_refund(db, payment.id).await.unwrap(),
            Refunded::Before
        );
        assert_eq!(
            stock(db, id).await,
            10,
            "the piece came back when time ran out"
        );
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn of_two_payments_for_one_order_the_second_goes_back_whatever_becomes_of_the_first() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let first = begin(db, ANN, ORDER).await;
        let second = payments::begin(db, ANN, ORDER, PayType::WeChat, "wechat").await;
        let second = second.unwrap().unwrap();
        assert_eq!(confirm(db, second.id, "w-1").await, Ok(PAID));
        assert_eq!(confirm(db, first.id, "a-1").await, Ok(LATE));
        assert_eq!(
            payments::begin_refund(db, ANN, ORDER).await.unwrap(),
            Ok(second.id)
        );
        assert_eq!(due(db).await, [first.id, second.id]);

        assert_eq!(
            payments::finish_refund(db, first.id).await.unwrap(),
            REFUNDED
        );
        assert_eq!(
            ann_order(db).await.status,
            OrderStatus::Refunding,
            "its own is still out"
        );
        assert_eq!(
            payments::finish_refund(db, second.id).await.unwrap(),
            REFUNDED
        );
        assert_eq!(ann_order(db).await.status, OrderStatus::Refunded);
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn another_way_of_paying_is_another_payment_of_the_same_provider() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let begin = async |pay_type| {
            let begun = payments::begin(db, ANN, ORDER, pay_type, "sandbox").await;
            begun.unwrap().unwrap()
        };
        let alipay = begin(PayType::Alipay).await;
        let wechat = begin(PayType::WeChat).await;
        assert_ne!(alipay.id, wechat.id);
        assert_eq!(wechat.pay_type, PayType::WeChat);
        assert_eq!(begin(PayType::Alipay).await, alipay, "it goes on");
        assert_eq!(begin(PayType::WeChat).await, wechat);

        assert_eq!(confirm(db, wechat.id, "w-1").await, Ok(PAID));
        assert_eq!(ann_order(db).await.pay_type, PayType::WeChat);
        assert_eq!(confirm(db, alipay.id, "a-1").await, Ok(LATE));
        assert_eq!(ann_order(db).await.pay_type, PayType::WeChat);
        assert_eq!(due(db).await, [alipay.id], "the first one is late money");
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_closed_payment_that_comes_all_the_same_pays() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await;
        let soon = Timestamp::now() + SignedDuration::from_mins(1);
        let none = PaymentId::new(0);
        let unheard = payments::list_unconfirmed(db, soon, none, 10)
            .await
            .unwrap();
        assert_eq!(unheard, std::slice::from_ref(&payment));
        assert!(payments::close(db, payment.id).await.unwrap());
        assert!(!payments::close(db, payment.id).await.unwrap());
        let unheard = payments::list_unconfirmed(db, soon, none, 10)
            .await
            .unwrap();
        assert!(unheard.is_empty());
        assert_ne!(
            begin(db, ANN, ORDER).await.id,
            payment.id,
            "a closed one is not gone on with"
        );
        assert_eq!(confirm(db, payment.id, "trade-1").await, Ok(PAID));
        let read = payments::get(db, payment.id).await.unwrap().unwrap();
        assert_eq!(
            (read.state, read.provider_ref.as_deref()),
            (PaymentState::Paid, Some("trade-1"))
        );
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_refund_returns_money_and_unit_once() {
    on_both(async |test| {
        let db = &test.db;
        let id = ann_orders(db).await;
        pay(db).await.unwrap();
        let stranger = payments::begin_refund(db, BOB, ORDER).await.unwrap();
        assert_eq!(
            stranger,
            Err(RefundRefusal::Order(OrderRefusal::NoSuchOrder))
        );
        let payment = payments::begin_refund(db, ANN, ORDER)
            .await
            .unwrap()
            .unwrap();
        let again = payments::begin_refund(db, ANN, ORDER).await.unwrap();
        let refunding = OrderRefusal::WrongStatus(OrderStatus::Refunding);
        assert_eq!(again, Err(RefundRefusal::Order(refunding)));
        let refused = redeem(db, Principal::Owner(OWNER)).await;
        assert_eq!(refused, Err(RedeemRefusal::Order(refunding)));
        assert_eq!((balance(db).await, stock(db, id).await), (RICH - PRICE, 9));
        assert_money_conserved(&test).await;

        assert_eq!(
            payments::finish_refund(db, payment).await.unwrap(),
            REFUNDED
        );
        assert_eq!(
            payments::finish_refund(db, payment).await.unwrap(),
            Refunded::Before
        );
        assert_eq!((balance(db).await, stock(db, id).await), (RICH, 10));
        let order = ann_order(db).await;
        assert_eq!(order.status, OrderStatus::Refunded);
        assert!(order.refunded_at.is_some());
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn the_trial_balance_sees_a_balance_without_entries_and_money_from_nowhere() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        pay(db).await.unwrap();
        let before = accounts::trial_balance(db).await.unwrap();
        assert_eq!((before.total_cents, before.wrong_balances), (0, 0));
        test.execute("UPDATE tb_account SET balance_cents = balance_cents + 1")
            .await;
        let wrong = accounts::trial_balance(db).await.unwrap();
        assert_eq!((wrong.total_cents, wrong.wrong_balances), (0, 1));
        test.execute(
            "UPDATE tb_ledger_entry SET amount_cents = amount_cents + 1 WHERE account = 'escrow'",
        )
        .await;
        let wrong = accounts::trial_balance(db).await.unwrap();
        assert_eq!((wrong.total_cents, wrong.escrow_excess_cents), (1, 1));
    })
    .await;
}

#[tokio::test]
async fn payments_of_an_order_are_shown_to_its_owner_alone() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await.id;
        let list = async |owner| {
            let payments = payments::list_of_order(db, owner, ORDER).await.unwrap();
            payments
                .into_iter()
                .map(|payment| payment.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(list(ANN).await, [payment]);
        assert_eq!(list(BOB).await, []);
    })
    .await;
}

#[tokio::test]
async fn only_what_was_paid_here_and_is_not_used_can_be_refunded() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let refused = payments::begin_refund(db, ANN, ORDER).await.unwrap();
        let unpaid = OrderRefusal::WrongStatus(OrderStatus::Unpaid);
        assert_eq!(refused, Err(RefundRefusal::Order(unpaid)));
        test.execute("UPDATE tb_voucher_order SET status = 2").await;
        let refused = payments::begin_refund(db, ANN, ORDER).await.unwrap();
        assert_eq!(
            refused,
            Err(RefundRefusal::NothingPaid),
            "it was paid elsewhere"
        );
        assert_eq!(ann_order(db).await.status, OrderStatus::Paid);
        let nothing = payments::finish_refund(db, PaymentId::new(99))
            .await
            .unwrap();
        assert_eq!(nothing, Refunded::NotDue);
        let payment = payments::finish_refund(db, PaymentId::new(1))
            .await
            .unwrap();
        assert_eq!(
            payment,
            Refunded::NotDue,
            "money that was not asked back stays"
        );
    })
    .await;
}

#[tokio::test]
async fn an_order_is_used_once_by_its_own_shop() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        pay(db).await.unwrap();
        let stranger = redeem(db, Principal::Owner(BOB)).await;
        assert_eq!(stranger, Err(RedeemRefusal::WrongShop));
        let guess = orders::redeem(db, Principal::Admin, &fresh_code())
            .await
            .unwrap();
        assert_eq!(guess.unwrap_err(), RedeemRefusal::NoSuchCode);
        assert_eq!(redeem(db, Principal::Owner(OWNER)).await, Ok(()));
        let used = OrderRefusal::WrongStatus(OrderStatus::Used);
        let again = redeem(db, Principal::Owner(OWNER)).await;
        assert_eq!(again, Err(RedeemRefusal::Order(used)));
        let refund = payments::begin_refund(db, ANN, ORDER).await.unwrap();
        assert_eq!(refund, Err(RefundRefusal::Order(used)));
        assert!(ann_order(db).await.used_at.is_some());
        let earned =
            "SELECT CONCAT('', amount_cents) FROM tb_ledger_entry WHERE account LIKE 'shop:%'";
        assert_eq!(test.texts(earned).await, [PRICE.to_string()]);
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_refund_to_a_balance_does_not_wait_in_the_lane_of_the_providers() {
    on_both(async |test| {
        let db = &test.db;
        let sale = ann_orders(db).await;
        write(db, &[order(2, sale, 2)]).await;
        pay(db).await.unwrap();
        let second = OrderId::new(2);
        let theirs = payments::begin(db, BOB, second, PayType::Alipay, "alipay").await;
        let theirs = theirs.unwrap().unwrap().id;
        assert!(confirm(db, theirs, "b-1").await.is_ok());
        for (owner, order) in [(ANN, ORDER), (BOB, second)] {
            let begun = payments::begin_refund(db, owner, order).await.unwrap();
            assert!(begun.is_ok());
        }
        for (lane, order) in [(Lane::Balances, ORDER), (Lane::Providers, second)] {
            let queue = (lane, RetryState::Fresh);
            let rows = outbox::list_due(db, queue, 100, Timestamp::now()).await;
            let rows = rows.unwrap();
            assert_eq!(rows.len(), 1, "{lane:?}");
            let due: RefundDue = serde_json::from_str(&rows[0].payload).unwrap();
            let payment = payments::get(db, due.payment).await.unwrap().unwrap();
            assert_eq!(payment.order, Some(order), "{lane:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_failing_database_is_not_taken_for_a_number_that_belongs_to_another_payment() {
    on_both(async |test| {
        let db = &test.db;
        ann_orders(db).await;
        let payment = begin(db, ANN, ORDER).await.id;
        let fail = match db.backend() {
            Backend::Sqlite => {
                "CREATE TRIGGER fail BEFORE UPDATE OF provider_ref ON tb_payment \
                 BEGIN SELECT RAISE(ABORT, 'the disk fails'); END"
            }
            Backend::MySql => {
                "CREATE TRIGGER fail BEFORE UPDATE ON tb_payment FOR EACH ROW \
                 IF NEW.provider_ref IS NOT NULL THEN \
                 SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the disk fails'; END IF"
            }
        };
        test.execute(fail).await;
        let confirmed = payments::confirm(db, payment, "a-1", PRICE, &fresh_code()).await;
        assert!(confirmed.is_err(), "{confirmed:?}");
        assert_eq!(ann_order(db).await.status, OrderStatus::Unpaid);
        test.execute("DROP TRIGGER fail").await;
        assert_eq!(confirm(db, payment, "a-1").await, Ok(PAID));
    })
    .await;
}
