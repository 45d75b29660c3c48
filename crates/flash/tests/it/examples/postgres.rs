//! A private Postgres on a port of its own, which ends with the test.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use testkit::{Port, wait_for};
use tokio::sync::Mutex;
use tokio_postgres::{Client, NoTls};

pub(super) struct Postgres {
    server: Child,
    port: Port,
    folder: TempDir,
}

impl Postgres {
    pub(super) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        if is_root() {
            // Postgres refuses to run as root.
            run(Command::new("chown")
                .args(["-R", "postgres"])
                .arg(folder.path()));
        }
        run(program("initdb")
            .args(["-U", "postgres", "-A", "trust", "--no-sync", "-D"])
            .arg(&data));
        let port = Port::reserve();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut server = program("postgres");
        server.args(["-p", &port.number().to_string(), "-k", "", "-F"]);
        server.args(["-c", "listen_addresses=127.0.0.1", "-D"]);
        let server = server.arg(&data).stdout(Stdio::null()).stderr(log);
        let mut server = Self {
            server: server.spawn().unwrap(),
            port,
            folder,
        };
        let url = server.url();
        let connect = async || {
            server.assert_running();
            tokio_postgres::connect(&url, NoTls).await.ok()
        };
        drop(wait_for("Postgres", Duration::from_secs(60), connect).await);
        server
    }

    pub(super) async fn connect(&self) -> Arc<Mutex<Client>> {
        let (client, connection) = tokio_postgres::connect(&self.url(), NoTls).await.unwrap();
        tokio::spawn(connection);
        Arc::new(Mutex::new(client))
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres", self.port.addr())
    }

    fn assert_running(&mut self) {
        if let Some(status) = self.server.try_wait().unwrap() {
            let log = std::fs::read_to_string(self.folder.path().join("log"));
            panic!("Postgres ended ({status}): {}", log.unwrap());
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A server that is killed leaves its shared memory behind.
        let mut stop = program("pg_ctl");
        stop.args(["stop", "--mode=immediate", "-D"]);
        let _ = stop.arg(self.folder.path().join("data")).output();
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A program of the latest version that is installed, to run as somebody else than root. It ends with this test.
fn program(name: &str) -> Command {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter();
    let versions = versions.flatten().flatten();
    let programs = versions.map(|version| version.path().join("bin").join(name));
    // The package of the client has a folder of its version too, without the server in it.
    let latest: Option<PathBuf> = programs.filter(|program| program.is_file()).max();
    let latest =
        latest.unwrap_or_else(|| panic!("{name} is not installed: apt-get install postgresql"));
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=QUIT");
    if is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(latest);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}
