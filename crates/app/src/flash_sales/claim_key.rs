//! Idempotency keys of claims.
//!
//! The gate stores the key's hash with the order for as long as it knows the buyer, and the hash goes to SQL with the
//! order, from which a lost gate is loaded: so a repeated claim is safe on every process. This module only remembers,
//! per process, which voucher a key was used for, to catch clients that reuse one key for two different claims.

use std::time::Duration;

use domain::{OrderId, UserId, VoucherId};
use flash::KeyHash;
use moka::sync::Cache;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::idempotency::IdempotencyKey;

/// The lifetime of a key.
pub(super) const REMEMBERED_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// About 10 MB when all of them are in use.
const REMEMBERED_AT_MOST: u64 = 100_000;

/// The vouchers that recent keys were used for.
#[derive(Debug)]
pub(super) struct UsedKeys {
    vouchers: Cache<u64, VoucherId>,
}

/// Users may choose the same key; the hash includes the user.
fn hash_of(key: &IdempotencyKey, user: UserId) -> KeyHash {
    KeyHash(short_hash(&[
        &user.get().to_be_bytes(),
        key.as_str().as_bytes(),
    ]))
}

/// The key of the claim that redrives a dead-lettered order.
pub(crate) fn key_of_redrive(order: OrderId) -> KeyHash {
    KeyHash(short_hash(&[b"redrive", &order.get().to_be_bytes()]))
}

fn short_hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    let digest = hasher.finalize();
    let short = digest.first_chunk().expect("32 bytes are enough");
    u64::from_be_bytes(*short)
}

impl UsedKeys {
    pub(super) fn new() -> Self {
        let vouchers = Cache::builder()
            .max_capacity(REMEMBERED_AT_MOST)
            .time_to_live(REMEMBERED_FOR)
            .build();
        Self { vouchers }
    }

    /// The hash for the gate; an error if the key was used for another voucher.
    pub(super) fn take(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        voucher: VoucherId,
    ) -> Result<KeyHash, Error> {
        let hash = hash_of(key, user);
        let used_for = self.vouchers.get_with(hash.0, || voucher);
        if used_for == voucher {
            Ok(hash)
        } else {
            Err(Error::IdempotencyMismatch)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> IdempotencyKey {
        IdempotencyKey::parse(text).unwrap()
    }

    #[test]
    fn a_key_is_its_senders_own_and_names_one_claim() {
        let used = UsedKeys::new();
        let (ann, bob) = (UserId::new(1), UserId::new(2));
        let (tea, cake) = (VoucherId::new(1), VoucherId::new(2));
        let first = used.take(&key("k"), ann, tea).unwrap();
        assert_eq!(used.take(&key("k"), ann, tea).unwrap(), first);
        let other = used.take(&key("k"), ann, cake);
        assert!(matches!(other, Err(Error::IdempotencyMismatch)));
        assert_ne!(used.take(&key("k"), bob, cake).unwrap(), first);
    }
}
