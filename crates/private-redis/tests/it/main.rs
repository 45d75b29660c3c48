//! The private Redis against the real `redis-server`: it keeps what was written, comes back, and never outlives its owner.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails it like the test itself"
)]

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use private_redis::{AppendFsync, Options, PrivateRedis, PrivateRedisError, State};
use redis::Commands;
use tempfile::TempDir;

/// Far above what any of this takes, so that only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(20);

/// Between the fork of a process and its program, on a machine that is busy.
const FORK_TIME: Duration = Duration::from_secs(5);

const OLD_SERVER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/fixtures/old-redis-server"
);

fn options(folder: &Path) -> Options {
    Options {
        program: "redis-server".to_owned(),
        data_dir: folder.to_owned(),
        appendfsync: AppendFsync::Always,
        max_memory_mib: 0,
    }
}

async fn start(folder: &Path) -> Result<PrivateRedis, PrivateRedisError> {
    start_with(&options(folder)).await
}

async fn start_with(options: &Options) -> Result<PrivateRedis, PrivateRedisError> {
    PrivateRedis::start(options, lock(&options.data_dir)).await
}

/// Fails while another process or server holds the folder. A process that another test is just forking holds a copy of every
/// lock until it executes its program.
#[track_caller]
fn lock(folder: &Path) -> File {
    let file = File::create(folder.join("lock")).unwrap();
    let given_up = Instant::now() + FORK_TIME;
    while let Err(error) = file.try_lock() {
        assert!(Instant::now() < given_up, "{error}");
        std::thread::sleep(Duration::from_millis(5));
    }
    file
}

fn connect(redis: &PrivateRedis) -> redis::Connection {
    let client = redis::Client::open(redis.url()).unwrap();
    client.get_connection_with_timeout(PATIENCE).unwrap()
}

#[track_caller]
fn pid_of(redis: &PrivateRedis) -> i32 {
    match *redis.states().borrow() {
        State::Running { pid } => pid,
        ref other => panic!("expected a running server, it is {other:?}"),
    }
}

fn is_alive(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[track_caller]
fn signal(name: &str, pid: i32) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.unwrap().success());
}

/// A server on our files that nobody looks after.
#[track_caller]
fn spawn_stray(dir: &Path, socket: &Path) -> Child {
    fs::create_dir_all(dir).unwrap();
    let mut child = Command::new("redis-server")
        .args(["--port", "0", "--save", "", "--appendonly", "yes"])
        .args(["--appendfsync", "always", "--dir"])
        .arg(dir)
        .arg("--unixsocket")
        .arg(socket)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    while std::os::unix::net::UnixStream::connect(socket).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(std::time::Instant::now() < deadline, "it never listened");
        std::thread::yield_now();
    }
    child
}

fn connect_to_socket(socket: &Path) -> redis::Connection {
    let address = redis::ConnectionAddr::Unix(socket.to_owned());
    redis::Client::open(address)
        .unwrap()
        .get_connection()
        .unwrap()
}

/// The one incremental append-only file of a server that was never rewritten.
#[track_caller]
fn append_only_file(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder.join("redis/appendonlydir")).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    paths
        .find(|path| path.extension().is_some_and(|ext| ext == "aof"))
        .unwrap()
}

fn append(path: &Path, text: &str) {
    let mut content = fs::read(path).unwrap();
    content.extend_from_slice(text.as_bytes());
    fs::write(path, content).unwrap();
}

#[tokio::test]
async fn it_keeps_every_write_and_evicts_nothing() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    for (key, expected) in [
        ("appendonly", "yes"),
        ("appendfsync", "always"),
        ("maxmemory-policy", "noeviction"),
        ("port", "0"),
        ("save", ""),
    ] {
        let (_, value): (String, String) = redis::cmd("CONFIG")
            .arg(&["GET", key])
            .query(&mut connect(&redis))
            .unwrap();
        assert_eq!(value, expected, "{key}");
    }
    let socket = fs::metadata(home.path().join("redis.sock")).unwrap();
    assert_eq!(socket.permissions().mode() & 0o777, 0o700);
    redis.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_its_memory_limit_it_refuses_writes_and_keeps_what_it_has() {
    let home = TempDir::new().unwrap();
    let small = Options {
        max_memory_mib: 8,
        ..options(home.path())
    };
    let redis = start_with(&small).await.unwrap();
    let mut connection = connect(&redis);
    let value = vec![b'x'; 64 * 1024];
    let mut kept = 0;
    let refusal = loop {
        match connection.set::<_, _, ()>(format!("key{kept}"), &value) {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 1_000, "the limit never came");
    };
    assert_eq!(refusal.code(), Some("OOM"), "{refusal}");
    let there: usize = redis::cmd("DBSIZE").query(&mut connection).unwrap();
    assert_eq!(there, kept);
    redis.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_memory_limit_is_part_of_the_machine() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let mut connection = connect(&redis);
    let (_, limit): (String, u64) = redis::cmd("CONFIG")
        .arg(&["GET", "maxmemory"])
        .query(&mut connection)
        .unwrap();
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap();
    let total_kib: u64 = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap();
    assert!(limit > 0, "a Redis without a limit takes the machine down");
    assert!(limit <= (total_kib * 512).max(64 << 20), "{limit}");
    redis.stop().await;
}

#[tokio::test]
async fn the_fsync_option_reaches_the_server() {
    let home = TempDir::new().unwrap();
    let mut options = options(home.path());
    options.appendfsync = AppendFsync::Everysec;
    let redis = start_with(&options).await.unwrap();
    let (_, value): (String, String) = redis::cmd("CONFIG")
        .arg(&["GET", "appendfsync"])
        .query(&mut connect(&redis))
        .unwrap();
    assert_eq!(value, "everysec");
    redis.stop().await;
}

#[tokio::test]
async fn data_survives_a_restart() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let _: () = connect(&redis).set("k", "v").unwrap();
    redis.stop().await;
    let redis = start(home.path()).await.unwrap();
    assert_eq!(connect(&redis).get::<_, String>("k").unwrap(), "v");
    redis.stop().await;
}

#[tokio::test]
async fn stopping_leaves_no_process_and_frees_the_folder() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let pid = pid_of(&redis);
    assert!(is_alive(pid));
    redis.stop().await;
    assert!(!is_alive(pid));
    assert!(!home.path().join("redis.sock").exists());
    lock(home.path());
}

#[tokio::test]
async fn a_server_that_hangs_is_stopped_by_force() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let pid = pid_of(&redis);
    signal("-STOP", pid);
    tokio::time::timeout(PATIENCE, redis.stop()).await.unwrap();
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn a_dropped_handle_ends_the_server_too() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let pid = pid_of(&redis);
    let mut states = redis.states();
    drop(redis);
    let stopped = states.wait_for(|state| *state == State::Stopped);
    tokio::time::timeout(PATIENCE, stopped)
        .await
        .unwrap()
        .unwrap();
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn a_killed_server_comes_back_within_five_seconds_with_its_data() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let _: () = connect(&redis).set("k", "v").unwrap();
    let killed = pid_of(&redis);
    signal("-KILL", killed);
    let mut states = redis.states();
    let back = states.wait_for(|state| matches!(state, State::Running { pid } if *pid != killed));
    tokio::time::timeout(Duration::from_secs(5), back)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(connect(&redis).get::<_, String>("k").unwrap(), "v");
    redis.stop().await;
}

#[tokio::test]
async fn a_server_left_behind_is_ended_and_its_data_taken_over() {
    let home = TempDir::new().unwrap();
    let socket = home.path().join("redis.sock");
    let mut stray = spawn_stray(&home.path().join("redis"), &socket);
    let _: () = connect_to_socket(&socket).set("k", "v").unwrap();
    let redis = start(home.path()).await.unwrap();
    assert!(
        stray.wait().unwrap().success(),
        "the stray was not asked to end in order"
    );
    assert_eq!(connect(&redis).get::<_, String>("k").unwrap(), "v");
    redis.stop().await;
}

#[tokio::test]
async fn a_foreign_server_on_the_socket_is_left_alone() {
    let home = TempDir::new().unwrap();
    let elsewhere = TempDir::new().unwrap();
    let mut other = spawn_stray(elsewhere.path(), &home.path().join("redis.sock"));
    let error = start(home.path()).await.unwrap_err();
    assert!(
        matches!(error, PrivateRedisError::ForeignServer { .. }),
        "{error}"
    );
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn a_folder_too_deep_for_sockets_works_all_the_same() {
    let home = TempDir::new().unwrap();
    let deep = home.path().join("d".repeat(100)).join("e".repeat(100));
    fs::create_dir_all(&deep).unwrap();
    let redis = start(&deep).await.unwrap();
    assert_eq!(private_redis::running_url(&deep), redis.url());
    let _: () = connect(&redis).set("k", "v").unwrap();
    let socket = fs::read_link(deep.join("redis.sock")).unwrap();
    redis.stop().await;
    fs::remove_dir(socket.parent().unwrap()).unwrap();
}

#[tokio::test]
async fn a_file_cut_off_in_the_middle_of_a_write_is_repaired() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    let _: () = connect(&redis).set("k", "v").unwrap();
    redis.stop().await;
    append(&append_only_file(home.path()), "*3\r\n$3\r\nSE");
    let redis = start(home.path()).await.unwrap();
    assert_eq!(connect(&redis).get::<_, String>("k").unwrap(), "v");
    redis.stop().await;
}

#[tokio::test]
async fn a_file_with_nonsense_in_it_is_explained() {
    let home = TempDir::new().unwrap();
    let redis = start(home.path()).await.unwrap();
    redis.stop().await;
    append(
        &append_only_file(home.path()),
        "nonsense\r\n*1\r\n$4\r\nPING\r\n",
    );
    let error = start(home.path()).await.unwrap_err().to_string();
    assert!(error.contains("Bad file format"), "{error}");
    assert!(error.contains("redis.log"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_too_old_is_refused_by_its_version() {
    let home = TempDir::new().unwrap();
    let mut options = options(home.path());
    options.program = OLD_SERVER.to_owned();
    let error = start_with(&options).await.unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("is version 5.0, 6.2 or newer is needed"),
        "{error}"
    );
}
