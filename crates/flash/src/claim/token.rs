//! Claim tokens: proof that a buyer opened the page of an open sale before the claim, which a simple script does not have.
//!
//! A token is an HMAC-SHA-256 over buyer, sale and a window of a minute, truncated to 128 bits. Nothing is stored. It is
//! valid in the window it was issued in and in the next, so for one to two minutes. The caller issues it only while the sale
//! is open, so nobody has one before. The comparison takes constant time.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq as _};

use crate::{BuyerId, SaleId};

/// Length of a window.
const WINDOW_MS: i64 = 60_000;

/// 128 bits: not guessable, 32 characters.
const TOKEN_BYTES: usize = 16;

/// Domain separation: other messages may be signed with the same secret.
const PURPOSE: &str = "flash claim token v1";

type Tag = [u8; TOKEN_BYTES];

/// Issues and checks tokens under one secret, which all processes of a site share.
#[derive(Clone)]
pub struct ClaimTokens {
    /// Keyed with the secret, and the purpose absorbed.
    mac: Hmac<Sha256>,
}

impl ClaimTokens {
    /// With a secret of any length; 32 random bytes are enough.
    pub fn new(secret: &[u8]) -> Self {
        Self::with_purpose(secret, PURPOSE)
    }

    /// As [`new`](Self::new), for a secret that signs other messages too: tokens of different purposes are never equal.
    pub fn with_purpose(secret: &[u8], purpose: &str) -> Self {
        let mac = Hmac::<Sha256>::new_from_slice(secret);
        let mut mac = mac.expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        // Ends the purpose, so that none is the beginning of another.
        mac.update(b"\0");
        Self { mac }
    }

    /// A token for this buyer and sale, in lower-case hex.
    pub fn issue(&self, buyer: BuyerId, sale: SaleId, now_ms: i64) -> String {
        use fmt::Write as _;

        let mut token = String::with_capacity(2 * TOKEN_BYTES);
        for byte in self.tag(buyer, sale, window(now_ms)) {
            write!(token, "{byte:02x}").expect("a string takes everything");
        }
        token
    }

    /// Whether the token was issued for this buyer and sale, in the current window or the one before.
    #[must_use]
    pub fn check(&self, token: &str, buyer: BuyerId, sale: SaleId, now_ms: i64) -> bool {
        let Some(given) = parse(token) else {
            return false;
        };
        let now = window(now_ms);
        let mut is_good = Choice::from(0);
        for window in [now, now - 1] {
            is_good |= self.tag(buyer, sale, window).ct_eq(&given);
        }
        is_good.into()
    }

    fn tag(&self, buyer: BuyerId, sale: SaleId, window: i64) -> Tag {
        let mut mac = self.mac.clone();
        for number in [buyer.0, sale.0, window] {
            mac.update(&number.to_be_bytes());
        }
        let whole = mac.finalize().into_bytes();
        let mut tag = Tag::default();
        tag.copy_from_slice(&whole[..TOKEN_BYTES]);
        tag
    }
}

impl fmt::Debug for ClaimTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimTokens(…)")
    }
}

fn window(now_ms: i64) -> i64 {
    now_ms.div_euclid(WINDOW_MS)
}

/// The bytes of a token as [`ClaimTokens::issue`] writes it; one spelling only.
fn parse(token: &str) -> Option<Tag> {
    let digits: &[u8; 2 * TOKEN_BYTES] = token.as_bytes().try_into().ok()?;
    let mut tag = Tag::default();
    for (byte, pair) in tag.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = (digit(pair[0])? << 4) | digit(pair[1])?;
    }
    Some(tag)
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}
