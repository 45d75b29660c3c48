//! Who is mentioned in a note or a comment that is written.
//!
//! A client sends the ids of those whom its author chose, beside the text. Here they become mentions: people who exist, may be
//! mentioned, and whose name is in the text. Of the others the text stays what it is, a text: an author who took a name out
//! of it again, or chose somebody who left meanwhile, has nothing to repair.

use std::collections::HashSet;

use domain::mention::mentioned_in;
use domain::{Mention, UserId, harmless};
use storage::mentions;

use crate::{App, Error};

/// The people whom a client names, each once; `None` if they are more than a text may mention.
pub(crate) fn distinct(chosen: &[UserId], max: usize) -> Option<Vec<UserId>> {
    let mut seen = HashSet::new();
    let mut people = Vec::new();
    for user in chosen {
        if seen.insert(*user) {
            people.push(*user);
        }
        if people.len() > max {
            return None;
        }
    }
    Some(people)
}

/// What a key of a request covers of the people chosen; nothing of nobody, as in versions that did not know.
pub(crate) fn as_said(chosen: &[UserId]) -> Option<String> {
    let ids: Vec<String> = chosen.iter().map(UserId::to_string).collect();
    (!ids.is_empty()).then(|| format!("mentions {}", ids.join(",")))
}

/// The mentions of an author's text. Those that it has `already` keep the name that it was written with.
pub(crate) async fn resolve(
    app: &App,
    author: UserId,
    text: &str,
    chosen: &[UserId],
    already: &[Mention],
) -> Result<Vec<Mention>, Error> {
    let known = |user: &UserId| already.iter().find(|it| it.user == *user);
    let new: Vec<UserId> = chosen
        .iter()
        .copied()
        .filter(|it| known(it).is_none())
        .collect();
    // The one place where it is decided whom an author may mention.
    let new = mentions::list_mentionable(app.db(), author, &new).await?;
    let by_id = |user: &UserId| known(user).or_else(|| new.iter().find(|it| it.user == *user));
    let people: Vec<Mention> = chosen.iter().filter_map(by_id).map(as_written).collect();
    Ok(mentioned_in(text, &people))
}

/// The name as it is in a text that was cleaned.
fn as_written(mention: &Mention) -> Mention {
    Mention {
        user: mention.user,
        name: harmless::plain(&mention.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_who_is_chosen_twice_counts_once() {
        let chosen = [1, 2, 1, 2, 2].map(UserId::new);
        assert_eq!(distinct(&chosen, 2), Some([1, 2].map(UserId::new).to_vec()));
        assert_eq!(distinct(&chosen, 1), None);
        assert_eq!(distinct(&[], 0), Some(Vec::new()));
    }
}
