//! The servers behind a link, whatever their shape.

use std::sync::{Arc, atomic::AtomicU64};
use std::time::Duration;

use futures_util::future::try_join_all;
use redis::{Cmd, Pipeline, Value};

use crate::{
    LinkError, Options, Target,
    cluster::{Cluster, Nodes},
    dial::Dialer,
    heartbeat::HeartbeatChannel,
    node::{Node, ServerSource},
    sentinel::Sentinels,
    target::{ServerAddress, Shape},
};

/// One master, found at an address or by sentinels, or many.
#[derive(Debug)]
pub(crate) enum Servers {
    One(Arc<Node>),
    Cluster(Box<Cluster>),
}

impl Servers {
    pub(crate) fn spawn(
        target: &Target,
        dialer: Dialer,
        options: &Options,
        meter: Arc<AtomicU64>,
    ) -> Self {
        let source = match &target.shape {
            Shape::Single(address) => ServerSource::Fixed(address.clone()),
            Shape::Sentinel { sentinels, master } => {
                let dialer = Dialer::to_sentinels(target, options);
                ServerSource::Sentinels(Box::new(Sentinels::new(dialer, sentinels, master)))
            }
            Shape::Cluster { seeds } => {
                let nodes = Nodes::new(dialer, options.clone(), meter);
                let cluster = Cluster::spawn(nodes, seeds.clone(), options.response_timeout);
                return Self::Cluster(Box::new(cluster));
            }
        };
        let channel = HeartbeatChannel::random();
        Self::One(Arc::new(Node::spawn(
            dialer, source, options, channel, meter,
        )))
    }

    /// Returns once commands can be sent, or with the reason why not.
    pub(crate) async fn reached(&self, limit: Duration) -> Result<(), LinkError> {
        for node in self.masters().await? {
            node.live_within(limit).await?;
        }
        Ok(())
    }

    pub(crate) async fn send(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        match self {
            Self::One(node) => node.send(cmd).await,
            Self::Cluster(cluster) => cluster.send(cmd).await,
        }
    }

    pub(crate) async fn send_to_master_of(&self, key: &str, cmd: &Cmd) -> Result<Value, LinkError> {
        match self {
            Self::One(node) => node.send(cmd).await,
            Self::Cluster(cluster) => cluster.send_to_master_of(key, cmd).await,
        }
    }

    pub(crate) async fn send_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        match self {
            Self::One(node) => node.send_all(pipeline, offset, count).await,
            Self::Cluster(cluster) => cluster.send_all(pipeline, offset, count).await,
        }
    }

    pub(crate) async fn send_to_masters(
        &self,
        cmd: &Cmd,
    ) -> Result<Vec<(ServerAddress, Value)>, LinkError> {
        let masters = self.masters().await?;
        let asked = masters.iter().map(async |node| {
            let address = node.live().await?.address.clone();
            Ok((address, node.send(cmd).await?))
        });
        let mut replies = try_join_all(asked).await?;
        replies.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(replies)
    }

    pub(crate) async fn masters(&self) -> Result<Vec<Arc<Node>>, LinkError> {
        match self {
            Self::One(node) => Ok(vec![node.clone()]),
            Self::Cluster(cluster) => Ok(cluster.map().await?.masters.values().cloned().collect()),
        }
    }

    /// The master that a command belongs to.
    pub(crate) async fn node_for(&self, cmd: &Cmd) -> Result<Arc<Node>, LinkError> {
        match self {
            Self::One(node) => Ok(node.clone()),
            Self::Cluster(cluster) => cluster.node_for(cmd).await,
        }
    }

    pub(crate) fn refresh_after(&self, error: &LinkError) {
        if let Self::Cluster(cluster) = self {
            cluster.refresh_after(error);
        }
    }
}
