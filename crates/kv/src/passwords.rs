//! Tries of passwords: as many for one contact as there are tries of its codes, wherever they come from.
//!
//! A try is counted before the password is compared, in one script, so that guesses in parallel and over any number of
//! processes are exact; a right password gives it back. Devices that signed in before and the user's own sessions have
//! tries of their own: nobody else can use those up. The tries of everybody else are also counted by day, because a password, unlike
//! a code, is the same tomorrow.

use std::time::Duration;

use domain::{Contact, DeviceToken};
use link::Script;

use crate::codes::{CodeLimits, DEVICE_LIFETIME, DEVICES_KEPT, hash_of_device, millis};
use crate::{Error, Kv};

static TAKE: Script = Script::new(include_str!("lua/take_password_try.lua"));
static ACCEPT: Script = Script::new(concat!(
    include_str!("lua/remember_device.lua"),
    include_str!("lua/accept_password.lua")
));

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The tries of sessions of the user, which no stranger has.
const SIGNED_IN: &str = "signed-in";

/// Who types a password.
#[derive(Clone, Copy, Debug)]
pub enum PasswordCaller<'a> {
    /// A visitor, by the device if the browser has a cookie.
    Visitor(Option<&'a DeviceToken>),
    /// The user, who changes or removes it.
    SignedIn,
}

/// A try that was counted.
#[derive(Clone, Debug)]
pub struct PasswordTry {
    caller: String,
    /// How long the caller is locked out if this one is wrong; `None` while tries are left.
    pub lock: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordLocked {
    pub retry_after: Duration,
}

impl Kv {
    /// Counts a try before the password is compared.
    pub async fn take_password_try(
        &self,
        contact: &Contact,
        caller: PasswordCaller<'_>,
        limits: &CodeLimits,
    ) -> Result<Result<PasswordTry, PasswordLocked>, Error> {
        let keys = self.keys.login(contact);
        let (caller, device) = match caller {
            PasswordCaller::Visitor(device) => ("", device.map(hash_of_device)),
            PasswordCaller::SignedIn => (SIGNED_IN, None),
        };
        let args = [
            caller.to_owned(),
            device.unwrap_or_default(),
            limits.max_tries.to_string(),
            millis(limits.lock),
            limits.password_tries_per_day().to_string(),
            millis(DAY),
        ];
        let (outcome, ms, caller): (String, u64, String) = self
            .link
            .eval(&TAKE, &[&keys.password_tries, &keys.devices], &args)
            .await
            .map_err(Error::during("count a try of a password"))?;
        let lock = Duration::from_millis(ms);
        Ok(match outcome.as_str() {
            "granted" => Ok(PasswordTry { caller, lock: None }),
            "last" => Ok(PasswordTry {
                caller,
                lock: Some(lock),
            }),
            _ => Err(PasswordLocked { retry_after: lock }),
        })
    }

    /// The password was right: the caller has all tries again, and `device` is known from now on.
    pub async fn accept_password(
        &self,
        contact: &Contact,
        taken: &PasswordTry,
        device: Option<&DeviceToken>,
    ) -> Result<(), Error> {
        let keys = self.keys.login(contact);
        let args = [
            taken.caller.clone(),
            device.map(hash_of_device).unwrap_or_default(),
            DEVICES_KEPT.to_string(),
            millis(DEVICE_LIFETIME),
        ];
        let keys = [&keys.password_tries, &keys.devices];
        let accepted = self.link.eval(&ACCEPT, &keys, &args).await;
        let _: i64 = accepted.map_err(Error::during("accept a password"))?;
        Ok(())
    }
}

impl CodeLimits {
    /// As many as a day's codes give for guesses at codes.
    fn password_tries_per_day(&self) -> u64 {
        u64::from(self.per_day) * u64::from(self.max_tries)
    }
}
