//! `openapi.json`, read as a client would read it: which operations there are, what they take and what they may answer.

use std::collections::BTreeMap;

use axum::http::Method;
use jsonschema::Validator;
use serde_json::Value;

use super::shape;

pub(super) struct Description {
    pub(super) operations: Vec<Operation>,
    /// What every failure looks like, also where no operation is met.
    pub(super) failure: Reply,
}

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) method: Method,
    pub(super) template: String,
    pub(super) parameters: Vec<Parameter>,
    /// Media type and schema of the bodies it takes.
    pub(super) bodies: Vec<(String, Value)>,
    pub(super) needs_session: bool,
    /// Whether its success is a stream of events, which has no end to wait for.
    pub(super) is_stream: bool,
    pub(super) replies: BTreeMap<u16, Reply>,
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) schema: Value,
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Header,
}

/// A described reply. `as_written` is the description word for word; `named_only` refuses members that it does not name,
/// so that nothing leaves the server undescribed.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) as_written: Validator,
    pub(super) named_only: Validator,
}

/// What the description says about a method and path.
pub(super) enum Target<'a> {
    Operation(&'a Operation),
    /// The path is described, with these methods.
    OtherMethod(Vec<&'a Method>),
    NoSuchRoute,
    /// Not of the API: the web app, its files, pictures.
    Outside,
}

impl Description {
    pub(super) fn read(document: &Value) -> Self {
        let components = &document["components"];
        let paths = document["paths"].as_object().expect("there are paths");
        let operations = paths.iter().flat_map(|(template, methods)| {
            let methods = methods.as_object().expect("a path has methods");
            methods
                .iter()
                .map(|(method, operation)| read_operation(template, method, operation, components))
        });
        let failure = serde_json::json!({ "$ref": "#/components/schemas/Failure" });
        Self {
            operations: operations.collect(),
            failure: read_reply(&failure, components),
        }
    }

    /// As the router decides: a fixed segment counts before a parameter.
    pub(super) fn target(&self, method: &Method, path: &str) -> Target<'_> {
        if path != "/api" && !path.starts_with("/api/") {
            return Target::Outside;
        }
        let fitting = self.operations.iter().filter(|it| it.fits(path));
        let Some(fewest) = fitting.clone().map(Operation::open_segments).min() else {
            return Target::NoSuchRoute;
        };
        let fitting = fitting.filter(|it| it.open_segments() == fewest);
        // A router answers HEAD wherever it answers GET.
        let asked = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        match fitting.clone().find(|it| it.method == *asked) {
            Some(operation) => Target::Operation(operation),
            None => Target::OtherMethod(fitting.map(|it| &it.method).collect()),
        }
    }
}

impl Operation {
    fn fits(&self, path: &str) -> bool {
        let (wanted, given) = (self.template.split('/'), path.split('/'));
        let fits_segment =
            |(want, have): (&str, &str)| want == have || (is_open(want) && !have.is_empty());
        wanted.clone().count() == given.clone().count() && wanted.zip(given).all(fits_segment)
    }

    fn open_segments(&self) -> usize {
        self.template.split('/').filter(|it| is_open(it)).count()
    }
}

fn is_open(segment: &str) -> bool {
    segment.starts_with('{')
}

#[track_caller]
fn read_operation(
    template: &str,
    method: &str,
    operation: &Value,
    components: &Value,
) -> Operation {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let bodies = operation["requestBody"]["content"].as_object();
    let replies = operation["responses"].as_object().expect("it answers");
    Operation {
        method: method.to_uppercase().parse().expect("a method"),
        template: template.to_owned(),
        parameters: parameters.map(read_parameter).collect(),
        bodies: bodies
            .into_iter()
            .flatten()
            .map(|(media, body)| (media.clone(), shape::resolve(&body["schema"], components)))
            .collect(),
        needs_session: operation["security"].is_array(),
        is_stream: replies.values().any(is_stream),
        replies: replies
            .iter()
            .map(|(status, reply)| {
                let schema = &reply["content"]["application/json"]["schema"];
                assert!(schema.is_object(), "{template} {status} has no JSON schema");
                let status = status.parse().expect("a status is a number");
                (status, read_reply(schema, components))
            })
            .collect(),
    }
}

fn is_stream(reply: &Value) -> bool {
    reply["content"]["text/event-stream"].is_object()
}

#[track_caller]
fn read_parameter(parameter: &Value) -> Parameter {
    let place = match parameter["in"].as_str() {
        Some("path") => Place::Path,
        Some("query") => Place::Query,
        Some("header") => Place::Header,
        other => panic!("a parameter in {other:?}: teach the generator"),
    };
    Parameter {
        name: parameter["name"].as_str().expect("a name").to_owned(),
        place,
        schema: parameter["schema"].clone(),
    }
}

fn read_reply(schema: &Value, components: &Value) -> Reply {
    let written = serde_json::json!({ "allOf": [schema], "components": components });
    Reply {
        as_written: compile(&written),
        named_only: compile(&shape::named_only(schema, components)),
    }
}

#[track_caller]
fn compile(schema: &Value) -> Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|error| panic!("{error} in {schema}"))
}
