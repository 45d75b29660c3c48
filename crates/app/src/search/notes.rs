//! Notes by their title and text: those with the needle in the title first, then the most liked.

use domain::{NameMatch, Needle, NoteId};
use kv::Session;
use storage::Db;
use storage::search::{self, FoundNote, SearchKind, SearchPlan};

use super::cursor::{Rank, SearchCursor, Stage};
use super::walk::{Candidates, RankedWindow, walk};
use crate::blocks::{self, BlockedPeople};
use crate::notes::{NoteSeen, describe, get_shown, seen_by};
use crate::{App, Error, Page};

/// The next page of notes that hold every word of the needle.
pub async fn search_notes(
    app: &App,
    reader: Option<&Session>,
    needle: &Needle,
    at: Option<SearchCursor>,
) -> Result<Page<NoteSeen, SearchCursor>, Error> {
    let db = app.db();
    let plan = search::plan(db, SearchKind::Notes, needle, false).await?;
    let blocked = blocks::of_reader(app, reader).await?;
    let candidates = NoteCandidates {
        db,
        needle,
        plan,
        blocked,
    };
    let page = walk(&candidates, at).await?;
    // Asked once more: candidates may come from a lagging replica.
    let shown = get_shown(app, page.items.clone(), None).await?;
    let seen = seen_by(app, reader, &describe(app, shown).await?).await?;
    Ok(page.map_items(seen))
}

struct NoteCandidates<'q> {
    db: &'q Db,
    needle: &'q Needle,
    plan: SearchPlan,
    /// By the reader.
    blocked: BlockedPeople,
}

impl Candidates for NoteCandidates<'_> {
    type Item = NoteId;
    const STAGES: &'static [Stage] = &[Stage::Rest];

    async fn read(&self, _: Stage, before: i64) -> Result<RankedWindow<NoteId>, Error> {
        let window = search::find_window(self.db, &self.plan, before).await?;
        let found = search::list_notes(self.db, &window.ids).await?;
        let fit = found.into_iter().filter_map(|note| {
            if self.blocked.contains(note.author) {
                return None;
            }
            let rank = rank(self.needle, &note)?;
            Some((rank, note.listed.id))
        });
        Ok(RankedWindow {
            items: fit.collect(),
            next: window.next,
        })
    }
}

fn rank(needle: &Needle, note: &FoundNote) -> Option<Rank> {
    if !needle.matches([note.title.as_str(), note.content.as_str()]) {
        return None;
    }
    let place = match needle.name_match(&note.title) {
        NameMatch::Whole => 0,
        NameMatch::Part => 1,
        NameMatch::None => 2,
    };
    let (likes, id) = (i64::from(note.listed.likes), note.listed.id.get());
    Some([place, -likes, -id])
}
