//! Asking the sentinels which server is the master.
//!
//! Sentinels may disagree while a failover is under way, and one that is cut off goes on naming the old master. Among
//! themselves they settle that by the configuration epoch, the highest one wins, and so it is here: an answer with an
//! older epoch than one already seen is believed only when most of the sentinels give it.

use std::collections::HashMap;

use futures_util::{StreamExt, stream::FuturesUnordered};
use redis::{Value, aio::MultiplexedConnection, from_redis_value};

use crate::{dial::Dialer, error::Cause, target::Address};

/// The sentinels of one master, and what they last said.
#[derive(Debug)]
pub(crate) struct Sentinels {
    dialer: Dialer,
    master: String,
    sentinels: Vec<Sentinel>,
    /// The highest epoch seen so far.
    epoch: u64,
}

#[derive(Debug)]
struct Sentinel {
    address: Address,
    connection: Option<MultiplexedConnection>,
}

/// What one sentinel says.
#[derive(Debug)]
struct Claim {
    epoch: u64,
    master: Address,
}

impl Sentinels {
    pub(crate) fn new(dialer: Dialer, addresses: &[Address], master: &str) -> Self {
        let sentinels = addresses.iter().map(|address| Sentinel {
            address: address.clone(),
            connection: None,
        });
        Self {
            dialer,
            master: master.to_owned(),
            sentinels: sentinels.collect(),
            epoch: 0,
        }
    }

    /// The address of the master, once most sentinels have answered or all have had their chance.
    pub(crate) async fn locate(&mut self) -> Result<Address, Cause> {
        let majority = self.sentinels.len() / 2 + 1;
        let (dialer, name) = (&self.dialer, &self.master);
        let asked = self
            .sentinels
            .iter_mut()
            .map(|sentinel| sentinel.ask(dialer, name));
        let mut answers = asked.collect::<FuturesUnordered<_>>();
        let (mut claims, mut trouble) = (Vec::new(), None);
        while claims.len() < majority
            && let Some(answer) = answers.next().await
        {
            match answer {
                Ok(claim) => claims.push(claim),
                Err(cause) => trouble = Some(cause),
            }
        }
        drop(answers);
        let settled = settle(claims, majority, self.epoch).ok_or_else(|| {
            trouble.unwrap_or_else(|| Cause::new("only outdated sentinels answer"))
        })?;
        self.epoch = settled.epoch;
        Ok(settled.master)
    }
}

/// The claim to believe, if any, by someone who has seen `epoch` before.
fn settle(claims: Vec<Claim>, majority: usize, epoch: u64) -> Option<Claim> {
    let agreed = claims.len() >= majority;
    let newest = claims.into_iter().max_by_key(|claim| claim.epoch)?;
    (agreed || newest.epoch >= epoch).then_some(newest)
}

impl Sentinel {
    async fn ask(&mut self, dialer: &Dialer, name: &str) -> Result<Claim, Cause> {
        let mut connection = match &self.connection {
            Some(connection) => connection.clone(),
            None => dialer.open(&self.address, |_| {}).await?,
        };
        // Stored before the question: once most have answered, the others are not waited for.
        self.connection = Some(connection.clone());
        let mut question = redis::cmd("SENTINEL");
        question.arg("MASTER").arg(name);
        let answer = connection.send_packed_command(&question).await;
        let answer = answer.and_then(Value::extract_error);
        let answer = answer.map_err(|error| {
            self.connection = None;
            Cause::at(&self.address, &error)
        })?;
        let fields: Option<HashMap<String, String>> = from_redis_value(answer).ok();
        let claim = fields.as_ref().and_then(claim_of);
        claim.ok_or_else(|| Cause::new(format_args!("{}: names no master", self.address)))
    }
}

fn claim_of(fields: &HashMap<String, String>) -> Option<Claim> {
    Some(Claim {
        epoch: fields.get("config-epoch")?.parse().ok()?,
        master: Address::Tcp {
            host: fields.get("ip")?.clone(),
            port: fields.get("port")?.parse().ok()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(epochs: &[u64], seen: u64) -> Option<u64> {
        let claims = epochs.iter().map(|epoch| Claim {
            epoch: *epoch,
            master: Address::Unix("/".into()),
        });
        settle(claims.collect(), 2, seen).map(|claim| claim.epoch)
    }

    #[test]
    fn the_newest_claim_wins() {
        assert_eq!(settled(&[3, 4], 3), Some(4));
        assert_eq!(settled(&[4], 4), Some(4));
        assert_eq!(settled(&[], 0), None);
    }

    #[test]
    fn a_lone_outdated_sentinel_is_not_believed_and_most_of_them_are() {
        assert_eq!(settled(&[3], 4), None);
        assert_eq!(settled(&[1, 1], 4), Some(1), "they were set up anew");
    }
}
