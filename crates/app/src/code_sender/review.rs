//! What a look at a sender's credentials finds, without sending anything.

use super::{SenderError, SenderName};

#[derive(Debug)]
pub struct SenderReview {
    pub sender: SenderName,
    pub outcome: Result<Review, SenderError>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Review {
    /// The credentials are accepted; each item as the gateway has it.
    Accepted(Vec<(ReviewedItem, ItemState)>),
    /// This sender cannot be called without sending.
    WouldSend,
}

/// What must be approved before messages go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewedItem {
    Sign,
    Template,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemState {
    Approved,
    UnderReview,
    Rejected,
    /// The account has none of this name or number.
    Missing,
    /// A template whose variables are not those that the settings fill.
    OtherVariables,
    /// The settings do not name what the gateway asks for.
    NotNamed,
}
