//! A private RabbitMQ: broker and Erlang port mapper, both away from any that run on the machine.
//!
//! The invariant: both are our own children in our own process groups. Left alone, the broker would start a port
//! mapper that leaves every group, outlives it, and is shared with other programs; so we start one first. Debian's
//! wrapper in `sbin` is passed by because it changes the user.
//!
//! Confirmed persistent messages are still there after [`RabbitMq::stop_hard`] and [`RabbitMq::start_again`]; the queue that
//! holds them only if it was declared some seconds before, or [`RabbitMq::sync_definitions`] was called. The broker answers a
//! declaration before it is on disk.

use std::path::Path;
use std::process::Command;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;

use crate::certificates;
use crate::home::Home;
use crate::port::Port;
use crate::program;
use crate::service::Service;

const SERVER: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";
const CONTROL: &str = "/usr/lib/rabbitmq/bin/rabbitmqctl";
const PACKAGE: &str = "rabbitmq-server";

/// The protocol header of AMQP 0-9-1; a broker that is up replies with a method frame.
const PROTOCOL_HEADER: &[u8] = b"AMQP\x00\x00\x09\x01";
const METHOD_FRAME: u8 = 1;

/// A private broker; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct RabbitMq {
    broker: Service,
    port: Port,
    _node_port: Port,
    mapper: Mapper,
    tls: Option<Tls>,
}

#[derive(Debug)]
struct Tls {
    port: Port,
    authority: String,
}

impl RabbitMq {
    /// Starts a broker with no plugins and the user `guest`. It takes some seconds.
    pub async fn start() -> Self {
        Self::start_by(|_| None).await
    }

    /// As [`RabbitMq::start`], and on a second port for TLS, with a certificate of an authority of its own.
    pub async fn start_with_tls() -> Self {
        Self::start_by(|home| {
            let authority = certificates::issue(home.folder());
            let port = Port::reserve();
            let settings = tls_settings(home, &port);
            std::fs::write(home.folder().join("rabbitmq.conf"), settings)
                .expect("the folder of a service is writable");
            Some(Tls { port, authority })
        })
        .await
    }

    async fn start_by(prepare: impl FnOnce(&Home) -> Option<Tls>) -> Self {
        let mapper = Mapper::start().await;
        let home = Home::new("rabbitmq");
        let (port, node_port) = (Port::reserve(), Port::reserve());
        let tls = prepare(&home);
        let command = broker_command(&home, &port, &node_port, &mapper);
        let rabbitmq = Self {
            broker: Service::new("rabbitmq-server", home, command),
            port,
            _node_port: node_port,
            mapper,
            tls,
        };
        rabbitmq.start_again().await;
        rabbitmq
    }

    /// The one broker of this test process, for tests that keep to queues of their own.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<RabbitMq> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    /// `amqp://guest:guest@127.0.0.1:<port>/%2f`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("amqp://guest:guest@{}/%2f", self.addr())
    }

    /// `amqps://guest:guest@127.0.0.1:<port>/%2f`. Only with [`RabbitMq::start_with_tls`].
    #[must_use]
    pub fn tls_url(&self) -> String {
        format!("amqps://guest:guest@{}/%2f", self.tls().port.addr())
    }

    /// The PEM certificate of the authority to trust. Only with [`RabbitMq::start_with_tls`].
    #[must_use]
    pub fn tls_authority(&self) -> &str {
        &self.tls().authority
    }

    #[track_caller]
    fn tls(&self) -> &Tls {
        let tls = self.tls.as_ref();
        tls.expect("started by RabbitMq::start_with_tls()")
    }

    /// `127.0.0.1:<port>`, for a [`FaultProxy`](crate::FaultProxy).
    #[must_use]
    pub fn addr(&self) -> String {
        self.port.addr().to_string()
    }

    /// The AMQP port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.number()
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

    /// Runs `rabbitmqctl` with these arguments and returns what it prints. It takes a second or two.
    pub async fn control(&self, args: &[&str]) -> String {
        let home = self.broker.home();
        let mut command = home.command(&program::at(CONTROL, PACKAGE));
        command.envs(environment(home, &self.port, &self.mapper));
        let output = tokio::process::Command::from(command)
            .arg("--quiet")
            .args(args)
            .output()
            .await
            .expect("rabbitmqctl can be started");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaint} in {args:?}");
        String::from_utf8(output.stdout).expect("rabbitmqctl speaks UTF-8")
    }

    /// Puts the queues declared so far on disk, which the broker does by itself only after about two seconds.
    pub async fn sync_definitions(&self) {
        self.control(&["eval", "mnesia:sync_log()."]).await;
    }

    /// Kills the broker with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self) {
        self.broker.stop_hard();
    }

    /// Starts the killed broker again: same folder, same port, same durable queues.
    pub async fn start_again(&self) {
        let answers = async || greets(&self.addr()).await.unwrap_or(false);
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

/// The Erlang port mapper, in the foreground.
#[derive(Debug)]
struct Mapper {
    service: Service,
    port: Port,
}

impl Mapper {
    async fn start() -> Self {
        let home = Home::new("epmd");
        let port = Port::reserve();
        let mut command = home.command(&program::find("epmd", "erlang-base"));
        command.env("ERL_EPMD_ADDRESS", "127.0.0.1");
        command.args(["-port", &port.number().to_string()]);
        let service = Service::new("epmd", home, command);
        let mapper = Self { service, port };
        let answers = async || TcpStream::connect(mapper.port.addr()).await.is_ok();
        mapper.service.start(answers).await;
        mapper
    }
}

/// `RUNNING_UNDER_SYSTEMD` makes the script become the broker instead of waiting for it, so that our child is the broker.
fn broker_command(home: &Home, port: &Port, node_port: &Port, mapper: &Mapper) -> Command {
    let folder = home.folder();
    let plugins = folder.join("enabled_plugins");
    std::fs::write(&plugins, "[].\n").expect("the folder of a service is writable");
    let mut command = home.command(&program::at(SERVER, PACKAGE));
    command
        .envs(environment(home, port, mapper))
        .env("RUNNING_UNDER_SYSTEMD", "true")
        .env("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1")
        .env("RABBITMQ_NODE_PORT", port.number().to_string())
        .env("RABBITMQ_DIST_PORT", node_port.number().to_string())
        .env("RABBITMQ_MNESIA_BASE", folder.join("mnesia"))
        .env("RABBITMQ_LOG_BASE", folder.join("log"))
        .env("RABBITMQ_PID_FILE", folder.join("broker.pid"))
        .env("RABBITMQ_ENABLED_PLUGINS_FILE", plugins)
        .env("RABBITMQ_CONFIG_FILE", folder.join("rabbitmq"))
        .env("RABBITMQ_ADVANCED_CONFIG_FILE", folder.join("advanced"))
        .env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", ERLANG_OPTIONS);
    command
}

fn tls_settings(home: &Home, port: &Port) -> String {
    let file = |name: &str| home.folder().join(name).display().to_string();
    format!(
        "listeners.ssl.default = {}\n\
         ssl_options.cacertfile = {}\nssl_options.certfile = {}\nssl_options.keyfile = {}\n\
         ssl_options.verify = verify_none\nssl_options.fail_if_no_peer_cert = false\n",
        port.addr(),
        file(certificates::AUTHORITY),
        file(certificates::CERTIFICATE),
        file(certificates::KEY)
    )
}

/// What the broker and `rabbitmqctl` must agree on to find each other. The secret they share is kept in `HOME`.
fn environment(home: &Home, port: &Port, mapper: &Mapper) -> [(&'static str, String); 5] {
    [
        ("HOME", home.folder().display().to_string()),
        ("ERL_EPMD_ADDRESS", "127.0.0.1".to_owned()),
        ("ERL_EPMD_PORT", mapper.port.number().to_string()),
        (
            "RABBITMQ_NODENAME",
            format!("tandian-{}@localhost", port.number()),
        ),
        ("RABBITMQ_CONF_ENV_FILE", "/dev/null".to_owned()),
    ]
}

/// Distribution on the loopback only; and no busy waiting, which takes the processors from the test.
const ERLANG_OPTIONS: &str =
    "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none";

async fn greets(addr: &str) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(addr).await?;
    stream.write_all(PROTOCOL_HEADER).await?;
    Ok(stream.read_u8().await? == METHOD_FRAME)
}
