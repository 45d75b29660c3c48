//! Counts of replies by request: an unexpected reply shows up here and is not hidden in a sum.

use std::collections::BTreeMap;

use super::NAME;
use super::script::RequestScript;
use crate::load::{Answer, TimedReply};
use crate::pairs::Summary;
use crate::report::{Breakdown, Figure, Goal};

const OK: u16 = 200;

/// How many replies were errors, which is none unless the site or the machine is overwhelmed.
pub(super) fn figure(replies: &[TimedReply]) -> Figure {
    let errors = replies.iter().filter(|it| it.answer.status != OK).count();
    let metric = "replies that are not 200";
    let count = Summary::of([errors as f64]);
    Figure::new(NAME, metric, count, Some(Goal::AtMost(0.0)))
}

pub(super) fn breakdown(script: &RequestScript, replies: &[TimedReply]) -> Breakdown {
    let mut counts: BTreeMap<(&str, u16, String), usize> = BTreeMap::new();
    for (action, it) in script.actions.iter().zip(replies) {
        let reply = (action.name(), it.answer.status, verdict(&it.answer));
        *counts.entry(reply).or_default() += 1;
    }
    let rows = counts
        .into_iter()
        .map(|((action, status, verdict), count)| {
            vec![
                action.to_owned(),
                status.to_string(),
                verdict,
                count.to_string(),
            ]
        });
    Breakdown {
        title: "What was answered",
        head: vec!["request", "status", "result", "replies"],
        rows: rows.collect(),
    }
}

fn verdict(answer: &Answer) -> String {
    if answer.is_success {
        "success".to_owned()
    } else {
        answer.code.to_string()
    }
}
