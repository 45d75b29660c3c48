//! The topics: their names, and their creation.

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use super::super::message::{BROKER_TIMEOUT, TransportError};
use super::{KafkaOptions, drop_on_thread};
use crate::Partitions;

/// Copies of every message, where there are as many brokers.
const REPLICAS: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Topics {
    pub(super) orders: String,
    /// Dead letters of all partitions, for people to inspect.
    pub(super) dead: String,
    partitions: Partitions,
}

/// Partitions of the order topic, if it exists, and the number of brokers.
struct TopicMetadata {
    partitions: Option<usize>,
    has_dead: bool,
    brokers: usize,
}

type Admin = AdminClient<DefaultClientContext>;

impl Topics {
    pub(super) fn new(prefix: &str, partitions: Partitions) -> Self {
        Self {
            orders: format!("{prefix}orders"),
            dead: format!("{prefix}orders.dead"),
            partitions,
        }
    }

    /// Creates missing topics. Refuses a topic with too few partitions: it could not carry every order.
    pub(super) async fn ensure(&self, options: &KafkaOptions) -> Result<(), TransportError> {
        let admin: Admin = options.client().create()?;
        let (admin, found) = self.fetch_metadata(admin).await?;
        let wanted = usize::from(self.partitions.count());
        let made = match found.partitions {
            Some(partitions) if partitions < wanted => Err(TransportError::Partitions {
                topic: self.orders.clone(),
                found: partitions,
                wanted: self.partitions.count(),
            }),
            Some(_) => Ok(()),
            None => create(&admin, &self.orders, wanted, found.brokers).await,
        };
        let made = match made {
            Ok(()) if !found.has_dead => create(&admin, &self.dead, 1, found.brokers).await,
            made => made,
        };
        drop_on_thread(admin);
        made
    }

    /// Requests all topics: a broker may create one that is requested by name, with its default number of partitions.
    async fn fetch_metadata(&self, admin: Admin) -> Result<(Admin, TopicMetadata), TransportError> {
        let topics = self.clone();
        let fetched = tokio::task::spawn_blocking(move || {
            let metadata = admin.inner().fetch_metadata(None, BROKER_TIMEOUT)?;
            let topics_found = metadata.topics().iter();
            let topics_found = topics_found.filter(|topic| !topic.partitions().is_empty());
            let named = |name: &str| topics_found.clone().find(|topic| topic.name() == name);
            let found = TopicMetadata {
                partitions: named(&topics.orders).map(|topic| topic.partitions().len()),
                has_dead: named(&topics.dead).is_some(),
                brokers: metadata.brokers().len(),
            };
            Ok::<_, KafkaError>((admin, found))
        });
        Ok(fetched.await.map_err(|_| TransportError::Ended)??)
    }
}

/// With three brokers or more, one of them may fail without a message being refused or lost.
async fn create(
    admin: &Admin,
    name: &str,
    partitions: usize,
    brokers: usize,
) -> Result<(), TransportError> {
    let replicas = brokers.clamp(1, REPLICAS);
    let in_sync = replicas.div_ceil(2).to_string();
    let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let replication = TopicReplication::Fixed(count(replicas));
    let topic =
        NewTopic::new(name, count(partitions), replication).set("min.insync.replicas", &in_sync);
    let options = AdminOptions::new()
        .request_timeout(Some(BROKER_TIMEOUT))
        .operation_timeout(Some(BROKER_TIMEOUT));
    let created = admin.create_topics([&topic], &options).await?;
    match created.into_iter().next() {
        // Another process was faster.
        Some(Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists))) => Ok(()),
        Some(Err((_, code))) => Err(KafkaError::AdminOp(code).into()),
        None => Err(TransportError::Refused),
    }
}
