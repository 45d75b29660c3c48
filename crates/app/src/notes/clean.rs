//! Sanitises texts so that they are safe wherever they are printed, even as HTML by old clients.
//!
//! Tags are removed, scripts and styles with their content. The rest is plain text without angle brackets: they
//! become their full-width forms, which browsers do not interpret. So a text needs no escaping: it contains no `<`,
//! except in the `<br>` of a content.

use std::collections::HashSet;

use ammonia::Builder;

/// More than any text that fits, whatever markup is around it; a parser should not see more.
const RAW_MAX_BYTES: usize = 32 * 1024;

/// A content: plain text and `<br>`. Nothing of one that is far too long.
pub(super) fn content(raw: &str) -> String {
    clean(raw, HashSet::from(["br"]))
}

/// One line of plain text.
pub(crate) fn plain(raw: &str) -> String {
    let clean = clean(raw, HashSet::new());
    clean.replace(['\n', '\t'], " ")
}

fn clean(raw: &str, tags: HashSet<&str>) -> String {
    if raw.len() > RAW_MAX_BYTES {
        return String::new();
    }
    let is_kept = |c: &char| (!c.is_control() || *c == '\n' || *c == '\t') && !turns(*c);
    let raw: String = raw.chars().filter(is_kept).collect();
    let html = Builder::empty()
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tags(tags)
        .clean(&raw)
        .to_string();
    without_entities(&html)
}

/// Whether it reverses the text after it, so that readers would see something else than what is stored.
fn turns(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The sanitiser escapes these four and no others. The ampersand is last: what it uncovers is text, not an entity.
fn without_entities(html: &str) -> String {
    html.replace("&lt;", "＜")
        .replace("&gt;", "＞")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people try, from the usual collections.
    const HOSTILE: [&str; 24] = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<br onclick=alert(1)>",
        "<br/style=\"x:expression(alert(1))\">",
        "<svg/onload=alert(1)>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<iframe srcdoc=\"<script>alert(1)</script>\">",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<<script>alert(1)//<</script>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<!--><img src=x onerror=alert(1)>-->",
        "<![CDATA[<img src=x onerror=alert(1)>]]>",
        "<?xml version=\"1.0\"?><img src=x onerror=alert(1)>",
        "<template><script>alert(1)</script></template>",
        "<plaintext><img src=x onerror=alert(1)>",
        "<textarea></textarea><script>alert(1)</script>",
        "<form><button formaction=javascript:alert(1)>x",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&#60;script&#62;alert(1)&#60;/script&#62;",
        "&amp;lt;script&amp;gt;alert(1)",
        "<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">",
        "<b\0r><scr\0ipt>alert(1)</scr\0ipt>",
        "\u{feff}<ｓcript>alert(1)",
    ];

    fn is_harmless(text: &str) -> bool {
        !text.replace("<br>", "").contains(['<', '>'])
    }

    #[test]
    fn nothing_hostile_survives() {
        for raw in HOSTILE {
            assert!(is_harmless(&content(raw)), "{raw:?} → {:?}", content(raw));
            let title = plain(raw);
            assert!(!title.contains(['<', '>', '\n']), "{raw:?} → {title:?}");
        }
    }

    #[test]
    fn cleaning_twice_changes_nothing_more() {
        for raw in HOSTILE.iter().chain(&["a<br>b\nc", "1 < 2 & 3 > 2"]) {
            let once = content(raw);
            assert!(is_harmless(&content(&once)), "{once:?}");
        }
        assert_eq!(content(&content("1 < 2 & 3 > 2")), content("1 < 2 & 3 > 2"));
    }

    #[test]
    fn ordinary_texts_stay_as_they_are() {
        let text = "生活就是一半烟火·一半诗意<br>手执烟火谋生活·\n心怀诗意以谋爱 & 🍜 \"x\" 'y'";
        assert_eq!(content(text), text);
        assert_eq!(content("a<br/>b<BR />c<b>d</b>"), "a<br>b<br>cd");
        assert_eq!(content("我 <3 你"), "我 ＜3 你");
        assert_eq!(plain("好吃<br>不贵\n真的"), "好吃不贵 真的");
    }

    #[test]
    fn nothing_is_turned_around() {
        assert_eq!(plain("只要 \u{202E}001\u{202C} 元"), "只要 001 元");
        assert_eq!(content("\u{2067}abc\u{2069}<br>d"), "abc<br>d");
    }

    #[test]
    fn nesting_without_end_is_no_trouble() {
        let deep = "<b>".repeat(RAW_MAX_BYTES / 3);
        assert_eq!(content(&deep), "");
        assert_eq!(
            content(&"<br>".repeat(RAW_MAX_BYTES)),
            "",
            "too long to look at"
        );
    }
}
