//! Our ledger keeps the contract that the engine has for every ledger.

use std::sync::Mutex;
use std::time::Duration;

use app::flash_sales::SqlLedger;
use app::outbox::OutboxWakeup;
use domain::{OrderId, SaleDraft, ShopId, ShopTypeId, UserId, VoucherDraft};
use flash::ledger_contract::{Subject, violations};
use flash::{Ledger as _, SaleId, Terms};
use jiff::Timestamp;
use storage::shops::{self, NewShop, Principal};
use storage::{Db, DbOptions, orders, vouchers};
use testkit::MariaDb;

const MERCHANT: UserId = UserId::new(7);
const PAY_WITHIN: Duration = Duration::from_secs(900);
/// More orders than a sale of the contract has.
const ALL: u32 = 1_000;

/// The ledger on a database of its own, with a shop whose sales these are.
struct SqlSubject {
    db: Db,
    ledger: SqlLedger,
    shop: ShopId,
    sales: Mutex<Vec<SaleId>>,
}

impl SqlSubject {
    async fn at(url: &str) -> Self {
        let db = Db::connect(&DbOptions::new(url)).await.unwrap();
        db.migrate().await.unwrap();
        let shop = NewShop {
            name: "103茶餐厅".to_owned(),
            type_id: ShopTypeId::new(1),
            images: "/imgs/a.webp".to_owned(),
            area: None,
            address: "金华路29号".to_owned(),
            x: 120.149192,
            y: 30.316078,
            avg_price_yuan: Some(80),
            open_hours: None,
            phone: None,
        };
        let shop = shops::create(&db, MERCHANT, &shop).await.unwrap();
        Self {
            ledger: SqlLedger::new(db.clone(), PAY_WITHIN, OutboxWakeup::default()),
            db,
            shop: shop.id,
            sales: Mutex::default(),
        }
    }

    /// Whose order this is.
    async fn owner(&self, order: flash::OrderId) -> UserId {
        let sales = self.sales.lock().unwrap().clone();
        for sale in sales {
            let first = flash::OrderId(0);
            let held = self.ledger.holdings(sale, first, ALL).await.unwrap();
            if let Some(held) = held.iter().find(|held| held.order == order) {
                return UserId::new(held.buyer.0);
            }
        }
        panic!("order {order} is not live");
    }
}

impl Subject for SqlSubject {
    type Ledger = SqlLedger;

    fn ledger(&self) -> &SqlLedger {
        &self.ledger
    }

    async fn publish(&self, number: i64, terms: Terms) -> SaleId {
        let draft = VoucherDraft {
            title: format!("sale {number}"),
            sub_title: None,
            rules: None,
            pay_value_cents: 8_000,
            actual_value_cents: 10_000,
        };
        let at = |ms| Timestamp::from_millisecond(ms).unwrap();
        let sale = SaleDraft {
            stock: terms.initial,
            begin_at: at(terms.begin_ms),
            end_at: at(terms.end_ms),
            limit_per_user: terms.limit_per_buyer,
            spread: terms.spread,
        };
        let owner = Principal::Owner(MERCHANT);
        let published = vouchers::create_sale(&self.db, owner, self.shop, &draft, &sale).await;
        let sale = SaleId(published.unwrap().unwrap().id.get());
        self.sales.lock().unwrap().push(sale);
        sale
    }

    async fn return_unit(&self, order: flash::OrderId) {
        let owner = self.owner(order).await;
        let cancelled = orders::cancel(&self.db, owner, OrderId::new(order.0)).await;
        cancelled.unwrap().unwrap();
    }
}

#[tokio::test]
async fn our_ledger_keeps_the_contract_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/test.db", folder.path().display());
    assert_eq!(violations(&SqlSubject::at(&url).await).await, []);
}

#[tokio::test]
async fn our_ledger_keeps_the_contract_on_mariadb() {
    let database = MariaDb::shared().await.create_database().await;
    assert_eq!(violations(&SqlSubject::at(database.url()).await).await, []);
}
