//! Claims that are granted.
//!
//! The headline is the crowd that really comes: one process that does everything, by default settings, and people who
//! opened the page ten minutes ago and click once. It is compared with a textbook server, by our own client and by `wrk`.
//! The form of earlier reports, a process that only answers people whose sessions it has just read, stays beside it.

mod cold;
mod only_answering;
mod outside;
mod series;

use anyhow::Result;

use crate::report::Findings;
use crate::sql::DatabaseKind;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Everybody's one claim of a sale. First one process does everything (it drains to SQL meanwhile) by default settings, Redis by a \
     unix socket, and every buyer's last request is ten minutes old (cold) or has just been sent (warm), or the process has no \
     memory for sessions and reads each from Redis (unread); from 16 to 1,024 connections, appendfsync everysec and always in turn, against a textbook axum server with one EVALSHA per request, no \
     sessions and no SQL, and against /healthz. Only the bounds of the limits on claims are out of reach, because one address \
     sends all of them. Then wrk and our own client send the same claims in turn, and an open loop sends 50 % and 80 % of \
     the capacity. \"Only answering, warm\" is the form of earlier reports: 256 connections, a process that does not drain, \
     sessions in memory, against redis-benchmark (50 clients, no pipelining) with a plain script for one person. After every \
     window each order that was handed out is looked for in SQL.",
);
const NAME: &str = "claim";

pub(crate) async fn run() -> Result<Findings> {
    let mut findings = cold::compare(DatabaseKind::Sqlite).await?;
    findings.add(cold::compare(DatabaseKind::MariaDb).await?);
    findings.figures.extend(only_answering::compare().await?);
    Ok(findings)
}
