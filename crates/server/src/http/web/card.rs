//! The card that messengers and other sites show for a shared address: what it says, and its tags.
//!
//! Names and texts are people's, so nothing of them reaches the page unescaped.

use std::fmt::Write as _;

use app::Language;
use app::notes::NoteSeen;
use domain::shop::pictures_in;
use storage::shops::Shop;
use storage::vouchers::Voucher;

/// What a messenger shows of a description, and no more than a page should carry.
const DESCRIPTION_MAX_CHARS: usize = 120;

/// Shown where there is no picture of the thing itself.
const SITE_PICTURE: &str = "/icons/icon-512.png";

/// What a card says about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) kind: CardKind,
    pub(super) title: String,
    pub(super) description: String,
    /// An address below the site or on another host; absent if the thing has none.
    pub(super) picture: Option<String>,
    /// The thing's own address below the site.
    pub(super) path: String,
}

/// `og:type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardKind {
    Place,
    Article,
    Product,
}

/// The site around the card.
#[derive(Clone, Debug)]
pub(super) struct CardSite<'a> {
    pub(super) name: &'a str,
    pub(super) origin: &'a str,
    pub(super) language: Language,
}

impl Card {
    pub(super) fn of_shop(shop: &Shop, language: Language) -> Self {
        let mut facts = Vec::new();
        if shop.score > 0 {
            let (stars, tenth) = (shop.score / 10, shop.score % 10);
            facts.push(match language {
                Language::Chinese => format!("{stars}.{tenth}分"),
                Language::English => format!("{stars}.{tenth} stars"),
            });
        }
        if shop.comments > 0 {
            facts.push(notes(shop.comments, language));
        }
        if let Some(price) = shop.avg_price_yuan.filter(|price| *price > 0) {
            facts.push(match language {
                Language::Chinese => format!("¥{price}/人"),
                Language::English => format!("¥{price} per person"),
            });
        }
        facts.push(shop.address.clone());
        Self {
            kind: CardKind::Place,
            title: shop.name.clone(),
            description: shortened(&facts.join(" · ")),
            picture: first_picture(&shop.images),
            path: format!("/shop/{}", shop.id),
        }
    }

    pub(super) fn of_note(seen: &NoteSeen) -> Self {
        let text = &seen.text;
        Self {
            kind: CardKind::Article,
            title: text.title.clone(),
            description: shortened(&text.content.replace("<br>", " ")),
            picture: first_picture(&text.images),
            path: format!("/note/{}", text.id),
        }
    }

    pub(super) fn of_sale(voucher: &Voucher, shop: Option<&Shop>, language: Language) -> Self {
        let (price, value) = (
            yuan(voucher.pay_value_cents, language),
            yuan(voucher.actual_value_cents, language),
        );
        let mut facts = vec![match language {
            Language::Chinese => format!("{price} 抵 {value}"),
            Language::English => format!("{price} for {value}"),
        }];
        facts.extend(shop.map(|shop| shop.name.clone()));
        facts.extend(voucher.sub_title.clone());
        Self {
            kind: CardKind::Product,
            title: voucher.title.clone(),
            description: shortened(&facts.join(" · ")),
            picture: shop.and_then(|shop| first_picture(&shop.images)),
            path: format!("/sale/{}", voucher.id),
        }
    }
}

/// The tags of a page about `card`, or of one about nothing in particular, which has no address of its own.
pub(super) fn tags(card: Option<&Card>, site: &CardSite<'_>) -> String {
    let (locale, slogan) = match site.language {
        Language::Chinese => ("zh_CN", "发现身边的好店，抢到想要的券。"),
        Language::English => (
            "en_US",
            "Find great places nearby and catch the next flash sale.",
        ),
    };
    let picture = card.and_then(|card| card.picture.as_deref());
    let (title, description, kind) = match card {
        Some(card) => (&*card.title, &*card.description, card.kind.name()),
        None => (site.name, slogan, "website"),
    };
    let page_title = match card {
        Some(card) => format!("{} · {}", card.title, site.name),
        None => site.name.to_owned(),
    };
    let size = match picture {
        Some(_) => "summary_large_image",
        None => "summary",
    };
    let mut html = format!("<title>{}</title>", escaped(&page_title));
    let mut add = |key, name, content: &str| {
        let content = escaped(content);
        let _ = write!(
            html,
            "\n    <meta {key}=\"{name}\" content=\"{content}\" />"
        );
    };
    add("name", "description", description);
    add("property", "og:type", kind);
    add("property", "og:site_name", site.name);
    add("property", "og:locale", locale);
    add("property", "og:title", title);
    add("property", "og:description", description);
    add(
        "property",
        "og:image",
        &absolute(picture.unwrap_or(SITE_PICTURE), site.origin),
    );
    if let Some(card) = card {
        add("property", "og:url", &absolute(&card.path, site.origin));
    }
    add("name", "twitter:card", size);
    html
}

impl CardKind {
    fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Article => "article",
            Self::Product => "product",
        }
    }
}

fn notes(count: u32, language: Language) -> String {
    match (language, count) {
        (Language::Chinese, _) => format!("{count} 篇笔记"),
        (Language::English, 1) => "1 note".to_owned(),
        (Language::English, _) => format!("{count} notes"),
    }
}

/// Chinese pages write no more decimals than there are; English ones both or none.
fn yuan(cents: i64, language: Language) -> String {
    let (whole, rest) = (cents / 100, (cents % 100).abs());
    match language {
        _ if rest == 0 => format!("¥{whole}"),
        Language::Chinese if rest % 10 == 0 => format!("¥{whole}.{}", rest / 10),
        Language::Chinese | Language::English => format!("¥{whole}.{rest:02}"),
    }
}

/// Only what an image can be loaded from: rows of an adopted database hold anything.
fn first_picture(list: &str) -> Option<String> {
    let is_address = |picture: &&str| {
        let is_below = picture.starts_with('/') && !picture.starts_with("//");
        is_below || picture.starts_with("https://") || picture.starts_with("http://")
    };
    pictures_in(list).find(is_address).map(str::to_owned)
}

fn absolute(address: &str, origin: &str) -> String {
    match address.starts_with('/') {
        true => format!("{origin}{address}"),
        false => address.to_owned(),
    }
}

/// One line, cut at the limit.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(DESCRIPTION_MAX_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// For the content of an element and for an attribute in double quotes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        Card {
            kind: CardKind::Place,
            title: "\"A\" & <b>'C'</b> 🍜".to_owned(),
            description: "d".to_owned(),
            picture: Some("/imgs/a.jpg".to_owned()),
            path: "/shop/7".to_owned(),
        }
    }

    fn site(language: Language) -> CardSite<'static> {
        CardSite {
            name: "探店",
            origin: "https://site.example",
            language,
        }
    }

    #[test]
    fn nothing_in_a_name_ends_a_tag() {
        let html = tags(Some(&card()), &site(Language::Chinese));
        let safe = "&quot;A&quot; &amp; &lt;b&gt;&#39;C&#39;&lt;/b&gt; 🍜";
        assert!(html.contains(&format!("<title>{safe} · 探店</title>")));
        assert!(html.contains(&format!("\"og:title\" content=\"{safe}\" />")));
        assert!(!html.contains("<b>"), "{html}");
    }

    #[test]
    fn addresses_are_absolute() {
        let html = tags(Some(&card()), &site(Language::Chinese));
        assert!(html.contains("\"og:image\" content=\"https://site.example/imgs/a.jpg\""));
        assert!(html.contains("\"og:url\" content=\"https://site.example/shop/7\""));
        let plain = tags(None, &site(Language::English));
        assert!(plain.contains("\"og:image\" content=\"https://site.example/icons/icon-512.png\""));
        assert!(!plain.contains("og:url"), "{plain}");
        assert!(plain.contains("en_US"), "{plain}");
    }

    #[test]
    fn pictures_are_addresses_and_nothing_else() {
        let first = |list| first_picture(list);
        assert_eq!(first(" ,/imgs/a.jpg,/imgs/b.jpg").unwrap(), "/imgs/a.jpg");
        let outside = "javascript:1,//host/a.png,https://p0.example/a.png";
        assert_eq!(first(outside).unwrap(), "https://p0.example/a.png");
        assert_eq!(first("data:image/png,x"), None);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let long = "面".repeat(DESCRIPTION_MAX_CHARS + 1);
        let cut = shortened(&long);
        assert_eq!(cut.chars().count(), DESCRIPTION_MAX_CHARS + 1);
        assert!(cut.ends_with('…'));
        assert_eq!(shortened(" a\n b "), "a b");
    }

    #[test]
    fn prices_are_written_as_pages_write_them() {
        assert_eq!(yuan(990, Language::Chinese), "¥9.9");
        assert_eq!(yuan(990, Language::English), "¥9.90");
        assert_eq!(yuan(5_000, Language::Chinese), "¥50");
        assert_eq!(yuan(4_705, Language::Chinese), "¥47.05");
    }
}
