//! Writes the grams of texts, in the transaction that writes the text.

use std::collections::BTreeSet;

use domain::harmless::{shown_content, shown_plain};
use domain::search::{body_grams, name_grams};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::SearchKind;
use crate::Backend;
use crate::sql::{execute, insert_missing, placeholders};

/// Three values each: SQLite allows 32,766 in a statement, and one of this size is quick to parse.
const ROWS_PER_STATEMENT: usize = 3_000;

/// A row of a searched table, by its grams.
#[derive(Clone, Debug)]
pub(crate) struct IndexedText {
    kind: SearchKind,
    id: i64,
    grams: BTreeSet<String>,
}

/// What is searched of a note.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoteWords<'t> {
    pub(crate) title: &'t str,
    pub(crate) content: &'t str,
}

impl IndexedText {
    /// `kind_name` is that of the shop's type.
    pub(crate) fn of_shop(
        id: i64,
        name: &str,
        area: Option<&str>,
        address: &str,
        kind_name: &str,
    ) -> Self {
        let mut grams = name_grams(name);
        grams.extend(body_grams(address));
        grams.extend(body_grams(area.unwrap_or_default()));
        grams.extend(body_grams(kind_name));
        let kind = SearchKind::Shops;
        Self { kind, id, grams }
    }

    pub(crate) fn of_note(id: i64, words: NoteWords<'_>) -> Self {
        // As readers see them: tags are no words.
        let mut grams = name_grams(&shown_plain(words.title.to_owned()));
        let content = shown_content(words.content.to_owned()).replace("<br>", "\n");
        grams.extend(body_grams(&content));
        let kind = SearchKind::Notes;
        Self { kind, id, grams }
    }

    pub(crate) fn of_person(id: i64, nick_name: &str) -> Self {
        let kind = SearchKind::People;
        let grams = name_grams(nick_name);
        Self { kind, id, grams }
    }
}

/// Brings the index from what readers could find of a note to what they can find from now on: `None` before it is
/// published and after it is hidden or deleted.
pub(crate) async fn index_note(
    transaction: &impl ConnectionTrait,
    id: i64,
    before: Option<NoteWords<'_>>,
    after: Option<NoteWords<'_>>,
) -> Result<(), DbErr> {
    let before = before.map(|words| IndexedText::of_note(id, words));
    let after = after.map(|words| IndexedText::of_note(id, words));
    replace(transaction, before.as_ref(), after.as_ref()).await
}

/// Both are of the same row. Grams in both stay as they are.
pub(crate) async fn replace(
    transaction: &impl ConnectionTrait,
    before: Option<&IndexedText>,
    after: Option<&IndexedText>,
) -> Result<(), DbErr> {
    let empty = BTreeSet::new();
    let old = before.map_or(&empty, |text| &text.grams);
    let new = after.map_or(&empty, |text| &text.grams);
    if let Some(text) = before {
        let gone: Vec<&String> = old.difference(new).collect();
        remove(transaction, text.kind, text.id, &gone).await?;
    }
    match after {
        Some(text) => {
            let grams = new.difference(old).cloned().collect();
            let added = IndexedText { grams, ..*text };
            write(transaction, &[added]).await
        }
        None => Ok(()),
    }
}

/// Adds the grams of all texts; existing rows are skipped.
pub(crate) async fn write(
    transaction: &impl ConnectionTrait,
    texts: &[IndexedText],
) -> Result<(), DbErr> {
    let mut rows: Vec<(i16, &str, i64)> = Vec::new();
    for text in texts {
        let row = |gram| (text.kind.code(), String::as_str(gram), text.id);
        rows.extend(text.grams.iter().map(row));
    }
    // In the order of the index, neighbouring rows go to the same page of it.
    rows.sort_unstable();
    let (verb, tail) = insert_missing(Backend::of(transaction));
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        let marks = vec!["(?, ?, ?)"; chunk.len()].join(", ");
        let sql = format!("{verb} tb_search_gram (kind, gram, row_id) VALUES {marks}{tail}");
        let value = |(kind, gram, id): &(i16, &str, i64)| -> [Value; 3] {
            [(*kind).into(), (*gram).into(), (*id).into()]
        };
        execute(transaction, sql, chunk.iter().flat_map(value)).await?;
    }
    Ok(())
}

async fn remove(
    transaction: &impl ConnectionTrait,
    kind: SearchKind,
    id: i64,
    grams: &[&String],
) -> Result<(), DbErr> {
    for chunk in grams.chunks(ROWS_PER_STATEMENT) {
        let marks = placeholders(chunk.len());
        let sql = format!(
            "DELETE FROM tb_search_gram WHERE kind = ? AND gram IN ({marks}) AND row_id = ?"
        );
        let mut values: Vec<Value> = vec![kind.code().into()];
        values.extend(chunk.iter().map(|gram| Value::from(gram.as_str())));
        values.push(id.into());
        execute(transaction, sql, values).await?;
    }
    Ok(())
}
