//! A server that somebody else started, by its URL, with the original's paths.

use std::collections::BTreeSet;
use std::fs;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::load::{Answer, Requests, ask_all};

/// A token a line; the longest that make sense, and more people than a machine serves.
const TOKEN_MAX_BYTES: usize = 512;
const PEOPLE_MAX: usize = 1_000_000;
const FILE_MAX_BYTES: u64 = 256 * 1024 * 1024;
const URL_MAX_BYTES: usize = 512;
/// Fewer claims in a window show nothing.
const PEOPLE_A_WINDOW: usize = 100;
/// Windows of claims that a round has: one per setting of `appendfsync` of the servers that are started here.
const WINDOWS_A_ROUND: usize = 2;

#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// A server with the original's paths, such as http://127.0.0.1:8081 or http://127.0.0.1:8080/api
    #[arg(long, value_name = "URL", requires_all = ["tokens", "sale", "sold_out"])]
    url: Option<String>,
    /// A file with the tokens of people who are signed in there, one a line
    #[arg(long, value_name = "FILE", requires = "url")]
    tokens: Option<PathBuf>,
    /// A sale that is open, with a piece for each of them, of which nobody has claimed one
    #[arg(long, value_name = "ID", requires = "url", value_parser = clap::value_parser!(i64).range(1..))]
    sale: Option<i64>,
    /// A sale that is open and has nothing left
    #[arg(long, value_name = "ID", requires = "url", value_parser = clap::value_parser!(i64).range(1..))]
    sold_out: Option<i64>,
    /// A shop to read
    #[arg(long, value_name = "ID", default_value_t = 1, value_parser = clap::value_parser!(i64).range(1..))]
    shop: i64,
}

#[derive(Debug)]
pub(super) struct Target {
    url: String,
    address: SocketAddr,
    prefix: String,
    tokens: Vec<String>,
    sale: i64,
    sold_out: i64,
    shop: i64,
    windows: usize,
}

impl Target {
    /// Nothing, if no URL was given.
    pub(super) fn parse(args: &TargetArgs, rounds: usize) -> Result<Option<Self>> {
        let (Some(url), Some(file), Some(sale), Some(sold_out)) =
            (&args.url, &args.tokens, args.sale, args.sold_out)
        else {
            return Ok(None);
        };
        ensure!(sale != sold_out, "--sale and --sold-out name the same sale");
        let (host, prefix) = parts(url)?;
        let address = resolve(&host)?;
        let tokens = read_tokens(file)?;
        let windows = rounds * WINDOWS_A_ROUND;
        let least = windows * PEOPLE_A_WINDOW;
        ensure!(
            tokens.len() >= least,
            "{} has {} tokens; {windows} windows of claims need {least} at least, a few thousand per window are better",
            file.display(),
            tokens.len()
        );
        Ok(Some(Self {
            url: url.trim_end_matches('/').to_owned(),
            address,
            prefix,
            tokens,
            sale,
            sold_out,
            shop: args.shop,
            windows,
        }))
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(super) fn tokens(&self) -> &[String] {
        &self.tokens
    }

    pub(super) fn sold_out(&self) -> i64 {
        self.sold_out
    }

    pub(super) fn shop(&self) -> i64 {
        self.shop
    }

    /// The claims of those whose turn it is: everybody claims in one window only.
    pub(super) fn claims(&self, window: usize) -> Requests {
        let people = self.tokens.len() / self.windows;
        let path = format!("{}/voucher-order/seckill/{}", self.prefix, self.sale);
        let mut requests = Requests::default();
        for token in &self.tokens[window * people..(window + 1) * people] {
            requests.push("POST", &path, Some(token));
        }
        requests
    }

    /// Whether it is what it was said to be, before anything is started or claimed.
    pub(super) async fn look(&self) -> Result<()> {
        let path = format!("{}/shop/{}", self.prefix, self.shop);
        let shop = self.ask("GET", &path, None).await?;
        ensure!(
            shop.is_success,
            "{}{path} answers {}: is it a server with the original's paths, and is the shop there (--shop)?",
            self.url,
            described(shop)
        );
        let path = format!("{}/voucher-order/seckill/{}", self.prefix, self.sold_out);
        let refused = self.ask("POST", &path, self.tokens.first()).await?;
        ensure!(
            refused.status != 401,
            "the first token of the file is not accepted: sign people in and write their tokens anew"
        );
        ensure!(
            !refused.is_success,
            "sale {} was to be sold out and sold a piece (--sold-out)",
            self.sold_out
        );
        Ok(())
    }

    async fn ask(&self, method: &str, path: &str, token: Option<&String>) -> Result<Answer> {
        let requests = Requests::repeat(method, path, token.map(String::as_str), 1);
        let tally = ask_all(self.address, 1, requests).await;
        let tally = tally.with_context(|| format!("{} does not answer as it should", self.url))?;
        tally.answers.first().copied().context("there is an answer")
    }
}

fn described(answer: Answer) -> String {
    format!("{} {}", answer.status, answer.code)
}

/// Host with port, and what comes before the original's paths.
fn parts(url: &str) -> Result<(String, String)> {
    ensure!(
        url.len() <= URL_MAX_BYTES,
        "the URL is longer than {URL_MAX_BYTES} bytes"
    );
    let is_plain = url.bytes().all(|byte| byte.is_ascii_graphic());
    ensure!(
        is_plain && !url.contains(['?', '#', '@']),
        "the URL is host, port and path alone: {url:?}"
    );
    let Some(rest) = url.strip_prefix("http://") else {
        bail!(
            "the URL must begin with http://, because TLS would be measured instead of the server: {url:?}"
        );
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    ensure!(!host.is_empty(), "the URL names no host: {url:?}");
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = match has_port {
        true => host.to_owned(),
        false => format!("{host}:80"),
    };
    let path = path.trim_matches('/');
    let prefix = match path {
        "" => String::new(),
        path => format!("/{path}"),
    };
    Ok((host, prefix))
}

fn resolve(host: &str) -> Result<SocketAddr> {
    let found = host.to_socket_addrs();
    let mut found = found.with_context(|| format!("{host} cannot be found"))?;
    found
        .next()
        .with_context(|| format!("{host} has no address"))
}

fn read_tokens(file: &Path) -> Result<Vec<String>> {
    let name = file.display();
    let size = fs::metadata(file)
        .with_context(|| format!("{name} cannot be read"))?
        .len();
    ensure!(
        size <= FILE_MAX_BYTES,
        "{name} is larger than {FILE_MAX_BYTES} bytes"
    );
    let text = fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    let mut seen = BTreeSet::new();
    for (place, line) in text.lines().map(str::trim).enumerate() {
        let number = place + 1;
        let is_token = (1..=TOKEN_MAX_BYTES).contains(&line.len())
            && line.bytes().all(|byte| byte.is_ascii_graphic());
        ensure!(
            is_token,
            "{name}, line {number}: no token of at most {TOKEN_MAX_BYTES} visible characters"
        );
        ensure!(
            seen.insert(line),
            "{name}, line {number}: the token is there twice"
        );
        ensure!(
            number <= PEOPLE_MAX,
            "{name} has more than {PEOPLE_MAX} tokens"
        );
    }
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_url_is_a_host_and_what_comes_before_the_paths() {
        let cases = [
            ("http://127.0.0.1:8081", ("127.0.0.1:8081", "")),
            ("http://localhost/", ("localhost:80", "")),
            ("http://localhost:8080/api/", ("localhost:8080", "/api")),
            ("http://[::1]:8081", ("[::1]:8081", "")),
        ];
        for (url, (host, prefix)) in cases {
            assert_eq!(parts(url).unwrap(), (host.to_owned(), prefix.to_owned()));
        }
        let refused = [
            "https://localhost",
            "localhost:8081",
            "http://",
            "http://a@b",
            "http://a/?b=c",
            "http://a b",
        ];
        for url in refused {
            assert!(parts(url).is_err(), "{url}");
        }
        assert!(parts(&format!("http://{}", "a".repeat(600))).is_err());
    }

    #[test]
    fn a_file_of_tokens_has_one_a_line_and_none_twice() {
        let read = |text: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            read_tokens(file.path())
        };
        assert_eq!(read("a\nb\r\n").unwrap(), ["a", "b"]);
        for text in ["a\na\n", "a\n\nb\n", "a b\n", "笋\n", &"x".repeat(513)] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read_tokens(Path::new("/nonexistent/tokens")).is_err());
    }
}
