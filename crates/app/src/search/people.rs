//! People by their name: those whose name is the needle first, then those with most fans.

use domain::{NameMatch, Needle, UserId};
use kv::Session;
use storage::Db;
use storage::search::{self, SearchKind, SearchPlan};

use super::cursor::{SearchCursor, Stage};
use super::walk::{Candidates, RankedWindow, walk};
use crate::follows::{ListedUser, see_people};
use crate::{App, Error, Page};

/// The next page of people with every word of the needle in their name.
pub async fn search_people(
    app: &App,
    viewer: Option<&Session>,
    needle: &Needle,
    at: Option<SearchCursor>,
) -> Result<Page<ListedUser, SearchCursor>, Error> {
    let db = app.db();
    let candidates = PeopleCandidates {
        whole: search::plan(db, SearchKind::People, needle, true).await?,
        rest: search::plan(db, SearchKind::People, needle, false).await?,
        db,
        needle,
    };
    let page = walk(&candidates, at).await?;
    let people = see_people(app, viewer, &page.items).await?;
    Ok(page.map_items(people))
}

struct PeopleCandidates<'q> {
    db: &'q Db,
    needle: &'q Needle,
    whole: SearchPlan,
    rest: SearchPlan,
}

impl Candidates for PeopleCandidates<'_> {
    type Item = UserId;
    const STAGES: &'static [Stage] = &[Stage::Whole, Stage::Rest];

    async fn read(&self, stage: Stage, before: i64) -> Result<RankedWindow<UserId>, Error> {
        let (plan, wanted) = match stage {
            Stage::Whole => (&self.whole, NameMatch::Whole),
            Stage::Near | Stage::Rest => (&self.rest, NameMatch::Part),
        };
        let window = search::find_window(self.db, plan, before).await?;
        let found = search::list_people(self.db, &window.ids).await?;
        let fit = found
            .into_iter()
            .filter(|person| self.needle.name_match(&person.nick_name) == wanted)
            .map(|person| ([-i64::from(person.fans), 0, person.id.get()], person.id));
        Ok(RankedWindow {
            items: fit.collect(),
            next: window.next,
        })
    }
}
