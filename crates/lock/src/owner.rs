//! Who holds a re-entrant lock, in whichever process: [`Owner`].

use std::{fmt, sync::Arc};

/// The owner of a [`ReentrantMutex`](crate::ReentrantMutex): a text that stands in Redis beside the lock.
///
/// Whoever names the same owner may enter while the owner holds the lock: another task, another process that got the text
/// with a message, the same job after a restart. So take a text that means one unit of work, such as an order number, or a
/// [random](Self::random) one that is passed on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner(Arc<str>);

impl Owner {
    /// An owner with this text.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(text.as_ref().into())
    }

    /// An owner that nobody else is: 128 random bits in hex.
    pub fn random() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()).into())
    }

    /// Its text, to be passed on.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Owner {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Owner {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&Self> for Owner {
    fn from(owner: &Self) -> Self {
        owner.clone()
    }
}
