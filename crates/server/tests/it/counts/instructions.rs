//! How many instructions the main requests take, from the first byte of a request to the last of its reply, in a debug
//! build. Counts do not know how busy the machine is, so a copy or a layer too many shows here at once.
//!
//! What is counted is the task of the connection: reading, routing, the handler, writing. The runtime around it, Redis'
//! side of a claim and whatever the process does by itself are not; `make bench` counts all of that, in a release build.

use testkit::{Callgrind, Tandian};

use super::scene::Scene;
use super::{BOUNDS, Bound, TURNS};

/// The most a request may take: instructions, and times what a static reply takes. Both are what was counted when they
/// were last set, and a tenth more. What notes are asked of SQL runs in tasks of its own, which are not counted.
const MOST: [(&str, u64, f64); 9] = [
    ("a static reply", 233_000, 1.0),
    ("a cached shop", 280_000, 1.33),
    ("who am I", 303_000, 1.47),
    ("a claim that is granted", 326_000, 1.58),
    ("a claim refused as sold out", 302_000, 1.47),
    ("shops nearby", 454_000, 2.18),
    ("a note", 490_000, 2.34),
    ("the hot list", 2_760_000, 13.3),
    ("a page of the feed", 3_205_000, 15.4),
];

/// The task of a connection, by its symbol. Its polls contain everything that a request waits for. A renamed function
/// counts nothing, which [`LEAST_SHARE`] detects.
const TASK: &str = "server::http::serve::serve_connection::{{closure}}";

/// The cheapest of so many windows counts: now and then an entry is reloaded.
const WINDOWS: usize = 3;

/// A request takes at least this share of its bound, or the counter has missed its task.
const LEAST_SHARE: f64 = 0.5;

fn start_counted(settings: &[(&str, String)]) -> Tandian {
    let mut arguments = Callgrind::arguments(Some(TASK));
    let served = [env!("CARGO_BIN_EXE_tandian"), "serve", "--role", "web"];
    arguments.extend(served.map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let web = Tandian::new(Callgrind::program(), &arguments, settings);
    web.start_with(&[Callgrind::ONE_WORKER]);
    web
}

impl Bound {
    /// Instructions a request, in the cheapest window.
    async fn instructions(&self, scene: &Scene, callgrind: &Callgrind) -> u64 {
        let turns: Vec<usize> = (0..TURNS).collect();
        let mut fewest = u64::MAX;
        for window in turns.chunks(TURNS / WINDOWS) {
            for turn in window {
                self.prepare(scene, *turn).await;
            }
            let asking = async {
                for turn in window {
                    self.send(scene, *turn).await;
                }
            };
            let (total, ()) = callgrind.count(asking).await;
            fewest = fewest.min(total / window.len() as u64);
        }
        fewest
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_takes_more_instructions_than_it_did() {
    let scene = Scene::set(start_counted).await;
    let callgrind = Callgrind::attach(scene.web.pid(), scene.web.folder()).await;
    let (mut one, mut dearer) = (None, Vec::new());
    for (what, most, times) in MOST {
        let bound = BOUNDS.iter().find(|bound| bound.what == what);
        let bound = bound.expect("every request has its bound of commands");
        let taken = bound.instructions(&scene, &callgrind).await;
        assert!(
            taken as f64 >= most as f64 * LEAST_SHARE,
            "{what}: {taken} instructions counted in {TASK}; was the function renamed?"
        );
        let ratio = taken as f64 / *one.get_or_insert(taken as f64);
        eprintln!("{what}: {taken} instructions, {ratio:.2} static replies");
        if taken > most || ratio > times {
            dearer.push(format!(
                "{what} takes {taken} instructions, {ratio:.2} static replies; {most} and {times} are allowed"
            ));
        }
    }
    assert!(dearer.is_empty(), "{}", dearer.join("\n"));
}
