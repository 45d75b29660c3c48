//! Which paths belong to the API.

const API: &str = "/api";

/// Whether the API alone may answer requests for this path.
pub(in crate::http) fn is_api_path(path: &str) -> bool {
    below_api(path).is_some()
}

/// The path without its leading `/api`; `None` for paths outside the API.
pub(in crate::http) fn below_api(path: &str) -> Option<&str> {
    let below = path.strip_prefix(API);
    below.filter(|below| below.is_empty() || below.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_only_begin_like_the_api_are_outside_it() {
        assert!(["/api", "/api/", "/api/x/y"].into_iter().all(is_api_path));
        assert!(!["/", "/apis", "/x/api"].into_iter().any(is_api_path));
        assert_eq!(below_api("/api/x/y"), Some("/x/y"));
    }
}
