//! A process under attack: one version, which runs the commands of its attacker from standard input.
//!
//! The invariant: it ends with its attacker. When standard input ends, so does the process.

use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::join_all;
use tokio::sync::mpsc;

use crate::protocol::{AttackCommand, ProcessReply, WORKER};
use crate::step_control::{StepControl, StepGates};
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

/// Buyers of a crowd that are served at the same time, as many as a web server has requests in flight.
const CROWD_WIDTH: usize = 64;

/// Everybody clicks twice: fingers do.
const CLICKS: usize = 2;

/// How often a crowd reports how far it is: enough for a bar that moves, too few to cost the version anything.
const PROGRESS_REPORTS: usize = 50;

/// Before something that failed is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// Far longer than a connection takes to come back after its server was cut off.
const MENDING: Duration = Duration::from_secs(20);

/// Serves one version until standard input ends.
pub(crate) async fn serve<V: Version>(places: Endpoints) -> Result<()> {
    let version = Arc::new(V::open(&places).await?);
    let (replies, written) = mpsc::unbounded_channel();
    std::thread::spawn(move || write_lines(written));
    let stops = Arc::new(StepGates::new(replies));
    tokio::spawn(keep_working(
        version.clone(),
        StepControl::of(WORKER, &stops),
    ));
    stops.send(ProcessReply::Ready);
    let (command_sender, mut commands) = mpsc::unbounded_channel();
    std::thread::spawn(move || read_lines(&command_sender));
    while let Some(command) = commands.recv().await {
        run_command(command, &version, &stops);
    }
    Ok(())
}

fn run_command<V: Version>(command: AttackCommand, version: &Arc<V>, stops: &Arc<StepGates>) {
    match command {
        AttackCommand::Go { call } => stops.go(call),
        AttackCommand::HoldWorker => {
            stops.hold_worker(true);
            stops.send(ProcessReply::WorkerHeld);
        }
        AttackCommand::ReleaseWorker => {
            stops.hold_worker(false);
            stops.go(WORKER);
        }
        AttackCommand::Buy {
            call,
            request,
            paced,
        } => {
            let (version, stops) = (version.clone(), stops.clone());
            tokio::spawn(async move {
                let steps = if paced {
                    StepControl::of(call, &stops)
                } else {
                    StepControl::free()
                };
                let answer = steps.run(buy(&*version, request, &steps)).await;
                let saw = steps.take_seen();
                stops.send(ProcessReply::Done { call, answer, saw });
            });
        }
        AttackCommand::Publish { sale, stock } => {
            answer_later(version, stops, move |version| async move {
                version.publish(sale, stock).await?;
                Ok(ProcessReply::Published)
            });
        }
        AttackCommand::Pending => answer_later(version, stops, |version| async move {
            let orders = count_pending(&*version).await?;
            Ok(ProcessReply::Pending { orders })
        }),
        AttackCommand::Crowd { sale, people } => {
            let progress = stops.clone();
            answer_later(version, stops, move |version| async move {
                Ok(serve_crowd(version, sale, people, progress).await)
            });
        }
    }
}

fn answer_later<V, F>(
    version: &Arc<V>,
    stops: &Arc<StepGates>,
    act: impl FnOnce(Arc<V>) -> F + Send + 'static,
) where
    V: Version,
    F: Future<Output = Result<ProcessReply>> + Send,
{
    let (version, stops) = (version.clone(), stops.clone());
    tokio::spawn(async move {
        let reply = act(version).await;
        stops.send(reply.unwrap_or_else(|error| ProcessReply::Trouble {
            what: format!("{error:#}"),
        }));
    });
}

/// Retries while a connection that the attack cut is being re-established.
async fn count_pending<V: Version>(version: &V) -> Result<u64> {
    let until = Instant::now() + MENDING;
    loop {
        let counted = version.pending().await;
        if counted.is_ok() || Instant::now() > until {
            return counted;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn buy<V: Version>(
    version: &V,
    request: PurchaseRequest,
    steps: &StepControl,
) -> PurchaseReply {
    let answer = version.buy(request, steps).await;
    answer.unwrap_or_else(|error| {
        eprintln!("buyer {}: {error:#}", request.buyer);
        PurchaseReply::Failed
    })
}

/// A worker that fails is restarted; its order is up to the version.
async fn keep_working<V: Version>(version: Arc<V>, steps: StepControl) {
    loop {
        if let Err(error) = steps.run(version.work(&steps)).await {
            eprintln!("worker: {error:#}");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn serve_crowd<V: Version>(
    version: Arc<V>,
    sale: i64,
    people: i64,
    progress: Arc<StepGates>,
) -> ProcessReply {
    let clicks = usize::try_from(people).unwrap_or_default() * CLICKS;
    let next = Arc::new(AtomicUsize::new(0));
    let served = Arc::new(AtomicUsize::new(0));
    let report_every = (clicks / PROGRESS_REPORTS).max(1);
    let began = Instant::now();
    let workers = (0..CROWD_WIDTH).map(|_| {
        let (version, next) = (version.clone(), next.clone());
        let (served, progress) = (served.clone(), progress.clone());
        tokio::spawn(async move {
            let mut answers = Vec::new();
            loop {
                let click = next.fetch_add(1, Ordering::Relaxed);
                if click >= clicks {
                    return answers;
                }
                // Both clicks of a person follow each other at once.
                let buyer = i64::try_from(click / CLICKS).unwrap_or_default() + 1;
                let request = PurchaseRequest { sale, buyer };
                answers.push(buy(&*version, request, &StepControl::free()).await);
                let served = served.fetch_add(1, Ordering::Relaxed) + 1;
                if served % report_every == 0 {
                    let clicks = u64::try_from(served).unwrap_or_default();
                    progress.send(ProcessReply::Progress { clicks });
                }
            }
        })
    });
    let answers = join_all(workers.collect::<Vec<_>>()).await;
    ProcessReply::Served {
        micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        answers: answers.into_iter().flatten().flatten().collect(),
    }
}

/// Both ends are threads of their own: what is blocked on a pipe must not hold up a buyer.
fn read_lines(commands: &mpsc::UnboundedSender<AttackCommand>) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        commands.send(serde_json::from_str(&line?)?)?;
    }
    Ok(())
}

fn write_lines(mut replies: mpsc::UnboundedReceiver<ProcessReply>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    while let Some(reply) = replies.blocking_recv() {
        let mut line = serde_json::to_vec(&reply)?;
        line.push(b'\n');
        out.write_all(&line)?;
        out.flush()?;
    }
    Ok(())
}
