//! Login codes: who may be sent one, and whether a typed one is right.
//!
//! The limits belong to the contact (a phone number or mailbox), wherever the requests come from: an attacker with
//! a thousand addresses gets the same five tries as one with a single address. Codes are stored hashed together
//! with their contact; a wrong try, a right try and a lock each happen in one script, so they are exact under any
//! concurrency and over any number of processes.

use std::time::Duration;

use domain::{Contact, LoginCode};
use link::Script;

use crate::hash::sha256_hex;
use crate::{Error, Kv};

static ISSUE: Script = Script::new(include_str!("lua/issue_code.lua"));
static WITHDRAW: Script = Script::new(include_str!("lua/withdraw_code.lua"));
static CHECK: Script = Script::new(include_str!("lua/check_code.lua"));

/// How many codes and tries, and for how long; from the settings.
#[derive(Clone, Debug)]
pub struct CodeLimits {
    pub ttl: Duration,
    pub resend: Duration,
    pub per_day: u32,
    pub max_tries: u32,
    pub lock: Duration,
}

/// Why no code is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueRefusal {
    Locked { retry_after: Duration },
    TooOften { retry_after: Duration },
    DailyLimit { retry_after: Duration },
}

/// Why a typed code does not sign anybody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckRefusal {
    Wrong,
    /// None was sent, it was used, or its time is over.
    Expired,
    Locked {
        retry_after: Duration,
    },
}

impl Kv {
    /// Makes `code` the outstanding one for `contact`. The inner value is the time until the next may be sent.
    pub async fn issue_code(
        &self,
        contact: &Contact,
        code: &LoginCode,
        limits: &CodeLimits,
        to_midnight: Duration,
    ) -> Result<Result<Duration, IssueRefusal>, Error> {
        let keys = self.keys.login(contact);
        let (outcome, ms): (String, u64) = self
            .link
            .eval(
                &ISSUE,
                &[&keys.code, &keys.sent, &keys.day, &keys.lock],
                &[
                    &hash(contact, code),
                    &millis(limits.ttl),
                    &millis(limits.resend),
                    &limits.per_day.to_string(),
                    &millis(to_midnight),
                ],
            )
            .await
            .map_err(Error::during("store a login code"))?;
        let retry_after = Duration::from_millis(ms);
        Ok(match outcome.as_str() {
            "locked" => Err(IssueRefusal::Locked { retry_after }),
            "too_often" => Err(IssueRefusal::TooOften { retry_after }),
            "daily_limit" => Err(IssueRefusal::DailyLimit { retry_after }),
            _ => Ok(retry_after),
        })
    }

    /// Undoes [`Kv::issue_code`] when the code could not be delivered.
    pub async fn withdraw_code(&self, contact: &Contact, code: &LoginCode) -> Result<(), Error> {
        let keys = self.keys.login(contact);
        let keys = [&*keys.code, &keys.sent, &keys.day];
        let _: i64 = self
            .link
            .eval(&WITHDRAW, &keys, &[&hash(contact, code)])
            .await
            .map_err(Error::during("withdraw a login code"))?;
        Ok(())
    }

    /// Consumes the outstanding code if `code` is it.
    pub async fn check_code(
        &self,
        contact: &Contact,
        code: &LoginCode,
        limits: &CodeLimits,
    ) -> Result<Result<(), CheckRefusal>, Error> {
        let keys = self.keys.login(contact);
        let (outcome, ms): (String, u64) = self
            .link
            .eval(
                &CHECK,
                &[&keys.code, &keys.tries, &keys.lock],
                &[
                    &hash(contact, code),
                    &limits.max_tries.to_string(),
                    &millis(limits.lock),
                ],
            )
            .await
            .map_err(Error::during("check a login code"))?;
        Ok(match outcome.as_str() {
            "right" => Ok(()),
            "expired" => Err(CheckRefusal::Expired),
            "locked" => Err(CheckRefusal::Locked {
                retry_after: Duration::from_millis(ms),
            }),
            _ => Err(CheckRefusal::Wrong),
        })
    }
}

/// Bound to the contact, so that equal codes of two people look different in a dump.
fn hash(contact: &Contact, code: &LoginCode) -> String {
    sha256_hex(&[contact.as_str(), code.as_str()])
}

fn millis(duration: Duration) -> String {
    duration.as_millis().max(1).to_string()
}
