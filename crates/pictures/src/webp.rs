//! Checks the chunks of a WebP before its decoder reads them: the decoder trusts their lengths and dimensions and
//! allocates that much memory, for a file of some hundred bytes.

use crate::header::MAX_PIXELS;

/// After `RIFF`, the length and `WEBP`.
const FIRST_CHUNK: usize = 12;

/// A chunk's name and length.
const CHUNK_HEAD: usize = 8;

/// The header of an animation frame, before the frame's own chunks.
const FRAME_HEAD: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    File,
    Frame,
}

/// The part of the file that is the WebP, if every chunk is complete and no picture in it has too many pixels.
pub(crate) fn checked(file: &[u8]) -> Option<&[u8]> {
    let length = read_u32(file.get(4..8)?)?.checked_add(CHUNK_HEAD)?;
    let webp = file.get(..length).unwrap_or(file);
    are_chunks_valid(webp.get(FIRST_CHUNK..)?, Level::File).then_some(webp)
}

fn are_chunks_valid(mut chunks: &[u8], level: Level) -> bool {
    while let Some((head, rest)) = chunks.split_at_checked(CHUNK_HEAD) {
        let Some((name, length)) = head.split_at_checked(4) else {
            return false;
        };
        let Some(chunk) = read_u32(length).and_then(|length| rest.get(..length)) else {
            return false;
        };
        let is_valid = match name {
            b"VP8 " => has_few_pixels(lossy_dimensions(chunk)),
            b"VP8L" => has_few_pixels(lossless_dimensions(chunk)),
            b"ANMF" if level == Level::File => {
                let frame = chunk.get(FRAME_HEAD..);
                frame.is_some_and(|chunks| are_chunks_valid(chunks, Level::Frame))
            }
            b"ANMF" => false,
            _ => true,
        };
        if !is_valid {
            return false;
        }
        // Chunks begin at even offsets.
        chunks = rest
            .get(chunk.len().next_multiple_of(2)..)
            .unwrap_or_default();
    }
    true
}

fn has_few_pixels(dimensions: Option<(u64, u64)>) -> bool {
    dimensions.is_some_and(|(width, height)| width * height <= MAX_PIXELS)
}

/// After a tag and a signature of three bytes each: 14 bits each, in two bytes each.
fn lossy_dimensions(chunk: &[u8]) -> Option<(u64, u64)> {
    let side = |at: usize| {
        let bytes = chunk.get(at..at + 2)?.try_into().ok()?;
        Some(u64::from(u16::from_le_bytes(bytes) & 0x3FFF))
    };
    Some((side(6)?, side(8)?))
}

/// After a signature of one byte: 14 bits each, stored minus one.
fn lossless_dimensions(chunk: &[u8]) -> Option<(u64, u64)> {
    let bits = read_u32(chunk.get(1..5)?)? as u64;
    Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
}

fn read_u32(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}
