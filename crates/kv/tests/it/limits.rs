//! GCRA limits: exact at once, steady afterwards.

use std::time::{Duration, Instant};

use domain::UserId;
use futures_util::future::join_all;
use kv::{Kv, Limit};

use crate::both;

async fn admitted(kv: &Kv, limit: &Limit, attempts: usize) -> usize {
    let address = "192.0.2.1".parse().unwrap();
    let taken = join_all((0..attempts).map(|_| kv.take_for(limit, address))).await;
    taken
        .into_iter()
        .filter(|taken| taken.as_ref().unwrap().is_ok())
        .count()
}

#[tokio::test]
async fn a_burst_is_admitted_exactly() {
    for kv in both().await {
        let limit = Limit {
            what: "test",
            burst: 25,
            period: Duration::from_secs(3600),
        };
        assert_eq!(admitted(&kv, &limit, 200).await, 25);
        assert_eq!(admitted(&kv, &limit, 10).await, 0);
    }
}

#[tokio::test]
async fn the_wait_that_is_told_is_long_enough() {
    for kv in both().await {
        // One and a half seconds apart: no machine is so slow that the third finds the first forgotten.
        let limit = Limit {
            what: "test",
            burst: 2,
            period: Duration::from_secs(3),
        };
        let address = "192.0.2.1".parse().unwrap();
        assert_eq!(admitted(&kv, &limit, 2).await, 2);
        let over = kv.take_for(&limit, address).await.unwrap().unwrap_err();
        assert!(over.retry_after <= Duration::from_millis(1500), "{over:?}");
        tokio::time::sleep(over.retry_after).await;
        assert!(kv.take_for(&limit, address).await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn over_time_no_more_than_the_rate_is_admitted() {
    for kv in both().await {
        let limit = Limit {
            what: "test",
            burst: 5,
            period: Duration::from_millis(500),
        };
        let started = Instant::now();
        let (mut count, mut tries) = (0, 0);
        // Twice at least: on a busy machine the first batch alone may take the time.
        while tries < 8 || started.elapsed() < Duration::from_millis(600) {
            count += admitted(&kv, &limit, 4).await;
            tries += 4;
        }
        // A request that began within the time may have been decided a little after it.
        let most = 5.0 + started.elapsed().as_secs_f64() / 0.1 + 1.0;
        assert!(
            (5.0..=most).contains(&(count as f64)),
            "{count} of at most {most}"
        );
    }
}

#[tokio::test]
async fn one_limit_does_not_use_up_another() {
    for kv in both().await {
        let one = Limit {
            what: "one",
            burst: 1,
            period: Duration::from_secs(3600),
        };
        let two = Limit { what: "two", ..one };
        assert_eq!(admitted(&kv, &one, 3).await, 1);
        assert_eq!(admitted(&kv, &two, 3).await, 1);
        assert!(
            kv.take_for_all(&one).await.unwrap().is_ok(),
            "everybody's share is another one"
        );
    }
}

#[tokio::test]
async fn one_person_does_not_use_up_the_share_of_another() {
    for kv in both().await {
        let one = Limit {
            what: "one",
            burst: 1,
            period: Duration::from_secs(3600),
        };
        let two = Limit { what: "two", ..one };
        let [ann, bob] = [1, 2].map(UserId::new);
        for (limit, user) in [(&one, ann), (&one, bob), (&two, ann)] {
            let first = kv.take_for_user(limit, user).await.unwrap();
            assert!(first.is_ok(), "{} {user}", limit.what);
            let second = kv.take_for_user(limit, user).await.unwrap();
            assert!(second.is_err(), "{} {user}", limit.what);
        }
        for limit in [&one, &two] {
            assert!(kv.take_for_all(limit).await.unwrap().is_ok());
            assert!(kv.take_for_all(limit).await.unwrap().is_err());
        }
    }
}
