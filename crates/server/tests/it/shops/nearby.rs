//! Lists of a type: order, distance, radius, sorting and paging.

use domain::{NoteId, ShopId, UserId};
use jiff::Timestamp;
use serde_json::Value;
use storage::bulk::{self, NoteRow};
use testkit::{Client, MariaDb, Redis, TestApp};

use super::{
    FOOD, HERE, KTV, add_shops, add_types, all_pages, around, ids, list, shop_row, site, sites,
};

/// The food of the original, where it is, and how far Redis says that is from here.
const ORIGINAL: [(i64, (f64, f64), f64); 9] = [
    (2, (120.151505, 30.333422), 170.4498),
    (9, (120.150598, 30.325251), 1000.3119),
    (8, (120.150526, 30.325231), 1002.1991),
    (3, (120.151954, 30.32497), 1046.9829),
    (6, (120.148603, 30.318618), 1741.5767),
    (1, (120.149192, 30.316078), 2020.3992),
    (4, (120.146659, 30.312742), 2411.2913),
    (7, (120.124691, 30.336819), 2445.912),
    (5, (120.15778, 30.310633), 2728.8993),
];

/// Written down here on its own, by the formula of the books, to judge the site's.
fn haversine_metres(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (longitude1, latitude1) = (from.0.to_radians(), from.1.to_radians());
    let (longitude2, latitude2) = (to.0.to_radians(), to.1.to_radians());
    let a = ((latitude2 - latitude1) / 2.0).sin().powi(2)
        + latitude1.cos() * latitude2.cos() * ((longitude2 - longitude1) / 2.0).sin().powi(2);
    2.0 * 6_372_797.560_856 * a.sqrt().atan2((1.0 - a).sqrt())
}

fn distances(shops: &[Value]) -> Vec<f64> {
    let metres = shops.iter().map(|shop| shop["distance"].as_f64().unwrap());
    metres.collect()
}

async fn add_original(app: &TestApp) {
    let rows = ORIGINAL.map(|(id, place, _)| shop_row(id, FOOD, place));
    add_shops(app, &rows).await;
}

/// A place so many metres north of here.
fn north(metres: f64) -> (f64, f64) {
    (HERE.0, HERE.1 + metres / 111_226.3)
}

#[tokio::test]
async fn the_fixed_position_of_the_original_finds_its_shops_in_order_with_their_distances() {
    for app in sites().await {
        add_original(&app).await;
        let visitor = app.visitor();
        let first = list(&visitor, &around(FOOD, "&current=1")).await;
        assert_eq!(ids(&first), [2, 9, 8, 3, 6]);
        let second = list(&visitor, &around(FOOD, "&current=2")).await;
        assert_eq!(ids(&second), [1, 4, 7, 5]);
        assert!(list(&visitor, &around(FOOD, "&current=3")).await.is_empty());
        let found = distances(&first).into_iter().chain(distances(&second));
        for (found, (id, place, by_redis)) in found.zip(ORIGINAL) {
            assert_eq!(found, by_redis, "shop {id}");
            let exact = haversine_metres(HERE, place);
            assert!(
                (found - exact).abs() < 1.0,
                "shop {id}: {found} but {exact}"
            );
        }
    }
}

#[tokio::test]
async fn shops_that_are_equally_far_are_each_on_one_page() {
    let app = site().await;
    let mut rows: Vec<_> = (1..=23)
        .map(|id| shop_row(id, FOOD, north(100.0)))
        .collect();
    rows.extend((24..=40).map(|id| shop_row(id, FOOD, north(id as f64 * 10.0))));
    add_shops(&app, &rows).await;
    let all = all_pages(&app.visitor(), &around(FOOD, "")).await;
    assert_eq!(ids(&all), (1..=40).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_radius_bounds_the_list() {
    let app = site().await;
    let rows = [100.0, 4_990.0, 5_010.0, 49_900.0, 50_100.0];
    let rows: Vec<_> = (1..)
        .zip(rows)
        .map(|(id, metres)| shop_row(id, FOOD, north(metres)))
        .collect();
    add_shops(&app, &rows).await;
    let visitor = app.visitor();
    assert_eq!(ids(&list(&visitor, &around(FOOD, "")).await), [1, 2]);
    assert_eq!(
        ids(&list(&visitor, &around(FOOD, "&radius=200")).await),
        [1]
    );
    let widest = list(&visitor, &around(FOOD, "&radius=50000")).await;
    assert_eq!(ids(&widest), [1, 2, 3, 4]);
}

/// Notes give shops comments and scores.
async fn add_notes(app: &TestApp, scores_by_shop: &[(i64, &[i16])]) {
    let scores = scores_by_shop
        .iter()
        .flat_map(|(shop, scores)| scores.iter().map(move |score| (*shop, *score)));
    let note = |(id, (shop, score)): (i64, (i64, i16))| NoteRow {
        id: NoteId::new(id),
        shop_id: ShopId::new(shop),
        user_id: UserId::new(1),
        title: "好吃".to_owned(),
        images: String::new(),
        content: "好吃".to_owned(),
        score: Some(score),
        opinion: Default::default(),
        created_at: Timestamp::now(),
    };
    let rows: Vec<NoteRow> = (1..).zip(scores).map(note).collect();
    bulk::insert_notes(app.core().db(), &rows).await.unwrap();
    bulk::recount(
        app.core().db(),
        &bulk::CountedTable::ALL,
        bulk::Surplus::Drop,
    )
    .await
    .unwrap();
}

#[tokio::test]
async fn shops_within_reach_are_sorted_as_requested_and_equals_by_id() {
    for app in sites().await {
        let mut rows: Vec<_> = (1..=7)
            .map(|id| shop_row(id, FOOD, north(id as f64 * 100.0)))
            .collect();
        for (row, price) in
            rows.iter_mut()
                .zip([None, Some(80), Some(30), Some(80), None, Some(5), Some(30)])
        {
            row.avg_price_yuan = price;
        }
        rows.push(shop_row(8, FOOD, north(6_000.0)));
        add_shops(&app, &rows).await;
        add_notes(&app, &[(3, &[5, 5]), (5, &[4]), (6, &[3, 3, 3]), (8, &[5])]).await;
        let visitor = app.visitor();
        let sorted = async |by: &str| ids(&all_pages(&visitor, &around(FOOD, by)).await);
        assert_eq!(sorted("&sortBy=comments").await, [6, 3, 5, 1, 2, 4, 7]);
        assert_eq!(sorted("&sortBy=score").await, [3, 5, 6, 1, 2, 4, 7]);
        assert_eq!(sorted("&sortBy=price").await, [6, 3, 7, 2, 4, 1, 5]);
        for nearest in ["&sortBy=distance", "&sortBy=", ""] {
            assert_eq!(sorted(nearest).await, [1, 2, 3, 4, 5, 6, 7]);
        }
        let scored = list(&visitor, &around(FOOD, "&sortBy=score")).await;
        assert_eq!(
            (&scored[0]["score"], &scored[0]["comments"]),
            (&50.into(), &2.into())
        );
        assert!(scored.iter().all(|shop| shop["distance"].is_number()));
    }
}

#[tokio::test]
async fn without_a_position_shops_come_by_id_and_without_distance() {
    for app in sites().await {
        add_original(&app).await;
        let visitor = app.visitor();
        // The second and third are what clients of the original send, who drop a coordinate that is zero.
        for query in ["typeId=1", "&typeId=1&current=1", "&typeId=1&x=120.1"] {
            let shops = list(&visitor, query).await;
            assert_eq!(ids(&shops), [1, 2, 3, 4, 5], "{query}");
            assert!(shops.iter().all(|shop| shop.get("distance").is_none()));
        }
        assert_eq!(
            ids(&list(&visitor, "typeId=1&current=2").await),
            [6, 7, 8, 9]
        );
        assert!(list(&visitor, "typeId=1&current=3").await.is_empty());
        assert!(list(&visitor, "typeId=2").await.is_empty());
    }
}

#[tokio::test]
async fn pages_before_the_first_are_the_first_and_after_the_last_are_empty() {
    let app = site().await;
    add_original(&app).await;
    let visitor = app.visitor();
    for query in [around(FOOD, ""), "typeId=1".to_owned()] {
        let first = list(&visitor, &query).await;
        for current in ["0", "-1", "-9223372036854775808"] {
            let page = list(&visitor, &format!("{query}&current={current}")).await;
            assert_eq!(page, first, "{current}");
        }
        for current in ["200", "201", "4294967296", "9223372036854775807"] {
            let page = list(&visitor, &format!("{query}&current={current}")).await;
            assert!(page.is_empty(), "{current}");
        }
    }
}

#[tokio::test]
async fn a_list_reaches_the_thousand_nearest_and_no_further() {
    let app = site().await;
    let rows: Vec<_> = (1..=1_010)
        .map(|id| shop_row(id, FOOD, north(id as f64)))
        .collect();
    add_shops(&app, &rows).await;
    let visitor = app.visitor();
    assert_eq!(
        ids(&list(&visitor, &around(FOOD, "&current=200")).await),
        [996, 997, 998, 999, 1_000]
    );
    for sort in ["", "&sortBy=score"] {
        assert!(
            list(&visitor, &around(FOOD, &format!("&current=201{sort}")))
                .await
                .is_empty()
        );
    }
}

#[tokio::test]
async fn what_cannot_be_understood_is_refused_with_the_place_named() {
    let app = site().await;
    let visitor = app.visitor();
    let cases = [
        ("typeId=1&x=180.5&y=30", "x"),
        ("typeId=1&x=120&y=-86", "y"),
        ("typeId=1&x=NaN&y=30", "x"),
        ("typeId=1&x=120&y=inf", "y"),
        ("typeId=1&x=120&y=30&radius=0", "radius"),
        ("typeId=1&x=120&y=30&radius=50001", "radius"),
        ("typeId=1&x=120&y=30&radius=-1", "radius"),
        ("typeId=1&size=0", "size"),
        ("typeId=1&x=120&y=30&size=51", "size"),
        ("typeId=1&x=120&y=30&sortBy=name", "query"),
        ("typeId=1&x=east&y=30", "query"),
        ("typeId=1&current=first", "query"),
        ("typeId=food", "query"),
        ("current=1", "query"),
    ];
    for (query, place) in cases {
        let answer = visitor.get(&format!("/api/shop/of/type?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(answer.code(), "malformed");
        assert!(
            answer.json()["fields"][place].is_string(),
            "{query}: {}",
            answer.text
        );
    }
}

#[tokio::test]
async fn a_page_has_the_requested_size() {
    for app in sites().await {
        add_original(&app).await;
        let visitor = app.visitor();
        let first = list(&visitor, &around(FOOD, "&size=7")).await;
        assert_eq!(ids(&first), [2, 9, 8, 3, 6, 1, 4]);
        let second = list(&visitor, &around(FOOD, "&size=7&current=2")).await;
        assert_eq!(ids(&second), [7, 5]);
        let best = list(&visitor, &around(FOOD, "&size=50&sortBy=score")).await;
        assert_eq!(best.len(), 9);
        let by_id = list(&visitor, &format!("typeId={FOOD}&size=4&current=2")).await;
        assert_eq!(ids(&by_id), [5, 6, 7, 8]);
    }
}

async fn map(client: &Client, more: &str) -> Vec<Value> {
    let (x, y) = HERE;
    let path = format!("/api/shop/around?x={x}&y={y}{more}");
    client
        .get(&path)
        .await
        .data()
        .as_array()
        .expect("a list")
        .clone()
}

#[tokio::test]
async fn a_map_shows_the_nearest_of_all_kinds_or_of_one() {
    for app in sites().await {
        add_original(&app).await;
        let karaoke = [(20, north(500.0)), (21, north(5_500.0))];
        let karaoke = karaoke.map(|(id, place)| shop_row(id, KTV, place));
        add_shops(&app, &karaoke).await;
        let visitor = app.visitor();
        let all = map(&visitor, "").await;
        assert_eq!(ids(&all), [2, 20, 9, 8, 3, 6, 1, 4, 7, 5]);
        let sorted = distances(&all);
        assert!(sorted.is_sorted(), "{sorted:?}");
        assert_eq!(ids(&map(&visitor, "&radius=800").await), [2, 20]);
        let one_kind = map(&visitor, &format!("&radius=6000&typeId={KTV}")).await;
        assert_eq!(ids(&one_kind), [20, 21]);
        assert!(map(&visitor, "&typeId=999").await.is_empty());
        let unclear = visitor.get("/api/shop/around?x=181&y=0").await;
        assert!(unclear.json()["fields"]["x"].is_string());
    }
}

#[tokio::test]
async fn a_map_holds_no_more_than_it_can_show() {
    let app = site().await;
    let rows = (1..=150).flat_map(|id| {
        let place = north(10.0 * id as f64);
        [shop_row(id, FOOD, place), shop_row(1_000 + id, KTV, place)]
    });
    add_shops(&app, &rows.collect::<Vec<_>>()).await;
    let mut shown = ids(&map(&app.visitor(), "").await);
    // Two at one position are equally far only if the same index returned both.
    shown.sort_unstable();
    let nearest = (1..=100).chain(1_001..=1_100);
    assert_eq!(shown, nearest.collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_type_that_nobody_knows_is_empty_and_leaves_nothing_in_redis() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    add_types(&app).await;
    assert!(list(&app.visitor(), &around(999, "")).await.is_empty());
    assert!(list(&app.visitor(), &around(KTV, "")).await.is_empty());
    let pattern = format!("{}shop:geo:*", app.prefix());
    let mut connection = redis.connection().await;
    let keys: Vec<String> = redis::cmd("KEYS")
        .arg(pattern)
        .query_async(&mut connection)
        .await
        .unwrap();
    assert_eq!(keys, [format!("{}shop:geo:{{{KTV}}}:ready", app.prefix())]);
}

/// How often rows of shops were read so far; others of the site's workers read other tables meanwhile.
async fn queries(mariadb: &MariaDb) -> u64 {
    let counted = "SELECT COUNT(*) FROM mysql.general_log WHERE command_type IN ('Execute', 'Query') \
        AND user_host NOT LIKE '%localhost%' AND argument LIKE '%FROM `tb_shop` %'";
    mariadb.execute(counted).await.trim().parse().unwrap()
}

#[tokio::test]
async fn a_page_costs_one_search_and_one_query_however_many_shops_there_are() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    let database = mariadb.create_database().await;
    // The outbox and the filters would look into SQL in between.
    let app = TestApp::builder()
        .sql_url(database.url())
        .redis_url(redis.url())
        .without_workers()
        .spawn()
        .await;
    add_types(&app).await;
    let rows: Vec<_> = (1..=500)
        .map(|id| shop_row(id, FOOD, north(id as f64)))
        .collect();
    add_shops(&app, &rows).await;
    mariadb
        .execute("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1")
        .await;
    let visitor = app.visitor();
    list(&visitor, &around(FOOD, "")).await;
    for page in [2, 50] {
        let (commands, selects) = (redis.commands().await, queries(&mariadb).await);
        let page = around(FOOD, &format!("&current={page}"));
        assert_eq!(list(&visitor, &page).await.len(), 5);
        let spent = redis.commands().await.since(&commands);
        assert_eq!(spent.of("GEOSEARCH"), 1, "{spent:?}");
        assert_eq!(
            queries(&mariadb).await - selects,
            1,
            "one query for five rows"
        );
        assert_eq!(list(&visitor, &page).await.len(), 5);
        assert_eq!(queries(&mariadb).await - selects, 1, "none the second time");
    }
}
