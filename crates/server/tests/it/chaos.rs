//! Everything is killed, frozen, cut off and made to forget while people buy; an outside witness then holds the site to
//! its promises.
//!
//! The site is real: `tandian` processes of their own, on their own Redis, SQL and broker. The [`witness`] writes every
//! answer a buyer got to a file of its own and syncs it before that buyer goes on, so it knows what was promised,
//! whatever the site remembers. When everything runs again and every buyer has a reply, [`check`] compares the file with SQL:
//!
//! 1. as many units are sold as there were, if enough people wanted them;
//! 2. nobody has two live orders;
//! 3. a granted order is one row, its buyer's, and the only one that the buyer ever got;
//! 6. a retry got the same order.
//!
//! Every test is a short round of seconds. `make chaos` plays them round after round for an hour, with a crowd and a time
//! that are `CHAOS_SCALE` times as large, and writes a report of what each round [records](record)
//! (docs/guide/chaos.md). A round draws all its choices from a seed, which a failing test shows; `CHAOS_SEED` repeats it.
//! What the machine does in between is not drawn, so a rare failure may need several rounds to come back.

mod check;
mod crowd;
mod crowds;
mod forgetting;
mod kills;
pub(crate) mod record;
mod report;
mod returns;
mod services;
mod silence;
mod site;
mod stream;
mod witness;

use std::time::Duration;

use rand::SeedableRng as _;
use rand::rngs::StdRng;

use check::Promise;
use crowd::Crowd;
use site::{Plan, Site};
use witness::Witness;

/// How long a short round lasts: people come at random moments within it.
const ROUND: Duration = Duration::from_secs(4);

/// Within this a process comes to its fail point, on a machine that is busy with other things too.
const DEATH_LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// How much larger than usual the rounds are.
fn scale() -> u32 {
    let scale = number("CHAOS_SCALE").unwrap_or(1);
    u32::try_from(scale).expect("a small number")
}

/// The program under test: `CHAOS_PROGRAM` names another build of it.
pub(crate) fn program() -> String {
    let named = std::env::var("CHAOS_PROGRAM");
    named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_tandian").to_owned())
}

/// The seed that was asked for, or one that is drawn and shown.
pub(crate) fn first_seed() -> u64 {
    let seed = number("CHAOS_SEED").unwrap_or_else(|| u64::from(rand::random::<u32>()));
    eprintln!("CHAOS_SEED={seed}");
    seed
}

/// Plays a scenario as often as is asked for, each time with another seed.
async fn each_round(scenario: impl AsyncFn(StdRng)) {
    let rounds = number("CHAOS_ROUNDS").unwrap_or(1);
    let first = first_seed();
    for seed in first..first + rounds {
        eprintln!("round with CHAOS_SEED={seed}");
        scenario(StdRng::seed_from_u64(seed)).await;
    }
}

/// A round: people buy while `mischief` is done to the site; then everything runs again and everybody asks once more.
async fn play(
    plan: Plan,
    mut random: StdRng,
    mischief: impl AsyncFnOnce(&Site, &mut StdRng),
) -> Witness {
    let promise = plan.promise;
    let site = Site::open(plan).await;
    let witness = Witness::new();
    let crowd = Crowd::new(&site, &witness, &mut random);
    let rush = crowd.rush(ROUND * scale());
    let mischief = async {
        mischief(&site, &mut random).await;
        site.repair().await;
    };
    site.look_after(async { tokio::join!(rush, mischief) })
        .await;
    site.look_after(crowd.ask_again()).await;
    check::verify(&site, &witness, promise).await;
    drop(crowd);
    witness
}
