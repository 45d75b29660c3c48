//! People who are named in a note or a comment: `@` and the name.
//!
//! A mention is a person and the name as the text has it. Names may contain spaces and begin like one another, so a text
//! alone does not say who is meant: the mentions of a text are a list beside it, and a place in the text belongs to the
//! longest name of the list that stands there. Whoever is renamed later stays linked under the name that was written.

use serde::{Deserialize, Serialize};

use crate::UserId;

/// Of a note: more is a list of people, and each of them gets a notice.
pub const NOTE_MENTIONS_MAX: usize = 10;

/// Of a comment.
pub const COMMENT_MENTIONS_MAX: usize = 5;

/// Somebody who is mentioned, under the name that the text has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    pub user: UserId,
    /// Without the `@`.
    pub name: String,
}

/// Those of the people whose name is in the text, in the order of the text. Of two people with the same name the first in
/// the list is the first in the text.
pub fn mentioned_in(text: &str, people: &[Mention]) -> Vec<Mention> {
    let mut found: Vec<usize> = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(['@', '＠']) {
        let (at, sign) = (from + at, first_char_bytes(&text[from + at..]));
        from = at + sign;
        if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        if let Some(person) = named_at(&text[from..], people, &found) {
            from += people[person].name.len();
            if !found.contains(&person) {
                found.push(person);
            }
        }
    }
    found.into_iter().map(|it| people[it].clone()).collect()
}

/// Whose name the text begins with: the longest, and among the same names the first that was not found yet.
fn named_at(text: &str, people: &[Mention], found: &[usize]) -> Option<usize> {
    let stands = |name: &str| {
        !name.is_empty()
            && text
                .strip_prefix(name)
                .is_some_and(|after| !goes_on(name, after))
    };
    let named = (0..people.len()).filter(|it| stands(&people[*it].name));
    named.max_by_key(|it| {
        let is_new = !found.contains(it);
        (people[*it].name.len(), is_new, usize::MAX - it)
    })
}

/// Whether a Latin word of the name continues after it: `@Ann` is not in `@Anna`.
fn goes_on(name: &str, after: &str) -> bool {
    let is_latin = |c: char| c.is_ascii_alphanumeric();
    name.ends_with(is_latin) && after.starts_with(is_latin)
}

fn first_char_bytes(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn people(names: &[&str]) -> Vec<Mention> {
        let person = |(id, name): (i64, &&str)| Mention {
            user: UserId::new(id),
            name: (*name).to_owned(),
        };
        (1..).zip(names).map(person).collect()
    }

    fn found(text: &str, names: &[&str]) -> Vec<i64> {
        let found = mentioned_in(text, &people(names));
        found.into_iter().map(|it| it.user.get()).collect()
    }

    #[test]
    fn the_longest_name_of_the_list_is_meant() {
        let names = ["小满", "小满 天星", "Ann", "Anna"];
        assert_eq!(found("@小满 天星 一起去", &names), [2]);
        assert_eq!(found("@小满 和 @小满 天星", &names), [1, 2]);
        assert_eq!(found("@小满去不去", &names), [1]);
        assert_eq!(found("@Anna, @Ann!", &names), [4, 3]);
        assert_eq!(found("@Annabel", &names), [0; 0]);
        assert_eq!(found("＠Ann", &names), [3]);
    }

    #[test]
    fn a_name_without_its_sign_and_an_address_mention_nobody() {
        for text in ["小满", "@ 小满", "me@小满", "@", "@@", "", "@小"] {
            assert_eq!(found(text, &["小满", ""]), [0; 0], "{text}");
        }
        assert_eq!(found("@@小满", &["小满"]), [1]);
    }

    #[test]
    fn people_of_one_name_are_told_apart_by_their_order() {
        assert_eq!(found("@小满", &["小满", "小满"]), [1]);
        assert_eq!(found("@小满 @小满 @小满", &["小满", "小满"]), [1, 2]);
    }

    proptest! {
        #[test]
        fn whoever_is_found_is_of_the_list_and_once(
            text in "[@＠ab小满 ]{0,24}",
            names in prop::collection::vec("[ab小满 ]{0,3}", 0..6),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let list = people(&names);
            let found = mentioned_in(&text, &list);
            for (place, it) in found.iter().enumerate() {
                prop_assert!(list.contains(it));
                prop_assert!(!found[..place].contains(it));
                let (one, wide) = (format!("@{}", it.name), format!("＠{}", it.name));
                prop_assert!(text.contains(&one) || text.contains(&wide));
            }
        }

        #[test]
        fn what_was_found_alone_finds_itself_again(
            text in "[@ab小满 ]{0,24}",
            names in prop::collection::vec("[ab小满 ]{1,3}", 0..6),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = mentioned_in(&text, &people(&names));
            prop_assert_eq!(mentioned_in(&text, &found), found);
        }
    }
}
