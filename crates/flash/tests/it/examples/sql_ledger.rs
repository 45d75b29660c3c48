//! `SqlLedger` keeps the contract of ledgers, on SQLite as in the example and on Postgres.

use std::sync::Arc;

use flash::ledger_contract::{Subject, Violation, violations};
use flash::{OrderId, SaleId, SqlDatabase, SqlError, SqlLedger, SqlRow, SqlValue, Terms};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::flash_sale_sqlite::Database;
use super::postgres::Postgres;

struct Tested<D>(SqlLedger<D>);

impl<D: SqlDatabase> Subject for Tested<D> {
    type Ledger = SqlLedger<D>;

    fn ledger(&self) -> &SqlLedger<D> {
        &self.0
    }

    async fn publish(&self, number: i64, terms: Terms) -> SaleId {
        self.0.publish(SaleId(number), terms).await.unwrap();
        SaleId(number)
    }

    async fn return_unit(&self, order: OrderId) {
        assert!(self.0.return_unit(order).await.unwrap());
        assert!(!self.0.return_unit(order).await.unwrap(), "once");
    }
}

async fn violations_on<D: SqlDatabase>(database: D) -> Vec<Violation> {
    let ledger = SqlLedger::new(database);
    ledger.create_tables().await.unwrap();
    ledger.create_tables().await.unwrap();
    violations(&Tested(ledger)).await
}

#[tokio::test]
async fn a_ledger_on_sqlite_keeps_the_contract() {
    let database = Database::open().await.unwrap();
    assert_eq!(violations_on(database).await, []);
}

#[tokio::test]
async fn a_ledger_on_postgres_keeps_the_contract() {
    let server = Postgres::start().await;
    let database = Connections {
        clients: [server.connect().await, server.connect().await],
    };
    assert_eq!(violations_on(database).await, []);
}

/// Two connections, so that two transactions may be open beside each other.
struct Connections {
    clients: [Arc<Mutex<Client>>; 2],
}

impl SqlDatabase for Connections {
    type Transaction = PostgresTransaction;

    async fn begin(&self) -> Result<PostgresTransaction, SqlError> {
        let [one, two] = &self.clients;
        let client = match one.clone().try_lock_owned() {
            Ok(client) => client,
            Err(_) => two.clone().lock_owned().await,
        };
        client.batch_execute("BEGIN").await?;
        Ok(PostgresTransaction(Some(client)))
    }

    async fn run(
        transaction: &mut PostgresTransaction,
        sql: &'static str,
        values: &[SqlValue<'_>],
    ) -> Result<Vec<SqlRow>, SqlError> {
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(to_sql).collect();
        let client = transaction.0.as_ref().expect("it is open");
        let rows = client.query(sql, &values).await?;
        let columns = |row: &Row| (0..row.len()).map(|at| number(row, at)).collect();
        Ok(rows.iter().map(columns).collect::<Result<_, _>>()?)
    }

    async fn commit(mut transaction: PostgresTransaction) -> Result<(), SqlError> {
        let client = transaction.0.take().expect("it is open");
        Ok(client.batch_execute("COMMIT").await?)
    }
}

struct PostgresTransaction(Option<OwnedMutexGuard<Client>>);

impl Drop for PostgresTransaction {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            tokio::spawn(async move { client.batch_execute("ROLLBACK").await });
        }
    }
}

fn to_sql<'a>(value: &'a SqlValue<'_>) -> &'a (dyn ToSql + Sync) {
    match value {
        SqlValue::Number(number) => number,
        SqlValue::Text(text) => text,
    }
}

/// A literal such as the 1 of `SELECT 1` is an integer of 32 bits.
fn number(row: &Row, at: usize) -> Result<Option<i64>, tokio_postgres::Error> {
    row.try_get(at)
        .or_else(|_| Ok(row.try_get::<_, Option<i32>>(at)?.map(i64::from)))
}
