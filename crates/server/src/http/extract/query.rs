//! Values in the query. It may begin with `&`, and may name things we do not know: old clients do both.
//!
//! Clients of the original may also repeat a name and leave values empty: as there, the first value of a name counts, and
//! an empty one that cannot be read counts as absent.

use std::collections::BTreeSet;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::dialect::Dialect;
use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// The parameters after the question mark.
#[derive(Debug)]
pub(in crate::http) struct QueryParams<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequestParts<HttpState> for QueryParams<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default();
        read(query, state.dialect()).map(Self)
    }
}

/// A query that reads as it stands, as almost all do, is read once.
fn read<T: DeserializeOwned>(query: &str, dialect: Dialect) -> Result<T, Failure> {
    let strictly = serde_urlencoded::from_str(query);
    let read = match dialect {
        Dialect::Site => strictly,
        Dialect::Original => strictly
            .or_else(|_| serde_urlencoded::from_str(&first_values(query, |_| true)))
            .or_else(|_| serde_urlencoded::from_str(&first_values(query, |it| !it.is_empty()))),
    };
    read.map_err(|error| refused(query, &error.to_string()))
}

/// The pairs whose value is `wanted`, each name once.
fn first_values(query: &str, wanted: impl Fn(&str) -> bool) -> String {
    let mut seen = BTreeSet::new();
    let pairs = query.split('&').filter(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        wanted(value) && seen.insert(name.to_owned())
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// Says which parameter is missing, if that is what is wrong.
fn refused(query: &str, problem: &str) -> Failure {
    let missing = problem.strip_prefix("missing field `");
    match missing.and_then(|rest| rest.strip_suffix('`')) {
        // Its value is there, but nothing in it.
        Some(name) if names(query).any(|named| named == name) => {
            Failure::malformed("query", problem)
        }
        Some(_) => Failure::missing("query", problem),
        None => Failure::malformed("query", problem),
    }
}

fn names(query: &str) -> impl Iterator<Item = &str> {
    let pairs = query.split('&');
    pairs.map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Params {
        id: i64,
        current: Option<i64>,
        name: Option<String>,
    }

    fn parsed(query: &str) -> (i64, Option<i64>, Option<String>) {
        let Params { id, current, name } = read(query, Dialect::Original).unwrap();
        (id, current, name)
    }

    #[test]
    fn queries_of_old_clients_are_read() {
        assert_eq!(parsed("&id=7&x=1"), (7, None, None));
        assert_eq!(parsed("id=7&&current=2&"), (7, Some(2), None));
        assert_eq!(parsed("id=7&id=8&current=1"), (7, Some(1), None));
        assert_eq!(parsed("id=7&current="), (7, None, None));
        assert_eq!(
            parsed("id=7&current=&name=%E9%9D%A2"),
            (7, None, Some("面".to_owned()))
        );
        assert_eq!(parsed("id=7&name="), (7, None, Some(String::new())));
        assert_eq!(parsed("id=7&name=100%"), (7, None, Some("100%".to_owned())));
    }

    #[test]
    fn a_missing_parameter_is_told_from_one_that_cannot_be_read() {
        let read = |query: &str| read::<Params>(query, Dialect::Original);
        let refused = |query: &str| format!("{:?}", read(query).unwrap_err());
        assert!(refused("current=1").contains("is_missing: true"));
        for query in ["id=x", "id=", "id=1&current=x", "id=9223372036854775808"] {
            assert!(refused(query).contains("is_missing: false"), "{query}");
        }
    }

    #[test]
    fn new_clients_say_each_thing_once_and_whole() {
        for query in ["id=7&id=8", "id=7&current="] {
            assert!(read::<Params>(query, Dialect::Site).is_err(), "{query}");
        }
    }
}
