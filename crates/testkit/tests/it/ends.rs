//! However a test process ends, nothing it started stays behind: no process, no folder.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use testkit::{Redis, wait_until};

use crate::processes::{Process, descendants};

const LIMIT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn nothing_stays_behind_a_process_killed_with_all_services_running() {
    let mut holder = Holder::start(&["redis", "mariadb", "rabbitmq"]);
    for program in ["redis-server", "mariadbd", "beam.smp", "epmd"] {
        assert!(holder.runs(program), "{program} is seen while it runs");
    }
    assert_eq!(holder.folders.len(), 4);
    holder.child.kill().unwrap();
    holder.leaves_nothing().await;
}

#[tokio::test]
async fn nothing_stays_behind_a_process_killed_while_its_service_is_frozen() {
    let mut holder = Holder::start(&["redis"]);
    let redis = holder.pid_of("redis-server");
    let stopped = Command::new("kill")
        .args(["-STOP", &redis])
        .status()
        .unwrap();
    assert!(stopped.success());
    holder.child.kill().unwrap();
    holder.leaves_nothing().await;
}

#[tokio::test]
async fn nothing_stays_behind_a_process_that_returns_exits_or_panics() {
    for (order, code) in [("return", 0), ("exit", 0), ("panic", 101)] {
        let mut holder = Holder::start(&["redis"]);
        assert!(holder.runs("redis-server"));
        assert_eq!(holder.end(order), Some(code));
        holder.leaves_nothing().await;
    }
}

#[tokio::test]
async fn nothing_stays_behind_a_test_that_panics() {
    let redis = Redis::start().await;
    let folder = redis.folder().to_owned();
    let pid = redis.pid();
    let test = tokio::spawn(async move {
        assert_eq!(redis.port(), 0, "this test is meant to fail");
    });
    assert!(test.await.unwrap_err().is_panic());
    assert!(!folder.exists());
    assert!(!PathBuf::from(format!("/proc/{pid}")).exists());
}

#[tokio::test]
async fn nothing_is_left_when_the_drop_of_a_frozen_service_returns() {
    let redis = Redis::start().await;
    let (pid, folder) = (redis.pid(), redis.folder().to_owned());
    redis.freeze().await;
    drop(redis);
    assert!(!folder.exists());
    assert!(!PathBuf::from(format!("/proc/{pid}")).exists());
}

/// A process that holds services, and what belonged to it when it was ready.
struct Holder {
    child: Child,
    processes: Vec<Process>,
    folders: BTreeSet<PathBuf>,
}

impl Holder {
    fn start(services: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hold-services"))
            .args(services)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");
        let processes = descendants(child.id());
        // The repository itself may lie in the temporary folder; only what testkit made there counts.
        let is_ours = |folder: &PathBuf| {
            let below = folder.strip_prefix(std::env::temp_dir());
            below.is_ok_and(|below| below.to_string_lossy().starts_with("tandian-"))
        };
        let folders = processes.iter().filter_map(Process::folder);
        let folders = folders.filter(is_ours).collect();
        Self {
            child,
            processes,
            folders,
        }
    }

    fn runs(&self, program: &str) -> bool {
        self.processes
            .iter()
            .any(|process| process.name() == program)
    }

    fn pid_of(&self, program: &str) -> String {
        let mut found = self
            .processes
            .iter()
            .filter(|process| process.name() == program);
        found.next().unwrap().pid().to_string()
    }

    fn end(&mut self, order: &str) -> Option<i32> {
        let mut input = self.child.stdin.take().unwrap();
        writeln!(input, "{order}").unwrap();
        self.child.wait().unwrap().code()
    }

    async fn leaves_nothing(&mut self) {
        self.child.wait().unwrap();
        wait_until("every process to end", LIMIT, async || {
            !self.processes.iter().any(Process::is_alive)
        })
        .await;
        wait_until("every folder to go", LIMIT, async || {
            !self.folders.iter().any(|folder| folder.exists())
        })
        .await;
    }
}
