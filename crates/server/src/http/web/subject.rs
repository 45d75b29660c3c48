//! What a page's address is about, and the card of that.
//!
//! A card costs what reading the thing costs: a shop comes from memory, a note from the query that its readers share, a
//! sale from a list that is a second old at most. A page never waits long for its card: the web app works without.

use std::time::Duration;

use app::{Error, Language, notes, shops, vouchers};
use domain::{NoteId, ShopId, VoucherId};

use super::card::Card;
use crate::http::state::HttpState;

/// How long a page waits for its card; a slower one has that of the site.
const CARD_TIMEOUT: Duration = Duration::from_millis(500);

/// A thing with a page of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Shop(ShopId),
    Note(NoteId),
    Sale(VoucherId),
    /// An id that no shop and no sale can have.
    Nothing,
}

/// What is known of the subject of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Described {
    As(Card),
    /// It does not exist, or nobody may see it.
    Gone,
    /// Nobody could say in time.
    Unknown,
}

impl Subject {
    /// Absent for a page that is about nothing in particular.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let (kind, id) = path.strip_prefix('/')?.split_once('/')?;
        // A page below a subject's own, such as the one that edits a note.
        if id.contains('/') {
            return None;
        }
        let id = id.parse().ok().filter(|id: &i64| *id > 0);
        let subject = match kind {
            "shop" => id.map(ShopId::new).map(Self::Shop),
            "note" => id.map(NoteId::new).map(Self::Note),
            "sale" => id.map(VoucherId::new).map(Self::Sale),
            _ => return None,
        };
        Some(subject.unwrap_or(Self::Nothing))
    }

    pub(super) async fn describe(self, state: &HttpState, language: Language) -> Described {
        let read = tokio::time::timeout(CARD_TIMEOUT, self.card(state, language));
        match read.await {
            Ok(Ok(card)) => Described::As(card),
            Ok(Err(Error::Refused(_))) => Described::Gone,
            Ok(Err(error)) => {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(error, "page served without its card");
                Described::Unknown
            }
            Err(_) => {
                tracing::debug!("page served without its card: timed out");
                Described::Unknown
            }
        }
    }

    async fn card(self, state: &HttpState, language: Language) -> Result<Card, Error> {
        let app = state.app();
        match self {
            Self::Shop(id) => {
                let shop = shops::get(app, id).await?;
                Ok(Card::of_shop(&shop, language))
            }
            Self::Note(id) => Ok(Card::of_note(&notes::get(app, None, id).await?)),
            Self::Sale(id) => {
                let (voucher, shop) = vouchers::describe(app, id).await?;
                Ok(Card::of_sale(&voucher, shop.as_deref(), language))
            }
            Self::Nothing => Err(app::Refusal::ShopNotFound.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shops_notes_and_sales_are_subjects() {
        let of = Subject::of_path;
        assert_eq!(of("/shop/7"), Some(Subject::Shop(ShopId::new(7))));
        assert_eq!(of("/shop/7/"), Some(Subject::Shop(ShopId::new(7))));
        assert_eq!(of("/note/8"), Some(Subject::Note(NoteId::new(8))));
        assert_eq!(of("/sale/9"), Some(Subject::Sale(VoucherId::new(9))));
        for other in [
            "/",
            "/me",
            "/shops/1",
            "/order/1",
            "/user/1",
            "/publish",
            "/note/8/edit",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        for nothing in [
            "/shop/x",
            "/shop/0",
            "/sale/-1",
            "/shop/99999999999999999999",
        ] {
            assert_eq!(of(nothing), Some(Subject::Nothing), "{nothing}");
        }
    }
}
