//! Shop fields and their bounds.
//!
//! Only what a merchant may set: `sold`, `comments` and `score` are counted.

use thiserror::Error;

use crate::profile::is_own_picture;
use crate::text::{is_line, is_name};
use crate::{OutsidePicture, PictureHost, Position, ShopTypeId};

/// A submitted shop; absent fields are not set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShopDraft {
    pub name: Option<String>,
    pub type_id: Option<ShopTypeId>,
    /// A comma list of this site's pictures.
    pub images: Option<String>,
    pub area: Option<String>,
    pub address: Option<String>,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub avg_price_yuan: Option<i64>,
    pub open_hours: Option<String>,
    pub phone: Option<String>,
}

/// The invalid field; the HTTP layer turns it into words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidShop {
    #[error("the name must have 1 to {NAME_MAX_CHARS} characters")]
    Name,
    #[error("the shop type must be one of this site's")]
    Type,
    #[error("there may be {IMAGES_MAX} pictures, separated by commas")]
    Images,
    #[error("a picture must be one that its owner uploaded or that the shop has already")]
    ForeignPicture,
    #[error("the area must have at most {AREA_MAX_CHARS} characters")]
    Area,
    #[error("the address must have 1 to {ADDRESS_MAX_CHARS} characters")]
    Address,
    #[error("the position must be a longitude and a latitude on the map")]
    Position,
    #[error("the average price must lie between 0 and {AVG_PRICE_MAX_YUAN} yuan")]
    AvgPrice,
    #[error("the opening hours must name times, in at most {OPEN_HOURS_MAX_CHARS} characters")]
    OpenHours,
    #[error(
        "the phone must have {PHONE_DIGITS_MIN} to {PHONE_DIGITS_MAX} digits, in at most {PHONE_MAX_CHARS} characters"
    )]
    Phone,
}

/// Column widths of the original's table.
pub const NAME_MAX_CHARS: usize = 128;
pub const AREA_MAX_CHARS: usize = 128;
pub const ADDRESS_MAX_CHARS: usize = 255;
pub const OPEN_HOURS_MAX_CHARS: usize = 32;
pub const PHONE_MAX_CHARS: usize = 32;
/// A number of a service line such as `110`.
pub const PHONE_DIGITS_MIN: usize = 3;
/// With the code of the country: no network has longer ones.
pub const PHONE_DIGITS_MAX: usize = 15;
const IMAGES_MAX_CHARS: usize = 1_024;

/// The most pictures of a shop; notes have the same limit.
pub const IMAGES_MAX: usize = 9;
/// Far above any meal, far below what a sum could overflow by.
pub const AVG_PRICE_MAX_YUAN: i64 = 1_000_000;

impl ShopDraft {
    /// As [`ShopDraft::checked_with`], for a shop that has no pictures yet.
    pub fn checked(self) -> Result<Self, InvalidShop> {
        self.checked_with("", &[])
    }

    /// Trims texts and checks every field that is there. Whether the type exists is not known here. A picture must be of
    /// this site, on one of the `hosts`, or one that the shop has already: `kept` is its present list.
    pub fn checked_with(mut self, kept: &str, hosts: &[PictureHost]) -> Result<Self, InvalidShop> {
        let texts = [
            &mut self.name,
            &mut self.area,
            &mut self.address,
            &mut self.open_hours,
            &mut self.phone,
        ];
        for text in texts.into_iter().flatten() {
            *text = text.trim().to_owned();
        }
        require(
            &self.name,
            |it| is_name(it, NAME_MAX_CHARS),
            InvalidShop::Name,
        )?;
        if let Some(images) = &mut self.images {
            *images = checked_pictures(images, kept, hosts)?;
        }
        require(
            &self.area,
            |it| is_line(it, AREA_MAX_CHARS),
            InvalidShop::Area,
        )?;
        let address_fits = |it: &String| is_name(it, ADDRESS_MAX_CHARS);
        require(&self.address, address_fits, InvalidShop::Address)?;
        let price_fits = |price: &i64| (0..=AVG_PRICE_MAX_YUAN).contains(price);
        require(&self.avg_price_yuan, price_fits, InvalidShop::AvgPrice)?;
        let hours_fit = |it: &String| it.is_empty() || are_open_hours(it);
        require(&self.open_hours, hours_fit, InvalidShop::OpenHours)?;
        let phone_fits = |it: &String| it.is_empty() || is_phone(it);
        require(&self.phone, phone_fits, InvalidShop::Phone)?;
        self.check_position()?;
        Ok(self)
    }

    /// A missing coordinate is checked as 0.
    fn check_position(&self) -> Result<(), InvalidShop> {
        let (x, y) = (self.x.unwrap_or_default(), self.y.unwrap_or_default());
        match Position::new(x, y) {
            Ok(_) => Ok(()),
            Err(_) => Err(InvalidShop::Position),
        }
    }
}

fn require<T>(
    field: &Option<T>,
    fits: impl Fn(&T) -> bool,
    error: InvalidShop,
) -> Result<(), InvalidShop> {
    match field {
        Some(value) if !fits(value) => Err(error),
        _ => Ok(()),
    }
}

/// The pictures of a list. Rows of the original leave a comma at the end.
pub fn pictures_in(list: &str) -> impl Iterator<Item = &str> {
    let pictures = list.split(',').map(str::trim);
    pictures.filter(|picture| !picture.is_empty())
}

/// The list without empty places. A shop of an adopted database may have more pictures than are allowed today and may be
/// saved with them; the limit is for lists with a new one.
fn checked_pictures(list: &str, kept: &str, hosts: &[PictureHost]) -> Result<String, InvalidShop> {
    let is_kept = |picture: &str| pictures_in(kept).any(|it| it == picture);
    let is_new = |picture: &&str| !is_kept(picture);
    let is_shown = |picture: &str| {
        is_own_picture(picture)
            || OutsidePicture::parse(picture).is_some_and(|outside| outside.is_on(hosts))
    };
    if !pictures_in(list).filter(is_new).all(is_shown) {
        return Err(InvalidShop::ForeignPicture);
    }
    let pictures: Vec<&str> = pictures_in(list).collect();
    let joined = pictures.join(",");
    let is_all_kept = pictures.iter().all(|picture| is_kept(picture));
    let fits =
        pictures.len() <= IMAGES_MAX || is_all_kept && pictures.len() <= pictures_in(kept).count();
    if fits && joined.len() <= IMAGES_MAX_CHARS {
        Ok(joined)
    } else {
        Err(InvalidShop::Images)
    }
}

/// People write `10:00-22:00`, `11:00-14:00,17:00-21:00`, `周一至周五 9:00–18:00`, `24小时`: words are theirs, but
/// there must be a number, and what looks like a time must be one.
fn are_open_hours(text: &str) -> bool {
    let is_of_time = |c: char| c.is_ascii_digit() || c == ':' || c == '：';
    let mut times = text.split(|c| !is_of_time(c)).filter(|it| !it.is_empty());
    is_line(text, OPEN_HOURS_MAX_CHARS)
        && text.contains(|c: char| c.is_ascii_digit())
        && times.all(is_time)
}

/// One number that can be dialled, grouped as people write it: `0571-0001 2345`, `+86 (571) 0001-2345`. No extension: a
/// `tel:` link could not dial it.
fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_allowed = |(at, c): (usize, char)| match c {
        '+' => at == 0,
        _ => c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')'),
    };
    (PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits)
        && text.len() <= PHONE_MAX_CHARS
        && text.char_indices().all(is_allowed)
}

/// `9:30`, `09:30`, `24:00`, or a bare number such as that of hours or days.
fn is_time(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once([':', '：']) else {
        return true;
    };
    let number = |part: &str, digits: &[usize]| {
        let fits = digits.contains(&part.len());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    match (number(hour, &[1, 2]), number(minute, &[2])) {
        (Some(hour), Some(minute)) => minute < 60 && hour * 60 + minute <= 24 * 60,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> ShopDraft {
        ShopDraft {
            name: Some(name.to_owned()),
            ..Default::default()
        }
    }

    fn with_images(images: &str) -> ShopDraft {
        ShopDraft {
            images: Some(images.to_owned()),
            ..Default::default()
        }
    }

    fn open(hours: &str) -> ShopDraft {
        ShopDraft {
            open_hours: Some(hours.to_owned()),
            ..Default::default()
        }
    }

    #[test]
    fn names_are_trimmed_and_counted_in_characters() {
        let longest = "茶".repeat(NAME_MAX_CHARS);
        let draft = named(&format!(" {longest} ")).checked().unwrap();
        assert_eq!(draft.name.unwrap(), longest);
        for bad in ["", "  ", "a\nb", &"茶".repeat(NAME_MAX_CHARS + 1)] {
            assert_eq!(named(bad).checked(), Err(InvalidShop::Name), "{bad:?}");
        }
    }

    #[test]
    fn an_area_may_be_emptied_and_an_address_may_not() {
        let draft = |area: &str, address: &str| ShopDraft {
            area: Some(area.to_owned()),
            address: Some(address.to_owned()),
            ..Default::default()
        };
        assert!(draft("", "金华路29号").checked().is_ok());
        assert_eq!(draft("", " ").checked(), Err(InvalidShop::Address));
        let long = "路".repeat(ADDRESS_MAX_CHARS + 1);
        assert_eq!(draft("", &long).checked(), Err(InvalidShop::Address));
        let long = "区".repeat(AREA_MAX_CHARS + 1);
        assert_eq!(draft(&long, "1").checked(), Err(InvalidShop::Area));
    }

    #[test]
    fn pictures_are_ours_and_few() {
        let nine = ["/imgs/shops/a.webp"; IMAGES_MAX].join(",");
        for good in ["", "/imgs/a.webp", nine.as_str()] {
            assert!(with_images(good).checked().is_ok(), "{good}");
        }
        let ten = ["/imgs/shops/a.webp"; IMAGES_MAX + 1].join(",");
        let long = format!("/imgs/{}", "a".repeat(240));
        let long = vec![long; 5].join(",");
        for bad in [ten.as_str(), &long] {
            assert_eq!(
                with_images(bad).checked(),
                Err(InvalidShop::Images),
                "{bad}"
            );
        }
        for bad in [
            "https://elsewhere.example/a.png",
            "/imgs/../data",
            "javascript:1",
        ] {
            assert_eq!(
                with_images(bad).checked(),
                Err(InvalidShop::ForeignPicture),
                "{bad}"
            );
        }
        let stray = with_images(" /imgs/a.webp,,/imgs/b.webp, ")
            .checked()
            .unwrap();
        assert_eq!(stray.images.unwrap(), "/imgs/a.webp,/imgs/b.webp");
    }

    #[test]
    fn a_shop_keeps_the_pictures_that_it_has() {
        let many: Vec<String> = (0..12)
            .map(|n| format!("https://p0.example/{n}.jpg"))
            .collect();
        let kept = format!("{},", many.join(","));
        let saved = |images: &str| with_images(images).checked_with(&kept, &[]);
        assert_eq!(saved(&kept).unwrap().images.unwrap(), many.join(","));
        assert!(saved("https://p0.example/3.jpg,/imgs/new.jpg").is_ok());
        assert_eq!(
            saved("https://p0.example/99.jpg"),
            Err(InvalidShop::ForeignPicture)
        );
        let with_new = format!("{kept}/imgs/new.jpg");
        assert_eq!(saved(&with_new), Err(InvalidShop::Images));
        let twice = format!("{kept}{kept}");
        assert_eq!(saved(&twice), Err(InvalidShop::Images));
    }

    #[test]
    fn pictures_of_named_hosts_are_taken() {
        let hosts = ["*.example.com".parse().unwrap()];
        let saved = |images: &str| with_images(images).checked_with("", &hosts);
        assert!(saved("https://p0.example.com/a.jpg").is_ok());
        assert_eq!(
            saved("https://p0.example.org/a.jpg"),
            Err(InvalidShop::ForeignPicture)
        );
        assert_eq!(
            saved("https://x@p0.example.com/a.jpg"),
            Err(InvalidShop::ForeignPicture)
        );
    }

    #[test]
    fn opening_hours_name_times_that_exist() {
        for good in [
            "",
            "10:00-22:00",
            "11:00-14:00,17:00-21:30",
            "周一至周五 9:00–18:00",
            "00:00-24:00",
            "24小时",
            "9：30-18：00",
        ] {
            assert!(open(good).checked().is_ok(), "{good}");
        }
        for bad in ["25:00-26:00", "24:01", "9:60", "9:5", "::", "随时", "1\n2"] {
            assert_eq!(open(bad).checked(), Err(InvalidShop::OpenHours), "{bad}");
        }
        assert!(
            open(&"1".repeat(OPEN_HOURS_MAX_CHARS + 1))
                .checked()
                .is_err()
        );
    }

    #[test]
    fn a_phone_is_a_number_that_can_be_dialled() {
        let called = |phone: &str| ShopDraft {
            phone: Some(phone.to_owned()),
            ..Default::default()
        };
        for good in [
            "",
            "110",
            "0571-0001 2345",
            " 400-000-0000 ",
            "+86 (571) 0001-2345",
        ] {
            assert!(called(good).checked().is_ok(), "{good}");
        }
        let long = format!("1 2 3 {}4", "-".repeat(PHONE_MAX_CHARS));
        for bad in [
            "12",
            "1234567890123456",
            "12+34",
            "0571-0001 2345转8",
            "call me",
            "０５７１",
            "110;phone-context=x",
            "1\n10",
            &long,
        ] {
            assert_eq!(called(bad).checked(), Err(InvalidShop::Phone), "{bad}");
        }
    }

    #[test]
    fn prices_and_places_have_both_ends() {
        let costs = |avg_price_yuan| ShopDraft {
            avg_price_yuan: Some(avg_price_yuan),
            ..Default::default()
        };
        assert!(costs(0).checked().is_ok());
        assert!(costs(AVG_PRICE_MAX_YUAN).checked().is_ok());
        for bad in [-1, AVG_PRICE_MAX_YUAN + 1, i64::MAX] {
            assert_eq!(costs(bad).checked(), Err(InvalidShop::AvgPrice));
        }
        let at = |x, y| ShopDraft {
            x,
            y,
            ..Default::default()
        };
        assert!(at(Some(120.1), Some(30.3)).checked().is_ok());
        for (x, y) in [
            (Some(181.0), None),
            (None, Some(-90.0)),
            (Some(f64::NAN), Some(0.0)),
        ] {
            assert_eq!(at(x, y).checked(), Err(InvalidShop::Position));
        }
    }
}
