//! What handlers take from a request. Every rejection is a [`Failure`](super::failure::Failure), so nothing of the
//! framework's own wording reaches a client.

mod body;
mod caller;
mod contact;
mod header;
mod params;
mod query;
mod signed;

pub(super) use body::{
    JsonBody, from_form as parse_form, from_json as parse_json, is_json, read as read_body,
    unreadable as unreadable_body,
};
pub(super) use caller::{ClientAddress, RequestCaller, address_of, caller_of};
pub(super) use contact::ContactInput;
pub(super) use header::{MaybeKeyed, header, idempotency_key};
pub(super) use params::PathParam;
pub(super) use query::QueryParams;
pub(super) use signed::{MaybeSigned, Signed, shown_token};
