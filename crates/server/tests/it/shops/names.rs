//! Shops by name: every character stands for itself.

use testkit::Client;

use super::{FOOD, HERE, add_shops, ids, shop_row, site, sites};

async fn search(client: &Client, name: &str, current: u32) -> Vec<i64> {
    let query = serde_urlencoded::to_string([("name", name), ("current", &current.to_string())]);
    let found = client
        .get(&format!("/api/shop/of/name?{}", query.unwrap()))
        .await;
    ids(found.data().as_array().unwrap())
}

#[tokio::test]
async fn a_part_of_the_name_finds_the_shop_and_wildcards_are_letters() {
    let names = [
        "103茶餐厅",
        "蔡馬洪涛烤肉·老北京铜锅涮羊肉",
        "Mamala(杭州远洋乐堤港店)",
        "100%果汁",
        "snake_case 咖啡",
        "Ann's \"Tea\" \\ House",
        "老北京炸酱面",
    ];
    for app in sites().await {
        let mut rows: Vec<_> = (1..=7).map(|id| shop_row(id, FOOD, HERE)).collect();
        for (row, name) in rows.iter_mut().zip(names) {
            row.name = name.to_owned();
        }
        add_shops(&app, &rows).await;
        let visitor = app.visitor();
        let cases: [(&str, &[i64]); 16] = [
            ("茶餐厅", &[1]),
            ("老北京", &[2, 7]),
            ("茶", &[1]),
            ("mamala", &[3]),
            ("MAMALA(杭州", &[3]),
            ("%", &[4]),
            ("0%果", &[4]),
            ("_", &[5]),
            ("e_c", &[5]),
            ("'", &[6]),
            ("\"tea\"", &[6]),
            ("\\", &[6]),
            ("果_", &[]),
            ("没有这家", &[]),
            ("  茶餐厅 ", &[1]),
            ("", &[1, 2, 3, 4, 5, 6, 7]),
        ];
        for (name, found) in cases {
            assert_eq!(search(&visitor, name, 1).await, found, "{name:?}");
        }
        let all = visitor.get("/api/shop/of/name?&current=1").await.data();
        assert_eq!(all.as_array().unwrap().len(), 7);
    }
}

#[tokio::test]
async fn a_search_with_a_position_returns_distances() {
    let app = site().await;
    // The first shop of the original and its distance as Redis has it, which is not kept to the last metre.
    let rows = [shop_row(2, FOOD, (120.151505, 30.333422))];
    add_shops(&app, &rows).await;
    let visitor = app.visitor();
    let (x, y) = HERE;
    let query = format!("/api/shop/of/name?name=店铺&x={x}&y={y}");
    let near = visitor.get(&query).await.data()[0]["distance"].as_f64();
    assert!((near.unwrap() - 170.4498).abs() < 1.0, "{near:?}");
    let anywhere = visitor.get("/api/shop/of/name?name=店铺&x=1").await.data();
    assert!(anywhere[0].get("distance").is_none());
    let nowhere = visitor.get("/api/shop/of/name?x=1&y=91").await;
    assert!(nowhere.json()["fields"]["y"].is_string());
}

#[tokio::test]
async fn names_come_ten_a_page_by_id() {
    for app in sites().await {
        let rows: Vec<_> = (1..=23).map(|id| shop_row(id, FOOD, HERE)).collect();
        add_shops(&app, &rows).await;
        let visitor = app.visitor();
        for name in ["店铺", ""] {
            assert_eq!(
                search(&visitor, name, 0).await,
                (1..=10).collect::<Vec<_>>()
            );
            assert_eq!(
                search(&visitor, name, 2).await,
                (11..=20).collect::<Vec<_>>()
            );
            assert_eq!(search(&visitor, name, 3).await, [21, 22, 23]);
            assert_eq!(search(&visitor, name, 4).await, [0; 0]);
            assert_eq!(search(&visitor, name, u32::MAX).await, [0; 0]);
        }
        let long = "店".repeat(100_000);
        assert_eq!(
            visitor
                .get(&format!("/api/shop/of/name?name={}", &long[..6_000]))
                .await
                .status,
            200
        );
    }
}
