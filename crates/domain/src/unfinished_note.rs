//! A note that its author has not published yet, as they left it: nothing has to be there, and a text may still be too long
//! to publish. Only its size is bounded, and its pictures are ours.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::note::{PICTURES_MAX, STARS_MAX, picture_name};
use crate::opinion::Ratings;
use crate::{Mention, ShopId};

/// The most that a person keeps.
pub const DRAFTS_MAX: u32 = 10;

/// Several times what can be published: who pastes too much shortens it later.
pub const TITLE_MAX_CHARS: usize = 1_000;
pub const TEXT_MAX_CHARS: usize = 10_000;

/// Of dishes and of people chosen to be mentioned: more are the work of a machine.
const NAMES_MAX: usize = 50;
const NAME_MAX_CHARS: usize = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedNote {
    pub title: String,
    /// As typed, in lines.
    pub text: String,
    /// Names as they were given at the upload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shop: Option<ShopId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<u8>,
    #[serde(default)]
    pub ratings: Ratings,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dishes: Vec<String>,
    /// Who was chosen; some may not be in the text any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
}

/// Too long, too many, or a picture that is not ours.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the draft is larger than any note")]
pub struct InvalidDraft;

impl UnfinishedNote {
    pub fn checked(mut self) -> Result<Self, InvalidDraft> {
        self.pictures = own_pictures(&self.pictures).ok_or(InvalidDraft)?;
        let fits = self.title.chars().count() <= TITLE_MAX_CHARS
            && self.text.chars().count() <= TEXT_MAX_CHARS
            && self.dishes.len() <= NAMES_MAX
            && self.mentions.len() <= NAMES_MAX;
        let names = self.mentions.iter().map(|mention| &mention.name);
        let are_short = self
            .dishes
            .iter()
            .chain(names)
            .all(|name| name.chars().count() <= NAME_MAX_CHARS);
        let ratings = self.ratings.into_array();
        let are_rated = ratings.into_iter().chain([self.stars]).flatten();
        let are_allowed = are_rated
            .into_iter()
            .all(|stars| (1..=STARS_MAX).contains(&stars));
        (fits && are_short && are_allowed)
            .then_some(self)
            .ok_or(InvalidDraft)
    }
}

/// The same one once.
fn own_pictures(addresses: &[String]) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for address in addresses {
        let name = picture_name(address)?;
        if names.contains(&name) {
            continue;
        }
        // Before the list can grow: a machine may name very many.
        if names.len() == PICTURES_MAX {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aspects, UserId};

    fn is_kept(change: impl FnOnce(&mut UnfinishedNote)) -> bool {
        let mut note = UnfinishedNote::default();
        change(&mut note);
        note.checked().is_ok()
    }

    #[test]
    fn nothing_has_to_be_there() {
        assert!(is_kept(|_| ()));
    }

    #[test]
    fn texts_may_be_too_long_to_publish_but_not_without_bound() {
        assert!(is_kept(|note| note.title = "字".repeat(TITLE_MAX_CHARS)));
        assert!(!is_kept(
            |note| note.title = "字".repeat(TITLE_MAX_CHARS + 1)
        ));
        assert!(is_kept(|note| note.text = "字".repeat(TEXT_MAX_CHARS)));
        assert!(!is_kept(|note| note.text = "字".repeat(TEXT_MAX_CHARS + 1)));
    }

    #[test]
    fn lists_are_bounded() {
        let dish = |chars: usize| "面".repeat(chars);
        assert!(is_kept(
            |note| note.dishes = vec![dish(NAME_MAX_CHARS); NAMES_MAX]
        ));
        assert!(!is_kept(|note| note.dishes = vec![dish(1); NAMES_MAX + 1]));
        assert!(!is_kept(|note| note.dishes = vec![dish(NAME_MAX_CHARS + 1)]));
        let person = |chars: usize| Mention {
            user: UserId::new(1),
            name: "名".repeat(chars),
        };
        assert!(!is_kept(
            |note| note.mentions = vec![person(1); NAMES_MAX + 1]
        ));
        assert!(!is_kept(
            |note| note.mentions = vec![person(NAME_MAX_CHARS + 1)]
        ));
    }

    #[test]
    fn stars_and_ratings_are_one_to_five() {
        for wrong in [0, 6, 255] {
            assert!(!is_kept(|note| note.stars = Some(wrong)), "{wrong}");
            let service = Some(wrong);
            assert!(!is_kept(|note| note.ratings = Aspects {
                service,
                ..Default::default()
            }));
        }
        assert!(is_kept(|note| note.stars = Some(5)));
    }

    #[test]
    fn pictures_are_ours_and_known_by_their_name() {
        let address = |text: &str| text.to_owned();
        let note = UnfinishedNote {
            pictures: vec![
                address("/imgs/blogs/3/9/a.webp"),
                address("/blogs/3/9/a.webp"),
            ],
            ..Default::default()
        };
        assert_eq!(note.checked().unwrap().pictures, ["/blogs/3/9/a.webp"]);
        for wrong in ["https://evil.example/a.webp", "/imgs/icons/a.webp", ""] {
            assert!(!is_kept(|note| note.pictures = vec![address(wrong)]));
        }
        let ten = (0..=9).map(|n| format!("/blogs/0/0/{n}.webp")).collect();
        assert!(!is_kept(|note| note.pictures = ten));
    }
}
