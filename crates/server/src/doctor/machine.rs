//! Checks this program, its settings and the limits of the machine.

use std::fs;

use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::settings::{CodeSender, Exposure, ExposureVerdict, Settings, SettingsError};
use crate::startup::open_files;

const OVERCOMMIT: &str = "/proc/sys/vm/overcommit_memory";

pub(super) fn version() -> Finding {
    Finding::ok(concat!("tandian ", env!("CARGO_PKG_VERSION")))
}

pub(super) fn refused_settings(error: &SettingsError) -> Vec<Finding> {
    let advice = "`crates/server/default.toml` documents every setting";
    match error {
        SettingsError::Invalid(problems) => problems
            .lines()
            .map(|line| Finding::problem(format!("setting {line}"), advice))
            .collect(),
        other => vec![Finding::problem(other.to_string(), advice)],
    }
}

/// Names the rules that were applied; loading has already refused what production forbids.
pub(super) fn settings(settings: &Settings) -> Finding {
    let zone = &settings.site.time_zone;
    if settings.is_production() {
        let url = settings.public_url();
        return Finding::ok(format!("settings for production, {url}, {zone}"));
    }
    let text = format!("settings for development, {zone}");
    match settings.code.sender {
        CodeSender::Demo => Finding::ok(format!("{text}; sign-in codes are shown to everybody")),
        CodeSender::Smtp | CodeSender::Webhook | CodeSender::ByContact => Finding::ok(text),
    }
}

/// Exposures that the operator accepted stay visible; refused ones fail earlier, while loading.
pub(super) fn exposures(exposures: Vec<Exposure>) -> Vec<Finding> {
    let finding = |exposure: Exposure| {
        let text = format!("{}: {}", exposure.key, exposure.what);
        match exposure.verdict {
            ExposureVerdict::Refused => Finding::problem(text, exposure.remedy),
            ExposureVerdict::Unwise => Finding::warning(text, exposure.remedy),
            ExposureVerdict::Accepted(setting) => {
                Finding::warning(text, format!("accepted by {setting} = true"))
            }
        }
    };
    exposures.into_iter().map(finding).collect()
}

pub(super) fn limits(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![descriptors(settings)];
    if settings.redis.url.is_none() {
        findings.extend(overcommit());
    }
    findings
}

/// `serve` raises its own limit as far as it may, so the hard one counts.
fn descriptors(settings: &Settings) -> Finding {
    let needed = open_files::needed_for(settings.http.max_connections);
    match getrlimit(Resource::Nofile).maximum {
        Some(limit) if limit < needed => Finding::warning(
            format!("at most {limit} file descriptors, fewer than {needed}"),
            "raise `ulimit -Hn` (LimitNOFILE in systemd) or lower http.max_connections",
        ),
        Some(limit) => Finding::ok(format!("up to {limit} file descriptors")),
        None => Finding::ok("unlimited file descriptors"),
    }
}

/// Redis forks to rewrite its file; without overcommit that fails on a machine whose memory is half used.
fn overcommit() -> Option<Finding> {
    let value = fs::read_to_string(OVERCOMMIT).ok()?;
    let text = "the private Redis may fail to rewrite its file when memory is short";
    (value.trim() != "1").then(|| Finding::warning(text, "sysctl vm.overcommit_memory=1"))
}
