//! `/api/site/privacy`, `/api/site/terms`: what the pages about privacy and terms tell.
//!
//! The operator's own document replaces the built-in one, whose words are the web app's; what it says of data comes from the
//! data map, and its numbers from the settings. A document is plain text: pages show it as text, never as HTML.

use std::sync::Arc;

use app::data_uses::{self, DataUse, KeptFor, Remains};
use axum::extract::State;
use serde::Serialize;
use storage::data_map::Purpose;
use utoipa::ToSchema;

use super::cookie;
use super::envelope::{Envelope, Reply};
use super::routes::IN_TABLE;
use super::state::HttpState;

const DAY_SECS: u64 = 24 * 3600;

/// Who runs the site, as far as the operator has said it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Operator)]
struct OperatorView {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
    /// An e-mail address, the address of a page, or any other line of text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    contact: Option<String>,
}

impl OperatorView {
    fn new(state: &HttpState) -> Self {
        let site = &state.settings().site;
        Self {
            name: site.operator_name.clone(),
            contact: site.contact.clone(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Privacy)]
pub(super) struct PrivacyView {
    operator: OperatorView,
    /// The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    document: Option<Arc<str>>,
    /// What personal data is kept for, by purpose.
    uses: Vec<DataUseView>,
    /// How many days one can change one's mind about deleting the account.
    deletion_grace_days: u64,
    /// The longest that a session's cookie stays.
    session_cookie_days: u64,
    /// The longest that the cookie stays by which a device is recognised when a code is asked for.
    device_cookie_days: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DataUse)]
struct DataUseView {
    purpose: PurposeView,
    /// How long it stays while the account exists, the shortest first.
    kept: Vec<KeptForView>,
    /// Whether the download of one's own data has it.
    exported: bool,
    /// Why part of it stays when the account is deleted; absent if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    remains: Option<RemainsView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Purpose)]
enum PurposeView {
    SignIn,
    Profile,
    Content,
    Likes,
    Follows,
    Favourites,
    CheckIns,
    Orders,
    Money,
    Notices,
    Moderation,
    Security,
    AccountDeletion,
    Operation,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = KeptFor)]
struct KeptForView {
    until: KeptUntilView,
    /// For `days`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    days: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = KeptUntil)]
enum KeptUntilView {
    /// Until the work that needs it is done.
    Processed,
    /// So many days.
    Days,
    /// Until its owner deletes it or the account.
    Account,
    /// For good, in the books.
    Books,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Remains)]
enum RemainsView {
    Books,
    Security,
}

impl From<DataUse> for DataUseView {
    fn from(data: DataUse) -> Self {
        Self {
            purpose: data.purpose.into(),
            kept: data.kept.into_iter().map(KeptForView::from).collect(),
            exported: data.is_exported,
            remains: data.remains.map(|remains| match remains {
                Remains::Books => RemainsView::Books,
                Remains::Security => RemainsView::Security,
            }),
        }
    }
}

impl From<KeptFor> for KeptForView {
    fn from(kept: KeptFor) -> Self {
        let (until, days) = match kept {
            KeptFor::Processed => (KeptUntilView::Processed, None),
            KeptFor::Days(days) => (KeptUntilView::Days, Some(days)),
            KeptFor::Account => (KeptUntilView::Account, None),
            KeptFor::Books => (KeptUntilView::Books, None),
        };
        Self { until, days }
    }
}

/// A new purpose needs its words on the privacy page, in both languages: `web/src/legal/words.ts`.
impl From<Purpose> for PurposeView {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::SignIn => Self::SignIn,
            Purpose::Profile => Self::Profile,
            Purpose::Content => Self::Content,
            Purpose::Likes => Self::Likes,
            Purpose::Follows => Self::Follows,
            Purpose::Favourites => Self::Favourites,
            Purpose::CheckIns => Self::CheckIns,
            Purpose::Orders => Self::Orders,
            Purpose::Money => Self::Money,
            Purpose::Notices => Self::Notices,
            Purpose::Moderation => Self::Moderation,
            Purpose::Security => Self::Security,
            Purpose::AccountDeletion => Self::AccountDeletion,
            Purpose::Operation => Self::Operation,
        }
    }
}

/// What the site keeps about people, what for and how long, and who answers for it.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<PrivacyView>)),
)]
pub(super) async fn get_privacy(State(state): State<HttpState>) -> Reply<PrivacyView> {
    let rules = state.app().rules();
    let uses = data_uses::list(state.app()).into_iter();
    Reply::new(PrivacyView {
        operator: OperatorView::new(&state),
        document: state.documents().privacy.clone(),
        uses: uses.map(DataUseView::from).collect(),
        deletion_grace_days: rules.account.deletion_grace.as_secs() / DAY_SECS,
        session_cookie_days: whole_days(rules.session_lifetimes.absolute.as_secs()),
        device_cookie_days: whole_days(cookie::DEVICE_LIFETIME.as_secs()),
    })
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Terms)]
pub(super) struct TermsView {
    operator: OperatorView,
    /// The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    document: Option<Arc<str>>,
    /// How long an unpaid order waits for its payment.
    pay_deadline_secs: u64,
}

/// The terms of use, and who answers for the site.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<TermsView>)),
)]
pub(super) async fn get_terms(State(state): State<HttpState>) -> Reply<TermsView> {
    Reply::new(TermsView {
        operator: OperatorView::new(&state),
        document: state.documents().terms.clone(),
        pay_deadline_secs: state.settings().order.pay_deadline_secs,
    })
}

fn whole_days(secs: u64) -> u64 {
    secs.div_ceil(DAY_SECS)
}
