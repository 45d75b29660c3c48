//! Server-sent events: what every open stream holds for as long as it is open.

use futures_util::{Stream, StreamExt as _};

use super::per_address::AddressPlace;

/// The same stream, which gives the place of its address back when it ends or its client has gone.
pub(super) fn holding<S: Stream>(
    stream: S,
    place: Option<AddressPlace>,
) -> impl Stream<Item = S::Item> {
    stream.map(move |event| {
        let _held = &place;
        event
    })
}
