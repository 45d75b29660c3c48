//! A private Kafka: one node that is broker and controller (KRaft), run from the parts that `scripts/ensure-kafka` fetches.
//!
//! Kafka is in no Debian. Where its parts or Java are missing, [`Kafka::is_available`] is false and tests that need it are
//! ignored; everything that librdkafka's own mock cluster can show is tested without it.
//!
//! Confirmed messages and committed offsets are still there after [`Kafka::stop_hard`] and [`Kafka::start_again`]: the
//! broker leaves them to the kernel, which a killed process does not take along.

use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;

use crate::certificates;
use crate::home::Home;
use crate::port::Port;
use crate::program;
use crate::service::Service;

const PACKAGE: &str = "openjdk-17-jre-headless";

/// A test's broker holds little and lives for seconds: a small heap, and no time spent on optimising code.
const JAVA_OPTIONS: [&str; 5] = [
    "-Xms64m",
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
];

/// Any 16 bytes in base64; a node wants to know which cluster its folder belongs to.
const CLUSTER_ID: &str = "dGFuZGlhbi10ZXN0a2l0Lg";

const KEYSTORE: &str = "keystore.pem";

/// A private broker; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Kafka {
    broker: Service,
    port: Port,
    secured: Option<Secured>,
    _controller_port: Port,
}

/// Listeners beside the plain one.
#[derive(Debug)]
struct Secured {
    tls: Port,
    /// TLS, and a login by PLAIN or SCRAM.
    login: Port,
    /// A login by PLAIN, in the clear.
    plain_login: Port,
    authority: String,
}

impl Kafka {
    /// Whether a broker can be started here.
    #[must_use]
    pub fn is_available() -> bool {
        parts().is_dir()
    }

    /// Starts a broker without topics; it makes none by itself. It takes about three seconds.
    pub async fn start() -> Self {
        Self::start_by(|_| None).await
    }

    /// As [`Kafka::start`], and on further ports for TLS with a certificate of an authority of its own, and for the
    /// login of [`Kafka::USER`].
    pub async fn start_secured() -> Self {
        Self::start_by(|home| Some(Secured::prepare(home))).await
    }

    async fn start_by(prepare: impl FnOnce(&Home) -> Option<Secured>) -> Self {
        assert!(
            Self::is_available(),
            "Kafka is not here: run scripts/ensure-kafka"
        );
        let home = Home::new("kafka");
        let (port, controller_port) = (Port::reserve(), Port::reserve());
        let secured = prepare(&home);
        let settings = home.folder().join("server.properties");
        let text = properties(&home, &port, &controller_port, secured.as_ref());
        std::fs::write(&settings, text).expect("the folder of a service is writable");
        format_storage(&home, &settings).await;
        let mut command = java(&home);
        command.arg("kafka.Kafka").arg(settings);
        let kafka = Self {
            broker: Service::new("kafka", home, command),
            port,
            secured,
            _controller_port: controller_port,
        };
        kafka.start_again().await;
        kafka
    }

    /// Who may log in to a secured broker.
    pub const USER: &str = "tandian";
    pub const PASSWORD: &str = "hunter2-hunter2";

    /// Where clients speak TLS. Only with [`Kafka::start_secured`], as the next ones.
    #[must_use]
    pub fn tls_addr(&self) -> String {
        self.secured().tls.addr().to_string()
    }

    /// Where they speak TLS and log in.
    #[must_use]
    pub fn login_addr(&self) -> String {
        self.secured().login.addr().to_string()
    }

    /// Where they log in by PLAIN, in the clear.
    #[must_use]
    pub fn plain_login_addr(&self) -> String {
        self.secured().plain_login.addr().to_string()
    }

    /// The PEM certificate of the authority to trust.
    #[must_use]
    pub fn tls_authority(&self) -> &str {
        &self.secured().authority
    }

    #[track_caller]
    fn secured(&self) -> &Secured {
        let secured = self.secured.as_ref();
        secured.expect("started by Kafka::start_secured()")
    }

    /// The one broker of this test process, for tests that keep to topics of their own.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<Kafka> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    /// `127.0.0.1:<port>`: what a client calls `bootstrap.servers`.
    #[must_use]
    pub fn addr(&self) -> String {
        self.port.addr().to_string()
    }

    /// The process id of the running broker.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.broker.pid()
    }

    /// Where the broker keeps everything.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.broker.home().folder()
    }

    /// Kills the broker with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self) {
        self.broker.stop_hard();
    }

    /// Starts the killed broker again: same folder, same port, same topics.
    pub async fn start_again(&self) {
        // The broker opens its port to clients last, when it has joined its own cluster.
        let answers = async || TcpStream::connect(self.port.addr()).await.is_ok();
        self.broker.start(answers).await;
    }

    /// Stops the broker in its tracks: connections stay open and nothing is answered.
    pub async fn freeze(&self) {
        self.broker.freeze().await;
    }

    /// Lets a frozen broker go on.
    pub fn thaw(&self) {
        self.broker.thaw();
    }
}

/// Where `scripts/ensure-kafka` puts the broker's parts.
fn parts() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").unwrap_or_default();
    let cache = cache.unwrap_or_else(|| Path::new(&home).join(".cache"));
    cache.join("tandian/kafka/lib")
}

fn java(home: &Home) -> Command {
    let mut command = home.command(&program::find("java", PACKAGE));
    command.args(JAVA_OPTIONS);
    command.arg("-cp").arg(parts().join("*"));
    command
}

async fn format_storage(home: &Home, settings: &Path) {
    let mut command = java(home);
    command.args(["kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c"]);
    command.arg(settings);
    for mechanism in ["SCRAM-SHA-256", "SCRAM-SHA-512"] {
        let (user, password) = (Kafka::USER, Kafka::PASSWORD);
        let login = format!("{mechanism}=[name={user},password={password}]");
        command.args(["--add-scram", &login]);
    }
    let status = tokio::process::Command::from(command).status().await;
    let formatted = status.expect("java can be started").success();
    assert!(formatted, "kafka's folder:\n{}", home.log_tail());
}

impl Secured {
    /// Kafka takes a key and its certificate from one file.
    fn prepare(home: &Home) -> Self {
        let folder = home.folder();
        let authority = certificates::issue(folder);
        let read = |name| std::fs::read_to_string(folder.join(name)).expect("it was just written");
        let both = read(certificates::KEY) + &read(certificates::CERTIFICATE);
        std::fs::write(folder.join(KEYSTORE), both).expect("the folder of a service is writable");
        Self {
            tls: Port::reserve(),
            login: Port::reserve(),
            plain_login: Port::reserve(),
            authority,
        }
    }

    fn listeners(&self) -> String {
        let (tls, login, plain) = (self.tls.addr(), self.login.addr(), self.plain_login.addr());
        format!(",SSL://{tls},SASL_SSL://{login},SASL_PLAINTEXT://{plain}")
    }
}

/// Clients need no certificate, and may log in by each mechanism.
fn security(home: &Home) -> String {
    let keystore = home.folder().join(KEYSTORE);
    let (user, password) = (Kafka::USER, Kafka::PASSWORD);
    let module = "org.apache.kafka.common.security";
    let plain = format!("{module}.plain.PlainLoginModule required user_{user}=\"{password}\";");
    let scram = format!("{module}.scram.ScramLoginModule required;");
    format!(
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL,SASL_PLAINTEXT:SASL_PLAINTEXT
ssl.keystore.type=PEM
ssl.keystore.location={}
ssl.client.auth=none
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_ssl.plain.sasl.jaas.config={plain}
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config={scram}
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config={scram}
listener.name.sasl_plaintext.plain.sasl.jaas.config={plain}
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config={scram}
listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config={scram}
",
        keystore.display()
    )
}

/// One replica of everything, no topics by accident, and no waiting for more members of a group.
fn properties(
    home: &Home,
    port: &Port,
    controller_port: &Port,
    secured: Option<&Secured>,
) -> String {
    let (port, controller) = (port.addr(), controller_port.addr());
    let listeners = secured.map(Secured::listeners).unwrap_or_default();
    let security = secured.map(|_| security(home)).unwrap_or_default();
    let data = home.folder().join("data");
    let data = data.display();
    format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{controller}
listeners=PLAINTEXT://{port},CONTROLLER://{controller}{listeners}
advertised.listeners=PLAINTEXT://{port}{listeners}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs={data}
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
{security}"
    )
}
