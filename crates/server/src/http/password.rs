//! `/api/user/password`: a person's own password, where the site allows them.

use app::Refusal;
use app::account::{self, PasswordProof};
use axum::extract::State;
use domain::{LoginCode, Password};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Done, Envelope, Reply};
use super::extract::{JsonBody, RequestCaller, Signed};
use super::failure::Failure;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasswordView {
    is_set: bool,
}

/// Whether I have a password.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<PasswordView>)),
)]
pub(super) async fn get_password(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<PasswordView>, Failure> {
    let is_set = account::has_password(state.app(), &signed.session).await?;
    Ok(Reply::new(PasswordView { is_set }))
}

/// One of the two; the old password counts when both are there.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProofInput {
    #[schema(nullable = false, value_type = Option<String>)]
    old_password: Option<SecretString>,
    /// For those who forgot the old password: a code that was sent to the account's number or address.
    #[schema(nullable = false)]
    code: Option<String>,
}

impl ProofInput {
    /// What cannot be a password or a code is wrong without being compared, so it costs no try.
    fn parse(&self) -> Result<Option<PasswordProof>, Refusal> {
        match (&self.old_password, &self.code) {
            (Some(password), _) => match Password::parse(password) {
                Ok(password) => Ok(Some(PasswordProof::Password(password))),
                Err(_) => Err(Refusal::OldPasswordWrong),
            },
            (None, Some(code)) => match LoginCode::parse(code) {
                Some(code) => Ok(Some(PasswordProof::Code(code))),
                None => Err(Refusal::CodeWrong),
            },
            (None, None) => Ok(None),
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct PasswordInput {
    /// 8 to 128 characters.
    #[schema(value_type = String)]
    password: SecretString,
    #[serde(flatten)]
    proof: ProofInput,
}

/// Set my password, or change it, which takes the old one or a code and signs me out everywhere else.
#[utoipa::path(
    put, path = IN_TABLE, tag = "account", request_body = PasswordInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn set_password(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<PasswordInput>,
) -> Result<Reply<()>, Failure> {
    let proof = input.proof.parse()?;
    let password = Password::parse(&input.password).map_err(|_| Refusal::PasswordInvalid)?;
    account::set_password(state.app(), &caller, &signed.session, password, proof).await?;
    Ok(Reply::done())
}

/// Remove my password, which takes it or a code and signs me out everywhere else.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "account", request_body = ProofInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn remove_password(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<ProofInput>,
) -> Result<Reply<()>, Failure> {
    let proof = input.parse()?;
    account::remove_password(state.app(), &caller, &signed.session, proof).await?;
    Ok(Reply::done())
}
