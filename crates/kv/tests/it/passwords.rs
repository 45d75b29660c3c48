//! Tries of passwords: who shares them, and what a lock does.

use std::time::Duration;

use domain::{Contact, DeviceToken, Phone};
use futures_util::future::join_all;
use kv::{CodeLimits, Kv, PasswordCaller, PasswordLocked, PasswordTry};

use crate::both;

const LIMIT: Duration = Duration::from_secs(10);

fn contact() -> Contact {
    Phone::parse("13900000001").unwrap().into()
}

fn device(number: u8) -> DeviceToken {
    DeviceToken::from_random([number; 20])
}

fn limits() -> CodeLimits {
    CodeLimits {
        ttl: Duration::from_secs(60),
        resend: Duration::from_millis(1),
        per_day: 2,
        per_day_kept: 0,
        per_day_per_address: 100,
        max_tries: 3,
        lock: Duration::from_secs(60),
    }
}

async fn take(
    kv: &Kv,
    caller: PasswordCaller<'_>,
    limits: &CodeLimits,
) -> Result<PasswordTry, PasswordLocked> {
    let taken = kv.take_password_try(&contact(), caller, limits).await;
    taken.unwrap()
}

const STRANGER: PasswordCaller<'static> = PasswordCaller::Visitor(None);

#[tokio::test]
async fn of_parallel_tries_as_many_are_granted_as_allowed() {
    for kv in both().await {
        let limits = limits();
        let tries = (0..50).map(|_| take(&kv, STRANGER, &limits));
        let granted: Vec<PasswordTry> = join_all(tries).await.into_iter().flatten().collect();
        assert_eq!(granted.len(), 3);
        let last = granted.iter().filter(|taken| taken.lock.is_some());
        assert_eq!(
            last.count(),
            1,
            "the last one says what a wrong password costs"
        );
    }
}

#[tokio::test]
async fn strangers_share_their_tries_and_use_up_nobody_elses() {
    for kv in both().await {
        let limits = limits();
        let (known, unknown) = (device(1), device(2));
        let first = take(&kv, PasswordCaller::Visitor(Some(&known)), &limits).await;
        let first = first.unwrap();
        let accepted = kv.accept_password(&contact(), &first, Some(&known)).await;
        accepted.unwrap();
        for _ in 0..3 {
            take(&kv, PasswordCaller::Visitor(Some(&unknown)), &limits)
                .await
                .unwrap();
        }
        assert!(take(&kv, STRANGER, &limits).await.is_err());
        for caller in [
            PasswordCaller::Visitor(Some(&known)),
            PasswordCaller::SignedIn,
        ] {
            for _ in 0..3 {
                take(&kv, caller, &limits).await.unwrap();
            }
            let locked = take(&kv, caller, &limits).await.unwrap_err();
            assert!(locked.retry_after > Duration::from_secs(50), "{locked:?}");
        }
    }
}

#[tokio::test]
async fn a_right_password_gives_all_tries_back_except_the_days() {
    for kv in both().await {
        let limits = limits();
        for _ in 0..2 {
            take(&kv, STRANGER, &limits).await.unwrap();
            let right = take(&kv, STRANGER, &limits).await.unwrap();
            assert_eq!(right.lock, None);
            kv.accept_password(&contact(), &right, None).await.unwrap();
        }
        take(&kv, STRANGER, &limits).await.unwrap();
        // Twice a day's codes of three tries each: this is the sixth.
        let sixth = take(&kv, STRANGER, &limits).await.unwrap();
        assert!(sixth.lock.unwrap() > Duration::from_secs(23 * 3600));
        kv.accept_password(&contact(), &sixth, None).await.unwrap();
        let locked = take(&kv, STRANGER, &limits).await.unwrap_err();
        assert!(locked.retry_after > Duration::from_secs(23 * 3600));
    }
}

#[tokio::test]
async fn a_lock_ends_by_itself_and_the_day_goes_on() {
    for kv in both().await {
        let short = CodeLimits {
            lock: Duration::from_millis(50),
            ..limits()
        };
        let mut granted = 0;
        testkit::wait_until("the day is used up", LIMIT, async || {
            let taken = take(&kv, STRANGER, &short).await;
            granted += usize::from(taken.is_ok());
            taken.is_err_and(|locked| locked.retry_after > Duration::from_secs(3600))
        })
        .await;
        assert_eq!(granted, 6);
    }
}
