//! The outbox: what a commit must bring about happens although the process that committed is gone.

mod lanes;
mod operator;

use std::time::Duration;

use domain::ShopId;
use jiff::Timestamp;
use serde_json::Value;
use storage::outbox;
use storage::shops::{self, Principal, ShopChange};
use storage::{Db, DbOptions};
use testkit::{Client, MariaDb, Redis, TestApp, unique_prefix, wait_until};

use crate::process::{Home, Site};
use crate::shops::{
    FOOD, HERE, KTV, add_shops, add_types, around, hold_outbox, ids, list, shop_row, sites,
};

/// A row of another process is looked for five times a second; the rest is for a busy machine.
const RELAYED: Duration = Duration::from_secs(30);

/// A lease that was given back is taken up at the next sign of it.
const TAKEN_UP: Duration = Duration::from_secs(30);

/// A killed process keeps its lease for five seconds.
const LEASE_ENDED: Duration = Duration::from_secs(60);

async fn name(app: &TestApp, id: i64) -> Value {
    let shop = app.visitor().get(&format!("/api/shop/{id}")).await;
    shop.data()["name"].clone()
}

/// Commits a change as a process does that dies right after it.
async fn change_and_die(app: &TestApp, id: i64, change: ShopChange) {
    let changed = shops::update(app.core().db(), Principal::Admin, id.into(), &change).await;
    changed.unwrap().unwrap();
}

fn renamed(name: &str) -> ShopChange {
    ShopChange {
        name: Some(name.to_owned()),
        ..ShopChange::default()
    }
}

async fn backlog(app: &TestApp) -> u64 {
    let backlog = outbox::backlog(app.core().db(), Timestamp::now()).await;
    backlog.unwrap().count
}

#[tokio::test]
async fn a_change_whose_process_died_after_the_commit_shows_on_all_nodes() {
    for one in sites().await {
        let two = one.beside().spawn().await;
        add_shops(&one, &[shop_row(1, FOOD, HERE)]).await;
        for app in [&one, &two] {
            assert_eq!(name(app, 1).await, "店铺1");
            assert_eq!(ids(&list(&app.visitor(), &around(FOOD, "")).await), [1]);
            assert!(list(&app.visitor(), &around(KTV, "")).await.is_empty());
        }
        let moved = ShopChange {
            type_id: Some(KTV.into()),
            ..renamed("改名")
        };
        change_and_die(&one, 1, moved).await;
        for app in [&one, &two] {
            wait_until("the change shows", RELAYED, async || {
                name(app, 1).await == "改名"
                    && list(&app.visitor(), &around(FOOD, "")).await.is_empty()
                    && ids(&list(&app.visitor(), &around(KTV, "")).await) == [1]
            })
            .await;
        }
        wait_until("the outbox is empty", RELAYED, async || {
            backlog(&one).await == 0
        })
        .await;
    }
}

#[tokio::test]
async fn nothing_is_relayed_without_the_lease_and_everything_with_it() {
    let prefix = unique_prefix();
    let held = hold_outbox(Redis::shared().await, &prefix).await;
    let app = TestApp::builder()
        .setting("redis.prefix", &prefix)
        .spawn()
        .await;
    add_types(&app).await;
    add_shops(&app, &[shop_row(1, FOOD, HERE)]).await;
    assert_eq!(name(&app, 1).await, "店铺1");
    for round in 0..20 {
        change_and_die(&app, 1, renamed(&format!("改名{round}"))).await;
    }
    assert_eq!(backlog(&app).await, 20, "another process has the lease");
    assert_eq!(name(&app, 1).await, "店铺1");
    held.release().await.unwrap();
    wait_until("the outbox is empty", TAKEN_UP, async || {
        backlog(&app).await == 0
    })
    .await;
    assert_eq!(name(&app, 1).await, "改名19");
}

#[tokio::test]
async fn a_node_that_stops_leaves_the_relay_to_the_other_at_once() {
    for one in sites().await {
        let two = one.beside().spawn().await;
        add_shops(&one, &[shop_row(1, FOOD, HERE)]).await;
        assert_eq!(name(&two, 1).await, "店铺1");
        one.stop().await;
        change_and_die(&two, 1, renamed("改名")).await;
        wait_until("the other node relays", TAKEN_UP, async || {
            name(&two, 1).await == "改名"
        })
        .await;
    }
}

#[tokio::test]
async fn a_row_that_cannot_be_relayed_is_kept_and_holds_back_nothing_else() {
    let database = MariaDb::shared().await.create_database().await;
    let app = TestApp::builder().sql_url(database.url()).spawn().await;
    add_types(&app).await;
    add_shops(&app, &[shop_row(1, FOOD, HERE)]).await;
    assert_eq!(name(&app, 1).await, "店铺1");
    database
        .execute(
            "INSERT INTO tb_outbox (kind, `key`, payload) VALUES \
             ('from_the_future', 'x', '{}'), ('shop_changed', 'shop:2', 'no JSON')",
        )
        .await;
    change_and_die(&app, 1, renamed("改名")).await;
    wait_until("the change shows", RELAYED, async || {
        name(&app, 1).await == "改名"
    })
    .await;
    wait_until("the two failed again and again", TAKEN_UP, async || {
        let attempts = database
            .execute("SELECT MIN(attempts) FROM tb_outbox")
            .await;
        let least: Option<u32> = attempts
            .split_whitespace()
            .last()
            .and_then(|it| it.parse().ok());
        least.is_some_and(|least| least >= 3)
    })
    .await;
    assert_eq!(backlog(&app).await, 2);
}

#[tokio::test]
async fn a_site_that_was_killed_after_a_commit_shows_it_after_the_next_start() {
    let home = Home::new();
    let seeded = home.run(&["seed"], &[]);
    assert!(seeded.status.success(), "{seeded:?}");
    let site = home.serve();
    let name_at = async |site: &Site| {
        let visitor = Client::new(format!("http://{}", site.addr));
        visitor.get("/api/shop/1").await.data()["name"].clone()
    };
    // From here on the row is in Redis, whose file outlives the server.
    assert_ne!(name_at(&site).await, "改名");
    drop(site);
    let file = home.folder.path().join("data/tandian.db");
    let options = DbOptions::new(format!("sqlite://{}", file.display()));
    let db = Db::connect(&options).await.unwrap();
    let changed = shops::update(&db, Principal::Admin, ShopId::new(1), &renamed("改名")).await;
    changed.unwrap().unwrap();
    db.close().await.unwrap();
    let site = home.serve();
    // The lease of the killed server has to end first.
    wait_until("the change shows", LEASE_ENDED, async || {
        name_at(&site).await == "改名"
    })
    .await;
}
