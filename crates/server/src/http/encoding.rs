//! Which compression a client may be given.
//!
//! A plain reply is always good enough: a client that refuses even that (`identity;q=0`, `*;q=0`) would be answered 406
//! by the compression layer, and only after the work is done, when a write has happened and its reply is wanted.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderValue};

/// Strikes out what is said about plain replies, so that only wishes for a compressed one are left.
pub(super) fn accept_plain(headers: &mut HeaderMap) {
    let lines = headers.get_all(ACCEPT_ENCODING);
    let texts = lines.iter().filter_map(|line| line.to_str().ok());
    let entries: Vec<&str> = texts.flat_map(|text| text.split(',')).collect();
    if !entries.iter().any(|entry| speaks_of_plain(entry)) {
        return;
    }
    let wishes: Vec<&str> = entries
        .into_iter()
        .filter(|entry| !speaks_of_plain(entry))
        .collect();
    let wishes = HeaderValue::from_str(&wishes.join(","));
    let wishes = wishes.expect("parts of header values, joined by commas, are one");
    headers.insert(ACCEPT_ENCODING, wishes);
}

fn speaks_of_plain(entry: &str) -> bool {
    let coding = entry.split(';').next().unwrap_or_default().trim();
    coding == "*" || coding.eq_ignore_ascii_case("identity")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_of(lines: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        accept_plain(&mut headers);
        let left = headers.get_all(ACCEPT_ENCODING).iter();
        let left: Vec<&str> = left.map(|line| line.to_str().unwrap()).collect();
        left.join("|")
    }

    #[test]
    fn plain_replies_cannot_be_refused() {
        assert_eq!(left_of(&["identity;q=0, *;q=0"]), "");
        assert_eq!(left_of(&["br;q=1, *;q=0"]), "br;q=1");
        assert_eq!(left_of(&["gzip", "Identity; q=0"]), "gzip");
    }

    #[test]
    fn other_wishes_stay_as_they_are() {
        assert_eq!(left_of(&["gzip, br;q=0.5", "zstd"]), "gzip, br;q=0.5|zstd");
        assert_eq!(left_of(&[]), "");
    }
}
