//! A private Kafka: one node that is broker and controller (KRaft), run from the parts that `scripts/ensure-kafka` fetches.
//!
//! Kafka is in no Debian. Where its parts or Java are missing, [`Kafka::is_available`] says so and tests that need it are
//! ignored; everything that librdkafka's own mock cluster can show is tested without it.
//!
//! Confirmed messages and committed offsets are still there after [`Kafka::stop_hard`] and [`Kafka::start_again`]: the
//! broker leaves them to the kernel, which a killed process does not take along.

use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;

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

/// A private broker; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Kafka {
    broker: Service,
    port: Port,
    _controller_port: Port,
}

impl Kafka {
    /// Whether a broker can be started here.
    #[must_use]
    pub fn is_available() -> bool {
        parts().is_dir()
    }

    /// Starts a broker without topics; it makes none by itself. It takes about three seconds.
    pub async fn start() -> Self {
        assert!(
            Self::is_available(),
            "Kafka is not here: run scripts/ensure-kafka"
        );
        let home = Home::new("kafka");
        let (port, controller_port) = (Port::reserve(), Port::reserve());
        let settings = home.folder().join("server.properties");
        std::fs::write(&settings, properties(&home, &port, &controller_port))
            .expect("the folder of a service is writable");
        format_storage(&home, &settings).await;
        let mut command = java(&home);
        command.arg("kafka.Kafka").arg(settings);
        let kafka = Self {
            broker: Service::new("kafka", home, command),
            port,
            _controller_port: controller_port,
        };
        kafka.start_again().await;
        kafka
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
    let status = tokio::process::Command::from(command).status().await;
    let formatted = status.expect("java can be started").success();
    assert!(formatted, "kafka's folder:\n{}", home.log_tail());
}

/// One replica of everything, no topics by accident, and no waiting for more members of a group.
fn properties(home: &Home, port: &Port, controller_port: &Port) -> String {
    let (port, controller) = (port.addr(), controller_port.addr());
    let data = home.folder().join("data");
    let data = data.display();
    format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{controller}
listeners=PLAINTEXT://{port},CONTROLLER://{controller}
advertised.listeners=PLAINTEXT://{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs={data}
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
"
    )
}
