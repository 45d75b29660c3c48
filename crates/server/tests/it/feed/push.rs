//! Pushing: as far as there are fans, and no further than the limit, whatever the counters say.

use domain::{Phone, Role, UserId};
use jiff::Timestamp;
use storage::bulk::{self, FollowRow, UserRow};
use testkit::TestApp;

use super::{THEN_MS, page, publish, scroll, wait_until_relayed};
use crate::follows::{ME, id_of, person};

/// Follows that only rows know of: the counters say nothing of them.
async fn store_fans(app: &TestApp, author: UserId, fans: impl Iterator<Item = UserId>) {
    let rows: Vec<_> = fans
        .map(|user_id| FollowRow {
            user_id,
            followed_id: author,
            created_at: Timestamp::now(),
        })
        .collect();
    bulk::insert_follows(app.core().db(), &rows).await.unwrap();
}

#[tokio::test]
async fn a_note_reaches_the_fan_behind_many_chunks_of_others() {
    let app = TestApp::spawn().await;
    let author = person(&app, 1).await;
    let last = UserRow {
        id: UserId::new(1_003_000),
        phone: Some(Phone::parse(ME).unwrap()),
        email: None,
        nick_name: "the last one".to_owned(),
        icon: String::new(),
        role: Role::User,
        created_at: Timestamp::now(),
    };
    let users = bulk::insert_users(app.core().db(), std::slice::from_ref(&last)).await;
    users.unwrap();
    let others = (0..2_500).map(|n| UserId::new(1_000_000 + n));
    store_fans(&app, author, others.chain([last.id])).await;
    let me = app.sign_in(ME).await;
    assert_eq!(page(&me, "").await, None);
    let note = publish(&app, author, THEN_MS).await;
    wait_until_relayed(&app).await;
    assert_eq!(scroll(&me).await, [note.get()]);
}

#[tokio::test]
async fn a_counter_that_is_wrong_makes_no_endless_push_and_hides_no_note() {
    let app = TestApp::builder().setting("feed.push_limit", 3);
    let app = app.spawn().await;
    let author = person(&app, 1).await;
    let me = app.sign_in(ME).await;
    let others = (0..5).map(|n| UserId::new(1_000_000 + n));
    store_fans(&app, author, others.chain([id_of(&me).await])).await;
    assert_eq!(page(&me, "").await, None);
    let note = publish(&app, author, THEN_MS).await;
    wait_until_relayed(&app).await;
    assert_eq!(scroll(&me).await, [note.get()]);
    let unpushed = app.core().kv().list_unpushed_authors().await;
    assert_eq!(unpushed.unwrap(), [author]);
}
