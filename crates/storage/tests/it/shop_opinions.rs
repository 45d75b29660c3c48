//! Ratings by aspect and recommended dishes: whatever becomes of the notes, the shop's numbers are those of its visible notes.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Aspects, Dish, NoteId, Opinion, RatingSum, Ratings, ShopId, UserId};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sea_orm::QueryResult;
use storage::bulk::{self, CountedTable, Surplus};
use storage::notes::{self, NewNote, NoteEdit, RecommendedDish, Visibility};
use storage::shops::{self, Principal};
use storage::{Backend, Db};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

fn opinion(ratings: [Option<u8>; 3], dishes: &[&str]) -> Opinion {
    let [main, surroundings, service] = ratings;
    Opinion {
        ratings: Aspects {
            main,
            surroundings,
            service,
        },
        dishes: dishes
            .iter()
            .map(|name| Dish::parse(name).unwrap())
            .collect(),
    }
}

async fn publish(db: &Db, author: UserId, shop: ShopId, opinion: Opinion) -> NoteId {
    let new = NewNote {
        author,
        shop_id: shop,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars: Some(4),
        opinion,
        mentions: Vec::new(),
        key: None,
    };
    notes::publish(db, &new).await.unwrap().unwrap().id
}

async fn edit(db: &Db, author: UserId, id: NoteId, edits_before: u32, opinion: Opinion) {
    let edit = NoteEdit {
        author,
        id,
        edits_before,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        addresses: vec![String::new()],
        stars: Some(4),
        opinion,
        mentions: Vec::new(),
    };
    notes::edit(db, &edit).await.unwrap().unwrap();
}

async fn set(db: &Db, id: NoteId, visibility: Visibility) {
    let set = notes::set_visibility(db, UserId::new(99), id, visibility).await;
    assert!(set.unwrap());
}

async fn delete(db: &Db, id: NoteId) {
    let deleted = notes::delete(db, Principal::Admin, id).await;
    deleted.unwrap().unwrap();
}

/// Sum and number of each aspect.
async fn sums(db: &Db, shop: ShopId) -> [(u32, u32); 3] {
    let shop = shops::get_for_fill(db, shop).await.unwrap().unwrap();
    let pair = |RatingSum { sum, count }| (sum, count);
    shop.ratings.into_array().map(pair)
}

async fn dishes(db: &Db, shop: ShopId) -> Vec<(String, u32)> {
    let list = notes::list_dishes(db, shop, 10).await.unwrap();
    let pair = |RecommendedDish { name, people }| (name, people);
    list.into_iter().map(pair).collect()
}

async fn notes_of(db: &Db, shop: ShopId, dish: &str, page: u32) -> Vec<NoteId> {
    let dish = Dish::parse(dish).unwrap();
    let list = notes::list_of_dish(db, None, shop, &dish, page, 2).await;
    list.unwrap().into_iter().map(|note| note.id).collect()
}

fn counted(list: &[(&str, u32)]) -> Vec<(String, u32)> {
    let owned = |(name, people): &(&str, u32)| ((*name).to_owned(), *people);
    list.iter().map(owned).collect()
}

#[tokio::test]
async fn ratings_count_while_their_note_is_shown_and_as_it_was_last_edited() {
    on_both(async |test| {
        let db = &test.db;
        let author = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        let other = create_shop(db, "面馆").await.id;
        assert_eq!(sums(db, shop).await, [(0, 0); 3]);
        let one = publish(db, author, shop, opinion([Some(5), Some(4), None], &[])).await;
        let two = publish(db, author, shop, opinion([Some(2), None, None], &[])).await;
        publish(db, author, shop, Opinion::default()).await;
        publish(db, author, other, opinion([Some(1); 3], &[])).await;
        assert_eq!(sums(db, shop).await, [(7, 2), (4, 1), (0, 0)]);

        edit(db, author, one, 0, opinion([Some(3), None, Some(5)], &[])).await;
        assert_eq!(sums(db, shop).await, [(5, 2), (0, 0), (5, 1)]);
        let texts = notes::get_texts_for_fill(db, &[one]).await.unwrap();
        let said = texts[0].opinion.ratings.into_array();
        assert_eq!(said, [Some(3), None, Some(5)]);

        set(db, one, Visibility::Hidden).await;
        set(db, one, Visibility::Hidden).await;
        assert_eq!(sums(db, shop).await, [(2, 1), (0, 0), (0, 0)]);
        set(db, one, Visibility::Shown).await;
        assert_eq!(sums(db, shop).await, [(5, 2), (0, 0), (5, 1)]);
        set(db, one, Visibility::Hidden).await;
        delete(db, one).await;
        assert_eq!(sums(db, shop).await, [(2, 1), (0, 0), (0, 0)]);
        delete(db, two).await;
        assert_eq!(sums(db, shop).await, [(0, 0); 3]);
        assert_eq!(sums(db, other).await, [(1, 1); 3]);
    })
    .await;
}

#[tokio::test]
async fn a_report_hides_nothing_and_its_note_counts_on() {
    on_both(async |test| {
        let db = &test.db;
        let (author, reader) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(db, "茶餐厅").await.id;
        let id = publish(db, author, shop, opinion([Some(5); 3], &["片儿川"])).await;
        assert!(notes::report(db, reader, id, "广告").await.unwrap());
        set(db, id, Visibility::Shown).await;
        assert_eq!(sums(db, shop).await, [(5, 1); 3]);
        assert!(notes::report(db, author, id, "广告").await.unwrap());
        set(db, id, Visibility::Hidden).await;
        assert_eq!(sums(db, shop).await, [(0, 0); 3]);
        assert_eq!(dishes(db, shop).await, []);
    })
    .await;
}

#[tokio::test]
async fn a_person_counts_once_for_a_dish_however_often_it_is_spelled() {
    on_both(async |test| {
        let db = &test.db;
        let (ann, bob) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(db, "茶餐厅").await.id;
        let other = create_shop(db, "面馆").await.id;
        let none = [None; 3];
        let first = publish(db, ann, shop, opinion(none, &["Latte", "片儿川"])).await;
        let second = publish(db, ann, shop, opinion(none, &["ＬＡＴＴＥ!"])).await;
        publish(db, bob, shop, opinion(none, &["latte"])).await;
        publish(db, bob, other, opinion(none, &["片儿川"])).await;
        assert_eq!(
            dishes(db, shop).await,
            counted(&[("Latte", 2), ("片儿川", 1)])
        );
        delete(db, first).await;
        let left = dishes(db, shop).await;
        assert_eq!(left, counted(&[("ＬＡＴＴＥ!", 2)]), "the next spelling");
        edit(db, ann, second, 0, opinion(none, &["酸梅汤"])).await;
        assert_eq!(
            dishes(db, shop).await,
            counted(&[("酸梅汤", 1), ("latte", 1)])
        );
        let texts = notes::get_texts_for_fill(db, &[second]).await.unwrap();
        assert_eq!(texts[0].opinion, opinion(none, &["酸梅汤"]));
        assert_eq!(dishes(db, other).await, counted(&[("片儿川", 1)]));
    })
    .await;
}

#[tokio::test]
async fn the_notes_of_a_dish_are_listed_newest_first_and_hidden_ones_are_not() {
    on_both(async |test| {
        let db = &test.db;
        let author = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mut of_dish = Vec::new();
        for turn in 0..8 {
            let name = if turn % 2 == 0 { "片儿川" } else { "拌面" };
            let id = publish(db, author, shop, opinion([None; 3], &[name])).await;
            of_dish.extend((turn % 2 == 0).then_some(id));
        }
        let hidden = of_dish.remove(1);
        set(db, hidden, Visibility::Hidden).await;
        of_dish.reverse();
        assert_eq!(notes_of(db, shop, "片儿川", 1).await, of_dish[..2]);
        assert_eq!(notes_of(db, shop, "片 儿 川。", 2).await, of_dish[2..]);
        assert_eq!(notes_of(db, shop, "小笼包", 1).await, []);
        set(db, hidden, Visibility::Shown).await;
        assert!(notes_of(db, shop, "片儿川", 2).await.contains(&hidden));
    })
    .await;
}

/// Two notes of each of twelve people at once, then everything but one note of each is gone at once.
#[tokio::test]
async fn whoever_writes_and_deletes_at_once_is_counted() {
    on_both(async |test| {
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mut crowd = JoinSet::new();
        for turn in 0..24_u32 {
            let (db, author) = (db.clone(), UserId::new(i64::from(turn % 12) + 1));
            let said = opinion([Some(4), Some(2), None], &["片儿川", "酸梅汤"]);
            crowd.spawn(async move { (author, publish(&db, author, shop, said).await) });
        }
        let written = crowd.join_all().await;
        assert_eq!(sums(db, shop).await, [(96, 24), (48, 24), (0, 0)]);
        let both = dishes(db, shop).await;
        assert_eq!(both.iter().map(|(_, people)| *people).max(), Some(12));
        assert_eq!(both.iter().map(|(_, people)| *people).min(), Some(12));

        let mut kept = BTreeSet::new();
        let mut crowd = JoinSet::new();
        for (author, note) in written {
            let db = db.clone();
            if kept.insert(author) {
                let said = opinion([Some(1), None, Some(5)], &["片儿川"]);
                crowd.spawn(async move { edit(&db, author, note, 0, said).await });
            } else if author.get() % 2 == 0 {
                crowd.spawn(async move { delete(&db, note).await });
            } else {
                crowd.spawn(async move { set(&db, note, Visibility::Hidden).await });
            }
        }
        crowd.join_all().await;
        assert_eq!(sums(db, shop).await, [(12, 12), (0, 0), (60, 12)]);
        assert_eq!(dishes(db, shop).await, counted(&[("片儿川", 12)]));
    })
    .await;
}

#[tokio::test]
async fn a_refused_note_leaves_nothing_behind() {
    on_both(async |test| {
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let new = NewNote {
            author: UserId::new(1),
            shop_id: shop,
            title: "好吃".to_owned(),
            content: "下次再来".to_owned(),
            pictures: vec!["/blogs/1/1/nobodys.webp".to_owned()],
            stars: Some(4),
            opinion: opinion([Some(5); 3], &["片儿川"]),
            mentions: Vec::new(),
            key: None,
        };
        assert!(notes::publish(db, &new).await.unwrap().is_err());
        assert_eq!(sums(db, shop).await, [(0, 0); 3]);
        assert_eq!(test.count("tb_blog_dish").await, 0);
        assert_eq!(test.count("tb_shop_dish").await, 0);
    })
    .await;
}

/// A note as the model has it.
struct Written {
    shop: usize,
    author: UserId,
    edits: u32,
    is_shown: bool,
    opinion: Opinion,
}

const NAMES: [&str; 6] = ["片儿川", "Latte", "LATTE", "拌面", "酸梅汤", "7up"];

fn any_opinion(chance: &mut StdRng) -> Opinion {
    let mut rating = || chance.random_bool(0.6).then(|| chance.random_range(1..=5));
    let ratings: Ratings = Aspects {
        main: rating(),
        surroundings: rating(),
        service: rating(),
    };
    let mut dishes: Vec<Dish> = Vec::new();
    for _ in 0..chance.random_range(0..4) {
        let dish = Dish::parse(NAMES[chance.random_range(0..NAMES.len())]).unwrap();
        if dishes.iter().all(|known| known.key() != dish.key()) {
            dishes.push(dish);
        }
    }
    Opinion { ratings, dishes }
}

/// One step of what people and moderators do.
async fn step(
    db: &Db,
    shops: &[ShopId],
    notes: &mut BTreeMap<NoteId, Written>,
    chance: &mut StdRng,
) {
    let among: Vec<NoteId> = notes.keys().copied().collect();
    let action = chance.random_range(0..10);
    if among.is_empty() || action < 4 {
        let shop = chance.random_range(0..shops.len());
        let author = UserId::new(chance.random_range(1..=3));
        let opinion = any_opinion(chance);
        let id = publish(db, author, shops[shop], opinion.clone()).await;
        let written = Written {
            shop,
            author,
            edits: 0,
            is_shown: true,
            opinion,
        };
        notes.insert(id, written);
        return;
    }
    let id = among[chance.random_range(0..among.len())];
    let note = notes.get_mut(&id).unwrap();
    match action {
        4..7 if note.is_shown => {
            let said = any_opinion(chance);
            // What is said already is no edit.
            let is_new = said != note.opinion;
            edit(db, note.author, id, note.edits, said.clone()).await;
            note.edits += u32::from(is_new);
            note.opinion = said;
        }
        7 => {
            delete(db, id).await;
            notes.remove(&id);
        }
        _ => {
            note.is_shown = !note.is_shown;
            let visibility = match note.is_shown {
                true => Visibility::Shown,
                false => Visibility::Hidden,
            };
            set(db, id, visibility).await;
        }
    }
}

async fn assert_counted(db: &Db, shop: ShopId, notes: &[&Written], seed: u64) {
    let mut expected = [(0, 0); 3];
    let mut people: BTreeMap<String, BTreeSet<UserId>> = BTreeMap::new();
    for note in notes {
        let ratings = note.opinion.ratings.into_array();
        for (rating, (sum, count)) in ratings.iter().zip(&mut expected) {
            *sum += u32::from(rating.unwrap_or(0));
            *count += u32::from(rating.is_some());
        }
        for dish in &note.opinion.dishes {
            people.entry(dish.key()).or_default().insert(note.author);
        }
    }
    assert_eq!(sums(db, shop).await, expected, "seed {seed}");
    let found: BTreeMap<String, u32> = dishes(db, shop)
        .await
        .into_iter()
        .map(|(name, people)| (Dish::parse(&name).unwrap().key(), people))
        .collect();
    let expected = people
        .into_iter()
        .map(|(key, people)| (key, u32::try_from(people.len()).unwrap()))
        .collect();
    assert_eq!(found, expected, "seed {seed}");
}

#[tokio::test]
async fn in_whatever_order_things_happen_the_numbers_are_those_of_the_visible_notes() {
    on_both(async |test| {
        let db = &test.db;
        for seed in 0..3 {
            let mut chance = StdRng::seed_from_u64(seed);
            let mut shops = Vec::new();
            for name in ["茶餐厅", "面馆"] {
                shops.push(create_shop(db, name).await.id);
            }
            let mut notes = BTreeMap::new();
            for _ in 0..40 {
                step(db, &shops, &mut notes, &mut chance).await;
            }
            let check = async || {
                for (at, shop) in shops.iter().enumerate() {
                    let shown = notes
                        .values()
                        .filter(|note| note.shop == at && note.is_shown);
                    let shown: Vec<&Written> = shown.collect();
                    assert_counted(db, *shop, &shown, seed).await;
                }
            };
            check().await;
            let found = bulk::compare_counters(db, &[CountedTable::Shops]).await;
            assert_eq!(found.unwrap(), [], "seed {seed}");
            let recounted = bulk::recount(db, &[CountedTable::Shops], Surplus::Keep).await;
            recounted.unwrap();
            check().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_recount_repairs_what_somebody_changed_by_hand() {
    on_both(async |test| {
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let (ann, bob) = (UserId::new(1), UserId::new(2));
        let said = opinion([Some(5), None, Some(3)], &["片儿川", "拌面"]);
        publish(db, ann, shop, said.clone()).await;
        let gone = publish(db, bob, shop, said).await;
        for sql in [
            &format!("DELETE FROM tb_blog WHERE id = {gone}"),
            "UPDATE tb_shop SET rating_main_sum = 77, rating_service_count = 0",
            "UPDATE tb_shop_dish SET people = 9 WHERE dish = '拌面'",
        ] {
            test.execute(sql).await;
        }
        let found = bulk::compare_counters(db, &[CountedTable::Shops]).await;
        let found: Vec<_> = found.unwrap().iter().map(|it| it.counter).collect();
        let of_ratings: Vec<_> = found.iter().filter(|it| it.contains("rating")).collect();
        assert_eq!(
            of_ratings,
            [
                &"tb_shop.rating_main_sum",
                &"tb_shop.rating_main_count",
                &"tb_shop.rating_service_sum",
                &"tb_shop.rating_service_count"
            ]
        );
        let recounted = bulk::recount(db, &[CountedTable::Shops], Surplus::Keep).await;
        recounted.unwrap();
        assert_eq!(sums(db, shop).await, [(5, 1), (0, 0), (3, 1)]);
        let mut found = dishes(db, shop).await;
        found.sort();
        assert_eq!(found, counted(&[("拌面", 1), ("片儿川", 1)]));
        assert_eq!(test.count("tb_blog_dish").await, 2);
    })
    .await;
}

/// A shop with a hundred thousand notes must not read them all for its dishes, nor for the notes of one.
#[tokio::test]
async fn both_engines_use_the_keys_for_the_dishes_and_for_their_notes() {
    on_both(async |test| {
        let (shop, other) = (
            create_shop(&test.db, "茶餐厅").await.id,
            create_shop(&test.db, "面馆").await.id,
        );
        for turn in 0..60_i64 {
            let shop = if turn % 3 == 0 { other } else { shop };
            let names = [format!("菜{}", turn % 7), format!("汤{turn}")];
            let said = opinion([None; 3], &[&names[0], &names[1]]);
            publish(&test.db, UserId::new(turn % 11 + 1), shop, said).await;
        }
        if test.db.backend() == Backend::MySql {
            test.execute("ANALYZE TABLE tb_blog, tb_blog_dish, tb_shop_dish")
                .await;
        } else {
            test.execute("ANALYZE").await;
        }
        let top = format!(
            "SELECT dish, people FROM tb_shop_dish WHERE shop_id = {shop} \
             ORDER BY people DESC, dish DESC LIMIT 10"
        );
        let of_dish = format!(
            "SELECT d.blog_id FROM tb_blog_dish d JOIN tb_blog b ON b.id = d.blog_id \
             WHERE d.shop_id = {shop} AND d.dish = '菜4' AND b.status <> 2 \
             ORDER BY d.blog_id DESC LIMIT 10"
        );
        for sql in [top, of_dish] {
            let plan = plan(&test, &sql).await;
            let sorts = ["filesort", "TEMP B-TREE", "temporary"];
            assert!(!sorts.iter().any(|sort| plan.contains(sort)), "{plan}");
            assert!(!plan.contains("SCAN"), "{plan}");
        }
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
