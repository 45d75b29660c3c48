//! `/api/user/…`: signing in and out, profiles, sessions.

use app::account::{self, Card, NumberClaim, SignedIn};
use app::{App, Caller, Refusal};
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse};
use domain::{Contact, LoginCode, ProfileChange, Role, Shown, ShownChange, Ticket, UserId};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::users::User;
use utoipa::ToSchema;

use super::cookie;
use super::dialect::Dialect;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{ContactInput, JsonBody, MaybeSigned, PathParam, RequestCaller, Signed};
use super::failure::{Failure, whole_secs};
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeSentView {
    /// The code itself, with the demo sender only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    demo_code: Option<String>,
    /// Seconds until another code may be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u64, required = true)]
    retry_after_secs: Option<u64>,
}

/// Send a login code to a phone number or e-mail address.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account",
    params(
        ("phone" = Option<String>, Query, deprecated, nullable = false,
            description = "For old clients: an address may stand in a proxy's log. Send the body instead."),
        ("email" = Option<String>, Query, deprecated, nullable = false,
            description = "For old clients: an address may stand in a proxy's log. Send the body instead."),
    ),
    request_body(content(
        (ContactInput = "application/json"),
        (ContactInput = "application/x-www-form-urlencoded"),
    ), description = "One of the two; the phone number counts when both are there."),
    responses((status = 200, body = Envelope<CodeSentView>)),
)]
pub(super) async fn send_code(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    input: ContactInput,
) -> Result<Reply<CodeSentView>, Failure> {
    if input.is_empty() {
        return Err(Failure::missing("phone", "phone or email is missing"));
    }
    let contact = input.parse()?;
    let sent = account::send_code(state.app(), &caller, &contact).await?;
    let dialect = state.dialect();
    let view = CodeSentView {
        demo_code: sent.demo_code.map(|code| code.as_str().to_owned()),
        retry_after_secs: dialect.addition(whole_secs(sent.retry_after)),
    };
    // The original sends no data; with the demo sender there is no other way to see the code.
    let is_told = dialect == Dialect::Site || view.demo_code.is_some();
    Ok(Reply::maybe(is_told.then_some(view)))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct LoginInput {
    #[serde(flatten)]
    contact: ContactInput,
    #[schema(nullable = false)]
    code: Option<String>,
    /// In place of a code, where the site allows passwords.
    #[schema(nullable = false, value_type = Option<String>)]
    password: Option<SecretString>,
    /// The answer to `number_in_question`, with the `ticket` of that refusal in place of a code: is the account that the number
    /// had mine, or do I begin a new one? An account with other proofs (`proofs`) is mine only by one of them: sign in by e-mail,
    /// or by the password, with the ticket beside it.
    #[schema(nullable = false)]
    claim: Option<NumberClaimInput>,
    #[schema(nullable = false)]
    ticket: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = NumberClaim)]
enum NumberClaimInput {
    Mine,
    New,
}

/// By what a person signs in; a code counts when both are there, unless it is empty: some pages send every field of their
/// form.
enum Credential {
    Code(LoginCode),
    Password(SecretString),
}

impl LoginInput {
    /// What cannot be a ticket is out of date.
    fn ticket(&self) -> Result<Option<Ticket>, Refusal> {
        let ticket = self.ticket.as_deref();
        let parse = |text| Ticket::parse(text).ok_or(Refusal::TicketExpired);
        ticket.map(parse).transpose()
    }

    /// An answer that needs no credential beside the ticket.
    fn answer(&self) -> Option<NumberClaim> {
        let has_credential = self.code.is_some() || self.password.is_some();
        match self.claim? {
            NumberClaimInput::New => Some(NumberClaim::New),
            NumberClaimInput::Mine if has_credential => None,
            NumberClaimInput::Mine => Some(NumberClaim::Mine),
        }
    }

    fn into_credential(self) -> Result<Credential, Failure> {
        let code = self
            .code
            .filter(|code| !code.is_empty() || self.password.is_none());
        match (code, self.password) {
            // What cannot be a code is wrong without being compared, so it costs no try.
            (Some(code), _) => match LoginCode::parse(&code) {
                Some(code) => Ok(Credential::Code(code)),
                None => Err(Refusal::CodeWrong.into()),
            },
            (None, Some(password)) => Ok(Credential::Password(password)),
            (None, None) => Err(Failure::malformed("code", "is missing")),
        }
    }
}

/// Sign in by a code, or by a password where the site allows it. The reply is the token; browsers also get it as a cookie that scripts cannot read, and a second one by which
/// they are recognised when they ask for a code again.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", request_body = LoginInput,
    responses((status = 200, body = Envelope<String>)),
)]
pub(super) async fn login(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    JsonBody(input): JsonBody<LoginInput>,
) -> Result<impl IntoResponse, Failure> {
    let contact = input.contact.parse()?;
    let SignedIn { token, device } = sign_in(state.app(), &caller, &contact, input).await?;
    let lifetime = state.app().rules().session_lifetimes.absolute;
    let is_https = state.is_https();
    let session = state
        .dialect()
        .addition(cookie::set(&token, lifetime, is_https));
    let cookies = session
        .into_iter()
        .chain([cookie::set_device(&device, is_https)]);
    let cookies: HeaderMap = cookies.map(|cookie| (SET_COOKIE, cookie)).collect();
    Ok((cookies, Reply::new(token.as_str().to_owned())))
}

async fn sign_in(
    app: &App,
    caller: &Caller,
    contact: &Contact,
    input: LoginInput,
) -> Result<SignedIn, Failure> {
    let ticket = input.ticket()?;
    if let Some(claim) = input.answer() {
        let Contact::Phone(phone) = contact else {
            return Err(Refusal::PhoneInvalid.into());
        };
        let ticket = ticket.ok_or_else(|| Failure::malformed("ticket", "is missing"))?;
        let answered = account::answer_number_question(app, caller, phone, &ticket, claim);
        return Ok(answered.await?);
    }
    let (ticket, credential) = (ticket.as_ref(), input.into_credential()?);
    Ok(match credential {
        Credential::Code(code) => account::login(app, caller, contact, &code, ticket).await?,
        Credential::Password(typed) => {
            account::login_by_password(app, caller, contact, &typed, ticket).await?
        }
    })
}

/// Sign out: the token is dead everywhere within a second.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn logout(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<impl IntoResponse, Failure> {
    account::logout(state.app(), &signed.session, &signed.token).await?;
    Ok((with_cookie(cookie::clear(state.is_https())), Reply::done()))
}

fn with_cookie(cookie: HeaderValue) -> impl axum::response::IntoResponseParts {
    AppendHeaders([(SET_COOKIE, cookie)])
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserView {
    #[schema(value_type = i64)]
    id: UserId,
    nick_name: String,
    /// Empty when there is none.
    icon: String,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            nick_name: user.nick_name,
            icon: user.icon,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MeView {
    #[serde(flatten)]
    user: UserView,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<RoleView>, required = true)]
    roles: Option<Vec<RoleView>>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Role)]
pub(super) enum RoleView {
    User,
    Merchant,
    Admin,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Merchant => Self::Merchant,
            Role::Admin => Self::Admin,
        }
    }
}

/// Who I am.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<MeView>)),
)]
pub(super) async fn me(State(state): State<HttpState>, signed: Signed) -> Reply<MeView> {
    let profile = &signed.session.profile;
    let roles = profile.role.implied().map(RoleView::from);
    Reply::new(MeView {
        roles: state.dialect().addition(roles.collect()),
        user: UserView {
            id: profile.user_id,
            nick_name: profile.nick_name.clone(),
            icon: profile.icon.clone(),
        },
    })
}

/// A person as others see them; absent if unknown.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<UserView>)),
)]
pub(super) async fn get_user(
    State(state): State<HttpState>,
    PathParam(id): PathParam<UserId>,
) -> Result<Reply<UserView>, Failure> {
    let user = account::get_user(state.app(), id).await?;
    Ok(Reply::maybe(user.map(UserView::from)))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserInfoView {
    #[schema(value_type = i64)]
    user_id: UserId,
    /// Absent unless the person shows it, or asks for their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    city: Option<String>,
    introduce: String,
    fans: u32,
    followee: u32,
    /// False male, true female; absent unless the person shows it, or asks for their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    gender: Option<bool>,
    /// Absent unless the person shows it, or asks for their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = Date)]
    birthday: Option<jiff::civil::Date>,
    credits: u32,
    #[schema(value_type = u8)]
    level: LevelView,
    /// Notes that everybody can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u64, required = true)]
    notes: Option<u64>,
    /// Which of them others see; for the person alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shown: Option<ShownView>,
}

/// A membership from 0 to 9, of which the original says only whether there is one.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
enum LevelView {
    Number(u8),
    IsMember(bool),
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct ShownView {
    city: bool,
    gender: bool,
    birthday: bool,
}

impl From<Shown> for ShownView {
    fn from(shown: Shown) -> Self {
        Self {
            city: shown.city,
            gender: shown.gender,
            birthday: shown.birthday,
        }
    }
}

impl UserInfoView {
    fn new(card: Card, dialect: Dialect) -> Self {
        let info = card.info;
        Self {
            user_id: info.user_id,
            city: card.city,
            introduce: info.introduce,
            fans: info.fans,
            followee: info.followee,
            gender: card.is_female,
            birthday: card.birthday,
            credits: info.credits,
            level: match dialect {
                Dialect::Site => LevelView::Number(info.level),
                Dialect::Original => LevelView::IsMember(info.level > 0),
            },
            notes: dialect.addition(card.notes),
            shown: card.shown.and_then(|shown| dialect.addition(shown.into())),
        }
    }
}

/// What a person says of themselves; absent if nothing.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<UserInfoView>)),
)]
pub(super) async fn get_info(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    PathParam(id): PathParam<UserId>,
) -> Result<Reply<UserInfoView>, Failure> {
    let card = account::get_card(state.app(), reader.as_deref(), id).await?;
    let dialect = state.dialect();
    Ok(Reply::maybe(
        card.map(|card| UserInfoView::new(card, dialect)),
    ))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProfileInput {
    #[schema(nullable = false)]
    nick_name: Option<String>,
    /// Empty, or a picture of this site.
    #[schema(nullable = false)]
    icon: Option<String>,
    #[schema(nullable = false)]
    city: Option<String>,
    #[schema(nullable = false)]
    introduce: Option<String>,
    /// False male, true female.
    #[schema(nullable = false)]
    gender: Option<bool>,
    #[schema(nullable = false, value_type = Option<String>, format = Date)]
    birthday: Option<jiff::civil::Date>,
    /// Which of city, gender and birthday others see; none, until it is said.
    #[schema(nullable = false)]
    shown: Option<ShownInput>,
}

/// Absent fields stay as they are.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
struct ShownInput {
    #[schema(nullable = false)]
    city: Option<bool>,
    #[schema(nullable = false)]
    gender: Option<bool>,
    #[schema(nullable = false)]
    birthday: Option<bool>,
}

impl From<ShownInput> for ShownChange {
    fn from(input: ShownInput) -> Self {
        Self {
            city: input.city,
            gender: input.gender,
            birthday: input.birthday,
        }
    }
}

impl From<ProfileInput> for ProfileChange {
    fn from(input: ProfileInput) -> Self {
        Self {
            nick_name: input.nick_name,
            icon: input.icon,
            city: input.city,
            introduce: input.introduce,
            is_female: input.gender,
            birthday: input.birthday,
            shown: input.shown.unwrap_or_default().into(),
        }
    }
}

/// Change my profile: absent fields stay as they are.
#[utoipa::path(
    put, path = IN_TABLE, tag = "account", request_body = ProfileInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn update_info(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<ProfileInput>,
) -> Result<Reply<()>, Failure> {
    account::update_profile(state.app(), &signed.session, input.into()).await?;
    Ok(Reply::done())
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionLine {
    /// Names the session for `DELETE /user/sessions/{n}`.
    n: u32,
    /// Whether this request came by it.
    current: bool,
    /// Such as `Chrome · Android`; empty when unknown.
    device: String,
    /// The network it was opened from, such as `203.0.113.*`.
    address: String,
    created_at_ms: i64,
    seen_at_ms: i64,
}

impl From<account::SessionView> for SessionLine {
    fn from(view: account::SessionView) -> Self {
        Self {
            n: view.number,
            current: view.is_current,
            device: view.device,
            address: view.address,
            created_at_ms: view.created_at.as_millisecond(),
            seen_at_ms: view.seen_at.as_millisecond(),
        }
    }
}

/// Where I am signed in, newest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<SessionLine>>)),
)]
pub(super) async fn list_sessions(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<Vec<SessionLine>>, Failure> {
    let sessions = account::list_sessions(state.app(), &signed.session).await?;
    Ok(Reply::new(
        sessions.into_iter().map(SessionLine::from).collect(),
    ))
}

/// Sign one of my sessions out.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "account", params(("n" = u32, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn end_session(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(number): PathParam<u32>,
) -> Result<Reply<()>, Failure> {
    account::sign_out_session(state.app(), &signed.session, number).await?;
    Ok(Reply::done())
}
