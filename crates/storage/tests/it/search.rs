//! Finding shops by name: the same answers on both databases, whatever the needle is made of.

use domain::{ShopId, ShopTypeId};
use jiff::Timestamp;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use storage::bulk::{self, ShopRow};
use storage::shops::{self, Principal, ShopChange};
use storage::{Db, DbOptions};
use testkit::MariaDb;

use crate::support::{TestDb, create_shop, on_both};

async fn search(db: &Db, text: &str) -> Vec<String> {
    let found = shops::search_by_name(db, text, 1, 100).await.unwrap();
    found.into_iter().map(|shop| shop.name).collect()
}

fn row(id: i64, name: &str) -> ShopRow {
    ShopRow {
        id: ShopId::new(id),
        name: name.to_owned(),
        type_id: ShopTypeId::new(1),
        images: String::new(),
        area: None,
        address: String::new(),
        x: 120.0,
        y: 30.0,
        avg_price_yuan: None,
        score: 0,
        open_hours: None,
        phone: None,
        owner_id: None,
        created_at: Timestamp::UNIX_EPOCH,
    }
}

async fn insert(db: &Db, names: &[&str]) {
    let rows: Vec<ShopRow> = (1..).zip(names).map(|(id, name)| row(id, name)).collect();
    bulk::insert_shops(db, &rows).await.unwrap();
}

#[tokio::test]
async fn chinese_names_are_found_by_any_part() {
    on_both(async |test| {
        let (pot, tea) = ("海底捞火锅(水晶城店)", "103茶餐厅");
        insert(&test.db, &[pot, tea, "锅火"]).await;
        for part in ["火锅", "火", "捞火锅", "海底捞火锅(水晶城店)", "店)", "锅("]
        {
            let found = search(&test.db, part).await;
            assert!(found.contains(&pot.to_owned()), "{part}: {found:?}");
            assert!(!found.contains(&tea.to_owned()), "{part}: {found:?}");
        }
        assert_eq!(search(&test.db, "火锅").await, [pot]);
        assert_eq!(search(&test.db, "茶餐厅").await, [tea]);
        assert!(search(&test.db, "茶厅").await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn wildcards_and_quotes_are_letters_like_any_other() {
    on_both(async |test| {
        let names = [
            "100%好吃",
            "100元",
            "a_b",
            "axb",
            "it's",
            "a\\b",
            "a!b",
            "\"x\"",
            "a;--",
        ];
        insert(&test.db, &names).await;
        for (needle, expected) in [
            ("%", "100%好吃"),
            ("0%", "100%好吃"),
            ("_", "a_b"),
            ("a_b", "a_b"),
            ("'", "it's"),
            ("t's", "it's"),
            ("\\", "a\\b"),
            ("a\\b", "a\\b"),
            ("!", "a!b"),
            ("a!", "a!b"),
            ("\"x", "\"x\""),
            (";--", "a;--"),
        ] {
            assert_eq!(search(&test.db, needle).await, [expected], "{needle}");
        }
    })
    .await;
}

#[tokio::test]
async fn case_does_not_matter_in_any_alphabet_and_accents_do() {
    on_both(async |test| {
        insert(&test.db, &["KTV星聚会", "CAFÉ Жук", "Cafe"]).await;
        assert_eq!(search(&test.db, "ktv").await, ["KTV星聚会"]);
        assert_eq!(search(&test.db, "Tv星").await, ["KTV星聚会"]);
        assert_eq!(search(&test.db, "café").await, ["CAFÉ Жук"]);
        assert_eq!(search(&test.db, "жУК").await, ["CAFÉ Жук"]);
        assert_eq!(search(&test.db, "cafe").await, ["Cafe"]);
    })
    .await;
}

#[tokio::test]
async fn an_empty_query_finds_everything_and_too_long_a_one_nothing() {
    on_both(async |test| {
        insert(&test.db, &["b", "a", "c"]).await;
        assert_eq!(search(&test.db, "").await, ["b", "a", "c"]);
        let longest = "好".repeat(128);
        bulk::insert_shops(&test.db, &[row(9, &longest)])
            .await
            .unwrap();
        assert_eq!(search(&test.db, &longest).await, [longest.as_str()]);
        assert!(search(&test.db, &"好".repeat(129)).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn pages_follow_the_ids_without_gap_or_repeat() {
    on_both(async |test| {
        let names: Vec<String> = (0..25).map(|n| format!("咖啡{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        insert(&test.db, &names).await;
        for needle in ["咖啡", "咖", ""] {
            let mut ids = Vec::new();
            for page in 1..=4 {
                let found = shops::search_by_name(&test.db, needle, page, 10).await;
                ids.extend(found.unwrap().iter().map(|shop| shop.id.get()));
            }
            assert_eq!(ids, (1..=25).collect::<Vec<_>>(), "{needle}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_renamed_shop_is_found_by_its_new_name_alone() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "老王火锅").await;
        let change = ShopChange {
            name: Some("老王烧烤".to_owned()),
            ..Default::default()
        };
        let update = shops::update(&test.db, Principal::Admin, shop.id, &change).await;
        update.unwrap().unwrap();
        assert_eq!(search(&test.db, "烧烤").await, ["老王烧烤"]);
        assert_eq!(search(&test.db, "老王").await, ["老王烧烤"]);
        assert!(search(&test.db, "火锅").await.is_empty());
        let grams = test
            .texts("SELECT gram FROM tb_shop_gram ORDER BY gram")
            .await;
        assert_eq!(grams.len(), 4 + 3, "{grams:?}");
    })
    .await;
}

#[tokio::test]
async fn names_that_were_written_past_us_are_found_after_indexing() {
    on_both(async |test| {
        let insert = "INSERT INTO tb_shop (name, type_id, images, address, x, y) \
            VALUES ('老店火锅', 1, '', '', 1, 2)";
        test.execute(insert).await;
        shops::index_names(&test.db).await.unwrap();
        assert_eq!(search(&test.db, "火锅").await, ["老店火锅"]);
        shops::index_names(&test.db).await.unwrap();
        assert_eq!(test.count("tb_shop_gram").await, 4 + 3);
    })
    .await;
}

#[tokio::test]
async fn shops_that_were_there_before_the_index_are_found() {
    on_both(async |test| {
        let names: Vec<String> = (0..4_500).map(|n| format!("老店{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        insert(&test.db, &names).await;
        test.execute("DROP TABLE tb_shop_gram").await;
        test.execute("DELETE FROM seaql_migrations WHERE version LIKE 'm0002%'")
            .await;
        test.db.migrate().await.unwrap();
        assert_eq!(search(&test.db, "店4499").await, ["老店4499"]);
    })
    .await;
}

/// Names and needles of few letters, so that they often meet, against the plainest search there is.
#[tokio::test]
async fn the_answer_is_that_of_a_plain_search() {
    on_both(async |test| {
        const LETTERS: [char; 13] = [
            'a', 'A', 'b', '%', '_', '!', '\\', ' ', '火', '锅', 'é', 'É', '😀',
        ];
        let mut random = SmallRng::seed_from_u64(20_261_115);
        let mut text = |longest: usize| -> String {
            let length = random.random_range(1..=longest);
            (0..length)
                .map(|_| LETTERS[random.random_range(0..LETTERS.len())])
                .collect()
        };
        let names: Vec<String> = (0..300).map(|_| text(12)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        insert(&test.db, &names).await;
        for _ in 0..300 {
            let needle = text(4);
            let plain: Vec<&str> = plain_search(&names, &needle);
            let found = search(&test.db, &needle).await;
            assert_eq!(found, plain[..plain.len().min(100)], "{needle:?}");
        }
    })
    .await;
}

fn plain_search<'n>(names: &[&'n str], needle: &str) -> Vec<&'n str> {
    let needle = needle.to_lowercase();
    let has_it = |name: &&&str| name.to_lowercase().contains(&needle);
    names.iter().filter(has_it).copied().collect()
}

#[tokio::test]
async fn a_page_costs_the_same_queries_however_many_shops_it_has() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let test = TestDb::open_url(database.url()).await;
    test.db.migrate().await.unwrap();
    let names: Vec<String> = (0..60).map(|n| format!("火锅店{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    insert(&test.db, &names).await;

    let db = Db::connect(&DbOptions::new(database.url())).await.unwrap();
    let selects = async || server.execute("SHOW GLOBAL STATUS LIKE 'Com_select'").await;
    let count = async || {
        let line = selects().await;
        line.trim()
            .rsplit('\t')
            .next()
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    for size in [1, 50] {
        let before = count().await;
        let found = shops::search_by_name(&db, "火锅店", 1, size).await.unwrap();
        assert_eq!(found.len(), size as usize);
        shops::list_of_type(&db, ShopTypeId::new(1), 1, size)
            .await
            .unwrap();
        let ids: Vec<ShopId> = found.iter().map(|shop| shop.id).collect();
        shops::get_many_for_fill(&db, &ids).await.unwrap();
        // Two for the search, which first weighs what it looks for.
        assert_eq!(count().await - before, 4);
    }
}
