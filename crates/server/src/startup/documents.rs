//! The operator's own privacy notice and terms: plain text, read once at the start.
//!
//! What cannot be shown is refused here, with the setting and the reason: a page without its text would be found by visitors.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};

use crate::settings::Settings;

/// The longest document; long notices have a fifth of that.
const DOCUMENT_MAX_BYTES: u64 = 256 * 1024;

/// Absent where the built-in text is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documents {
    pub privacy: Option<Arc<str>>,
    pub terms: Option<Arc<str>>,
}

impl Documents {
    pub fn read(settings: &Settings) -> anyhow::Result<Self> {
        let site = &settings.site;
        Ok(Self {
            privacy: read_document(&site.privacy_file, "site.privacy_file")?,
            terms: read_document(&site.terms_file, "site.terms_file")?,
        })
    }
}

fn read_document(file: &Option<PathBuf>, setting: &str) -> anyhow::Result<Option<Arc<str>>> {
    let Some(file) = file else { return Ok(None) };
    let document =
        read(file).with_context(|| format!("cannot use {setting} {}", file.display()))?;
    Ok(Some(document.into()))
}

fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let opened = File::open(file)?;
    // One byte more proves that it is too long.
    opened
        .take(DOCUMENT_MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > DOCUMENT_MAX_BYTES {
        bail!("it has more than {} KiB", DOCUMENT_MAX_BYTES / 1024);
    }
    let text = String::from_utf8(bytes).context("it is not UTF-8 text")?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.is_empty() {
        bail!("it is empty");
    }
    if text.contains(is_control) {
        bail!("it holds control characters: save it as plain text");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Option<Arc<str>>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("privacy.md");
        fs::write(&file, bytes).unwrap();
        let folder = folder.path().to_str().unwrap();
        read_document(&Some(file), "site.privacy_file")
            .map_err(|error| format!("{error:#}").replace(folder, ""))
    }

    #[test]
    fn a_document_is_handed_on_as_it_is_markup_included() {
        let text = "# 隐私\r\n\r\n<script>alert(1)</script>\n- [x](javascript:alert(1))";
        let read = read_bytes(format!("\u{feff}\n{text}\n").as_bytes()).unwrap();
        assert_eq!(read.as_deref(), Some(text));
        assert_eq!(read_document(&None, "site.privacy_file").unwrap(), None);
    }

    #[test]
    fn what_cannot_be_shown_is_refused_with_the_reason() {
        let longest = vec![b'a'; DOCUMENT_MAX_BYTES as usize];
        assert!(read_bytes(&longest).is_ok());
        let too_long = [longest, vec![b'a']].concat();
        for (bytes, reason) in [
            (too_long.as_slice(), "it has more than 256 KiB"),
            (b" \n", "it is empty"),
            (b"\xff\xfe", "it is not UTF-8 text"),
            (b"a\x1b[2Jb", "it holds control characters"),
        ] {
            let refusal = read_bytes(bytes).unwrap_err();
            let start = format!("cannot use site.privacy_file /privacy.md: {reason}");
            assert!(refusal.starts_with(&start), "{refusal}");
        }
    }

    #[test]
    fn a_missing_file_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for file in [folder.path().join("none.md"), folder.path().to_owned()] {
            let refusal = read_document(&Some(file), "site.terms_file").unwrap_err();
            let refusal = refusal.to_string();
            assert!(
                refusal.starts_with("cannot use site.terms_file /"),
                "{refusal}"
            );
        }
    }
}
