//! Hostile texts from the usual collections, ordinary ones, and both together at random.

use proptest::prelude::*;

use super::*;

/// What people try, from the usual collections.
const HOSTILE: [&str; 26] = [
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
    "&amp;amp;lt;script&amp;copy",
    "<x y=\"a>b\"><!-- -->\u{a0}",
];

fn has_no_brackets(text: &str) -> bool {
    !text.replace("<br>", "").contains(['<', '>'])
}

#[test]
fn nothing_hostile_survives() {
    for raw in HOSTILE {
        assert!(
            has_no_brackets(&content(raw)),
            "{raw:?} → {:?}",
            content(raw)
        );
        let title = plain(raw);
        assert!(!title.contains(['<', '>', '\n']), "{raw:?} → {title:?}");
    }
}

#[test]
fn cleaning_twice_changes_nothing_more() {
    for raw in HOSTILE.iter().chain(&["a<br>b\nc", "1 < 2 & 3 > 2"]) {
        let once = content(raw);
        assert_eq!(content(&once), once);
    }
}

#[test]
fn ordinary_texts_stay_as_they_are() {
    let text = "生活就是一半烟火·一半诗意<br>手执烟火谋生活·\n心怀诗意以谋爱 & 🍜 \"x\" 'y'";
    assert_eq!(content(text), text);
    assert_eq!(content("a<br/>b<BR />c<b>d</b>"), "a<br>b<br>cd");
    assert_eq!(content("我 <3 你"), "我 ＜3 你");
    assert_eq!(plain("好吃<br>不贵\n真的"), "好吃 不贵 真的");
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

#[test]
fn what_is_stored_is_shown_as_it_would_be_stored_today() {
    let ordinary = ["a<br>b\nc", "AT&T", "好吃 & 不贵", "a<br/>b", "", " "];
    for raw in HOSTILE.iter().chain(&ordinary) {
        let (title, text) = (plain(raw), content(raw));
        let is_blank = |text: &str| text.replace("<br>", "").trim().is_empty();
        if is_blank(&text) && !is_blank(raw) {
            assert_eq!(shown_content((*raw).to_owned()), "…", "{raw:?}");
            assert_eq!(shown_plain((*raw).to_owned()), "…", "{raw:?}");
        } else {
            assert_eq!(shown_content((*raw).to_owned()), text);
            assert_eq!(shown_plain((*raw).to_owned()), title);
        }
    }
}

#[test]
fn a_harmless_text_is_shown_from_where_it_lies() {
    let text = "生活就是<br>一半烟火 & 一半诗意".to_owned();
    let place = text.as_ptr();
    let shown = shown_content(text);
    assert_eq!(shown.as_ptr(), place);
    for shown in [shown_plain, shown_name, shown_lines] {
        let name = "可可今天不吃肉 🍜 “x” 'y' ＜3".to_owned();
        let place = name.as_ptr();
        let shown = shown(name);
        assert_eq!(shown.as_ptr(), place);
    }
}

#[test]
fn names_keep_their_words() {
    let shown = |text: &str| shown_name(text.to_owned());
    assert_eq!(shown("<VIP>专享"), "＜VIP＞专享");
    assert_eq!(
        shown("<img src=x onerror=alert(1)>"),
        "＜img src=x onerror=alert(1)＞"
    );
    assert_eq!(shown("一\n二\u{202e}三"), "一 二三");
}

#[test]
fn a_line_break_of_any_spelling_ends_a_line() {
    let shown = |text: &str| shown_lines(text.to_owned());
    assert_eq!(shown("一<br>二<br/>三<BR />四\n五"), "一\n二\n三\n四\n五");
    assert_eq!(shown("<br"), "＜br");
    assert_eq!(shown("<brick><"), "＜brick＞＜");
    assert_eq!(content("一<br/>二<BR />三<br >四"), "一<br>二<br>三<br>四");
}

#[test]
fn a_text_that_is_too_long_to_parse_is_shown_without_brackets() {
    let long = format!("{}<img onerror=x>", "字".repeat(RAW_MAX_BYTES));
    let shown = shown_content(long);
    assert!(shown.ends_with("字＜img onerror=x＞"));
}

proptest! {
    #[test]
    fn no_text_is_shown_with_brackets_and_showing_it_twice_changes_nothing(
        raw in "(<|>|&|/|br|<br>|script|amp|lt|;|#60;|[a-z =\"'\n]|烟|\u{a0}|\u{202e}|\u{feff}){0,30}"
    ) {
        for shown in [shown_content, shown_plain, shown_name, shown_lines] {
            let once = shown(raw.clone());
            prop_assert!(has_no_brackets(&once), "{:?}", once);
            prop_assert_eq!(shown(once.clone()), once);
        }
        for stored in [content(&raw), plain(&raw)] {
            prop_assert_eq!(shown_content(stored.clone()), stored);
        }
        prop_assert!(!shown_plain(raw).contains(['<', '\n']));
    }
}
