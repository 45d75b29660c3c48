//! SHA-256 in hex: how secrets are kept in Redis.

use sha2::{Digest, Sha256};

/// The parts are separated, so that moving a character from one to the next changes the hash.
pub(crate) fn sha256_hex(parts: &[&str]) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
        hasher.update([0]);
    }
    let digit = |nibble: u8| HEX[usize::from(nibble)];
    let mut hex = Vec::with_capacity(2 * 32);
    for byte in hasher.finalize() {
        hex.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    String::from_utf8(hex).expect("digits are ASCII")
}
