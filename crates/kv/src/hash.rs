//! SHA-256: how secrets are kept in Redis, where it is written in hex.

use sha2::{Digest, Sha256};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The parts are separated, so that moving a character from one to the next changes the hash.
pub(crate) fn sha256(parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
        hasher.update([0]);
    }
    hasher.finalize().into()
}

pub(crate) fn sha256_hex(parts: &[&str]) -> String {
    to_hex(&sha256(parts))
}

pub(crate) fn to_hex(hash: &[u8; 32]) -> String {
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    let digits = hash
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.collect()
}

/// Nothing but what [`to_hex`] writes.
pub(crate) fn from_hex(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let value = |digit: u8| DIGITS.iter().position(|known| *known == digit);
    let mut hash = [0; 32];
    for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
        *byte = u8::try_from(value(*high)? * 16 + value(*low)?).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_as_it_is_written() {
        let hash = sha256(&["a", "b"]);
        assert_eq!(from_hex(&to_hex(&hash)), Some(hash));
        let written = to_hex(&hash);
        assert!(from_hex(&written.to_uppercase()).is_none());
        assert!(from_hex(&written[1..]).is_none());
        assert!(from_hex(&format!("{written}0")).is_none());
        assert!(from_hex(&"é".repeat(32)).is_none());
    }
}
