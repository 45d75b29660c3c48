//! Many tasks that want one lock, in one process and in four, by three libraries in turn.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use testkit::Redis;
use tokio::process::Command;

use super::{
    NAME, progress,
    worker::{self, Rival, WorkerArgs},
};
use crate::{
    pairs::Summary,
    report::{Figure, Goal},
};

const TASKS: usize = 64;
const ROUNDS: usize = 9;
/// Long enough for the slowest to be served many times.
const MILLIS: u64 = 500;

pub(super) async fn compare(redis: &Redis, processes: usize) -> Result<Vec<Figure>> {
    let place = match processes {
        1 => "64 tasks in one process",
        _ => "64 tasks in four processes",
    };
    progress::step(NAME, place);
    let (mut ours, mut rslock, mut poll, mut commands) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let before = calls(redis).await;
        let grants = fight(redis, Rival::Ours, processes, TASKS).await?;
        commands.push((calls(redis).await - before) as f64 / grants);
        ours.push(grants);
        rslock.push(fight(redis, Rival::Rslock, processes, TASKS).await?);
        poll.push(fight(redis, Rival::Poll, processes, TASKS).await?);
    }
    let rates = ours.iter().map(|grants| grants * 1000.0 / MILLIS as f64);
    let figure = |metric: &str, summary, goal| {
        Figure::new(NAME, format!("{place}: {metric}"), summary, goal)
    };
    let five_times = Some(Goal::AtLeast(5.0));
    Ok(vec![
        figure("grants/s", Summary::of(rates), None),
        figure(
            "grants / rslock's",
            Summary::of_ratios(&ours, &rslock),
            five_times,
        ),
        figure(
            "grants / poll loop's",
            Summary::of_ratios(&ours, &poll),
            five_times,
        ),
        figure(
            "commands a grant",
            Summary::of(commands),
            Some(Goal::AtMost(3.0)),
        ),
    ])
}

/// The worst case: no process has two tasks, so every handover is between processes.
pub(super) async fn cost_of_lone_tasks(redis: &Redis) -> Result<Figure> {
    progress::step(NAME, "one task in each of four processes");
    let mut commands = Vec::new();
    for _ in 0..ROUNDS {
        let before = calls(redis).await;
        let grants = fight(redis, Rival::Ours, 4, 4).await?;
        commands.push((calls(redis).await - before) as f64 / grants);
    }
    let metric = "4 tasks in four processes: commands a grant";
    let goal = Some(Goal::AtMost(3.0));
    Ok(Figure::new(NAME, metric, Summary::of(commands), goal))
}

/// Script calls that came over the wire, which is all there is after the start.
async fn calls(redis: &Redis) -> u64 {
    redis.command_count("evalsha").await
}

/// How often all tasks together had the lock.
async fn fight(redis: &Redis, rival: Rival, processes: usize, tasks: usize) -> Result<f64> {
    let orders = WorkerArgs {
        rival,
        url: redis.url(),
        key: "crowd".to_owned(),
        tasks: tasks / processes,
        millis: MILLIS,
    };
    if processes == 1 {
        return Ok(worker::fight(orders).await? as f64);
    }
    let children = (0..processes).map(|_| start(&orders));
    let children: Vec<_> = children.collect::<Result<_>>()?;
    let mut grants = 0;
    for child in children {
        let output = child.wait_with_output().await?;
        ensure!(output.status.success(), "a worker failed");
        let text = String::from_utf8(output.stdout)?;
        grants += text.trim().parse::<u64>().context("a worker counts")?;
    }
    Ok(grants as f64)
}

fn start(orders: &WorkerArgs) -> Result<tokio::process::Child> {
    let rival = match orders.rival {
        Rival::Ours => "ours",
        Rival::Rslock => "rslock",
        Rival::Poll => "poll",
    };
    let child = Command::new(std::env::current_exe()?)
        .args(["lock-worker", rival, &orders.url, &orders.key])
        .args([orders.tasks.to_string(), orders.millis.to_string()])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    Ok(child)
}
