//! Login codes: who may be sent one, and whether a typed one is right.
//!
//! The limits belong to the contact (a phone number or mailbox), wherever the requests come from, and are shared out so
//! that nobody uses up another's part: some of a day's codes are kept for devices that signed in before, and one network
//! gets only some of the rest. Wrong tries count per caller that was sent a code, and together for everybody else: an
//! attacker with a thousand addresses gets the same five tries as one with a single address, and none of the owner's.
//! Codes are stored hashed together with their contact; a wrong try, a right try and a lock each happen in one script,
//! so they are exact under any concurrency and over any number of processes.

use std::net::IpAddr;
use std::time::Duration;

use domain::{AddressBlock, Contact, DeviceToken, LoginCode};
use link::Script;

use crate::hash::sha256_hex;
use crate::{Error, Kv};

static ISSUE: Script = Script::new(include_str!("lua/issue_code.lua"));
static WITHDRAW: Script = Script::new(include_str!("lua/withdraw_code.lua"));
static CHECK: Script = Script::new(concat!(
    include_str!("lua/remember_device.lua"),
    include_str!("lua/check_code.lua")
));

/// How many codes and tries, and for how long; from the settings.
#[derive(Clone, Debug)]
pub struct CodeLimits {
    pub ttl: Duration,
    pub resend: Duration,
    pub per_day: u32,
    /// Of `per_day`, what is kept for devices that signed in before.
    pub per_day_kept: u32,
    /// Of `per_day`, what one network may use from devices that did not.
    pub per_day_per_address: u32,
    pub max_tries: u32,
    pub lock: Duration,
}

/// The client that requests a code, or enters one.
#[derive(Clone, Copy, Debug)]
pub struct CodeCaller<'a> {
    pub address: IpAddr,
    /// Nothing for those who keep no cookies, and before the first sign-in.
    pub device: Option<&'a DeviceToken>,
}

/// Devices of one contact that are remembered, and for how long.
pub(crate) const DEVICES_KEPT: usize = 8;
pub(crate) const DEVICE_LIFETIME: Duration = Duration::from_secs(180 * 24 * 3600);

/// Why no code is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueRefusal {
    Locked { retry_after: Duration },
    TooOften { retry_after: Duration },
    DailyLimit { retry_after: Duration },
}

/// Why an entered code is refused.
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
        caller: &CodeCaller<'_>,
        limits: &CodeLimits,
        to_midnight: Duration,
    ) -> Result<Result<Duration, IssueRefusal>, Error> {
        let keys = self.keys.login(contact);
        let device = caller.device.map(hash_of_device).unwrap_or_default();
        let keys = [
            &keys.codes,
            &keys.tries,
            &keys.sent,
            &keys.sent_known,
            &keys.quota,
            &keys.devices,
        ];
        let args = [
            hash(contact, code),
            millis(limits.ttl),
            millis(limits.resend),
            limits.per_day.to_string(),
            limits.per_day_kept.to_string(),
            limits.per_day_per_address.to_string(),
            millis(to_midnight),
            caller.name(),
            device,
            caller.network(),
            limits.max_tries.to_string(),
            millis(limits.forgets_tries_after()),
        ];
        let (outcome, ms): (String, u64) = self
            .link
            .eval(&ISSUE, &keys, &args)
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
        let keys = [&*keys.codes, &keys.sent, &keys.sent_known, &keys.quota];
        let _: i64 = self
            .link
            .eval(&WITHDRAW, &keys, &[&hash(contact, code)])
            .await
            .map_err(Error::during("withdraw a login code"))?;
        Ok(())
    }

    /// Forgets which devices signed in by this contact.
    pub async fn forget_devices(&self, contact: &Contact) -> Result<(), Error> {
        let mut cmd = redis::cmd("DEL");
        cmd.arg(self.keys.login(contact).devices);
        let forgotten = self.link.run(&cmd).await;
        let _: i64 = forgotten.map_err(Error::during("forget devices"))?;
        Ok(())
    }

    /// Forgets one device that signed in by this contact.
    pub async fn forget_device(
        &self,
        contact: &Contact,
        device: &DeviceToken,
    ) -> Result<(), Error> {
        let mut cmd = redis::cmd("HDEL");
        cmd.arg(self.keys.login(contact).devices)
            .arg(hash_of_device(device));
        let forgotten = self.link.run(&cmd).await;
        let _: i64 = forgotten.map_err(Error::during("forget a device"))?;
        Ok(())
    }

    /// Consumes the outstanding codes if `code` is one of them; `device` is remembered then.
    pub async fn check_code(
        &self,
        contact: &Contact,
        code: &LoginCode,
        caller: &CodeCaller<'_>,
        device: &DeviceToken,
        limits: &CodeLimits,
    ) -> Result<Result<(), CheckRefusal>, Error> {
        let keys = self.keys.login(contact);
        let by_device = caller.device.map(name_of_device).unwrap_or_default();
        let args = [
            hash(contact, code),
            by_device,
            caller.name_by_network(),
            limits.max_tries.to_string(),
            millis(limits.lock),
            millis(limits.forgets_tries_after()),
            hash_of_device(device),
            DEVICES_KEPT.to_string(),
            millis(DEVICE_LIFETIME),
        ];
        let (outcome, ms): (String, u64) = self
            .link
            .eval(&CHECK, &[&keys.codes, &keys.tries, &keys.devices], &args)
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

impl CodeLimits {
    /// No sooner than a code ends, so that a lock that has ended gives nobody more tries at the same code.
    fn forgets_tries_after(&self) -> Duration {
        self.lock.max(self.ttl)
    }
}

impl CodeCaller<'_> {
    fn network(&self) -> String {
        AddressBlock::of_customer(self.address).to_string()
    }

    fn name_by_network(&self) -> String {
        format!("network:{}", self.network())
    }

    /// By the device where there is one: an address may be shared, and may change on the way.
    fn name(&self) -> String {
        self.device
            .map_or_else(|| self.name_by_network(), name_of_device)
    }
}

pub(crate) fn hash_of_device(device: &DeviceToken) -> String {
    sha256_hex(&[device.as_str()])
}

fn name_of_device(device: &DeviceToken) -> String {
    format!("device:{}", hash_of_device(device))
}

/// Bound to the contact, so that equal codes of two people look different in a dump.
fn hash(contact: &Contact, code: &LoginCode) -> String {
    sha256_hex(&[contact.as_str(), code.as_str()])
}

pub(crate) fn millis(duration: Duration) -> String {
    duration.as_millis().max(1).to_string()
}
