//! A plain pipeline over several masters.
//!
//! The commands are grouped by master, the groups travel side by side, and the answers come back in the order of the
//! commands. A command that was redirected is asked again by itself: its answer proves that it did not run.

use std::sync::Arc;

use futures_util::future::join_all;
use redis::{Cmd, Pipeline, Value};

use super::{Cluster, Redirect};
use crate::{Fate, LinkError, error::accept, node::Node};

/// The commands for one master, with their places in the whole pipeline.
struct Part<'a> {
    node: Arc<Node>,
    commands: Vec<(usize, &'a Cmd)>,
}

pub(super) async fn ask_all(
    cluster: &Cluster,
    pipeline: &Pipeline,
) -> Result<Vec<Value>, LinkError> {
    let parts = parts_of(cluster, pipeline).await?;
    let alone = parts.len() == 1;
    let outcomes = join_all(parts.iter().map(Part::ask)).await;
    let mut answers = vec![Value::Nil; pipeline.len()];
    for (part, outcome) in parts.iter().zip(outcomes) {
        let outcome = outcome.inspect_err(|error| cluster.learn_from(error));
        let outcome = outcome.map_err(|error| if alone { error } else { in_part(error) })?;
        for ((place, cmd), answer) in part.commands.iter().zip(outcome) {
            answers[*place] = followed(cluster, cmd, answer).await?;
        }
    }
    Ok(answers)
}

async fn parts_of<'a>(
    cluster: &Cluster,
    pipeline: &'a Pipeline,
) -> Result<Vec<Part<'a>>, LinkError> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    for command in pipeline.cmd_iter().enumerate() {
        let node = cluster.node_for(command.1).await?;
        match parts.iter_mut().find(|part| Arc::ptr_eq(&part.node, &node)) {
            Some(part) => part.commands.push(command),
            None => parts.push(Part {
                node,
                commands: vec![command],
            }),
        }
    }
    Ok(parts)
}

impl Part<'_> {
    async fn ask(&self) -> Result<Vec<Value>, LinkError> {
        let mut pipeline = Pipeline::with_capacity(self.commands.len());
        for (_, cmd) in &self.commands {
            pipeline.add_command((*cmd).clone());
        }
        self.node.ask_all(&pipeline, 0, self.commands.len()).await
    }
}

/// The answer, or that of the master the command was redirected to.
async fn followed(cluster: &Cluster, cmd: &Cmd, answer: Value) -> Result<Value, LinkError> {
    if !matches!(answer, Value::ServerError(_)) {
        return Ok(answer);
    }
    let Err(refused) = accept(answer.clone()) else {
        return Ok(answer);
    };
    cluster.learn_from(&refused);
    match Redirect::read(&refused) {
        Some(_) => cluster.ask(cmd).await,
        None => Ok(answer),
    }
}

/// One part that was not sent says nothing about the others, so the pipeline as a whole may have had an effect.
fn in_part(error: LinkError) -> LinkError {
    match (error.fate(), error) {
        (Fate::NotSent, LinkError::Unreachable(cause)) => LinkError::Lost(cause),
        (_, error) => error,
    }
}
