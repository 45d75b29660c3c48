//! URLs that carry a password. Other secrets are a [`SecretString`], which prints nothing of its content.
//!
//! A URL is worth printing, without its password: `Debug` and `Display` redact, only `expose` returns all of it.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

/// What people see in place of a secret.
pub(crate) const REDACTED: &str = "***";

/// A URL that may carry a password; prints with the password and every query value as `***`.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct SecretUrl(SecretString);

impl SecretUrl {
    pub fn new(url: impl Into<SecretString>) -> Self {
        Self(url.into())
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Display for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redact_url(self.expose()))
    }
}

impl fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The last `@` ends the credentials, wherever it stands: a password with an unescaped `/`, `?` or `@` is then still hidden whole,
/// at the price of hiding too much of a URL that has an `@` in its path.
fn redact_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return REDACTED.to_owned();
    };
    let (credentials, place) = match rest.rsplit_once('@') {
        Some((credentials, place)) => (redact_password(credentials), place),
        None => (String::new(), rest),
    };
    format!("{scheme}://{credentials}{}", redact_query(place))
}

fn redact_password(credentials: &str) -> String {
    match credentials.split_once(':') {
        Some((user, _)) => format!("{user}:{REDACTED}@"),
        None => format!("{REDACTED}@"),
    }
}

fn redact_query(place: &str) -> String {
    let Some((path, query)) = place.split_once('?') else {
        return place.to_owned();
    };
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}={REDACTED}"),
            None => REDACTED.to_owned(),
        })
        .collect();
    format!("{path}?{}", pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_prints_itself() {
        let secret = SecretString::from("hunter2");
        assert!(!format!("{secret:?}").contains("hunter2"));
        assert_eq!(secret.expose_secret(), "hunter2");
    }

    #[test]
    fn a_url_prints_without_its_password() {
        let cases = [
            (
                "mysql://root:pw@db:3306/tandian",
                "mysql://root:***@db:3306/tandian",
            ),
            ("redis://:pw@h:6379/0", "redis://:***@h:6379/0"),
            (
                "redis-cluster://u:pw@a:1,b:2",
                "redis-cluster://u:***@a:1,b:2",
            ),
            ("redis://token@h", "redis://***@h"),
            ("unix:///run/r.sock?pass=pw", "unix:///run/r.sock?pass=***"),
            ("sqlite:///data/tandian.db", "sqlite:///data/tandian.db"),
            (
                "mysql://root:p@w/x?y@db/tandian",
                "mysql://root:***@db/tandian",
            ),
            ("not a url, perhaps a password", "***"),
        ];
        for (url, shown) in cases {
            let url = SecretUrl::new(url);
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), shown);
        }
    }
}
