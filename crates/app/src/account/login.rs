//! Login with a code sent to a phone number or an e-mail address.

use std::time::Duration;

use domain::profile::default_nick_name;
use domain::{Contact, DeviceToken, LoginCode, SessionToken, Ticket};
use jiff::Timestamp;
use kv::{
    CheckRefusal, CodeCaller, IssueRefusal, Limit, NewSession, OverLimit, SessionHash,
    SessionProfile,
};
use rand::RngExt as _;
use storage::users::{self, User, UserStatus};

use super::device;
use super::number_claim::{check_asked, question_or_record, settle_question};
use crate::code_sender::{CodeMessage, Delivery, NumberRefusal};
use crate::{App, Caller, Error, Refusal};

/// The reply to a request for a code.
#[derive(Debug)]
pub struct CodeSent {
    /// Only with the demo sender, which delivers it in the reply.
    pub demo_code: Option<LoginCode>,
    pub retry_after: Duration,
}

#[derive(Debug)]
pub struct SignedIn {
    pub token: SessionToken,
    /// Identifies the browser from now on.
    pub device: DeviceToken,
}

pub(super) const HOUR: Duration = Duration::from_secs(3600);
const MINUTE: Duration = Duration::from_secs(60);

/// Role changes that one login tolerates while it opens its session.
const ROLE_CHANGES_MAX: usize = 3;
const ROLE_CHANGES_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Sends a new code to `contact`, within the limits of the contact, of the caller's address and of the site.
pub async fn send_code(app: &App, caller: &Caller, contact: &Contact) -> Result<CodeSent, Error> {
    refuse_unreached(app, contact)?;
    let rules = app.rules();
    let per_address = Limit {
        what: "code",
        burst: rules.codes_per_address_per_hour,
        period: HOUR,
    };
    admit(app.kv().take_for(&per_address, caller.address).await?)?;

    let code = rules.code_shape.generate(random_below);
    let to_midnight = Duration::from_secs(rules.zone.secs_to_midnight(Timestamp::now()));
    let retry_after = app
        .kv()
        .issue_code(
            contact,
            &code,
            &code_caller(caller),
            &rules.code_limits,
            to_midnight,
        )
        .await?
        .map_err(refuse_issue)?;
    if let Err(error) = deliver(app, caller, contact, &code).await {
        // An expected refusal says that nothing was sent.
        let is_in_doubt = matches!(&error, Error::Sender(error) if error.is_in_doubt());
        if !is_in_doubt {
            app.kv().withdraw_code(contact, &code).await?;
        }
        return Err(error);
    }
    Ok(CodeSent {
        demo_code: app.sender().is_demo().then_some(code),
        retry_after,
    })
}

/// The site-wide budget is charged last, so that requests refused by the contact's own limits do not use it up.
async fn deliver(
    app: &App,
    caller: &Caller,
    contact: &Contact,
    code: &LoginCode,
) -> Result<(), Error> {
    let rules = app.rules();
    let total = Limit {
        what: "code",
        burst: rules.codes_total_per_minute,
        period: MINUTE,
    };
    admit(app.kv().take_for_all(&total).await?)?;
    let message = CodeMessage {
        code,
        ttl: rules.code_limits.ttl,
        site_name: &rules.site_name,
        language: caller.language,
    };
    match app.sender().send(contact, &message).await? {
        Delivery::Sent => Ok(()),
        Delivery::Refused(refusal) => Err(refuse_number(refusal).into()),
    }
}

/// Sites need not send to both phones and mailboxes.
fn refuse_unreached(app: &App, contact: &Contact) -> Result<(), Refusal> {
    match contact {
        Contact::Phone(_) if !app.sender().reaches_phones() => Err(Refusal::PhoneUnsupported),
        Contact::Email(_) if !app.sender().reaches_email() => Err(Refusal::EmailUnsupported),
        _ => Ok(()),
    }
}

/// Logs the holder of `contact` in; an unknown contact gets an account. A number that may be somebody else's by now is refused
/// with a question ([`NumberQuestion`](super::NumberQuestion)), and with the ticket of one a login by e-mail answers it, too.
///
/// SQL is queried before the code is consumed: during a database outage the code stays valid.
pub async fn login(
    app: &App,
    caller: &Caller,
    contact: &Contact,
    code: &LoginCode,
    ticket: Option<&Ticket>,
) -> Result<SignedIn, Error> {
    admit_login(app, caller).await?;
    let known = users::find_by_contact(app.db(), contact).await?;
    let device = device_of(caller);
    check_code(app, caller, contact, code, &device).await?;
    check_asked(app, ticket, known.as_ref()).await?;
    let Some(user) = known else {
        let nick_name = default_nick_name(random_below);
        let user = users::find_or_create(app.db(), contact, &nick_name).await?;
        let token = open_current_session(app, caller, user, contact).await?;
        return Ok(SignedIn { token, device });
    };
    match user.status {
        UserStatus::Active => {}
        UserStatus::Blocked => return Err(Refusal::UserBlocked.into()),
        UserStatus::Closed => return Err(Refusal::AccountClosing.into()),
    }
    question_or_record(app, &user, contact, &device).await?;
    let signed_in = user.clone();
    let token = open_current_session(app, caller, user, contact).await?;
    settle_question(app, &signed_in, ticket).await;
    Ok(SignedIn { token, device })
}

/// Counts an attempt to log in against the limit of the caller's address.
pub(super) async fn admit_login(app: &App, caller: &Caller) -> Result<(), Error> {
    let per_address = Limit {
        what: "login",
        burst: app.rules().logins_per_address_per_hour,
        period: HOUR,
    };
    admit(app.kv().take_for(&per_address, caller.address).await?)
}

/// The device of the caller, or a new one.
pub(super) fn device_of(caller: &Caller) -> DeviceToken {
    let new_device = || DeviceToken::from_random(rand::random());
    caller.device.clone().unwrap_or_else(new_device)
}

/// Consumes the outstanding codes of `contact` if `code` is one of them.
pub(super) async fn check_code(
    app: &App,
    caller: &Caller,
    contact: &Contact,
    code: &LoginCode,
    device: &DeviceToken,
) -> Result<(), Error> {
    let limits = &app.rules().code_limits;
    let checked = app
        .kv()
        .check_code(contact, code, &code_caller(caller), device, limits)
        .await?;
    Ok(checked.map_err(refuse_check)?)
}

async fn open_session(app: &App, caller: &Caller, user: &User) -> Result<SessionToken, Error> {
    let token = SessionToken::from_random(rand::random());
    let session = NewSession {
        profile: &session_profile(user),
        number: rand::random(),
        device: &device::describe(&caller.user_agent),
        address: &device::mask_address(caller.address),
    };
    app.kv()
        .create_session(&token, &session, &app.rules().session_lifetimes)
        .await?;
    Ok(token)
}

/// A block or role change during the login may not have found the new session in the user's list. The session is
/// listed by now, so a later change ends it; an earlier one is caught by reading the user again. A session with an
/// outdated role ends before its token is returned, and another one is opened. The same holds for the contact by which the
/// login is: if it is no longer the user's, there is no session.
pub(super) async fn open_current_session(
    app: &App,
    caller: &Caller,
    mut known: User,
    by: &Contact,
) -> Result<SessionToken, Error> {
    for _ in 0..ROLE_CHANGES_MAX {
        let token = open_session(app, caller, &known).await?;
        let user = users::get(app.db(), known.id).await?;
        let active = user.filter(|user| user.status == UserStatus::Active);
        let is_theirs = |user: &User| user.contacts().has(by);
        let is_current = |user: &User| user.role == known.role && is_theirs(user);
        if active.as_ref().is_some_and(is_current) {
            // The next request finds it in memory. If Redis fails just now, that request reads it.
            let _ = app.sessions().find(&token).await;
            return Ok(token);
        }
        let hash = SessionHash::of(&token);
        app.sessions().end(known.id, &hash).await?;
        known = active.ok_or(Refusal::UserBlocked)?;
        if !is_theirs(&known) {
            return Err(Refusal::ContactChanged.into());
        }
    }
    Err(Error::Busy {
        retry_after: ROLE_CHANGES_RETRY_AFTER,
    })
}

pub(crate) fn session_profile(user: &User) -> SessionProfile {
    SessionProfile {
        user_id: user.id,
        nick_name: user.nick_name.clone(),
        icon: user.icon.clone(),
        role: user.role,
    }
}

fn code_caller(caller: &Caller) -> CodeCaller<'_> {
    CodeCaller {
        address: caller.address,
        device: caller.device.as_ref(),
    }
}

/// From the thread's cryptographic generator.
pub(super) fn random_below(limit: usize) -> usize {
    rand::rng().random_range(0..limit)
}

pub(super) fn admit(taken: Result<(), OverLimit>) -> Result<(), Error> {
    taken.map_err(|OverLimit { retry_after }| Error::TooMany { retry_after })
}

fn refuse_number(refusal: NumberRefusal) -> Refusal {
    match refusal {
        NumberRefusal::Unreachable => Refusal::PhoneUnreachable,
        NumberRefusal::TooManyMessages => Refusal::PhoneMessageLimit,
    }
}

fn refuse_issue(refusal: IssueRefusal) -> Refusal {
    match refusal {
        IssueRefusal::Locked { retry_after } => Refusal::LoginLocked { retry_after },
        IssueRefusal::TooOften { retry_after } => Refusal::CodeTooOften { retry_after },
        IssueRefusal::DailyLimit { retry_after } => Refusal::CodeDailyLimit { retry_after },
    }
}

fn refuse_check(refusal: CheckRefusal) -> Refusal {
    match refusal {
        CheckRefusal::Wrong => Refusal::CodeWrong,
        CheckRefusal::Expired => Refusal::CodeExpired,
        CheckRefusal::Locked { retry_after } => Refusal::LoginLocked { retry_after },
    }
}
