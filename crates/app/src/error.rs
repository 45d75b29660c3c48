//! The only error HTTP sees.

use std::sync::Arc;
use std::time::Duration;

use cache::CacheError;
use domain::{
    InvalidNote, InvalidProfile, InvalidShop, InvalidVoucher, NoteId, OrderId, OrderStatus,
};
use flash::{IdError, LedgerError, LoadError, StartError, StateError};
use link::LinkError;
use pictures::FileStoreError;
use thiserror::Error;

use crate::account::NumberQuestion;
use crate::code_sender::SenderError;
use crate::payments::PaymentError;

#[derive(Debug, Error)]
pub enum Error {
    /// An expected "no" for the user to read.
    #[error("refused")]
    Refused(Refusal),
    /// A rate limit of an address, a user or the site.
    #[error("too many requests")]
    TooMany { retry_after: Duration },
    /// The gate cannot decide at the moment.
    #[error("the sale is busy")]
    SaleBusy { retry_after: Duration },
    /// The outcome of the claim is unknown; if it was granted, this is the order.
    #[error("the outcome of the claim is not known yet")]
    Processing(OrderId),
    #[error("the key of this request was used for another one")]
    IdempotencyMismatch,
    /// A request with the same key is in progress.
    #[error("the same request is being worked on")]
    InProgress { retry_after: Duration },
    /// All slots are taken.
    #[error("all slots are taken")]
    Busy { retry_after: Duration },
    #[error("no order id available")]
    OrderId(#[from] IdError),
    /// Ids are issued once, so this is a bug.
    #[error("the new order id {0} belongs to another order")]
    OrderIdTaken(OrderId),
    #[error("a payment could not be dealt with")]
    Payment(#[from] PaymentError),
    #[error("the picture store failed")]
    PictureFileStore(#[from] FileStoreError),
    #[error("SQL failed")]
    Storage(#[from] storage::Error),
    #[error("Redis failed")]
    Kv(#[from] kv::Error),
    #[error("a cached row could not be loaded")]
    Cache(#[from] CacheError<storage::Error>),
    #[error("Redis could not be updated")]
    Announce(#[source] LinkError),
    #[error("a sale could not be read")]
    Look(#[from] StateError),
    #[error("the gate of a sale could not be updated")]
    Gate(#[from] LoadError),
    #[error("flash sales cannot start")]
    Settle(#[source] StartError),
    #[error("a shared load failed")]
    Shared(#[source] Arc<Error>),
    #[error("a lock could not be acquired")]
    Lock(#[from] lock::Error),
    #[error("the code could not be delivered")]
    Sender(#[from] SenderError),
}

/// An expected refusal, with what the user needs to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    PhoneInvalid,
    EmailInvalid,
    /// The site's sender reaches e-mail only.
    PhoneUnsupported,
    /// The site's sender reaches phones only.
    EmailUnsupported,
    /// The SMS gateway refuses the number: it does not exist, or its owner has unsubscribed.
    PhoneUnreachable,
    /// The SMS gateway has sent the number as many messages as it allows.
    PhoneMessageLimit,
    CodeTooOften {
        retry_after: Duration,
    },
    CodeDailyLimit {
        retry_after: Duration,
    },
    LoginLocked {
        retry_after: Duration,
    },
    CodeWrong,
    CodeExpired,
    PasswordLoginOff,
    /// Also for an unknown contact, a user without a password and a blocked one.
    PasswordWrong,
    OldPasswordWrong,
    /// Changing or removing a password takes the old one or a code.
    PasswordNeeded,
    PasswordInvalid,
    UserBlocked,
    /// The account is being deleted.
    AccountClosing,
    /// Money or shops are in the way of deleting the account.
    AccountNotSettled,
    /// It takes a code, or a sign-in of a moment ago.
    ConfirmationNeeded,
    /// The phone number or e-mail address is another account's.
    ContactTaken,
    /// The account has other contacts than the caller saw.
    ContactChanged,
    /// An account keeps one contact.
    LastContact,
    /// What would change a demo account for everybody else.
    DemoAccount,
    /// Signing in by a number that may have been given to somebody else: whose is the account?
    NumberInQuestion(Box<NumberQuestion>),
    /// The address proves another account than the one in question.
    NotThatAccount,
    /// A word is not enough, and the site has no other proof to ask for.
    OperatorNeeded,
    /// The ticket is unknown, used or out of date.
    TicketExpired,
    ProfileInvalid(InvalidProfile),
    SessionNotFound,
    /// Signed in but not permitted.
    Forbidden,
    ShopNotFound,
    ShopIdMissing,
    ShopInvalid(InvalidShop),
    VoucherNotFound,
    VoucherInvalid(InvalidVoucher),
    /// More units are sold than the sale would have.
    StockSold,
    SoldOut,
    AlreadyBought(OrderId),
    NotStarted,
    Ended,
    ClaimTokenInvalid,
    OrderNotFound,
    /// Dead-lettered: the gate granted it, SQL could not record it, and its unit was returned.
    OrderFailed,
    /// The order's status does not allow it.
    OrderStatus(OrderStatus),
    VoucherOffShelf,
    /// The caller has reached the limit on unpaid orders.
    TooManyUnpaid,
    /// Sold in a flash sale: it must be claimed.
    VoucherIsFlashSale,
    PayTypeUnsupported,
    BalanceTooSmall,
    /// The payment deadline has passed.
    PayTooLate,
    /// The order was paid elsewhere; nothing to refund here.
    NothingPaid,
    PaymentNotFound,
    PaymentClosed,
    RedeemCodeUnknown,
    RedeemWrongShop,
    RedeemUsed,
    RedeemRefunded,
    SelfFollow,
    UserNotFound,
    /// The caller has reached the limit on followees.
    FollowLimit,
    SelfBlock,
    /// The caller has reached the limit on blocked people.
    BlockLimit,
    /// The caller blocks the person.
    PersonBlocked,
    /// The person blocks the caller, who is not told so.
    InteractionRefused,
    /// The caller has reached the limit on favourite shops.
    FavouriteLimit,
    /// The caller has reached the limit on favourite notes.
    FavouriteNoteLimit,
    FavouriteListNotFound,
    FavouriteListNameInvalid,
    /// Another list of the caller has the name.
    FavouriteListNameTaken,
    /// The caller has reached the limit on lists.
    FavouriteListLimit,
    NoteNotFound,
    NoteInvalid(InvalidNote),
    /// The key of the draft has made this note, with another text.
    NoteAlreadyPublished(NoteId),
    /// Its author changed the note since the caller read it.
    NoteChanged,
    /// Larger than any note, or with pictures that are not the site's.
    NoteDraftInvalid,
    /// Another device saved the draft since this one read it.
    NoteDraftChanged,
    /// Another device deleted the draft.
    NoteDraftGone,
    /// The caller has reached the limit on drafts.
    NoteDraftLimit,
    CommentNotFound,
    CommentInvalid,
    /// More people are mentioned than a note may.
    NoteMentionsTooMany,
    /// More people are mentioned than a comment may.
    CommentMentionsTooMany,
    /// A name that no picture of the site has.
    NoSuchPicture,
    PictureInUse,
    /// Another user uploaded the picture, or something else uses it.
    PictureNotYours,
    /// The caller has reached the limit on pictures.
    TooManyPictures,
    /// The caller has reached the limit on concurrent uploads.
    TooManyUploads,
    ImageUnsupported,
    ImageTooLarge,
}

impl Error {
    /// Whether a dependency is unavailable, so that a retry later makes sense.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Refused(_)
            | Self::TooMany { .. }
            | Self::IdempotencyMismatch
            | Self::InProgress { .. }
            | Self::OrderIdTaken(_) => false,
            Self::SaleBusy { .. } | Self::Processing(_) | Self::Busy { .. } | Self::OrderId(_) => {
                true
            }
            Self::Payment(error) => error.is_outage(),
            Self::Storage(error) => error.is_unavailable(),
            Self::Kv(error) => error.is_outage(),
            Self::Cache(CacheError::Loader(error)) => error.is_unavailable(),
            Self::Cache(CacheError::Abandoned) => false,
            Self::Announce(error) => error.is_outage(),
            Self::Shared(error) => error.is_outage(),
            Self::Settle(StartError::Ledger(error)) => matches!(error, LedgerError::Unavailable(_)),
            Self::Settle(_) => false,
            Self::Look(StateError::Gate(error)) => error.is_outage(),
            Self::Look(StateError::Ledger(error)) => matches!(error, LedgerError::Unavailable(_)),
            Self::Look(_) => false,
            // Nothing that a later release of the cache may add is known to be permanent.
            Self::Cache(_)
            | Self::Gate(_)
            | Self::Lock(_)
            | Self::PictureFileStore(_)
            | Self::Sender(_) => true,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
