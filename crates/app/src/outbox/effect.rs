//! The kinds of effects that commits have outside of SQL, and how each happens.
//!
//! Every effect may happen twice, or late, and reads the present state instead of carrying one.

use domain::VoucherId;
use storage::check_ins::CheckedIn;
use storage::flash_sales::OrderBuried;
use storage::follows::FollowChanged;
use storage::note_likes::LikeChanged;
use storage::notes::{NoteDeleted, NotePublished};
use storage::orders::PieceReturned;
use storage::outbox::OutboxRow;
use storage::payments::RefundDue;
use storage::shops::ShopChanged;
use storage::users::UserChanged;
use storage::vouchers::SaleChanged;
use thiserror::Error;

use crate::{App, Error, account, check_ins, feed, flash_sales, follows, notes, payments, shops};

#[derive(Debug)]
pub(super) enum Effect {
    CheckedIn(CheckedIn),
    ShopChanged(ShopChanged),
    UserChanged(UserChanged),
    SaleChanged(SaleChanged),
    OrderBuried(OrderBuried),
    PiecesReturned {
        sale: VoucherId,
        pieces: Vec<PieceReturned>,
    },
    RefundDue(RefundDue),
    NotePublished(NotePublished),
    NoteDeleted(NoteDeleted),
    LikeChanged(LikeChanged),
    FollowChanged(FollowChanged),
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
            SaleChanged::KIND => Ok(Self::SaleChanged(serde_json::from_str(&row.payload)?)),
            OrderBuried::KIND => Ok(Self::OrderBuried(serde_json::from_str(&row.payload)?)),
            PieceReturned::KIND => {
                let piece: PieceReturned = serde_json::from_str(&row.payload)?;
                let (sale, pieces) = (piece.voucher, vec![piece]);
                Ok(Self::PiecesReturned { sale, pieces })
            }
            RefundDue::KIND => Ok(Self::RefundDue(serde_json::from_str(&row.payload)?)),
            NotePublished::KIND => Ok(Self::NotePublished(serde_json::from_str(&row.payload)?)),
            NoteDeleted::KIND => Ok(Self::NoteDeleted(serde_json::from_str(&row.payload)?)),
            LikeChanged::KIND => Ok(Self::LikeChanged(serde_json::from_str(&row.payload)?)),
            FollowChanged::KIND => Ok(Self::FollowChanged(serde_json::from_str(&row.payload)?)),
            unknown => Err(EffectError::UnknownKind(unknown.to_owned())),
        }
    }

    pub(super) async fn happen(&self, app: &App) -> Result<(), Error> {
        match self {
            Self::CheckedIn(told) => check_ins::follow_check_in(app, told).await,
            Self::ShopChanged(change) => shops::follow_change(app, change).await,
            Self::UserChanged(change) => account::follow_change(app, change).await,
            Self::SaleChanged(change) => flash_sales::follow_change(app, change).await,
            Self::OrderBuried(buried) => flash_sales::follow_burial(app, buried).await,
            Self::PiecesReturned { pieces, .. } => flash_sales::follow_returns(app, pieces).await,
            Self::RefundDue(due) => payments::follow_refund(app, due).await,
            Self::NotePublished(told) => {
                notes::follow_publication(app, told).await?;
                feed::follow_publication(app, told).await
            }
            Self::NoteDeleted(told) => notes::follow_deletion(app, told).await,
            Self::LikeChanged(told) => notes::follow_like(app, told).await,
            Self::FollowChanged(change) => follows::follow_change(app, change).await,
        }
    }
}

/// The kind as a label of a figure: a closed list, whatever the table holds.
pub(super) fn label(kind: &str) -> &'static str {
    match kind {
        CheckedIn::KIND => CheckedIn::KIND,
        ShopChanged::KIND => ShopChanged::KIND,
        UserChanged::KIND => UserChanged::KIND,
        SaleChanged::KIND => SaleChanged::KIND,
        OrderBuried::KIND => OrderBuried::KIND,
        PieceReturned::KIND => PieceReturned::KIND,
        RefundDue::KIND => RefundDue::KIND,
        NotePublished::KIND => NotePublished::KIND,
        NoteDeleted::KIND => NoteDeleted::KIND,
        LikeChanged::KIND => LikeChanged::KIND,
        FollowChanged::KIND => FollowChanged::KIND,
        _ => "unknown",
    }
}
