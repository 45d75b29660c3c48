//! A shop with vouchers to sell, for the claims about selling, and the equation that must hold after all of them.

use std::time::Duration;

use domain::{OrderId, PayType, RedeemCode, SaleDraft, ShopId, UserId, VoucherDraft, VoucherId};
use jiff::Timestamp;
use storage::Db;
use storage::flash_sales::{self, DrainLease, SaleOrder, WriteOutcome, WriteRefusal};
use storage::payments::{self, ConfirmRefusal, Confirmed, Payment, PaymentId};
use storage::shops::Principal;
use storage::vouchers::{self, Voucher};

use crate::support::{TestDb, create_shop};

/// Who owns the shops of these claims.
pub(crate) const OWNER: UserId = UserId::new(7);

pub(crate) const LEASE: DrainLease = DrainLease {
    partition: 0,
    fence: 1,
};

pub(crate) const PAY_WITHIN: Duration = Duration::from_secs(15 * 60);

/// When the orders of these claims were granted: later than any clock that records them, so that the time to pay counts
/// from here.
pub(crate) const GRANTED_AT: Timestamp = Timestamp::constant(4_102_444_800, 0);

/// What a voucher of these claims costs.
pub(crate) const PRICE: i64 = 4_750;

pub(crate) fn draft() -> VoucherDraft {
    VoucherDraft {
        title: "50元代金券".to_owned(),
        sub_title: Some("周一至周日均可使用".to_owned()),
        rules: Some("全场通用\n无需预约".to_owned()),
        pay_value_cents: PRICE,
        actual_value_cents: 5_000,
    }
}

pub(crate) fn sale_draft(stock: u32) -> SaleDraft {
    SaleDraft {
        stock,
        begin_at: Timestamp::constant(1_790_000_000, 0),
        end_at: Timestamp::constant(1_799_000_000, 0),
        limit_per_user: 2,
        spread: 1,
    }
}

pub(crate) async fn create_sale(db: &Db, shop_id: ShopId, stock: u32) -> Voucher {
    let sale = sale_draft(stock);
    vouchers::create_sale(db, Principal::Owner(OWNER), shop_id, &draft(), &sale)
        .await
        .unwrap()
        .unwrap()
}

/// A shop of its own with one sale, and its drain lease taken.
pub(crate) async fn open_sale(db: &Db, stock: u32) -> VoucherId {
    let shop = create_shop(db, "103茶餐厅").await;
    flash_sales::settle_partitions(db, 4).await.unwrap();
    flash_sales::take_drain_lease(db, LEASE)
        .await
        .unwrap()
        .unwrap();
    create_sale(db, shop.id, stock).await.id
}

pub(crate) fn order(id: i64, voucher_id: VoucherId, user: i64) -> SaleOrder {
    SaleOrder {
        id: OrderId::new(id),
        voucher_id,
        user_id: UserId::new(user),
        slot: 1,
        granted_at: GRANTED_AT,
        key: None,
    }
}

/// Orders with ids and buyers `from..to`.
pub(crate) fn orders(voucher_id: VoucherId, range: std::ops::Range<i64>) -> Vec<SaleOrder> {
    range.map(|n| order(n, voucher_id, n)).collect()
}

pub(crate) async fn try_write(
    db: &Db,
    orders: &[SaleOrder],
) -> Result<Vec<WriteOutcome>, WriteRefusal> {
    flash_sales::write_orders(db, LEASE, orders, PAY_WITHIN)
        .await
        .unwrap()
}

pub(crate) async fn write(db: &Db, orders: &[SaleOrder]) -> Vec<WriteOutcome> {
    try_write(db, orders).await.unwrap()
}

pub(crate) async fn stock(db: &Db, id: VoucherId) -> u32 {
    let terms = flash_sales::terms(db, id).await.unwrap().unwrap();
    terms.stock
}

/// `initial = stock + live orders` for every sale, and an order has a slot exactly if its status says that it lives.
pub(crate) async fn assert_stock_conserved(test: &TestDb) {
    let broken = test
        .texts(
            "SELECT CONCAT('sale ', s.voucher_id, ': ', s.initial_stock, ' = ', s.stock, ' + ', \
             (SELECT COUNT(*) FROM tb_voucher_order o \
                WHERE o.voucher_id = s.voucher_id AND o.slot IS NOT NULL)) \
             FROM tb_seckill_voucher s WHERE s.initial_stock <> s.stock + \
             (SELECT COUNT(*) FROM tb_voucher_order o \
                WHERE o.voucher_id = s.voucher_id AND o.slot IS NOT NULL)",
        )
        .await;
    assert!(broken.is_empty(), "{broken:?}");
    let misplaced = test
        .texts(
            "SELECT CONCAT('order ', o.id, ' status ', o.status) FROM tb_voucher_order o \
             JOIN tb_seckill_voucher s ON s.voucher_id = o.voucher_id \
             WHERE (o.slot IS NULL) <> (o.status IN (4, 6))",
        )
        .await;
    assert!(misplaced.is_empty(), "{misplaced:?}");
}

/// A code that no other call returns.
pub(crate) fn fresh_code() -> RedeemCode {
    RedeemCode::generate(|below| rand::random_range(0..below))
}

/// Makes somebody rich enough for anything here.
pub(crate) async fn top_up(db: &Db, user: UserId) {
    let reference = format!("top-up-{user}");
    let (sandbox, cents) = (PayType::Alipay, 1_000_000);
    payments::top_up(db, user, cents, sandbox, "sandbox", &reference)
        .await
        .unwrap();
}

/// Every transfer sums to zero, balances are what their entries say, escrow holds what is paid and neither used nor
/// returned, shops have sold what is paid for, and whatever was given back was announced once.
pub(crate) async fn assert_money_conserved(test: &TestDb) {
    let number = async |sql: &str| -> i64 {
        let row = test.query(&format!("SELECT CAST(({sql}) AS SIGNED)")).await;
        row[0].try_get_by_index(0).unwrap()
    };
    let is_zero = [
        "SELECT COUNT(*) FROM (SELECT SUM(amount_cents) AS cents FROM tb_ledger_entry \
         GROUP BY payment_id, kind) t WHERE cents <> 0",
        "SELECT COUNT(*) FROM tb_account a WHERE a.balance_cents <> COALESCE((SELECT \
         SUM(e.amount_cents) FROM tb_ledger_entry e WHERE e.account = CONCAT('user:', a.user_id)), 0)",
        "SELECT COUNT(*) FROM tb_shop s WHERE s.sold <> (SELECT COUNT(*) FROM tb_voucher_order o \
         WHERE o.shop_id = s.id AND o.status IN (2, 3, 5))",
        "SELECT COUNT(*) FROM tb_payment p JOIN tb_voucher_order o ON o.id = p.order_id \
         WHERE (p.state = 1 AND o.status NOT IN (2, 3)) OR (p.state = 3 AND o.status <> 5)",
        "SELECT COUNT(*) FROM tb_voucher_order o WHERE o.status IN (2, 3, 5) AND \
         1 <> (SELECT COUNT(*) FROM tb_payment p WHERE p.order_id = o.id AND p.state IN (1, 3))",
    ];
    for sql in is_zero {
        assert_eq!(number(sql).await, 0, "{sql}");
    }
    let escrow =
        "SELECT COALESCE(SUM(amount_cents), 0) FROM tb_ledger_entry WHERE account = 'escrow'";
    let held = "SELECT COALESCE(SUM(p.amount_cents), 0) FROM tb_payment p \
        JOIN tb_voucher_order o ON o.id = p.order_id \
        WHERE p.state IN (3, 5) OR (p.state = 1 AND o.status = 2)";
    assert_eq!(number(escrow).await, number(held).await);
    let told = "SELECT COUNT(DISTINCT `key`) FROM tb_outbox WHERE kind = 'piece_returned'";
    let rows = "SELECT COUNT(*) FROM tb_outbox WHERE kind = 'piece_returned'";
    let ended = "SELECT COUNT(*) FROM tb_voucher_order o \
        JOIN tb_seckill_voucher s ON s.voucher_id = o.voucher_id WHERE o.status IN (4, 6)";
    let ended = number(ended).await;
    assert_eq!((number(told).await, number(rows).await), (ended, ended));
}

/// A payment through a provider, not confirmed yet.
pub(crate) async fn begin(db: &Db, owner: UserId, order: OrderId) -> Payment {
    let begun = payments::begin(db, owner, order, PayType::Alipay, "alipay").await;
    begun.unwrap().unwrap()
}

/// The provider has the whole price.
pub(crate) async fn confirm(
    db: &Db,
    id: PaymentId,
    reference: &str,
) -> Result<Confirmed, ConfirmRefusal> {
    let confirmed = payments::confirm(db, id, reference, PRICE, &fresh_code()).await;
    confirmed.unwrap()
}
