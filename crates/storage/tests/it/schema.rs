//! The keys and indexes that the queries of the site count on are really there.

use crate::support::{TestDb, on_both};

/// Table, columns, unique.
const KEYS: &[(&str, &str, bool)] = &[
    ("tb_user", "phone", true),
    ("tb_user", "email", true),
    ("tb_shop", "type_id", false),
    ("tb_voucher", "shop_id", false),
    ("tb_voucher_order", "voucher_id,user_id,slot", true),
    ("tb_voucher_order", "redeem_code", true),
    ("tb_voucher_order", "user_id,id", false),
    ("tb_voucher_order", "status,pay_deadline", false),
    ("tb_voucher_order", "voucher_id,id", false),
    ("tb_seckill_voucher", "end_time", false),
    ("tb_seckill_voucher", "begin_time", false),
    ("tb_payment", "provider,provider_ref", true),
    ("tb_payment", "order_id,state", false),
    ("tb_payment", "state,id", false),
    ("tb_ledger_entry", "payment_id,kind,account", true),
    ("tb_ledger_entry", "account,id", false),
    ("tb_notice", "subject,kind", true),
    ("tb_notice", "user_id,id", false),
    ("tb_blog", "user_id,id", false),
    ("tb_blog", "shop_id,id", false),
    ("tb_blog", "liked,id", false),
    ("tb_blog_comments", "blog_id,parent_id,id", false),
    ("tb_follow", "user_id,follow_user_id", true),
    ("tb_follow", "follow_user_id,user_id", false),
    ("tb_sign", "user_id,date", true),
    ("tb_outbox", "key,id", false),
    ("tb_outbox", "lane,state,not_before,id", false),
    ("tb_voucher_order_archive", "user_id,id", false),
    ("tb_voucher_order_archive", "voucher_id,id", false),
    ("tb_voucher_order_archive", "redeem_code", false),
    ("tb_payment_archive", "order_id", false),
    ("tb_payment_archive", "provider,provider_ref", false),
    ("tb_ledger_entry_archive", "payment_id", false),
    ("tb_notice", "create_time", false),
    ("tb_audit", "create_time", false),
    ("tb_sign", "date", false),
];

const PRIMARY_KEYS: &[(&str, &str)] = &[
    ("tb_user", "id"),
    ("tb_user_info", "user_id"),
    ("tb_shop", "id"),
    ("tb_shop_type", "id"),
    ("tb_voucher", "id"),
    ("tb_seckill_voucher", "voucher_id"),
    ("tb_voucher_order", "id"),
    ("tb_blog", "id"),
    ("tb_blog_like", "blog_id,user_id"),
    ("tb_blog_comments", "id"),
    ("tb_follow", "id"),
    ("tb_sign", "id"),
    ("tb_upload", "name"),
    ("tb_outbox", "id"),
    ("tb_dead_order", "order_id"),
    ("tb_visit", "day,page"),
    ("tb_audit", "id"),
    ("tb_shop_gram", "gram,shop_id"),
    ("tb_flash_partition", "partition_id"),
    ("tb_id_mark", "name"),
    ("tb_site_mark", "name"),
    ("tb_payment", "id"),
    ("tb_ledger_entry", "id"),
    ("tb_account", "user_id"),
    ("tb_notice", "id"),
    ("tb_outside_refund", "payment_id"),
    ("tb_profile_shown", "user_id"),
    ("tb_voucher_order_archive", "id"),
    ("tb_payment_archive", "id"),
    ("tb_ledger_entry_archive", "id"),
    ("tb_ledger_sum", "account"),
];

#[tokio::test]
async fn every_key_of_the_schema_exists() {
    on_both(async |test| assert_keys(&test).await).await;
}

/// Also asked of adopted databases.
pub(crate) async fn assert_keys(test: &TestDb) {
    for (table, columns) in PRIMARY_KEYS {
        let keys = test.keys(table).await;
        assert!(
            keys.contains(&(format!("PRIMARY {columns}"), true)),
            "{table}: {keys:?}"
        );
    }
    for (table, columns, is_unique) in KEYS {
        let keys = test.keys(table).await;
        assert!(
            keys.contains(&((*columns).to_owned(), *is_unique)),
            "{table} ({columns}): {keys:?}"
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
