//! The layers settings are made of: the embedded defaults, a file, the environment; the later one wins.
//!
//! Each layer is checked against the table of keys as it is read, so that a message can name the file or the variable.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::problem::{Problem, SettingsError, nearest_key};
use super::schema;

pub(super) const DEFAULTS: &str = include_str!("../../default.toml");
pub(super) const DEFAULTS_NAME: &str = "default.toml";

/// Read from the working folder when no file is named.
const CONFIG_FILE: &str = "tandian.toml";
const VARIABLE_PREFIX: &str = "TANDIAN_";
/// Names the file itself, so it is no setting (`cli::Cli::config`).
const CONFIG_VARIABLE: &str = "TANDIAN_CONFIG";
/// Where a test has this process die (`flash`), so it is no setting either. Builds for production do not know it.
const FAIL_POINT_VARIABLE: &str = "TANDIAN_FAIL_POINT";

/// Values of one origin; the origin's name is what messages and `tandian settings` show.
struct Layer {
    origin: String,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> figment::Result<Map<Profile, Dict>> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

/// All layers merged, and everything that is wrong with any of them.
pub(super) struct Layers {
    pub(super) merged: Figment,
    /// The file among them, if there is one.
    pub(super) file: Option<PathBuf>,
    pub(super) problems: Vec<Problem>,
}

impl Layers {
    pub(super) fn read(
        config: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        let mut layers = Self {
            merged: Figment::new(),
            file: None,
            problems: Vec::new(),
        };
        layers.add_toml(Path::new(DEFAULTS_NAME), DEFAULTS)?;
        if let Some(text) = read_file(config)? {
            let path = config.unwrap_or(Path::new(CONFIG_FILE));
            layers.add_toml(path, &text)?;
            layers.file = Some(path.to_owned());
        }
        for (name, text) in env {
            layers.add_variable(&name, &text);
        }
        Ok(layers)
    }

    fn add_toml(&mut self, path: &Path, text: &str) -> Result<(), SettingsError> {
        let table = parse_toml(path, text)?;
        let origin = path.display().to_string();
        let values = self.admit_table("", &table, &origin);
        self.merge(origin, values);
        Ok(())
    }

    fn admit_table(&mut self, section: &str, table: &toml::Table, origin: &str) -> Dict {
        let mut values = Dict::new();
        for (name, given) in table {
            let path = join(section, name);
            match self.admit_entry(&path, given, origin) {
                Ok(value) => {
                    values.insert(name.clone(), value);
                }
                Err(complaint) => self
                    .problems
                    .push(Problem::in_file(&path, origin, complaint)),
            }
        }
        values
    }

    fn admit_entry(
        &mut self,
        path: &str,
        given: &toml::Value,
        origin: &str,
    ) -> Result<Value, String> {
        if let Some(key) = schema::find(path) {
            return key
                .kind
                .admit(given)
                .map_err(|expected| format!("expected {expected}"));
        }
        match given {
            toml::Value::Table(table) if schema::is_section(path) => {
                Ok(Value::from(self.admit_table(path, table, origin)))
            }
            _ if schema::is_section(path) => Err(format!("expected a section, [{path}]")),
            _ => Err(unknown(path, |nearest| format!("`{nearest}`"))),
        }
    }

    /// Every `TANDIAN_` variable is meant for us: an unknown one is a typing error.
    fn add_variable(&mut self, name: &str, text: &str) {
        let Some(tail) = name.strip_prefix(VARIABLE_PREFIX) else {
            return;
        };
        let is_for_tests = cfg!(debug_assertions) && name == FAIL_POINT_VARIABLE;
        if name == CONFIG_VARIABLE || is_for_tests {
            return;
        }
        let path = tail.to_lowercase().replace("__", ".");
        let Some(key) = schema::find(&path) else {
            let complaint = unknown(&path, variable_name);
            return self.problems.push(Problem::in_variable(name, complaint));
        };
        match key.kind.admit_text(text) {
            Ok(value) => {
                let values = figment::util::nest(&path, value).into_dict();
                self.merge(
                    name.to_owned(),
                    values.unwrap_or_default().into_iter().collect(),
                );
            }
            Err(expected) => {
                let complaint = format!("expected {expected}");
                self.problems.push(Problem::in_variable(name, complaint));
            }
        }
    }

    fn merge(&mut self, origin: String, values: Dict) {
        self.merged = std::mem::take(&mut self.merged).merge(Layer { origin, values });
    }
}

/// A file that was named must be there; the usual one may be absent.
fn read_file(config: Option<&Path>) -> Result<Option<String>, SettingsError> {
    let path = config.unwrap_or(Path::new(CONFIG_FILE));
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if config.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}

fn parse_toml(path: &Path, text: &str) -> Result<toml::Table, SettingsError> {
    text.parse().map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        SettingsError::Syntax {
            path: path.to_owned(),
            line: text[..start].matches('\n').count() + 1,
            message: error.message().replace('\n', ", "),
        }
    })
}

/// Settings of earlier versions, and what to do about them.
const REMOVED: [(&str, &str); 1] = [(
    "session.l1_ms",
    "this setting is gone, because sessions stay in memory until Redis reports a change; delete it, and see \
     `session.memory_mib` for how much memory they may use (0 asks Redis every time)",
)];

fn unknown(path: &str, show: impl Fn(&str) -> String) -> String {
    if let Some((_, what_to_do)) = REMOVED.iter().find(|(removed, _)| *removed == path) {
        return (*what_to_do).to_owned();
    }
    match nearest_key(path) {
        Some(nearest) => format!("there is no such setting; did you mean {}?", show(nearest)),
        None => "there is no such setting; `tandian settings` lists all".to_owned(),
    }
}

fn variable_name(path: &str) -> String {
    let tail = path.replace('.', "__").to_uppercase();
    format!("{VARIABLE_PREFIX}{tail}")
}

fn join(section: &str, name: &str) -> String {
    if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    }
}
