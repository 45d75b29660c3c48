//! Requests that their senders gave a name, so that a repetition gets the first answer instead of a second effect.
//!
//! One hash per user and key holds the request's fingerprint, its owner with a deadline, and finally the reply.
//! It lives for a day. A worker that dies leaves its turn to the first caller after the turn's end; what it had reserved
//! stays, so that the next one goes on with the same order instead of making another.

use std::time::Duration;

use domain::{OrderId, UserId};
use link::Script;

use crate::hash::sha256_hex;
use crate::{Error, Kv};

static BEGIN: Script = Script::new(include_str!("lua/begin_request.lua"));
static FINISH: Script = Script::new(include_str!("lua/finish_request.lua"));
static LEAVE: Script = Script::new(include_str!("lua/leave_request.lua"));
static RESERVE: Script = Script::new(include_str!("lua/reserve_order.lua"));

/// How long a name counts.
pub const REQUESTS_KEPT: Duration = Duration::from_secs(24 * 3600);

/// Longer than any request takes that has not died.
const TURN: Duration = Duration::from_secs(60);

/// The right to execute the request; its holder must then report the outcome.
#[derive(Clone, Debug)]
pub struct RequestTurn {
    key: String,
    owner: String,
}

/// The reply to a request, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: u16,
    pub body: Vec<u8>,
}

#[derive(Clone, Debug)]
pub enum RequestBegun {
    Yours(RequestTurn),
    /// Another caller executes it.
    InFlight {
        retry_after: Duration,
    },
    /// The name was used for something else.
    Mismatch,
    Answered(KeptAnswer),
}

impl Kv {
    /// Takes the turn of a request, unless another caller has it or it is answered. `owner` is random.
    pub async fn begin_request(
        &self,
        user: UserId,
        name: &str,
        fingerprint: &str,
        owner: u128,
    ) -> Result<RequestBegun, Error> {
        let key = self.keys.request(user, &sha256_hex(&[name]));
        let owner = format!("{owner:032x}");
        let (outcome, number, body): (String, u64, Vec<u8>) = self
            .link
            .eval(
                &BEGIN,
                &[&key],
                (
                    fingerprint,
                    &owner,
                    TURN.as_millis() as u64,
                    REQUESTS_KEPT.as_millis() as u64,
                ),
            )
            .await
            .map_err(Error::during("begin a named request"))?;
        Ok(match outcome.as_str() {
            "yours" => RequestBegun::Yours(RequestTurn { key, owner }),
            "mismatch" => RequestBegun::Mismatch,
            "answered" => RequestBegun::Answered(KeptAnswer {
                status: u16::try_from(number).unwrap_or(200),
                body,
            }),
            _ => RequestBegun::InFlight {
                retry_after: Duration::from_millis(number),
            },
        })
    }

    /// Keeps the answer, unless the turn was taken over meanwhile.
    pub async fn finish_request(
        &self,
        turn: &RequestTurn,
        answer: &KeptAnswer,
    ) -> Result<(), Error> {
        let args = (&turn.owner, answer.status, &answer.body);
        let kept = self.link.eval(&FINISH, &[&turn.key], args).await;
        kept.map_err(Error::during("keep an answer"))
    }

    /// Releases the turn: the next caller may try.
    pub async fn leave_request(&self, turn: &RequestTurn) -> Result<(), Error> {
        let left = self.link.eval(&LEAVE, &[&turn.key], &[&turn.owner]).await;
        left.map_err(Error::during("leave a named request"))
    }

    /// The order that this request makes: the one that was reserved first, by any holder of the turn.
    pub async fn reserve_order(
        &self,
        turn: &RequestTurn,
        offered: OrderId,
    ) -> Result<OrderId, Error> {
        let args = (offered.get(), REQUESTS_KEPT.as_millis() as u64);
        let reserved = self.link.eval(&RESERVE, &[&turn.key], args).await;
        let reserved: i64 = reserved.map_err(Error::during("reserve an order"))?;
        Ok(OrderId::new(reserved))
    }
}
