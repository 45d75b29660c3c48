//! Which notes are shown: asked of SQL for every page, in queries that readers share.
//!
//! A feed asks for the notes of its inbox, the hot list for those of its ranking, a note's page for one. Readers who ask
//! while a query runs are answered by the next one, all together ([`GatheredReads`]).

use domain::{NoteId, UserId};
use storage::notes::{self, ListedNote, NotesAsked};
use storage::{Backend, Db};

use crate::gathered_reads::{GatherLimits, GatheredReads};
use crate::{App, Error};

/// Queries at once. SQLite runs on the same processors as the requests, and the more questions share a query the less each
/// costs; a second one keeps pages flowing beside one that asks for many notes. A server answers on its own time.
const QUERIES_ON_SQLITE: usize = 2;
const QUERIES_ON_MYSQL: usize = 4;

/// Ids in a query that readers share: forty pages. With more the last reader waits for all of them.
const IDS_PER_QUERY: usize = 500;

/// Questions of this process that are under way.
#[derive(Debug)]
pub(super) struct ShownNotes {
    reads: GatheredReads<NotesAsked, Vec<ListedNote>>,
}

impl ShownNotes {
    pub(super) fn new(db: &Db) -> Self {
        let limits = GatherLimits {
            queries: match db.backend() {
                Backend::Sqlite => QUERIES_ON_SQLITE,
                Backend::MySql => QUERIES_ON_MYSQL,
            },
            weight: IDS_PER_QUERY,
        };
        let db = db.clone();
        let query = move |asked: Vec<NotesAsked>| {
            let db = db.clone();
            async move { Ok(notes::get_shown(&db, &asked).await?) }
        };
        Self {
            reads: GatheredReads::new(limits, query),
        }
    }
}

/// Those of the notes that are shown, in the order given; with a reader, only those whose author this user follows.
pub(crate) async fn get_shown(
    app: &App,
    ids: Vec<NoteId>,
    followed_by: Option<UserId>,
) -> Result<Vec<ListedNote>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let weight = ids.len();
    let asked = NotesAsked { ids, followed_by };
    app.notes().shown.reads.ask(asked, weight).await
}
