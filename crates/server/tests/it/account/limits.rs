//! Every limit of signing in, exact under concurrency and over two servers.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use testkit::{HttpReply, TestApp};

use super::{PHONE, address, behind_a_proxy, demo_code, login, other_than, patient, send_code};

/// How many answers had which code; `ok` for the successful ones.
fn tally(answers: &[HttpReply]) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for answer in answers {
        let code = answer.json()["code"].as_str().unwrap_or("ok").to_owned();
        *tally.entry(code).or_default() += 1;
    }
    tally
}

fn expected<const N: usize>(codes: [(&str, usize); N]) -> BTreeMap<String, usize> {
    codes.map(|(code, count)| (code.to_owned(), count)).into()
}

#[tokio::test]
async fn of_a_thousand_parallel_logins_with_the_right_code_one_gets_in() {
    let app = behind_a_proxy().spawn().await;
    let second = app
        .beside()
        .setting("http.trusted_proxies", "127.0.0.1")
        .spawn()
        .await;
    let code = demo_code(&app.visitor(), PHONE).await;
    let attempts = (0..1000).map(|number| {
        let base = if number % 2 == 0 { &app } else { &second };
        let client = base
            .visitor()
            .with_header("x-forwarded-for", &address(number));
        let code = code.clone();
        async move { login(&client, PHONE, &code).await }
    });
    let answers: Vec<HttpReply> = stream::iter(attempts).buffer_unordered(64).collect().await;
    assert_eq!(
        tally(&answers),
        expected([("ok", 1), ("code_expired", 999)])
    );
    let contact = domain::Phone::parse(PHONE).unwrap().into();
    let user = storage::users::find_by_contact(app.core().db(), &contact)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        app.core().kv().list_sessions(user.id).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn of_ten_thousand_wrong_guesses_five_are_compared() {
    let app = behind_a_proxy().spawn().await;
    let second = app
        .beside()
        .setting("http.trusted_proxies", "127.0.0.1")
        .spawn()
        .await;
    let code = demo_code(&app.visitor(), PHONE).await;
    let wrong = other_than(&code);
    let clients = [app.visitor(), second.visitor()];
    let attempts = (0..10_000u32).map(|number| {
        let client = clients[(number % 2) as usize].clone();
        let client = client.with_header("x-forwarded-for", &address(number));
        let wrong = wrong.clone();
        async move { login(&client, PHONE, &wrong).await }
    });
    let answers: Vec<HttpReply> = stream::iter(attempts).buffer_unordered(64).collect().await;
    // The fifth comparison is the one that locks.
    assert_eq!(
        tally(&answers),
        expected([("code_wrong", 4), ("login_locked", 9_996)])
    );
    // The client that requested the code is not locked out by others.
    assert!(login(&app.visitor(), PHONE, &code).await.data().is_string());
}

#[tokio::test]
async fn a_locked_number_gets_no_code_and_learns_for_how_long() {
    let app = TestApp::builder()
        .setting("code.lock_secs", 2)
        .setting("code.ttl_secs", 30)
        // So short a lock is refused for codes that are easier to guess.
        .setting("code.length", 8)
        .spawn()
        .await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    for _ in 0..5 {
        login(&visitor, PHONE, &other_than(&code)).await;
    }
    let refused = send_code(&visitor, PHONE).await.json();
    assert_eq!(refused["code"], "login_locked");
    assert!((1..=2).contains(&refused["data"]["retryAfterSecs"].as_u64().unwrap()));
    // After the lock the old code is gone: a guesser does not get to go on with it.
    testkit::wait_until("the lock ends", Duration::from_secs(10), async || {
        login(&visitor, PHONE, &code).await.code() == "code_expired"
    })
    .await;
}

#[tokio::test]
async fn of_fifty_parallel_requests_for_a_code_one_sends_it() {
    let app = behind_a_proxy().spawn().await;
    let second = app
        .beside()
        .setting("http.trusted_proxies", "127.0.0.1")
        .spawn()
        .await;
    let asks = (0..50).map(|number| {
        let base = if number % 2 == 0 { &app } else { &second };
        let client = base
            .visitor()
            .with_header("x-forwarded-for", &address(number));
        async move { send_code(&client, PHONE).await }
    });
    let answers = join_all(asks).await;
    assert_eq!(
        tally(&answers),
        expected([("ok", 1), ("code_too_often", 49)])
    );
    let refused = answers
        .iter()
        .find(|answer| answer.json()["success"] == false)
        .unwrap();
    let wait_secs = refused.json()["data"]["retryAfterSecs"].as_u64().unwrap();
    assert!((50..=60).contains(&wait_secs), "{wait_secs}");
}

#[tokio::test]
async fn a_number_gets_its_daily_codes_and_no_more() {
    let app = patient()
        .setting("code.per_day", 2)
        .setting("code.per_day_kept", 0)
        .spawn()
        .await;
    let visitor = app.visitor();
    let mut sent = 0;
    testkit::wait_until("the daily limit", Duration::from_secs(20), async || {
        let answer = send_code(&visitor, PHONE).await.json();
        sent += usize::from(answer["success"] == true);
        answer["code"] == "code_daily_limit"
    })
    .await;
    assert_eq!(sent, 2);
}

#[tokio::test]
async fn one_address_gets_its_hourly_codes_over_both_servers() {
    let app = TestApp::builder()
        .setting("code.per_address_per_hour", 7)
        .spawn()
        .await;
    let second = app
        .beside()
        .setting("code.per_address_per_hour", 7)
        .spawn()
        .await;
    let asks = (0..40).map(|number| {
        let base = if number % 2 == 0 { &app } else { &second };
        let client = base.visitor();
        async move { send_code(&client, &format!("139000001{number:02}")).await }
    });
    let answers = join_all(asks).await;
    assert_eq!(tally(&answers), expected([("ok", 7), ("too_many", 33)]));
    let refused: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 429)
        .collect();
    // One in 3600 / 7 seconds, rounded up.
    let wait_secs: u64 = refused[0].header("retry-after").parse().unwrap();
    assert!((1..=515).contains(&wait_secs), "{wait_secs}");
}

#[tokio::test]
async fn the_site_sends_no_more_than_its_budget_and_the_refused_may_retry() {
    let app = behind_a_proxy()
        .setting("code.total_per_minute", 5)
        .spawn()
        .await;
    let asks = (0..30).map(|number| {
        let client = app
            .visitor()
            .with_header("x-forwarded-for", &address(number));
        async move {
            (
                number,
                send_code(&client, &format!("139000002{number:02}")).await,
            )
        }
    });
    let answers = join_all(asks).await;
    let (sent, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|(_, answer)| answer.status == 200);
    assert_eq!(sent.len(), 5);
    // A client that the site's budget refused does not wait a minute for its own limit.
    let (number, answer) = refused[0];
    assert_eq!(answer.code(), "too_many");
    let again = send_code(&app.visitor(), &format!("139000002{number:02}")).await;
    assert_eq!(again.status, 429, "{again:?}");
}

#[tokio::test]
async fn sign_in_attempts_of_one_address_are_limited() {
    let app = TestApp::builder()
        .setting("code.logins_per_address_per_hour", 10)
        .spawn()
        .await;
    let visitor = app.visitor();
    let attempts = (0..25).map(|number| {
        let visitor = visitor.clone();
        async move { login(&visitor, &format!("139000003{number:02}"), "000000").await }
    });
    let answers = join_all(attempts).await;
    assert_eq!(
        tally(&answers),
        expected([("code_expired", 10), ("too_many", 15)])
    );
}

#[tokio::test]
async fn a_forged_forwarding_header_does_not_dodge_the_limit() {
    let app = TestApp::builder()
        .setting("code.per_address_per_hour", 3)
        .spawn()
        .await;
    let asks = (0..10).map(|number| {
        let client = app
            .visitor()
            .with_header("x-forwarded-for", &address(number));
        async move { send_code(&client, &format!("139000004{number:02}")).await }
    });
    let answers = join_all(asks).await;
    assert_eq!(tally(&answers), expected([("ok", 3), ("too_many", 7)]));
}

#[tokio::test]
async fn junk_before_the_proxys_own_entry_does_not_hide_the_address() {
    let app = behind_a_proxy()
        .setting("code.per_address_per_hour", 3)
        .spawn()
        .await;
    let asks = (0..10).map(|number| {
        let forwarded = format!("unknown, {}", address(number));
        let client = app.visitor().with_header("x-forwarded-for", &forwarded);
        async move { send_code(&client, &format!("139000005{number:02}")).await }
    });
    // Ten people of ten addresses, none of whom uses up the share of the proxy.
    assert_eq!(tally(&join_all(asks).await), expected([("ok", 10)]));
}

#[tokio::test]
async fn a_wide_ipv6_network_has_a_budget_of_its_own() {
    let app = behind_a_proxy()
        .setting("code.per_address_per_hour", 2)
        .spawn()
        .await;
    let ask = async |customers: std::ops::Range<u32>, shift: u32| {
        let asks = customers.map(|number| {
            let forwarded = format!("2001:db8:{shift}:{number:x}::7");
            let client = app.visitor().with_header("x-forwarded-for", &forwarded);
            let phone = format!("1390{shift:03}{number:04}");
            async move { send_code(&client, &phone).await }
        });
        let answers: Vec<HttpReply> = stream::iter(asks).buffer_unordered(16).collect().await;
        tally(&answers)
    };
    // A /64 each, of one /56: four times the limit of one.
    assert_eq!(ask(0..32, 1).await, expected([("ok", 8), ("too_many", 24)]));
    // Of one /48, which has sixteen times the limit of one.
    let of_many = (0..20).map(|number| number * 0x100);
    let asks = of_many.enumerate().map(|(place, number)| {
        let forwarded = format!("2001:db8:2:{number:x}::7");
        let client = app.visitor().with_header("x-forwarded-for", &forwarded);
        async move {
            let one = send_code(&client, &format!("139100{place:05}")).await;
            let two = send_code(&client, &format!("139200{place:05}")).await;
            [one, two]
        }
    });
    let answers: Vec<[HttpReply; 2]> = stream::iter(asks).buffer_unordered(16).collect().await;
    assert_eq!(
        tally(answers.as_flattened()),
        expected([("ok", 32), ("too_many", 8)])
    );
    let other = app
        .visitor()
        .with_header("x-forwarded-for", "2001:db8:3::1");
    assert_eq!(send_code(&other, PHONE).await.status, 200);
}

#[tokio::test]
async fn ten_requests_from_one_address_keep_no_other_user_from_signing_in() {
    let app = behind_a_proxy()
        .setting("code.resend_secs", 1)
        .setting("code.per_address_per_hour", 1_000_000)
        .spawn()
        .await;
    let at = |number: u32| {
        app.visitor()
            .with_header("x-forwarded-for", &address(number))
    };
    // The owner signs in once, and is recognised by the cookie from then on.
    let code = demo_code(&at(1), PHONE).await;
    let signed_in = login(&at(1), PHONE, &code).await;
    let cookies = signed_in.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let device = cookies
        .filter(|cookie| cookie.starts_with("tandian_device="))
        .map(|cookie| cookie.split(';').next().unwrap())
        .next();
    let owner = at(1).with_header("cookie", device.unwrap());
    let ends = |code: String| code == "code_daily_limit";
    for attacker in [2, 3] {
        let attacker = at(attacker);
        testkit::wait_until(
            "the attacker gets no more",
            Duration::from_secs(60),
            async || {
                let answer = send_code(&attacker, PHONE).await;
                answer.json()["success"] == false && ends(answer.code())
            },
        )
        .await;
    }
    let code = demo_code(&owner, PHONE).await;
    assert!(login(&owner, PHONE, &code).await.data().is_string());
}
