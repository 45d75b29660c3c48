//! The kinds of effects that commits have outside of SQL, and how each happens.
//!
//! Every effect may happen twice, or late, and reads the present state instead of carrying one.

use storage::outbox::OutboxRow;
use storage::shops::ShopChanged;
use storage::users::UserChanged;
use thiserror::Error;

use crate::{App, Error, account, shops};

#[derive(Debug)]
pub(super) enum Effect {
    ShopChanged(ShopChanged),
    UserChanged(UserChanged),
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
            ShopChanged::KIND => Ok(Self::ShopChanged(serde_json::from_str(&row.payload)?)),
            UserChanged::KIND => Ok(Self::UserChanged(serde_json::from_str(&row.payload)?)),
            unknown => Err(EffectError::UnknownKind(unknown.to_owned())),
        }
    }

    pub(super) async fn happen(&self, app: &App) -> Result<(), Error> {
        match self {
            Self::ShopChanged(change) => shops::follow_change(app, change).await,
            Self::UserChanged(change) => account::follow_change(app, change).await,
        }
    }
}

/// The kind as a label of a figure: a closed list, whatever the table holds.
pub(super) fn label(kind: &str) -> &'static str {
    match kind {
        ShopChanged::KIND => ShopChanged::KIND,
        UserChanged::KIND => UserChanged::KIND,
        _ => "unknown",
    }
}
