//! Note and comment fields and their bounds.
//!
//! Texts are already sanitised; only their bounds are checked here.

use thiserror::Error;

use crate::opinion::{DISH_MAX_CHARS, DISHES_MAX, Opinion, OpinionDraft};
use crate::profile::is_own_picture;
use crate::text::{hides, is_seen};

/// A submitted note with sanitised texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteDraft {
    pub title: String,
    pub content: String,
    /// A comma list of uploaded pictures, with or without the folder that pages find them in.
    pub images: String,
    pub stars: Option<i64>,
    pub opinion: OpinionDraft,
}

/// A draft within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedNote {
    pub title: String,
    pub content: String,
    /// Names as they were given at the upload.
    pub pictures: Vec<String>,
    pub stars: Option<u8>,
    pub opinion: Opinion,
}

/// A changed note within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedEdit {
    pub title: String,
    pub content: String,
    /// Addresses as pages name them.
    pub addresses: Vec<String>,
    pub stars: Option<u8>,
    pub opinion: Opinion,
}

/// The invalid field; the HTTP layer turns it into words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidNote {
    #[error("the title must have 1 to {TITLE_MAX_CHARS} characters")]
    Title,
    #[error("the content must have 1 to {CONTENT_MAX_CHARS} characters")]
    Content,
    #[error("there must be 1 to {PICTURES_MAX} pictures that the author uploaded")]
    Pictures,
    #[error("there may be 1 to {STARS_MAX} stars")]
    Stars,
    #[error("each rating may be 1 to {STARS_MAX}, of a note with stars")]
    Ratings,
    #[error("there may be {DISHES_MAX} dishes of 1 to {DISH_MAX_CHARS} characters")]
    Dishes,
}

/// Column widths of the original's tables.
pub const TITLE_MAX_CHARS: usize = 255;
pub const CONTENT_MAX_CHARS: usize = 2_048;
pub const COMMENT_MAX_CHARS: usize = 255;
pub const REASON_MAX_CHARS: usize = 255;

/// The most pictures of a note.
pub const PICTURES_MAX: usize = 9;
pub const STARS_MAX: u8 = 5;

/// Where pages find pictures; clients name them with it or without.
const PICTURE_FOLDER: &str = "/imgs";
/// Where pictures of notes are among them.
const NOTE_FOLDER: &str = "/blogs/";

impl NoteDraft {
    pub fn checked(self) -> Result<CheckedNote, InvalidNote> {
        let (title, content) = self.texts()?;
        let pictures = picture_names(&self.images).ok_or(InvalidNote::Pictures)?;
        let stars = self.stars.map(stars).transpose()?;
        Ok(CheckedNote {
            title,
            content,
            pictures,
            stars,
            opinion: self.opinion.checked(stars)?,
        })
    }

    /// As [`NoteDraft::checked`], for a note that has these pictures: they may stay wherever they come from.
    pub fn checked_edit(self, images_before: &str) -> Result<CheckedEdit, InvalidNote> {
        let (title, content) = self.texts()?;
        let addresses = addresses(&self.images, images_before).ok_or(InvalidNote::Pictures)?;
        let stars = self.stars.map(stars).transpose()?;
        Ok(CheckedEdit {
            title,
            content,
            addresses,
            stars,
            opinion: self.opinion.checked(stars)?,
        })
    }

    fn texts(&self) -> Result<(String, String), InvalidNote> {
        let title = fitting(&self.title, TITLE_MAX_CHARS).filter(|title| !hides(title));
        let title = title.ok_or(InvalidNote::Title)?;
        let content = fitting(&self.content, CONTENT_MAX_CHARS).ok_or(InvalidNote::Content)?;
        Ok((title, content))
    }
}

/// Which of several notes with the same key comes first in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TieBreak {
    Newest,
    /// As the original's database lists its rows.
    Oldest,
}

/// A trimmed comment; `None` if it does not fit.
pub fn checked_comment(text: &str) -> Option<String> {
    fitting(text, COMMENT_MAX_CHARS)
}

/// As much of a report's reason as is kept.
pub fn clipped_reason(text: &str) -> String {
    text.trim().chars().take(REASON_MAX_CHARS).collect()
}

/// Not blank and not too long.
fn fitting(text: &str, max_chars: usize) -> Option<String> {
    let text = text.trim();
    let fits = text.chars().count() <= max_chars && text.chars().any(is_seen);
    fits.then(|| text.to_owned())
}

/// One to nine different names. Old pages leave a comma at the end.
fn picture_names(list: &str) -> Option<Vec<String>> {
    distinct(list, picture_name)
}

/// The name of an uploaded picture of a note, given with the folder or without.
pub(crate) fn picture_name(address: &str) -> Option<String> {
    let name = address.strip_prefix(PICTURE_FOLDER).unwrap_or(address);
    let is_ours = name.starts_with(NOTE_FOLDER) && is_own_picture(&in_folder(name));
    is_ours.then(|| name.to_owned())
}

/// One to nine different addresses: of the pictures before, or of uploaded ones.
fn addresses(list: &str, before: &str) -> Option<Vec<String>> {
    distinct(list, |address| {
        let name = address.strip_prefix(PICTURE_FOLDER).unwrap_or(address);
        let ours = in_folder(name);
        let stays = before.split(',').find(|it| *it == address || *it == ours);
        if let Some(stays) = stays {
            return Some(stays.to_owned());
        }
        (name.starts_with(NOTE_FOLDER) && is_own_picture(&ours)).then_some(ours)
    })
}

/// What each entry of a comma list means; `None` if one means nothing, or if there are too many or none.
fn distinct(list: &str, meaning: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let named = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let mut found: Vec<String> = Vec::new();
    for entry in named {
        let meant = meaning(entry)?;
        if found.contains(&meant) || found.len() == PICTURES_MAX {
            return None;
        }
        found.push(meant);
    }
    (!found.is_empty()).then_some(found)
}

fn in_folder(name: &str) -> String {
    format!("{PICTURE_FOLDER}{name}")
}

fn stars(stars: i64) -> Result<u8, InvalidNote> {
    let stars = u8::try_from(stars).ok();
    let allowed = stars.filter(|stars| (1..=STARS_MAX).contains(stars));
    allowed.ok_or(InvalidNote::Stars)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> NoteDraft {
        NoteDraft {
            title: " 好吃 ".to_owned(),
            content: "下次<br>再来".to_owned(),
            images: "/imgs/blogs/3/9/a.webp,/blogs/1/2/b.webp,".to_owned(),
            stars: Some(5),
            opinion: OpinionDraft::default(),
        }
    }

    #[test]
    fn pictures_are_known_by_their_name_with_the_folder_or_without() {
        let checked = draft().checked().unwrap();
        assert_eq!(checked.title, "好吃");
        assert_eq!(checked.pictures, ["/blogs/3/9/a.webp", "/blogs/1/2/b.webp"]);
    }

    #[test]
    fn texts_must_be_there_and_fit() {
        for title in ["", "  ", "\u{3000}", &"字".repeat(TITLE_MAX_CHARS + 1)] {
            let title = title.to_owned();
            let refused = NoteDraft { title, ..draft() }.checked();
            assert_eq!(refused, Err(InvalidNote::Title));
        }
        for content in ["", "\n\n", &"字".repeat(CONTENT_MAX_CHARS + 1)] {
            let content = content.to_owned();
            let refused = NoteDraft { content, ..draft() }.checked();
            assert_eq!(refused, Err(InvalidNote::Content));
        }
        let longest = NoteDraft {
            title: "字".repeat(TITLE_MAX_CHARS),
            content: "字".repeat(CONTENT_MAX_CHARS),
            ..draft()
        };
        assert!(longest.checked().is_ok());
    }

    #[test]
    fn pictures_that_are_not_ours_are_refused() {
        let ten: Vec<String> = (0..=9).map(|n| format!("/blogs/0/0/{n}.webp")).collect();
        let lists = [
            "",
            ",",
            "https://evil.example/a.webp",
            "/imgs/icons/a.webp",
            "/blogs/../icons/a.webp",
            "/blogs/1/2/a.webp\" onerror=\"x",
            "/blogs/1/2/a.webp,/imgs/blogs/1/2/a.webp",
            &ten.join(","),
        ];
        for images in lists {
            let images = images.to_owned();
            let refused = NoteDraft { images, ..draft() }.checked();
            assert_eq!(refused, Err(InvalidNote::Pictures));
        }
        let images = ten[1..].join(",");
        assert!(NoteDraft { images, ..draft() }.checked().is_ok());
    }

    #[test]
    fn pictures_that_a_note_has_may_stay_and_others_must_be_ours() {
        let before = "//pics.example/a.jpg,/imgs/blogs/1/2/a.webp";
        let edited = |images: &str| {
            let images = images.to_owned();
            let edit = NoteDraft { images, ..draft() }.checked_edit(before);
            edit.map(|edit| edit.addresses)
        };
        let all = "/blogs/1/2/a.webp,//pics.example/a.jpg,/blogs/3/4/b.webp";
        assert_eq!(
            edited(all).unwrap(),
            [
                "/imgs/blogs/1/2/a.webp",
                "//pics.example/a.jpg",
                "/imgs/blogs/3/4/b.webp"
            ]
        );
        for wrong in [
            "",
            "//pics.example/b.jpg",
            "/imgs/icons/a.webp",
            "/blogs/1/2/a.webp,/imgs/blogs/1/2/a.webp",
        ] {
            assert_eq!(edited(wrong), Err(InvalidNote::Pictures), "{wrong}");
        }
    }

    #[test]
    fn stars_are_one_to_five() {
        for wrong in [0, 6, -1, i64::MAX] {
            let stars = Some(wrong);
            assert_eq!(
                NoteDraft { stars, ..draft() }.checked(),
                Err(InvalidNote::Stars)
            );
        }
        for stars in [None, Some(1), Some(5)] {
            assert!(NoteDraft { stars, ..draft() }.checked().is_ok());
        }
    }

    #[test]
    fn a_comment_is_trimmed_and_bounded() {
        assert_eq!(checked_comment(" 好 "), Some("好".to_owned()));
        assert_eq!(checked_comment(" \n "), None);
        assert_eq!(checked_comment(&"字".repeat(COMMENT_MAX_CHARS + 1)), None);
    }
}
