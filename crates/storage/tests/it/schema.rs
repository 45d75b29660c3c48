//! Every key and index that the migrations name exists.

use crate::support::{TestDb, on_both};

#[tokio::test]
async fn every_key_of_the_schema_exists() {
    on_both(async |test| assert_keys(&test).await).await;
}

/// Also asked of adopted databases.
pub(crate) async fn assert_keys(test: &TestDb) {
    for key in storage::schema_keys() {
        let columns = match key.is_primary {
            true => format!("PRIMARY {}", key.columns),
            false => key.columns,
        };
        let found = test.keys(key.table).await;
        assert!(
            found.contains(&(columns.clone(), key.is_unique)),
            "{} ({columns}): {found:?}",
            key.table
        );
    }
}

#[tokio::test]
async fn a_migrated_database_is_empty_until_someone_arrives() {
    on_both(async |test| {
        assert!(storage::bulk::is_empty(&test.db).await.unwrap());
        test.execute("INSERT INTO tb_user (nick_name) VALUES ('a')")
            .await;
        assert!(!storage::bulk::is_empty(&test.db).await.unwrap());
    })
    .await;
}
