//! librdkafka's mock cluster: Kafka's protocol without a broker. It keeps to the thread that made it.

use std::sync::mpsc;
use std::thread::JoinHandle;

use flash::KafkaOptions;
use rdkafka::mocking::MockCluster;
use rdkafka::producer::DefaultProducerContext;
use rdkafka::types::{RDKafkaApiKey, RDKafkaRespErr};

use super::{PARTITIONS, kafka};

/// All brokers of a mock cluster at once.
const ALL: i32 = -1;

pub(crate) struct MockKafkaUnderTest {
    options: KafkaOptions,
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

/// A command to the cluster, and where to report that it is done.
type Order = (Act, mpsc::Sender<()>);

#[derive(Clone, Copy)]
enum Act {
    GoAway,
    ComeBack,
}

impl MockKafkaUnderTest {
    pub(crate) fn start() -> Self {
        Self::tuned(|_| {})
    }

    /// Its brokers do not know at first where a group stands, as those do that have just become its coordinator.
    pub(crate) fn start_ignorant() -> Self {
        Self::tuned(|cluster| {
            let answers = [RDKafkaRespErr::RD_KAFKA_RESP_ERR_NOT_COORDINATOR; 3];
            cluster.request_errors(RDKafkaApiKey::OffsetFetch, &answers);
        })
    }

    fn tuned(tune: fn(&MockCluster<'_, DefaultProducerContext>)) -> Self {
        let (orders, received) = mpsc::channel::<Order>();
        let (ready, options) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let cluster = MockCluster::new(1).unwrap();
            let options = kafka::options(cluster.bootstrap_servers());
            let partitions = i32::from(PARTITIONS.get());
            // The mock cannot be asked to make topics.
            for (name, partitions) in [("orders", partitions), ("orders.dead", 1)] {
                let topic = format!("{}{name}", options.prefix);
                cluster.create_topic(&topic, partitions, 1).unwrap();
            }
            tune(&cluster);
            ready.send(options).unwrap();
            for (act, done) in received {
                match act {
                    Act::GoAway => cluster.broker_down(ALL).unwrap(),
                    Act::ComeBack => cluster.broker_up(ALL).unwrap(),
                }
                done.send(()).unwrap();
            }
        });
        Self {
            options: options.recv().unwrap(),
            orders: Some(orders),
            thread: Some(thread),
        }
    }

    pub(crate) fn options(&self) -> &KafkaOptions {
        &self.options
    }

    pub(super) fn go_away(&self) {
        self.tell(Act::GoAway);
    }

    pub(super) fn come_back(&self) {
        self.tell(Act::ComeBack);
    }

    fn tell(&self, act: Act) {
        let (done, wait) = mpsc::channel();
        let orders = self.orders.as_ref().expect("it lives until it is dropped");
        orders.send((act, done)).unwrap();
        wait.recv().unwrap();
    }
}

impl Drop for MockKafkaUnderTest {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
