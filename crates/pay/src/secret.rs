//! Text that must not be seen: it has no way to print its content by accident.

use std::fmt;

/// A key; prints as `***`, and only `expose` tells.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_prints_itself() {
        let secret = Secret::new("MIIEvQ");
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(secret.expose(), "MIIEvQ");
    }
}
