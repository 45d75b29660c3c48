//! Codes: their lifetimes and what a lock does.

use std::time::Duration;

use domain::{Contact, DeviceToken, Email, GuessBound, LoginCode, Phone};
use kv::{CheckRefusal, CodeCaller, CodeLimits, IssueRefusal, Kv};

use crate::both;

const DAY: Duration = Duration::from_secs(86_400);
const LIMIT: Duration = Duration::from_secs(5);

fn contact() -> Contact {
    Phone::parse("13900000001").unwrap().into()
}

fn code(text: &str) -> LoginCode {
    LoginCode::parse(text).unwrap()
}

fn limits() -> CodeLimits {
    CodeLimits {
        ttl: Duration::from_secs(60),
        resend: Duration::from_millis(1),
        per_day: 100,
        per_day_kept: 0,
        per_day_per_address: 100,
        max_tries: 3,
        lock: Duration::from_secs(60),
    }
}

/// A client at the `number`th address, without a cookie.
fn at(number: u8) -> CodeCaller<'static> {
    CodeCaller {
        address: [192, 0, 2, number].into(),
        device: None,
    }
}

fn new_device() -> DeviceToken {
    DeviceToken::from_random([7; 20])
}

async fn issue(kv: &Kv, text: &str, limits: &CodeLimits) -> Result<Duration, IssueRefusal> {
    kv.issue_code(&contact(), &code(text), &at(1), limits, DAY)
        .await
        .unwrap()
}

async fn check(kv: &Kv, text: &str, limits: &CodeLimits) -> Result<(), CheckRefusal> {
    kv.check_code(&contact(), &code(text), &at(1), &new_device(), limits)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_code_ends_with_its_time() {
    for kv in both().await {
        let short = CodeLimits {
            ttl: Duration::from_millis(50),
            max_tries: 1_000_000,
            ..limits()
        };
        issue(&kv, "123456", &short).await.unwrap();
        testkit::wait_until("the code expires", LIMIT, async || {
            check(&kv, "000000", &short).await == Err(CheckRefusal::Expired)
        })
        .await;
        assert_eq!(
            check(&kv, "123456", &short).await,
            Err(CheckRefusal::Expired)
        );
    }
}

#[tokio::test]
async fn a_new_code_replaces_the_old_one_and_gives_no_new_tries() {
    for kv in both().await {
        issue(&kv, "111111", &limits()).await.unwrap();
        assert_eq!(
            check(&kv, "999999", &limits()).await,
            Err(CheckRefusal::Wrong)
        );
        testkit::wait_until("another may be sent", LIMIT, async || {
            issue(&kv, "222222", &limits()).await.is_ok()
        })
        .await;
        assert_eq!(
            check(&kv, "111111", &limits()).await,
            Err(CheckRefusal::Wrong)
        );
        let locked = check(&kv, "999999", &limits()).await.unwrap_err();
        assert!(matches!(locked, CheckRefusal::Locked { .. }), "{locked:?}");
    }
}

#[tokio::test]
async fn a_right_answer_clears_the_wrong_ones() {
    for kv in both().await {
        for _ in 0..3 {
            testkit::wait_until("a code is sent", LIMIT, async || {
                issue(&kv, "123456", &limits()).await.is_ok()
            })
            .await;
            assert_eq!(
                check(&kv, "000000", &limits()).await,
                Err(CheckRefusal::Wrong)
            );
            assert_eq!(
                check(&kv, "000000", &limits()).await,
                Err(CheckRefusal::Wrong)
            );
            assert_eq!(check(&kv, "123456", &limits()).await, Ok(()));
        }
    }
}

#[tokio::test]
async fn a_lock_covers_sending_and_checking_and_ends() {
    for kv in both().await {
        let short = CodeLimits {
            lock: Duration::from_secs(2),
            ..limits()
        };
        issue(&kv, "123456", &short).await.unwrap();
        for _ in 0..3 {
            let _ = check(&kv, "000000", &short).await;
        }
        assert!(matches!(
            check(&kv, "123456", &short).await,
            Err(CheckRefusal::Locked { .. })
        ));
        assert!(matches!(
            issue(&kv, "123456", &short).await,
            Err(IssueRefusal::Locked { .. })
        ));
        testkit::wait_until("the lock ends", LIMIT, async || {
            issue(&kv, "654321", &short).await.is_ok()
        })
        .await;
        assert_eq!(check(&kv, "654321", &short).await, Ok(()));
    }
}

#[tokio::test]
async fn withdrawing_touches_only_the_code_that_was_meant() {
    for kv in both().await {
        let once = CodeLimits {
            resend: Duration::from_secs(60),
            per_day: 1,
            ..limits()
        };
        issue(&kv, "123456", &once).await.unwrap();
        kv.withdraw_code(&contact(), &code("999999")).await.unwrap();
        assert!(matches!(
            issue(&kv, "1234567", &once).await,
            Err(IssueRefusal::TooOften { .. })
        ));
        kv.withdraw_code(&contact(), &code("123456")).await.unwrap();
        // Neither the minute nor the day was used up.
        issue(&kv, "654321", &once).await.unwrap();
        assert_eq!(check(&kv, "654321", &once).await, Ok(()));
        kv.withdraw_code(&contact(), &code("654321")).await.unwrap();
        assert!(matches!(
            issue(&kv, "777777", &once).await,
            Err(IssueRefusal::TooOften { .. })
        ));
    }
}

fn mailbox(text: &str) -> Contact {
    Email::parse(text).unwrap().into()
}

#[tokio::test]
async fn a_mailbox_has_one_set_of_limits_however_it_is_addressed() {
    for kv in both().await {
        let limits = CodeLimits {
            resend: Duration::from_secs(60),
            ..limits()
        };
        let first = mailbox("li@example.com");
        let sent = kv
            .issue_code(&first, &code("123456"), &at(1), &limits, DAY)
            .await;
        sent.unwrap().unwrap();
        for other in ["Li@example.com", "li+1@example.com"].map(mailbox) {
            let issued = kv
                .issue_code(&other, &code("123456"), &at(1), &limits, DAY)
                .await;
            let refusal = issued.unwrap().unwrap_err();
            assert!(
                matches!(refusal, IssueRefusal::TooOften { .. }),
                "{other:?}"
            );
        }
        // The code belongs to the contact that it was issued for.
        let tagged = mailbox("li+1@example.com");
        let typed = kv
            .check_code(&tagged, &code("123456"), &at(1), &new_device(), &limits)
            .await;
        assert_eq!(typed.unwrap(), Err(CheckRefusal::Wrong));
        let typed = kv
            .check_code(&first, &code("123456"), &at(1), &new_device(), &limits)
            .await;
        assert_eq!(typed.unwrap(), Ok(()));
    }
}

#[tokio::test]
async fn a_name_that_begins_with_a_brace_signs_in_on_a_cluster_too() {
    for kv in both().await {
        let contact = mailbox("}{a@example.com");
        let sent = kv
            .issue_code(&contact, &code("123456"), &at(1), &limits(), DAY)
            .await;
        sent.unwrap().unwrap();
        let typed = kv
            .check_code(&contact, &code("123456"), &at(1), &new_device(), &limits())
            .await;
        assert_eq!(typed.unwrap(), Ok(()));
    }
}

/// Requests codes and guesses them for a whole day, as fast as the limits allow: what counts is how many guesses were
/// compared with a code at all.
#[tokio::test]
async fn no_more_guesses_are_compared_in_a_day_than_the_bound_says() {
    let quick = CodeLimits {
        resend: Duration::from_millis(1),
        per_day: 6,
        per_day_kept: 0,
        per_day_per_address: 6,
        max_tries: 4,
        lock: Duration::from_millis(20),
        ttl: Duration::from_millis(15),
    };
    let bound = GuessBound {
        codes_per_day: quick.per_day,
        tries: quick.max_tries,
        // Only their ratio matters.
        ttl_secs: 3,
        resend_secs: 3,
        lock_secs: 4,
    };
    for kv in both().await {
        let (mut compared, mut sent) = (0, 0);
        testkit::wait_until("the day's codes are used up", LIMIT * 6, async || {
            match issue(&kv, "123456", &quick).await {
                Ok(_) => sent += 1,
                Err(IssueRefusal::DailyLimit { .. }) => return true,
                Err(IssueRefusal::Locked { .. } | IssueRefusal::TooOften { .. }) => {}
            }
            for _ in 0..20 {
                let is_compared = check(&kv, "000000", &quick).await == Err(CheckRefusal::Wrong);
                compared += u64::from(is_compared);
            }
            false
        })
        .await;
        assert_eq!(sent, quick.per_day);
        assert!(
            compared > 0 && compared <= bound.guesses_per_day(),
            "{compared}"
        );
        assert!(check(&kv, "123456", &quick).await.is_err());
    }
}

#[tokio::test]
async fn strangers_lock_out_strangers_and_not_whoever_asked() {
    for kv in both().await {
        let guess = async |caller: &CodeCaller<'_>, text: &str| {
            let device = new_device();
            kv.check_code(&contact(), &code(text), caller, &device, &limits())
                .await
                .unwrap()
        };
        issue(&kv, "123456", &limits()).await.unwrap();
        let mut compared = 0;
        for attacker in 2..=200 {
            match guess(&at(attacker), "000000").await {
                Err(CheckRefusal::Wrong) => compared += 1,
                Err(CheckRefusal::Locked { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(compared, 2, "the third is the one that locks");
        // Nor is it revealed to them whether a guess is right.
        let locked = guess(&at(201), "123456").await;
        assert!(matches!(locked, Err(CheckRefusal::Locked { .. })));
        assert_eq!(guess(&at(1), "000000").await, Err(CheckRefusal::Wrong));
        assert_eq!(guess(&at(1), "123456").await, Ok(()));
    }
}

#[tokio::test]
async fn strangers_leave_codes_for_devices_that_signed_in_before() {
    for kv in both().await {
        let limits = CodeLimits {
            per_day: 6,
            per_day_kept: 2,
            per_day_per_address: 3,
            ..limits()
        };
        let device = new_device();
        let owner = CodeCaller {
            device: Some(&device),
            ..at(1)
        };
        let request = async |caller: &CodeCaller<'_>| {
            testkit::wait_for("a code or the end of them", LIMIT, async || {
                let code = code("123456");
                let issued = kv.issue_code(&contact(), &code, caller, &limits, DAY).await;
                match issued.unwrap() {
                    Err(IssueRefusal::TooOften { .. }) => None,
                    issued => Some(issued.is_ok()),
                }
            })
            .await
        };
        assert!(request(&owner).await);
        let typed = kv
            .check_code(&contact(), &code("123456"), &owner, &device, &limits)
            .await;
        assert_eq!(typed.unwrap(), Ok(()));
        let mut got = [0; 2];
        for _ in 0..10 {
            got[0] += usize::from(request(&at(2)).await);
        }
        got[1] += usize::from(request(&at(3)).await);
        assert_eq!(got, [3, 0], "one was used by the owner's first sign-in");
        assert!(
            request(&owner).await && request(&owner).await,
            "these were kept"
        );
        assert!(
            !request(&owner).await,
            "the daily limit holds for every caller"
        );
    }
}

/// The `number`th device, wherever it is.
fn device(number: u8) -> DeviceToken {
    DeviceToken::from_random([number; 20])
}

#[tokio::test]
async fn a_device_is_known_by_its_own_token_alone() {
    for kv in both().await {
        let limits = CodeLimits {
            per_day: 4,
            per_day_kept: 2,
            resend: Duration::from_secs(60),
            ..limits()
        };
        let [mine, theirs] = [1, 2].map(device);
        let by = |device| CodeCaller {
            device: Some(device),
            ..at(1)
        };
        let ask = async |caller: &CodeCaller<'_>| {
            let code = code("123456");
            let asked = kv.issue_code(&contact(), &code, caller, &limits, DAY).await;
            asked.unwrap()
        };
        ask(&by(&mine)).await.unwrap();
        let typed = kv
            .check_code(&contact(), &code("123456"), &by(&mine), &mine, &limits)
            .await;
        assert_eq!(typed.unwrap(), Ok(()));
        // The device that signed in waits apart from all others; another one is still a stranger.
        let stranger = ask(&by(&theirs)).await;
        assert!(matches!(stranger, Err(IssueRefusal::TooOften { .. })));
        ask(&by(&mine)).await.unwrap();
    }
}

#[tokio::test]
async fn each_device_that_asked_for_a_code_has_tries_of_its_own() {
    for kv in both().await {
        let [first, second] = [1, 2].map(device);
        let by = |device| CodeCaller {
            device: Some(device),
            ..at(1)
        };
        let callers = [by(&first), by(&second)];
        for (caller, text) in callers.iter().zip(["111111", "222222"]) {
            testkit::wait_until("a code is sent", LIMIT, async || {
                let code = code(text);
                let asked = kv
                    .issue_code(&contact(), &code, caller, &limits(), DAY)
                    .await;
                asked.unwrap().is_ok()
            })
            .await;
        }
        let guess = async |caller: &CodeCaller<'_>, text: &str| {
            kv.check_code(&contact(), &code(text), caller, &device(3), &limits())
                .await
                .unwrap()
        };
        for _ in 0..limits().max_tries {
            assert!(guess(&callers[0], "000000").await.is_err());
        }
        let locked = guess(&callers[0], "222222").await;
        assert!(matches!(locked, Err(CheckRefusal::Locked { .. })));
        assert_eq!(guess(&callers[1], "000000").await, Err(CheckRefusal::Wrong));
        assert_eq!(guess(&callers[1], "222222").await, Ok(()));
    }
}

#[tokio::test]
async fn one_network_gets_no_more_than_its_part_of_the_days_codes() {
    for kv in both().await {
        let limits = CodeLimits {
            per_day: 5,
            per_day_per_address: 2,
            ..limits()
        };
        let ask = async |caller: CodeCaller<'_>| {
            testkit::wait_for("a code or the end of them", LIMIT, async || {
                let code = code("123456");
                let asked = kv
                    .issue_code(&contact(), &code, &caller, &limits, DAY)
                    .await;
                match asked.unwrap() {
                    Err(IssueRefusal::TooOften { .. }) => None,
                    asked => Some(asked),
                }
            })
            .await
        };
        for network in [1, 2] {
            assert!(ask(at(network)).await.is_ok());
            assert!(ask(at(network)).await.is_ok());
            let third = ask(at(network)).await;
            assert!(matches!(third, Err(IssueRefusal::DailyLimit { .. })));
        }
        assert!(ask(at(3)).await.is_ok(), "the rest is for other networks");
    }
}

#[tokio::test]
async fn a_lock_takes_the_code_of_its_caller_away() {
    for kv in both().await {
        let short = CodeLimits {
            lock: Duration::from_millis(500),
            ..limits()
        };
        issue(&kv, "123456", &short).await.unwrap();
        for _ in 0..short.max_tries {
            assert!(check(&kv, "000000", &short).await.is_err());
        }
        let after = testkit::wait_for("the lock ends", LIMIT, async || {
            match check(&kv, "123456", &short).await {
                Err(CheckRefusal::Locked { .. }) => None,
                after => Some(after),
            }
        })
        .await;
        assert_eq!(after, Err(CheckRefusal::Expired));
    }
}

#[tokio::test]
async fn the_longest_unseen_device_is_forgotten_for_the_ninth() {
    for kv in both().await {
        let limits = CodeLimits {
            per_day: 12,
            per_day_kept: 3,
            ..limits()
        };
        let ask = async |device: &DeviceToken| {
            let caller = CodeCaller {
                device: Some(device),
                ..at(1)
            };
            testkit::wait_for("a code or the end of them", LIMIT, async || {
                let code = code("123456");
                let asked = kv
                    .issue_code(&contact(), &code, &caller, &limits, DAY)
                    .await;
                match asked.unwrap() {
                    Err(IssueRefusal::TooOften { .. }) => None,
                    asked => Some(asked.is_ok()),
                }
            })
            .await
        };
        let devices: Vec<DeviceToken> = (1..=9).map(device).collect();
        for device in &devices {
            assert!(ask(device).await);
            let caller = CodeCaller {
                device: Some(device),
                ..at(1)
            };
            let typed = kv
                .check_code(&contact(), &code("123456"), &caller, device, &limits)
                .await;
            assert_eq!(typed.unwrap(), Ok(()));
        }
        assert!(
            !ask(&devices[0]).await,
            "a stranger again, and none are left"
        );
        assert!(ask(&devices[1]).await && ask(&devices[8]).await);
    }
}
