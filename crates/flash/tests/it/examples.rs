//! The examples run, and the ledgers in them keep the contract.

#[path = "../../examples/axum_gate.rs"]
mod axum_gate;
#[path = "../../examples/flash_sale_postgres.rs"]
mod flash_sale_postgres;
#[path = "../../examples/flash_sale_sqlite.rs"]
mod flash_sale_sqlite;
mod postgres;
mod sql_ledger;

use flash::ledger_contract::{Subject, violations};
use flash::{OrderId, SaleId, Terms};
use flash_sale_postgres::PostgresLedger;

impl Subject for PostgresLedger {
    type Ledger = Self;

    fn ledger(&self) -> &Self {
        self
    }

    async fn publish(&self, number: i64, terms: Terms) -> SaleId {
        let published = PostgresLedger::publish(self, SaleId(number), terms).await;
        published.unwrap();
        SaleId(number)
    }

    async fn return_unit(&self, order: OrderId) {
        self.cancel(order).await.unwrap();
    }
}

#[test]
fn a_flash_sale_on_sqlite_sells_every_unit_once() {
    flash_sale_sqlite::main().unwrap();
}

/// What the README says of it.
#[test]
fn a_flash_sale_on_sqlite_takes_150_lines() {
    let ledger = include_str!("../../examples/flash_sale_sqlite.rs");
    let crowd = include_str!("../../examples/support/sell_out.rs");
    let lines = ledger.lines().count() + crowd.lines().count();
    assert!(lines <= 150, "{lines} lines");
}

#[test]
fn claims_over_http_have_their_statuses() {
    axum_gate::main().unwrap();
}

/// One server for both claims: it takes a second to start.
#[tokio::test]
async fn a_flash_sale_on_postgres_sells_every_unit_once_and_its_ledger_keeps_the_contract() {
    let server = postgres::Postgres::start().await;
    flash_sale_postgres::run(&server.url()).await.unwrap();
    let ledger = PostgresLedger::create(&server.url(), "contract").await;
    assert_eq!(violations(&ledger.unwrap()).await, []);
}
