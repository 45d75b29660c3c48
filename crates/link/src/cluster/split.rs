//! A plain pipeline over several masters.
//!
//! The commands are grouped by master, the groups run concurrently, and the replies come back in the order of the
//! commands. A redirected command is sent again by itself: the redirect proves that it did not run.

use std::sync::Arc;

use futures_util::future::join_all;
use redis::{Cmd, Pipeline, Value};

use super::{Cluster, Redirect};
use crate::{Execution, LinkError, error::accept, node::Node};

/// The commands for one master, with their positions in the whole pipeline.
struct NodeCommands<'a> {
    node: Arc<Node>,
    commands: Vec<(usize, &'a Cmd)>,
}

pub(super) async fn send_all(
    cluster: &Cluster,
    pipeline: &Pipeline,
) -> Result<Vec<Value>, LinkError> {
    let parts = parts_of(cluster, pipeline).await?;
    let alone = parts.len() == 1;
    let outcomes = join_all(parts.iter().map(NodeCommands::send)).await;
    let mut replies = vec![Value::Nil; pipeline.len()];
    for (part, outcome) in parts.iter().zip(outcomes) {
        let outcome = outcome.inspect_err(|error| cluster.refresh_after(error));
        let outcome = outcome.map_err(|error| if alone { error } else { in_part(error) })?;
        for ((place, cmd), reply) in part.commands.iter().zip(outcome) {
            replies[*place] = followed(cluster, cmd, reply).await?;
        }
    }
    Ok(replies)
}

async fn parts_of<'a>(
    cluster: &Cluster,
    pipeline: &'a Pipeline,
) -> Result<Vec<NodeCommands<'a>>, LinkError> {
    let mut parts: Vec<NodeCommands<'a>> = Vec::new();
    for command in pipeline.cmd_iter().enumerate() {
        let node = cluster.node_for(command.1).await?;
        match parts.iter_mut().find(|part| Arc::ptr_eq(&part.node, &node)) {
            Some(part) => part.commands.push(command),
            None => parts.push(NodeCommands {
                node,
                commands: vec![command],
            }),
        }
    }
    Ok(parts)
}

impl NodeCommands<'_> {
    async fn send(&self) -> Result<Vec<Value>, LinkError> {
        let mut pipeline = Pipeline::with_capacity(self.commands.len());
        for (_, cmd) in &self.commands {
            pipeline.add_command((*cmd).clone());
        }
        self.node.send_all(&pipeline, 0, self.commands.len()).await
    }
}

/// The reply, or that of the master the command was redirected to.
async fn followed(cluster: &Cluster, cmd: &Cmd, reply: Value) -> Result<Value, LinkError> {
    if !matches!(reply, Value::ServerError(_)) {
        return Ok(reply);
    }
    let Err(refused) = accept(reply.clone()) else {
        return Ok(reply);
    };
    cluster.refresh_after(&refused);
    match Redirect::read(&refused) {
        Some(_) => cluster.send(cmd).await,
        None => Ok(reply),
    }
}

/// If one part was not sent, others may have run, so the outcome of the whole pipeline is unknown.
fn in_part(error: LinkError) -> LinkError {
    match (error.execution(), error) {
        (Execution::NotSent, LinkError::Unreachable(cause)) => LinkError::Lost(cause),
        (_, error) => error,
    }
}
