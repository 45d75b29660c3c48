//! Guessed codes: for many people, from many addresses, many at once. Codes are asked for on the way, as often as the site
//! lets anybody.
//!
//! A guess is worth something only if it is compared with a code. How many are is bounded by the tries each code has; the
//! rest is turned away. So the chance of the whole attack is the number of compared guesses divided by the number of codes
//! there could be, and the attack may get in no more often than that chance explains.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::Client;
use tokio::task::JoinSet;

use super::site::Site;
use crate::contract::random::Random;

/// Guesses under way at a time.
const WORKERS: usize = 32;
/// One in so many asks for another code instead of guessing one.
const ASKS: usize = 40;
/// Wrong tries that a code has, as the site is set by default: for the client that requested it, and as many for all others.
const TRIES: usize = 2 * 5;
/// Codes there are of six digits.
const CODES: f64 = 1_000_000.0;
/// With a chance of one in a hundred, three successes happen once in six million runs.
const LUCK: usize = 2;

/// Keys in Redis that a person costs while they are attacked: codes, two pauses, quota, tries, devices, and room for more.
const KEYS_PER_PERSON: usize = 8;
/// Keys that an address costs: two limits.
const KEYS_PER_ADDRESS: usize = 2;

/// What the replies say, counted.
#[derive(Default)]
struct Counts {
    replies: BTreeMap<String, usize>,
    problems: Vec<String>,
}

pub(super) async fn guess_all(site: &Site, seed: u64, count: usize) -> (Vec<String>, String) {
    let (people, addresses) = (
        (count / 500).clamp(20, 2_000),
        (count / 20).clamp(200, 50_000),
    );
    let before = site.size().await;
    let next = Arc::new(AtomicUsize::new(0));
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let mut random = Random::new(seed ^ (worker as u64).wrapping_mul(0x9e37_79b9));
        let (visitor, next) = (site.visitor(), next.clone());
        workers.spawn(async move {
            let mut counts = Counts::default();
            // Everybody has a code at first: then all guesses are worth something.
            for person in (worker..people).step_by(WORKERS) {
                ask(&visitor, person, &mut random, addresses, &mut counts).await;
            }
            while next.fetch_add(1, Ordering::Relaxed) < count {
                let person = random.below(people);
                if random.one_in(ASKS) {
                    ask(&visitor, person, &mut random, addresses, &mut counts).await;
                }
                guess(&visitor, person, &mut random, addresses, &mut counts).await;
            }
            counts
        });
    }
    let mut all = Counts::default();
    for counts in workers.join_all().await {
        all.problems.extend(counts.problems);
        for (reply, number) in counts.replies {
            *all.replies.entry(reply).or_default() += number;
        }
    }
    judge(&mut all);
    let keys = site
        .size()
        .await
        .redis_keys
        .saturating_sub(before.redis_keys);
    let bound = people * KEYS_PER_PERSON + addresses * KEYS_PER_ADDRESS;
    if keys > bound {
        let problem = format!("{keys} more keys in Redis, {bound} are the bound");
        all.problems.push(problem);
    }
    let words = format!(
        "{people} people, {addresses} addresses, {keys} more keys of at most {bound}, replies {:?}",
        all.replies
    );
    (all.problems, words)
}

fn judge(all: &mut Counts) {
    let of = |reply: &str| all.replies.get(reply).copied().unwrap_or_default();
    let (sent, wrong, in_) = (of("code sent"), of("code_wrong"), of("let in"));
    let compared = wrong + in_;
    let mut problems = Vec::new();
    if compared > sent * TRIES {
        let problem =
            format!("{compared} guesses were compared with {sent} codes of {TRIES} tries");
        problems.push(problem);
    }
    if in_ > LUCK {
        let chance = compared as f64 / CODES;
        problems.push(format!(
            "{in_} were let in, where {chance:.4} are to be expected"
        ));
    }
    all.problems.extend(problems);
}

fn phone(person: usize) -> String {
    format!("177{person:08}")
}

/// The person's own phone is far away: the attacker only causes the message.
async fn ask(
    visitor: &Client,
    person: usize,
    random: &mut Random,
    addresses: usize,
    counts: &mut Counts,
) {
    let body = json!({ "phone": phone(person) });
    let reply = send(visitor, "/api/user/code", &body, random, addresses, counts).await;
    if let Some(reply) = reply {
        let reply = match reply.as_str() {
            "" => "code sent".to_owned(),
            code => format!("{code} (asked)"),
        };
        *counts.replies.entry(reply).or_default() += 1;
    }
}

async fn guess(
    visitor: &Client,
    person: usize,
    random: &mut Random,
    addresses: usize,
    counts: &mut Counts,
) {
    let code = format!("{:06}", random.below(1_000_000));
    let body = json!({ "phone": phone(person), "code": code });
    let reply = send(visitor, "/api/user/login", &body, random, addresses, counts).await;
    if let Some(reply) = reply {
        let reply = if reply.is_empty() {
            "let in".to_owned()
        } else {
            reply
        };
        *counts.replies.entry(reply).or_default() += 1;
    }
}

/// The code of a refusal; empty for a success. Server errors and broken connections are problems.
async fn send(
    visitor: &Client,
    path: &str,
    body: &Value,
    random: &mut Random,
    addresses: usize,
    counts: &mut Counts,
) -> Option<String> {
    let place = u32::try_from(random.below(addresses)).unwrap_or(0);
    let address = Ipv4Addr::from(0x0b00_0000 + place);
    let visitor = visitor
        .clone()
        .with_header("x-forwarded-for", &address.to_string());
    let media = ("application/json", body.to_string().into_bytes());
    let answer = visitor
        .try_send(reqwest::Method::POST, path, Some(media))
        .await;
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            counts.problems.push(format!("{path}: {error:?}"));
            return None;
        }
    };
    if answer.status.is_server_error() {
        counts
            .problems
            .push(format!("{path}: {} {}", answer.status, answer.text));
    }
    let json = answer.json();
    Some(json["code"].as_str().unwrap_or_default().to_owned())
}
