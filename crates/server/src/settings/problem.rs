//! What can be wrong with settings, reported all at once, so that the operator fixes the file in one go.
//!
//! No message holds a value: it might be a password in the wrong place.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::schema::KEYS;

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("cannot read the settings file {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: {message}", path.display())]
    Syntax {
        path: PathBuf,
        line: usize,
        message: String,
    },
    #[error("{0}")]
    Invalid(Problems),
    /// The table of keys and the types disagree: a bug of ours that the tests look for.
    #[error("settings do not fit their types")]
    Shape(#[source] Box<figment::Error>),
}

/// At least one problem, in the order the layers are read.
#[derive(Debug, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The key as the person wrote it, with the place it was written in.
    pub(super) place: String,
    pub(super) complaint: String,
}

impl Problem {
    pub(super) fn in_file(path: &str, origin: &str, complaint: impl Into<String>) -> Self {
        Self {
            place: format!("`{path}` in {origin}"),
            complaint: complaint.into(),
        }
    }

    pub(super) fn in_variable(name: &str, complaint: impl Into<String>) -> Self {
        Self {
            place: name.to_owned(),
            complaint: complaint.into(),
        }
    }
}

impl Problems {
    pub(super) fn none_or(problems: Vec<Problem>) -> Result<(), SettingsError> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(SettingsError::Invalid(Self(problems)))
        }
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(Problem::to_string)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.complaint)
    }
}

/// One problem stays on one line; several are a list.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.0.as_slice() {
            return write!(f, "setting {only}");
        }
        write!(f, "{} settings cannot be used:", self.0.len())?;
        for problem in &self.0 {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

/// The known key nearest to what was written: a typing error first, then the right name in the wrong section.
pub(super) fn nearest_key(written: &str) -> Option<&'static str> {
    let last = last_segment(written);
    let by_typing = KEYS
        .iter()
        .map(|key| key.path.as_str())
        .map(|path| (strsim::damerau_levenshtein(path, written), path))
        .min()
        .filter(|(distance, _)| *distance <= tolerance(written));
    let by_name = || KEYS.iter().find(|key| last_segment(&key.path) == last);
    by_typing
        .map(|(_, path)| path)
        .or_else(|| by_name().map(|key| key.path.as_str()))
}

/// A third of the letters may be wrong; beyond that a suggestion is a guess.
fn tolerance(written: &str) -> usize {
    (written.chars().count() / 3).max(1)
}

fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
