//! People who want a unit and do not give up: they ask any server, and ask again when it is busy, dead or silent.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::Method;
use testkit::{Client, HttpReply};
use tokio::time::{Instant, sleep, timeout};

use super::site::Site;
use super::witness::{ClaimReply, Witness};

/// How long a person looks at a page that does not load: about as long as a claim may wait and then be in doubt, so that
/// some give up just before their answer and ask again.
const ANSWER_LIMIT: Duration = Duration::from_secs(6);

/// Within this everybody is told something final once everything runs; a test that needs longer hangs.
const PATIENCE: Duration = Duration::from_secs(180);

/// Requests under way at once.
const AT_ONCE: usize = 256;

/// How often a buyer who has an order asks for it again.
const MAX_REPEATS: u32 = 3;

pub(super) struct Crowd<'a> {
    site: &'a Site,
    witness: &'a Witness,
    people: Vec<Person>,
}

struct Person {
    number: usize,
    /// When they come, as a part of the round.
    comes_at: f64,
    seed: u64,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(site: &'a Site, witness: &'a Witness, random: &mut StdRng) -> Self {
        let mut people: Vec<Person> = (0..site.people())
            .map(|number| Person {
                number,
                comes_at: random.random(),
                seed: random.random(),
            })
            .collect();
        people.sort_by(|one, other| one.comes_at.total_cmp(&other.comes_at));
        Self {
            site,
            witness,
            people,
        }
    }

    /// Everybody comes once within this time, and stays until they have an order or it is sold out.
    pub(super) async fn rush(&self, within: Duration) {
        let begin = Instant::now();
        let visits = self.people.iter().map(|person| async move {
            tokio::time::sleep_until(begin + within.mul_f64(person.comes_at)).await;
            let mut random = StdRng::seed_from_u64(person.seed);
            if self.insist(person, &mut random).await {
                for _ in 0..random.random_range(0..=MAX_REPEATS) {
                    self.ask(person, &mut random).await;
                }
            }
        });
        self.all_of(visits).await;
    }

    /// Everybody asks once more, until they are told something final.
    pub(super) async fn ask_again(&self) {
        let visits = self.people.iter().map(|person| async move {
            let mut random = StdRng::seed_from_u64(person.seed + 1);
            self.insist(person, &mut random).await;
        });
        self.all_of(visits).await;
    }

    async fn all_of(&self, visits: impl Iterator<Item = impl Future<Output = ()>>) {
        let visits = stream::iter(visits).buffer_unordered(AT_ONCE);
        visits.collect::<()>().await;
    }

    /// Whether the person has an order in the end; if not, it was sold out.
    async fn insist(&self, person: &Person, random: &mut StdRng) -> bool {
        let deadline = Instant::now() + PATIENCE * super::scale();
        loop {
            match self.ask(person, random).await {
                ClaimReply::Order(_) => return true,
                ClaimReply::SoldOut => return false,
                other => assert!(
                    Instant::now() < deadline,
                    "person {} hears nothing but {other:?}\n{}",
                    person.number,
                    self.site.logs(),
                ),
            }
            sleep(Duration::from_millis(random.random_range(20..200))).await;
        }
    }

    async fn ask(&self, person: &Person, random: &mut StdRng) -> ClaimReply {
        let client = self.site.client(person.number, random);
        let heard = claim_once(&client, self.site.voucher()).await;
        self.witness.note(person.number, &heard).await;
        heard
    }
}

async fn claim_once(client: &Client, voucher: i64) -> ClaimReply {
    let path = format!("/api/voucher-order/seckill/{voucher}");
    let sent = client.try_send(Method::POST, &path, None);
    match timeout(ANSWER_LIMIT, sent).await {
        Ok(Ok(answer)) => understand(&answer),
        Ok(Err(_)) | Err(_) => ClaimReply::Nothing,
    }
}

#[track_caller]
fn understand(answer: &HttpReply) -> ClaimReply {
    let json = answer.json();
    let order = || {
        let order = json["data"].as_str();
        order
            .unwrap_or_else(|| panic!("no order in {json}"))
            .to_owned()
    };
    match json["code"].as_str() {
        None => ClaimReply::Order(order()),
        Some("already_bought") => ClaimReply::Order(order()),
        Some("processing") => ClaimReply::Processing(order()),
        Some("sold_out") => ClaimReply::SoldOut,
        Some(code @ ("busy" | "unavailable" | "not_signed_in")) => {
            ClaimReply::NotNow(code.to_owned())
        }
        Some(_) => panic!("nobody expects {} {json}", answer.status),
    }
}
