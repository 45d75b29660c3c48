//! Many who read their feeds at once: few queries, everybody's own notes, and nothing older than the question.

use std::time::Duration;

use storage::notes::{self, Visibility};
use testkit::{Client, MariaDb, Redis, TestApp, unique_prefix, wait_until};
use tokio::task::JoinSet;

use super::cost::queries;
use super::{NoteRow, PAGE, THEN_MS, newest_first, page, row, store};
use crate::flash::people;
use crate::follows::{follow, person};

/// Readers at once, each with an author of their own.
const READERS: u32 = 64;
/// Four that run at once and two that take the rest, 500 notes each; and a few that the process asks by itself.
const MOST_QUERIES: u64 = 10;
/// For a busy machine.
const PATIENCE_MS: u64 = 60_000;
const PATIENCE: Duration = Duration::from_millis(PATIENCE_MS);

/// A reader, and the first page of their feed.
struct Reader {
    client: Client,
    first_page: Vec<i64>,
}

/// Everybody has read their feed once, so that Redis and the process know what they can.
async fn readers(app: &TestApp, count: u32) -> Vec<Reader> {
    let mut readers = Vec::new();
    for (number, client) in (0..).zip(people(app, count).await) {
        let author = person(app, number).await;
        let rows: Vec<NoteRow> = (0..12).map(|n| row(author, THEN_MS + n)).collect();
        store(app, &rows).await;
        follow(&client, author).await;
        let mut first_page = newest_first(rows);
        first_page.truncate(PAGE);
        let (shown, _) = page(&client, "").await.unwrap();
        assert_eq!(shown, first_page);
        readers.push(Reader { client, first_page });
    }
    readers
}

/// Asks for every reader's page, all at once.
fn ask_all(readers: &[Reader]) -> JoinSet<(Vec<i64>, Vec<i64>)> {
    let mut asked = JoinSet::new();
    for Reader { client, first_page } in readers {
        let (client, expected) = (client.clone(), first_page.clone());
        asked.spawn(async move { (page(&client, "").await.unwrap().0, expected) });
    }
    asked
}

#[tokio::test]
async fn sixty_four_who_read_at_once_share_a_few_queries_and_get_their_own_notes() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    let (database, prefix) = (mariadb.create_database().await, unique_prefix());
    let app = TestApp::builder()
        .sql_url(database.url())
        .redis_url(redis.url())
        .setting("redis.prefix", &prefix)
        .setting("database.query_timeout_ms", PATIENCE_MS)
        .setting("database.acquire_timeout_ms", PATIENCE_MS)
        .without_workers()
        .spawn()
        .await;
    let readers = readers(&app, READERS).await;
    let before = queries(&mariadb).await;
    let likes_read = async || redis.commands().await.of("hmget");
    let likes_before = likes_read().await;
    mariadb.freeze().await;
    let asked = ask_all(&readers);
    // A page asks for its notes, and then for the reader's likes of them while it waits.
    wait_until("everybody waits for SQL", PATIENCE, || async {
        likes_read().await >= likes_before + u64::from(READERS)
    })
    .await;
    mariadb.thaw();
    for (shown, expected) in asked.join_all().await {
        assert_eq!(shown, expected);
    }
    let asked = queries(&mariadb).await - before;
    assert!(asked <= MOST_QUERIES, "{asked} queries for {READERS} pages");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_hidden_or_shown_before_a_page_is_asked_for_is_so_on_it_in_a_crowd() {
    // The relay takes a hidden note out of the feeds, and a moment later puts it back: what SQL says is looked at here.
    let app = TestApp::builder().without_workers().spawn().await;
    let mut readers = readers(&app, 8).await;
    let watcher = readers.pop().unwrap();
    let mut crowd: JoinSet<()> = JoinSet::new();
    for Reader { client, .. } in readers {
        crowd.spawn(async move {
            loop {
                page(&client, "").await;
            }
        });
    }
    let note = watcher.first_page[0];
    let db = app.core().db();
    let moderator = person(&app, 900).await;
    for round in 0..50 {
        for visibility in [Visibility::Hidden, Visibility::Shown] {
            let set = notes::set_visibility(db, moderator, note.into(), visibility).await;
            assert!(set.unwrap());
            let (shown, _) = page(&watcher.client, "").await.unwrap();
            let is_there = shown.contains(&note);
            assert_eq!(is_there, visibility == Visibility::Shown, "round {round}");
        }
    }
    crowd.shutdown().await;
}
