//! Topics of a note: `#西湖夜宵#`, or `#word` up to the next space.
//!
//! A topic has one key, in the form of the search, so that `#KTV#` and `#ｋｔｖ` are the same; what a reader sees is what was
//! written. The grammar is pure: the same text has the same topics wherever it is read.

use crate::search::searched;

/// Of a note; the others are text.
pub const TOPICS_MAX: usize = 5;

pub const TOPIC_MAX_CHARS: usize = 20;

/// Lower case may be longer than what was written; longer ones are none.
const KEY_MAX_CHARS: usize = 40;

const SIGNS: [char; 2] = ['#', '＃'];

/// These end a word wherever they are. The signs of ASCII are parts of words, such as `C++`, except at the end.
const MARKS: [char; 10] = ['，', '。', '！', '？', '、', '；', '：', '）', '”', '…'];
const MARKS_AT_END: [char; 9] = [',', '.', '!', '?', ';', ':', ')', '"', '\''];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    key: String,
    name: String,
}

impl Topic {
    /// `None` for what no note can have as a topic.
    pub fn parse(name: &str) -> Option<Self> {
        let chars = name.chars().count();
        let is_apart = |c: char| SIGNS.contains(&c) || matches!(c, '/' | '\\' | '<' | '>' | '@');
        if name.trim() != name || chars > TOPIC_MAX_CHARS || name.contains(is_apart) {
            return None;
        }
        let key = searched(name);
        let fits = (1..=KEY_MAX_CHARS).contains(&key.chars().count());
        fits.then(|| Self {
            key,
            name: name.to_owned(),
        })
    }

    /// What tells topics apart.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// As it was written, without its signs.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The first topics of a note's content, which is plain text and `<br>`; each once, as it was written first.
pub fn topics_of(content: &str) -> Vec<Topic> {
    let mut topics: Vec<Topic> = Vec::new();
    let lines = content.split("<br>").flat_map(str::lines);
    for topic in lines.flat_map(topics_of_line) {
        let is_new = topics.iter().all(|it| it.key != topic.key);
        if is_new && topics.len() < TOPICS_MAX {
            topics.push(topic);
        }
    }
    topics
}

fn topics_of_line(line: &str) -> Vec<Topic> {
    let mut topics = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find(SIGNS) {
        let at = from + at;
        from = at + sign_bytes(&line[at..]);
        if line[..at].ends_with(joins) {
            continue;
        }
        if let Some((topic, bytes)) = topic_at(&line[from..]) {
            topics.push(topic);
            from += bytes;
        }
    }
    topics
}

/// The topic whose sign is before the text, and how much of the text is its own.
fn topic_at(text: &str) -> Option<(Topic, usize)> {
    if let Some(end) = text.find(SIGNS)
        && let Some(topic) = Topic::parse(&text[..end])
    {
        return Some((topic, end + sign_bytes(&text[end..])));
    }
    let is_end = |c: char| c.is_whitespace() || SIGNS.contains(&c) || MARKS.contains(&c);
    let end = text.find(is_end).unwrap_or(text.len());
    // A sign that closes nothing is not the end of a word, but the begin of the next topic or of nothing.
    let word = text[..end].trim_end_matches(MARKS_AT_END);
    Topic::parse(word).map(|topic| (topic, word.len()))
}

/// Whether a sign after it is part of an address, a number or a reference.
fn joins(before: char) -> bool {
    before.is_ascii_alphanumeric() || matches!(before, '/' | '&' | '=')
}

fn sign_bytes(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(content: &str) -> Vec<String> {
        let topics = topics_of(content);
        topics.iter().map(|it| it.name().to_owned()).collect()
    }

    #[test]
    fn a_topic_is_closed_by_its_sign_or_by_a_space() {
        assert_eq!(names("去了#西湖夜宵#，好吃"), ["西湖夜宵"]);
        assert_eq!(names("#citywalk 走起"), ["citywalk"]);
        assert_eq!(names("#citywalk"), ["citywalk"]);
        assert_eq!(names("＃西湖 夜宵＃"), ["西湖 夜宵"]);
        assert_eq!(names("#one #two"), ["one", "two"]);
        assert_eq!(names("#一##二#三"), ["一", "二"]);
        assert_eq!(names("#好吃，真的"), ["好吃"]);
        assert_eq!(names("I love #C++."), ["C++"]);
        assert_eq!(names("#一<br>#二\n#三"), ["一", "二", "三"]);
    }

    #[test]
    fn what_is_no_topic_is_text() {
        let long = format!("#{}#", "字".repeat(TOPIC_MAX_CHARS + 1));
        for text in [
            "",
            "#",
            "##",
            "# #",
            "#，#",
            "# 西湖",
            "第1#桌",
            "C#",
            "a.cn/#top",
            "&#39;",
            &long,
            "#a/b#",
            "#🔥#",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        assert_eq!(
            names(&format!("#{}#", "字".repeat(TOPIC_MAX_CHARS))).len(),
            1
        );
    }

    #[test]
    fn case_and_width_do_not_count_and_the_first_spelling_is_shown() {
        assert_eq!(names("#KTV# #ｋｔｖ# #Ktv"), ["KTV"]);
        assert_eq!(Topic::parse("ＫＴＶ").unwrap().key(), "ktv");
    }

    #[test]
    fn a_note_has_five_topics_at_most() {
        assert_eq!(names("#a #b #c #a #d #e #f"), ["a", "b", "c", "d", "e"]);
    }

    proptest! {
        #[test]
        fn topics_are_few_short_different_and_in_the_text(content in "[#＃ab西湖 ，.\n]{0,60}") {
            let topics = topics_of(&content);
            prop_assert!(topics.len() <= TOPICS_MAX);
            for (place, topic) in topics.iter().enumerate() {
                prop_assert!((1..=TOPIC_MAX_CHARS).contains(&topic.name().chars().count()));
                prop_assert!(!topic.key().is_empty());
                prop_assert!(content.contains(topic.name()));
                prop_assert!(topics[..place].iter().all(|it| it.key() != topic.key()));
                prop_assert_eq!(Topic::parse(topic.name()), Some(topic.clone()));
            }
        }

        #[test]
        fn a_closed_name_is_its_topic(name in "[a-z西湖]{1,20}", rest in "[a-z西湖 ]{0,9}") {
            prop_assert_eq!(&topics_of(&format!("#{name}#{rest}"))[0].name, &name);
            prop_assert_eq!(&topics_of(&format!("{rest} #{name} "))[0].name, &name);
        }

        #[test]
        fn any_text_can_be_read(content in ".{0,200}") {
            topics_of(&content);
        }
    }
}
