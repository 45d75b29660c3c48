//! Keys and certificates as people have them: PEM, or base64 without its frame.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustls_pki_types::pem::{PemObject as _, SectionKind};

use crate::SetupError;

/// A section of PEM: its label and its content. What the content is, its reader finds out: labels are often wrong.
type Section = (SectionKind, Vec<u8>);

/// The first section of PEM, or the whole text as base64.
pub(super) fn one(text: &str, what: &'static str) -> Result<Vec<u8>, SetupError> {
    if text.trim().is_empty() {
        return Err(SetupError::Missing(what));
    }
    match sections(text, what).next() {
        Some(der) => der,
        None => bare(text, what),
    }
}

/// Every section of PEM.
pub(super) fn all(text: &str, what: &'static str) -> Result<Vec<Vec<u8>>, SetupError> {
    let ders: Vec<Vec<u8>> = sections(text, what).collect::<Result<_, _>>()?;
    if ders.is_empty() {
        return Err(SetupError::Missing(what));
    }
    Ok(ders)
}

fn sections(text: &str, what: &'static str) -> impl Iterator<Item = Result<Vec<u8>, SetupError>> {
    Section::pem_slice_iter(text.as_bytes()).map(move |section| match section {
        Ok((_, der)) => Ok(der),
        // The error may repeat a line of the text, so it is dropped.
        Err(_) => Err(SetupError::NotBase64(what)),
    })
}

fn bare(text: &str, what: &'static str) -> Result<Vec<u8>, SetupError> {
    let packed: String = text.split_whitespace().collect();
    BASE64_STANDARD
        .decode(packed)
        .map_err(|_| SetupError::NotBase64(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHAT: &str = "the key";
    const HELLO: &str = "-----BEGIN PUBLIC KEY-----\naGVs\nbG8=\n-----END PUBLIC KEY-----\n";
    const WORLD: &str = "-----BEGIN CERTIFICATE-----\r\nd29ybGQ=\r\n-----END CERTIFICATE-----\r\n";

    #[track_caller]
    fn is_missing(outcome: Result<impl std::fmt::Debug, SetupError>) {
        assert!(
            matches!(outcome, Err(SetupError::Missing(WHAT))),
            "{outcome:?}"
        );
    }

    #[track_caller]
    fn is_not_base64(outcome: Result<impl std::fmt::Debug, SetupError>) {
        assert!(
            matches!(outcome, Err(SetupError::NotBase64(WHAT))),
            "{outcome:?}"
        );
    }

    #[test]
    fn the_first_section_is_taken_and_text_around_it_is_not() {
        let file = format!("Bag Attributes: 支付宝\n\n{HELLO}\n\n{WORLD}and more");
        assert_eq!(one(&file, WHAT).unwrap(), b"hello");
        assert_eq!(all(&file, WHAT).unwrap(), [&b"hello"[..], b"world"]);
    }

    #[test]
    fn base64_without_a_frame_may_be_broken_into_lines() {
        for text in ["aGVsbG8=", " aGVs\r\n bG8=\n\n"] {
            assert_eq!(one(text, WHAT).unwrap(), b"hello");
        }
    }

    #[test]
    fn an_empty_text_is_called_missing() {
        for text in ["", " \r\n\t"] {
            is_missing(one(text, WHAT));
            is_missing(all(text, WHAT));
        }
        is_missing(all("aGVsbG8=", WHAT));
    }

    /// A certificate that misses from a file must not go unnoticed, wherever the file was cut.
    #[test]
    fn a_file_that_was_cut_off_is_refused() {
        let file = format!("{HELLO}{WORLD}");
        let start = HELLO.len();
        let content = start + WORLD.find("d29").unwrap();
        let end = start + WORLD.find("-----END CERTIFICATE-----").unwrap();
        for cut in [
            start + 1,
            start + 12,
            content,
            content + 4,
            end,
            end + 9,
            end + 20,
        ] {
            let cut_off = &file[..cut];
            assert_eq!(one(cut_off, WHAT).unwrap(), b"hello");
            if cut > start + 10 {
                is_not_base64(all(cut_off, WHAT));
            }
            is_not_base64(one(&cut_off[start..], WHAT));
        }
    }

    #[test]
    fn a_section_of_unknown_label_or_another_end_is_refused() {
        is_not_base64(one(&HELLO.replace("PUBLIC KEY", "HORSE"), WHAT));
        is_not_base64(one(&HELLO.replace("END PUBLIC", "END PRIVATE"), WHAT));
        is_missing(all(&HELLO.replace("PUBLIC KEY", "HORSE"), WHAT));
    }

    #[test]
    fn a_section_that_is_not_base64_is_refused() {
        is_not_base64(one(&HELLO.replace("aGVs", "a!Vs"), WHAT));
        is_not_base64(one(&HELLO.replace("bG8=", "b"), WHAT));
        is_not_base64(all(
            &format!("{WORLD}{}", HELLO.replace("aGVs", "a!Vs")),
            WHAT,
        ));
    }
}
