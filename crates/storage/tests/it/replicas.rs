//! Reads from copies that lag. The copy is a second database with other content, which proves who answered.

use std::time::{Duration, Instant};

use domain::ShopTypeId;
use storage::shops;
use storage::{Db, DbOptions, Error};
use testkit::MariaDb;

use crate::support::{TestDb, create_shop};

/// More than a failed copy rests.
const RETURN_LIMIT: Duration = Duration::from_secs(20);

async fn database_with_shop(name: &str) -> TestDb {
    let test = TestDb::empty_mariadb().await;
    test.db.migrate().await.unwrap();
    create_shop(&test.db, name).await;
    test
}

async fn connect(primary: &TestDb, copies: &[&str]) -> Db {
    let options = DbOptions {
        read_urls: copies.iter().map(|url| (*url).to_owned()).collect(),
        acquire_timeout: Duration::from_millis(500),
        ..DbOptions::new(&primary.url)
    };
    Db::connect(&options).await.unwrap()
}

/// The name of the only shop, as a list shows it.
async fn listed(db: &Db) -> String {
    let kind = ShopTypeId::new(1);
    let shops = shops::list_of_type(db, kind, 1, 5).await.unwrap();
    shops[0].name.clone()
}

#[tokio::test]
async fn lists_come_from_the_copy_and_fills_from_the_primary() {
    let (primary, copy) = (
        database_with_shop("主店").await,
        database_with_shop("副店").await,
    );
    let db = connect(&primary, &[&copy.url]).await;
    assert_eq!(listed(&db).await, "副店");
    let found = shops::search_by_name(&db, "店", 1, 10).await.unwrap();
    assert_eq!(found[0].name, "副店");
    let id = found[0].id;
    assert_eq!(shops::get(&db, id).await.unwrap().unwrap().name, "副店");
    let many = shops::get_many(&db, &[id]).await.unwrap();
    assert_eq!(many[0].name, "副店");

    let fill = shops::get_for_fill(&db, id).await.unwrap().unwrap();
    assert_eq!(fill.name, "主店");
    let fills = shops::get_many_for_fill(&db, &[id]).await.unwrap();
    assert_eq!(fills[0].name, "主店");
    let new = create_shop(&db, "新店").await;
    let ids = shops::list_ids(&db, id, 10).await.unwrap();
    assert_eq!(ids, [new.id]);
    let positions = shops::list_positions(&db, None, id, 10).await.unwrap();
    assert_eq!(positions[0].id, new.id);
    assert_eq!(
        (primary.count("tb_shop").await, copy.count("tb_shop").await),
        (2, 1)
    );
}

#[tokio::test]
async fn copies_take_turns() {
    let primary = database_with_shop("主店").await;
    let (first, second) = (
        database_with_shop("甲").await,
        database_with_shop("乙").await,
    );
    let db = connect(&primary, &[&first.url, &second.url]).await;
    let mut names = [listed(&db).await, listed(&db).await];
    names.sort();
    assert_eq!(names, ["乙", "甲"]);
}

#[tokio::test]
async fn a_copy_that_is_down_is_replaced_by_the_primary_and_used_again_when_it_is_back() {
    let primary = database_with_shop("主店").await;
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let copy = TestDb::open_url(database.url()).await;
    copy.db.migrate().await.unwrap();
    create_shop(&copy.db, "副店").await;
    let db = connect(&primary, &[database.url()]).await;
    assert_eq!(listed(&db).await, "副店");

    server.stop_hard();
    assert_eq!(listed(&db).await, "主店");
    let started = Instant::now();
    assert_eq!(listed(&db).await, "主店");
    assert!(
        started.elapsed() < Duration::from_millis(400),
        "it was asked again"
    );

    server.start_again().await;
    let is_back = async || listed(&db).await == "副店";
    testkit::wait_until("the copy to be used again", RETURN_LIMIT, is_back).await;
}

#[tokio::test]
async fn a_copy_that_does_not_answer_costs_one_wait() {
    let primary = database_with_shop("主店").await;
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let db = connect(&primary, &[database.url()]).await;
    server.freeze().await;
    let started = Instant::now();
    for _ in 0..5 {
        assert_eq!(listed(&db).await, "主店");
    }
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    server.thaw();
}

#[tokio::test]
async fn a_copy_without_the_tables_is_replaced_by_the_primary() {
    let primary = database_with_shop("主店").await;
    let empty = TestDb::empty_mariadb().await;
    let db = connect(&primary, &[&empty.url]).await;
    assert_eq!(listed(&db).await, "主店");
}

#[tokio::test]
async fn copies_that_cannot_be_are_refused_without_telling_the_password() {
    for (url, copy) in [
        ("sqlite:///tmp/x.db", "mysql://u:secret@h/d"),
        ("mysql://u@h/d", "sqlite:///tmp/secret.db"),
        ("mysql://u@h/d", "mysql://u:secret@h"),
        ("mysql://u@h/d", "secret"),
    ] {
        let options = DbOptions {
            read_urls: vec![copy.to_owned()],
            ..DbOptions::new(url)
        };
        let error = Db::connect_lazily(&options).await.unwrap_err();
        assert!(matches!(error, Error::BadUrl { .. } | Error::UnknownScheme));
        assert!(!format!("{error} {error:?} {options:?}").contains("secret"));
    }
}
