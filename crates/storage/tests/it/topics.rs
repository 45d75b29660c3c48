//! Topics: a note is under those of its text while it is shown, and counts follow, also when everything comes at once.

use domain::{NoteId, ShopId, Topic, UserId};
use storage::notes::{self, NewNote, NoteEdit, Visibility};
use storage::shops::Principal;
use storage::topics::{self, CountedTopic};
use storage::{Db, bulk};
use testkit::MariaDb;
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person, rows_read};

fn new_note(author: UserId, shop_id: ShopId, content: &str) -> NewNote {
    NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: content.to_owned(),
        pictures: Vec::new(),
        stars: None,
        mentions: Vec::new(),
        opinion: Default::default(),
        key: None,
    }
}

async fn publish(db: &Db, author: UserId, shop: ShopId, content: &str) -> NoteId {
    let new = new_note(author, shop, content);
    notes::publish(db, &new).await.unwrap().unwrap().id
}

async fn edit(db: &Db, author: UserId, id: NoteId, edits_before: u32, content: &str) {
    let edit = NoteEdit {
        author,
        id,
        edits_before,
        title: "好吃".to_owned(),
        content: content.to_owned(),
        addresses: Vec::new(),
        stars: None,
        mentions: Vec::new(),
        opinion: Default::default(),
    };
    notes::edit(db, &edit).await.unwrap().unwrap();
}

fn topic(name: &str) -> Topic {
    Topic::parse(name).unwrap()
}

async fn listed(db: &Db, name: &str) -> Vec<NoteId> {
    let page = topics::list_notes(db, None, &topic(name), None, 50).await;
    page.unwrap()
}

/// The number of notes that a topic says it has.
async fn count(db: &Db, name: &str) -> u64 {
    let found = topics::get(db, &topic(name)).await.unwrap();
    found.map_or(0, |it| it.notes())
}

async fn suggested(db: &Db, prefix: &str) -> Vec<(String, u64)> {
    let found = topics::suggest(db, prefix, 8).await.unwrap();
    let pair = |it: CountedTopic| (it.notes(), it.name);
    let pairs = found.into_iter().map(pair);
    pairs.map(|(notes, name)| (name, notes)).collect()
}

/// Counts are those of the rows, and no topic is without notes.
async fn assert_counts(test: &TestDb) {
    let wrong = test
        .query(
            "SELECT topic FROM tb_topic WHERE notes <> \
             (SELECT COUNT(*) FROM tb_blog_topic t WHERE t.topic = tb_topic.topic) OR notes <= 0",
        )
        .await;
    assert_eq!(wrong.len(), 0);
    let counted = test.count("tb_topic").await;
    let there = test
        .query("SELECT DISTINCT topic FROM tb_blog_topic")
        .await
        .len();
    assert_eq!(counted, i64::try_from(there).unwrap());
}

#[tokio::test]
async fn a_note_is_under_its_topics_while_it_is_shown() {
    on_both(async |test| {
        let db = &test.db;
        let (me, admin) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(db, "茶餐厅").await.id;
        let first = publish(db, me, shop, "#西湖夜宵# 去 #KTV").await;
        let second = publish(db, me, shop, "也去<br>#西湖夜宵#").await;
        publish(db, me, shop, "没有").await;
        assert_eq!(listed(db, "西湖夜宵").await, [second, first]);
        assert_eq!(
            (count(db, "西湖夜宵").await, count(db, "ｋｔｖ").await),
            (2, 1)
        );
        assert_eq!(listed(db, "Ktv").await, [first]);
        let below = topics::list_notes(db, None, &topic("西湖夜宵"), Some(second), 1).await;
        assert_eq!(below.unwrap(), [first]);

        edit(db, me, first, 0, "#ktv# 和 #早茶#").await;
        assert_eq!(listed(db, "西湖夜宵").await, [second]);
        assert_eq!((count(db, "KTV").await, count(db, "早茶").await), (1, 1));
        let texts = notes::get_texts_for_fill(db, &[first]).await.unwrap();
        assert_eq!(texts[0].topics.len(), 2);
        assert!(
            texts[0].topics.contains(&"ktv".to_owned()),
            "as it is written"
        );

        let set = async |visibility| notes::set_visibility(db, admin, first, visibility).await;
        set(Visibility::Hidden).await.unwrap();
        assert_eq!(
            (listed(db, "早茶").await, count(db, "早茶").await),
            (vec![], 0)
        );
        set(Visibility::Shown).await.unwrap();
        assert_eq!(
            (listed(db, "早茶").await, count(db, "早茶").await),
            (vec![first], 1)
        );
        set(Visibility::Hidden).await.unwrap();
        notes::delete(db, Principal::Admin, first)
            .await
            .unwrap()
            .unwrap();
        notes::delete(db, Principal::Owner(me), second)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(test.count("tb_topic").await, 0);
        assert_eq!(test.count("tb_blog_topic").await, 0);
    })
    .await;
}

#[tokio::test]
async fn topics_are_suggested_by_their_beginning_those_of_most_notes_first() {
    on_both(async |test| {
        let db = &test.db;
        let me = person(&test, 1).await;
        let shop = create_shop(db, "茶餐厅").await.id;
        for content in [
            "#西湖#",
            "#西湖夜宵#",
            "#西湖夜宵#",
            "#Coffee time#",
            "#西溪#",
        ] {
            publish(db, me, shop, content).await;
        }
        let of = |name: &str, notes| (name.to_owned(), notes);
        assert_eq!(
            suggested(db, "西湖").await,
            [of("西湖夜宵", 2), of("西湖", 1)]
        );
        assert_eq!(suggested(db, "coffee t").await, [of("Coffee time", 1)]);
        assert_eq!(suggested(db, "西湖夜宵店").await, []);
        assert_eq!(suggested(db, "").await[0], of("西湖夜宵", 2));
        assert_eq!(suggested(db, "").await.len(), 4);
        assert_eq!(topics::suggest(db, "", 1).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn counts_are_right_when_many_write_about_the_same_topics_at_once() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let mut shops = Vec::new();
        for name in ["茶餐厅", "面馆"] {
            shops.push(create_shop(&test.db, name).await.id);
        }
        let mut crowd = JoinSet::new();
        for place in 0..24 {
            let (db, shop) = (test.db.clone(), shops[place % 2]);
            crowd.spawn(async move {
                let texts = ["#甲# #乙# #丙#", "#丙# #乙# #甲#", "#乙# #丁#"];
                let note = publish(&db, me, shop, texts[place % 3]).await;
                match place % 4 {
                    0 => edit(&db, me, note, 0, "#丁# #甲#").await,
                    1 => {
                        let deleted = notes::delete(&db, Principal::Owner(me), note).await;
                        deleted.unwrap().unwrap();
                    }
                    _ => {}
                }
            });
        }
        crowd.join_all().await;
        assert_counts(&test).await;
        assert!(count(&test.db, "甲").await > 0);
    })
    .await;
}

#[tokio::test]
async fn a_note_that_is_written_in_bulk_twice_counts_once() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let row = bulk::NoteRow {
            id: NoteId::new(77),
            shop_id: ShopId::new(1),
            user_id: me,
            title: "好吃".to_owned(),
            images: String::new(),
            content: "#西湖夜宵#".to_owned(),
            score: None,
            opinion: Default::default(),
            created_at: jiff::Timestamp::UNIX_EPOCH,
        };
        for _ in 0..2 {
            bulk::insert_notes(&test.db, std::slice::from_ref(&row))
                .await
                .unwrap();
        }
        assert_eq!(count(&test.db, "西湖夜宵").await, 1);
        assert_counts(&test).await;
    })
    .await;
}

/// A server of its own, because it counts for all of its databases. SQLite's plan is in `topics.rs`.
#[tokio::test]
async fn mariadb_reads_a_page_of_a_topic_and_not_all_its_notes() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let test = TestDb::open_url(database.url()).await;
    test.db.migrate().await.unwrap();
    test.execute(
        "INSERT INTO tb_blog_topic (topic, blog_id, name) \
         SELECT 'a', CAST(seq AS SIGNED), 'a' FROM seq_1_to_5000",
    )
    .await;
    test.execute(
        "INSERT INTO tb_topic (topic, name, notes) \
         SELECT CONCAT('t', LPAD(seq, 5, '0')), 't', seq % 9 + 1 FROM seq_1_to_5000",
    )
    .await;
    test.execute("ANALYZE TABLE tb_blog_topic, tb_topic").await;
    let before = rows_read(&server).await;
    let page = topics::list_notes(&test.db, None, &topic("a"), Some(NoteId::new(2_000)), 10).await;
    let read = rows_read(&server).await - before;
    assert_eq!(page.unwrap().len(), 10);
    assert!(read <= 60, "{read} rows for a page");
    for prefix in ["", "t01"] {
        let before = rows_read(&server).await;
        assert_eq!(topics::suggest(&test.db, prefix, 8).await.unwrap().len(), 8);
        let read = rows_read(&server).await - before;
        assert!(read <= 900, "{read} rows for {prefix:?}");
    }
}
