//! Short display texts: names, titles, places.
//!
//! Names that look alike must be equal, and a name must be visible. So invisible characters and directional controls
//! are refused: with them a user could imitate another name or reverse a price. Emoji are kept, with joiners between
//! two of them.

/// Whether this is one line of at most `max_chars` without invisible or reordering characters. It may be empty.
pub(crate) fn is_line(text: &str, max_chars: usize) -> bool {
    text.chars().count() <= max_chars && !text.chars().any(char::is_control) && !hides(text)
}

/// As [`is_line`], and not blank.
pub(crate) fn is_name(text: &str, max_chars: usize) -> bool {
    is_line(text, max_chars) && text.chars().any(is_seen)
}

/// Whether the character is visible by itself.
pub(crate) fn is_seen(c: char) -> bool {
    !c.is_control()
        && !c.is_whitespace()
        && !is_invisible(c)
        && !is_mark(c)
        && !matches!(c, JOINER | EMOJI_STYLE | KEYCAP)
}

/// Whether the text has invisible or reordering characters.
pub(crate) fn hides(text: &str) -> bool {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let hidden = match c {
            JOINER => {
                !(before.is_some_and(is_of_emoji) && rest.peek().copied().is_some_and(is_emoji))
            }
            EMOJI_STYLE => !(before.is_some_and(is_emoji) || rest.peek() == Some(&KEYCAP)),
            c => is_invisible(c),
        };
        if hidden {
            return true;
        }
        before = Some(c);
    }
    false
}

/// Joins two emoji into one picture; anywhere else it shows nothing.
const JOINER: char = '\u{200D}';
/// Asks for the coloured form of the emoji before it.
const EMOJI_STYLE: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';

/// Characters of Unicode's `Default_Ignorable_Code_Point`, the directional controls, separators of lines and
/// paragraphs, and the two that are letters and look like nothing.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200C}' | '\u{200E}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0E}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Marks that are drawn over the character before them.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{302A}'..='\u{302F}' | '\u{3099}'..='\u{309A}'
        | '\u{FE20}'..='\u{FE2F}')
}

/// The blocks that emoji come from, and the few that stand alone.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{00A9}' | '\u{00AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}' | '\u{25A0}'..='\u{27BF}'
        | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}'
        | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

fn is_of_emoji(c: char) -> bool {
    is_emoji(c) || c == EMOJI_STYLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_people_have_are_names() {
        for name in [
            "可可今天不吃肉",
            "O'Brien",
            "Ünal Žižek",
            "محمد",
            "เอ",
            "हिन्दी",
            "👨‍👩‍👧‍👦",
            "🏳️‍🌈 火锅",
            "❤️",
            "1️⃣",
            "👍🏽",
            "e\u{301}te\u{301}",
            "a b",
        ] {
            assert!(is_name(name, 32), "{name:?}");
        }
    }

    #[test]
    fn what_is_not_shown_or_turns_the_rest_around_is_refused() {
        for c in [
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{115F}',
            '\u{180E}',
            '\u{200B}',
            '\u{200C}',
            '\u{200E}',
            '\u{200F}',
            '\u{2028}',
            '\u{202A}',
            '\u{202E}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{206F}',
            '\u{2800}',
            '\u{3164}',
            '\u{FE00}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFFB}',
            '\u{E0041}',
            '\u{E0100}',
            '\u{0}',
            '\u{7F}',
            '\u{85}',
        ] {
            assert!(!is_line(&format!("a{c}b"), 32), "{:x}", u32::from(c));
            assert!(!is_line(&c.to_string(), 32), "{:x}", u32::from(c));
        }
    }

    #[test]
    fn a_joiner_joins_two_emoji_and_nothing_else() {
        for name in [
            "a\u{200D}b",
            "a\u{200D}👨",
            "\u{200D}",
            "👨\u{200D}",
            "\u{200D}👨",
            "👨\u{200D}a",
            "店\u{FE0F}",
            "\u{FE0F}",
        ] {
            assert!(!is_line(name, 32), "{name:?}");
        }
    }

    #[test]
    fn a_name_of_marks_and_spaces_alone_is_none() {
        for name in ["", " ", "\u{3000}", "\u{301}", " \u{20DD} ", "\u{2003}"] {
            assert!(!is_name(name, 32), "{name:?}");
        }
    }
}
