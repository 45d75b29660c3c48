//! Payment providers behind one interface: create a link, verify a callback, query, close, refund.
//!
//! [`Provider`] is the interface; [`Sandbox`] simulates a cashier for development and tests, [`Alipay`] moves real money.
//! The crate stores no orders and decides nothing about them. Its guarantees:
//!
//! * Unsigned data is ignored: in callbacks and in replies of the gateway.
//! * An unknown outcome is never reported as failed: see [`QueryOutcome`], [`CloseOutcome`] and [`RefundOutcome`].
//! * Refunds are idempotent by their number.
//! * Keys do not print, and no field about a buyer is read.
//!
//! Its caller must compare the amount of a [`PaymentNotification`] or [`Payment`] with the order, recognise a repeated
//! notification by its `provider_ref`, acknowledge only what is stored, and repeat calls whose outcome is unknown.

mod alipay;
mod clock;
mod error;
mod form;
mod ids;
mod meter;
mod money;
mod notification;
mod outcome;
mod provider;
mod request;
mod sandbox;

pub use alipay::{
    Alipay, AlipaySettings, DEFAULT_TIMEOUT, PRODUCTION_GATEWAY, SANDBOX_GATEWAY, Trust,
};
pub use error::{CallbackError, CreateError, SetupError};
pub use form::MAX_CALLBACK_BYTES;
pub use ids::{BadNumber, MAX_NUMBER_LEN, OutTradeNo, RefundNo};
pub use money::MAX_AMOUNT_CENTS;
pub use notification::{NotifiedStatus, PaymentNotification};
pub use outcome::{
    CloseOutcome, Payment, QueryOutcome, Refund, RefundOutcome, Refusal, RefusalKind, UnknownCause,
};
pub use provider::{Acknowledgement, Provider};
pub use request::{Device, MAX_SUBJECT_CHARS, MAX_URL_LEN, PaymentRequest, Redirect};
pub use sandbox::{
    Callback, CashierAction, CashierError, CashierLinkError, CashierRefusal, LATE_BY, LinkPayload,
    MemoryTradeStore, Sandbox, SandboxSettings, Trade, TradeStore, TradeStoreError,
};
