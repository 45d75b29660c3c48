//! What a note says of its shop beside its stars: three ratings, and what its author recommends.
//!
//! The first rating is of what the shop is for: the taste of the food, or the effect of a treatment. Pages choose the word by
//! the kind of the shop. Dishes are whatever a shop offers.

use serde::{Deserialize, Serialize};

use crate::harmless::{plain, shown_plain};
use crate::note::{InvalidNote, STARS_MAX};
use crate::search::searched;
use crate::text::is_name;

/// As many as a person remembers of a visit.
pub const DISHES_MAX: usize = 5;
/// The longest names on menus have about so many.
pub const DISH_MAX_CHARS: usize = 20;
/// Names that are looked at, the same ones included: more are the work of a machine.
const TYPED_MAX: usize = 4 * DISHES_MAX;

/// Something for each aspect of a shop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Aspects<T> {
    pub main: T,
    pub surroundings: T,
    pub service: T,
}

/// 1 to 5 each.
pub type Ratings = Aspects<Option<u8>>;

/// The ratings of one aspect: what they add up to, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingSum {
    pub sum: u32,
    pub count: u32,
}

/// What is submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpinionDraft {
    pub ratings: Aspects<Option<i64>>,
    /// Names as they were typed.
    pub dishes: Vec<String>,
}

/// An opinion within its bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Opinion {
    pub ratings: Ratings,
    /// Different by their keys.
    pub dishes: Vec<Dish>,
}

/// The name of something that a shop offers: one harmless line of 1 to 20 characters with a letter or a digit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Dish(String);

impl<T> Aspects<T> {
    pub fn map<U>(self, mut with: impl FnMut(T) -> U) -> Aspects<U> {
        Aspects {
            main: with(self.main),
            surroundings: with(self.surroundings),
            service: with(self.service),
        }
    }

    /// In the order of the fields.
    pub fn into_array(self) -> [T; 3] {
        [self.main, self.surroundings, self.service]
    }
}

impl RatingSum {
    /// Ten times their mean, rounded; `None` without any.
    pub fn mean_tenths(self) -> Option<u32> {
        let (sum, count) = (u64::from(self.sum), u64::from(self.count));
        let mean = (sum * 10 + count / 2).checked_div(count)?;
        u32::try_from(mean).ok()
    }
}

impl OpinionDraft {
    /// Ratings go with stars: they say what the stars are for. Names that the search takes for the same are one dish.
    pub fn checked(self, stars: Option<u8>) -> Result<Opinion, InvalidNote> {
        let given = self.ratings.into_array().into_iter().flatten();
        let are_allowed = given
            .clone()
            .all(|rating| (1..=i64::from(STARS_MAX)).contains(&rating));
        if !are_allowed || (stars.is_none() && given.count() > 0) {
            return Err(InvalidNote::Ratings);
        }
        let small = |rating: Option<i64>| rating.and_then(|rating| u8::try_from(rating).ok());
        Ok(Opinion {
            ratings: self.ratings.map(small),
            dishes: dishes(&self.dishes).ok_or(InvalidNote::Dishes)?,
        })
    }
}

fn dishes(typed: &[String]) -> Option<Vec<Dish>> {
    if typed.len() > TYPED_MAX {
        return None;
    }
    let mut dishes: Vec<Dish> = Vec::new();
    for name in typed {
        let dish = Dish::parse(name)?;
        let is_new = dishes.iter().all(|known| known.key() != dish.key());
        if is_new && dishes.len() == DISHES_MAX {
            return None;
        }
        if is_new {
            dishes.push(dish);
        }
    }
    Some(dishes)
}

impl Dish {
    /// Of what somebody typed; `None` if it is no name.
    pub fn parse(typed: &str) -> Option<Self> {
        Self::of(plain(typed))
    }

    /// Of a stored name; `None` if somebody else wrote it there.
    pub fn from_stored(stored: &str) -> Option<Self> {
        Self::of(shown_plain(stored.to_owned()))
    }

    fn of(text: String) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let name = words.join(" ");
        let is_dish = is_name(&name, DISH_MAX_CHARS) && !searched(&name).is_empty();
        is_dish.then_some(Self(name))
    }

    /// As its author wrote it.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The same for all names that the search takes for the same.
    pub fn key(&self) -> String {
        searched(&self.0)
    }
}

impl TryFrom<String> for Dish {
    type Error = &'static str;

    fn try_from(stored: String) -> Result<Self, Self::Error> {
        Self::from_stored(&stored).ok_or("not the name of a dish")
    }
}

impl From<Dish> for String {
    fn from(dish: Dish) -> Self {
        dish.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &[&str]) -> Result<Vec<String>, InvalidNote> {
        let draft = OpinionDraft {
            dishes: typed.iter().map(|name| (*name).to_owned()).collect(),
            ..Default::default()
        };
        let checked = draft.checked(None)?;
        Ok(checked.dishes.into_iter().map(String::from).collect())
    }

    fn rated(main: Option<i64>, service: Option<i64>, stars: Option<u8>) -> Option<Ratings> {
        let ratings = Aspects {
            main,
            surroundings: None,
            service,
        };
        let draft = OpinionDraft {
            ratings,
            dishes: Vec::new(),
        };
        draft.checked(stars).ok().map(|opinion| opinion.ratings)
    }

    #[test]
    fn each_rating_is_one_to_five_and_goes_with_stars() {
        let some = rated(Some(5), Some(1), Some(4)).unwrap();
        assert_eq!(some.into_array(), [Some(5), None, Some(1)]);
        assert_eq!(rated(None, None, None), Some(Ratings::default()));
        for wrong in [0, 6, -1, i64::MAX, 257] {
            assert_eq!(rated(Some(wrong), None, Some(4)), None, "{wrong}");
            assert_eq!(rated(Some(3), Some(wrong), Some(4)), None, "{wrong}");
        }
        assert_eq!(rated(Some(5), None, None), None, "without stars");
    }

    #[test]
    fn a_mean_is_rounded_to_a_tenth() {
        let mean = |sum, count| RatingSum { sum, count }.mean_tenths();
        assert_eq!(mean(0, 0), None);
        assert_eq!(
            [mean(9, 2), mean(14, 3), mean(13, 3)],
            [Some(45), Some(47), Some(43)]
        );
        assert_eq!(mean(89, 20), Some(45), "a half is rounded up");
        assert_eq!(mean(u32::MAX, u32::MAX / 5), Some(50));
    }

    #[test]
    fn names_are_cleaned_and_the_same_one_counts_once() {
        let typed = [
            " 片儿川 ",
            "片儿川！",
            "<b>Latte</b>",
            "ＬＡＴＴＥ",
            "牛  肉\n面",
        ];
        assert_eq!(names(&typed).unwrap(), ["片儿川", "Latte", "牛 肉 面"]);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let long = "面".repeat(DISH_MAX_CHARS + 1);
        for wrong in ["", "  ", "🔥", "<b></b>", "面\u{200B}条", &long] {
            assert_eq!(names(&[wrong]), Err(InvalidNote::Dishes), "{wrong:?}");
        }
        assert!(names(&[&"面".repeat(DISH_MAX_CHARS)]).is_ok());
        assert_eq!(names(&["\u{202E}面"]).unwrap(), ["面"], "harmless");
    }

    #[test]
    fn five_different_ones_fit() {
        let five = ["一", "二", "三", "四", "五"];
        assert_eq!(names(&five).unwrap(), five);
        let folded = ["一", "二", "三", "四", "五", "五。"];
        assert_eq!(names(&folded).unwrap(), five);
        let six = ["一", "二", "三", "四", "五", "六"];
        assert_eq!(names(&six), Err(InvalidNote::Dishes));
        assert_eq!(names(&["一"; TYPED_MAX]).unwrap(), ["一"]);
        assert_eq!(names(&["一"; TYPED_MAX + 1]), Err(InvalidNote::Dishes));
    }

    #[test]
    fn a_name_stays_what_it_is_when_it_is_read_again() {
        for typed in ["片儿川", "Fish & chips", "a<b", "7 分熟牛排"] {
            let dish = Dish::parse(typed).unwrap();
            assert_eq!(Dish::from_stored(dish.name()), Some(dish.clone()));
            assert_eq!(Dish::parse(dish.name()), Some(dish));
        }
        assert_eq!(Dish::from_stored("🔥"), None);
    }
}
