//! The frame of a reply: one node whose text is signed as it stands, byte for byte, and the signature beside it.
//!
//! The node is taken out by a JSON parser that keeps its text. Looking for it by its name, as is often done, can be led
//! astray by the same name inside a value. A name that comes twice is refused, since two readers might take two of them.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::UnknownCause;

/// Far more members than any reply has.
const MAX_MEMBERS: usize = 16;

#[derive(Debug)]
pub(super) struct Envelope<'a> {
    /// The text that is signed.
    pub(super) node: &'a str,
    pub(super) signature: Option<String>,
    pub(super) certificate_sn: Option<String>,
}

impl<'a> Envelope<'a> {
    /// The node of `method`, or that of an error before any method was found.
    pub(super) fn parse(body: &'a str, method: &str) -> Result<Self, UnknownCause> {
        let Members(members) = serde_json::from_str(body)
            .map_err(|_| UnknownCause::Unreadable("not a JSON object"))?;
        let find = |name: &str| {
            let found = members.iter().find(|(member, _)| member == name);
            found.map(|(_, raw)| raw.get())
        };
        let node = find(&format!("{}_response", method.replace('.', "_")))
            .or_else(|| find("error_response"))
            .ok_or(UnknownCause::Unreadable("no response node"))?;
        Ok(Self {
            node,
            signature: find("sign").and_then(text),
            certificate_sn: find("alipay_cert_sn").and_then(text),
        })
    }
}

fn text(raw: &str) -> Option<String> {
    serde_json::from_str(raw).ok()
}

/// The members of an object in their order, each name once.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members: Vec<(String, &'de RawValue)> = Vec::new();
        while let Some((name, raw)) = map.next_entry::<String, &'de RawValue>()? {
            if members.len() == MAX_MEMBERS || members.iter().any(|(known, _)| *known == name) {
                return Err(A::Error::custom("too many members, or one of them twice"));
            }
            members.push((name, raw));
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const METHOD: &str = "alipay.trade.query";

    #[test]
    fn the_node_is_taken_as_it_stands() {
        let body = r#"{"alipay_trade_query_response":{"code":"10000", "msg":"a\/b","x":{"sign":"no"}},"sign":"s\/1"}"#;
        let envelope = Envelope::parse(body, METHOD).unwrap();
        assert_eq!(
            envelope.node,
            r#"{"code":"10000", "msg":"a\/b","x":{"sign":"no"}}"#
        );
        assert_eq!(envelope.signature.as_deref(), Some("s/1"));
        assert_eq!(envelope.certificate_sn, None);
    }

    #[test]
    fn the_name_of_the_node_inside_a_value_is_not_the_node() {
        let body = r#"{"note":"\"alipay_trade_query_response\":{}","alipay_trade_query_response":{"code":"1"}}"#;
        let envelope = Envelope::parse(body, METHOD).unwrap();
        assert_eq!(envelope.node, r#"{"code":"1"}"#);
    }

    #[test]
    fn an_answer_with_two_nodes_is_refused() {
        for body in [
            r#"{"alipay_trade_query_response":{},"alipay_trade_query_response":{}}"#,
            r#"{"alipay_trade_query_response":{},"alipay_trade_query_\u0072esponse":{}}"#,
            r#"{"sign":"a","alipay_trade_query_response":{},"sign":"b"}"#,
        ] {
            assert!(Envelope::parse(body, METHOD).is_err(), "{body}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(body in ".{0,200}") {
            let _ = Envelope::parse(&body, METHOD);
        }

        #[test]
        fn any_object_is_read_or_refused(name in "[a-z_]{0,30}", value in "[0-9{}\\[\\]\",:a-z]{0,40}") {
            let _ = Envelope::parse(&format!("{{\"{name}\":{value}}}"), METHOD);
        }
    }
}
