//! `/api/favourite/note…`: the notes that a person keeps.

use app::favourites::{self, SavedNote};
use axum::extract::State;
use domain::NoteId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{PathParam, QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::note::NoteView;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// A saved note.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct SavedNoteView {
    #[schema(value_type = i64)]
    note_id: NoteId,
    saved_at_ms: i64,
    /// Absent once the note is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    note: Option<NoteView>,
}

impl SavedNoteView {
    fn new(saved: &SavedNote, state: &HttpState) -> Self {
        let note = saved.note.as_ref();
        Self {
            note_id: saved.id,
            saved_at_ms: saved.saved_at.as_millisecond(),
            note: note.map(|note| NoteView::new(note, state)),
        }
    }
}

/// The notes that I keep, 20 a page, what was saved last first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "favourites", params(CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<SavedNoteView>>)),
)]
pub(in crate::http) async fn list_saved_notes(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<SavedNoteView>>, Failure> {
    let page = favourites::list_notes(state.app(), &signed.session, cursor.parse()?).await?;
    let view = |saved| SavedNoteView::new(&saved, &state);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

/// Whether I keep a note.
#[utoipa::path(
    get, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<bool>)),
)]
pub(in crate::http) async fn get_favourite_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(note): PathParam<NoteId>,
) -> Result<Reply<bool>, Failure> {
    let is_saved = favourites::is_note_saved(state.app(), &signed.session, note).await?;
    Ok(Reply::new(is_saved))
}

/// Save a note. A person may keep 1,000 notes. Repeating it changes nothing.
#[utoipa::path(
    put, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn save_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(note): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    favourites::save_note(state.app(), &signed.session, note).await?;
    Ok(Reply::done())
}

/// Keep a note no longer. Repeating it changes nothing.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn remove_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(note): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    favourites::remove_note(state.app(), &signed.session, note).await?;
    Ok(Reply::done())
}
