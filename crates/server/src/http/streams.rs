//! Server-sent events: the permit that every open stream holds, and the header that keeps proxies from holding events back.

use futures_util::{Stream, StreamExt as _};

use super::per_address::AddressPermit;

/// nginx passes each event on at once, whatever its configuration says about other replies.
pub(super) const UNBUFFERED: [(&str, &str); 1] = [("x-accel-buffering", "no")];

/// The same stream, which releases the permit of its address when it ends or its client has gone.
pub(super) fn with_permit<S: Stream>(
    stream: S,
    permit: Option<AddressPermit>,
) -> impl Stream<Item = S::Item> {
    stream.map(move |event| {
        let _held = &permit;
        event
    })
}
