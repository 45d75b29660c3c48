//! What is searched and what is typed, in one form, so that comparing them is comparing text.
//!
//! The form has lower-case letters and digits of usual width. Everything else separates words, except beside a character
//! of a script that is written without spaces: `海底捞火锅（水晶城店）` is one word there, and so is what people type of
//! it. An index of [pairs](body_grams) finds candidates; [`Needle::matches`] decides.

use std::collections::BTreeSet;

/// Longer needles are cut: no shop's name that people type is longer.
pub const NEEDLE_MAX_CHARS: usize = 64;

/// More words than people type; the others are ignored.
const WORDS_MAX: usize = 8;

/// Longer ones are sentences, or the work of a machine.
const COUNTED_CHARS_MAX: usize = 16;
/// Longer runs of digits may be a telephone number or a code.
const COUNTED_DIGITS_MAX: usize = 3;

/// Marks the first character of a name among its grams, and the last one. No text has them: they are no letters.
const BEGIN: char = '\u{2}';
const END: char = '\u{3}';

/// What somebody searches for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needle {
    whole: String,
    words: Vec<String>,
    /// Has a sign of an e-mail address or of a link.
    is_address: bool,
}

/// How well a name fits a needle, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// The name is the needle.
    Whole,
    /// The name has every word of the needle.
    Part,
    None,
}

impl Needle {
    pub fn parse(typed: &str) -> Self {
        let typed: String = typed.trim().chars().take(NEEDLE_MAX_CHARS).collect();
        let parts: Vec<String> = typed.split_whitespace().map(searched).collect();
        let mut words: Vec<String> = Vec::new();
        for word in parts.iter().flat_map(|part| part.split(' ')) {
            let is_new = !word.is_empty() && !words.iter().any(|known| known == word);
            if is_new && words.len() < WORDS_MAX {
                words.push(word.to_owned());
            }
        }
        Self {
            whole: searched(&typed),
            words,
            is_address: typed.contains(['@', '＠', '/', '\\']),
        }
    }

    /// Whether there is nothing to look for: no letter and no digit.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The needle in the form of what is searched.
    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// The needle as a word that may be shown to others: short, and nothing that could be a number or an address of somebody.
    pub fn countable(&self) -> Option<&str> {
        let chars = self.whole.chars().count();
        let mut digits = self.whole.split(|c: char| !c.is_numeric());
        let is_number = digits.any(|run| run.chars().count() > COUNTED_DIGITS_MAX);
        let is_countable =
            (2..=COUNTED_CHARS_MAX).contains(&chars) && !is_number && !self.is_address;
        is_countable.then_some(&self.whole)
    }

    /// Whether each word is in one of the texts.
    pub fn matches<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let texts: Vec<String> = texts.into_iter().map(searched).collect();
        let is_there = |word: &String| texts.iter().any(|text| text.contains(word.as_str()));
        !self.is_empty() && self.words.iter().all(is_there)
    }

    /// Whether it is looked for in names alone: single characters are everywhere in longer texts.
    pub fn is_for_names(&self) -> bool {
        self.words.iter().all(|word| word.chars().count() < 2)
    }

    pub fn name_match(&self, name: &str) -> NameMatch {
        let name = searched(name);
        if self.is_empty() {
            NameMatch::None
        } else if name == self.whole {
            NameMatch::Whole
        } else if self.words.iter().all(|word| name.contains(word.as_str())) {
            NameMatch::Part
        } else {
            NameMatch::None
        }
    }

    /// Grams that every text has in which the needle is: the pairs of its words. A needle of single characters is known by
    /// these, which names alone have among their grams.
    pub fn grams(&self) -> BTreeSet<String> {
        let pairs: BTreeSet<String> = self
            .words
            .iter()
            .flat_map(|word| windows(word, 2))
            .collect();
        if !pairs.is_empty() {
            return pairs;
        }
        self.words
            .iter()
            .flat_map(|word| windows(word, 1))
            .collect()
    }

    /// Grams that every name has which is the needle, whole.
    pub fn whole_grams(&self) -> BTreeSet<String> {
        name_grams(&self.whole)
            .into_iter()
            .filter(|gram| gram.chars().count() == 2)
            .collect()
    }
}

/// The characters and pairs of a name, with its first and last character as such.
pub fn name_grams(name: &str) -> BTreeSet<String> {
    let name = searched(name);
    let mut grams: BTreeSet<String> = runs(&name, 1).chain(runs(&name, 2)).collect();
    let (first, last) = (name.chars().next(), name.chars().next_back());
    grams.extend(first.map(|first| String::from_iter([BEGIN, first])));
    grams.extend(last.map(|last| String::from_iter([last, END])));
    grams
}

/// The pairs of a longer text.
pub fn body_grams(text: &str) -> BTreeSet<String> {
    runs(&searched(text), 2).collect()
}

fn runs(text: &str, length: usize) -> impl Iterator<Item = String> {
    text.split(' ').flat_map(move |run| windows(run, length))
}

fn windows(run: &str, length: usize) -> Vec<String> {
    let run: Vec<char> = run.chars().collect();
    run.windows(length).map(String::from_iter).collect()
}

/// A text in the form in which it is searched.
pub fn searched(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_apart = false;
    for c in text.chars().map(usual_width) {
        if !c.is_alphanumeric() {
            is_apart = true;
            continue;
        }
        let needs_space = |before: char| !is_unspaced(before) && !is_unspaced(c);
        if is_apart && out.chars().next_back().is_some_and(needs_space) {
            out.push(' ');
        }
        is_apart = false;
        out.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
    }
    out
}

/// Full-width forms of ASCII, which Chinese keyboards type.
fn usual_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    }
}

/// Scripts that are written without spaces: Chinese, kana, hangul.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_width_and_punctuation_do_not_count() {
        assert_eq!(searched("ＫＴＶ　星聚会！"), "ktv星聚会");
        assert_eq!(searched("海底捞火锅（水晶城店）"), "海底捞火锅水晶城店");
        assert_eq!(searched("It's  New-York, 吃"), "it s new york吃");
        assert_eq!(searched(" ～🔥\u{0} "), "");
    }

    #[test]
    fn every_word_must_be_somewhere() {
        let needle = Needle::parse(" 火锅　拱墅 ");
        assert!(needle.matches(["海底捞火锅", "拱墅区金华路"]));
        assert!(!needle.matches(["海底捞火锅", "西湖区"]));
        assert!(Needle::parse("new YORK").matches(["York, New"]));
        assert!(Needle::parse("。。").is_empty());
        assert!(!Needle::parse("。。").matches(["。。"]));
    }

    #[test]
    fn a_name_that_is_the_needle_fits_best() {
        let fit = |typed: &str, name: &str| Needle::parse(typed).name_match(name);
        assert_eq!(
            fit("海底捞 水晶城店", "海底捞（水晶城店）"),
            NameMatch::Whole
        );
        assert_eq!(fit("ktv", "星聚会KTV"), NameMatch::Part);
        assert_eq!(fit("水晶城 海底捞", "海底捞（水晶城店）"), NameMatch::Part);
        assert_eq!(fit("火锅", "茶餐厅"), NameMatch::None);
        assert!(NameMatch::Whole < NameMatch::Part && NameMatch::Part < NameMatch::None);
    }

    #[test]
    fn what_matches_has_every_gram_of_the_needle() {
        let name = "Cafe 海底捞火锅(水晶城店)";
        for typed in ["火锅", "CAFE", "cafe 捞火", "捞火锅（水", "a 火锅"] {
            let needle = Needle::parse(typed);
            assert!(needle.matches([name]), "{typed}");
            assert!(needle.grams().is_subset(&name_grams(name)), "{typed}");
            assert!(needle.grams().is_subset(&body_grams(name)), "{typed}");
        }
        let whole = Needle::parse(name);
        assert!(whole.whole_grams().is_subset(&name_grams(name)));
        assert!(
            !Needle::parse("火锅")
                .whole_grams()
                .is_subset(&name_grams(name))
        );
        assert_eq!(
            Needle::parse("锅").grams(),
            BTreeSet::from(["锅".to_owned()])
        );
    }

    #[test]
    fn what_could_name_somebody_is_not_counted() {
        let counted = |typed: &str| Needle::parse(typed).countable().map(str::to_owned);
        assert_eq!(counted(" ＫＴＶ "), Some("ktv".to_owned()));
        assert_eq!(counted("103 茶餐厅"), Some("103茶餐厅".to_owned()));
        let long = "好吃".repeat(9);
        for typed in [
            "面",
            "1390000",
            "张 1390 0000 001",
            "me@x.com",
            "x.com/a",
            &long,
            "。。",
        ] {
            assert_eq!(counted(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_long_needle_is_cut() {
        let needle = Needle::parse(&"好吃".repeat(100));
        assert_eq!(needle.as_str().chars().count(), NEEDLE_MAX_CHARS);
        let words: Vec<String> = (0..20).map(|n| format!("w{n}")).collect();
        assert_eq!(Needle::parse(&words.join(" ")).words.len(), WORDS_MAX);
    }
}
