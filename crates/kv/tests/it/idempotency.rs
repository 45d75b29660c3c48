//! Named requests: one turn at a time, one answer for a day, and nobody waits for the dead.

use std::time::Duration;

use domain::{OrderId, UserId};
use futures_util::future::join_all;
use kv::{KeptAnswer, Kv, REQUESTS_KEPT, RequestBegun, RequestTurn};
use link::{Link, Options, Target};
use testkit::unique_prefix;

use crate::urls;

const ANN: UserId = UserId::new(1);
const BOB: UserId = UserId::new(2);
const NAME: &str = "2f1c";
const FINGERPRINT: &str = "POST /api/voucher-order/7";

/// A site, and a way past it to what it keeps.
struct Store {
    kv: Kv,
    link: Link,
    prefix: String,
}

impl Store {
    async fn at(url: &str) -> Self {
        let target = Target::parse(url).unwrap();
        let link = Link::connect(&target, Options::default()).await.unwrap();
        let prefix = unique_prefix();
        let kv = Kv::new(link.clone(), &prefix);
        Self { kv, link, prefix }
    }

    async fn both() -> Vec<Self> {
        let mut both = Vec::new();
        for url in urls().await {
            both.push(Self::at(&url).await);
        }
        both
    }

    async fn begin(&self, owner: u128) -> RequestBegun {
        let begun = self.kv.begin_request(ANN, NAME, FINGERPRINT, owner);
        begun.await.unwrap()
    }

    async fn turn(&self, owner: u128) -> RequestTurn {
        match self.begin(owner).await {
            RequestBegun::Yours(turn) => turn,
            other => panic!("{other:?}"),
        }
    }

    /// The one key that is kept.
    async fn key(&self) -> String {
        let mut keys = redis::cmd("KEYS");
        keys.arg(format!("{}*", self.prefix));
        let found: Vec<(String, Vec<String>)> = self.link.each_master(&keys).await.unwrap();
        let found: Vec<String> = found.into_iter().flat_map(|(_, keys)| keys).collect();
        let [key] = &found[..] else {
            panic!("{found:?}")
        };
        key.clone()
    }

    /// The owner dies, and a minute passes.
    async fn end_turn(&self) {
        let mut past = redis::cmd("HSET");
        past.arg(self.key().await).arg("until").arg(1);
        let fields_added: i64 = self.link.run(&past).await.unwrap();
        assert_eq!(fields_added, 0, "a turn has an end");
    }

    async fn ttl(&self) -> Duration {
        let mut ttl = redis::cmd("PTTL");
        ttl.arg(self.key().await);
        let ttl_ms: i64 = self.link.run(&ttl).await.unwrap();
        Duration::from_millis(u64::try_from(ttl_ms).expect("it does not stay for ever"))
    }
}

/// Bytes that are no text.
fn answer() -> KeptAnswer {
    KeptAnswer {
        status: 409,
        body: vec![0, 0xff, b'"', b'\n'],
    }
}

fn is_in_flight(begun: &RequestBegun) -> bool {
    matches!(begun, RequestBegun::InFlight { .. })
}

#[tokio::test]
async fn the_first_answer_is_everybodys_answer() {
    for store in Store::both().await {
        let turn = store.turn(1).await;
        store.kv.finish_request(&turn, &answer()).await.unwrap();
        for owner in [1, 2, 3] {
            match store.begin(owner).await {
                RequestBegun::Answered(kept) => assert_eq!(kept, answer()),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn of_many_at_once_one_has_the_turn_and_the_others_hear_how_long_to_wait() {
    for store in Store::both().await {
        let begun = join_all((1..=50).map(|owner| store.begin(owner))).await;
        let waits = begun.iter().filter_map(|begun| match begun {
            RequestBegun::InFlight { retry_after } => Some(*retry_after),
            _ => None,
        });
        let waits: Vec<Duration> = waits.collect();
        assert_eq!(waits.len(), 49);
        let minute = Duration::from_secs(60);
        assert!(
            waits
                .iter()
                .all(|wait| (Duration::from_millis(1)..=minute).contains(wait)),
            "{waits:?}"
        );
    }
}

#[tokio::test]
async fn whoever_asks_again_for_a_turn_of_theirs_has_it() {
    for store in Store::both().await {
        store.turn(1).await;
        let turn = store.turn(1).await;
        assert!(is_in_flight(&store.begin(2).await));
        store.kv.finish_request(&turn, &answer()).await.unwrap();
        assert!(matches!(store.begin(2).await, RequestBegun::Answered(_)));
    }
}

#[tokio::test]
async fn a_name_is_used_for_one_request_and_by_one_person() {
    for store in Store::both().await {
        let other = || store.kv.begin_request(ANN, NAME, "POST /other", 2);
        let turn = store.turn(1).await;
        let begun = other().await.unwrap();
        assert!(matches!(begun, RequestBegun::Mismatch), "in flight");
        store.kv.finish_request(&turn, &answer()).await.unwrap();
        let begun = other().await.unwrap();
        assert!(matches!(begun, RequestBegun::Mismatch), "answered");
        let begun = store.kv.begin_request(BOB, NAME, "POST /other", 3).await;
        assert!(matches!(begun.unwrap(), RequestBegun::Yours(_)));
    }
}

#[tokio::test]
async fn a_turn_that_was_left_is_the_next_ones() {
    for store in Store::both().await {
        let turn = store.turn(1).await;
        store.kv.leave_request(&turn).await.unwrap();
        store.turn(2).await;
        // The first one's words count no more.
        store.kv.leave_request(&turn).await.unwrap();
        assert!(is_in_flight(&store.begin(3).await));
    }
}

#[tokio::test]
async fn the_turn_of_the_dead_is_taken_over_with_the_order_they_reserved() {
    for store in Store::both().await {
        let dead = store.turn(1).await;
        let (mine, another) = (OrderId::new(71), OrderId::new(72));
        assert_eq!(store.kv.reserve_order(&dead, mine).await.unwrap(), mine);
        assert!(is_in_flight(&store.begin(2).await));
        store.end_turn().await;
        let heir = store.turn(2).await;
        assert_eq!(store.kv.reserve_order(&heir, another).await.unwrap(), mine);
        // The first was not dead but slow: its answer comes too late.
        let late = KeptAnswer {
            status: 200,
            body: b"late".to_vec(),
        };
        store.kv.finish_request(&dead, &late).await.unwrap();
        assert!(is_in_flight(&store.begin(3).await));
        store.kv.finish_request(&heir, &answer()).await.unwrap();
        match store.begin(3).await {
            RequestBegun::Answered(kept) => assert_eq!(kept, answer()),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_name_counts_for_a_day_from_its_first_use_and_then_no_more() {
    for store in Store::both().await {
        let turn = store.turn(1).await;
        let first = store.ttl().await;
        let a_minute_less = REQUESTS_KEPT - Duration::from_secs(60);
        assert!(
            (a_minute_less..=REQUESTS_KEPT).contains(&first),
            "{first:?}"
        );
        store
            .kv
            .reserve_order(&turn, OrderId::new(7))
            .await
            .unwrap();
        store.end_turn().await;
        let turn = store.turn(2).await;
        store.kv.finish_request(&turn, &answer()).await.unwrap();
        assert!(store.ttl().await <= first, "nothing makes it longer");
        let mut expire = redis::cmd("PEXPIRE");
        expire.arg(store.key().await).arg(1);
        let () = store.link.run(&expire).await.unwrap();
        testkit::wait_until("the day is over", Duration::from_secs(5), async || {
            matches!(store.begin(9).await, RequestBegun::Yours(_))
        })
        .await;
    }
}

#[tokio::test]
async fn an_order_reserved_when_the_day_is_over_is_not_kept_for_ever() {
    for store in Store::both().await {
        let turn = store.turn(1).await;
        let mut forget = redis::cmd("DEL");
        forget.arg(store.key().await);
        let () = store.link.run(&forget).await.unwrap();
        store
            .kv
            .reserve_order(&turn, OrderId::new(7))
            .await
            .unwrap();
        assert!(store.ttl().await <= REQUESTS_KEPT);
    }
}
