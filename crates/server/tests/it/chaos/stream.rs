//! A stream of orders in which everything comes twice, in another order, and among nonsense.

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;

use super::site::{Plan, Site};
use super::{Crowd, ROUND, Witness, check, each_round, record};

/// Entries nobody can read.
const NONSENSE: [&[(&str, &str)]; 4] = [
    &[("hello", "world")],
    &[("v", "x"), ("s", "1"), ("o", "1:2:3")],
    &[
        ("v", "1"),
        ("s", "x"),
        ("t", "0"),
        ("n", "1"),
        ("o", "1:2:1"),
    ],
    &[
        ("v", "1"),
        ("s", "1"),
        ("t", "0"),
        ("n", "3"),
        ("o", "1:2:1,:,"),
    ],
];

/// Fields and values, one after the other.
type Entry = Vec<Vec<u8>>;

fn nonsense() -> impl Iterator<Item = Entry> {
    let entry = |fields: &&[(&str, &str)]| {
        let words = fields.iter().flat_map(|(field, value)| [*field, *value]);
        words.map(|word| word.as_bytes().to_vec()).collect()
    };
    NONSENSE.iter().map(entry)
}

/// Puts every entry in twice more, shuffled, among nonsense.
async fn tamper(site: &Site, random: &mut StdRng) {
    for stream in site.keys("seckill:*:orders").await {
        let stream = stream.as_bytes();
        let honest: Vec<(String, Entry)> = site.ask(&[b"XRANGE", stream, b"-", b"+"]).await;
        let honest = honest.into_iter().map(|(_, entry)| entry);
        let mut all: Vec<Entry> = nonsense().chain(honest.clone()).chain(honest).collect();
        all.shuffle(random);
        record::fault("stream entries doubled, shuffled and mixed with unreadable ones");
        for entry in &all {
            let mut words: Vec<&[u8]> = vec![b"XADD", stream, b"*"];
            words.extend(entry.iter().map(Vec::as_slice));
            let _: String = site.ask(&words).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_doubled_shuffled_and_unreadable_become_each_order_once() {
    let plan = Plan {
        roles: &["web", "worker"],
        ..Plan::default()
    };
    each_round(async |mut random| {
        let site = Site::open(plan).await;
        // Nobody drains while the stream is written and tampered with.
        site.servers[1].kill();
        record::fault("server killed");
        let witness = Witness::new();
        let crowd = Crowd::new(&site, &witness, &mut random);
        crowd.rush(ROUND / 4).await;
        tamper(&site, &mut random).await;
        // Where no reply is missing, nobody asks again, and nothing would start it.
        site.servers[1].start_if_down();
        site.look_after(crowd.ask_again()).await;
        check::verify(&site, &witness, plan.promise).await;
    })
    .await;
}
