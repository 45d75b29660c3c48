//! A request on its way to being sent: first a valid one, made from the description, then perhaps broken.

use axum::http::{HeaderName, Method};
use serde_json::{Map, Value};

use super::description::{Operation, Place};
use super::random::Random;
use super::values;

#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) method: Method,
    /// Percent-encoded where it must be.
    pub(super) path: String,
    pub(super) query: String,
    pub(super) headers: Vec<(HeaderName, Vec<u8>)>,
    pub(super) media: Option<String>,
    pub(super) json: Option<Value>,
    /// Sent instead of `json`.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) who: Who,
    /// What was done to it, for the report.
    pub(super) story: Vec<&'static str>,
}

/// Who sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Visitor,
    /// A signed-in person, by number in the cast, who shows the token in this way.
    Person(usize, Shown),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Bare,
    Bearer,
    /// With the `Origin` of our own pages.
    Cookie,
}

pub(super) const FORM: &str = "application/x-www-form-urlencoded";
pub(super) const JSON: &str = "application/json";

/// A form with files, as the description names it, and as it must be sent.
const MULTIPART: &str = "multipart/form-data";
const MULTIPART_SENT: &str = "multipart/form-data; boundary=between";

/// What travels as a file.
const PICTURE: &[u8] = include_bytes!("../../../../pictures/tests/it/files/turned.jpg");

impl Draft {
    /// A request that the description allows. `people` is the size of the cast.
    pub(super) fn valid(operation: &Operation, people: usize, random: &mut Random) -> Self {
        let mut path = operation.template.clone();
        let (mut pairs, mut headers) = (Vec::new(), Vec::new());
        for parameter in &operation.parameters {
            let value = plain(&values::fitting(random, &parameter.name, &parameter.schema));
            let name = &parameter.name;
            match parameter.place {
                Place::Path => path = path.replace(&format!("{{{name}}}"), &encode(&value)),
                Place::Query if random.one_in(2) => pairs.push((name.clone(), value)),
                Place::Header if random.one_in(2) => {
                    let name = name.parse().expect("a header's name");
                    headers.push((name, value.into_bytes()));
                }
                Place::Query | Place::Header => {}
            }
        }
        let body = (!operation.bodies.is_empty()).then(|| random.pick(&operation.bodies));
        Self {
            method: operation.method.clone(),
            path,
            query: serde_urlencoded::to_string(pairs).expect("texts are a query"),
            headers,
            media: body.as_ref().map(|(media, _)| sent_media(media)),
            json: body.map(|(_, schema)| values::fitting(random, "", &schema)),
            bytes: None,
            who: somebody(operation.needs_session, people, random),
            story: Vec::new(),
        }
    }

    /// The body as a tree, for those who want to change it; an empty JSON object where there was none.
    pub(super) fn tree(&mut self) -> &mut Value {
        self.media.get_or_insert_with(|| JSON.to_owned());
        self.json.get_or_insert_with(|| Map::new().into())
    }

    /// What travels as the body.
    pub(super) fn body(&self) -> Vec<u8> {
        match (&self.bytes, &self.json) {
            (Some(bytes), _) => bytes.clone(),
            (None, Some(Value::Object(members))) if self.media.as_deref() == Some(FORM) => {
                let pairs: Vec<_> = members.iter().map(|(k, v)| (k, plain(v))).collect();
                let form = serde_urlencoded::to_string(pairs).expect("texts are a form");
                form.into_bytes()
            }
            (None, Some(Value::Object(members)))
                if self.media.as_deref() == Some(MULTIPART_SENT) =>
            {
                multipart(members)
            }
            (None, Some(json)) => json.to_string().into_bytes(),
            (None, None) => Vec::new(),
        }
    }

    pub(super) fn target(&self) -> String {
        match self.query.as_str() {
            "" => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }
}

fn sent_media(media: &str) -> String {
    match media {
        MULTIPART => MULTIPART_SENT.to_owned(),
        other => other.to_owned(),
    }
}

/// Every member is a part; the texts that the generator makes up stand for pictures.
fn multipart(members: &Map<String, Value>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in members {
        let head = format!("--between\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        match value {
            Value::String(_) => body.extend_from_slice(PICTURE),
            other => body.extend_from_slice(other.to_string().as_bytes()),
        }
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--between--\r\n");
    body
}

/// Where a session is needed, most have one.
fn somebody(needs_session: bool, people: usize, random: &mut Random) -> Who {
    let is_visitor = match needs_session {
        true => random.one_in(8),
        false => !random.one_in(4),
    };
    if is_visitor {
        return Who::Visitor;
    }
    let shown = random.pick(&[Shown::Bare, Shown::Bearer, Shown::Cookie]);
    Who::Person(random.below(people), shown)
}

/// A value as it looks in a path, a query or a form.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Percent-encodes all but what no URL minds.
pub(super) fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
