//! Every key and index that the migrations name exists.

use crate::support::{TestDb, on_both};

/// Unique keys that promises rest on, whatever the migrations say: table, columns, and what each makes happen once.
const LAST_DEFENCES: &[(&str, &str, &str)] = &[
    ("tb_user", "phone", "an account per number"),
    ("tb_user", "email", "an account per address"),
    (
        "tb_voucher_order",
        "voucher_id,user_id,slot",
        "a unit per slot of a buyer",
    ),
    ("tb_voucher_order", "redeem_code", "an order per code"),
    (
        "tb_payment",
        "provider,provider_ref",
        "a payment per number of the provider",
    ),
    (
        "tb_ledger_entry",
        "payment_id,kind,account",
        "a booking per step of a payment",
    ),
    ("tb_notice", "subject,kind", "a notice per event"),
    ("tb_follow", "user_id,follow_user_id", "a follow per pair"),
    ("tb_block", "user_id,blocked_user_id", "a block per pair"),
    ("tb_favourite", "user_id,shop_id", "a favourite per shop"),
    ("tb_favourite_list", "user_id,name", "a list per name"),
    (
        "tb_blog_favourite",
        "user_id,blog_id",
        "a favourite per note",
    ),
    ("tb_blog_draft", "user_id,name", "a draft per key"),
    (
        "tb_write_key",
        "PRIMARY user_id,name",
        "a note or comment per key",
    ),
    ("tb_sign", "user_id,date", "a check-in per day"),
    (
        "tb_blog_like",
        "PRIMARY blog_id,user_id",
        "a like per reader",
    ),
    (
        "tb_blog_mention",
        "PRIMARY blog_id,user_id",
        "a mention per person and note",
    ),
    (
        "tb_blog_topic",
        "PRIMARY topic,blog_id",
        "a place per note in the list of a topic",
    ),
    (
        "tb_blog_dish",
        "PRIMARY shop_id,dish,blog_id",
        "a dish per note",
    ),
    (
        "tb_shop_dish",
        "PRIMARY shop_id,dish",
        "a number per dish of a shop",
    ),
    (
        "tb_dead_order",
        "PRIMARY order_id",
        "a dead letter per order",
    ),
];

#[tokio::test]
async fn the_unique_keys_that_promises_rest_on_exist() {
    on_both(async |test| {
        for &(table, columns, what) in LAST_DEFENCES {
            let found = test.keys(table).await;
            let is_there = found.contains(&(columns.to_owned(), true));
            assert!(is_there, "{what} needs {table} ({columns}): {found:?}");
        }
    })
    .await;
}

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
