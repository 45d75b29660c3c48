//! The index of the search: what is written is found, what is gone is not, and no word costs more than its bound.

use std::collections::BTreeSet;

use domain::{Needle, NoteId, ProfileChange, ShopId, UserId};
use storage::notes::{self, NewNote, Visibility};
use storage::search::{self, Backfill, SearchKind, WINDOW_ROWS};
use storage::shops::{self, Principal, ShopChange};
use storage::{Db, users};
use testkit::MariaDb;

use crate::support::{TestDb, create_shop, on_both, person, rows_read};

/// All candidates, the newest first.
async fn candidates(db: &Db, kind: SearchKind, typed: &str) -> Vec<i64> {
    let needle = Needle::parse(typed);
    let plan = search::plan(db, kind, &needle, false).await.unwrap();
    let (mut found, mut before) = (Vec::new(), i64::MAX);
    loop {
        let window = search::find_window(db, &plan, before).await.unwrap();
        found.extend(window.ids);
        let Some(next) = window.next else {
            return found;
        };
        before = next;
    }
}

async fn finds(db: &Db, kind: SearchKind, typed: &str) -> bool {
    !candidates(db, kind, typed).await.is_empty()
}

fn new_note(author: UserId, shop_id: ShopId, title: &str, content: &str) -> NewNote {
    NewNote {
        key: None,
        author,
        shop_id,
        title: title.to_owned(),
        content: content.to_owned(),
        pictures: Vec::new(),
        stars: None,
        mentions: Vec::new(),
        opinion: Default::default(),
    }
}

async fn publish(test: &TestDb, title: &str, content: &str) -> NoteId {
    let shop = create_shop(&test.db, "老王火锅").await.id;
    let author = person(test, 1).await;
    let note = new_note(author, shop, title, content);
    notes::publish(&test.db, &note).await.unwrap().unwrap().id
}

async fn fill(db: &Db, kind: SearchKind) -> u64 {
    let mut rows = 0;
    loop {
        let step = search::index_next(db, kind).await.unwrap();
        rows += step.rows;
        if step.state == Backfill::Done {
            return rows;
        }
    }
}

#[tokio::test]
async fn a_shop_is_found_by_its_name_area_address_and_kind() {
    on_both(async |test| {
        test.execute("INSERT INTO tb_shop_type (id, name, icon, sort) VALUES (1, '美食', '', 1)")
            .await;
        let shop = create_shop(&test.db, "Ｃafe 老王火锅").await.id;
        for typed in [
            "火锅",
            "锅",
            "CAFE",
            "大关",
            "金华路",
            "美食",
            "老王 文华苑",
        ] {
            let found = candidates(&test.db, SearchKind::Shops, typed).await;
            assert_eq!(found, [shop.get()], "{typed}");
        }
        let change = ShopChange {
            name: Some("老王烧烤".to_owned()),
            address: Some("西湖边".to_owned()),
            ..Default::default()
        };
        let changed = shops::update(&test.db, Principal::Admin, shop, &change).await;
        changed.unwrap().unwrap();
        for (typed, is_found) in [
            ("火锅", false),
            ("金华", false),
            ("烧烤", true),
            ("西湖", true),
            ("美食", true),
        ] {
            let found = finds(&test.db, SearchKind::Shops, typed).await;
            assert_eq!(found, is_found, "{typed}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_note_is_found_while_it_is_shown() {
    on_both(async |test| {
        let note = publish(&test, "周末探店", "汤底很鲜<br>服务也好").await;
        let admin = person(&test, 2).await;
        for typed in ["探店", "店", "汤底", "服务也好"] {
            let found = candidates(&test.db, SearchKind::Notes, typed).await;
            assert_eq!(found, [note.get()], "{typed}");
        }
        assert!(!finds(&test.db, SearchKind::Notes, "br").await);
        for (visibility, is_found) in [(Visibility::Hidden, false), (Visibility::Shown, true)] {
            let set = notes::set_visibility(&test.db, admin, note, visibility).await;
            assert!(set.unwrap());
            assert_eq!(finds(&test.db, SearchKind::Notes, "汤底").await, is_found);
        }
        let before = test.count("tb_search_gram WHERE kind = 2").await;
        assert!(before > 0);
        let deleted = notes::delete(&test.db, Principal::Admin, note).await;
        deleted.unwrap().unwrap();
        assert_eq!(test.count("tb_search_gram WHERE kind = 2").await, 0);
    })
    .await;
}

/// Whatever the index says, a hidden note is not read.
#[tokio::test]
async fn rows_of_hidden_notes_and_blocked_people_are_not_read() {
    on_both(async |test| {
        let note = publish(&test, "周末探店", "汤底很鲜").await;
        let me = person(&test, 1).await;
        assert_eq!(
            search::list_notes(&test.db, &[note.get()])
                .await
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            search::list_people(&test.db, &[me.get()])
                .await
                .unwrap()
                .len(),
            1
        );
        test.execute("UPDATE tb_blog SET status = 2").await;
        test.execute("UPDATE tb_user SET status = 1").await;
        assert!(
            search::list_notes(&test.db, &[note.get()])
                .await
                .unwrap()
                .is_empty()
        );
        assert!(
            search::list_people(&test.db, &[me.get()])
                .await
                .unwrap()
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_person_is_found_by_the_present_name() {
    on_both(async |test| {
        let me = person(&test, 7).await;
        assert_eq!(
            candidates(&test.db, SearchKind::People, "person 7").await,
            [me.get()]
        );
        let change = ProfileChange {
            nick_name: Some("可可今天不吃肉".to_owned()),
            ..Default::default()
        };
        users::update_profile(&test.db, me, &change).await.unwrap();
        assert!(!finds(&test.db, SearchKind::People, "person").await);
        assert_eq!(
            candidates(&test.db, SearchKind::People, "可可").await,
            [me.get()]
        );
    })
    .await;
}

#[tokio::test]
async fn what_was_there_before_the_index_is_found_after_filling_it() {
    on_both(async |test| {
        let insert = |id: i64, status: i64| {
            format!(
                "INSERT INTO tb_blog (id, shop_id, user_id, title, images, content, status) \
                 VALUES ({id}, 1, 1, '旧笔记{id}', '', '汤底很鲜', {status})"
            )
        };
        for id in 1..=250 {
            test.execute(&insert(id, if id == 9 { 2 } else { 0 })).await;
        }
        assert!(!finds(&test.db, SearchKind::Notes, "汤底").await);
        // The newest come first, and a restart goes on where the last batch ended.
        let step = search::index_next(&test.db, SearchKind::Notes)
            .await
            .unwrap();
        assert_eq!((step.rows, step.state), (100, Backfill::Below(151)));
        assert!(finds(&test.db, SearchKind::Notes, "旧笔记250").await);
        assert!(!finds(&test.db, SearchKind::Notes, "旧笔记99").await);
        assert_eq!(fill(&test.db, SearchKind::Notes).await, 150);
        let all: Vec<i64> = (1..=250).rev().filter(|id| *id != 9).collect();
        assert_eq!(candidates(&test.db, SearchKind::Notes, "汤底").await, all);
        assert_eq!(fill(&test.db, SearchKind::Notes).await, 0, "it is done");

        search::restart(&test.db, SearchKind::Notes).await.unwrap();
        assert_eq!(fill(&test.db, SearchKind::Notes).await, 250);
    })
    .await;
}

/// Two processes index at once, and a note changes under them.
#[tokio::test]
async fn two_fillers_at_once_miss_nothing() {
    on_both(async |test| {
        for id in 1..=300 {
            let insert = format!("INSERT INTO tb_user (id, nick_name) VALUES ({id}, '老朋友{id}')");
            test.execute(&insert).await;
        }
        for id in 1..=300 {
            let insert = format!(
                "INSERT INTO tb_blog (id, shop_id, user_id, title, images, content) \
                 VALUES ({id}, 1, {id}, '旧笔记', '', '汤底很鲜')"
            );
            test.execute(&insert).await;
        }
        let (a, b) = tokio::join!(
            fill(&test.db, SearchKind::Notes),
            fill(&test.db, SearchKind::Notes)
        );
        assert_eq!(a + b, 300);
        let found = candidates(&test.db, SearchKind::Notes, "汤底").await;
        assert_eq!(found.len(), 300);
        assert_eq!(fill(&test.db, SearchKind::People).await, 300);
        let found = candidates(&test.db, SearchKind::People, "老朋友299").await;
        assert!(found.contains(&299));
    })
    .await;
}

#[tokio::test]
async fn windows_cover_all_candidates_once() {
    on_both(async |test| {
        let rows: Vec<String> = (1..=1_000)
            .map(|id| {
                format!(
                    "(2, '的店', {id}), (2, '{}', {id})",
                    if id % 7 == 0 { "火锅" } else { "烧烤" }
                )
            })
            .collect();
        let insert = "INSERT INTO tb_search_gram (kind, gram, row_id) VALUES ";
        test.execute(&format!("{insert}{}", rows.join(", "))).await;
        let all = candidates(&test.db, SearchKind::Notes, "的店").await;
        assert_eq!(all, (1..=1_000).rev().collect::<Vec<i64>>());
        let both = candidates(&test.db, SearchKind::Notes, "的店 火锅").await;
        let expected: BTreeSet<i64> = (1..=1_000).filter(|id| id % 7 == 0).collect();
        assert_eq!(both, expected.into_iter().rev().collect::<Vec<_>>());
        let needle = Needle::parse("的店");
        let plan = search::plan(&test.db, SearchKind::Notes, &needle, false)
            .await
            .unwrap();
        let window = search::find_window(&test.db, &plan, i64::MAX)
            .await
            .unwrap();
        assert_eq!(window.ids.len(), WINDOW_ROWS);
    })
    .await;
}

/// Weighing twelve grams, two walks over a window, and a look-up in it for each of two more grams.
const MOST_ROWS: u64 = 12 * 301 + 4 * (WINDOW_ROWS as u64 + 1) + 50;

/// A server of its own, because it counts for all of its databases.
#[tokio::test]
async fn mariadb_reads_a_bounded_number_of_rows_for_a_word_that_is_everywhere() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let test = TestDb::open_url(database.url()).await;
    test.db.migrate().await.unwrap();
    for gram in ["的", "的店", "店的", "好吃", "吃的"] {
        test.execute(&format!(
            "INSERT INTO tb_search_gram (kind, gram, row_id) \
             SELECT 2, '{gram}', CAST(seq AS SIGNED) FROM seq_1_to_50000"
        ))
        .await;
    }
    test.execute("ANALYZE TABLE tb_search_gram").await;
    for typed in ["的", "的店", "的店的", "好吃的店的"] {
        let needle = Needle::parse(typed);
        let before = rows_read(&server).await;
        let plan = search::plan(&test.db, SearchKind::Notes, &needle, false).await;
        let window = search::find_window(&test.db, &plan.unwrap(), i64::MAX).await;
        let read = rows_read(&server).await - before;
        assert_eq!(window.unwrap().ids.len(), WINDOW_ROWS, "{typed}");
        assert!(read <= MOST_ROWS, "{read} rows for {typed}");
    }
}
