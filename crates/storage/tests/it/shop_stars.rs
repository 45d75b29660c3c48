//! How many notes gave a shop each number of stars, and the list of those notes.

use domain::{NoteId, ShopId, TieBreak, UserId};
use sea_orm::QueryResult;
use storage::bulk::{self, CountedTable, Surplus};
use storage::notes::{self, ListOf, NewNote, Visibility};
use storage::shops::{self, Principal, StarCounts};
use storage::{Backend, Db};

use crate::support::{TestDb, create_shop, on_both, person};

async fn rate(db: &Db, author: UserId, shop: ShopId, stars: Option<u8>) -> NoteId {
    let new = NewNote {
        key: None,
        author,
        shop_id: shop,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars,
        mentions: Vec::new(),
        opinion: Default::default(),
    };
    notes::publish(db, &new).await.unwrap().unwrap().id
}

async fn stars_of(db: &Db, shop: ShopId) -> StarCounts {
    let shop = shops::get_for_fill(db, shop).await.unwrap();
    shop.unwrap().stars
}

async fn rated(db: &Db, shop: ShopId, stars: u8, page: u32) -> Vec<NoteId> {
    let of = ListOf::Stars(shop, stars);
    let list = notes::list(db, None, of, page, 2, TieBreak::Newest).await;
    list.unwrap().into_iter().map(|note| note.id).collect()
}

#[tokio::test]
async fn every_note_counts_under_its_stars_while_it_is_shown() {
    on_both(async |test| {
        let db = &test.db;
        let (author, admin) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(db, "茶餐厅").await.id;
        let other = create_shop(db, "面馆").await.id;
        assert_eq!(stars_of(db, shop).await, [0; 5]);
        let five = rate(db, author, shop, Some(5)).await;
        let two = rate(db, author, shop, Some(2)).await;
        rate(db, author, shop, Some(5)).await;
        rate(db, author, shop, None).await;
        rate(db, author, other, Some(1)).await;
        assert_eq!(stars_of(db, shop).await, [0, 1, 0, 0, 2]);
        let set = async |visibility| {
            let set = notes::set_visibility(db, admin, five, visibility).await;
            assert!(set.unwrap());
        };
        set(Visibility::Hidden).await;
        assert_eq!(stars_of(db, shop).await, [0, 1, 0, 0, 1]);
        set(Visibility::Shown).await;
        assert_eq!(stars_of(db, shop).await, [0, 1, 0, 0, 2]);
        let deleted = notes::delete(db, Principal::Admin, two).await;
        deleted.unwrap().unwrap();
        assert_eq!(stars_of(db, shop).await, [0, 0, 0, 0, 2]);
        assert_eq!(stars_of(db, other).await, [1, 0, 0, 0, 0]);
    })
    .await;
}

#[tokio::test]
async fn notes_are_listed_by_their_stars_newest_first_and_hidden_ones_are_not() {
    on_both(async |test| {
        let db = &test.db;
        let author = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mut fours = Vec::new();
        for stars in [Some(4), Some(3), Some(4), None, Some(4), Some(4)] {
            let id = rate(db, author, shop, stars).await;
            fours.extend((stars == Some(4)).then_some(id));
        }
        let hidden = fours.remove(1);
        let set = notes::set_visibility(db, author, hidden, Visibility::Hidden).await;
        assert!(set.unwrap());
        fours.reverse();
        assert_eq!(rated(db, shop, 4, 1).await, fours[..2]);
        assert_eq!(rated(db, shop, 4, 2).await, fours[2..]);
        assert_eq!(rated(db, shop, 3, 1).await.len(), 1);
        assert!(rated(db, shop, 5, 1).await.is_empty());
    })
    .await;
}

/// Forty people at once: the shop's row is locked while it is counted.
#[tokio::test]
async fn notes_published_at_once_are_all_counted() {
    on_both(async |test| {
        let db = &test.db;
        let author = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mut crowd = tokio::task::JoinSet::new();
        for turn in 0..40_u8 {
            let db = db.clone();
            crowd.spawn(async move { rate(&db, author, shop, Some(turn % 5 + 1)).await });
        }
        crowd.join_all().await;
        assert_eq!(stars_of(db, shop).await, [8; 5]);
    })
    .await;
}

#[tokio::test]
async fn a_recount_and_a_migration_find_what_no_release_has_counted() {
    on_both(async |test| {
        let db = &test.db;
        let author = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        for stars in [1, 4, 4] {
            rate(db, author, shop, Some(stars)).await;
        }
        let expected = [1, 0, 0, 2, 0];
        let forget = "UPDATE tb_shop SET stars_1 = 7, stars_4 = 0";
        test.execute(forget).await;
        let found = bulk::compare_counters(db, &[CountedTable::Shops]).await;
        let found: Vec<_> = found.unwrap().iter().map(|it| it.counter).collect();
        assert_eq!(found, ["tb_shop.stars_1", "tb_shop.stars_4"]);
        let recounted = bulk::recount(db, &[CountedTable::Shops], Surplus::Keep).await;
        recounted.unwrap();
        assert_eq!(stars_of(db, shop).await, expected);

        test.execute(forget).await;
        test.execute("DELETE FROM seaql_migrations WHERE version = 'm0018_shop_stars'")
            .await;
        let report = db.migrate().await.unwrap();
        assert_eq!(
            report.row_changes,
            ["tb_shop: stars of notes counted for 1 shops"]
        );
        assert_eq!(stars_of(db, shop).await, expected);
    })
    .await;
}

/// A shop with a hundred thousand notes must not read them all for a page, nor for a count.
#[tokio::test]
async fn both_engines_use_the_index_for_the_list_and_for_the_count() {
    on_both(async |test| {
        let author = person(&test, 1).await;
        let shop = create_shop(&test.db, "茶餐厅").await.id;
        let other = create_shop(&test.db, "面馆").await.id;
        for turn in 0..60_u8 {
            let shop = if turn % 3 == 0 { other } else { shop };
            rate(&test.db, author, shop, Some(turn % 5 + 1)).await;
        }
        if test.db.backend() == Backend::MySql {
            test.execute("ANALYZE TABLE tb_blog").await;
        } else {
            test.execute("ANALYZE").await;
        }
        let list = format!(
            "SELECT id, liked, comments FROM tb_blog WHERE shop_id = {shop} AND score = 4 \
             AND status <> 2 ORDER BY id DESC LIMIT 10"
        );
        let plan = plan(&test, &list).await;
        assert!(plan.contains("ix_blog_shop_stars"), "{plan}");
        assert!(
            !plan.contains("filesort") && !plan.contains("TEMP B-TREE"),
            "{plan}"
        );
        let count = format!(
            "SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = {shop} AND b.score = 4 \
             AND b.status <> 2"
        );
        let plan = self::plan(&test, &count).await;
        assert!(plan.contains("ix_blog_shop_stars"), "{plan}");
        let reads_index_alone = plan.contains("Using index") || plan.contains("COVERING INDEX");
        assert!(reads_index_alone, "{plan}");
    })
    .await;
}

/// What the engine says it will do.
async fn plan(test: &TestDb, sql: &str) -> String {
    let (explain, columns): (_, &[&str]) = match test.db.backend() {
        Backend::MySql => ("EXPLAIN", &["key", "Extra"]),
        Backend::Sqlite => ("EXPLAIN QUERY PLAN", &["detail"]),
    };
    let rows = test.query(&format!("{explain} {sql}")).await;
    let line = |row: &QueryResult| {
        let parts = columns.iter().map(|name| {
            let part: Option<String> = row.try_get("", name).unwrap();
            part.unwrap_or_default()
        });
        parts.collect::<Vec<_>>().join(": ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
