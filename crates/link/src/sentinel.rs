//! Finds the master through the sentinels.
//!
//! Sentinels may disagree during a failover, and an isolated one still names the old master. Among themselves they decide by
//! the configuration epoch, the highest one wins, and so does this module: it accepts a report with an older epoch than
//! one already seen only from a majority of the sentinels.

use std::collections::HashMap;

use futures_util::{StreamExt, stream::FuturesUnordered};
use redis::{Value, from_redis_value};

use crate::{connection::Connection, dial::Dialer, error::Cause, target::ServerAddress};

/// The sentinels of one master.
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
    address: ServerAddress,
    connection: Option<Connection>,
}

/// The master that one sentinel names.
#[derive(Debug)]
struct MasterReport {
    epoch: u64,
    master: ServerAddress,
}

impl Sentinels {
    pub(crate) fn new(dialer: Dialer, addresses: &[ServerAddress], master: &str) -> Self {
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

    /// The address of the master, once a majority of the sentinels has replied or all have replied or failed.
    pub(crate) async fn locate(&mut self) -> Result<ServerAddress, Cause> {
        let majority = self.sentinels.len() / 2 + 1;
        let (dialer, name) = (&self.dialer, &self.master);
        let requests = self
            .sentinels
            .iter_mut()
            .map(|sentinel| sentinel.send(dialer, name));
        let mut replies = requests.collect::<FuturesUnordered<_>>();
        let (mut reports, mut failure) = (Vec::new(), None);
        while reports.len() < majority
            && let Some(reply) = replies.next().await
        {
            match reply {
                Ok(report) => reports.push(report),
                Err(cause) => failure = Some(cause),
            }
        }
        drop(replies);
        let chosen = choose_master(reports, majority, self.epoch).ok_or_else(|| {
            failure.unwrap_or_else(|| Cause::new("only outdated sentinels replied"))
        })?;
        self.epoch = chosen.epoch;
        Ok(chosen.master)
    }
}

/// The report to accept, if any, by a client that has seen `epoch` before.
fn choose_master(reports: Vec<MasterReport>, majority: usize, epoch: u64) -> Option<MasterReport> {
    let agreed = reports.len() >= majority;
    let newest = reports.into_iter().max_by_key(|report| report.epoch)?;
    (agreed || newest.epoch >= epoch).then_some(newest)
}

impl Sentinel {
    async fn send(&mut self, dialer: &Dialer, name: &str) -> Result<MasterReport, Cause> {
        let mut connection = match &self.connection {
            Some(connection) => connection.clone(),
            None => dialer.open(&self.address, |_| {}).await?,
        };
        // Stored before the request: after a majority of replies, the other requests are dropped.
        self.connection = Some(connection.clone());
        let mut request = redis::cmd("SENTINEL");
        request.arg("MASTER").arg(name);
        let reply = connection.send_packed_command(&request).await;
        let reply = reply.and_then(Value::extract_error);
        let reply = reply.map_err(|error| {
            self.connection = None;
            Cause::at(&self.address, &error)
        })?;
        let fields: Option<HashMap<String, String>> = from_redis_value(reply).ok();
        let report = fields.as_ref().and_then(parse_report);
        report.ok_or_else(|| Cause::new(format_args!("{}: names no master", self.address)))
    }
}

fn parse_report(fields: &HashMap<String, String>) -> Option<MasterReport> {
    Some(MasterReport {
        epoch: fields.get("config-epoch")?.parse().ok()?,
        master: ServerAddress::Tcp {
            host: fields.get("ip")?.clone(),
            port: fields.get("port")?.parse().ok()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(epochs: &[u64], seen: u64) -> Option<u64> {
        let reports = epochs.iter().map(|epoch| MasterReport {
            epoch: *epoch,
            master: ServerAddress::Unix("/".into()),
        });
        choose_master(reports.collect(), 2, seen).map(|report| report.epoch)
    }

    #[test]
    fn the_newest_report_wins() {
        assert_eq!(chosen(&[3, 4], 3), Some(4));
        assert_eq!(chosen(&[4], 4), Some(4));
        assert_eq!(chosen(&[], 0), None);
    }

    #[test]
    fn a_single_outdated_sentinel_is_ignored_and_a_majority_is_not() {
        assert_eq!(chosen(&[3], 4), None);
        assert_eq!(chosen(&[1, 1], 4), Some(1), "they were set up anew");
    }
}
