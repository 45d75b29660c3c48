//! Keys and certificates as people have them: PEM, or base64 without its frame.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::SetupError;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The first block of PEM, or the whole text as base64.
pub(super) fn one(text: &str, what: &'static str) -> Result<Vec<u8>, SetupError> {
    if text.trim().is_empty() {
        return Err(SetupError::Missing(what));
    }
    match blocks(text).next() {
        Some(block) => decode(block, what),
        None => decode(text, what),
    }
}

/// Every block of PEM.
pub(super) fn all(text: &str, what: &'static str) -> Result<Vec<Vec<u8>>, SetupError> {
    let ders: Vec<Vec<u8>> = blocks(text)
        .map(|block| decode(block, what))
        .collect::<Result<_, _>>()?;
    if ders.is_empty() {
        return Err(SetupError::Missing(what));
    }
    Ok(ders)
}

fn blocks(text: &str) -> impl Iterator<Item = &str> {
    text.split(BEGIN).skip(1).filter_map(|rest| {
        let (_, framed) = rest.split_once(DASHES)?;
        let (block, _) = framed.split_once(END)?;
        Some(block)
    })
}

fn decode(block: &str, what: &'static str) -> Result<Vec<u8>, SetupError> {
    let packed: String = block.split_whitespace().collect();
    BASE64_STANDARD
        .decode(packed)
        .map_err(|_| SetupError::NotBase64(what))
}
