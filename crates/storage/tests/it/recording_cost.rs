//! Recording an order changes as few pages on a site with many orders as on one with few.
//!
//! Pages are what a site pays for: each is read, logged and written. Their number holds on a busy machine, where times do
//! not.

use domain::{OrderId, UserId, VoucherId};
use storage::Backend;
use storage::flash_sales::SaleOrder;

use crate::selling::{GRANTED_AT, open_sale, write};
use crate::support::{TestDb, on_both};

/// People of the site, all of whom may buy.
const PEOPLE: i64 = 200_000;
/// Orders that ended before the sale begins.
const FEW: i64 = 1_000;
const MANY: i64 = 100_000;
/// Orders of one sale, in so many transactions.
const ORDERS: i64 = 3_000;
const TRANSACTIONS: i64 = 3;
/// Above the ids of all past orders.
const FIRST_ID: i64 = 10_000_000;

#[tokio::test]
async fn an_order_changes_as_few_pages_among_many_orders_as_among_few() {
    on_both(async |test| {
        let sale = open_sale(&test.db, 1_000_000).await;
        add_past_orders(&test, 1..FEW).await;
        let among_few = pages_changed(&test, sale, FIRST_ID).await;
        // Buyers have paid by the time of the next sale.
        test.execute("UPDATE tb_voucher_order SET status = 2").await;
        add_past_orders(&test, FEW..MANY).await;
        let next_sale = open_sale(&test.db, 1_000_000).await;
        let among_many = pages_changed(&test, next_sale, 2 * FIRST_ID).await;
        assert!(among_few > 0, "nothing was counted");
        assert!(
            among_many * 10 <= among_few * 11,
            "{ORDERS} orders changed {among_few} pages among {FEW} orders, {among_many} among {MANY}"
        );
    })
    .await;
}

/// Used orders of people all over the site, of vouchers that nobody buys any more.
async fn add_past_orders(test: &TestDb, ids: std::ops::Range<i64>) {
    let (first, end) = (ids.start, ids.end);
    let numbers = match test.db.backend() {
        Backend::Sqlite => format!(
            "WITH RECURSIVE n (i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {end}) \
             SELECT i FROM n"
        ),
        Backend::MySql => format!(
            "SELECT CAST(seq AS SIGNED) AS i FROM seq_{first}_to_{}",
            end - 1
        ),
    };
    let at = "'2026-01-01 00:00:00.000'";
    test.execute(&format!(
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, status, slot, pay_deadline, \
         create_time, update_time) \
         SELECT i, i * 7919 % {PEOPLE}, -1 - i % 100, 1, 3, NULL, {at}, {at}, {at} \
         FROM ({numbers}) numbers"
    ))
    .await;
}

/// Records orders of people all over the site and returns how many pages of the database that changed, a page once per
/// transaction on SQLite and once in all on MySQL.
async fn pages_changed(test: &TestDb, sale: VoucherId, first_id: i64) -> i64 {
    let mark = PageMark::set(test).await;
    for transaction in 0..TRANSACTIONS {
        let numbers = (0..ORDERS).filter(|n| n % TRANSACTIONS == transaction);
        let orders: Vec<SaleOrder> = numbers
            .map(|n| SaleOrder {
                id: OrderId::new(first_id + n),
                voucher_id: sale,
                user_id: UserId::new(n * 104_729 % PEOPLE),
                slot: 1,
                granted_at: GRANTED_AT,
                key: None,
            })
            .collect();
        write(&test.db, &orders).await;
    }
    mark.pages_since(test).await
}

/// Where the log of the database was.
struct PageMark(i64);

impl PageMark {
    async fn set(test: &TestDb) -> Self {
        Self(match test.db.backend() {
            Backend::Sqlite => {
                test.query("PRAGMA wal_checkpoint(TRUNCATE)").await;
                0
            }
            Backend::MySql => {
                let lsn = "SELECT CAST(VARIABLE_VALUE AS SIGNED) \
                    FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'INNODB_LSN_CURRENT'";
                test.query(lsn).await[0].try_get_by_index(0).unwrap()
            }
        })
    }

    async fn pages_since(&self, test: &TestDb) -> i64 {
        let (sql, column) = match test.db.backend() {
            // Its second column is the number of pages in the log.
            Backend::Sqlite => ("PRAGMA wal_checkpoint(PASSIVE)".to_owned(), 1),
            Backend::MySql => (
                format!(
                    "SELECT COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE \
                     WHERE NEWEST_MODIFICATION > {} \
                     AND TABLE_NAME = CONCAT('`', DATABASE(), '`.`tb_voucher_order`')",
                    self.0
                ),
                0,
            ),
        };
        let row = &test.query(&sql).await[0];
        match test.db.backend() {
            Backend::Sqlite => i64::from(row.try_get_by_index::<i32>(column).unwrap()),
            Backend::MySql => row.try_get_by_index(column).unwrap(),
        }
    }
}
