//! What the row of a note holds of its author's opinion.

use domain::{Aspects, Dish, Opinion, Ratings};

use super::HIDDEN;
use crate::entity::blog::Model;

/// Names of dishes have no line breaks.
const BETWEEN_DISHES: char = '\n';

/// Each aspect as the column holds it.
pub(crate) fn stored_ratings(ratings: Ratings) -> Aspects<Option<i16>> {
    ratings.map(|rating| rating.map(i16::from))
}

pub(crate) fn stored_dishes(dishes: &[Dish]) -> String {
    let names: Vec<&str> = dishes.iter().map(Dish::name).collect();
    names.join(&BETWEEN_DISHES.to_string())
}

pub(super) fn from_stored(ratings: Aspects<Option<i16>>, dishes: &str) -> Opinion {
    let names = dishes.split(BETWEEN_DISHES);
    Opinion {
        ratings: ratings.map(|rating| rating.and_then(|rating| u8::try_from(rating).ok())),
        dishes: names.filter_map(Dish::from_stored).collect(),
    }
}

pub(super) fn opinion_of(row: &Model) -> Opinion {
    let ratings = Aspects {
        main: row.rating_main,
        surroundings: row.rating_surroundings,
        service: row.rating_service,
    };
    from_stored(ratings, &row.dishes)
}

/// What of the row counts for its shop: nothing while the note is hidden.
pub(super) fn counted_opinion(row: &Model) -> Opinion {
    match row.status {
        HIDDEN => Opinion::default(),
        _ => opinion_of(row),
    }
}
