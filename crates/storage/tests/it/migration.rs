//! Making the tables: once, by one process at a time, never backwards.

use storage::{Backend, Db, DbOptions, Error};

use crate::support::{on_both, on_both_empty};

const MIGRATIONS: [&str; 30] = [
    "m0001_baseline",
    "m0002_search_and_relay",
    "m0003_flash_sales",
    "m0004_order_life",
    "m0005_social",
    "m0006_running_sales",
    "m0006_lists",
    "m0009_claim_keys",
    "m0010_outbox_lanes",
    "m0011_retention",
    "m0013_site_marks",
    "m0014_refunds_and_privacy",
    "m0015_kept_numbers",
    "m0016_order_keys",
    "m0017_note_revisions",
    "m0018_shop_stars",
    "m0019_shop_phones",
    "m0020_favourites",
    "m0021_write_keys",
    "m0022_note_edits",
    "m0023_notice_mutes",
    "m0024_note_reports",
    "m0025_search_index",
    "m0026_account_deletion",
    "m0027_phone_proofs",
    "m0029_shop_opinions",
    "m0030_note_favourites",
    "m0031_blocks",
    "m0032_mentions_and_topics",
    "m0033_note_drafts",
];

#[tokio::test]
async fn a_second_migration_changes_nothing() {
    on_both_empty(async |test| {
        assert_eq!(test.db.pending_migrations().await.unwrap(), MIGRATIONS);
        let first = test.db.migrate().await.unwrap();
        assert_eq!(first.applied, MIGRATIONS);
        let tells_of_news = |line: &String| line.ends_with(": created") || line.ends_with(" added");
        assert!(first.changes.iter().all(tells_of_news), "{first:#?}");
        assert!(test.db.pending_migrations().await.unwrap().is_empty());

        let second = test.db.migrate().await.unwrap();
        assert!(second.is_empty(), "{second:#?}");
    })
    .await;
}

/// There were two sixth ones, each alone for a while.
#[tokio::test]
async fn a_database_with_either_of_the_sixth_migrations_gets_the_other() {
    on_both(async |test| {
        let drop_index = match test.db.backend() {
            Backend::MySql => "DROP INDEX ix_follow_newest ON tb_follow",
            Backend::Sqlite => "DROP INDEX ix_follow_newest",
        };
        test.execute(drop_index).await;
        for missing in ["m0006_lists", "m0006_running_sales"] {
            let forget = format!("DELETE FROM seaql_migrations WHERE version = '{missing}'");
            test.execute(&forget).await;
            assert_eq!(test.db.migrate().await.unwrap().applied, [missing]);
        }
        let keys = test.keys("tb_follow").await;
        let newest_fans = ("follow_user_id,id".to_owned(), false);
        assert!(keys.contains(&newest_fans), "{keys:?}");
    })
    .await;
}

#[tokio::test]
async fn of_eight_processes_migrating_at_once_one_does_the_work() {
    on_both_empty(async |test| {
        let migrations = (0..8).map(|_| {
            let options = DbOptions::new(&test.url);
            tokio::spawn(async move {
                let db = Db::connect(&options).await?;
                db.migrate().await
            })
        });
        let mut workers = 0;
        for migration in migrations.collect::<Vec<_>>() {
            let report = migration.await.unwrap().unwrap();
            workers += usize::from(!report.is_empty());
        }
        assert_eq!(workers, 1);
        let applied = test.count("seaql_migrations").await;
        assert_eq!(usize::try_from(applied).unwrap(), MIGRATIONS.len());
    })
    .await;
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused() {
    on_both(async |test| {
        test.execute(
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 0)",
        )
        .await;
        for error in [
            test.db.migrate().await.unwrap_err(),
            test.db.pending_migrations().await.unwrap_err(),
        ] {
            assert!(matches!(error, Error::NewerDatabase { .. }), "{error:?}");
            assert!(error.to_string().contains("m9999_future"), "{error}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_database_with_the_former_keys_of_orders_gets_the_present_ones() {
    on_both(async |test| {
        let (new, old) = ("ix_voucher_order_status_user", "ix_voucher_order_user");
        let of_table = match test.db.backend() {
            Backend::Sqlite => "",
            Backend::MySql => " ON tb_voucher_order",
        };
        test.execute(&format!("DROP INDEX {new}{of_table}")).await;
        test.execute(&format!(
            "CREATE INDEX {old} ON tb_voucher_order (user_id, id)"
        ))
        .await;
        if test.db.backend() == Backend::Sqlite {
            let codes = "uk_voucher_order_redeem_code";
            test.execute(&format!("DROP INDEX {codes}")).await;
            test.execute(&format!(
                "CREATE UNIQUE INDEX {codes} ON tb_voucher_order (redeem_code)"
            ))
            .await;
        }
        test.execute("DELETE FROM seaql_migrations WHERE version = 'm0016_order_keys'")
            .await;
        assert_eq!(
            test.db.migrate().await.unwrap().applied,
            ["m0016_order_keys"]
        );
        let keys = test.keys("tb_voucher_order").await;
        let has = |columns: &str, is_unique| keys.contains(&(columns.to_owned(), is_unique));
        assert!(has("status,user_id,id", false), "{keys:?}");
        assert!(has("redeem_code", true), "{keys:?}");
        assert!(!has("user_id,id", false), "{keys:?}");
        if test.db.backend() == Backend::Sqlite {
            let partial =
                "SELECT name FROM pragma_index_list('tb_voucher_order') WHERE partial = 1";
            assert_eq!(test.texts(partial).await, ["uk_voucher_order_redeem_code"]);
        }
    })
    .await;
}
