//! Which of our two languages a client reads.

use app::Language;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// The language the client likes best, if it is English; Chinese otherwise.
pub(super) fn preferred(headers: &HeaderMap) -> Language {
    let wanted = headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let weighted = wanted.split(',').map(|entry| {
        let (tag, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = parameters.trim().strip_prefix("q=");
        let weight: f32 = weight.and_then(|q| q.trim().parse().ok()).unwrap_or(1.0);
        (tag.trim(), weight)
    });
    // `max_by` keeps the last of equals; the header's order decides, so the first must win.
    let best = weighted.reduce(|best, next| if next.1 > best.1 { next } else { best });
    match best {
        Some((tag, _)) if is_english(tag) => Language::English,
        _ => Language::Chinese,
    }
}

fn is_english(tag: &str) -> bool {
    let primary = tag.split('-').next().unwrap_or_default();
    primary.eq_ignore_ascii_case("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(header: &str) -> Language {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, header.parse().unwrap());
        preferred(&headers)
    }

    #[test]
    fn the_best_liked_language_counts() {
        assert_eq!(of("en"), Language::English);
        assert_eq!(of("en-US,en;q=0.9,zh;q=0.8"), Language::English);
        assert_eq!(of("zh-CN,zh;q=0.9,en;q=0.8"), Language::Chinese);
        assert_eq!(of("zh;q=0.3, EN-gb;q=0.7"), Language::English);
    }

    #[test]
    fn anything_else_reads_chinese() {
        for header in ["", "*", "fr", ";;q=x,", "eng"] {
            assert_eq!(of(header), Language::Chinese, "{header}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Language::Chinese);
    }
}
