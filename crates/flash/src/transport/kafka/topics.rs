//! The topics: their names, and that they are there.

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use super::super::message::{ANSWER_LIMIT, TransportError};
use super::{KafkaOptions, let_go};
use crate::Partitions;

/// Copies of every message, where there are as many brokers.
const REPLICAS: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Topics {
    pub(super) orders: String,
    /// One for all partitions: it is for people to look at.
    pub(super) dead: String,
    partitions: Partitions,
}

/// The partitions of the topic of orders, if it is there, and how many brokers there are.
struct Found {
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

    /// Makes what is missing. An order would go astray in a topic with too few partitions, so that is refused.
    pub(super) async fn ensure(&self, options: &KafkaOptions) -> Result<(), TransportError> {
        let admin: Admin = options.client().create()?;
        let (admin, found) = self.look(admin).await?;
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
        let_go(admin);
        made
    }

    /// All topics are asked for: a broker may make up one that is asked for by name, with as many partitions as it likes.
    async fn look(&self, admin: Admin) -> Result<(Admin, Found), TransportError> {
        let topics = self.clone();
        let looking = tokio::task::spawn_blocking(move || {
            let metadata = admin.inner().fetch_metadata(None, ANSWER_LIMIT)?;
            let there = metadata.topics().iter();
            let there = there.filter(|topic| !topic.partitions().is_empty());
            let named = |name: &str| there.clone().find(|topic| topic.name() == name);
            let found = Found {
                partitions: named(&topics.orders).map(|topic| topic.partitions().len()),
                has_dead: named(&topics.dead).is_some(),
                brokers: metadata.brokers().len(),
            };
            Ok::<_, KafkaError>((admin, found))
        });
        Ok(looking.await.map_err(|_| TransportError::Ended)??)
    }
}

/// With three brokers or more one of them may be away without a message being refused or lost.
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
        .request_timeout(Some(ANSWER_LIMIT))
        .operation_timeout(Some(ANSWER_LIMIT));
    let created = admin.create_topics([&topic], &options).await?;
    match created.into_iter().next() {
        // Somebody else was faster.
        Some(Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists))) => Ok(()),
        Some(Err((_, code))) => Err(KafkaError::AdminOp(code).into()),
        None => Err(TransportError::Refused),
    }
}
