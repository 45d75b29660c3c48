//! Version 20. A broker: the gate decides, then the process sends the order to RabbitMQ, and a consumer records it.
//!
//! Three gaps. Between the gate and the broker: a process that dies there leaves a unit that nobody can buy, and a buyer
//! who is refused as having bought already. The consumer takes a unit before it checks for the order: a redelivered
//! message takes two units, and the last buyer's order finds no stock. And a failed message is logged and acknowledged: a
//! lost reply of SQL is a lost order.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, ensure};
use futures_util::StreamExt as _;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions,
    QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};

use super::gate::{DECIDE, Gate};
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

/// AMQP's delivery mode of a message that survives the broker.
const PERSISTENT: u8 = 2;

pub(crate) struct RabbitMq {
    gate: Gate,
    tables: SaleTables,
    _connection: Connection,
    sending: Channel,
    receiving: Channel,
    queue: String,
    in_hand: AtomicU64,
}

impl Version for RabbitMq {
    async fn open(places: &Endpoints) -> Result<Self> {
        let properties = ConnectionProperties::default();
        let connection = Connection::connect(&places.rabbitmq, properties).await?;
        let sending = connection.create_channel().await?;
        sending
            .confirm_select(ConfirmSelectOptions::default())
            .await?;
        let queue = places.key("orders");
        sending
            .queue_declare(queue.as_str().into(), durable(), FieldTable::default())
            .await?;
        Ok(Self {
            gate: Gate::open(places, &DECIDE).await?,
            tables: SaleTables::open(&places.sql).await?,
            receiving: connection.create_channel().await?,
            _connection: connection,
            sending,
            queue,
            in_hand: AtomicU64::new(0),
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        let order = Order::of(request);
        let answer = self.gate.decide(order).await?;
        if let PurchaseReply::Ordered(_) = answer {
            steps.step("granted, not sent").await;
            self.send(order).await?;
        }
        Ok(answer)
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        let (queue, tag) = (self.queue.as_str().into(), "".into());
        let options = BasicConsumeOptions::default();
        let consuming = self
            .receiving
            .basic_consume(queue, tag, options, FieldTable::default());
        let mut consumer = consuming.await?;
        while let Some(delivery) = consumer.next().await {
            let delivery = delivery?;
            self.in_hand.store(1, Ordering::SeqCst);
            steps.saw("message", String::from_utf8_lossy(&delivery.data));
            steps.step("order is delivered").await;
            // As in the original: a failure is logged, and the message is acknowledged.
            if let Err(error) = self.handle(serde_json::from_slice(&delivery.data)?).await {
                eprintln!("listener: {error:#}");
            }
            steps.step("order is recorded").await;
            delivery.ack(BasicAckOptions::default()).await?;
            self.in_hand.store(0, Ordering::SeqCst);
        }
        Ok(())
    }

    async fn pending(&self) -> Result<u64> {
        let options = QueueDeclareOptions {
            passive: true,
            ..durable()
        };
        let queue = self.queue.as_str().into();
        let found = self
            .sending
            .queue_declare(queue, options, FieldTable::default());
        let waiting = u64::from(found.await?.message_count());
        Ok(waiting + self.in_hand.load(Ordering::SeqCst))
    }
}

impl RabbitMq {
    async fn send(&self, order: Order) -> Result<()> {
        let message = serde_json::to_vec(&order)?;
        let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
        let options = BasicPublishOptions::default();
        let queue = self.queue.as_str().into();
        let published = self
            .sending
            .basic_publish("".into(), queue, options, &message, properties);
        ensure!(published.await?.await?.is_ack(), "the broker refused it");
        Ok(())
    }

    async fn handle(&self, order: Order) -> Result<()> {
        let taken = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ? AND stock > 0")
            .bind(order.sale)
            .execute(&self.tables.pool)
            .await?;
        if taken.rows_affected() == 0 {
            return Ok(());
        }
        let mut connection = self.tables.pool.acquire().await?;
        let inserted = crate::sale_tables::insert(&mut connection, order).await;
        inserted.with_context(|| format!("order {}", order.id))
    }
}

fn durable() -> QueueDeclareOptions {
    QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    }
}
