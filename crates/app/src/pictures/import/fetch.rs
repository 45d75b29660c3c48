//! Downloads one picture of another host, within bounds of size and time.
//!
//! The URL comes from a row, so it is not trusted: only hosts that the operator named are asked, on redirects too, and a
//! name must lead to a public address. Otherwise a row could make this process read services of the operator's network.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use domain::{OutsidePicture, PictureHost};
use pictures::MAX_BYTES;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Response, StatusCode};
use thiserror::Error;

use super::public_address::PublicAddresses;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For the whole download.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Picture hosts redirect to another name or to TLS, hardly ever more than once.
const MAX_REDIRECTS: usize = 3;

#[derive(Debug)]
pub(super) struct Fetcher {
    client: reqwest::Client,
}

#[derive(Debug, Error)]
pub(super) enum FetchError {
    #[error("{0}")]
    Request(String),
    /// No connection, or no reply in time.
    #[error("{0}")]
    Host(String),
    #[error("the host replied {0}")]
    Status(StatusCode),
    #[error("the file is larger than {} MB", MAX_BYTES / (1024 * 1024))]
    TooLarge,
}

#[derive(Debug, Error)]
enum RedirectRefused {
    #[error("redirected to {0}, which pictures.outside_hosts does not name")]
    Host(String),
    #[error("redirected more than {MAX_REDIRECTS} times")]
    TooMany,
}

impl Fetcher {
    pub(super) fn new(hosts: Vec<PictureHost>) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            // A proxy would resolve names itself, past the check of addresses.
            .no_proxy()
            .dns_resolver(Arc::new(PublicAddresses))
            .redirect(Policy::custom(move |attempt| follow(attempt, &hosts)))
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .referer(false)
            .user_agent(concat!("tandian/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client })
    }

    pub(super) async fn fetch(&self, picture: &OutsidePicture) -> Result<Vec<u8>, FetchError> {
        let reply = self.client.get(picture.url()).send().await;
        let reply = reply.map_err(FetchError::of)?;
        if reply.status() != StatusCode::OK {
            return Err(FetchError::Status(reply.status()));
        }
        read_bounded(reply).await
    }
}

/// The announced length may lie, and a compressed body is longer than announced: what counts is what arrives.
async fn read_bounded(mut reply: Response) -> Result<Vec<u8>, FetchError> {
    if reply
        .content_length()
        .is_some_and(|length| length > MAX_BYTES as u64)
    {
        return Err(FetchError::TooLarge);
    }
    let mut file = Vec::new();
    while let Some(chunk) = reply.chunk().await.map_err(FetchError::of)? {
        if file.len() + chunk.len() > MAX_BYTES {
            return Err(FetchError::TooLarge);
        }
        file.extend_from_slice(&chunk);
    }
    Ok(file)
}

fn follow(attempt: Attempt<'_>, hosts: &[PictureHost]) -> reqwest::redirect::Action {
    if attempt.previous().len() > MAX_REDIRECTS {
        return attempt.error(RedirectRefused::TooMany);
    }
    let target = OutsidePicture::parse(attempt.url().as_str());
    match target {
        Some(target) if target.is_on(hosts) => attempt.follow(),
        _ => {
            let place = attempt.url().host_str().unwrap_or("no host").to_owned();
            attempt.error(RedirectRefused::Host(place))
        }
    }
}

impl FetchError {
    /// Whether the host itself failed, rather than this picture.
    pub(super) fn is_of_host(&self) -> bool {
        matches!(self, Self::Host(_))
    }

    /// The chain of causes; the URL is printed beside it anyway.
    fn of(error: reqwest::Error) -> Self {
        let is_of_host = error.is_connect() || error.is_timeout();
        let error = error.without_url();
        let mut words = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            let cause_words = cause.to_string();
            if !words.contains(&cause_words) {
                words = format!("{words}: {cause_words}");
            }
            source = cause.source();
        }
        match is_of_host {
            true => Self::Host(words),
            false => Self::Request(words),
        }
    }
}
