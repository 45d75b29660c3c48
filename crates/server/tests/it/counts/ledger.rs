//! Everything that Redis and MariaDB are asked between two moments, in their own words: `MONITOR` and the general log.

use redis::aio::MultiplexedConnection;
use testkit::{MariaDb, Redis};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// What connections say of themselves, which no request is to blame for.
const CHATTER: [&str; 5] = [
    "\"PING\"",
    "\"HELLO\"",
    "\"CLIENT\"",
    "\"INFO\"",
    "\"PUBLISH\" \"LINK:HEARTBEAT:",
];

/// Wakes the relay in another process, at most twenty times a second for all commits together.
const OUTBOX_SIGNAL: &str = ":outbox\"";

/// The test kit asks through a socket, and processes through TCP.
const STATEMENTS: &str = "SELECT argument FROM mysql.general_log \
    WHERE command_type IN ('Execute', 'Query') AND user_host NOT LIKE '%localhost%'";

/// What was asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Cost {
    /// Commands that came over the wire.
    pub(super) sent: Vec<String>,
    /// Commands that scripts ran.
    pub(super) inside: Vec<String>,
    pub(super) statements: Vec<String>,
}

pub(super) struct Ledger<'a> {
    monitor: BufReader<TcpStream>,
    marks: MultiplexedConnection,
    /// So that no mark is taken for another.
    next_mark: u64,
    mariadb: &'a MariaDb,
}

impl Cost {
    pub(super) fn total(&self) -> usize {
        self.sent.len() + self.inside.len() + self.statements.len()
    }

    /// A line such as `1700000000.1 [0 127.0.0.1:5] "GET" "key"`, or `[0 lua]` for what a script does.
    fn note(&mut self, line: String) {
        let Some((_, command)) = line.split_once("] ") else {
            return;
        };
        let command = command.trim_end().to_owned();
        let is_chatter = CHATTER
            .iter()
            .any(|word| command.to_uppercase().starts_with(word));
        if command.contains(OUTBOX_SIGNAL) {
            return;
        }
        match line.contains(" lua] ") {
            true => self.inside.push(command),
            false if is_chatter => {}
            false => self.sent.push(command),
        }
    }
}

impl<'a> Ledger<'a> {
    pub(super) async fn of(redis: &Redis, mariadb: &'a MariaDb) -> Self {
        let stream = TcpStream::connect(redis.addr()).await.unwrap();
        let mut monitor = BufReader::new(stream);
        monitor.write_all(b"MONITOR\r\n").await.unwrap();
        mariadb
            .execute("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1")
            .await;
        Self {
            monitor,
            marks: redis.connection().await,
            next_mark: 0,
            mariadb,
        }
    }

    /// Begins a new account.
    pub(super) async fn open(&mut self) {
        self.mariadb.execute("TRUNCATE mysql.general_log").await;
        self.read_to_mark().await;
    }

    /// What was asked since.
    pub(super) async fn close(&mut self) -> Cost {
        let mut cost = Cost::default();
        for line in self.read_to_mark().await {
            cost.note(line);
        }
        let statements = self.mariadb.execute(STATEMENTS).await;
        cost.statements = statements.lines().map(str::to_owned).collect();
        cost
    }

    /// Everything before a command of ours that comes now.
    async fn read_to_mark(&mut self) -> Vec<String> {
        let mark = format!("mark {}", self.next_mark);
        self.next_mark += 1;
        let mut echo = redis::cmd("ECHO");
        echo.arg(&mark);
        let _: String = echo.query_async(&mut self.marks).await.unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.monitor.read_line(&mut line).await.unwrap();
            assert!(read > 0, "Redis goes on telling");
            if line.contains(&format!("\"{mark}\"")) {
                return lines;
            }
            lines.push(line);
        }
    }
}
