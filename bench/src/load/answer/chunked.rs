//! Replies in chunks, as Java servers send them: small ones come as one chunk and its end.

use anyhow::{Context, Result, ensure};

use super::header;

/// The body, if all of it is there. Small replies have one chunk; several are refused rather than joined, because that
/// would cost what the generator must not cost.
pub(super) fn only_chunk<'a>(head: &str, after: &'a [u8]) -> Result<Option<&'a [u8]>> {
    let coding = header(head, "transfer-encoding");
    let is_chunked = coding.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
    ensure!(is_chunked, "a reply has neither a length nor chunks");
    let Some(size_end) = after.windows(2).position(|two| two == b"\r\n") else {
        return Ok(None);
    };
    let size = str::from_utf8(&after[..size_end])?;
    let size = usize::from_str_radix(size, 16).context("the size of a chunk is no number")?;
    let begin = size_end + 2;
    let end = begin.checked_add(size).context("a chunk is too long")?;
    let (Some(chunk), Some(rest)) = (after.get(begin..end), after.get(end..)) else {
        return Ok(None);
    };
    const END: &[u8] = b"\r\n0\r\n\r\n";
    ensure!(
        END.starts_with(&rest[..rest.len().min(END.len())]),
        "a reply comes in several chunks; the generator reads replies of one"
    );
    Ok((rest.len() >= END.len()).then_some(chunk))
}
