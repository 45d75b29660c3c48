//! Finds a token in the memory of this process without SHA-256 and without keeping the token.
//!
//! The fingerprint is 128 bits of SipHash under a key that is drawn at the start of the process and never leaves it: two
//! halves of 64 bits, over the token behind a different word each. Nobody outside can compute a fingerprint, so nobody can
//! aim at one: a guessed token has the fingerprint of one of n sessions with a probability of n / 2¹²⁸. Two fingerprints are
//! compared as one number, in the same time wherever they differ.

use std::hash::{BuildHasher as _, RandomState};

use domain::SessionToken;

/// The fingerprint of a token in this process.
pub(crate) type TokenFingerprint = u128;

/// The key of this process.
#[derive(Clone, Debug)]
pub(crate) struct FingerprintKey(RandomState);

impl FingerprintKey {
    pub(crate) fn random() -> Self {
        Self(RandomState::new())
    }

    pub(crate) fn fingerprint(&self, token: &SessionToken) -> TokenFingerprint {
        let half = |word: u64| u128::from(self.0.hash_one((word, token.as_bytes())));
        half(0) << 64 | half(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_depends_on_the_token_and_on_the_process_in_both_halves() {
        let (one, other) = (
            SessionToken::from_random([1; 20]),
            SessionToken::from_random([2; 20]),
        );
        let key = FingerprintKey::random();
        let halves = |fingerprint: u128| (fingerprint >> 64, fingerprint & u128::from(u64::MAX));
        let (high, low) = halves(key.fingerprint(&one));
        assert_eq!(halves(key.fingerprint(&one)), (high, low));
        assert_ne!(high, low);
        let next_process = FingerprintKey::random();
        for (other_high, other_low) in [
            halves(key.fingerprint(&other)),
            halves(next_process.fingerprint(&one)),
        ] {
            assert_ne!(other_high, high);
            assert_ne!(other_low, low);
        }
    }
}
