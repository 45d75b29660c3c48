//! A site on rows that it did not write: an adopted database, or changes by an SQL client.

mod pictures;
mod redis;
mod shop_owners;
mod shop_pictures;
mod texts;

use sea_orm::{ConnectionTrait as _, Database};

/// Changes rows past every rule of the site.
pub(crate) async fn execute(url: &str, statements: &[String]) {
    let connection = Database::connect(url).await.unwrap();
    for sql in statements {
        connection.execute_unprepared(sql).await.unwrap();
    }
    connection.close().await.unwrap();
}
