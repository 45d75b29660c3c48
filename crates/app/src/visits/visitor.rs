//! Identifies visitors and bots.

use std::net::IpAddr;

use domain::UserId;
use hmac::{Hmac, KeyInit as _, Mac as _};
use kv::SessionHash;
use sha2::Sha256;

/// The viewer of a page, as far as the request identifies it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Viewer {
    /// The hash of the request's token, which may be invalid.
    pub(super) session: Option<SessionHash>,
    pub(super) address: IpAddr,
    pub(super) user_agent: String,
}

/// Markers in the user agents of crawlers, in lower case. A bare "bot" would match phones of the brand Cubot.
const BOT_MARKS: [&str; 8] = [
    "bot/",
    "bot-",
    "bot;",
    "spider",
    "crawl",
    "slurp",
    "preview",
    "facebookexternalhit",
];

pub(super) fn is_bot(user_agent: &str) -> bool {
    let user_agent = user_agent.to_ascii_lowercase();
    BOT_MARKS.iter().any(|mark| user_agent.contains(mark))
}

impl Viewer {
    /// The visitor's digest on the day of the salt: by user if known, else by address and browser.
    pub(super) fn digest(&self, salt: &str, user: Option<UserId>) -> [u8; 16] {
        let mut mac = Hmac::<Sha256>::new_from_slice(salt.as_bytes())
            .expect("HMAC takes a key of any length");
        match user {
            Some(user) => mac.update(format!("user {user}").as_bytes()),
            None => {
                let address = self.address.to_canonical();
                mac.update(format!("guest {address} {}", self.user_agent).as_bytes());
            }
        }
        let digest = mac.finalize().into_bytes();
        let (half, _) = digest.split_at(16);
        half.try_into().expect("half of 32 bytes are 16")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36";

    fn viewer(address: &str, user_agent: &str) -> Viewer {
        Viewer {
            session: None,
            address: address.parse().unwrap(),
            user_agent: user_agent.to_owned(),
        }
    }

    #[test]
    fn a_person_is_one_visitor_from_everywhere() {
        let user = Some(UserId::new(7));
        let (here, there) = (viewer("192.0.2.1", CHROME), viewer("192.0.2.2", "curl/8"));
        assert_eq!(here.digest("salt", user), there.digest("salt", user));
        assert_ne!(here.digest("salt", user), here.digest("salt", None));
    }

    #[test]
    fn a_guest_is_an_address_in_either_spelling_with_a_browser() {
        let guest = viewer("192.0.2.1", CHROME).digest("salt", None);
        let mapped = viewer("::ffff:192.0.2.1", CHROME);
        assert_eq!(guest, mapped.digest("salt", None));
        for other in [viewer("192.0.2.2", CHROME), viewer("192.0.2.1", "curl/8")] {
            assert_ne!(guest, other.digest("salt", None));
        }
    }

    #[test]
    fn nobody_is_recognised_on_another_day() {
        let guest = viewer("192.0.2.1", CHROME);
        assert_ne!(guest.digest("monday", None), guest.digest("tuesday", None));
    }

    #[test]
    fn crawlers_that_say_so_are_bots_and_browsers_are_not() {
        let wechat = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) MicroMessenger/8.0.50";
        let cubot = "Mozilla/5.0 (Linux; Android 9; CUBOT X18) Chrome/126.0 Mobile Safari/537.36";
        for person in [CHROME, wechat, cubot, "curl/8.5.0", ""] {
            assert!(!is_bot(person), "{person}");
        }
        let baidu =
            "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)";
        for bot in [
            baidu,
            "Googlebot/2.1",
            "Mozilla/5.0 (compatible; Yahoo! Slurp)",
        ] {
            assert!(is_bot(bot), "{bot}");
        }
    }
}
