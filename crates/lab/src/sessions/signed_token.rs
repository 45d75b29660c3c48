//! Variant 1. A token that carries its user id and a signature (as a JWT does).
//!
//! Every process has the key and can verify it; nothing is stored on the server. Signing out deletes the browser's copy; a
//! stolen or kept copy is valid until it expires.

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link::Link;
use ring::hmac;

use super::Sessions;

const LIFETIME_SECS: i64 = 1_800;

/// All processes have the same one, from their settings.
const SECRET: &[u8] = b"an example; a real one is random and nobody's business";

pub(super) struct SignedToken {
    key: hmac::Key,
}

impl Sessions for SignedToken {
    async fn start(_link: Link) -> Result<Self> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET);
        Ok(Self { key })
    }

    async fn sign_in(&self, user: i64) -> Result<String> {
        let claim = format!("{user}.{}", now_secs() + LIFETIME_SECS);
        let signature = hmac::sign(&self.key, claim.as_bytes());
        Ok(format!("{claim}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    async fn who(&self, token: &str) -> Result<Option<i64>> {
        let (claim, signature) = token.rsplit_once('.').unwrap_or_default();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        if hmac::verify(&self.key, claim.as_bytes(), &signature).is_err() {
            return Ok(None);
        }
        let (user, end_secs) = claim.split_once('.').unwrap_or_default();
        let is_over = now_secs() >= end_secs.parse()?;
        Ok(if is_over { None } else { Some(user.parse()?) })
    }

    async fn sign_out(&self, _token: &str) -> Result<()> {
        // The server has nothing to delete: only the browser deletes its copy.
        Ok(())
    }
}

fn now_secs() -> i64 {
    jiff::Timestamp::now().as_second()
}
