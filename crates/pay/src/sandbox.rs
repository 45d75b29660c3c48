//! The built-in provider that plays the cashier, for development, demonstrations and tests.
//!
//! It behaves like a real one where that matters: the link is signed and carries the whole request; nothing is known of
//! a payment until its link is opened; callbacks are signed forms in Alipay's words, come again, and may come late. The
//! page itself, and the sending of callbacks, belong to whoever serves it:
//!
//! 1. [`Sandbox::create`] makes a link to the page of the settings.
//! 2. The page hands its query string to [`Sandbox::open`] and shows the [`Trade`].
//! 3. A button hands it to [`Sandbox::act`] and sends what comes back, each [`Callback`] not before its time, until it is
//!    acknowledged. [`Sandbox::callbacks`] tells them again after a restart.
//!
//! Whoever holds a link can pay with it, and nobody's money moves: production settings must refuse this provider.

mod book;
mod callback;
mod seal;
mod ticket;
mod trade;

use std::sync::Arc;

use jiff::Timestamp;
use thiserror::Error;

pub use book::{Book, BookError, MemoryBook};
pub use callback::Callback;
pub use ticket::Ticket;
pub use trade::{Act, CashierRefusal, LATE_BY, Trade};

use crate::notice::Merchant;
use crate::{
    CallbackError, CloseOutcome, CreateError, Doubt, Notice, OutTradeNo, PaymentRequest,
    QueryOutcome, Redirect, RefundNo, RefundOutcome, RefusalKind, Secret, SetupError,
};
use seal::{Purpose, Seal};

/// A trade has one person at the cashier and a few servers; more rounds than this mean a broken book.
const MAX_ROUNDS: usize = 16;

/// Both the application and the seller of all sandbox trades.
const NAME: &str = "sandbox";

#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// Address of the page that plays the cashier, without a query.
    pub cashier_url: String,
    /// At least 32 bytes, the same in all processes of a site.
    pub secret: Secret,
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sandbox {
    cashier_url: String,
    seal: Seal,
    merchant: Merchant,
    book: Arc<dyn Book>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    #[error("the link is not one of ours")]
    Forged,
    #[error("the link was made by another version")]
    Outdated,
}

#[derive(Debug, Error)]
pub enum CashierError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Refused(#[from] CashierRefusal),
    #[error("another link under the same number asks for another amount")]
    OtherAmount,
    #[error("the cashier is out of order")]
    Unavailable(#[source] Doubt),
}

impl Sandbox {
    pub fn new(settings: SandboxSettings, book: Arc<dyn Book>) -> Result<Self, SetupError> {
        let merchant = Merchant {
            app_id: NAME.to_owned(),
            seller_id: NAME.to_owned(),
        };
        Ok(Self {
            cashier_url: settings.cashier_url,
            seal: Seal::new(settings.secret)?,
            merchant,
            book,
        })
    }

    pub fn create(&self, request: &PaymentRequest) -> Result<Redirect, CreateError> {
        request.check(Timestamp::now())?;
        let query = self
            .seal
            .close(Ticket::of(request).to_form(), Purpose::Link);
        Ok(Redirect {
            url: format!("{}?{query}", self.cashier_url),
        })
    }

    /// What a link says, without opening it.
    pub fn read_link(&self, query: &str) -> Result<Ticket, LinkError> {
        let opened = self.seal.open(query.as_bytes(), Purpose::Link);
        let signed = opened.map_err(|_| LinkError::Forged)?;
        Ticket::from_form(&signed)
    }

    /// The trade behind a link; the first who opens it makes the sandbox know of it.
    pub async fn open(&self, query: &str) -> Result<Trade, CashierError> {
        let ticket = self.read_link(query)?;
        for _ in 0..MAX_ROUNDS {
            if let Some(trade) = self.load(&ticket.out_trade_no).await? {
                let same = trade.ticket().amount_cents == ticket.amount_cents;
                return same.then_some(trade).ok_or(CashierError::OtherAmount);
            }
            let trade = Trade::opened(ticket.clone());
            if self.store(&trade).await? {
                return Ok(trade);
            }
        }
        Err(Doubt::Contended.into())
    }

    /// Does what the person chose, and gives the callbacks that follow from it.
    pub async fn act(
        &self,
        query: &str,
        act: Act,
        now: Timestamp,
    ) -> Result<Vec<Callback>, CashierError> {
        for _ in 0..MAX_ROUNDS {
            let trade = self.open(query).await?;
            let next = trade.act(act, now)?;
            if next == trade || self.store(&next).await? {
                return Ok(callback::callbacks(&next, &self.seal));
            }
        }
        Err(Doubt::Contended.into())
    }

    /// All callbacks of a trade, for sending them again.
    pub async fn callbacks(&self, out_trade_no: &OutTradeNo) -> Result<Vec<Callback>, Doubt> {
        let trade = self.load(out_trade_no).await?;
        Ok(trade.map_or_else(Vec::new, |trade| callback::callbacks(&trade, &self.seal)))
    }

    pub fn verify_callback(&self, body: &[u8]) -> Result<Notice, CallbackError> {
        let signed = self.seal.open(body, Purpose::Callback)?;
        Notice::read(&signed, &self.merchant)
    }

    pub async fn query(&self, out_trade_no: &OutTradeNo) -> QueryOutcome {
        match self.load(out_trade_no).await {
            Ok(Some(trade)) => trade.query(Timestamp::now()),
            Ok(None) => QueryOutcome::NotFound,
            Err(doubt) => QueryOutcome::Unknown(doubt),
        }
    }

    pub async fn close(&self, out_trade_no: &OutTradeNo) -> CloseOutcome {
        let step = |trade: &Trade| trade.close(Timestamp::now());
        match self.change(out_trade_no, step).await {
            Ok(Some(outcome)) => outcome,
            Ok(None) => CloseOutcome::NotFound,
            Err(doubt) => CloseOutcome::Unknown(doubt),
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
            Err(doubt) => RefundOutcome::Unknown(doubt),
        }
    }

    /// Takes the step on the trade as it is, as often as others change it in between.
    async fn change<R>(
        &self,
        out_trade_no: &OutTradeNo,
        step: impl Fn(&Trade) -> (Trade, R),
    ) -> Result<Option<R>, Doubt> {
        for _ in 0..MAX_ROUNDS {
            let Some(trade) = self.load(out_trade_no).await? else {
                return Ok(None);
            };
            let (next, reply) = step(&trade);
            if next == trade || self.store(&next).await? {
                return Ok(Some(reply));
            }
        }
        Err(Doubt::Contended)
    }

    async fn load(&self, out_trade_no: &OutTradeNo) -> Result<Option<Trade>, Doubt> {
        self.book.load(out_trade_no).await.map_err(Doubt::Book)
    }

    async fn store(&self, trade: &Trade) -> Result<bool, Doubt> {
        self.book.store(trade).await.map_err(Doubt::Book)
    }
}

impl From<Doubt> for CashierError {
    fn from(doubt: Doubt) -> Self {
        Self::Unavailable(doubt)
    }
}
