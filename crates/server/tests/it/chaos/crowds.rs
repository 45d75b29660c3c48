//! More people than pieces, everybody clicking five times at once, while nothing is broken.

use super::site::{Plan, Site};
use super::{Crowd, ROUND, Witness, check, each_round, number};

const CLICKS: usize = 5;
const PEOPLE: u64 = 2_000;
const PEOPLE_PER_PIECE: u32 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_great_crowd_that_clicks_five_times_gets_exactly_what_there_is() {
    let people = number("CHAOS_CROWD").unwrap_or(PEOPLE);
    let people = u32::try_from(people).expect("a crowd that fits the machine");
    let plan = Plan {
        people,
        stock: people / PEOPLE_PER_PIECE,
        ..Plan::default()
    };
    each_round(async |mut random| {
        let site = Site::open(plan).await;
        let witness = Witness::new();
        let crowd = Crowd::new(&site, &witness, &mut random);
        let clicks = (0..CLICKS).map(|_| crowd.rush(ROUND / 2));
        futures_util::future::join_all(clicks).await;
        check::verify(&site, &witness, plan.promise).await;
    })
    .await;
}
