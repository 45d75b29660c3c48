//! Holds the services named on the command line until it reads on its input how to end.
//!
//! The test kit's own tests end this process in every way there is, and look for what stays behind. The services are the
//! shared ones: they live in statics, which no destructor visits.

use std::io::{BufRead as _, Write as _};

use testkit::{MariaDb, RabbitMq, Redis};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    for name in std::env::args().skip(1) {
        match name.as_str() {
            "redis" => drop(Redis::shared().await),
            "mariadb" => drop(MariaDb::shared().await),
            "rabbitmq" => drop(RabbitMq::shared().await),
            unknown => panic!("{unknown} is not one of redis, mariadb, rabbitmq"),
        }
    }
    std::io::stdout().write_all(b"ready\n")?;
    let mut order = String::new();
    std::io::stdin().lock().read_line(&mut order)?;
    match order.trim() {
        "panic" => panic!("as ordered"),
        "exit" => std::process::exit(0),
        _ => Ok(()),
    }
}
