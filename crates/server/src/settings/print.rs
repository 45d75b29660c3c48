//! The settings in force as a TOML file, each with its origin; secrets are redacted, so the print can be shown to anybody.

use std::fmt::Write;

use figment::Figment;
use figment::value::Value;

use super::schema::{KEYS, Key, ValueKind};
use crate::secret::{REDACTED, SecretUrl};

pub(super) fn print(merged: &Figment) -> String {
    let mut text = String::new();
    let mut section = "";
    for key in KEYS.iter() {
        let (parent, name) = key.path.rsplit_once('.').unwrap_or(("", &key.path));
        if parent != section {
            section = parent;
            let _ = write!(text, "\n[{section}]\n");
        }
        let _ = writeln!(
            text,
            "{name} = {}  # {}",
            shown(key, merged),
            origin(&key.path, merged)
        );
    }
    text
}

pub(super) fn origin(path: &str, merged: &Figment) -> String {
    merged
        .find_metadata(path)
        .map_or_else(String::new, |metadata| metadata.name.to_string())
}

fn shown(key: &Key, merged: &Figment) -> String {
    let Ok(value) = merged.find_value(&key.path) else {
        return "\"\"".to_owned();
    };
    match (key.kind, value.as_str()) {
        _ if value.to_empty().is_some() => "\"\"".to_owned(),
        (ValueKind::Secret(_), Some(_)) => quoted(REDACTED),
        (ValueKind::SecretUrl(_), Some(text)) => quoted(&SecretUrl::new(text).to_string()),
        (ValueKind::SecretUrls(_), _) => redacted_list(&value),
        _ => plain(&value),
    }
}

fn redacted_list(value: &Value) -> String {
    let items = value.as_array().unwrap_or_default().iter();
    let urls = items.filter_map(Value::as_str);
    let shown: Vec<String> = urls
        .map(|url| quoted(&SecretUrl::new(url).to_string()))
        .collect();
    format!("[{}]", shown.join(", "))
}

fn plain(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| String::new(), |value| value.to_string())
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
