//! Favourite shops, the lists that a person keeps them in, and favourite notes, which are in no list.
//!
//! Every person has a list without a name, "Want to try", whose id is 0; others are named.

use thiserror::Error;

use crate::Id;
use crate::text::is_name;

/// Marks a list of favourites; never constructed.
#[derive(Debug)]
pub enum FavouriteList {}

pub type FavouriteListId = Id<FavouriteList>;

/// The list that everybody has.
pub const WANT_TO_TRY: FavouriteListId = FavouriteListId::new(0);

pub const LIST_NAME_MAX_CHARS: usize = 20;

/// What fits a menu; the list that everybody has does not count.
pub const LISTS_MAX: u32 = 20;

/// Far more than anybody goes through, and few enough to count at each save.
pub const FAVOURITES_MAX: u32 = 1_000;

/// As for shops.
pub const FAVOURITE_NOTES_MAX: u32 = 1_000;

/// A name of a list that its owner can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListName(String);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the name of a list must have 1 to {LIST_NAME_MAX_CHARS} visible characters")]
pub struct InvalidListName;

impl ListName {
    /// Trims it first.
    pub fn parse(text: &str) -> Result<Self, InvalidListName> {
        let name = text.trim();
        match is_name(name, LIST_NAME_MAX_CHARS) {
            true => Ok(Self(name.to_owned())),
            false => Err(InvalidListName),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_name_that_is_seen() {
        let longest = "面".repeat(LIST_NAME_MAX_CHARS);
        let name = ListName::parse(&format!(" {longest} ")).unwrap();
        assert_eq!(name.as_str(), longest);
        for bad in ["", "  ", "a\nb", &format!("{longest}面")] {
            assert_eq!(ListName::parse(bad), Err(InvalidListName), "{bad:?}");
        }
    }
}
