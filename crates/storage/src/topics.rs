//! Topics of notes: `tb_blog_topic` has the topics of every note that is shown, `tb_topic` how many notes each has.
//!
//! Both are written in the transaction of the note, which holds the note's lock. A transaction changes topics in the order of
//! their keys and after the shop of its note, so that two of them never wait for each other. A topic without notes has no row.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::topic::topics_of;
use domain::{NoteId, Topic, UserId};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::db::DatabaseTransaction;
use crate::sql::{IDS_PER_QUERY, Merge, execute, placeholders, statement, upsert};
use crate::{Backend, Db, Error, MAX_PAGE_ROWS};

/// A topic, as it was first written, and how many notes have it.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct CountedTopic {
    pub name: String,
    notes: i32,
}

/// Topics that a suggestion looks at: the first of the prefix by their key. They are ranked by their notes.
const WINDOW: u32 = 200;

impl CountedTopic {
    pub fn notes(&self) -> u64 {
        u64::from(self.notes.unsigned_abs())
    }
}

/// `None` if no note has it.
pub async fn get(db: &Db, topic: &Topic) -> Result<Option<CountedTopic>, Error> {
    let sql = "SELECT name, notes FROM tb_topic WHERE topic = ?";
    let find = statement(db.reader(), sql, [topic.key().into()]);
    let find = CountedTopic::find_by_statement(find).one(db.reader());
    db.run("get topic", find).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) notes of a topic below `before`, newest first, without those of people whom the
/// reader blocks.
pub async fn list_notes(
    db: &Db,
    reader: Option<UserId>,
    topic: &Topic,
    before: Option<NoteId>,
    limit: u32,
) -> Result<Vec<NoteId>, Error> {
    let before = before.map_or(i64::MAX, NoteId::get);
    let limit = limit.min(MAX_PAGE_ROWS);
    let list = async {
        let first: [Value; 2] = [topic.key().into(), before.into()];
        let blocking = reader.map(|reader| Value::from(reader.get()));
        let values = first.into_iter().chain(blocking).chain([limit.into()]);
        let rows = statement(db.reader(), notes_of_topic(reader), values);
        let rows = db.reader().query_all_raw(rows).await?;
        let ids = rows.iter().map(|row| row.try_get("", "blog_id"));
        ids.map(|id| id.map(NoteId::new)).collect()
    };
    db.run("list notes of topic", list).await
}

/// Topics whose key begins with the prefix, those of most notes first; without a prefix those of most notes at all.
pub async fn suggest(db: &Db, prefix: &str, limit: u32) -> Result<Vec<CountedTopic>, Error> {
    let limit = limit.min(MAX_PAGE_ROWS);
    let find = match prefix {
        "" => statement(db.reader(), MOST_NOTES, [limit.into()]),
        _ => {
            let end = format!("{prefix}{}", char::MAX);
            let values: [Value; 4] = [prefix.into(), end.into(), WINDOW.into(), limit.into()];
            statement(db.reader(), OF_PREFIX, values)
        }
    };
    let find = CountedTopic::find_by_statement(find).all(db.reader());
    db.run("suggest topics", find).await
}

/// A guest blocks nobody.
const fn notes_of_topic(reader: Option<UserId>) -> &'static str {
    match reader {
        None => NOTES_OF_TOPIC,
        Some(_) => WANTED_NOTES_OF_TOPIC,
    }
}

const NOTES_OF_TOPIC: &str = "SELECT blog_id FROM tb_blog_topic \
    WHERE topic = ? AND blog_id < ? ORDER BY blog_id DESC LIMIT ?";
const WANTED_NOTES_OF_TOPIC: &str = "SELECT blog_id FROM tb_blog_topic \
    WHERE topic = ? AND blog_id < ? AND NOT EXISTS (SELECT 1 FROM tb_blog b \
        JOIN tb_block k ON k.blocked_user_id = b.user_id \
        WHERE b.id = tb_blog_topic.blog_id AND k.user_id = ?) \
    ORDER BY blog_id DESC LIMIT ?";
const MOST_NOTES: &str = "SELECT name, notes FROM tb_topic ORDER BY notes DESC LIMIT ?";
const OF_PREFIX: &str = "SELECT name, notes FROM (SELECT topic, name, notes FROM tb_topic \
        WHERE topic >= ? AND topic < ? ORDER BY topic LIMIT ?) AS found \
    ORDER BY notes DESC, topic LIMIT ?";

/// A note as it is to be found.
pub(crate) enum TopicsOf<'t> {
    Shown {
        content: &'t str,
    },
    /// Hidden or deleted: it is under no topic.
    Gone,
}

#[derive(FromQueryResult)]
struct TopicRow {
    blog_id: i64,
    topic: String,
    name: String,
}

/// As their texts have them; nothing of notes that are not shown.
pub(crate) async fn names_of_notes(
    connection: &impl ConnectionTrait,
    notes: &[i64],
) -> Result<HashMap<i64, Vec<String>>, DbErr> {
    let mut found: HashMap<i64, Vec<String>> = HashMap::new();
    for chunk in notes.chunks(IDS_PER_QUERY) {
        for row in read(connection, chunk).await? {
            found.entry(row.blog_id).or_default().push(row.name);
        }
    }
    Ok(found)
}

/// As [`replace`] for one of many notes that are written at once: nothing is read for a text without topics. A repeated
/// insert finds the rows of the first one.
pub(crate) async fn write_new(
    transaction: &DatabaseTransaction,
    note: i64,
    content: &str,
) -> Result<(), DbErr> {
    match topics_of(content).is_empty() {
        true => Ok(()),
        false => replace(transaction, note, TopicsOf::Shown { content }).await,
    }
}

/// Puts the note under the topics that it has, and under no other.
pub(crate) async fn replace(
    transaction: &DatabaseTransaction,
    note: i64,
    text: TopicsOf<'_>,
) -> Result<(), DbErr> {
    let wanted = match text {
        TopicsOf::Shown { content } => topics_of(content),
        TopicsOf::Gone => Vec::new(),
    };
    let before = read(transaction, &[note]).await?;
    let had: BTreeMap<&str, &str> = before.iter().map(|row| (&*row.topic, &*row.name)).collect();
    let has: BTreeMap<&str, &str> = wanted.iter().map(|it| (it.key(), it.name())).collect();
    let keys: BTreeSet<&str> = had.keys().chain(has.keys()).copied().collect();
    for key in keys {
        match (had.get(key), has.get(key)) {
            (None, Some(name)) => add(transaction, note, key, name).await?,
            (Some(_), None) => remove(transaction, note, key).await?,
            (Some(before), Some(name)) if before != name => {
                let update = "UPDATE tb_blog_topic SET name = ? WHERE topic = ? AND blog_id = ?";
                let values: [Value; 3] = [(*name).into(), key.into(), note.into()];
                execute(transaction, update, values).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

async fn add(
    transaction: &DatabaseTransaction,
    note: i64,
    key: &str,
    name: &str,
) -> Result<(), DbErr> {
    let tail = upsert(Backend::of(transaction), "topic", &[("notes", Merge::Add)]);
    let count = format!("INSERT INTO tb_topic (topic, name, notes) VALUES (?, ?, 1) {tail}");
    execute(transaction, count, [key.into(), name.into()]).await?;
    let insert = "INSERT INTO tb_blog_topic (topic, blog_id, name) VALUES (?, ?, ?)";
    let values: [Value; 3] = [key.into(), note.into(), name.into()];
    execute(transaction, insert, values).await?;
    Ok(())
}

async fn remove(transaction: &DatabaseTransaction, note: i64, key: &str) -> Result<(), DbErr> {
    // The count first: its lock is the one that all writers of a topic take first.
    let count = "UPDATE tb_topic SET notes = notes - 1 WHERE topic = ?";
    execute(transaction, count, [key.into()]).await?;
    let delete = "DELETE FROM tb_blog_topic WHERE topic = ? AND blog_id = ?";
    execute(transaction, delete, [key.into(), note.into()]).await?;
    let empty = "DELETE FROM tb_topic WHERE topic = ? AND notes <= 0";
    execute(transaction, empty, [key.into()]).await?;
    Ok(())
}

async fn read(connection: &impl ConnectionTrait, notes: &[i64]) -> Result<Vec<TopicRow>, DbErr> {
    let sql = format!(
        "SELECT blog_id, topic, name FROM tb_blog_topic \
         WHERE blog_id IN ({})",
        placeholders(notes.len())
    );
    let values = notes.iter().map(|id| Value::from(*id));
    TopicRow::find_by_statement(statement(connection, sql, values))
        .all(connection)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DbOptions;

    async fn steps(db: &Db, sql: &str, values: Vec<Value>) -> Vec<String> {
        let explain = statement(db.reader(), format!("EXPLAIN QUERY PLAN {sql}"), values);
        let rows = db.reader().query_all_raw(explain).await.unwrap();
        let detail = |row: &sea_orm::QueryResult| row.try_get("", "detail").unwrap();
        rows.iter().map(detail).collect()
    }

    /// MariaDB's rows are counted in `tests/it/topics.rs`.
    #[tokio::test]
    async fn sqlite_walks_ranges_of_keys() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("plan.db").display());
        let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
        db.migrate().await.unwrap();
        let values: Vec<Value> = vec!["a".into(), 9.into(), 1.into()];
        let page = steps(&db, NOTES_OF_TOPIC, values).await;
        assert_eq!(page.len(), 1, "{page:#?}");
        assert!(page[0].contains("(topic=? AND blog_id<?)"), "{page:#?}");
        let values: Vec<Value> = vec!["a".into(), "b".into(), 9.into(), 1.into()];
        let found = steps(&db, OF_PREFIX, values).await.join("\n");
        assert!(found.contains("(topic>? AND topic<?)"), "{found}");
        let most = steps(&db, MOST_NOTES, vec![1.into()]).await;
        assert_eq!(most.len(), 1, "{most:#?}");
        assert!(most[0].contains("ix_topic_notes"), "{most:#?}");
    }
}
