//! What the main requests cost in commands of Redis and statements of SQL. Counts repeat where times do not, so they are
//! the guard against whatever makes a request dearer without anybody meaning it.
//!
//! A process that does nothing but answer is watched while nobody works for it. Now and then it does something of its own,
//! such as handing in its count of visits, so a request has a few turns to show that it costs no more than its bound.

mod at_rest;
mod instructions;
mod ledger;
mod scene;

use reqwest::Method;
use testkit::{Client, Tandian};

use ledger::{Cost, Ledger};
use scene::Scene;

/// Turns of a request: the first ones fill caches, and some meet something of the process' own.
const TURNS: usize = 12;

/// Sales on the page; the stock of each is asked for, all in one go.
const SALES: usize = 2;

/// A request and the most that it may cost.
struct Bound {
    what: &'static str,
    /// Commands sent to Redis.
    sent: usize,
    /// Commands that scripts run inside Redis.
    inside: usize,
    /// Texts sent to SQL, begin and commit included; some hold several statements.
    statements: usize,
    ask: fn(&Scene, usize) -> Ask,
    expects: Expects,
}

/// What the answer must be: a request that is refused is cheap.
enum Expects {
    /// No envelope.
    Plain,
    Success,
    Refusal(&'static str),
}

/// Who asks for what.
struct Ask {
    client: Client,
    method: Method,
    path: String,
}

const BOUNDS: &[Bound] = &[
    Bound {
        what: "a static reply",
        sent: 0,
        inside: 0,
        statements: 0,
        ask: |scene, _| get(&scene.visitor, "/healthz"),
        expects: Expects::Plain,
    },
    Bound {
        what: "a cached shop",
        sent: 0,
        inside: 0,
        statements: 0,
        ask: |scene, _| get(&scene.visitor, &format!("/api/shop/{}", scene.shop)),
        expects: Expects::Success,
    },
    Bound {
        what: "who am I",
        sent: 0,
        inside: 0,
        statements: 0,
        ask: |scene, turn| get(&scene.people[turn], "/api/user/me"),
        expects: Expects::Success,
    },
    Bound {
        what: "a claim that is granted",
        sent: 1,
        inside: 8,
        statements: 0,
        ask: |scene, turn| claim(&scene.people[turn], scene.open_sale),
        expects: Expects::Success,
    },
    Bound {
        what: "a claim refused as sold out",
        sent: 0,
        inside: 0,
        statements: 0,
        ask: |scene, turn| claim(&scene.people[turn], scene.sold_out_sale),
        expects: Expects::Refusal("sold_out"),
    },
    Bound {
        what: "the running sales",
        sent: SALES,
        inside: 0,
        statements: 0,
        ask: |scene, _| get(&scene.visitor, "/api/voucher/seckill/running"),
        expects: Expects::Success,
    },
    Bound {
        what: "the vouchers of a shop",
        sent: SALES,
        inside: 0,
        statements: 0,
        ask: |scene, _| get(&scene.visitor, &format!("/api/voucher/list/{}", scene.shop)),
        expects: Expects::Success,
    },
    Bound {
        what: "shops nearby",
        sent: 2,
        inside: 0,
        statements: 0,
        ask: |scene, _| {
            get(
                &scene.visitor,
                "/api/shop/of/type?typeId=1&x=120.149993&y=30.334229",
            )
        },
        expects: Expects::Success,
    },
    Bound {
        what: "a note",
        sent: 1,
        inside: 0,
        statements: 1,
        ask: |scene, _| get(&scene.reader, &format!("/api/blog/{}", scene.note)),
        expects: Expects::Success,
    },
    Bound {
        what: "the hot list",
        sent: 1,
        inside: 2,
        statements: 1,
        ask: |scene, _| get(&scene.visitor, "/api/blog/hot"),
        expects: Expects::Success,
    },
    Bound {
        what: "a page of the feed",
        sent: 2,
        inside: 0,
        statements: 1,
        ask: |scene, _| get(&scene.reader, "/api/blog/of/follow"),
        expects: Expects::Success,
    },
    Bound {
        what: "a like",
        // The first counts what the person likes in an hour and marks the like as changing, the second ranks the note.
        sent: 2,
        inside: 12,
        // Each with several statements in it: `BEGIN` and a query, and three writes and `COMMIT`.
        statements: 2,
        ask: |scene, turn| Ask {
            client: scene.people[turn].clone(),
            method: Method::PUT,
            path: format!("/api/blog/like/{}", scene.note),
        },
        expects: Expects::Success,
    },
];

fn get(client: &Client, path: &str) -> Ask {
    Ask {
        client: client.clone(),
        method: Method::GET,
        path: path.to_owned(),
    }
}

fn claim(client: &Client, sale: i64) -> Ask {
    Ask {
        client: client.clone(),
        method: Method::POST,
        path: format!("/api/voucher-order/seckill/{sale}"),
    }
}

impl Bound {
    fn allows(&self, cost: &Cost) -> bool {
        cost.sent.len() <= self.sent
            && cost.inside.len() <= self.inside
            && cost.statements.len() <= self.statements
    }

    /// Makes the process cache the session.
    async fn prepare(&self, scene: &Scene, turn: usize) {
        scene.recall(&(self.ask)(scene, turn).client).await;
    }

    /// Asks, and looks at the answer.
    async fn send(&self, scene: &Scene, turn: usize) {
        let ask = (self.ask)(scene, turn);
        let answer = ask.client.send(ask.method, &ask.path, None).await;
        assert_eq!(answer.status, 200, "{}: {}", self.what, answer.text);
        match self.expects {
            Expects::Plain => {}
            Expects::Success => drop(answer.data()),
            Expects::Refusal(code) => assert_eq!(answer.code(), code, "{}", self.what),
        }
    }

    /// Asks until a turn costs no more than allowed; what the cheapest cost otherwise.
    async fn check(&self, scene: &Scene, ledger: &mut Ledger<'_>) -> Result<(), Cost> {
        let mut cheapest: Option<Cost> = None;
        for turn in 0..TURNS {
            self.prepare(scene, turn).await;
            ledger.open().await;
            self.send(scene, turn).await;
            let cost = ledger.close().await;
            if self.allows(&cost) {
                return Ok(());
            }
            if cheapest.as_ref().is_none_or(|it| cost.total() < it.total()) {
                cheapest = Some(cost);
            }
        }
        Err(cheapest.expect("there was a turn"))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_costs_more_commands_and_statements_than_it_did() {
    let scene = Scene::set(|settings| {
        let tandian = env!("CARGO_BIN_EXE_tandian");
        let web = Tandian::new(tandian, &["serve", "--role", "web"], settings);
        web.start();
        web
    })
    .await;
    let mut ledger = Ledger::of(&scene.redis, &scene.mariadb).await;
    let mut dearer = Vec::new();
    for bound in BOUNDS {
        if let Err(cost) = bound.check(&scene, &mut ledger).await {
            dearer.push(format!("{} costs {cost:#?}", bound.what));
        }
    }
    assert!(dearer.is_empty(), "{}", dearer.join("\n"));
}
