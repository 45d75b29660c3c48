//! Texts that are harmless wherever they are printed, even as HTML by clients of the original.
//!
//! A harmless text has no `<` and no `>`, except in the `<br>` of a note's content: angle brackets become their
//! full-width forms, which browsers do not interpret. So it needs no escaping and reads the same, printed raw or escaped.
//!
//! Notes and comments are sanitised: tags are removed, scripts and styles with their content. [`content`] and [`plain`] do
//! it before a text is stored. The `shown_` functions do it to what is read, because an adopted database, or a person
//! with an SQL client, stores anything. They return a harmless text as it is, without an allocation, and they lose no
//! meaning: a name that looks like a tag stays readable, and the stored row is not changed.

use std::collections::HashSet;

use ammonia::Builder;

/// More than any text that fits, whatever markup is around it; a parser should not see more.
const RAW_MAX_BYTES: usize = 32 * 1024;

/// Shown for a text that is all markup, so that there is something to see and to click.
const NOTHING_LEFT: &str = "…";

const LINE_BREAK: &str = "<br>";

/// A content: plain text and `<br>`. Nothing of one that is far too long.
pub fn content(raw: &str) -> String {
    if raw.len() > RAW_MAX_BYTES {
        return String::new();
    }
    sanitised(raw)
}

/// One line of plain text.
pub fn plain(raw: &str) -> String {
    one_line(content(raw))
}

/// A stored content, as [`content`] would have stored it.
pub fn shown_content(stored: String) -> String {
    let is_kept = |c| matches!(c, '\n' | '\t');
    if stored
        .split(LINE_BREAK)
        .all(|part| is_harmless(part, is_kept))
        && !has_reference(&stored)
    {
        return stored;
    }
    sanitised_or_neutral(&stored)
}

/// A stored title or comment, as [`plain`] would have stored it.
pub fn shown_plain(stored: String) -> String {
    if is_harmless(&stored, |_| false) && !has_reference(&stored) {
        return stored;
    }
    one_line(sanitised_or_neutral(&stored))
}

/// A stored name or place. Pages print it as text, so tags in it are its words and stay, with full-width brackets.
pub fn shown_name(stored: String) -> String {
    if is_harmless(&stored, |_| false) {
        return stored;
    }
    one_line(neutral(&stored))
}

/// A stored text of several lines, such as an introduction. As [`shown_name`], and `<br>` is the end of a line.
pub fn shown_lines(stored: String) -> String {
    if is_harmless(&stored, |c| matches!(c, '\n' | '\t')) {
        return stored;
    }
    neutral(&with_line_breaks(&stored).replace(LINE_BREAK, "\n"))
}

fn one_line(text: String) -> String {
    text.replace(LINE_BREAK, " ").replace(['\n', '\t'], " ")
}

/// A text that is too long for the parser, or that the parser leaves nothing of, is still shown as something.
fn sanitised_or_neutral(stored: &str) -> String {
    if stored.len() > RAW_MAX_BYTES {
        return neutral(stored);
    }
    let text = sanitised(stored);
    let is_blank = |text: &str| text.replace(LINE_BREAK, "").trim().is_empty();
    if is_blank(&text) && !is_blank(stored) {
        return NOTHING_LEFT.to_owned();
    }
    text
}

fn sanitised(raw: &str) -> String {
    let text = without_markup(raw);
    // Printed raw, what still looks like a character reference would change once more.
    if has_reference(&text) && without_markup(&text) != text {
        return without_references(&text);
    }
    text
}

fn without_markup(raw: &str) -> String {
    let raw: String = raw.chars().filter(|c| !is_dropped(*c)).collect();
    let html = Builder::empty()
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tags(HashSet::from(["br"]))
        .clean(&raw)
        .to_string();
    without_entities(&html)
}

/// The sanitiser escapes these four and no others. The ampersand is last: what it uncovers is text, not an entity.
fn without_entities(html: &str) -> String {
    html.replace("&lt;", "＜")
        .replace("&gt;", "＞")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&")
}

/// Every angle bracket in its full-width form, without a look at what it is part of.
fn neutral(raw: &str) -> String {
    let kept = raw.chars().filter(|c| !is_dropped(*c));
    kept.map(|c| match c {
        '<' => '＜',
        '>' => '＞',
        '\u{A0}' => ' ',
        c => c,
    })
    .collect()
}

/// `<br/>`, `<BR />` and the like, written `<br>`.
fn with_line_breaks(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        text.push_str(before);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let name = tag[1..end].trim_end_matches('>').trim_end_matches('/');
        if end > 1 && tag[..end].ends_with('>') && name.trim().eq_ignore_ascii_case("br") {
            text.push_str(LINE_BREAK);
            rest = &tag[end..];
        } else {
            text.push('<');
            rest = &tag[1..];
        }
    }
    text.push_str(rest);
    text
}

/// Whether nothing would be changed, apart from character references. `is_kept` names the control characters that may
/// stay.
fn is_harmless(text: &str, is_kept: impl Fn(char) -> bool) -> bool {
    !text.chars().any(|c| match c {
        '<' | '>' | '\u{A0}' | '\u{FEFF}' => true,
        c if c.is_control() => !is_kept(c),
        c => turns(c),
    })
}

/// Whether an ampersand may begin a character reference, such as `&lt;` or `&#60;`.
fn has_reference(text: &str) -> bool {
    let mut ampersands = text.match_indices('&');
    ampersands.any(|(at, _)| begins_reference(&text[at + 1..]))
}

fn begins_reference(after: &str) -> bool {
    after.starts_with(|c: char| c == '#' || c.is_ascii_alphabetic())
}

fn without_references(text: &str) -> String {
    let mut parts = text.split('&');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push(if begins_reference(part) { '＆' } else { '&' });
        kept.push_str(part);
    }
    kept
}

/// Control characters other than the ends of lines, and what reverses a text. A byte order mark shows nothing either.
fn is_dropped(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || turns(c) || c == '\u{FEFF}'
}

/// Whether it reverses the text after it, so that readers would see something else than what is stored.
fn turns(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
