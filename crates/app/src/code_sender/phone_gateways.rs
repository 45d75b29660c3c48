//! Gateways for text messages, in the operator's order: the next one gets the code when one fails.
//!
//! **What is passed on.** The same code, always. It goes to the next gateway when the one before certainly did not
//! accept it (wrong key, no money, quota, not reached), and also when its outcome is unknown (a timeout, a broken answer):
//! two messages with one code do less harm than a person who waits for none. A gateway that refuses the number itself
//! ends the delivery: that answer is the person's to read, and a second gateway must not get round it.
//!
//! **What is kept.** If any gateway may have sent the code, the delivery never counts as not sent, whatever the others
//! said: the code stays valid. A gateway that failed is asked last for a while, so that people do not wait for the
//! timeout of a dead one each time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::Phone;

use super::review::{Review, SenderReview};
use super::{Aliyun, Tencent, Webhook, delivery_metrics};
use super::{CodeMessage, Delivery, SenderError, SenderName};

/// How long a gateway that failed is asked last. Long enough that few people wait for its timeout, short enough that the
/// operator's order holds again soon after a repair.
const REST: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub enum PhoneGateway {
    Aliyun(Aliyun),
    Tencent(Tencent),
    Webhook(Webhook),
}

#[derive(Debug)]
pub struct PhoneGateways(Vec<RankedGateway>);

#[derive(Debug)]
struct RankedGateway {
    gateway: PhoneGateway,
    last_failure: LastFailure,
}

/// Nothing after a success.
#[derive(Debug, Default)]
struct LastFailure(Mutex<Option<Instant>>);

impl PhoneGateways {
    /// `None` without any gateway.
    pub fn new(gateways: Vec<PhoneGateway>) -> Option<Self> {
        let ranked = gateways.into_iter().map(RankedGateway::new);
        let ranked: Vec<_> = ranked.collect();
        (!ranked.is_empty()).then_some(Self(ranked))
    }

    pub(super) async fn send(
        &self,
        phone: &Phone,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let now = Instant::now();
        let order = ready_first(&self.0, |ranked| ranked.last_failure.is_recent(now));
        let (last, earlier) = order.split_last().expect("there is a gateway");
        let mut is_in_doubt = false;
        for ranked in earlier {
            match ranked.send(phone, message).await {
                Ok(delivery) => return settled(delivery, is_in_doubt),
                Err(error) => {
                    is_in_doubt |= error.is_in_doubt();
                    let gateway = ranked.gateway.name().label();
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(gateway, error, "code gateway failed, the next one is tried");
                }
            }
        }
        match last.send(phone, message).await {
            Ok(delivery) => settled(delivery, is_in_doubt),
            Err(error) if is_in_doubt => Err(SenderError::AfterDoubt(Box::new(error))),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn review(&self) -> Vec<SenderReview> {
        let mut reviews = Vec::new();
        for RankedGateway { gateway, .. } in &self.0 {
            reviews.push(SenderReview {
                sender: gateway.name(),
                outcome: gateway.review().await,
            });
        }
        reviews
    }
}

/// As the operator ordered them, those that failed a moment ago last.
fn ready_first<T>(gateways: &[T], is_resting: impl Fn(&T) -> bool) -> Vec<&T> {
    let (resting, ready): (Vec<_>, Vec<_>) = gateways.iter().partition(|it| is_resting(it));
    ready.into_iter().chain(resting).collect()
}

/// A refusal of the number does not undo a message that may be on its way.
fn settled(delivery: Delivery, is_in_doubt: bool) -> Result<Delivery, SenderError> {
    match delivery {
        Delivery::Refused(_) if is_in_doubt => Err(SenderError::AfterDoubt(Box::new(
            SenderError::NumberRefused,
        ))),
        delivery => Ok(delivery),
    }
}

impl RankedGateway {
    fn new(gateway: PhoneGateway) -> Self {
        Self {
            gateway,
            last_failure: LastFailure::default(),
        }
    }

    async fn send(
        &self,
        phone: &Phone,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let delivery = self.gateway.send(phone, message).await;
        delivery_metrics::count(self.gateway.name(), &delivery);
        self.last_failure.set(delivery.is_err().then(Instant::now));
        delivery
    }
}

impl LastFailure {
    fn set(&self, at: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }

    fn is_recent(&self, now: Instant) -> bool {
        let at = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        at.is_some_and(|at| now.saturating_duration_since(at) < REST)
    }
}

impl PhoneGateway {
    fn name(&self) -> SenderName {
        match self {
            Self::Aliyun(_) => SenderName::Aliyun,
            Self::Tencent(_) => SenderName::Tencent,
            Self::Webhook(_) => SenderName::Webhook,
        }
    }

    async fn send(
        &self,
        phone: &Phone,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        match self {
            Self::Aliyun(aliyun) => aliyun.send(phone, message).await,
            Self::Tencent(tencent) => tencent.send(phone, message).await,
            Self::Webhook(webhook) => {
                let sent = webhook.send("phone", phone.as_str(), message).await;
                sent.map(|()| Delivery::Sent)
            }
        }
    }

    async fn review(&self) -> Result<Review, SenderError> {
        match self {
            Self::Aliyun(aliyun) => aliyun.review().await.map(Review::Accepted),
            Self::Tencent(tencent) => tencent.review().await.map(Review::Accepted),
            Self::Webhook(_) => Ok(Review::WouldSend),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NumberRefusal;
    use super::*;

    fn order(failures: &[LastFailure], now: Instant) -> Vec<usize> {
        let places: Vec<usize> = (0..failures.len()).collect();
        let order = ready_first(&places, |place| failures[*place].is_recent(now));
        order.into_iter().copied().collect()
    }

    #[test]
    fn a_gateway_that_failed_is_asked_last_for_a_minute() {
        let failures = [LastFailure::default(), LastFailure::default()];
        let now = Instant::now();
        assert_eq!(order(&failures, now), [0, 1]);
        failures[0].set(Some(now));
        assert_eq!(order(&failures, now), [1, 0]);
        let last_moment = now + REST - Duration::from_millis(1);
        assert_eq!(order(&failures, last_moment), [1, 0]);
        assert_eq!(order(&failures, now + REST), [0, 1]);
    }

    #[test]
    fn with_all_of_them_failed_the_operators_order_holds() {
        let failures = [LastFailure::default(), LastFailure::default()];
        let now = Instant::now();
        failures[0].set(Some(now));
        failures[1].set(Some(now));
        assert_eq!(order(&failures, now), [0, 1]);
        failures[1].set(None);
        assert_eq!(order(&failures, now), [1, 0]);
    }

    #[test]
    fn a_refused_number_is_no_reason_to_withdraw_a_code_that_may_be_on_its_way() {
        let refused = Delivery::Refused(NumberRefusal::Unreachable);
        assert_eq!(settled(refused, false).unwrap(), refused);
        assert!(settled(refused, true).unwrap_err().is_in_doubt());
        assert_eq!(settled(Delivery::Sent, true).unwrap(), Delivery::Sent);
    }
}
