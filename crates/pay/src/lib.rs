//! Payment providers behind one interface: make a link, believe a callback, query, close, refund.
//!
//! [`Provider`] is the whole of it; [`Sandbox`] plays a cashier for development and tests, [`Alipay`] is paid in earnest.
//! The crate keeps no orders and decides nothing about them. Its promises:
//!
//! * What is not signed is not believed: neither a field of a callback nor an answer of the gateway.
//! * What is not known is not called failed: see [`QueryOutcome`], [`CloseOutcome`] and [`RefundOutcome`].
//! * The same refund number is the same refund.
//! * Keys do not print, and nothing about a buyer is read.
//!
//! And what it leaves to its caller, who alone can do it: to compare the amount of a [`Notice`] or [`Payment`] with the
//! order, to tell a repeated notice by its `provider_ref`, to acknowledge only what is stored, and to ask again.

mod alipay;
mod clock;
mod error;
mod form;
mod ids;
mod meter;
mod money;
mod notice;
mod outcome;
mod provider;
mod request;
mod sandbox;
mod secret;

pub use alipay::{
    Alipay, AlipaySettings, DEFAULT_TIMEOUT, PRODUCTION_GATEWAY, SANDBOX_GATEWAY, Trust,
};
pub use error::{CallbackError, CreateError, SetupError};
pub use form::MAX_CALLBACK_BYTES;
pub use ids::{BadNumber, MAX_NUMBER_LEN, OutTradeNo, RefundNo};
pub use money::MAX_AMOUNT_CENTS;
pub use notice::{Notice, NoticeOutcome};
pub use outcome::{
    CloseOutcome, Doubt, Payment, QueryOutcome, Refund, RefundOutcome, Refusal, RefusalKind,
};
pub use provider::{Acknowledgement, Provider};
pub use request::{Device, MAX_SUBJECT_CHARS, MAX_URL_LEN, PaymentRequest, Redirect};
pub use sandbox::{
    Act, Book, BookError, Callback, CashierError, CashierRefusal, LATE_BY, LinkError, MemoryBook,
    Sandbox, SandboxSettings, Ticket, Trade,
};
pub use secret::Secret;
