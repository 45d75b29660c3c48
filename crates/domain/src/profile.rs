//! Profile fields and their bounds.

use jiff::civil::Date;
use thiserror::Error;

use crate::text::{hides, is_line, is_name};

/// A checked change: absent fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    pub nick_name: Option<String>,
    pub icon: Option<String>,
    pub city: Option<String>,
    pub introduce: Option<String>,
    /// `false` male, `true` female: the original's wire.
    pub is_female: Option<bool>,
    pub birthday: Option<Date>,
    pub shown: ShownChange,
}

/// Which private fields a user shows to others. Default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub city: bool,
    pub gender: bool,
    pub birthday: bool,
}

/// A change of [`Shown`]: absent fields stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownChange {
    pub city: Option<bool>,
    pub gender: Option<bool>,
    pub birthday: Option<bool>,
}

impl Shown {
    #[must_use]
    pub fn changed(self, change: ShownChange) -> Self {
        Self {
            city: change.city.unwrap_or(self.city),
            gender: change.gender.unwrap_or(self.gender),
            birthday: change.birthday.unwrap_or(self.birthday),
        }
    }
}

/// `小*`: enough for its owner to recognise, and little for anyone else.
pub fn masked_nick_name(nick_name: &str) -> String {
    let first: String = nick_name.chars().take(1).collect();
    format!("{first}*")
}

/// The invalid field; the HTTP layer turns it into words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidProfile {
    #[error("the nick name must have 1 to {NICK_NAME_MAX_CHARS} visible characters")]
    NickName,
    #[error("the picture must be one of this site's, at most {ICON_MAX_CHARS} characters")]
    Icon,
    #[error("the city must have at most {CITY_MAX_CHARS} characters")]
    City,
    #[error("the introduction must have at most {INTRODUCE_MAX_CHARS} characters")]
    Introduce,
    #[error("the birthday must lie between 1900-01-01 and today")]
    Birthday,
}

/// Column widths of the original's tables.
pub const NICK_NAME_MAX_CHARS: usize = 32;
pub const ICON_MAX_CHARS: usize = 255;
pub const CITY_MAX_CHARS: usize = 64;
pub const INTRODUCE_MAX_CHARS: usize = 128;

const EARLIEST_BIRTHDAY: Date = jiff::civil::date(1900, 1, 1);

impl ProfileChange {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Trims texts and checks every field; `today` is the date in the site's zone.
    pub fn checked(mut self, today: Date) -> Result<Self, InvalidProfile> {
        let texts = [&mut self.nick_name, &mut self.city, &mut self.introduce];
        for text in texts.into_iter().flatten() {
            *text = text.trim().to_owned();
        }
        let nick_name_fits = |name: &String| is_name(name, NICK_NAME_MAX_CHARS);
        require(&self.nick_name, nick_name_fits, InvalidProfile::NickName)?;
        require(
            &self.icon,
            |icon| is_own_picture(icon),
            InvalidProfile::Icon,
        )?;
        require(
            &self.city,
            |city| is_line(city, CITY_MAX_CHARS),
            InvalidProfile::City,
        )?;
        let introduce_fits = |text: &String| is_text(text, INTRODUCE_MAX_CHARS);
        require(&self.introduce, introduce_fits, InvalidProfile::Introduce)?;
        let birthday_fits = |day: &Date| (EARLIEST_BIRTHDAY..=today).contains(day);
        require(&self.birthday, birthday_fits, InvalidProfile::Birthday)?;
        Ok(self)
    }
}

fn require<T>(
    field: &Option<T>,
    fits: impl Fn(&T) -> bool,
    error: InvalidProfile,
) -> Result<(), InvalidProfile> {
    match field {
        Some(value) if !fits(value) => Err(error),
        _ => Ok(()),
    }
}

fn is_text(text: &str, max_chars: usize) -> bool {
    let is_unwanted = |c: char| c.is_control() && c != '\n';
    text.chars().count() <= max_chars && !text.chars().any(is_unwanted) && !hides(text)
}

/// An avatar is empty or under `/imgs/`: a foreign URL would leak who views whom.
pub(crate) fn is_own_picture(icon: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.".contains(&b);
    icon.is_empty()
        || (icon.len() <= ICON_MAX_CHARS
            && icon.starts_with("/imgs/")
            && !icon.contains("..")
            && icon.bytes().all(is_plain))
}

/// The name of an account that has not chosen one: `user_` and ten letters or digits, as in the original.
/// `pick(n)` returns a random number below `n`.
pub fn default_nick_name(mut pick: impl FnMut(usize) -> usize) -> String {
    const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let tail = (0..10).map(|_| char::from(ALPHABET[pick(ALPHABET.len())]));
    "user_".chars().chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const TODAY: Date = date(2026, 11, 15);

    fn nick_name(text: &str) -> ProfileChange {
        ProfileChange {
            nick_name: Some(text.to_owned()),
            ..Default::default()
        }
    }

    #[test]
    fn texts_are_trimmed_and_counted_in_characters() {
        let change = nick_name(&format!("  {}  ", "鱼".repeat(32)))
            .checked(TODAY)
            .unwrap();
        assert_eq!(change.nick_name.unwrap().chars().count(), 32);
        assert_eq!(
            nick_name(&"鱼".repeat(33)).checked(TODAY),
            Err(InvalidProfile::NickName)
        );
    }

    #[test]
    fn an_empty_or_invisible_nick_name_is_refused() {
        for text in [
            "",
            "   ",
            "a\u{0}b",
            "a\nb",
            "\u{200B}",
            "a\u{200B}b",
            "\u{202E}nimda",
            "\u{3164}",
        ] {
            assert_eq!(
                nick_name(text).checked(TODAY),
                Err(InvalidProfile::NickName),
                "{text:?}"
            );
        }
    }

    #[test]
    fn an_introduction_may_have_lines_and_nothing_invisible() {
        let introduce = |text: &str| ProfileChange {
            introduce: Some(text.to_owned()),
            ..Default::default()
        };
        let longest = "鱼".repeat(INTRODUCE_MAX_CHARS);
        for good in ["", "爱吃\n爱拍", longest.as_str()] {
            assert!(introduce(good).checked(TODAY).is_ok(), "{good:?}");
        }
        let long = "鱼".repeat(INTRODUCE_MAX_CHARS + 1);
        for bad in ["a\u{0}b", "a\tb", "a\u{200B}b", "a\u{202E}b", &long] {
            let refused = introduce(bad).checked(TODAY);
            assert_eq!(refused, Err(InvalidProfile::Introduce), "{bad:?}");
        }
    }

    #[test]
    fn absent_fields_of_a_change_stay_as_they_are() {
        let shown = Shown {
            city: true,
            gender: false,
            birthday: true,
        };
        assert_eq!(shown.changed(ShownChange::default()), shown);
        let change = ShownChange {
            gender: Some(true),
            birthday: Some(false),
            ..Default::default()
        };
        let expected = Shown {
            city: true,
            gender: true,
            birthday: false,
        };
        assert_eq!(shown.changed(change), expected);
        assert!(ProfileChange::default().is_empty());
        assert!(!nick_name("鱼").is_empty());
    }

    #[test]
    fn a_picture_is_one_of_ours() {
        let icon = |text: &str| ProfileChange {
            icon: Some(text.to_owned()),
            ..Default::default()
        };
        for good in ["", "/imgs/blogs/1/2/a-b.webp"] {
            assert!(icon(good).checked(TODAY).is_ok(), "{good}");
        }
        for bad in [
            "https://evil.example/x.png",
            "//evil/x",
            "/imgs/../etc/passwd",
            "/imgs/a b",
            "javascript:1",
        ] {
            assert_eq!(icon(bad).checked(TODAY), Err(InvalidProfile::Icon), "{bad}");
        }
    }

    #[test]
    fn nobody_is_born_tomorrow() {
        let born = |day| ProfileChange {
            birthday: Some(day),
            ..Default::default()
        };
        assert!(born(TODAY).checked(TODAY).is_ok());
        assert!(born(date(1900, 1, 1)).checked(TODAY).is_ok());
        assert_eq!(
            born(date(2026, 11, 16)).checked(TODAY),
            Err(InvalidProfile::Birthday)
        );
        assert_eq!(
            born(date(1899, 12, 31)).checked(TODAY),
            Err(InvalidProfile::Birthday)
        );
    }

    #[test]
    fn a_default_name_has_the_original_form() {
        let name = default_nick_name(|below| below - 1);
        assert_eq!(name, "user_9999999999");
    }
}
