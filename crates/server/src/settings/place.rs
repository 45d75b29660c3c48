//! Where a URL leads, as far as rules about networks need it: its hosts, and whether they are this machine.
//!
//! What cannot be read counts as somewhere else: a rule that protects must not be passed by a spelling.

use std::net::IpAddr;

/// The hosts of a URL without ports and brackets; several for a cluster, none for a unix socket.
pub(super) fn hosts(url: &str) -> Vec<&str> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    if scheme == "unix" || scheme == "redis+unix" {
        return Vec::new();
    }
    let places = authority(rest).rsplit('@').next().unwrap_or_default();
    places.split(',').map(host_of).collect()
}

/// The host of `host:port`.
pub(super) fn host_of(place: &str) -> &str {
    if let Some(rest) = place.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    place.rsplit_once(':').map_or(place, |(host, _)| host)
}

pub(super) fn is_this_machine(host: &str) -> bool {
    host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Whether everything between us and the end of the URL stays on this machine.
pub(super) fn stays_here(url: &str) -> bool {
    hosts(url).into_iter().all(is_this_machine)
}

pub(super) fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let login = authority(rest).rsplit_once('@').map(|(login, _)| login);
    let password = login.and_then(|login| login.split_once(':'));
    password.is_some_and(|(_, password)| !password.is_empty())
}

/// The value of `name=…` after the question mark.
pub(super) fn parameter<'a>(url: &'a str, name: &str) -> Option<&'a str> {
    let (_, query) = url.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_in_every_form_of_url() {
        assert_eq!(hosts("redis://h:6379/0"), ["h"]);
        assert_eq!(hosts("redis-cluster://u:p@a:1,b:2"), ["a", "b"]);
        assert_eq!(hosts("mysql://root:p%40w@[fd00::1]:3306/t"), ["fd00::1"]);
        assert_eq!(hosts("redis-sentinel://a,b:26379/mymaster"), ["a", "b"]);
        assert!(hosts("unix:///run/redis.sock").is_empty());
    }

    #[test]
    fn only_loopback_is_this_machine() {
        for url in [
            "redis://localhost",
            "mysql://root@127.0.0.1:3306/t",
            "amqp://u:p@[::1]:5672/%2f",
            "redis-cluster://127.0.0.1:1,127.0.0.2:2",
            "redis://[::ffff:127.0.0.1]:6379",
            "unix:///run/redis.sock",
        ] {
            assert!(stays_here(url), "{url}");
        }
        for url in [
            "redis://db",
            "redis://10.0.0.1",
            "redis-cluster://127.0.0.1:1,10.0.0.1:2",
            "redis://localhost.example.com",
            "redis://u:p@db/@localhost",
            "redis://",
            "mysql://root@0.0.0.0/t",
        ] {
            assert!(!stays_here(url), "{url}");
        }
    }

    #[test]
    fn a_password_is_distinguished_from_a_name() {
        assert!(has_password("redis://:pw@h"));
        assert!(has_password("rediss://u:pw@h:1/0"));
        assert!(!has_password("redis://h:6379"));
        assert!(!has_password("redis://u@h"));
        assert!(!has_password("redis://u:@h"));
    }

    #[test]
    fn parameters_are_found_by_their_whole_name() {
        let url = "mysql://h/t?ssl-mode=REQUIRED&ssl-ca=/ca.pem";
        assert_eq!(parameter(url, "ssl-ca"), Some("/ca.pem"));
        assert_eq!(parameter(url, "ssl"), None);
    }
}
