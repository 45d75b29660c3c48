//! `/api/lab/crowd`: a reader starts a crowd against a version of the flash sale, on their own machine.
//!
//! The crowd is the program of the lab (`lab crowd`), a process with a Redis and a MariaDB of its own, so nothing of the site
//! is touched. It is heavy, and it runs programs, so it is refused unless `lab.program` names the program, which production
//! forbids, and the request comes from the machine itself (docs/adr/0046). One runs at a time, for a bounded time.
//!
//! The invariant: the process ends with the run. It is killed when the run is cancelled, takes too long, or the server ends;
//! its standard input is a pipe of the server, so it also ends if the server is killed.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::view::VerdictView;
use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{ClientAddress, JsonBody};
use crate::http::failure::{Code, Failure};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// A crowd that every version serves within the limit of time on a small machine.
pub(in crate::http) const MAX_BUYERS: u32 = 2_000;

/// Starting the services takes seconds; the slowest version serves a hundred clicks a second.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// Enough of an error to say what is missing.
const MAX_ERROR_BYTES: u64 = 4_096;
const MAX_ERROR_CHARS: usize = 300;

/// The last run of this server. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::http) struct LabCrowds {
    last: Arc<Mutex<Option<CrowdRun>>>,
}

#[derive(Clone, Debug)]
struct CrowdRun {
    /// Tells a run from the one that followed it.
    number: u64,
    view: RunView,
    cancel: CancellationToken,
}

/// Whether a crowd can be started from here, and the last one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LabCrowd)]
pub(in crate::http) struct CrowdView {
    /// Otherwise the page shows the command to run.
    available: bool,
    max_buyers: u32,
    /// The run that goes on, or the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    run: Option<RunView>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LabCrowdRun)]
pub(in crate::http) struct RunView {
    version: String,
    buyers: u32,
    stock: u32,
    state: RunState,
    /// Clicks that have a reply; everybody clicks twice.
    served: u32,
    /// What became of the sale, when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    verdict: Option<VerdictView>,
    /// Replies per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    per_sec: Option<f64>,
    /// Why it failed, in the words of the lab.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LabCrowdState)]
enum RunState {
    /// Redis and SQL of the run are being started.
    Starting,
    Running,
    Done,
    Cancelled,
    Failed,
    TimedOut,
}

/// What the crowd should be.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LabCrowdInput)]
pub(in crate::http) struct CrowdInput {
    /// The id of a version.
    version: String,
    /// Everybody clicks twice.
    buyers: u32,
    /// Units they want: at most as many as buyers.
    stock: u32,
}

/// A line that `lab crowd` writes (`crates/lab/src/crowd.rs`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", tag = "event")]
enum CrowdLine {
    Started,
    #[serde(rename_all = "camelCase")]
    Served {
        clicks: u32,
    },
    #[serde(rename_all = "camelCase")]
    Done {
        verdict: VerdictView,
        per_sec: f64,
    },
}

/// Whether a crowd can be started from here, and how the last one goes.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<CrowdView>)),
)]
pub(in crate::http) async fn get_crowd(
    State(state): State<HttpState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
) -> Reply<CrowdView> {
    let available = program_for(&state, address, &headers).is_some();
    // What somebody does on the machine itself is nobody else's business.
    let run = state.lab_crowds().view().filter(|_| available);
    Reply::new(CrowdView {
        available,
        max_buyers: MAX_BUYERS,
        run,
    })
}

/// Starts a crowd against a version, on the machine of the site, if the reader sits at it.
#[utoipa::path(
    post, path = IN_TABLE, tag = "site",
    request_body = CrowdInput,
    responses((status = 200, body = Envelope<RunView>)),
)]
pub(in crate::http) async fn start_crowd(
    State(state): State<HttpState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    JsonBody(input): JsonBody<CrowdInput>,
) -> Result<Reply<RunView>, Failure> {
    let program = program_for(&state, address, &headers);
    let program = program.ok_or_else(|| Failure::new(Code::LabCrowdOff))?;
    let data_dir = &state.settings().data_dir;
    let replies = state.lab_reports().replies(data_dir).await;
    if !replies.recordings.contains_key(&input.version) {
        return Err(Failure::new(Code::LabVersionUnknown));
    }
    let is_possible = (1..=MAX_BUYERS).contains(&input.buyers);
    if !is_possible || !(1..=input.buyers).contains(&input.stock) {
        return Err(Failure::new(Code::LabCrowdInvalid));
    }
    let crowds = state.lab_crowds();
    let cancel = state.shutdown().child_token();
    let begun = crowds.begin(input, cancel)?;
    supervise::spawn_once(
        "lab crowd",
        run_supervised(crowds.clone(), program, begun.clone()),
    );
    Ok(Reply::new(begun.view))
}

/// Ends the crowd that runs.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<CrowdView>)),
)]
pub(in crate::http) async fn cancel_crowd(
    State(state): State<HttpState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
) -> Result<Reply<CrowdView>, Failure> {
    if program_for(&state, address, &headers).is_none() {
        return Err(Failure::new(Code::LabCrowdOff));
    }
    state.lab_crowds().cancel();
    Ok(Reply::new(CrowdView {
        available: true,
        max_buyers: MAX_BUYERS,
        run: state.lab_crowds().view(),
    }))
}

/// The program of the lab, if this client may start it. The page must be of this machine as well: a name of another site that
/// is made to resolve to loopback (DNS rebinding) comes from here, and from a page that looks like one of ours.
fn program_for(state: &HttpState, address: IpAddr, headers: &HeaderMap) -> Option<PathBuf> {
    let program = state.settings().lab.program.clone();
    program.filter(|_| address.to_canonical().is_loopback() && is_sent_to_loopback(headers))
}

fn is_sent_to_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let authority: Option<Authority> = host.and_then(|host| host.parse().ok());
    authority.is_some_and(|authority| {
        let host = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let address: Result<IpAddr, _> = host.parse();
        match address {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => host.eq_ignore_ascii_case("localhost"),
        }
    })
}

/// A run that panics has failed: otherwise nobody could start another one.
async fn run_supervised(crowds: LabCrowds, program: PathBuf, begun: CrowdRun) {
    let number = begun.number;
    let ended = supervise::run_once("lab crowd", run(crowds.clone(), program, begun));
    if ended.await.is_none() {
        crowds.change(number, |run| run.state = RunState::Failed);
    }
}

async fn run(crowds: LabCrowds, program: PathBuf, begun: CrowdRun) {
    let ended = tokio::select! {
        ended = tokio::time::timeout(TIME_LIMIT, serve(&crowds, program, &begun)) => match ended {
            Ok(Ok(())) if crowds.view().is_some_and(|run| !run.is_going_on()) => return,
            Ok(Ok(())) => (RunState::Failed, Some("the lab ended without a result".to_owned())),
            Ok(Err(problem)) => (RunState::Failed, Some(problem)),
            Err(_) => (RunState::TimedOut, None),
        },
        () = begun.cancel.cancelled() => (RunState::Cancelled, None),
    };
    // `serve` was dropped, and its process killed with it.
    crowds.change(begun.number, |run| (run.state, run.error) = ended);
}

/// Runs the program to its end, and notes what it writes.
async fn serve(crowds: &LabCrowds, program: PathBuf, begun: &CrowdRun) -> Result<(), String> {
    let mut child = start(program, &begun.view).map_err(|error| error.to_string())?;
    let output = child.stdout.take().ok_or("no output")?;
    let errors = child.stderr.take().ok_or("no errors")?;
    let errors = supervise::spawn_once("lab crowd errors", async move {
        let mut text = Vec::new();
        let mut first = errors.take(MAX_ERROR_BYTES);
        let _ = first.read_to_end(&mut text).await;
        // The rest is read as well, or the process would wait for a reader.
        let _ = tokio::io::copy(first.get_mut(), &mut tokio::io::sink()).await;
        text
    });
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Ok(line) = serde_json::from_str(&line) {
            crowds.change(begun.number, |run| run.note(line));
        }
    }
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if status.success() {
        return Ok(());
    }
    let errors = errors.await.ok().flatten().unwrap_or_default();
    Err(last_words(&errors, &status.to_string()))
}

fn start(program: PathBuf, view: &RunView) -> std::io::Result<Child> {
    Command::new(program)
        .arg("crowd")
        .arg(&view.version)
        .args(["--buyers", &view.buyers.to_string()])
        .args(["--stock", &view.stock.to_string()])
        .arg("--until-stdin-ends")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// The first line of an error that says something, which is where the lab says what is missing.
fn last_words(errors: &[u8], status: &str) -> String {
    let text = String::from_utf8_lossy(errors);
    let lines = text.lines().map(str::trim);
    let mut telling = lines.filter(|line| {
        line.contains("not installed") || line.starts_with("Error") || line.contains("there is no")
    });
    let words = telling.next().unwrap_or(status);
    words.chars().take(MAX_ERROR_CHARS).collect()
}

impl LabCrowds {
    fn begin(&self, input: CrowdInput, cancel: CancellationToken) -> Result<CrowdRun, Failure> {
        let mut last = self.last();
        if last.as_ref().is_some_and(|run| run.view.is_going_on()) {
            return Err(Failure::new(Code::LabCrowdRunning));
        }
        let view = RunView {
            version: input.version,
            buyers: input.buyers,
            stock: input.stock,
            state: RunState::Starting,
            served: 0,
            verdict: None,
            per_sec: None,
            error: None,
        };
        let run = CrowdRun {
            number: last.as_ref().map_or(0, |run| run.number + 1),
            view,
            cancel,
        };
        *last = Some(run.clone());
        Ok(run)
    }

    fn view(&self) -> Option<RunView> {
        self.last().as_ref().map(|run| run.view.clone())
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut RunView)) {
        let mut last = self.last();
        if let Some(run) = last.as_mut().filter(|run| run.number == number) {
            change(&mut run.view);
        }
    }

    /// The run is over for the reader at once; its process is killed by the task that holds it.
    fn cancel(&self) {
        if let Some(run) = self.last().as_ref() {
            run.cancel.cancel();
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<CrowdRun>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunView {
    fn is_going_on(&self) -> bool {
        matches!(self.state, RunState::Starting | RunState::Running)
    }

    fn note(&mut self, line: CrowdLine) {
        match line {
            CrowdLine::Started => self.state = RunState::Running,
            CrowdLine::Served { clicks } => self.served = clicks,
            CrowdLine::Done { verdict, per_sec } => {
                self.state = RunState::Done;
                self.verdict = Some(verdict);
                self.per_sec = Some(per_sec);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_by_the_line_that_says_what_to_do() {
        let text = b"thread 'main' panicked at x.rs:1:\nmariadbd is not installed: apt-get install mariadb-server\nnote: run";
        let words = last_words(text, "exit status: 101");
        assert_eq!(
            words,
            "mariadbd is not installed: apt-get install mariadb-server"
        );
        assert_eq!(last_words(b"", "exit status: 1"), "exit status: 1");
        let long = format!("Error: {}", "x".repeat(10_000));
        assert_eq!(last_words(long.as_bytes(), "").len(), MAX_ERROR_CHARS);
    }
}
