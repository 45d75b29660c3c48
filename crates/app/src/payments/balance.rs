//! Balances. Credited by the operator or a seed; a top-up through a provider would be one more caller of
//! `storage::payments::top_up`.

use std::collections::HashMap;

use domain::{Contact, OrderId, PayType, UserId};
use kv::Session;
use storage::accounts::{BalanceEntry, BalanceEntryKind};
use storage::orders::Order;
use storage::users::{self, User};
use storage::{accounts, audit, orders, payments};

use crate::{App, Error, Page, PageSize};

/// The provider name of operator credits.
const OPERATOR: &str = "operator";

/// The provider name of the balance that demo accounts begin with.
pub(crate) const DEMO: &str = "demo";

/// The audit action of a credit.
const AUDIT_ACTION: &str = "balance_credited";

const ENTRIES_PER_PAGE: PageSize = PageSize::new(20);

/// What an entry of a balance was booked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingKind {
    /// The balance that a demo account begins with.
    OpeningCredit,
    /// Credited by the operator.
    Credit,
    /// Came in through a provider.
    TopUp,
    Payment,
    Refund,
}

/// An entry of the caller's balance.
#[derive(Clone, Debug)]
pub struct Booking {
    pub kind: BookingKind,
    pub entry: BalanceEntry,
    /// Absent when the balance was topped up.
    pub order: Option<Order>,
}

pub async fn balance_cents(app: &App, session: &Session) -> Result<i64, Error> {
    let cents = accounts::balance_cents(app.db(), session.profile.user_id);
    Ok(cents.await?)
}

/// What was booked on the caller's balance, newest first.
pub async fn list_bookings(
    app: &App,
    session: &Session,
    before: Option<i64>,
) -> Result<Page<Booking, i64>, Error> {
    let (user, rows) = (session.profile.user_id, ENTRIES_PER_PAGE.rows());
    let rows = accounts::list_entries(app.db(), user, before, rows).await?;
    let page = Page::new(rows, ENTRIES_PER_PAGE, |entry| entry.cursor);
    let mut ids: Vec<OrderId> = page.items.iter().filter_map(|entry| entry.order).collect();
    ids.sort_unstable();
    ids.dedup();
    let orders = orders::list_by_ids(app.db(), user, &ids).await?;
    let orders: HashMap<OrderId, Order> = orders.into_iter().map(|it| (it.id, it)).collect();
    let bookings = page.items.iter().map(|entry| Booking {
        kind: BookingKind::of(&entry.kind),
        order: entry.order.and_then(|id| orders.get(&id).cloned()),
        entry: entry.clone(),
    });
    let bookings = bookings.collect();
    Ok(page.map_items(bookings))
}

impl BookingKind {
    fn of(kind: &BalanceEntryKind) -> Self {
        match kind {
            BalanceEntryKind::TopUp { provider } => match provider.as_str() {
                DEMO => Self::OpeningCredit,
                OPERATOR => Self::Credit,
                _ => Self::TopUp,
            },
            BalanceEntryKind::Payment => Self::Payment,
            BalanceEntryKind::Refund => Self::Refund,
        }
    }
}

/// Credits a user's balance for the operator. Idempotent by reference. `None` if no user has this contact.
pub async fn credit(
    app: &App,
    contact: &Contact,
    amount_cents: i64,
    reference: &str,
) -> Result<Option<(User, i64)>, Error> {
    let db = app.db();
    let Some(user) = users::find_by_contact(db, contact).await? else {
        return Ok(None);
    };
    add(app, user.id, amount_cents, OPERATOR, reference).await?;
    let (subject, detail) = (
        format!("user:{}", user.id),
        format!("{amount_cents} cents, {reference}"),
    );
    audit::record(db, None, AUDIT_ACTION, &subject, &detail).await?;
    let balance = accounts::balance_cents(db, user.id).await?;
    Ok(Some((user, balance)))
}

/// Adds to a balance, once per reference.
pub(crate) async fn add(
    app: &App,
    user: UserId,
    amount_cents: i64,
    from: &str,
    reference: &str,
) -> Result<(), storage::Error> {
    let by = PayType::Balance;
    payments::top_up(app.db(), user, amount_cents, by, from, reference).await
}
