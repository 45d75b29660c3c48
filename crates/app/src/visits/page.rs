//! The counted pages and their names in Redis, in SQL and on the wire.

use std::fmt;
use std::str::FromStr;

use domain::{NoteId, ShopId};
use thiserror::Error;

/// A page of the site. The names are stored: they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VisitedPage {
    /// All pages together.
    Site,
    Home,
    ShopList,
    Shop(ShopId),
    Note(NoteId),
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("expected site, home, shop-list, shop:<id> or note:<id>")]
pub struct UnknownPage;

const SITE: &str = "site";
const HOME: &str = "home";
const SHOP_LIST: &str = "shop-list";
const SHOP: &str = "shop:";
const NOTE: &str = "note:";

impl fmt::Display for VisitedPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site => f.write_str(SITE),
            Self::Home => f.write_str(HOME),
            Self::ShopList => f.write_str(SHOP_LIST),
            Self::Shop(id) => write!(f, "{SHOP}{id}"),
            Self::Note(id) => write!(f, "{NOTE}{id}"),
        }
    }
}

impl FromStr for VisitedPage {
    type Err = UnknownPage;

    fn from_str(text: &str) -> Result<Self, UnknownPage> {
        match text {
            SITE => Ok(Self::Site),
            HOME => Ok(Self::Home),
            SHOP_LIST => Ok(Self::ShopList),
            _ => {
                let id_after = |prefix| text.strip_prefix(prefix).and_then(|id| id.parse().ok());
                let shop = id_after(SHOP).map(|id| Self::Shop(ShopId::new(id)));
                let note = || id_after(NOTE).map(|id| Self::Note(NoteId::new(id)));
                shop.or_else(note).ok_or(UnknownPage)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_page() {
        let shop = VisitedPage::Shop(ShopId::new(i64::MAX));
        let note = VisitedPage::Note(NoteId::new(i64::MAX));
        for page in [
            VisitedPage::Site,
            VisitedPage::Home,
            VisitedPage::ShopList,
            shop,
            note,
        ] {
            let name = page.to_string();
            assert_eq!(name.parse(), Ok(page));
            assert!(name.len() <= 64, "{name} must fit its column");
        }
    }

    #[test]
    fn other_names_are_no_pages() {
        for name in ["", "Site", "shop", "shop:", "shop:x", "shop:1:2", "note:"] {
            assert_eq!(name.parse::<VisitedPage>(), Err(UnknownPage), "{name}");
        }
    }
}
