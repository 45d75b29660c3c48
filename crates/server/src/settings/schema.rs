//! What the table of settings is made of: sections, keys, and the kinds of values that keys accept.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use figment::value::{Empty, Tag, Value};

use super::rules::Rule;
use super::{Settings, place};

/// A section of the settings file: its keys, then the sections inside it, as TOML wants them.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) keys: &'static [(&'static str, ValueKind)],
    pub(super) sections: &'static [(&'static str, &'static Section)],
}

/// What a key accepts, and whether its value may be shown.
#[derive(Debug)]
pub(super) enum ValueKind {
    Text(Rule),
    /// Empty means "not set"; anything else obeys the rule.
    OptionalText(Rule),
    /// As `OptionalText`, never shown.
    Secret(Rule),
    /// As `OptionalText`, shown without its password.
    SecretUrl(Rule),
    Texts(Rule),
    /// As `Texts`, each shown without its password.
    SecretUrls(Rule),
    Flag,
    Whole(RangeInclusive<i64>),
    Choice(&'static [&'static str]),
}

/// Rows of `key: type => kind of value;`, then `[section]: type;`: makes the struct that holds the values and the
/// [`Section`] that checks them.
macro_rules! section {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* $key:ident: $type:ty => $kind:ident $(($accepts:expr))?;)*
            $([$inner:ident]: $inner_type:ident;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$doc])* pub $key: $type,)*
            $(pub $inner: $inner_type,)*
        }

        impl $name {
            pub(in crate::settings) const SECTION: &'static $crate::settings::schema::Section =
                &$crate::settings::schema::Section {
                    keys: &[$((stringify!($key), $crate::settings::schema::ValueKind::$kind $(($accepts))?),)*],
                    sections: &[$((stringify!($inner), $inner_type::SECTION),)*],
                };
        }
    };
}

/// Rows of `Variant = "word",`: makes the enum, and the words that [`ValueKind::Choice`] accepts.
macro_rules! choice {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            pub(in crate::settings) const WORDS: &[&str] = &[$($word,)+];
        }
    };
}

pub(super) use {choice, section};

/// A key by its full path, such as `http.addr`.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) path: String,
    pub(super) kind: &'static ValueKind,
}

/// Every key, each section's together.
pub(super) static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut keys = Vec::new();
    collect("", Settings::SECTION, &mut keys);
    keys
});

fn collect(prefix: &str, section: &'static Section, keys: &mut Vec<Key>) {
    keys.extend(section.keys.iter().map(|(name, kind)| Key {
        path: format!("{prefix}{name}"),
        kind,
    }));
    for (name, inner) in section.sections {
        collect(&format!("{prefix}{name}."), inner, keys);
    }
}

pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

pub(super) fn is_section(path: &str) -> bool {
    KEYS.iter()
        .any(|key| matches!(key.path.strip_prefix(path), Some(rest) if rest.starts_with('.')))
}

impl ValueKind {
    /// Whether the value of such a key is worth hiding: a secret, or a URL that carries a password.
    pub(super) fn is_secret(&self, value: &Value) -> bool {
        let text = value.as_str().unwrap_or_default();
        match self {
            Self::Secret(_) => !text.is_empty(),
            Self::SecretUrl(_) => place::has_password(text),
            Self::SecretUrls(_) => {
                let items = value.as_array().unwrap_or_default().iter();
                items.filter_map(Value::as_str).any(place::has_password)
            }
            _ => false,
        }
    }

    /// A value from a file, which has a type of its own.
    pub(super) fn admit(&self, given: &toml::Value) -> Result<Value, String> {
        match (self, given) {
            (Self::Texts(rule) | Self::SecretUrls(rule), toml::Value::Array(items)) => {
                let texts: Option<Vec<&str>> = items.iter().map(toml::Value::as_str).collect();
                admit_texts(*rule, texts.ok_or_else(|| self.expectation())?)
            }
            (Self::Flag, toml::Value::Boolean(flag)) => Ok(Value::from(*flag)),
            (Self::Whole(range), toml::Value::Integer(number)) if range.contains(number) => {
                Ok(Value::from(*number))
            }
            (Self::Texts(_) | Self::SecretUrls(_) | Self::Flag | Self::Whole(_), _) => {
                Err(self.expectation())
            }
            (_, toml::Value::String(text)) => self.admit_text(text),
            _ => Err(self.expectation()),
        }
    }

    /// A value from the environment, where everything is text.
    pub(super) fn admit_text(&self, text: &str) -> Result<Value, String> {
        let admitted = match self {
            Self::OptionalText(_) | Self::Secret(_) | Self::SecretUrl(_) if text.is_empty() => {
                Some(Value::Empty(Tag::Default, Empty::None))
            }
            Self::Text(rule)
            | Self::OptionalText(rule)
            | Self::Secret(rule)
            | Self::SecretUrl(rule) => return admit_one(*rule, text),
            Self::Texts(rule) | Self::SecretUrls(rule) => {
                let texts = text.split(',').map(str::trim);
                return admit_texts(*rule, texts.filter(|item| !item.is_empty()).collect());
            }
            Self::Flag => text.parse().ok().map(|flag: bool| Value::from(flag)),
            Self::Whole(range) => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                number.map(|number: i64| Value::from(number))
            }
            Self::Choice(choices) => choices.contains(&text).then(|| Value::from(text)),
        };
        admitted.ok_or_else(|| self.expectation())
    }

    /// What the key expects, for a message. Never contains the refused value, which may be a secret.
    fn expectation(&self) -> String {
        match self {
            Self::Texts(_) | Self::SecretUrls(_) => "a list of texts".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Whole(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Self::Choice(choices) => format!("one of {}", choices.join(", ")),
            Self::Text(_) | Self::OptionalText(_) | Self::Secret(_) | Self::SecretUrl(_) => {
                "a text in quotes".to_owned()
            }
        }
    }
}

fn admit_one(rule: Rule, text: &str) -> Result<Value, String> {
    rule(text)?;
    Ok(Value::from(text))
}

fn admit_texts(rule: Rule, texts: Vec<&str>) -> Result<Value, String> {
    for text in &texts {
        rule(text)?;
    }
    Ok(Value::from(texts))
}
