//! The shops and notes that the demo visitor keeps.

use domain::favourite::WANT_TO_TRY;
use domain::{ListName, NoteId, ShopId, UserId};
use storage::favourites;

use super::SeedError;
use crate::App;

/// The demo visitor is user 1.
const VISITOR: UserId = UserId::new(1);

/// Demo shops near home. What comes last is shown first.
const WANTED: [i64; 3] = [2, 11, 4];
const WEEKEND: (&str, [i64; 3]) = ("周末聚餐", [1, 23, 7]);

/// Demo notes.
const NOTES: [i64; 4] = [2, 5, 9, 14];

/// Skipped if the visitor keeps any shop or has a list.
pub(super) async fn insert(app: &App) -> Result<(), SeedError> {
    let db = app.db();
    let lists = favourites::list_lists(db, VISITOR).await?;
    if lists.len() > 1 || lists.iter().any(|list| list.shops > 0) {
        return Ok(());
    }
    let name = ListName::parse(WEEKEND.0).expect("the name is a few characters");
    let weekend = favourites::create_list(db, VISITOR, &name).await?;
    let weekend = weekend.expect("the visitor has no other list");
    let wanted = WANTED.map(|shop| (shop, WANT_TO_TRY));
    let shops = wanted
        .into_iter()
        .chain(WEEKEND.1.map(|shop| (shop, weekend)));
    for (shop, list) in shops {
        // A shop that somebody deleted is left out.
        let _ = favourites::save(db, VISITOR, ShopId::new(shop), list).await?;
    }
    for note in NOTES {
        let _ = favourites::save_note(db, VISITOR, NoteId::new(note)).await?;
    }
    Ok(())
}
