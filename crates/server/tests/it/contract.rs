//! The contract between `openapi.json` and the running server, kept by thousands of requests made from the one and sent
//! to the other.
//!
//! The requests are repeatable: a failure names its seed and its number, and `TANDIAN_FUZZ_SEED` brings the same ones
//! back. `TANDIAN_FUZZ_REQUESTS` asks for more of them.

mod breaks;
mod cast;
mod description;
mod draft;
mod hostile;
mod methods;
pub(crate) mod random;
mod raw;
mod shape;
mod stage;
mod values;
mod verdict;
mod wire;

use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex};

use testkit::{TestApp, TestAppBuilder};
use tokio::task::JoinSet;

use self::breaks::{BODY_LIMIT_BYTES, BREAKS};
use self::cast::Cast;
use self::description::Description;
use self::draft::Draft;
use self::random::Random;
pub(crate) use self::stage::furnish;
use self::verdict::Seen;
use self::wire::{RawReply, RawRequest, Wire};

const DEFAULT_SEED: u64 = 20_261_115;
/// Some hundred for each operation: fewer leave one that only an admin may do, or one whose parameters rarely fit together,
/// without a valid request.
const DEFAULT_REQUESTS: usize = 9_000;
/// Requests in flight: enough to keep both sides busy, and below the sessions one person may have.
const WORKERS: usize = 16;
/// Turns that stay valid in every round over the ways of breaking.
const VALID_TURNS: usize = 8;
/// Codes that one address may ask for: fewer than the run asks for, so that the refusal is met as well.
const CODES_PER_ADDRESS: usize = 5;
/// How many problems a failed run shows: the rest is usually the same.
const SHOWN_PROBLEMS: usize = 10;

/// Operations that a site refuses to everybody until its operator turns them on: `lab.program` names a program to run.
const SWITCHED_OFF: [&str; 2] = ["POST /api/lab/crowd", "DELETE /api/lab/crowd"];

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");

#[test]
fn the_committed_description_is_current() {
    let tandian = Command::new(env!("CARGO_BIN_EXE_tandian"))
        .arg("openapi")
        .output()
        .unwrap();
    let made = String::from_utf8(tandian.stdout).unwrap();
    let committed = std::fs::read_to_string(COMMITTED).unwrap();
    // Not `assert_eq`: two documents side by side help nobody.
    assert!(
        made == committed,
        "openapi.json is not what the server says: run `make openapi` and look at the difference"
    );
}

#[tokio::test]
async fn the_server_serves_the_committed_description() {
    let app = TestApp::spawn().await;
    let served = app.visitor().get("/openapi.json").await.json();
    let committed = std::fs::read_to_string(COMMITTED).unwrap();
    let committed: serde_json::Value = serde_json::from_str(&committed).unwrap();
    assert_eq!(served, committed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generated_requests_never_break_the_server() {
    let app = with_limits(TestApp::builder()).spawn().await;
    let count = from_env("TANDIAN_FUZZ_REQUESTS").unwrap_or(DEFAULT_REQUESTS as u64) as usize;
    let seed = from_env("TANDIAN_FUZZ_SEED").unwrap_or(DEFAULT_SEED);
    let storm = Storm::prepare(&app, app.address()).await;
    let run = Arc::new(Run::of(&storm, seed, count));
    furnish(&app).await;
    let problems = run_all(&run, app.address()).await;
    let shown = &problems[..problems.len().min(SHOWN_PROBLEMS)];
    let found = problems.len();
    assert!(
        found == 0,
        "{found} problems with TANDIAN_FUZZ_SEED={seed}:\n{}",
        shown.join("\n")
    );
    assert_eq!(app.visitor().get("/readyz").await.status, 200);
    run.assert_reach();
}

/// Everything that generated requests are made from, for a server that shares the data of a [`TestApp`]. To read the
/// description takes seconds, so it is read once.
pub(crate) struct Storm {
    description: Arc<Description>,
    cast: Arc<Cast>,
    address: SocketAddr,
}

impl Storm {
    pub(crate) async fn prepare(app: &TestApp, address: SocketAddr) -> Self {
        let document = app.visitor().get("/openapi.json").await.json();
        Self {
            description: Arc::new(Description::read(&document)),
            cast: Arc::new(Cast::assemble(app, address).await),
            address,
        }
    }

    /// Sends so many requests and returns what was wrong with the answers.
    pub(crate) async fn send(&self, seed: u64, count: usize) -> Vec<String> {
        run_all(&Arc::new(Run::of(self, seed, count)), self.address).await
    }
}

async fn run_all(run: &Arc<Run>, address: SocketAddr) -> Vec<String> {
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        workers.spawn(work(run.clone(), address, worker));
    }
    workers.join_all().await.into_iter().flatten().collect()
}

/// With limits that a run over every operation can stay below, or reach cheaply.
pub(crate) fn with_limits(builder: TestAppBuilder) -> TestAppBuilder {
    let set = |builder: TestAppBuilder, (name, value)| builder.setting(name, value);
    limits().into_iter().fold(builder, set)
}

pub(crate) fn limits() -> [(&'static str, usize); 5] {
    [
        ("http.body_limit_bytes", BODY_LIMIT_BYTES),
        ("code.per_address_per_hour", CODES_PER_ADDRESS),
        ("code.logins_per_address_per_hour", 1_000_000),
        ("code.total_per_minute", 1_000_000),
        ("code.per_day", 3),
    ]
}

#[track_caller]
fn from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// Everything the workers share.
struct Run {
    description: Arc<Description>,
    cast: Arc<Cast>,
    seed: u64,
    count: usize,
    seen: Mutex<Seen>,
}

impl Run {
    fn of(storm: &Storm, seed: u64, count: usize) -> Self {
        Self {
            description: storm.description.clone(),
            cast: storm.cast.clone(),
            seed,
            count,
            seen: Mutex::default(),
        }
    }

    /// The request of a number, the same in every run with the same seed: operations take turns, and in each round
    /// another way of breaking comes first.
    fn draft(&self, number: usize) -> Draft {
        let mut random =
            Random::new(self.seed ^ (number as u64).wrapping_mul(0x5851_f42d_4c95_7f2d));
        // A stream has no end to wait for; it has tests of its own.
        let operations = self.description.operations.iter();
        let operations: Vec<_> = operations.filter(|it| !it.is_stream).collect();
        let operation = operations[number % operations.len()];
        let mut draft = Draft::valid(operation, self.cast.len(), &mut random);
        let turn = (number / operations.len()) % (BREAKS.len() + VALID_TURNS);
        let Some(first) = BREAKS.get(turn) else {
            return draft;
        };
        let more = random.below(3) / 2;
        let others = (0..more).map(|_| random.pick(BREAKS)).collect::<Vec<_>>();
        for (name, apply) in std::iter::once(*first).chain(others) {
            apply(&mut draft, &mut random);
            draft.story.push(name);
        }
        draft
    }

    fn judge(&self, request: &RawRequest, answer: &RawReply) -> Result<(), String> {
        let mut seen = self.seen.lock().unwrap();
        verdict::judge(&self.description, request, answer, &mut seen)
    }

    /// The run means little unless it came everywhere: to each operation, and to each kind of refusal.
    #[track_caller]
    fn assert_reach(&self) {
        let seen = self.seen.lock().unwrap();
        for status in [200, 400, 401, 403, 404, 405, 413, 415, 429] {
            assert!(
                seen.statuses.contains(&status),
                "never {status}: {:?}",
                seen.statuses
            );
        }
        let operations = self.description.operations.iter();
        for operation in operations.filter(|it| !it.is_stream) {
            let name = format!("{} {}", operation.method, operation.template);
            let statuses = seen.by_operation.get(&name);
            let reached = if SWITCHED_OFF.contains(&name.as_str()) {
                403
            } else {
                200
            };
            assert!(
                statuses.is_some_and(|it| it.contains(&reached)),
                "{name} was never {reached}: {statuses:?}"
            );
        }
        for (code, words) in &seen.words {
            // Fixed words in two languages leave no room for a cause.
            assert!(words.len() <= 2, "{code} has other words: {words:?}");
        }
    }
}

/// Sends every `WORKERS`th request over a connection of its own and returns what was wrong with the answers.
async fn work(run: Arc<Run>, address: SocketAddr, worker: usize) -> Vec<String> {
    let mut wire = Wire::to(address);
    let mut problems = Vec::new();
    for number in (worker..run.count).step_by(WORKERS) {
        let draft = run.draft(number);
        let request = run.cast.pack(&draft).await;
        let verdict = match wire.send(&request).await {
            Ok(answer) => run.judge(&request, &answer),
            Err(error) => Err(error),
        };
        if let Err(problem) = verdict {
            let (method, target) = (&draft.method, draft.target());
            let story = draft.story.join(", ");
            problems.push(format!(
                "#{number} {method} {target:.200} as {:?} ({story}): {problem:.600}",
                draft.who
            ));
        }
    }
    problems
}
