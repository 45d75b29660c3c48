//! Favourite shops and their lists: one list a shop, and limits that hold when everything comes at once.

use domain::favourite::{FAVOURITES_MAX, FavouriteListId, LISTS_MAX, ListName, WANT_TO_TRY};
use domain::{ShopId, UserId};
use storage::Db;
use storage::favourites::{self, ListRefusal, SaveRefusal};
use tokio::task::JoinSet;

use crate::support::{create_shop, on_both, person};

fn named(name: &str) -> ListName {
    ListName::parse(name).unwrap()
}

async fn create(db: &Db, user: UserId, name: &str) -> FavouriteListId {
    let created = favourites::create_list(db, user, &named(name)).await;
    created.unwrap().unwrap()
}

async fn save(
    db: &Db,
    user: UserId,
    shop: ShopId,
    list: FavouriteListId,
) -> Result<(), SaveRefusal> {
    favourites::save(db, user, shop, list).await.unwrap()
}

async fn shops_in(db: &Db, user: UserId, list: FavouriteListId) -> Vec<ShopId> {
    let page = favourites::list_page(db, user, list, None, 50).await;
    page.unwrap().into_iter().map(|row| row.shop).collect()
}

/// Name and number of shops of each list.
async fn lists(db: &Db, user: UserId) -> Vec<(Option<String>, u64)> {
    let lists = favourites::list_lists(db, user).await.unwrap();
    lists.into_iter().map(|it| (it.name, it.shops)).collect()
}

#[tokio::test]
async fn a_shop_is_in_one_list_and_moves_between_them() {
    on_both(async |test| {
        let db = &test.db;
        let (me, other) = (person(&test, 1).await, person(&test, 2).await);
        let first = create_shop(db, "茶餐厅").await.id;
        let second = create_shop(db, "面馆").await.id;
        let weekend = create(db, me, "周末").await;
        assert_eq!(save(db, me, first, WANT_TO_TRY).await, Ok(()));
        assert_eq!(save(db, me, second, WANT_TO_TRY).await, Ok(()));
        assert_eq!(save(db, me, first, WANT_TO_TRY).await, Ok(()));
        assert_eq!(shops_in(db, me, WANT_TO_TRY).await, [second, first]);
        assert_eq!(save(db, me, second, weekend).await, Ok(()));
        assert_eq!(shops_in(db, me, WANT_TO_TRY).await, [first]);
        assert_eq!(shops_in(db, me, weekend).await, [second]);
        let expected = [(None, 1), (Some("周末".to_owned()), 1)];
        assert_eq!(lists(db, me).await, expected);
        assert_eq!(lists(db, other).await, [(None, 0)]);
        let of = favourites::get_list_of(db, me, second).await.unwrap();
        assert_eq!(of, Some(weekend));
        assert!(favourites::remove(db, me, second).await.unwrap());
        assert!(!favourites::remove(db, me, second).await.unwrap());
        assert_eq!(favourites::get_list_of(db, me, second).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn what_is_not_there_or_not_ones_own_is_refused() {
    on_both(async |test| {
        let db = &test.db;
        let (me, other) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(db, "茶餐厅").await.id;
        let theirs = create(db, other, "周末").await;
        let no_list = Err(SaveRefusal::NoSuchList);
        assert_eq!(save(db, me, shop, theirs).await, no_list);
        let no_shop = Err(SaveRefusal::NoSuchShop);
        assert_eq!(save(db, me, ShopId::new(999), WANT_TO_TRY).await, no_shop);
        for list in [theirs, WANT_TO_TRY, FavouriteListId::new(999)] {
            let no_list = Err(ListRefusal::NoSuchList);
            let renamed = favourites::rename_list(db, me, list, &named("x")).await;
            assert_eq!(renamed.unwrap(), no_list);
            assert_eq!(
                favourites::delete_list(db, me, list).await.unwrap(),
                no_list
            );
        }
        assert_eq!(lists(db, other).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_deleted_list_leaves_its_shops_and_a_gone_shop_can_still_be_moved() {
    on_both(async |test| {
        let db = &test.db;
        let me = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        let weekend = create(db, me, "周末").await;
        assert_eq!(save(db, me, shop, weekend).await, Ok(()));
        let deleted = favourites::delete_list(db, me, weekend).await;
        assert_eq!(deleted.unwrap(), Ok(()));
        assert_eq!(shops_in(db, me, WANT_TO_TRY).await, [shop]);
        test.execute("DELETE FROM tb_shop").await;
        let dates = create(db, me, "约会").await;
        assert_eq!(save(db, me, shop, dates).await, Ok(()));
        assert_eq!(shops_in(db, me, dates).await, [shop]);
    })
    .await;
}

/// As a repeated request after a lost reply does.
#[tokio::test]
async fn a_name_is_taken_once_and_asking_again_finds_its_list() {
    on_both(async |test| {
        let db = &test.db;
        let me = person(&test, 1).await;
        let mut storm = JoinSet::new();
        for _ in 0..16 {
            let db = db.clone();
            storm.spawn(async move { create(&db, me, "周末").await });
        }
        let mut ids = storm.join_all().await;
        ids.dedup();
        assert_eq!(ids.len(), 1);
        let dates = create(db, me, "dates").await;
        // Not the same name, on either engine.
        let capital = create(db, me, "Dates").await;
        assert_ne!(dates, capital);
        let taken = favourites::rename_list(db, me, dates, &named("周末")).await;
        assert_eq!(taken.unwrap(), Err(ListRefusal::NameTaken));
        for _ in 0..2 {
            let renamed = favourites::rename_list(db, me, dates, &named("约会")).await;
            assert_eq!(renamed.unwrap(), Ok(()));
        }
    })
    .await;
}

#[tokio::test]
async fn the_limits_hold_when_everything_comes_at_once() {
    on_both(async |test| {
        let db = &test.db;
        let me = person(&test, 1).await;
        let mut storm = JoinSet::new();
        for turn in 0..LISTS_MAX + 8 {
            let db = db.clone();
            storm.spawn(async move {
                let name = named(&format!("list {turn}"));
                favourites::create_list(&db, me, &name).await.unwrap()
            });
        }
        let outcomes = storm.join_all().await;
        let refused = outcomes
            .iter()
            .filter(|it| **it == Err(ListRefusal::TooMany));
        assert_eq!(refused.count(), 8);
        assert_eq!(test.count("tb_favourite_list").await, i64::from(LISTS_MAX));

        // All but one of the places are taken; eight want the last.
        let mut shops = Vec::new();
        for turn in 0..8 {
            shops.push(create_shop(db, &format!("店{turn}")).await.id);
        }
        let rows: Vec<String> = (1..FAVOURITES_MAX)
            .map(|id| format!("({me}, {}, 0, '2026-11-18 00:00:00.000')", 1_000_000 + id))
            .collect();
        let columns = "user_id, shop_id, list_id, create_time";
        let fill = format!(
            "INSERT INTO tb_favourite ({columns}) VALUES {}",
            rows.join(", ")
        );
        test.execute(&fill).await;
        let mut storm = JoinSet::new();
        for shop in shops {
            let db = db.clone();
            storm.spawn(async move { save(&db, me, shop, WANT_TO_TRY).await });
        }
        let outcomes = storm.join_all().await;
        let saved = outcomes.iter().filter(|it| it.is_ok()).count();
        assert_eq!(saved, 1, "{outcomes:?}");
        assert_eq!(test.count("tb_favourite").await, i64::from(FAVOURITES_MAX));
    })
    .await;
}

#[tokio::test]
async fn pages_go_on_after_the_cursor() {
    on_both(async |test| {
        let db = &test.db;
        let me = person(&test, 1).await;
        let mut shops = Vec::new();
        for turn in 0..5 {
            let shop = create_shop(db, &format!("店{turn}")).await.id;
            assert_eq!(save(db, me, shop, WANT_TO_TRY).await, Ok(()));
            shops.insert(0, shop);
        }
        let page = async |before| {
            let page = favourites::list_page(db, me, WANT_TO_TRY, before, 3).await;
            page.unwrap()
        };
        let first = page(None).await;
        let second = page(first.last().map(|row| row.cursor)).await;
        let all: Vec<ShopId> = first.iter().chain(&second).map(|row| row.shop).collect();
        assert_eq!((first.len(), all), (3, shops));
    })
    .await;
}
