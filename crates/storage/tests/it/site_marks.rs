//! What a site remembers of itself: the environment, and the stamp of its sessions.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use storage::site_marks::{env, settle_env};

use crate::support::on_both;

#[tokio::test]
async fn the_stamp_stays_with_the_environment_and_changes_with_it() {
    on_both(async |test| {
        assert_eq!(env(&test.db).await.unwrap(), None);
        let first = settle_env(&test.db, "development", "a").await.unwrap();
        assert_eq!((&*first.mark.stamp, first.before), ("a", None));
        let again = settle_env(&test.db, "development", "b").await.unwrap();
        assert_eq!((&*again.mark.stamp, again.before), ("a", None));
        let real = settle_env(&test.db, "production", "c").await.unwrap();
        assert_eq!(real.mark.stamp, "c");
        assert_eq!(real.before.as_deref(), Some("development"));
        let back = settle_env(&test.db, "development", "d").await.unwrap();
        assert_eq!(back.mark.stamp, "d", "sessions of before stay dead");
        assert_eq!(env(&test.db).await.unwrap(), Some(back.mark));
        let changes = "SELECT detail FROM tb_audit WHERE action = 'change_env' ORDER BY id";
        let changes = test.texts(changes).await;
        assert_eq!(
            changes,
            ["development -> production", "production -> development"]
        );
    })
    .await;
}

#[tokio::test]
async fn processes_that_start_together_agree_on_the_stamp() {
    on_both(async |test| {
        for round in ["development", "production"] {
            let stamps: Vec<String> = (0..8).map(|n| format!("{round}{n}")).collect();
            let starts = stamps
                .iter()
                .map(|stamp| settle_env(&test.db, round, stamp));
            let settled = join_all(starts).await;
            let agreed: BTreeSet<String> = settled
                .into_iter()
                .map(|settled| settled.unwrap().mark.stamp)
                .collect();
            assert_eq!(agreed.len(), 1, "{agreed:?}");
        }
    })
    .await;
}
