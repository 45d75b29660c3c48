//! Brokers behind TLS with an authority of their own, and logins: an order gets through, an unknown certificate and a wrong
//! password do not.
//!
//! What needs OpenSSL is in builds with the feature `kafka-tls` (`scripts/test-kafka-tls`).

use std::num::NonZeroU16;
use std::time::Duration;

use flash::{FlashOptions, RabbitMqOptions, Transport};
use testkit::{RabbitMq, unique_prefix};

use crate::site::{PATIENCE, Site};

/// Long enough for several attempts of a relay that is refused.
const REFUSED_FOR: Duration = Duration::from_secs(3);

fn prefix() -> String {
    unique_prefix().replace(':', ".")
}

/// Whether everything that is granted reaches the ledger within the limit.
async fn gets_through(transport: Transport, limit: Duration) -> bool {
    let site = Site::new().await;
    let tune = |options: &mut FlashOptions| {
        options.partitions = NonZeroU16::MIN;
        options.transport = transport;
    };
    let mut engine = site.idle_engine(tune).await;
    engine.drain();
    engine.wait_until_drained(limit).await.is_ok()
}

fn rabbitmq(url: String, authority: Option<&str>) -> Transport {
    Transport::RabbitMq(RabbitMqOptions {
        url: url.into(),
        authority: authority.map(str::to_owned),
        prefix: prefix(),
    })
}

#[tokio::test]
async fn rabbitmq_is_reached_over_tls_of_the_authority_that_was_named() {
    let broker = RabbitMq::start_with_tls().await;
    let ours = Some(broker.tls_authority());
    assert!(gets_through(rabbitmq(broker.tls_url(), ours), PATIENCE).await);
    let unknown = rabbitmq(broker.tls_url(), None);
    assert!(
        !gets_through(unknown, REFUSED_FOR).await,
        "an unknown certificate is refused"
    );
    let wrong = broker.tls_url().replace("guest:guest", "guest:wrong");
    assert!(!gets_through(rabbitmq(wrong, ours), REFUSED_FOR).await);
}

#[cfg(kafka_broker)]
mod kafka {
    use flash::KafkaOptions;
    use testkit::Kafka;
    use tokio::sync::OnceCell;

    use super::*;

    async fn broker() -> &'static Kafka {
        static BROKER: OnceCell<Kafka> = OnceCell::const_new();
        BROKER.get_or_init(Kafka::start_secured).await
    }

    fn transport(brokers: String, settings: &[(&str, &str)]) -> Transport {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).into());
        Transport::Kafka(KafkaOptions {
            brokers,
            prefix: prefix(),
            settings: settings.iter().map(owned).collect(),
        })
    }

    fn login<'a>(mechanism: &'a str, password: &'a str) -> [(&'a str, &'a str); 3] {
        [
            ("sasl.mechanisms", mechanism),
            ("sasl.username", Kafka::USER),
            ("sasl.password", password),
        ]
    }

    #[tokio::test]
    async fn a_login_by_plain_works_in_every_build() {
        let broker = broker().await;
        let settings = |password: &'static str| {
            let login = login("PLAIN", password);
            let all = [[("security.protocol", "sasl_plaintext")].as_slice(), &login].concat();
            transport(broker.plain_login_addr(), &all)
        };
        assert!(gets_through(settings(Kafka::PASSWORD), PATIENCE).await);
        assert!(!gets_through(settings("wrong"), REFUSED_FOR).await);
    }

    #[cfg(feature = "kafka-tls")]
    #[tokio::test]
    async fn kafka_is_reached_over_tls_of_the_authority_that_was_named() {
        let broker = broker().await;
        let tls = ("security.protocol", "ssl");
        let ours = transport(
            broker.tls_addr(),
            &[tls, ("ssl.ca.pem", broker.tls_authority())],
        );
        assert!(gets_through(ours, PATIENCE).await);
        let unknown = transport(broker.tls_addr(), &[tls]);
        assert!(
            !gets_through(unknown, REFUSED_FOR).await,
            "an unknown certificate is refused"
        );
    }

    #[cfg(feature = "kafka-tls")]
    #[tokio::test]
    async fn every_login_works_over_tls_and_a_wrong_password_does_not() {
        let broker = broker().await;
        let secured = |mechanism: &'static str, password: &'static str| {
            let tls = [
                ("security.protocol", "sasl_ssl"),
                ("ssl.ca.pem", broker.tls_authority()),
            ];
            let all = [tls.as_slice(), &login(mechanism, password)].concat();
            transport(broker.login_addr(), &all)
        };
        for mechanism in ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] {
            let right = secured(mechanism, Kafka::PASSWORD);
            assert!(gets_through(right, PATIENCE).await, "{mechanism}");
        }
        let wrong = secured("SCRAM-SHA-512", "wrong");
        assert!(!gets_through(wrong, REFUSED_FOR).await);
    }
}
