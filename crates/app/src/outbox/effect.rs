//! The kinds of side effects of commits, and how each is applied.
//!
//! Every effect may be applied twice or late, and reads the present state instead of carrying one.

use domain::VoucherId;
use storage::account_deletion::AccountErased;
use storage::blocks::BlocksChanged;
use storage::check_ins::CheckedIn;
use storage::comments::CommentChanged;
use storage::flash_sales::OrderDeadLettered;
use storage::follows::FollowChanged;
use storage::note_likes::LikeChanged;
use storage::notes::{NoteDeleted, NotePublished, NoteTextChanged};
use storage::orders::UnitReturned;
use storage::outbox::OutboxRow;
use storage::payments::RefundDue;
use storage::shops::ShopChanged;
use storage::users::{ContactChanged, PasswordChanged, UserChanged};
use storage::vouchers::SaleChanged;
use thiserror::Error;

use crate::{
    App, Error, account, blocks, check_ins, feed, flash_sales, follows, notes, notices, payments,
    shops,
};

#[derive(Debug)]
pub(super) enum Effect {
    CheckedIn(CheckedIn),
    ShopChanged(ShopChanged),
    UserChanged(UserChanged),
    PasswordChanged(PasswordChanged),
    ContactChanged(ContactChanged),
    AccountErased(AccountErased),
    SaleChanged(SaleChanged),
    OrderDeadLettered(OrderDeadLettered),
    UnitsReturned {
        sale: VoucherId,
        units: Vec<UnitReturned>,
    },
    RefundDue(RefundDue),
    NotePublished(NotePublished),
    NoteDeleted(NoteDeleted),
    NoteTextChanged(NoteTextChanged),
    LikeChanged(LikeChanged),
    FollowChanged(FollowChanged),
    CommentChanged(CommentChanged),
    BlocksChanged(BlocksChanged),
}

#[derive(Debug, Error)]
pub(super) enum EffectError {
    #[error("this version does not know the kind {0:?}")]
    UnknownKind(String),
    #[error("the payload cannot be read")]
    Payload(#[from] serde_json::Error),
    #[error("it failed")]
    Failed(#[source] Error),
}

impl Effect {
    pub(super) fn parse(row: &OutboxRow) -> Result<Self, EffectError> {
        match row.kind.as_str() {
            CheckedIn::KIND => Ok(Self::CheckedIn(serde_json::from_str(&row.payload)?)),
            ShopChanged::KIND => Ok(Self::ShopChanged(serde_json::from_str(&row.payload)?)),
            UserChanged::KIND => Ok(Self::UserChanged(serde_json::from_str(&row.payload)?)),
            PasswordChanged::KIND => Ok(Self::PasswordChanged(serde_json::from_str(&row.payload)?)),
            ContactChanged::KIND => Ok(Self::ContactChanged(serde_json::from_str(&row.payload)?)),
            AccountErased::KIND => Ok(Self::AccountErased(serde_json::from_str(&row.payload)?)),
            SaleChanged::KIND => Ok(Self::SaleChanged(serde_json::from_str(&row.payload)?)),
            OrderDeadLettered::KIND => {
                Ok(Self::OrderDeadLettered(serde_json::from_str(&row.payload)?))
            }
            UnitReturned::KIND => {
                let unit: UnitReturned = serde_json::from_str(&row.payload)?;
                let (sale, units) = (unit.voucher, vec![unit]);
                Ok(Self::UnitsReturned { sale, units })
            }
            RefundDue::KIND => Ok(Self::RefundDue(serde_json::from_str(&row.payload)?)),
            NotePublished::KIND => Ok(Self::NotePublished(serde_json::from_str(&row.payload)?)),
            NoteDeleted::KIND => Ok(Self::NoteDeleted(serde_json::from_str(&row.payload)?)),
            NoteTextChanged::KIND => Ok(Self::NoteTextChanged(serde_json::from_str(&row.payload)?)),
            LikeChanged::KIND => Ok(Self::LikeChanged(serde_json::from_str(&row.payload)?)),
            FollowChanged::KIND => Ok(Self::FollowChanged(serde_json::from_str(&row.payload)?)),
            CommentChanged::KIND => Ok(Self::CommentChanged(serde_json::from_str(&row.payload)?)),
            BlocksChanged::KIND => Ok(Self::BlocksChanged(serde_json::from_str(&row.payload)?)),
            unknown => Err(EffectError::UnknownKind(unknown.to_owned())),
        }
    }

    pub(super) async fn apply(&self, app: &App) -> Result<(), Error> {
        match self {
            Self::CheckedIn(event) => check_ins::apply_check_in(app, event).await,
            Self::ShopChanged(change) => shops::apply_change(app, change).await,
            Self::UserChanged(change) => account::apply_change(app, change).await,
            Self::PasswordChanged(change) => account::apply_password_change(app, change).await,
            Self::ContactChanged(change) => account::apply_contact_change(app, change).await,
            Self::AccountErased(erased) => account::apply_erasure(app, erased).await,
            Self::SaleChanged(change) => flash_sales::apply_change(app, change).await,
            Self::OrderDeadLettered(dead_lettered) => {
                flash_sales::apply_dead_letter(app, dead_lettered).await
            }
            Self::UnitsReturned { units, .. } => flash_sales::apply_returns(app, units).await,
            Self::RefundDue(due) => payments::apply_refund(app, due).await,
            Self::NotePublished(event) => {
                notes::apply_publication(app, event).await?;
                feed::apply_publication(app, event).await?;
                notices::apply_publication(app, event.id).await
            }
            Self::NoteDeleted(event) => notes::apply_deletion(app, event).await,
            Self::NoteTextChanged(change) => {
                notes::apply_text_change(app, change.id).await?;
                notices::apply_text_change(app, change).await
            }
            Self::LikeChanged(event) => {
                notes::apply_like(app, event).await?;
                notices::apply_like(app, event).await
            }
            Self::FollowChanged(change) => {
                follows::apply_change(app, change).await?;
                notices::apply_follow(app, change).await
            }
            Self::CommentChanged(change) => notices::apply_comment(app, change).await,
            Self::BlocksChanged(change) => blocks::apply_change(app, change).await,
        }
    }
}

/// The kind as a metric label: a closed list, whatever the table holds.
pub(super) fn label(kind: &str) -> &'static str {
    match kind {
        CheckedIn::KIND => CheckedIn::KIND,
        ShopChanged::KIND => ShopChanged::KIND,
        UserChanged::KIND => UserChanged::KIND,
        PasswordChanged::KIND => PasswordChanged::KIND,
        ContactChanged::KIND => ContactChanged::KIND,
        AccountErased::KIND => AccountErased::KIND,
        SaleChanged::KIND => SaleChanged::KIND,
        OrderDeadLettered::KIND => OrderDeadLettered::KIND,
        UnitReturned::KIND => UnitReturned::KIND,
        RefundDue::KIND => RefundDue::KIND,
        NotePublished::KIND => NotePublished::KIND,
        NoteDeleted::KIND => NoteDeleted::KIND,
        NoteTextChanged::KIND => NoteTextChanged::KIND,
        LikeChanged::KIND => LikeChanged::KIND,
        FollowChanged::KIND => FollowChanged::KIND,
        CommentChanged::KIND => CommentChanged::KIND,
        BlocksChanged::KIND => BlocksChanged::KIND,
        _ => "unknown",
    }
}
