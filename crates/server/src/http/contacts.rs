//! `/api/user/contacts…`: the phone number and the e-mail address of a person's account.

use app::Refusal;
use app::account;
use axum::extract::State;
use domain::{ContactKind, LoginCode, Ticket};
use serde::{Deserialize, Serialize};
use storage::users::Contacts;
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Done, Envelope, Reply};
use super::extract::{ContactInput, JsonBody, RequestCaller, Signed};
use super::failure::{Failure, whole_secs};
use super::routes::IN_TABLE;
use super::state::HttpState;

/// Masked: enough for their owner to recognise. Absent if there is none.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ContactsView {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    email: Option<String>,
}

impl From<Contacts> for ContactsView {
    fn from(contacts: Contacts) -> Self {
        Self {
            phone: contacts.phone.map(|phone| phone.masked()),
            email: contacts.email.map(|email| email.masked()),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ContactKind)]
pub(super) enum ContactKindInput {
    Phone,
    Email,
}

impl From<ContactKindInput> for ContactKind {
    fn from(kind: ContactKindInput) -> Self {
        match kind {
            ContactKindInput::Phone => Self::Phone,
            ContactKindInput::Email => Self::Email,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ConfirmationParams {
    /// Which of the account's contacts gets the code; the phone number where the site reaches it, if missing.
    #[param(nullable = false, inline)]
    pub(super) kind: Option<ContactKindInput>,
}

/// My phone number and e-mail address, masked.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<ContactsView>)),
)]
pub(super) async fn get_contacts(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<ContactsView>, Failure> {
    let contacts = account::get_contacts(state.app(), &signed.session).await?;
    Ok(Reply::new(contacts.into()))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ContactPermitInput {
    /// A confirmation code.
    code: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContactPermitView {
    /// For one change, by this session.
    ticket: String,
    expires_in_secs: u64,
}

/// Confirm by a code to a present contact that I may change my contacts.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", request_body = ContactPermitInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<ContactPermitView>)),
)]
pub(super) async fn permit_change(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<ContactPermitInput>,
) -> Result<Reply<ContactPermitView>, Failure> {
    let code = parse_code(&input.code)?;
    let app = state.app();
    let permit = account::permit_contact_change(app, &caller, &signed.session, &code).await?;
    Ok(Reply::new(ContactPermitView {
        ticket: permit.ticket.as_str().to_owned(),
        expires_in_secs: whole_secs(permit.lifetime),
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct NewContactInput {
    #[serde(flatten)]
    contact: ContactInput,
    /// A code that was sent to the new contact.
    code: String,
    ticket: String,
}

/// Bind a phone number or an e-mail address, or change the one that I have, which signs me out everywhere else.
#[utoipa::path(
    put, path = IN_TABLE, tag = "account", request_body = NewContactInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn set_contact(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<NewContactInput>,
) -> Result<Reply<()>, Failure> {
    let contact = input.contact.parse()?;
    let code = parse_code(&input.code)?;
    let ticket = parse_ticket(&input.ticket)?;
    let app = state.app();
    account::set_contact(app, &caller, &signed.session, &ticket, &contact, &code).await?;
    Ok(Reply::done())
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ContactRemovalInput {
    kind: ContactKindInput,
    ticket: String,
}

/// Remove one of my two contacts, which signs me out everywhere else.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "account", request_body = ContactRemovalInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn remove_contact(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<ContactRemovalInput>,
) -> Result<Reply<()>, Failure> {
    let ticket = parse_ticket(&input.ticket)?;
    let kind = input.kind.into();
    account::remove_contact(state.app(), &signed.session, &ticket, kind).await?;
    Ok(Reply::done())
}

/// What cannot be a code is wrong without being compared, so it costs no try.
fn parse_code(code: &str) -> Result<LoginCode, Refusal> {
    LoginCode::parse(code).ok_or(Refusal::CodeWrong)
}

/// What cannot be a ticket is none.
fn parse_ticket(ticket: &str) -> Result<Ticket, Refusal> {
    Ticket::parse(ticket).ok_or(Refusal::ConfirmationNeeded)
}
