//! Checks what a failover of Redis would lose: compares connected replicas with those that confirm claims, and finds
//! masters that accept writes without a replica.

use link::Link;

use super::Finding;
use super::redis::{config, field};

/// Each master by address, with its `INFO`; `confirming` is `flash.replicas`.
pub(super) async fn examine(
    link: &Link,
    masters: &[(String, String)],
    confirming: u32,
) -> Vec<Finding> {
    let connected = |info: &str| -> u32 {
        let count = field(info, "connected_slaves");
        count.and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    let mut findings: Vec<Finding> = masters
        .iter()
        .filter_map(|(address, info)| confirmed(address, connected(info), confirming))
        .collect();
    let has_replicas = masters.iter().any(|(_, info)| connected(info) > 0);
    if has_replicas || confirming > 0 {
        let of = |address: &str| {
            let info = masters.iter().find(|(known, _)| known == address);
            info.map_or(0, |(_, info)| connected(info))
        };
        let judge = |address: &str, value: &str| cut_off(address, of(address), value);
        findings.extend(config(link, "min-replicas-to-write", judge).await);
    }
    findings
}

/// `None` for a master without replicas if none is expected.
fn confirmed(address: &str, connected: u32, confirming: u32) -> Option<Finding> {
    let finding = match (connected, confirming) {
        (0, 0) => return None,
        (connected, confirming) if connected < confirming => Finding::problem(
            format!("{address} has {connected} replicas, and flash.replicas is {confirming}"),
            "connect more replicas, or lower TANDIAN_FLASH__REPLICAS: claims are answered 503 until then",
        ),
        (connected, 0) => Finding::warning(
            format!("no replica of {address} confirms claims"),
            format!(
                "a failover may lose the claims answered last; TANDIAN_FLASH__REPLICAS={connected} closes that"
            ),
        ),
        (connected, confirming) if confirming < connected => Finding::warning(
            format!("{confirming} of {connected} replicas of {address} confirm claims"),
            format!(
                "a failover to another one may lose the claims answered last; \
                 TANDIAN_FLASH__REPLICAS={connected} closes that"
            ),
        ),
        (connected, _) => Finding::ok(format!(
            "all {connected} replicas of {address} confirm claims"
        )),
    };
    Some(finding)
}

/// Whether a master that lost its replicas still accepts writes, which a failover would lose.
fn cut_off(address: &str, connected: u32, minimum: &str) -> Finding {
    match minimum.parse::<u32>() {
        Ok(0) => Finding::warning(
            format!("{address} writes without any replica"),
            "set min-replicas-to-write 1, so that a master that is cut off stops selling",
        ),
        Ok(minimum) if minimum > connected => Finding::problem(
            format!("{address} has {connected} replicas and writes only with {minimum}"),
            "connect more replicas, or lower min-replicas-to-write",
        ),
        Ok(minimum) => Finding::ok(format!("{address} writes only with {minimum} replicas")),
        Err(_) => Finding::warning(
            format!("{address} does not reveal its min-replicas-to-write"),
            "look it up with your provider",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirming_replicas_are_compared_with_connected_ones() {
        let text =
            |connected, confirming| confirmed("r", connected, confirming).map(|it| it.to_string());
        let contains = |connected, confirming, what: &str| {
            let text = text(connected, confirming).unwrap();
            assert!(text.contains(what), "{text}");
        };
        assert!(text(0, 0).is_none());
        contains(1, 2, "r has 1 replicas, and flash.replicas is 2");
        contains(2, 0, "TANDIAN_FLASH__REPLICAS=2");
        contains(2, 1, "1 of 2 replicas");
        contains(2, 2, "all 2 replicas");
    }

    #[test]
    fn a_master_that_writes_without_replicas_is_reported() {
        assert!(
            cut_off("r", 1, "0")
                .to_string()
                .contains("min-replicas-to-write 1")
        );
        assert!(
            cut_off("r", 1, "2")
                .to_string()
                .contains("writes only with 2")
        );
    }
}
