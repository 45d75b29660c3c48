//! The `tandian` program as a person runs it: what it says when it cannot start, and what it leaves behind when it ends.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use testkit::PATIENT_SETTINGS;

/// Far above what any of this takes, so that only a hang reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Nothing listens here: the port is reserved and needs privileges.
const NOWHERE: &str = "127.0.0.1:1";

/// A folder to run in.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    /// Any free port, and nothing of the environment these tests happen to run in.
    fn tandian(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tandian"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TANDIAN_") {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("TANDIAN_HTTP__ADDR", "127.0.0.1:0")
            .env("TANDIAN_METRICS__ADDR", "")
            .envs(PATIENT_SETTINGS)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command that ends by itself.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str], env: &[(&str, &str)]) -> Output {
        let command = &mut self.tandian(args);
        let mut process = command.envs(env.iter().copied()).spawn().unwrap();
        let deadline = Instant::now() + PATIENCE;
        while process.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                process.kill().unwrap();
                panic!("tandian {args:?} goes on and on");
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        process.wait_with_output().unwrap()
    }

    pub(crate) fn serve(&self) -> Site {
        self.serve_with(&["serve"], &[])
    }

    /// Serves, or works for those who do.
    pub(crate) fn serve_with(&self, args: &[&str], env: &[(&str, &str)]) -> Site {
        let command = &mut self.tandian(args);
        let mut process = command.envs(env.iter().copied()).spawn().unwrap();
        let log = process.stderr.take().unwrap();
        let mut site = Site {
            process,
            addr: NOWHERE.parse().unwrap(),
        };
        if let Some(addr) = served_address(log) {
            site.addr = addr;
        }
        site
    }

    /// The server's number, from the process table: the one that works in our folder.
    fn redis_pid(&self) -> Option<u32> {
        let ours = fs::canonicalize(self.folder.path().join("data/redis")).ok()?;
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.find(|pid: &u32| works_in(*pid, &ours))
    }
}

fn works_in(pid: u32, folder: &Path) -> bool {
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == folder)
}

/// A serving process; killed when a test gives up on it.
pub(crate) struct Site {
    pub(crate) process: Child,
    pub(crate) addr: SocketAddr,
}

impl Site {
    #[track_caller]
    fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        let status = Command::new("kill").args([name, &pid]).status().unwrap();
        assert!(status.success());
    }

    /// Ends it as a person does, with all that it started.
    #[track_caller]
    pub(crate) fn stop(mut self) {
        self.signal("-INT");
        assert!(self.process.wait().unwrap().success());
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: x\r\n"), "")
    }

    /// As the holder of a session.
    pub(crate) fn get_as(&self, token: &str, path: &str) -> String {
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n");
        self.send(&head, "")
    }

    /// Through the front door of a site that shows its codes.
    pub(crate) fn sign_in(&self, phone: &str) -> String {
        let post = |path: &str, body: &str| {
            let length = body.len();
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n"
            );
            let answer = self.send(&head, body);
            let (_, json) = answer.split_once("\r\n\r\n").unwrap();
            let json: serde_json::Value = serde_json::from_str(json).unwrap();
            json["data"].clone()
        };
        let sent = post(&format!("/api/user/code?phone={phone}"), "");
        let code = sent["demoCode"].as_str().unwrap();
        let body = format!(r#"{{"phone":"{phone}","code":"{code}"}}"#);
        post("/api/user/login", &body).as_str().unwrap().to_owned()
    }

    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{head}connection: close\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where the log says that the site is served; nowhere, by a process that only works. The rest of the log is read as well, so that the process never waits for us.
#[track_caller]
fn served_address(log: ChildStderr) -> Option<SocketAddr> {
    let (seen, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(log).lines().map_while(Result::ok) {
            // Nobody listens any more once the address was seen.
            let _ = seen.send(line);
        }
    });
    let deadline = Instant::now() + PATIENCE;
    let mut others = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) if line.contains("\"serving\"") => {
                let line: serde_json::Value = serde_json::from_str(&line).unwrap();
                return Some(line["address"].as_str().unwrap().parse().unwrap());
            }
            Ok(line) if line.contains("\"worker started\"") => return None,
            Ok(line) => others.push(line),
            Err(error) => panic!("never served ({error}): {others:#?}"),
        }
    }
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "it never came true that {what}");
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// The one line on stderr of a command that failed as it should.
#[track_caller]
pub(crate) fn only_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(!output.status.success());
    assert!(lines[0].starts_with("tandian: "), "{text}");
    lines[0].to_owned()
}

#[test]
fn a_busy_port_is_one_clear_line() {
    let home = Home::new();
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = holder.local_addr().unwrap().to_string();
    let line = only_line(&home.run(&["serve"], &[("TANDIAN_HTTP__ADDR", &addr)]));
    assert!(line.contains(&format!("cannot listen on {addr}")), "{line}");
    assert!(line.contains("TANDIAN_HTTP__ADDR"), "{line}");
    assert!(home.redis_pid().is_none());
}

#[test]
fn a_missing_redis_server_is_one_clear_line() {
    let home = Home::new();
    let env = [("TANDIAN_REDIS__SERVER", "/nonexistent/redis-server")];
    let line = only_line(&home.run(&["serve"], &env));
    assert!(line.contains("sudo apt-get install redis-server"), "{line}");
}

#[test]
fn an_unreachable_database_is_one_clear_line_and_leaves_no_redis() {
    let home = Home::new();
    let url = format!("mysql://root:hunter2@{NOWHERE}/tandian");
    let line = only_line(&home.run(&["serve"], &[("TANDIAN_DATABASE__URL", &url)]));
    assert!(
        line.contains("cannot open the database mysql://root:***@"),
        "{line}"
    );
    assert!(line.contains("TANDIAN_DATABASE__URL"), "{line}");
    assert!(home.redis_pid().is_none());
}

#[test]
fn an_unreachable_redis_is_one_clear_line() {
    let home = Home::new();
    let url = format!("redis://:hunter2@{NOWHERE}");
    let line = only_line(&home.run(&["serve"], &[("TANDIAN_REDIS__URL", &url)]));
    assert!(line.contains("cannot reach Redis at redis://"), "{line}");
    assert!(
        line.contains("TANDIAN_REDIS__URL") && !line.contains("hunter2"),
        "{line}"
    );
}

#[test]
fn a_wrong_setting_is_one_clear_line() {
    let home = Home::new();
    let line = only_line(&home.run(&["serve"], &[("TANDIAN_HTTP__MAX_INFLIGHT", "1")]));
    assert!(
        line.ends_with("did you mean TANDIAN_HTTP__MAX_IN_FLIGHT?"),
        "{line}"
    );
    let line = only_line(&home.run(&["--config", "nowhere.toml", "settings"], &[]));
    assert!(
        line.contains("cannot read the settings file nowhere.toml"),
        "{line}"
    );
}

#[test]
fn a_second_server_on_the_same_directory_names_the_process_that_has_it() {
    let home = Home::new();
    let site = home.serve();
    let other = Home::new();
    let data = home.folder.path().join("data");
    let env = [("TANDIAN_DATA_DIR", data.to_str().unwrap())];
    let line = only_line(&other.run(&["serve"], &env));
    assert!(
        line.contains(&format!("in use by process {}", site.process.id())),
        "{line}"
    );
}

#[test]
fn two_servers_in_two_folders_run_side_by_side() {
    let (one, two) = (Home::new(), Home::new());
    let (first, second) = (one.serve(), two.serve());
    assert!(first.get("/readyz").starts_with("HTTP/1.1 200"));
    assert!(second.get("/readyz").starts_with("HTTP/1.1 200"));
}

#[test]
fn ctrl_c_ends_everything_and_the_next_start_finds_the_data() {
    let home = Home::new();
    for _ in 0..2 {
        let site = home.serve();
        assert!(site.get("/readyz").starts_with("HTTP/1.1 200"));
        assert!(home.redis_pid().is_some());
        site.stop();
        assert!(home.redis_pid().is_none());
    }
}

#[test]
fn a_killed_server_takes_its_redis_along() {
    let home = Home::new();
    let mut site = home.serve();
    let orphan = home.redis_pid().unwrap();
    site.signal("-KILL");
    site.process.wait().unwrap();
    wait_until("the private Redis has ended", || {
        home.redis_pid() != Some(orphan)
    });
}

#[test]
fn a_start_right_after_a_kill_works() {
    let home = Home::new();
    let mut site = home.serve();
    site.signal("-KILL");
    site.process.wait().unwrap();
    let site = home.serve();
    assert!(site.get("/readyz").starts_with("HTTP/1.1 200"));
}

#[test]
fn doctor_finds_a_fresh_folder_well_and_leaves_no_redis() {
    let home = Home::new();
    let output = home.run(&["doctor"], &[]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{report}");
    assert!(report.contains("evicts nothing"), "{report}");
    assert!(report.contains("syncs every write"), "{report}");
    assert!(report.contains("is free for http.addr"), "{report}");
    assert!(home.redis_pid().is_none());
}

#[test]
fn doctor_runs_beside_a_serving_process() {
    let home = Home::new();
    let site = home.serve();
    let redis = home.redis_pid();
    let addr = site.addr.to_string();
    let output = home.run(&["doctor"], &[("TANDIAN_HTTP__ADDR", &addr)]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{report}");
    assert!(
        report.contains("is served by a running tandian"),
        "{report}"
    );
    assert_eq!(home.redis_pid(), redis);
}

#[test]
fn doctor_fails_on_problems_and_prints_what_to_do() {
    let home = Home::new();
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let env = [
        (
            "TANDIAN_HTTP__ADDR",
            &*holder.local_addr().unwrap().to_string(),
        ),
        ("TANDIAN_REDIS__SERVER", "/nonexistent/redis-server"),
        (
            "TANDIAN_DATABASE__URL",
            &format!("mysql://root:hunter2@{NOWHERE}/x"),
        ),
    ];
    let output = home.run(&["doctor"], &env);
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report}");
    let bad: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with('✗'))
        .collect();
    for part in [
        "apt-get install redis-server",
        "TANDIAN_DATABASE__URL",
        "change http.addr",
    ] {
        assert!(
            bad.iter().any(|line| line.contains(part)),
            "{part}: {report}"
        );
    }
    assert!(!report.contains("hunter2"), "{report}");
}

#[test]
fn doctor_lists_every_wrong_setting() {
    let home = Home::new();
    let output = home.run(
        &["doctor"],
        &[("TANDIAN_A", "1"), ("TANDIAN_CODE__LENGTH", "0")],
    );
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        report.lines().filter(|line| line.starts_with('✗')).count(),
        2,
        "{report}"
    );
}

#[test]
fn migrate_prints_what_it_did_and_then_that_there_is_nothing_to_do() {
    let home = Home::new();
    let first = home.run(&["migrate"], &[]);
    assert!(
        String::from_utf8(first.stdout)
            .unwrap()
            .starts_with("Applied ")
    );
    let second = home.run(&["migrate"], &[]);
    assert_eq!(
        String::from_utf8(second.stdout).unwrap(),
        "The database is up to date.\n"
    );
}

#[test]
fn production_refuses_the_demo() {
    let home = Home::new();
    let env = [
        ("TANDIAN_ENV", "production"),
        ("TANDIAN_HTTP__PUBLIC_URL", "https://example.com"),
        ("TANDIAN_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
        ("TANDIAN_CODE__SENDER", "webhook"),
        ("TANDIAN_CODE__WEBHOOK__URL", "https://sms.example.com"),
        ("TANDIAN_CODE__WEBHOOK__SECRET", "0123456789abcdef"),
        ("TANDIAN_PAYMENT__PROVIDER", "none"),
    ];
    let line = only_line(&home.run(&["serve", "--demo"], &env));
    assert!(line.contains("refused in production"), "{line}");
}

#[test]
fn a_setting_that_is_no_text_is_refused_and_not_left_out() {
    let home = Home::new();
    let broken = OsStr::from_bytes(b"production\xff");
    let output = home
        .tandian(&["settings"])
        .env("TANDIAN_ENV", broken)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("TANDIAN_ENV: expected one of"), "{said}");
}
