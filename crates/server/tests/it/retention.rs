//! What grows, and who empties it: keys of Redis have an end or a bound, metrics have labels from closed lists, and the
//! commands of the archive work beside the site's data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use storage::retention::TABLES;
use testkit::Redis;

use crate::flash::{Market, claim};
use crate::order_life::{BALANCE, assert_pieces, buy, claimed, fund, ordinary, pay, step};
use crate::process::{Home, only_line};

/// Families of keys that have no end, because something else bounds them: see `docs/guide/retention.md`.
const BOUNDED: &[&str] = &[
    // By partitions.
    "seckill:{0}:orders",
    "seckill:{1}:orders",
    "seckill:{2}:orders",
    "seckill:{3}:orders",
    "seckill:{0}:backlog",
    "seckill:{1}:backlog",
    "seckill:{2}:backlog",
    "seckill:{3}:backlog",
    // By days that SQL does not have in full.
    "visits:days",
    // By shops; the log of new ones is trimmed.
    "bloom:{shop}:",
    // By notes, shops, authors.
    "blog:{hot}",
    "shop:geo:",
    "feed:unpushed",
];

#[tokio::test]
async fn every_key_has_an_end_or_a_bound() {
    let market = Market::open().await;
    let people = market.people(3).await;
    let sale = market.sell(2).await;
    let cancelled = claimed(&people[0], sale).await;
    step(&people[0], &cancelled, "cancel").await.data();
    claimed(&people[1], sale).await;
    claim(&people[2], sale).await;
    fund(&market.app, &people[0], 10_000).await;
    let bought = buy(&people[0], ordinary(&market).await).await;
    pay(&people[0], &bought, BALANCE).await.data();
    people[0].post("/api/user/sign").await.data();
    people[0].get("/api/blog/hot").await.data();
    let named = people[1].clone().with_header("idempotency-key", "once");
    named
        .post(&format!("/api/voucher-order/seckill/{sale}"))
        .await;
    let around = format!(
        "/api/shop/of/type?typeId=1&current=1&x={}&y={}",
        120.15, 30.33
    );
    market.app.visitor().get(&around).await.data();
    assert_pieces(&market.app, sale).await;

    let mut connection = Redis::shared().await.connection().await;
    let prefix = market.app.prefix();
    let pattern = format!("{prefix}*");
    let mut list = redis::cmd("KEYS");
    let keys: Vec<String> = list
        .arg(pattern)
        .query_async(&mut connection)
        .await
        .unwrap();
    assert!(keys.len() > 10, "{keys:?}");
    let mut endless = Vec::new();
    for key in keys {
        let mut ask = redis::cmd("PTTL");
        let left: i64 = ask.arg(&key).query_async(&mut connection).await.unwrap();
        let name = key.strip_prefix(prefix).unwrap();
        if left == -1 && !BOUNDED.iter().any(|family| name.starts_with(family)) {
            endless.push(name.to_owned());
        }
    }
    assert!(endless.is_empty(), "nothing ends or bounds {endless:?}");
}

/// Labels whose values come from closed lists.
const LABELS: &[&str] = &[
    "cache",
    "call",
    "equation",
    "kind",
    "lane",
    "operation",
    "outcome",
    "partition",
    "provider",
    "reason",
    "route",
    "table",
    "task",
    "via",
    "why",
];

#[test]
fn no_metric_has_a_label_without_a_bound() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = 0;
    for file in sources(crates) {
        let text = fs::read_to_string(&file).unwrap();
        for kind in ["counter!(", "gauge!(", "histogram!("] {
            for (start, _) in text.match_indices(&format!("metrics::{kind}")) {
                let call = &text[start..];
                let call = &call[..call.find(')').unwrap_or(call.len())];
                for label in labels(call) {
                    found += 1;
                    assert!(LABELS.contains(&label), "{label:?} in {}", file.display());
                }
            }
        }
    }
    assert!(found > 10, "metrics are written in another way by now");
}

/// The words before `=>` in a call of a metrics macro.
fn labels(call: &str) -> impl Iterator<Item = &str> {
    let parts = call.split("=>").collect::<Vec<_>>();
    let count = parts.len().saturating_sub(1);
    parts
        .into_iter()
        .take(count)
        .filter_map(|before| before.rsplit('"').nth(1))
}

#[track_caller]
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") && !path.ends_with("target") {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_guide_names_every_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/guide/retention.md")).unwrap();
    for (table, _) in TABLES {
        assert!(guide.contains(&format!("`{table}`")), "{table}");
    }
}

#[track_caller]
fn said(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_of_the_archive_work_on_an_empty_site() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    let run = said(home.run(&["archive", "run", "--days", "30"], &[]));
    assert_eq!(
        run,
        "Archived 0 order(s), 0 payment(s) and 0 ledger entries.\n"
    );
    assert!(said(home.run(&["archive", "list"], &[])).starts_with("MONTH"));
    let checked = said(home.run(&["archive", "check"], &[]));
    assert!(checked.contains("adds up"), "{checked}");
    let export = ["archive", "export", "2026-01", "--out", "out.jsonl"];
    assert!(said(home.run(&export, &[])).starts_with("0 order(s)"));
    let line = only_line(&home.run(&export, &[]));
    assert!(line.contains("cannot create out.jsonl"), "{line}");
    for args in [
        &["archive", "run", "--days", "7"][..],
        &["archive", "export", "2026-13", "--out", "x"],
    ] {
        assert_eq!(home.run(args, &[]).status.code(), Some(2), "{args:?}");
    }
}
