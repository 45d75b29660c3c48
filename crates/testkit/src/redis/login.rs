//! User and password of a private Redis, and their form in a URL.

/// A password, of the default user unless another is named. Both keep to URL-safe characters.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) user: Option<String>,
    pub(super) password: String,
}

impl Login {
    /// `user:password@`, as it stands before a host.
    pub(super) fn before_host(&self) -> String {
        let user = self.user.as_deref().unwrap_or_default();
        format!("{user}:{}@", self.password)
    }

    /// `?user=…&pass=…`, as it stands after the path of a socket.
    pub(super) fn after_path(&self) -> String {
        let user = self.user.as_ref();
        let user = user.map_or_else(String::new, |user| format!("user={user}&"));
        format!("?{user}pass={}", self.password)
    }
}
