//! The sandbox from the link to the refund, as a server would use it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use pay::{
    CallbackError, CashierAction, CashierError, CashierLinkError, CashierRefusal, CloseOutcome,
    MemoryTradeStore, NotifiedStatus, OutTradeNo, Provider, QueryOutcome, RefundOutcome, Sandbox,
    SandboxSettings, SetupError, Trade, TradeStore, TradeStoreError, UnknownCause,
};
use secrecy::SecretString;

use crate::fixture::{form_headers, number, refund_no, request};

fn sandbox_with(secret: &str, store: Arc<dyn TradeStore>) -> Sandbox {
    let settings = SandboxSettings {
        cashier_url: "https://shop.example/sandbox/cashier".to_owned(),
        secret: SecretString::from(secret),
    };
    Sandbox::new(settings, store).unwrap()
}

fn sandbox() -> Sandbox {
    sandbox_with(&"s".repeat(32), Arc::new(MemoryTradeStore::default()))
}

fn link(sandbox: &Sandbox, out_trade_no: &str) -> String {
    let redirect = sandbox.create(&request(out_trade_no)).unwrap();
    assert!(
        redirect
            .url
            .starts_with("https://shop.example/sandbox/cashier?")
    );
    redirect.query().to_owned()
}

#[tokio::test]
async fn a_payment_goes_from_the_link_to_the_refund() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S1");
    let provider = Provider::Sandbox(sandbox.clone());
    assert!(matches!(
        provider.query(&number("S1")).await,
        QueryOutcome::NotFound
    ));
    let trade = sandbox.open(&query).await.unwrap();
    assert_eq!(trade.link_payload().amount_cents, 8800);
    assert!(matches!(
        provider.query(&number("S1")).await,
        QueryOutcome::Waiting
    ));

    let callbacks = sandbox
        .apply(&query, CashierAction::Pay, Timestamp::now())
        .await
        .unwrap();
    assert_eq!(callbacks.len(), 1);
    assert_eq!(callbacks[0].url, request("S1").notify_url);
    let notification = provider
        .verify_callback(&form_headers(), callbacks[0].body.as_bytes())
        .unwrap();
    assert_eq!(notification.out_trade_no, number("S1"));
    assert_eq!(
        (notification.amount_cents, notification.outcome),
        (8800, NotifiedStatus::Paid)
    );
    let QueryOutcome::Paid(payment) = provider.query(&number("S1")).await else {
        panic!("it is paid");
    };
    assert_eq!(payment.provider_ref, notification.provider_ref);

    for _ in 0..2 {
        let outcome = provider.refund(&number("S1"), &refund_no("R"), 8800).await;
        assert!(matches!(outcome, RefundOutcome::Refunded(_)), "{outcome:?}");
    }
    assert!(matches!(
        provider.query(&number("S1")).await,
        QueryOutcome::Refunded(_)
    ));
}

#[tokio::test]
async fn paying_twice_gives_two_callbacks_that_differ_by_reference() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S2");
    let callbacks = sandbox
        .apply(&query, CashierAction::PayTwice, Timestamp::now())
        .await
        .unwrap();
    let references: Vec<String> = callbacks
        .iter()
        .map(|callback| {
            sandbox
                .verify_callback(callback.body.as_bytes())
                .unwrap()
                .provider_ref
        })
        .collect();
    assert_eq!(references.len(), 2);
    assert_ne!(references[0], references[1]);
    assert_eq!(sandbox.callbacks(&number("S2")).await.unwrap(), callbacks);
}

#[tokio::test]
async fn a_late_payment_is_told_after_the_expiry() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S3");
    let expires_at = sandbox.read_link(&query).unwrap().expires_at;
    let callbacks = sandbox
        .apply(&query, CashierAction::PayLate, Timestamp::now())
        .await
        .unwrap();
    assert!(callbacks[0].not_before > expires_at);
    let outcome = sandbox.close(&number("S3")).await;
    assert!(matches!(outcome, CloseOutcome::Closed), "{outcome:?}");
    assert_eq!(sandbox.callbacks(&number("S3")).await.unwrap(), callbacks);
}

#[tokio::test]
async fn giving_up_is_told_as_closed_and_nothing_more_can_be_paid() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S4");
    let callbacks = sandbox
        .apply(&query, CashierAction::Fail, Timestamp::now())
        .await
        .unwrap();
    let notification = sandbox
        .verify_callback(callbacks[0].body.as_bytes())
        .unwrap();
    assert_eq!(notification.outcome, NotifiedStatus::Closed);
    let refused = sandbox
        .apply(&query, CashierAction::Pay, Timestamp::now())
        .await;
    assert!(matches!(
        refused,
        Err(CashierError::Refused(CashierRefusal::Closed))
    ));
}

#[tokio::test]
async fn an_expired_link_takes_no_payment() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S5");
    let later = Timestamp::now() + SignedDuration::from_mins(16);
    let refused = sandbox.apply(&query, CashierAction::Pay, later).await;
    assert!(matches!(
        refused,
        Err(CashierError::Refused(CashierRefusal::Expired))
    ));
}

#[tokio::test]
async fn a_changed_link_is_refused() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S6");
    for changed in [
        query.replace("88.00", "0.01"),
        query.replace("S6", "S7"),
        query.replace("sign=", "sign=A"),
        query.replace("HMAC-SHA256", "none"),
        String::new(),
    ] {
        assert_eq!(
            sandbox.read_link(&changed),
            Err(CashierLinkError::Forged),
            "{changed}"
        );
    }
    let other = sandbox_with(&"t".repeat(32), Arc::new(MemoryTradeStore::default()));
    assert_eq!(other.read_link(&query), Err(CashierLinkError::Forged));
}

#[tokio::test]
async fn a_link_is_no_callback_and_a_callback_no_link() {
    let sandbox = sandbox();
    let query = link(&sandbox, "S8");
    let as_callback = sandbox.verify_callback(query.as_bytes());
    assert_eq!(as_callback, Err(CallbackError::WrongSignature));
    let callbacks = sandbox
        .apply(&query, CashierAction::Pay, Timestamp::now())
        .await
        .unwrap();
    assert_eq!(
        sandbox.read_link(&callbacks[0].body),
        Err(CashierLinkError::Forged)
    );
}

#[tokio::test]
async fn a_second_link_under_one_number_must_ask_for_the_same_amount() {
    let sandbox = sandbox();
    sandbox.open(&link(&sandbox, "S9")).await.unwrap();
    sandbox.open(&link(&sandbox, "S9")).await.unwrap();
    let mut other = request("S9");
    other.amount_cents = 1;
    let redirect = sandbox.create(&other).unwrap();
    let refused = sandbox.open(redirect.query()).await;
    assert!(matches!(refused, Err(CashierError::OtherAmount)));
}

/// Lets others in between reading and writing.
#[derive(Debug, Default)]
struct BusyBook(MemoryTradeStore);

impl TradeStore for BusyBook {
    fn load<'a>(
        &'a self,
        number: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, TradeStoreError>> {
        Box::pin(async {
            let found = self.0.load(number).await;
            tokio::task::yield_now().await;
            found
        })
    }

    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, TradeStoreError>> {
        self.0.store(trade)
    }
}

#[tokio::test]
async fn refunds_at_the_same_time_give_back_no_more_than_was_paid() {
    let sandbox = sandbox_with(&"s".repeat(32), Arc::new(BusyBook::default()));
    let query = link(&sandbox, "S10");
    sandbox
        .apply(&query, CashierAction::Pay, Timestamp::now())
        .await
        .unwrap();
    let refund = async |number_of_it: u32| {
        let refund_no = refund_no(&format!("R{number_of_it}"));
        sandbox.refund(&number("S10"), &refund_no, 5000).await
    };
    let (first, second) = tokio::join!(refund(1), refund(2));
    let count = [first, second]
        .iter()
        .filter(|outcome| matches!(outcome, RefundOutcome::Refunded(_)))
        .count();
    assert_eq!(count, 1);
    let trade = sandbox.open(&query).await.unwrap();
    assert_eq!(trade.refunds().len(), 1);
}

/// A store that is down.
#[derive(Debug)]
struct BrokenBook;

impl TradeStore for BrokenBook {
    fn load<'a>(
        &'a self,
        _: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, TradeStoreError>> {
        Box::pin(async { Err("down".into()) })
    }

    fn store<'a>(&'a self, _: &'a Trade) -> BoxFuture<'a, Result<bool, TradeStoreError>> {
        Box::pin(async { Err("down".into()) })
    }
}

#[tokio::test]
async fn a_broken_book_is_unknown_and_not_failed() {
    let sandbox = sandbox_with(&"s".repeat(32), Arc::new(BrokenBook));
    let query = sandbox.query(&number("S11")).await;
    assert!(matches!(
        query,
        QueryOutcome::Unknown(UnknownCause::TradeStore(_))
    ));
    let refund = sandbox.refund(&number("S11"), &refund_no("R"), 1).await;
    assert!(matches!(
        refund,
        RefundOutcome::Unknown(UnknownCause::TradeStore(_))
    ));
}

#[test]
fn a_short_secret_is_refused() {
    let settings = SandboxSettings {
        cashier_url: "https://shop.example/sandbox/cashier".to_owned(),
        secret: SecretString::from("s".repeat(31)),
    };
    let refused = Sandbox::new(settings, Arc::new(MemoryTradeStore::default()));
    assert!(matches!(refused, Err(SetupError::ShortSecret(32))));
}
