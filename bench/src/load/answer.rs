//! The parts of a reply that the checks need: read from its bytes without a parser, which would cost more than the
//! site that is measured.

mod chunked;

use std::fmt;

use anyhow::{Context, Result};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// `success` of the envelope.
    pub(crate) is_success: bool,
    /// The number in `data`, where there is one.
    pub(crate) order: Option<i64>,
    /// `code` of the envelope, of a refusal.
    pub(crate) code: RefusalCode,
}

/// The `code` of a refusal, by its first bytes; empty where there is none.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RefusalCode([u8; CODE_BYTES]);

/// Longer than all there are.
const CODE_BYTES: usize = 32;

impl Answer {
    /// The answer at the beginning of these bytes, if all of it is there.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>> {
        let Some(body_at) = end_of_head(bytes) else {
            return Ok(None);
        };
        let head = str::from_utf8(&bytes[..body_at])?;
        let body = match content_length(head) {
            Some(length) => bytes.get(body_at..body_at + length),
            None => chunked::only_chunk(head, &bytes[body_at..])?,
        };
        let Some(body) = body else {
            return Ok(None);
        };
        let status = head.get(9..12).context("a reply without a status")?;
        Ok(Some(Self {
            status: status.parse()?,
            is_success: body.starts_with(br#"{"success":true"#),
            order: order_in(body),
            code: code_in(body).unwrap_or_default(),
        }))
    }
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.split(|byte| *byte == 0).next().unwrap_or_default();
        formatter.write_str(&String::from_utf8_lossy(text))
    }
}

impl fmt::Debug for RefusalCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{self}`")
    }
}

impl From<&[u8]> for RefusalCode {
    fn from(text: &[u8]) -> Self {
        let length = text.len().min(CODE_BYTES);
        let mut code = [0; CODE_BYTES];
        code[..length].copy_from_slice(&text[..length]);
        Self(code)
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let found = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    found.map(|at| at + 4)
}

/// By the spelling of most servers in Rust, then by any other.
fn content_length(head: &str) -> Option<usize> {
    let length = match head.split_once("content-length: ") {
        Some((_, after)) => after.split_once("\r\n")?.0,
        None => header(head, "content-length")?,
    };
    length.parse().ok()
}

/// The value of a header, however its name is spelled.
fn header<'a>(head: &'a str, wanted: &str) -> Option<&'a str> {
    let mut headers = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = headers.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
    Some(value.trim())
}

/// The id in `"data":"…"`, which is the first thing after the verdict. The original writes it without quotation marks.
fn order_in(body: &[u8]) -> Option<i64> {
    let after = body.strip_prefix(br#"{"success":true,"data":"#)?;
    let digits = match after.strip_prefix(b"\"") {
        Some(quoted) => until_quote(quoted)?.0,
        None => after.split(|byte| !byte.is_ascii_digit()).next()?,
    };
    str::from_utf8(digits).ok()?.parse().ok()
}

/// The code of a refusal, which comes right after its words.
fn code_in(body: &[u8]) -> Option<RefusalCode> {
    let words = body.strip_prefix(br#"{"success":false,"errorMsg":""#)?;
    let (_, after) = until_quote(words)?;
    let code = after.strip_prefix(br#","code":""#)?;
    Some(until_quote(code)?.0.into())
}

/// What comes before a quotation mark, and what after it.
fn until_quote(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == b'"')?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_read_when_all_of_it_is_there() {
        let reply =
            b"HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n{\"success\":true,\"data\":\"1234\"}";
        for part in 0..reply.len() {
            assert_eq!(Answer::read(&reply[..part]).unwrap(), None);
        }
        let answer = Answer {
            status: 200,
            is_success: true,
            order: Some(1234),
            code: RefusalCode::default(),
        };
        assert_eq!(Answer::read(reply).unwrap(), Some(answer));
    }

    #[test]
    fn a_page_of_texts_holds_no_order() {
        let page = br#"{"success":true,"data":[{"data":"77"}]}"#;
        assert_eq!(order_in(page), None);
    }

    #[test]
    fn a_reply_of_the_original_is_read_with_its_chunk_and_its_bare_number() {
        let reply = b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n1c\r\n{\"success\":true,\"data\":1234}\r\n0\r\n\r\n";
        for part in 0..reply.len() {
            assert_eq!(Answer::read(&reply[..part]).unwrap(), None);
        }
        let answer = Answer::read(reply).unwrap().unwrap();
        assert_eq!((answer.is_success, answer.order), (true, Some(1234)));
        let spelled = b"HTTP/1.1 401 \r\nContent-Length: 0\r\n\r\n";
        assert_eq!(Answer::read(spelled).unwrap().unwrap().status, 401);
        let endless = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nsome words";
        assert!(Answer::read(endless).is_err());
    }

    #[test]
    fn a_refusal_tells_its_code() {
        let refusal =
            r#"{"success":false,"errorMsg":"库存不足","code":"sold_out","data":{"code":"x"}}"#;
        let code = code_in(refusal.as_bytes()).unwrap();
        assert_eq!(code.to_string(), "sold_out");
        assert_eq!(code_in(br#"{"success":true,"data":"7"}"#), None);
    }
}
