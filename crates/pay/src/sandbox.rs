//! A built-in provider that simulates a cashier, for development, demonstrations and tests.
//!
//! It behaves like a real one where that matters: the link is signed and carries the whole request; a payment is unknown
//! until its link is opened; callbacks are signed forms with Alipay's fields, are repeated, and may be late. The caller
//! serves the page and sends the callbacks:
//!
//! 1. [`Sandbox::create`] makes a link to the page of the settings.
//! 2. The page hands its query string to [`Sandbox::open`] and shows the [`Trade`].
//! 3. A button hands it to [`Sandbox::act`] and sends what comes back, each [`Callback`] not before its time, until it is
//!    acknowledged. [`Sandbox::callbacks`] tells them again after a restart.
//!
//! Every holder of a link can pay with it, and no money moves: production settings must refuse this provider.

mod callback;
mod form_signer;
mod link_payload;
mod trade;
mod trade_store;

use std::sync::Arc;

use jiff::Timestamp;
use secrecy::SecretString;
use thiserror::Error;

pub use callback::Callback;
pub use link_payload::LinkPayload;
pub use trade::{CashierAction, CashierRefusal, LATE_BY, Trade};
pub use trade_store::{MemoryTradeStore, TradeStore, TradeStoreError};

use crate::notification::Merchant;
use crate::{
    CallbackError, CloseOutcome, CreateError, OutTradeNo, PaymentNotification, PaymentRequest,
    QueryOutcome, Redirect, RefundNo, RefundOutcome, RefusalKind, SetupError, UnknownCause,
};
use form_signer::{FormSigner, Purpose};

/// A trade has one buyer and a few servers; more concurrent changes than this mean a broken store.
const MAX_ROUNDS: usize = 16;

/// Both the application and the seller of all sandbox trades.
const NAME: &str = "sandbox";

#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// Address of the page that plays the cashier, without a query.
    pub cashier_url: String,
    /// At least 32 bytes, the same in all processes of a site.
    pub secret: SecretString,
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sandbox {
    cashier_url: String,
    signer: FormSigner,
    merchant: Merchant,
    store: Arc<dyn TradeStore>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CashierLinkError {
    #[error("the link is not one of ours")]
    Forged,
    #[error("the link was made by another version")]
    Outdated,
}

#[derive(Debug, Error)]
pub enum CashierError {
    #[error(transparent)]
    Link(#[from] CashierLinkError),
    #[error(transparent)]
    Refused(#[from] CashierRefusal),
    #[error("another link under the same number asks for another amount")]
    OtherAmount,
    #[error("the cashier is out of order")]
    Unavailable(#[source] UnknownCause),
}

impl Sandbox {
    pub fn new(settings: SandboxSettings, store: Arc<dyn TradeStore>) -> Result<Self, SetupError> {
        let merchant = Merchant {
            app_id: NAME.to_owned(),
            seller_id: NAME.to_owned(),
        };
        Ok(Self {
            cashier_url: settings.cashier_url,
            signer: FormSigner::new(settings.secret)?,
            merchant,
            store,
        })
    }

    pub fn create(&self, request: &PaymentRequest) -> Result<Redirect, CreateError> {
        request.check(Timestamp::now())?;
        let query = self
            .signer
            .sign(LinkPayload::of(request).to_form(), Purpose::Link);
        Ok(Redirect {
            url: format!("{}?{query}", self.cashier_url),
        })
    }

    /// Verifies a link and returns its payload, without opening it.
    pub fn read_link(&self, query: &str) -> Result<LinkPayload, CashierLinkError> {
        let opened = self.signer.verify(query.as_bytes(), Purpose::Link);
        let signed = opened.map_err(|_| CashierLinkError::Forged)?;
        LinkPayload::from_form(&signed)
    }

    /// Opens a link and returns its trade; the first call creates the trade.
    pub async fn open(&self, query: &str) -> Result<Trade, CashierError> {
        let payload = self.read_link(query)?;
        for _ in 0..MAX_ROUNDS {
            if let Some(trade) = self.load(&payload.out_trade_no).await? {
                let same = trade.link_payload().amount_cents == payload.amount_cents;
                return same.then_some(trade).ok_or(CashierError::OtherAmount);
            }
            let trade = Trade::opened(payload.clone());
            if self.store(&trade).await? {
                return Ok(trade);
            }
        }
        Err(UnknownCause::Contended.into())
    }

    /// Applies the buyer's action and returns the callbacks to send.
    pub async fn apply(
        &self,
        query: &str,
        action: CashierAction,
        now: Timestamp,
    ) -> Result<Vec<Callback>, CashierError> {
        for _ in 0..MAX_ROUNDS {
            let trade = self.open(query).await?;
            let next = trade.apply(action, now)?;
            if next == trade || self.store(&next).await? {
                return Ok(callback::callbacks(&next, &self.signer));
            }
        }
        Err(UnknownCause::Contended.into())
    }

    /// All callbacks of a trade, to send them again.
    pub async fn callbacks(
        &self,
        out_trade_no: &OutTradeNo,
    ) -> Result<Vec<Callback>, UnknownCause> {
        let trade = self.load(out_trade_no).await?;
        Ok(trade.map_or_else(Vec::new, |trade| callback::callbacks(&trade, &self.signer)))
    }

    pub fn verify_callback(&self, body: &[u8]) -> Result<PaymentNotification, CallbackError> {
        let signed = self.signer.verify(body, Purpose::Callback)?;
        PaymentNotification::read(&signed, &self.merchant)
    }

    pub async fn query(&self, out_trade_no: &OutTradeNo) -> QueryOutcome {
        match self.load(out_trade_no).await {
            Ok(Some(trade)) => trade.query(Timestamp::now()),
            Ok(None) => QueryOutcome::NotFound,
            Err(cause) => QueryOutcome::Unknown(cause),
        }
    }

    pub async fn close(&self, out_trade_no: &OutTradeNo) -> CloseOutcome {
        let step = |trade: &Trade| trade.close(Timestamp::now());
        match self.change(out_trade_no, step).await {
            Ok(Some(outcome)) => outcome,
            Ok(None) => CloseOutcome::NotFound,
            Err(cause) => CloseOutcome::Unknown(cause),
        }
    }

    pub async fn refund(
        &self,
        out_trade_no: &OutTradeNo,
        refund_no: &RefundNo,
        amount_cents: u64,
    ) -> RefundOutcome {
        let step = |trade: &Trade| trade.refund(refund_no, amount_cents, Timestamp::now());
        match self.change(out_trade_no, step).await {
            Ok(Some(outcome)) => outcome,
            Ok(None) => trade::refused(RefusalKind::NotFound),
            Err(cause) => RefundOutcome::Unknown(cause),
        }
    }

    /// Applies the step to the stored trade, and retries after a concurrent change.
    async fn change<R>(
        &self,
        out_trade_no: &OutTradeNo,
        step: impl Fn(&Trade) -> (Trade, R),
    ) -> Result<Option<R>, UnknownCause> {
        for _ in 0..MAX_ROUNDS {
            let Some(trade) = self.load(out_trade_no).await? else {
                return Ok(None);
            };
            let (next, reply) = step(&trade);
            if next == trade || self.store(&next).await? {
                return Ok(Some(reply));
            }
        }
        Err(UnknownCause::Contended)
    }

    async fn load(&self, out_trade_no: &OutTradeNo) -> Result<Option<Trade>, UnknownCause> {
        self.store
            .load(out_trade_no)
            .await
            .map_err(UnknownCause::TradeStore)
    }

    async fn store(&self, trade: &Trade) -> Result<bool, UnknownCause> {
        self.store
            .store(trade)
            .await
            .map_err(UnknownCause::TradeStore)
    }
}

impl From<UnknownCause> for CashierError {
    fn from(cause: UnknownCause) -> Self {
        Self::Unavailable(cause)
    }
}
