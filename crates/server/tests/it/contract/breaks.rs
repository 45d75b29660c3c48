//! The ways in which a valid request is broken, one function each.

use axum::http::{HeaderName, Method};
use serde_json::{Value, json};

use super::draft::{Draft, encode};
use super::hostile;
use super::random::Random;

pub(super) type Break = (&'static str, fn(&mut Draft, &mut Random));

pub(super) const BREAKS: &[Break] = &[
    ("a parameter is missing", drop_query),
    ("a member is missing", drop_member),
    ("a wrong type somewhere", wrong_type),
    ("null somewhere", null_somewhere),
    ("a hostile text somewhere", hostile_text),
    ("a huge text somewhere", huge_text),
    ("a token that is no value", odd_token),
    ("members nobody asked for", extra_members),
    ("a member twice", duplicate_member),
    ("deep nesting", deep_nesting),
    ("a body that is no object", other_body),
    ("a body cut short", cut_body),
    ("a body with a changed byte", flip_byte),
    ("a body up to the limit", full_body),
    ("a body beyond the limit", oversized_body),
    ("another content type", other_media),
    ("no content type", no_media),
    ("another method", other_method),
    ("a hostile path parameter", hostile_segment),
    ("an id out of range", extreme_segment),
    ("another path", other_path),
    ("a very long path", long_path),
    ("a hostile query", hostile_query),
    ("a very long query", long_query),
    ("a query that begins with &", leading_ampersand),
    ("a parameter twice", duplicate_parameters),
    ("a misleading header", misleading_header),
    ("many misleading headers", misleading_headers),
];

/// The body limit that the server under test is given: small, so that reaching it is cheap.
pub(super) const BODY_LIMIT_BYTES: usize = 64 * 1024;

/// Stands for a value in a tree until the text is written, where anything can take its place.
const PLACEHOLDER: &str = "@@placeholder@@";

fn drop_query(draft: &mut Draft, _: &mut Random) {
    draft.query.clear();
}

fn drop_member(draft: &mut Draft, random: &mut Random) {
    if let Value::Object(members) = draft.tree() {
        let names: Vec<String> = members.keys().cloned().collect();
        if !names.is_empty() {
            members.remove(&random.pick(&names));
        }
    }
}

fn wrong_type(draft: &mut Draft, random: &mut Random) {
    let others = [
        json!(true),
        json!(0),
        json!(-1.5),
        json!("text"),
        json!([]),
        json!(["a", 1, null]),
        json!({}),
        json!({ "a": { "b": [] } }),
    ];
    *somewhere(draft.tree(), random) = random.pick(&others);
}

fn null_somewhere(draft: &mut Draft, random: &mut Random) {
    *somewhere(draft.tree(), random) = Value::Null;
}

fn hostile_text(draft: &mut Draft, random: &mut Random) {
    *somewhere(draft.tree(), random) = json!(random.pick(hostile::TEXTS));
}

fn huge_text(draft: &mut Draft, random: &mut Random) {
    let unit = random.pick(&["a", "0", "鱼", "👩‍🍳", "\\", "\u{0}"]);
    let count = random.pick(&[33, 129, 256, 4_096, 10_000]);
    *somewhere(draft.tree(), random) = json!(unit.repeat(count));
}

fn odd_token(draft: &mut Draft, random: &mut Random) {
    *somewhere(draft.tree(), random) = json!(PLACEHOLDER);
    let token = random.pick(hostile::TOKENS);
    draft.bytes = Some(replace_placeholder(&draft.body(), token));
}

fn replace_placeholder(text: &[u8], token: &[u8]) -> Vec<u8> {
    let quoted = format!("\"{PLACEHOLDER}\"");
    let place = text
        .windows(quoted.len())
        .position(|it| it == quoted.as_bytes());
    match place {
        Some(at) => [&text[..at], token, &text[at + quoted.len()..]].concat(),
        None => token.to_vec(),
    }
}

fn extra_members(draft: &mut Draft, random: &mut Random) {
    if let Value::Object(members) = draft.tree() {
        for name in [
            "id",
            "userId",
            "role",
            "roles",
            "__proto__",
            "",
            "phone\u{0}",
        ] {
            members.insert(
                name.to_owned(),
                json!({ "is": [1, "admin", random.next()] }),
            );
        }
    }
}

fn duplicate_member(draft: &mut Draft, _: &mut Random) {
    draft.tree();
    let body = draft.body();
    if let Some(inner) = body.strip_prefix(b"{").and_then(|it| it.strip_suffix(b"}")) {
        draft.bytes = Some([b"{", inner, b",", inner, b"}"].concat());
    }
}

fn deep_nesting(draft: &mut Draft, random: &mut Random) {
    let depth = random.pick(&[16, 127, 128, 129, 10_000]);
    let (open, close) = random.pick(&[("[", "]"), ("{\"a\":", "}")]);
    let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
    *somewhere(draft.tree(), random) = json!(PLACEHOLDER);
    draft.bytes = Some(replace_placeholder(&draft.body(), nested.as_bytes()));
}

fn other_body(draft: &mut Draft, random: &mut Random) {
    draft.tree();
    draft.bytes = Some(random.pick(hostile::BODIES).to_vec());
}

fn cut_body(draft: &mut Draft, random: &mut Random) {
    draft.tree();
    let mut body = draft.body();
    body.truncate(random.below(body.len().max(1)));
    draft.bytes = Some(body);
}

fn flip_byte(draft: &mut Draft, random: &mut Random) {
    draft.tree();
    let mut body = draft.body();
    if !body.is_empty() {
        let place = random.below(body.len());
        body[place] ^= 1 << random.below(8);
    }
    draft.bytes = Some(body);
}

fn full_body(draft: &mut Draft, _: &mut Random) {
    draft.tree();
    let mut body = draft.body();
    body.resize(BODY_LIMIT_BYTES, b' ');
    draft.bytes = Some(body);
}

fn oversized_body(draft: &mut Draft, random: &mut Random) {
    draft.tree();
    let mut body = draft.body();
    let excess = random.pick(&[1, 1_000, BODY_LIMIT_BYTES]);
    body.resize(BODY_LIMIT_BYTES + excess, b' ');
    draft.bytes = Some(body);
}

fn other_media(draft: &mut Draft, random: &mut Random) {
    draft.tree();
    // The body stays what it was: only its name is wrong.
    draft.bytes = Some(draft.body());
    draft.media = Some(random.pick(hostile::MEDIA_TYPES).to_owned());
}

fn no_media(draft: &mut Draft, _: &mut Random) {
    draft.bytes = Some(draft.body());
    draft.media = None;
}

fn other_method(draft: &mut Draft, random: &mut Random) {
    let method = random.pick(hostile::METHODS);
    draft.method = Method::from_bytes(method.as_bytes()).expect("a token is a method");
}

fn hostile_segment(draft: &mut Draft, random: &mut Random) {
    let text = encode(random.pick(hostile::TEXTS));
    replace_last_segment(draft, &text);
}

fn extreme_segment(draft: &mut Draft, random: &mut Random) {
    let ids = [
        "-1",
        "0",
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "4294967296",
        "1.0",
        "1e3",
        "+1",
        "%201",
        "0x1",
        "١",
        "00000000000000000000000000000000001",
    ];
    replace_last_segment(draft, random.pick(&ids));
}

fn replace_last_segment(draft: &mut Draft, segment: &str) {
    let kept = draft.path.rfind('/').unwrap_or_default();
    draft.path.truncate(kept);
    draft.path.push('/');
    draft.path.push_str(segment);
}

fn other_path(draft: &mut Draft, random: &mut Random) {
    draft.path = random.pick(hostile::PATHS).to_owned();
}

fn long_path(draft: &mut Draft, random: &mut Random) {
    let unit = random.pick(&["a", "/a", "/..", "%2e", "1"]);
    draft
        .path
        .push_str(&unit.repeat(random.pick(&[200, 4_000])));
}

fn hostile_query(draft: &mut Draft, random: &mut Random) {
    draft.query = match random.one_in(2) {
        true => random.pick(hostile::QUERIES).to_owned(),
        false => format!("phone={}", encode(random.pick(hostile::TEXTS))),
    };
}

fn long_query(draft: &mut Draft, random: &mut Random) {
    let unit = random.pick(&["phone=1&", "a", "&", "%00"]);
    draft.query.push_str(&unit.repeat(2_000));
}

fn leading_ampersand(draft: &mut Draft, _: &mut Random) {
    draft.query.insert(0, '&');
}

fn duplicate_parameters(draft: &mut Draft, _: &mut Random) {
    draft.query = format!("{0}&{0}", draft.query);
}

fn misleading_header(draft: &mut Draft, random: &mut Random) {
    let (name, value) = random.pick(&hostile::headers());
    draft.headers.push((HeaderName::from_static(name), value));
}

fn misleading_headers(draft: &mut Draft, random: &mut Random) {
    for _ in 0..random.below(40) {
        misleading_header(draft, random);
    }
}

/// Any place of a tree, its root included.
fn somewhere<'a>(tree: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let mut places = Vec::new();
    collect_places(tree, String::new(), &mut places);
    let place = random.pick(&places);
    tree.pointer_mut(&place).expect("it was just there")
}

/// The JSON pointer of every value.
fn collect_places(value: &Value, here: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect_places(member, format!("{here}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                collect_places(item, format!("{here}/{place}"), places);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    places.push(here);
}
