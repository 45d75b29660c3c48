//! Values that fit a schema. Where the schema only says "text", the name of the member suggests a text that gets past the
//! first check, so that the code behind it is reached too.

use serde_json::{Map, Value, json};

use super::random::Random;

/// Few, so that requests meet each other's codes, locks and limits.
const PHONES: [&str; 5] = [
    "13800000001",
    "13800000002",
    "+86 138-0000-0003",
    "8619912345678",
    "12345",
];
const EMAILS: [&str; 4] = [
    "ann@example.com",
    "li.ming+tandian@example.cn",
    "ANN@EXAMPLE.COM",
    "nobody",
];
const CODES: [&str; 4] = ["000000", "12 34 56", "abc234", ""];
const ICONS: [&str; 3] = [
    "",
    "/imgs/icons/a-1.webp",
    "https://elsewhere.example/x.png",
];
const DATES: [&str; 5] = [
    "1990-06-15",
    "2000-02-29",
    "1900-01-01",
    "0000-01-01",
    "9999-12-31",
];
const PAGES: [&str; 4] = ["site", "home", "shop:1", "nowhere"];
const KEYS: [&str; 4] = ["k-1", "k-2", "4d3c2b1a", "not one word"];
const CLAIM_TOKENS: [&str; 2] = ["0123456789abcdef0123456789abcdef", "none"];
const TIMES: [&str; 4] = [
    "2020-01-01T00:00:00",
    "2099-12-31T23:59:59",
    "2099-12-31 23:59",
    "soon",
];
const CURSORS: [&str; 4] = ["", "1", "9223372036854775807", "page two"];
const WORDS: [&str; 7] = ["", " ", "a", "小鱼", "Ann of 杭州", "👩‍🍳🍜", "two\nlines"];

const EXTREME_INTEGERS: [i64; 6] = [
    0,
    -1,
    i64::MAX,
    i64::MIN,
    (1 << 53) + 1,
    i32::MAX as i64 + 1,
];

/// One time in `OFTEN` an optional member is left out.
const OFTEN: usize = 3;

#[track_caller]
pub(super) fn fitting(random: &mut Random, name: &str, schema: &Value) -> Value {
    if let Some(parts) = schema["allOf"].as_array() {
        return all_of(random, name, parts);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choice = random.pick(choices);
        return fitting(random, name, &choice);
    }
    if let Some(choices) = schema["enum"].as_array() {
        return random.pick(choices);
    }
    match schema["type"].as_str() {
        Some("object") => object(random, schema),
        Some("array") => (0..random.below(4))
            .map(|_| fitting(random, name, &schema["items"]))
            .collect::<Vec<_>>()
            .into(),
        Some("boolean") => random.one_in(2).into(),
        Some("integer") => integer(random, schema).into(),
        Some("number") => (integer(random, schema) as f64 / 8.0).into(),
        Some("string") => text(random, name, schema).into(),
        other => panic!("{name} has the type {other:?}: teach the generator"),
    }
}

fn all_of(random: &mut Random, name: &str, parts: &[Value]) -> Value {
    let mut whole = Map::new();
    for part in parts {
        if let Value::Object(members) = fitting(random, name, part) {
            whole.extend(members);
        }
    }
    whole.into()
}

fn object(random: &mut Random, schema: &Value) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut members = Map::new();
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&json!(name)) || !random.one_in(OFTEN) {
            members.insert(name.clone(), fitting(random, name, part));
        }
    }
    members.into()
}

/// Mostly small, because small ids exist.
fn integer(random: &mut Random, schema: &Value) -> i64 {
    let number = if random.one_in(3) {
        random.pick(&EXTREME_INTEGERS)
    } else {
        random.below(6) as i64
    };
    let most = match schema["format"].as_str() {
        Some("int32") => i64::from(i32::MAX),
        _ => i64::MAX,
    };
    let least = schema["minimum"].as_i64().unwrap_or(-most);
    number.clamp(least, schema["maximum"].as_i64().unwrap_or(most))
}

fn text(random: &mut Random, name: &str, schema: &Value) -> &'static str {
    let choices: &[&'static str] = match (name, schema["format"].as_str()) {
        ("phone", _) => &PHONES,
        ("email", _) => &EMAILS,
        ("code", _) => &CODES,
        ("icon", _) => &ICONS,
        ("page", _) => &PAGES,
        ("Idempotency-Key", _) => &KEYS,
        ("X-Claim-Token", _) => &CLAIM_TOKENS,
        ("beginTime" | "endTime", _) => &TIMES,
        ("cursor", _) => &CURSORS,
        (_, Some("date")) => &DATES,
        _ => &WORDS,
    };
    random.pick(choices)
}
