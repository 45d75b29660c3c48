//! A private MariaDB, and databases of their own in it.
//!
//! The invariant: its semantics are the defaults of the server (InnoDB, strict mode, utf8mb4); only sizes are small.
//! What was committed is still there after [`MariaDb::stop_hard`] and [`MariaDb::start_again`]: the log is handed to the kernel at each
//! commit. It is synced only once a second, which makes migrations twice as fast and matters to a lost machine alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;

use crate::certificates;
use crate::home::Home;
use crate::port::Port;
use crate::program;
use crate::service::Service;

const PACKAGE: &str = "mariadb-server";
const SOCKET: &str = "mariadb.sock";
const DATA: &str = "data";

/// The server's greeting is a packet of protocol version 10: three bytes of length, a sequence number, then this.
const GREETING_VERSION: u8 = 10;

/// A private MariaDB; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct MariaDb {
    service: Service,
    port: Port,
    /// Where the certificate of the authority is, if it speaks TLS.
    authority: Option<PathBuf>,
}

impl MariaDb {
    /// Starts a server with an empty data folder. Root needs no password.
    pub async fn start() -> Self {
        let home = Home::new("mariadb");
        let port = Port::reserve();
        let data = home.folder().join(DATA);
        install(&home, &data).await;
        let command = server_command(&home, &data, &port);
        Self::run(home, port, command, None).await
    }

    /// As [`MariaDb::start`], with a certificate of an authority of its own, and for encrypted connections alone.
    pub async fn start_with_tls() -> Self {
        let home = Home::new("mariadb");
        let port = Port::reserve();
        let data = home.folder().join(DATA);
        install(&home, &data).await;
        certificates::issue(home.folder());
        let mut command = server_command(&home, &data, &port);
        let file = |name: &str| home.folder().join(name);
        let authority = file(certificates::AUTHORITY);
        command
            .arg(format!("--ssl-ca={}", authority.display()))
            .arg(format!(
                "--ssl-cert={}",
                file(certificates::CERTIFICATE).display()
            ))
            .arg(format!("--ssl-key={}", file(certificates::KEY).display()))
            .arg("--require-secure-transport=ON");
        Self::run(home, port, command, Some(authority)).await
    }

    /// As [`MariaDb::start`], with its data on a disk of the caller's, which must stay mounted.
    pub async fn start_on(disk: &Path) -> Self {
        let home = Home::new("mariadb");
        let port = Port::reserve();
        let data = disk.join(DATA);
        install(&home, &data).await;
        let command = server_command(&home, &data, &port);
        Self::run(home, port, command, None).await
    }

    async fn run(home: Home, port: Port, command: Command, authority: Option<PathBuf>) -> Self {
        let service = Service::new("mariadbd", home, command);
        let mariadb = Self {
            service,
            port,
            authority,
        };
        mariadb.start_again().await;
        mariadb
    }

    /// A PEM file with the authority to trust. Only with [`MariaDb::start_with_tls`].
    #[must_use]
    #[track_caller]
    pub fn authority_file(&self) -> &Path {
        let authority = self.authority.as_deref();
        authority.expect("started by MariaDb::start_with_tls()")
    }

    /// The one MariaDB of this test process; each test takes a database of its own from it.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<MariaDb> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    /// Creates an empty utf8mb4 database under a unique name.
    pub async fn create_database(&self) -> Database {
        let name = format!("t{:016x}", rand::random::<u64>());
        self.execute(&format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"))
            .await;
        let url = format!("mysql://root@{}/{name}", self.addr());
        let client = self.client();
        Database { name, url, client }
    }

    /// Runs SQL as root and returns the rows: a line each, columns separated by tabs.
    pub async fn execute(&self, sql: &str) -> String {
        self.client().execute(&["--execute", sql]).await
    }

    /// `127.0.0.1:<port>`, for a [`FaultProxy`](crate::FaultProxy).
    #[must_use]
    pub fn addr(&self) -> String {
        self.port.addr().to_string()
    }

    /// The TCP port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// Where the server keeps everything.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.service.home().folder()
    }

    /// The process id of the running server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.service.pid()
    }

    /// Kills the server with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self) {
        self.service.stop_hard();
    }

    /// Starts the killed server again: same folder, same port, same data.
    pub async fn start_again(&self) {
        self.service.start(async || self.greets().await).await;
    }

    /// Stops the process in its tracks: connections stay open and nothing is answered.
    pub async fn freeze(&self) {
        self.service.freeze().await;
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        self.service.thaw();
    }

    fn socket(&self) -> PathBuf {
        self.folder().join(SOCKET)
    }

    fn client(&self) -> SqlClient {
        SqlClient {
            socket: self.socket(),
        }
    }

    /// Queries through the socket in our own folder: another server on the port could not answer there.
    async fn greets(&self) -> bool {
        let Ok(mut stream) = UnixStream::connect(self.socket()).await else {
            return false;
        };
        let mut greeting = [0; 5];
        stream.read_exact(&mut greeting).await.is_ok() && greeting[4] == GREETING_VERSION
    }
}

/// A database of its own in a [`MariaDb`]. It goes when the server goes.
#[derive(Clone, Debug)]
pub struct Database {
    name: String,
    url: String,
    client: SqlClient,
}

impl Database {
    /// `mysql://root@127.0.0.1:<port>/<name>`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The database's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs SQL (one or more statements) and returns the rows: a line each, columns separated by tabs.
    pub async fn execute(&self, sql: &str) -> String {
        let args = ["--database", &self.name, "--execute", sql];
        self.client.execute(&args).await
    }
}

/// The command-line client: it comes with the server and spares this crate a database driver.
#[derive(Clone, Debug)]
struct SqlClient {
    socket: PathBuf,
}

impl SqlClient {
    async fn execute(&self, args: &[&str]) -> String {
        let output = tokio::process::Command::new(program::find("mariadb", PACKAGE))
            .args([
                "--no-defaults",
                "--user=root",
                "--batch",
                "--skip-column-names",
            ])
            .arg("--default-character-set=utf8mb4")
            .arg(format!("--socket={}", self.socket.display()))
            .args(args)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output()
            .await
            .expect("the mariadb client can be started");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaint} in {args:?}");
        String::from_utf8(output.stdout).expect("the client speaks utf8mb4")
    }
}

/// Creates the system tables. Without `--user` the programs run as the calling user; as root they require the option.
async fn install(home: &Home, data: &Path) {
    let mut command = home.command(&program::find("mariadb-install-db", PACKAGE));
    command
        .args(["--no-defaults", "--auth-root-authentication-method=normal"])
        .args(["--skip-test-db", "--skip-name-resolve"])
        .arg(format!("--datadir={}", data.display()))
        .args(user_option());
    let status = tokio::process::Command::from(command).status().await;
    let status = status.expect("mariadb-install-db can be started");
    assert!(
        status.success(),
        "mariadb-install-db failed\n{}",
        home.log_tail()
    );
}

fn server_command(home: &Home, data: &Path, port: &Port) -> Command {
    let folder = home.folder();
    let mut command = home.command(&program::find("mariadbd", PACKAGE));
    command
        .args([
            "--no-defaults",
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
        ])
        .args(["--character-set-server=utf8mb4", "--performance-schema=OFF"])
        .args([
            "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=32M",
        ])
        .arg("--innodb-flush-log-at-trx-commit=2")
        .arg(format!("--port={}", port.number()))
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--socket={}", folder.join(SOCKET).display()))
        .args(user_option());
    command
}

fn user_option() -> Option<&'static str> {
    rustix::process::geteuid()
        .is_root()
        .then_some("--user=root")
}
