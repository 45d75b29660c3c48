//! Describes a session to its owner: recognisable, without identifying the user to others.

use std::net::IpAddr;

/// Checked in this order: most browsers also claim to be the ones further down.
const BROWSERS: &[(&str, &str)] = &[
    ("MicroMessenger/", "WeChat"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Android says Linux and iOS says Mac OS X, hence the order.
const SYSTEMS: &[(&str, &str)] = &[
    ("HarmonyOS", "HarmonyOS"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

/// `Chrome · Android`, or the empty text when the header says nothing we know.
pub(super) fn describe(user_agent: &str) -> String {
    let named = |table: &[(&str, &'static str)]| {
        let found = table.iter().find(|(mark, _)| user_agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    let parts: Vec<&str> = [named(BROWSERS), named(SYSTEMS)]
        .into_iter()
        .flatten()
        .collect();
    parts.join(" · ")
}

/// `203.0.113.*` or `2001:db8:*`: the network, not the host.
pub(super) fn mask_address(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.*")
        }
        IpAddr::V6(v6) => {
            let [a, b, ..] = v6.segments();
            format!("{a:x}:{b:x}:*")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_browsers_are_recognised() {
        let android = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36";
        let edge =
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0";
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";
        assert_eq!(describe(android), "Chrome · Android");
        assert_eq!(describe(edge), "Edge · Windows");
        assert_eq!(describe(iphone), "Safari · iPhone");
        assert_eq!(describe("something else"), "");
    }

    #[test]
    fn addresses_keep_only_their_network() {
        assert_eq!(mask_address("203.0.113.77".parse().unwrap()), "203.0.113.*");
        assert_eq!(
            mask_address("::ffff:203.0.113.77".parse().unwrap()),
            "203.0.113.*"
        );
        assert_eq!(mask_address("2001:db8::1".parse().unwrap()), "2001:db8:*");
    }
}
