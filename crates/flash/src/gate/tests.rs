//! The script on a real server, against a model of a few lines.

mod model;

use link::{Link, Options, Target};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::{Redis, RedisCluster, unique_prefix};

use super::*;
use std::num::NonZeroU16;

use crate::keys::Keys;
use crate::{ClaimOutcome, Partition, Partitions};
use model::{Model, Terms, Window};

const SALE: SaleId = SaleId(77);

/// Long enough for a burst of random steps, short enough for every run of the suite.
const CASES: u32 = 96;

/// One thing that happens to a sale.
#[derive(Clone, Debug)]
enum Step {
    Claims(Vec<Wish>),
    StockReturn { buyer: i64, which: usize },
    Change(Terms),
}

/// What one claim of a batch brings along.
#[derive(Clone, Debug)]
struct Wish {
    buyer: i64,
    key: Option<u64>,
    /// Uses the id of this earlier claim instead of a new one.
    repeat: Option<usize>,
}

struct Bench {
    link: Link,
    bucket: Bucket,
    keys: PartitionKeys,
    model: Model,
    asked: Vec<GateClaim>,
    next_order: i64,
}

impl Bench {
    async fn new(url: &str) -> Self {
        let target = Target::parse(url).unwrap();
        let link = Link::connect(&target, Options::default()).await.unwrap();
        let keys = Keys::new(&unique_prefix());
        let partition = Partition(0);
        let bench = Self {
            link,
            bucket: Bucket::new(SALE, 0, &keys, Partitions::new(NonZeroU16::MIN), false),
            keys: PartitionKeys {
                orders: keys.orders(partition),
                backlog: keys.backlog(partition),
            },
            model: Model::new(3),
            asked: Vec::new(),
            // Beyond what a number of Lua can hold exactly.
            next_order: (1 << 60) + 1,
        };
        bench.write_gate().await;
        bench
    }

    async fn run(&self, words: &[&str]) -> redis::Value {
        let mut cmd = redis::Cmd::new();
        words.iter().for_each(|word| {
            cmd.arg(word);
        });
        self.link.run(&cmd).await.unwrap()
    }

    /// The replication id of the master that has the gate.
    async fn master(&self) -> String {
        let mut ask = redis::cmd("INFO");
        ask.arg("replication");
        let info = self
            .link
            .run_on_master_of(&self.bucket.sale_key, &ask)
            .await;
        let info: String = info.unwrap();
        let mut lines = info.lines();
        let id = lines.find_map(|line| line.strip_prefix("master_replid:"));
        id.unwrap().to_owned()
    }

    async fn write_gate(&self) {
        let Model { stock, terms, .. } = &self.model;
        let (begin, end) = terms.window.bounds_ms();
        let mut cmd = redis::cmd("HSET");
        cmd.arg(&self.bucket.sale_key);
        cmd.arg(&[("state", "open"), ("spread", "1"), ("epoch", "1048576")]);
        cmd.arg(&[("stock", stock), ("initial", &self.model.initial())]);
        cmd.arg(&[("begin", begin), ("end", end)]);
        cmd.arg(&[("limit", terms.limit), ("shelf", u8::from(terms.on_shelf))]);
        cmd.arg("master").arg(self.master().await);
        self.link.run::<()>(&cmd).await.unwrap();
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Claims(wishes) => self.claim(wishes).await,
            Step::StockReturn { buyer, which } => self.return_unit(*buyer, *which).await,
            Step::Change(terms) => {
                self.model.terms = *terms;
                self.write_gate().await;
            }
        }
        self.check().await;
    }

    async fn claim(&mut self, wishes: &[Wish]) {
        let claims: Vec<GateClaim> = wishes.iter().map(|wish| self.gate_claim(wish)).collect();
        let expected = self.model.decide(&claims);
        assert_eq!(self.outcomes(&claims).await, expected);
        // A granted claim gets the same outcome for ever.
        let again = self.outcomes(&claims).await;
        for (before, after) in expected.iter().zip(again) {
            if let ClaimOutcome::Granted(_) = before {
                assert_eq!(after, *before, "a repetition");
            }
        }
    }

    fn gate_claim(&mut self, wish: &Wish) -> GateClaim {
        let earlier = wish.repeat.filter(|_| !self.asked.is_empty());
        if let Some(earlier) = earlier {
            return self.asked[earlier % self.asked.len()];
        }
        self.next_order += 1;
        let claim = GateClaim {
            buyer: BuyerId(wish.buyer),
            order: OrderId(self.next_order),
            key: wish.key.map(KeyHash),
        };
        self.asked.push(claim);
        claim
    }

    async fn outcomes(&self, claims: &[GateClaim]) -> Vec<ClaimOutcome> {
        let batch = ClaimBatch {
            sale: SALE,
            spread: 1,
            claims,
        };
        let reply = super::claim(&self.link, &self.bucket, &self.keys, &batch).await;
        match reply.unwrap() {
            BatchReply::Decided(decision) => decision.outcomes,
            other => panic!("{other:?}"),
        }
    }

    /// As the script for it does, which has tests of its own.
    async fn return_unit(&mut self, buyer: i64, which: usize) {
        let Some(value) = self.model.return_unit(buyer, which) else {
            return;
        };
        let Bucket {
            sale_key,
            buyers_key,
            ..
        } = &self.bucket;
        self.run(&["HSET", buyers_key, &buyer.to_string(), &value])
            .await;
        self.run(&["HINCRBY", sale_key, "stock", "1"]).await;
    }

    /// What is in Redis is what the model has, and the stream has every order once.
    async fn check(&self) {
        let mut stock = redis::cmd("HGET");
        stock.arg(&self.bucket.sale_key).arg("stock");
        assert_eq!(
            self.link.run::<u32>(&stock).await.unwrap(),
            self.model.stock
        );
        for (buyer, items) in self.model.held() {
            let mut held = redis::cmd("HGET");
            held.arg(&self.bucket.buyers_key).arg(buyer);
            let held: String = self.link.run(&held).await.unwrap();
            assert_eq!(held, items);
        }
        let mut backlog = redis::cmd("GET");
        backlog.arg(&self.keys.backlog);
        let backlog: Option<usize> = self.link.run(&backlog).await.unwrap();
        assert_eq!(backlog.unwrap_or(0), self.model.granted.len());
        assert_eq!(self.streamed().await, self.model.granted);
    }

    async fn streamed(&self) -> Vec<String> {
        let mut range = redis::cmd("XRANGE");
        range.arg(&self.keys.orders).arg("-").arg("+");
        let entries: redis::streams::StreamRangeReply = self.link.run(&range).await.unwrap();
        let mut orders = Vec::new();
        for entry in entries.ids {
            let text: String = entry.get("o").unwrap();
            let listed: Vec<String> = text.split(',').map(str::to_owned).collect();
            assert_eq!(entry.get("n"), Some(listed.len()));
            assert_eq!(entry.get("s"), Some(SALE.0));
            orders.extend(listed);
        }
        orders
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wish = (
        1..8_i64,
        prop::option::weighted(0.3, 1..4_u64),
        prop::option::weighted(0.3, 0..50_usize),
    )
        .prop_map(|(buyer, key, repeat)| Wish { buyer, key, repeat });
    let window = prop_oneof![
        1 => Just(Window::Waiting),
        4 => Just(Window::Open),
        1 => Just(Window::Ended),
    ];
    let terms =
        (window, 1..4_u8, prop::bool::weighted(0.8)).prop_map(|(window, limit, on_shelf)| Terms {
            window,
            limit,
            on_shelf,
        });
    let step = prop_oneof![
        6 => prop::collection::vec(wish, 1..12).prop_map(Step::Claims),
        3 => (1..8_i64, 0..4_usize).prop_map(|(buyer, which)| Step::StockReturn { buyer, which }),
        1 => terms.prop_map(Step::Change),
    ];
    prop::collection::vec(step, 1..25)
}

/// Random histories on the server at `url`; proptest prints the seed of one that fails.
fn compare_with_the_model(url: impl AsyncFn() -> String, cases: u32) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = runtime.block_on(url());
    let mut config = Config::with_cases(cases);
    config.failure_persistence = None;
    let outcome = TestRunner::new(config).run(&steps(), |steps| {
        runtime.block_on(async {
            let mut bench = Bench::new(&url).await;
            for step in &steps {
                bench.take(step).await;
            }
        });
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn the_gate_decides_as_its_model_does() {
    compare_with_the_model(async || Redis::shared().await.url(), CASES);
}

#[test]
fn the_gate_decides_alike_in_a_cluster() {
    compare_with_the_model(async || RedisCluster::shared().await.url(), CASES / 8);
}

#[tokio::test]
async fn a_gate_that_is_not_open_sells_nothing() {
    let mut bench = Bench::new(&Redis::shared().await.url()).await;
    let sale_key = bench.bucket.sale_key.clone();
    bench.run(&["HSET", &sale_key, "state", "loading"]).await;
    let wish = Wish {
        buyer: 1,
        key: None,
        repeat: None,
    };
    let claims = [bench.gate_claim(&wish)];
    let mut batch = ClaimBatch {
        sale: SALE,
        spread: 1,
        claims: &claims,
    };
    let ask_it = async |batch: &ClaimBatch<'_>| {
        super::claim(&bench.link, &bench.bucket, &bench.keys, batch)
            .await
            .unwrap()
    };
    assert_eq!(ask_it(&batch).await, BatchReply::NotLoaded);
    bench.run(&["HSET", &sale_key, "state", "open"]).await;
    batch.spread = 2;
    assert_eq!(ask_it(&batch).await, BatchReply::OtherSpread);
    bench.run(&["DEL", &sale_key]).await;
    assert_eq!(ask_it(&batch).await, BatchReply::NotLoaded);
    bench.run(&["EXISTS", &bench.keys.orders]).await;
    assert_eq!(bench.streamed().await, Vec::<String>::new());
}

#[tokio::test]
async fn buyers_are_forgotten_together_with_their_sale() {
    let mut bench = Bench::new(&Redis::shared().await.url()).await;
    let sale_key = bench.bucket.sale_key.clone();
    bench.run(&["PEXPIRE", &sale_key, "60000"]).await;
    let wish = Wish {
        buyer: 1,
        key: None,
        repeat: None,
    };
    bench.claim(&[wish]).await;
    let mut rest = redis::cmd("PTTL");
    let rest: i64 = bench
        .link
        .run(rest.arg(&bench.bucket.buyers_key))
        .await
        .unwrap();
    assert!((50_000..=60_000).contains(&rest), "{rest}");
}

#[tokio::test]
async fn a_server_that_takes_no_writes_sells_nothing() {
    let redis = Redis::start().await;
    let mut bench = Bench::new(&redis.url()).await;
    let stock_before = bench.run(&["HGETALL", &bench.bucket.sale_key]).await;
    bench.run(&["CONFIG", "SET", "maxmemory", "1"]).await;
    let wish = Wish {
        buyer: 1,
        key: None,
        repeat: None,
    };
    let claims = [bench.gate_claim(&wish)];
    let batch = ClaimBatch {
        sale: SALE,
        spread: 1,
        claims: &claims,
    };
    let refused = super::claim(&bench.link, &bench.bucket, &bench.keys, &batch).await;
    assert!(refused.unwrap_err().is_without_effect());
    bench.run(&["CONFIG", "SET", "maxmemory", "0"]).await;
    assert_eq!(
        bench.run(&["HGETALL", &bench.bucket.sale_key]).await,
        stock_before
    );
    bench.check().await;
}
