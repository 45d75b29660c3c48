//! Checks flash sales: the number of partitions is unchanged, and the broker is reachable.

use std::time::Duration;

use storage::flash_sales;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Finding;
use crate::settings::{Settings, Transport};
use crate::startup;

const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// The protocol header of AMQP 0-9-1, and the first byte of a broker's reply: a method frame on channel 0.
const AMQP_GREETING: &[u8] = b"AMQP\x00\x00\x09\x01";
const AMQP_METHOD: u8 = 1;

const AMQP_PORT: u16 = 5_672;
const AMQPS_PORT: u16 = 5_671;

pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings: Vec<Finding> = partitions(settings).await.into_iter().collect();
    match settings.flash.transport {
        Transport::Stream => {}
        Transport::RabbitMq => findings.push(rabbitmq(settings).await),
        Transport::Kafka => {
            for broker in &settings.flash.kafka.brokers {
                let setting = "TANDIAN_FLASH__KAFKA__BROKERS";
                findings.push(accepts_connections("Kafka", broker, setting).await);
            }
        }
    }
    findings
}

/// No findings while SQL does not answer: `sql.rs` reports that.
async fn partitions(settings: &Settings) -> Option<Finding> {
    let db = startup::connect_sql(settings).await.ok()?;
    let began = flash_sales::settled_partitions(&db).await;
    // This command only read: the end of the process cleans up what a failed close leaves.
    let _ = db.close().await;
    let (began, set) = (began.ok()??, settings.flash.partitions.get());
    Some(if began == set {
        Finding::ok(format!("flash sales have {set} partitions"))
    } else {
        Finding::problem(
            format!("flash sales began with {began} partitions, and flash.partitions is {set}"),
            format!("set TANDIAN_FLASH__PARTITIONS={began}"),
        )
    })
}

async fn rabbitmq(settings: &Settings) -> Finding {
    let Some(url) = &settings.flash.rabbitmq.url else {
        return Finding::problem(
            "RabbitMQ has no address",
            "set TANDIAN_FLASH__RABBITMQ__URL",
        );
    };
    let place = place_of(url.expose());
    if url.expose().starts_with("amqps://") {
        return accepts_connections("RabbitMQ", &place, "TANDIAN_FLASH__RABBITMQ__URL").await;
    }
    match tokio::time::timeout(ANSWER_LIMIT, greet(&place)).await {
        Ok(Ok(AMQP_METHOD)) => Finding::ok(format!("RabbitMQ answers at {place}")),
        Ok(Ok(_)) => Finding::problem(
            format!("the server at {place} does not speak AMQP 0-9-1"),
            "correct TANDIAN_FLASH__RABBITMQ__URL",
        ),
        Ok(Err(_)) | Err(_) => Finding::problem(
            format!("RabbitMQ does not answer at {place}"),
            "start it, or correct TANDIAN_FLASH__RABBITMQ__URL; orders wait in Redis until then",
        ),
    }
}

/// Host and port of an AMQP URL, without its credentials.
fn place_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok())
    {
        host.to_owned()
    } else {
        let is_tls = url.starts_with("amqps://");
        let port = if is_tls { AMQPS_PORT } else { AMQP_PORT };
        format!("{host}:{port}")
    }
}

/// The first byte of the broker's reply.
async fn greet(place: &str) -> std::io::Result<u8> {
    let mut stream = TcpStream::connect(place).await?;
    stream.write_all(AMQP_GREETING).await?;
    stream.read_u8().await
}

async fn accepts_connections(name: &str, place: &str, setting: &str) -> Finding {
    let reached = tokio::time::timeout(ANSWER_LIMIT, TcpStream::connect(place)).await;
    match reached {
        Ok(Ok(_)) => Finding::ok(format!("{name} accepts connections at {place}")),
        Ok(Err(_)) | Err(_) => Finding::problem(
            format!("{name} does not answer at {place}"),
            format!("start it, or correct {setting}; orders wait in Redis until then"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        assert_eq!(place_of("amqp://me:hunter2@mq:5673/%2f"), "mq:5673");
        assert_eq!(place_of("amqp://mq"), "mq:5672");
        assert_eq!(place_of("amqps://me:hunter2@mq/v"), "mq:5671");
        assert_eq!(place_of("amqp://me:p@[::1]:5672/v?x=1"), "[::1]:5672");
    }
}
