//! Hosts outside of this site whose pictures it shows, and the addresses of such pictures.
//!
//! Adopted rows name pictures by absolute URLs. A URL is read strictly, so that browsers, the fetching client and this
//! module agree on its host: no user information, no escapes in the host, no other spelling of an IPv4 address.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use serde::Deserialize;
use thiserror::Error;

/// A host such as `img.example.com`, `*.example.com` or `10.0.0.5:9000`, in the form that a content security policy takes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PictureHost {
    /// In lower case, without the `*.`.
    name: String,
    /// Whether it stands for every host below the name.
    is_wildcard: bool,
    port: Option<u16>,
}

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a host such as img.example.com, *.example.com or 10.0.0.5:9000")]
pub struct NotAPictureHost;

/// The address of a picture on another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsidePicture {
    /// With the scheme: an address that begins with `//` is fetched over TLS.
    url: String,
    /// In lower case.
    host: String,
    /// `None` for the usual one.
    port: Option<u16>,
}

/// Wider than any address in the original's columns.
const URL_MAX_CHARS: usize = 1_024;
/// The limits of DNS.
const HOST_MAX_CHARS: usize = 253;
const LABEL_MAX_CHARS: usize = 63;

impl OutsidePicture {
    /// `None` for a picture of this site, and for anything that is not plainly a URL of another host.
    pub fn parse(address: &str) -> Option<Self> {
        let (scheme, rest) = ["https://", "http://", "//"].iter().find_map(|scheme| {
            let rest = strip_prefix_ignoring_case(address, scheme)?;
            Some((if *scheme == "//" { "https://" } else { *scheme }, rest))
        })?;
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (host, port) = host_and_port(authority)?;
        let usual = if scheme == "https://" { 443 } else { 80 };
        let fits = address.len() <= URL_MAX_CHARS && path.bytes().all(is_of_path);
        fits.then(|| Self {
            url: format!("{scheme}{host}{}{path}", suffix(port)),
            port: port.filter(|port| *port != usual),
            host,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The host with its port, as the setting names it.
    pub fn place(&self) -> String {
        format!("{}{}", self.host, suffix(self.port))
    }

    /// Whether one of these hosts has it.
    pub fn is_on(&self, hosts: &[PictureHost]) -> bool {
        hosts.iter().any(|host| host.has(self))
    }
}

impl PictureHost {
    fn has(&self, picture: &OutsidePicture) -> bool {
        let is_named = if self.is_wildcard {
            let below = picture.host.strip_suffix(&self.name);
            below.is_some_and(|below| below.ends_with('.'))
        } else {
            self.name == picture.host
        };
        is_named && self.port == picture.port
    }

    /// Whether it is an address rather than a name, so that the operator has chosen the machine itself.
    pub fn is_address(&self) -> bool {
        self.name.parse::<Ipv4Addr>().is_ok()
    }
}

impl FromStr for PictureHost {
    type Err = NotAPictureHost;

    fn from_str(text: &str) -> Result<Self, NotAPictureHost> {
        let (is_wildcard, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (name, port) = host_and_port(rest).ok_or(NotAPictureHost)?;
        // `*.com` would be the whole world, and no address has hosts below it.
        let is_too_wide = is_wildcard && (!name.contains('.') || is_ipv4(&name));
        if is_too_wide {
            return Err(NotAPictureHost);
        }
        Ok(Self {
            name,
            is_wildcard,
            port,
        })
    }
}

impl TryFrom<String> for PictureHost {
    type Error = NotAPictureHost;

    fn try_from(text: String) -> Result<Self, NotAPictureHost> {
        text.parse()
    }
}

impl fmt::Display for PictureHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wildcard = if self.is_wildcard { "*." } else { "" };
        write!(f, "{wildcard}{}{}", self.name, suffix(self.port))
    }
}

fn suffix(port: Option<u16>) -> String {
    port.map_or_else(String::new, |port| format!(":{port}"))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port.parse().ok().filter(|port| *port != 0)?)),
        None => (authority, None),
    };
    let host = host.to_ascii_lowercase();
    is_host(&host).then_some((host, port))
}

/// A DNS name, or an IPv4 address in its usual form. Browsers read a name that ends in a number as an address, so such
/// a name must be one.
fn is_host(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    let ends_in_number = last.starts_with(|c: char| c.is_ascii_digit());
    host.len() <= HOST_MAX_CHARS
        && host.split('.').all(is_label)
        && (!ends_in_number || is_ipv4(host))
}

fn is_label(label: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=LABEL_MAX_CHARS).contains(&label.len())
        && label.bytes().all(is_plain)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_ipv4(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
}

/// What a URL may have after its host. A comma separates pictures of a list; quotes and brackets would leave an attribute.
fn is_of_path(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"/-_.~%!$&*+;=:@?#()".contains(&b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> PictureHost {
        text.parse().unwrap()
    }

    fn picture(address: &str) -> OutsidePicture {
        OutsidePicture::parse(address).unwrap()
    }

    #[test]
    fn a_host_is_a_name_a_wildcard_or_an_address() {
        for text in [
            "img.example.com",
            "*.meituan.net",
            "localhost",
            "10.0.0.5:9000",
            "cdn_1.example.com:8443",
        ] {
            assert_eq!(host(text).to_string(), text);
        }
        assert_eq!(host("IMG.Example.com").to_string(), "img.example.com");
        for bad in [
            "",
            "*",
            "*.com",
            "*.10.0.0.5",
            "a.*.com",
            "https://a.com",
            "a.com/",
            "a.com:0",
            "a.com:x",
            "a.com:70000",
            "a b.com",
            "a.com;script-src",
            "a..com",
            "-a.com",
            "a@b.com",
            "'self'",
            "127.1",
            "0x7f.1",
            "1.2.3.256",
            "[::1]",
            "图.com",
        ] {
            assert_eq!(bad.parse::<PictureHost>(), Err(NotAPictureHost), "{bad}");
        }
    }

    #[test]
    fn a_picture_is_on_the_hosts_that_are_named_and_on_no_other() {
        let hosts = [
            host("*.meituan.net"),
            host("qcloud.dpfile.com"),
            host("10.0.0.5:9000"),
        ];
        for address in [
            "https://p0.meituan.net/bbia/a.jpg",
            "HTTP://P0.Meituan.net/a.jpg",
            "//a.b.meituan.net/a.jpg?x=1&y=2",
            "https://qcloud.dpfile.com/pc/x_y.jpg",
            "https://qcloud.dpfile.com:443/pc/x.jpg",
            "http://10.0.0.5:9000/imgs/1.png",
        ] {
            assert!(picture(address).is_on(&hosts), "{address}");
        }
        for address in [
            "https://meituan.net/a.jpg",
            "https://evilmeituan.net/a.jpg",
            "https://meituan.net.evil.example/a.jpg",
            "https://dpfile.com/a.jpg",
            "https://qcloud.dpfile.com:8443/a.jpg",
            "http://10.0.0.5/a.jpg",
        ] {
            assert!(!picture(address).is_on(&hosts), "{address}");
        }
    }

    #[test]
    fn what_readers_of_urls_might_understand_differently_is_no_picture() {
        for address in [
            "",
            "/imgs/blogs/1/2/a.jpg",
            "imgs/a.jpg",
            "javascript:alert(1)",
            "data:image/png;base64,AAAA",
            "ftp://a.com/x",
            "https://",
            "https:///x",
            "https://user@a.com/x",
            "https://a.com\\@b.com/x",
            "https://a%2ecom/x",
            "https://127.1/x",
            "https://2130706433/x",
            "https://0x7f000001/x",
            "https://[::1]/x",
            "https://a.com/x y",
            "https://a.com/\"><script>",
            "https://a.com/x'",
            "https://a.com/图.jpg",
            "https:/a.com/x",
        ] {
            assert_eq!(OutsidePicture::parse(address), None, "{address}");
        }
    }

    #[test]
    fn the_url_to_fetch_has_a_scheme_and_keeps_its_path() {
        assert_eq!(picture("//A.com/x.jpg?y").url(), "https://a.com/x.jpg?y");
        assert_eq!(picture("http://a.com:81/x").url(), "http://a.com:81/x");
        assert_eq!(picture("http://a.com:81/x").place(), "a.com:81");
        assert_eq!(picture("https://a.com:443/x").place(), "a.com");
    }
}
