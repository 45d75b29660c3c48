//! Reading a buyer's orders costs the same however many orders the buyer and the site have.
//!
//! SQLite's plans are tested beside the queries. MariaDB chooses by statistics, so the rows that it reads are counted.

use domain::{OrderId, OrderStatus, UserId};
use storage::accounts;
use storage::orders::{self, BuyTerms, NewOrder};
use testkit::MariaDb;

use crate::order_life::ordinary;
use crate::selling::{GRANTED_AT, PAY_WITHIN};
use crate::support::TestDb;

/// Has thousands of orders, two of them unpaid.
const BUYER: UserId = UserId::new(5);
const PAGE: u32 = 10;

/// Ids of a page of every status, the rows of those, and a step past the end of each.
const MOST_FOR_A_PAGE: i64 = 2 * 10 * (OrderStatus::ALL.len() as i64) + 20;
/// The unpaid orders, and the new one.
const MOST_FOR_A_PURCHASE: i64 = 10;

/// A server of its own, because it counts for all of its databases.
async fn busy_site(server: &MariaDb) -> TestDb {
    server.execute("SET GLOBAL userstat = 1").await;
    let database = server.create_database().await;
    let test = TestDb::open_url(database.url()).await;
    test.db.migrate().await.unwrap();
    let at = "'2026-01-01 00:00:00.000'";
    let insert = |user: &str, status: &str, numbers: &str| {
        format!(
            "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, status, slot, pay_deadline, \
             create_time, update_time) \
             SELECT CAST(seq AS SIGNED), {user}, 1, 1, {status}, NULL, {at}, {at}, {at} FROM {numbers}"
        )
    };
    for sql in [
        insert("100 + seq % 5000", "1", "seq_1_to_20000"),
        insert("100 + seq % 5000", "2 + seq % 5", "seq_20001_to_50000"),
        insert("5", "2 + seq % 5", "seq_50001_to_55000"),
        insert("5", "1", "seq_55001_to_55002"),
        "ANALYZE TABLE tb_voucher_order".to_owned(),
    ] {
        test.execute(&sql).await;
    }
    test
}

/// The rows of orders that the server reads for a call.
async fn rows_read(test: &TestDb, call: impl Future<Output = ()>) -> i64 {
    test.execute("FLUSH TABLE_STATISTICS").await;
    call.await;
    let counted = "SELECT CAST(ROWS_READ AS SIGNED) FROM information_schema.TABLE_STATISTICS \
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'tb_voucher_order'";
    test.query(counted).await[0].try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn mariadb_reads_no_more_orders_than_a_page_or_a_purchase_needs() {
    let server = MariaDb::start().await;
    let test = busy_site(&server).await;
    let db = &test.db;
    for status in [None, Some(OrderStatus::Unpaid), Some(OrderStatus::Used)] {
        let page = async {
            let page = orders::list_of_user(db, BUYER, status, None, PAGE).await;
            assert!(!page.unwrap().is_empty(), "{status:?}");
        };
        let rows = rows_read(&test, page).await;
        assert!(
            rows <= MOST_FOR_A_PAGE,
            "{rows} rows for a page of {status:?}"
        );
    }
    let voucher_id = ordinary(db).await;
    let order = NewOrder {
        id: OrderId::new(60_000),
        owner: BUYER,
        voucher_id,
    };
    let terms = BuyTerms {
        pay_within: PAY_WITHIN,
        max_unpaid: 5,
    };
    let purchase = async {
        let bought = orders::create(db, order, GRANTED_AT, terms).await;
        bought.unwrap().unwrap();
    };
    let rows = rows_read(&test, purchase).await;
    assert!(rows <= MOST_FOR_A_PURCHASE, "{rows} rows for a purchase");
}

/// A page, the payments of its entries, and the entry of the page before.
const MOST_FOR_A_STATEMENT: i64 = 2 * PAGE as i64 + 4;

/// A site with many entries, of which the newest are those of others.
async fn busy_ledger(server: &MariaDb) -> TestDb {
    server.execute("SET GLOBAL userstat = 1").await;
    let database = server.create_database().await;
    let test = TestDb::open_url(database.url()).await;
    test.db.migrate().await.unwrap();
    let at = "'2026-01-01 00:00:00.000'";
    let insert = |table: &str, columns: &str, account: &str, numbers: &str| {
        format!(
            "INSERT INTO {table} ({columns}payment_id, kind, account, amount_cents, create_time) \
             SELECT {}seq, 'top_up', {account}, 1, {at} FROM {numbers}",
            if columns.is_empty() { "" } else { "seq, " }
        )
    };
    let (hot, archive) = ("tb_ledger_entry", "tb_ledger_entry_archive");
    let of_others = "CONCAT('user:', 100 + seq % 5000)";
    for sql in [
        insert(archive, "id, ", "'user:5'", "seq_1_to_5000"),
        insert(archive, "id, ", of_others, "seq_5001_to_20000"),
        insert(hot, "id, ", "'user:5'", "seq_20001_to_25000"),
        insert(hot, "id, ", of_others, "seq_25001_to_50000"),
        "INSERT INTO tb_account (user_id, balance_cents, update_time) \
            VALUES (5, 10000, '2026-01-01 00:00:00.000')"
            .to_owned(),
        format!("ANALYZE TABLE {hot}, {archive}"),
    ] {
        test.execute(&sql).await;
    }
    test
}

#[tokio::test]
async fn mariadb_reads_no_more_entries_than_the_page_of_a_statement_shows() {
    let server = MariaDb::start().await;
    let test = busy_ledger(&server).await;
    let db = &test.db;
    let read = async |before: Option<i64>| {
        test.execute("FLUSH TABLE_STATISTICS").await;
        let page = accounts::list_entries(db, BUYER, before, PAGE).await;
        let page = page.unwrap();
        assert_eq!(page.len(), PAGE as usize);
        let counted = "SELECT CAST(SUM(ROWS_READ) AS SIGNED) FROM information_schema.TABLE_STATISTICS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'tb_ledger_entry%'";
        let rows: i64 = test.query(counted).await[0].try_get_by_index(0).unwrap();
        (page, rows)
    };
    let (first, rows) = read(None).await;
    assert_eq!((first[0].cursor, first[0].balance_cents), (25_000, 10_000));
    assert!(
        rows <= MOST_FOR_A_STATEMENT,
        "{rows} rows for the first page"
    );
    // Further down, the newer entries of the same balance are added up, and no other.
    let (deep, rows) = read(Some(5_001)).await;
    assert_eq!((deep[0].cursor, deep[0].balance_cents), (5_000, 5_000));
    let most = 5_000 + MOST_FOR_A_STATEMENT;
    assert!(rows <= most, "{rows} rows for a page further down");
}
