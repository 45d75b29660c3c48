//! Checks Redis in any topology: reachable, new enough, a master, persistent.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use link::{Link, LinkError};
use private_redis::{MemoryUsage, NEAR_LIMIT, NEARLY_FULL, OLDEST_REDIS, Program, Version};

use super::{Finding, clock, replication};
use crate::data_directory_access::DataDirectoryAccess;
use crate::settings::Settings;
use crate::startup;

pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if settings.redis.url.is_none() {
        findings.push(program(&settings.redis.server));
    }
    let directory = match DataDirectoryAccess::for_command(settings).await {
        Ok(directory) => directory,
        Err(error) => {
            findings.push(Finding::problem(
                format!("{error:#}"),
                "without Redis nobody can sign in",
            ));
            return findings;
        }
    };
    match startup::connect_redis(settings, &directory.redis_url()).await {
        Ok(link) => findings.extend(servers(&link, settings.flash.replicas).await),
        Err(error) => findings.push(Finding::problem(
            format!("{error:#}"),
            "start it, or correct TANDIAN_REDIS__URL",
        )),
    }
    directory.close().await;
    findings
}

fn program(name: &str) -> Finding {
    match Program::find(name) {
        Ok(program) => Finding::ok(format!("{name} {} is installed", program.version)),
        Err(error) => Finding::problem(error.to_string(), "the private Redis needs it"),
    }
}

async fn servers(link: &Link, confirming: u32) -> Vec<Finding> {
    let info = redis::cmd("INFO");
    let masters: Vec<(String, String)> = match link.each_master(&info).await {
        Ok(masters) => masters,
        Err(error) => return vec![unanswered("INFO", &error)],
    };
    let mut findings = Vec::new();
    for (address, info) in &masters {
        findings.push(version(address, info));
        findings.push(role(address, info));
        findings.extend(memory(address, info));
    }
    findings.extend(clocks(link).await);
    findings.extend(policy(link).await);
    findings.extend(persistence(link).await);
    findings.extend(replication::examine(link, &masters, confirming).await);
    if is_cluster(&masters) {
        findings.push(cluster(link).await);
    }
    findings
}

/// The value of `name:value` in the reply to `INFO` or `CLUSTER INFO`.
pub(super) fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    let value = |line: &'a str| line.strip_prefix(name)?.strip_prefix(':');
    info.lines().find_map(value).map(str::trim)
}

fn version(address: &str, info: &str) -> Finding {
    let text = field(info, "redis_version").unwrap_or("of unknown version");
    match Version::parse(text) {
        Some(version) if version < OLDEST_REDIS => Finding::problem(
            format!("Redis {text} at {address} is too old"),
            format!("upgrade it to {OLDEST_REDIS} or newer"),
        ),
        _ => Finding::ok(format!("Redis {text} at {address}")),
    }
}

fn role(address: &str, info: &str) -> Finding {
    match field(info, "role") {
        Some("master") => Finding::ok(format!("{address} is a master")),
        other => Finding::problem(
            format!(
                "{address} is a {}",
                other.unwrap_or("server of unknown role")
            ),
            "point TANDIAN_REDIS__URL to the master, or use redis-sentinel://",
        ),
    }
}

/// A server at its limit refuses writes: nobody can sign in or claim. One without a limit is killed when the machine has no more.
fn memory(address: &str, info: &str) -> Option<Finding> {
    const MIB: u64 = 1024 * 1024;
    let usage = MemoryUsage::parse(info)?;
    let used = format!("{address} uses {} MiB", usage.used_bytes / MIB);
    let Some(ratio) = usage.ratio() else {
        let advice = "set maxmemory to what the machine can spare";
        return Some(Finding::warning(format!("{used} and has no limit"), advice));
    };
    let text = format!("{used} of {}", usage.max_bytes / MIB);
    let advice = "raise maxmemory (redis.max_memory_mib for the private one) or add memory";
    Some(if ratio >= NEARLY_FULL {
        Finding::problem(text, advice)
    } else if ratio >= NEAR_LIMIT {
        Finding::warning(text, advice)
    } else {
        Finding::ok(text)
    })
}

async fn clocks(link: &Link) -> Vec<Finding> {
    let answers: Result<Vec<(String, (i64, i64))>, _> = link.each_master(&redis::cmd("TIME")).await;
    let now = Timestamp::now();
    match answers {
        Ok(answers) => answers
            .into_iter()
            .map(|(address, (secs, micros))| clock::finding(&address, gap(now, secs, micros)))
            .collect(),
        Err(error) => vec![unanswered("TIME", &error)],
    }
}

fn gap(now: Timestamp, secs: i64, micros: i64) -> Duration {
    let theirs = SignedDuration::from_secs(secs) + SignedDuration::from_micros(micros);
    (now.as_duration() - theirs).unsigned_abs()
}

async fn policy(link: &Link) -> Vec<Finding> {
    let judge = |address: &str, policy: &str| match policy {
        "noeviction" => Finding::ok(format!("{address} evicts nothing")),
        other => Finding::problem(
            format!("{address} evicts keys when memory is short ({other})"),
            "set maxmemory-policy noeviction, or sessions and sales vanish",
        ),
    };
    config(link, "maxmemory-policy", judge).await
}

async fn persistence(link: &Link) -> Vec<Finding> {
    let kept = |address: &str, value: &str| match value {
        "yes" => Finding::ok(format!("{address} keeps an append-only file")),
        _ => Finding::problem(
            format!("{address} keeps no append-only file"),
            "set appendonly yes, or a restart loses orders in flight",
        ),
    };
    let synced = |address: &str, value: &str| match value {
        "always" => Finding::ok(format!("{address} syncs every write")),
        "everysec" => Finding::warning(
            format!("{address} syncs every second"),
            "power loss may cost the last second; appendfsync always costs speed",
        ),
        other => Finding::problem(
            format!("{address} leaves syncing to the kernel ({other})"),
            "set appendfsync everysec or always",
        ),
    };
    let mut findings = config(link, "appendonly", kept).await;
    findings.extend(config(link, "appendfsync", synced).await);
    findings
}

/// Managed services often forbid `CONFIG`: then the operator has to look.
pub(super) async fn config(
    link: &Link,
    key: &str,
    judge: impl Fn(&str, &str) -> Finding,
) -> Vec<Finding> {
    let mut get = redis::cmd("CONFIG");
    get.arg("GET").arg(key);
    let answers: Result<Vec<(String, HashMap<String, String>)>, _> = link.each_master(&get).await;
    match answers {
        Ok(answers) => answers
            .iter()
            .map(|(address, values)| judge(address, values.get(key).map_or("", String::as_str)))
            .collect(),
        Err(_) => vec![Finding::warning(
            format!("Redis does not reveal its {key}"),
            "look it up with your provider",
        )],
    }
}

fn is_cluster(masters: &[(String, String)]) -> bool {
    let enabled = |(_, info): &(String, String)| field(info, "cluster_enabled") == Some("1");
    masters.iter().any(enabled)
}

async fn cluster(link: &Link) -> Finding {
    let mut info = redis::cmd("CLUSTER");
    info.arg("INFO");
    let answers: Vec<(String, String)> = match link.each_master(&info).await {
        Ok(answers) => answers,
        Err(error) => return unanswered("CLUSTER INFO", &error),
    };
    let broken = |(_, info): &&(String, String)| field(info, "cluster_state") != Some("ok");
    match answers.iter().find(broken) {
        Some((address, _)) => Finding::problem(
            format!("{address} reports an incomplete cluster"),
            "redis-cli --cluster check shows what is missing",
        ),
        None => Finding::ok(format!(
            "the cluster is complete, {} masters",
            answers.len()
        )),
    }
}

fn unanswered(command: &str, error: &LinkError) -> Finding {
    Finding::problem(
        format!("Redis does not answer {command}"),
        error.to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let info = "# Replication\r\nrole_x:slave\r\nrole:master\r\n";
        assert_eq!(field(info, "role"), Some("master"));
        assert_eq!(field(info, "rol"), None);
    }

    #[test]
    fn memory_near_its_limit_is_reported() {
        let finding = |used: u64, max: u64| {
            let info = format!("used_memory:{used}\r\nmaxmemory:{max}\r\n");
            memory("r", &info).unwrap().to_string()
        };
        assert!(finding(50 << 20, 100 << 20).starts_with('✓'));
        assert!(finding(80 << 20, 100 << 20).starts_with("! r uses 80 MiB of 100"));
        assert!(finding(95 << 20, 100 << 20).starts_with('✗'));
        assert!(finding(95 << 20, 0).contains("no limit"));
    }

    #[test]
    fn a_clock_behind_is_as_far_off_as_one_ahead() {
        let now = Timestamp::new(100, 0).unwrap();
        assert_eq!(gap(now, 98, 500_000), Duration::from_millis(1_500));
        assert_eq!(gap(now, 101, 500_000), Duration::from_millis(1_500));
    }
}
