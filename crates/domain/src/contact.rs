//! A user's contact: a mainland mobile number or an e-mail address.
//!
//! Both are personal data: `Debug` and [`Contact::masked`] never show them whole, and there is no `Display`,
//! so a log line cannot leak one by accident. Code that needs the text calls `as_str`.

use std::fmt;

use thiserror::Error;

/// A mainland mobile number, normalised to its 11 digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

/// An e-mail address in lower case: no provider distinguishes `Li@…` from `li@…`, and a free choice of spelling would
/// evade every limit.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// What a login code is sent to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Contact {
    Phone(Phone),
    Email(Email),
}

/// An account has at most one contact of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactKind {
    Phone,
    Email,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("not a mainland mobile number")]
pub struct InvalidPhone;

#[derive(Debug, Error, PartialEq, Eq)]
#[error("not an e-mail address")]
pub struct InvalidEmail;

/// RFC 5321: a path is at most 256 octets with its brackets.
const EMAIL_MAX_BYTES: usize = 254;
/// RFC 5321: the part before the `@`.
const EMAIL_LOCAL_MAX_BYTES: usize = 64;
/// RFC 1035: one label of a domain name.
const DOMAIN_LABEL_MAX_BYTES: usize = 63;
/// Longer input is no phone number however it is spaced.
const PHONE_INPUT_MAX_BYTES: usize = 32;

impl Phone {
    /// Accepts the usual ways of writing a number: spaces, hyphens, a leading `+86`, `0086` or `86`.
    pub fn parse(text: &str) -> Result<Self, InvalidPhone> {
        if text.len() > PHONE_INPUT_MAX_BYTES {
            return Err(InvalidPhone);
        }
        let compact: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .collect();
        let national = ["+86", "0086", "86"]
            .iter()
            .find_map(|prefix| compact.strip_prefix(prefix))
            .unwrap_or(&compact);
        if is_mobile(national.as_bytes()) {
            Ok(Self(national.to_owned()))
        } else {
            Err(InvalidPhone)
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// With the country's code, as international networks write it: `+8613800000001`.
    pub fn e164(&self) -> String {
        format!("+86{}", self.0)
    }

    /// `138****0001`: enough for its owner to recognise, too little for anyone else.
    pub fn masked(&self) -> String {
        format!("{}****{}", &self.0[..3], &self.0[7..])
    }
}

/// All of 13x to 19x that operators have been assigned: everything but 12x and the 10x/11x service ranges,
/// and 14x without 142, 143 and 15x without 154, which were never issued to people.
fn is_mobile(digits: &[u8]) -> bool {
    if digits.len() != 11 || !digits.iter().all(u8::is_ascii_digit) || digits[0] != b'1' {
        return false;
    }
    match (digits[1], digits[2]) {
        (b'4', third) => !matches!(third, b'2' | b'3'),
        (b'5', third) => third != b'4',
        (second, _) => second >= b'3',
    }
}

impl Email {
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let text = text.trim();
        if text.len() > EMAIL_MAX_BYTES {
            return Err(InvalidEmail);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(InvalidEmail)?;
        if is_local_part(local) && is_domain(domain) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(InvalidEmail)
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The mailbox behind the address: what follows a `+` is a note to its owner.
    fn mailbox(&self) -> String {
        let (local, domain) = self.0.split_once('@').unwrap_or((&self.0, ""));
        let name = match local.split_once('+') {
            Some((name, _)) if !name.is_empty() => name,
            _ => local,
        };
        format!("{name}@{domain}")
    }

    /// `l***@example.com`.
    pub fn masked(&self) -> String {
        let (local, domain) = self.0.split_once('@').unwrap_or((&self.0, ""));
        let first: String = local.chars().take(1).collect();
        format!("{first}***@{domain}")
    }
}

/// The dot-atom form of RFC 5322. Quoted local parts exist on paper only and are refused.
fn is_local_part(local: &str) -> bool {
    let is_atom_char = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b);
    local.len() <= EMAIL_LOCAL_MAX_BYTES
        && local
            .split('.')
            .all(|atom| !atom.is_empty() && atom.bytes().all(is_atom_char))
}

fn is_domain(domain: &str) -> bool {
    let labels: Vec<&str> = domain.split('.').collect();
    let last_is_alphabetic = labels
        .last()
        .is_some_and(|tld| tld.len() >= 2 && tld.starts_with(|c: char| c.is_ascii_alphabetic()));
    labels.len() >= 2 && last_is_alphabetic && labels.iter().all(|label| is_label(label))
}

fn is_label(label: &str) -> bool {
    (1..=DOMAIN_LABEL_MAX_BYTES).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl ContactKind {
    pub const ALL: [Self; 2] = [Self::Phone, Self::Email];
}

impl Contact {
    pub fn kind(&self) -> ContactKind {
        match self {
            Self::Phone(_) => ContactKind::Phone,
            Self::Email(_) => ContactKind::Email,
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Phone(phone) => phone.as_str(),
            Self::Email(email) => email.as_str(),
        }
    }

    /// Where a message ends up. Limits count by it: one mailbox has any number of addresses (`li+1@…`, `li+2@…`).
    pub fn destination(&self) -> String {
        match self {
            Self::Phone(phone) => phone.as_str().to_owned(),
            Self::Email(email) => email.mailbox(),
        }
    }

    pub fn masked(&self) -> String {
        match self {
            Self::Phone(phone) => phone.masked(),
            Self::Email(email) => email.masked(),
        }
    }
}

impl From<Phone> for Contact {
    fn from(phone: Phone) -> Self {
        Self::Phone(phone)
    }
}

impl From<Email> for Contact {
    fn from(email: Email) -> Self {
        Self::Email(email)
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Debug for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_has_a_bound_to_the_byte() {
        let number = "13800000001";
        let padded = |len: usize| format!("{number}{}", " ".repeat(len - number.len()));
        let phone = Phone::parse(&padded(PHONE_INPUT_MAX_BYTES)).unwrap();
        assert_eq!(phone.as_str(), number);
        assert_eq!(
            Phone::parse(&padded(PHONE_INPUT_MAX_BYTES + 1)),
            Err(InvalidPhone)
        );
        let domain = format!("{}example", format!("{}.", "a".repeat(60)).repeat(3));
        let address = |len: usize| format!("{}@{domain}", "l".repeat(len - domain.len() - 1));
        assert!(Email::parse(&address(EMAIL_MAX_BYTES)).is_ok());
        assert_eq!(
            Email::parse(&address(EMAIL_MAX_BYTES + 1)),
            Err(InvalidEmail)
        );
    }

    #[test]
    fn a_top_level_domain_has_two_letters_and_begins_with_one() {
        for wrong in ["l@example.c", "l@example.1c", "l@example"] {
            assert_eq!(Email::parse(wrong), Err(InvalidEmail), "{wrong}");
        }
        assert!(Email::parse("l@example.cn").is_ok());
    }

    #[test]
    fn every_range_in_use_is_a_phone_number() {
        for prefix in [
            "130", "139", "140", "141", "144", "149", "150", "153", "155", "159", "162", "166",
            "170", "172", "179", "180", "189", "190", "192", "197", "199",
        ] {
            assert!(
                Phone::parse(&format!("{prefix}12345678")).is_ok(),
                "{prefix}"
            );
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for text in [
            "",
            " ",
            "1",
            "12345678901",
            "11012345678",
            "10012345678",
            "14212345678",
            "15412345678",
            "1380000000",
            "138000000011",
            "15,12345678",
            "2380000000１",
            "１３８００００００００１",
            "+8513800000001",
            "13800000001; DROP",
            "86861380000000",
        ] {
            assert_eq!(Phone::parse(text), Err(InvalidPhone), "{text:?}");
        }
    }

    #[test]
    fn spellings_of_one_number_are_one_number() {
        let plain = Phone::parse("13800000001").unwrap();
        for text in [
            " 138 0000 0001 ",
            "138-0000-0001",
            "+86 13800000001",
            "008613800000001",
            "8613800000001",
        ] {
            assert_eq!(Phone::parse(text).unwrap(), plain, "{text:?}");
        }
    }

    #[test]
    fn a_number_for_international_networks_has_its_country() {
        let phone = Phone::parse("0086 138 0000 0001").unwrap();
        assert_eq!(phone.e164(), "+8613800000001");
    }

    #[test]
    fn usual_addresses_are_email() {
        for text in [
            "a@b.cn",
            "first.last+tag@Example.COM",
            "x_y-z@sub.example.co.uk",
            "o'neil@example.org",
        ] {
            assert!(Email::parse(text).is_ok(), "{text}");
        }
        assert_eq!(
            Email::parse("Li@EXAMPLE.com").unwrap().as_str(),
            "li@example.com"
        );
    }

    #[test]
    fn other_texts_are_not_email() {
        let long_local = format!("{}@example.com", "a".repeat(65));
        let long_label = format!("a@{}.com", "b".repeat(64));
        for text in [
            "",
            "a",
            "@b.cn",
            "a@",
            "a@b",
            "a@.cn",
            "a@b..cn",
            ".a@b.cn",
            "a.@b.cn",
            "a..b@c.cn",
            "a b@c.cn",
            "a@b c.cn",
            "a@-b.cn",
            "a@b-.cn",
            "a@b.1",
            "a\r\nBcc: x@y.cn",
            "a@b.cn\r\nBcc: x",
            "\"quoted\"@b.cn",
            &long_local,
            &long_label,
        ] {
            assert_eq!(Email::parse(text), Err(InvalidEmail), "{text:?}");
        }
    }

    #[test]
    fn addresses_of_one_mailbox_have_one_destination() {
        let destination = |text: &str| Contact::from(Email::parse(text).unwrap()).destination();
        for text in ["li@b.cn", "LI@B.cn", "li+1@b.cn", "Li+a+b@b.cn"] {
            assert_eq!(destination(text), "li@b.cn", "{text}");
        }
        assert_eq!(destination("+1@b.cn"), "+1@b.cn");
        assert_ne!(destination("li.1@b.cn"), destination("li@b.cn"));
    }

    #[test]
    fn contacts_are_masked_in_debug_output() {
        let phone = Contact::from(Phone::parse("13812345678").unwrap());
        let email = Contact::from(Email::parse("liming@example.com").unwrap());
        assert_eq!(format!("{phone:?}"), "138****5678");
        assert_eq!(format!("{email:?}"), "l***@example.com");
    }
}
