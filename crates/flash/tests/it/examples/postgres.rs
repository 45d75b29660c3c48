//! A private Postgres on a free port, which ends with the test.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use testkit::wait_for;
use tokio_postgres::NoTls;

pub(super) struct Postgres {
    server: Child,
    port: u16,
    _folder: TempDir,
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
        let data = data.to_str().unwrap();
        run(program("initdb").args(["-U", "postgres", "-A", "trust", "--no-sync", "-D", data]));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let port_text = port.to_string();
        let mut server = program("postgres");
        server.args(["-D", data, "-p", &port_text, "-k", "", "-F"]);
        server.args(["-c", "listen_addresses=127.0.0.1"]);
        let server = server
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            server,
            port,
            _folder: folder,
        };
        let connect = async || tokio_postgres::connect(&server.url(), NoTls).await.ok();
        drop(wait_for("Postgres", Duration::from_secs(60), connect).await);
        server
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // `setpriv` becomes the server, so this kills it; a killed server takes its children along.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A program of the latest version that is installed.
fn program(name: &str) -> Command {
    let versions = std::fs::read_dir("/usr/lib/postgresql").unwrap();
    let programs = versions.map(|version| version.unwrap().path().join("bin").join(name));
    let latest: PathBuf = programs.max().expect("a version is installed");
    if !is_root() {
        return Command::new(latest);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
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
