//! Schemas as values: references followed, and closed against members that nobody described.

use serde_json::{Map, Value, json};

const COMPONENT: &str = "#/components/schemas/";

/// The schema with every reference replaced by what it refers to. Inputs are trees, so this ends.
pub(super) fn resolve(schema: &Value, components: &Value) -> Value {
    match schema {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(reference) => resolve(component(reference, components), components),
            None => members
                .iter()
                .map(|(name, part)| (name.clone(), resolve(part, components)))
                .collect::<Map<_, _>>()
                .into(),
        },
        Value::Array(parts) => parts
            .iter()
            .map(|part| resolve(part, components))
            .collect::<Vec<_>>()
            .into(),
        plain => plain.clone(),
    }
}

#[track_caller]
fn component<'a>(reference: &str, components: &'a Value) -> &'a Value {
    let name = reference.strip_prefix(COMPONENT);
    let found = name.and_then(|name| components["schemas"].get(name));
    found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

/// The schema, refusing members that it does not name. Parts of an `allOf` stay open, because each sees members that
/// only another part names; the whole of them is closed.
pub(super) fn named_only(schema: &Value, components: &Value) -> Value {
    let schemas = components["schemas"]
        .as_object()
        .expect("there are schemas");
    let schemas: Map<String, Value> = schemas
        .iter()
        .map(|(name, schema)| (name.clone(), close_inside(schema)))
        .collect();
    json!({ "allOf": [close(schema)], "components": { "schemas": schemas } })
}

fn close(schema: &Value) -> Value {
    let mut closed = close_inside(schema);
    let names_members = ["$ref", "allOf", "properties"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some());
    if names_members {
        closed["unevaluatedProperties"] = false.into();
    }
    closed
}

fn close_inside(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(|part| *part = close(part));
    }
    if let Some(items) = schema.get_mut("items") {
        *items = close(items);
    }
    if let Some(Value::Array(parts)) = schema.get_mut("oneOf") {
        parts.iter_mut().for_each(|part| *part = close(part));
    }
    if let Some(Value::Array(parts)) = schema.get_mut("allOf") {
        parts.iter_mut().for_each(|part| *part = close_inside(part));
    }
    schema
}
