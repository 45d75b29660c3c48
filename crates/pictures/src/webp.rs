//! The chunks of a WebP, looked at before its decoder sees them: it believes whatever they say of their length and of their
//! measures, and takes as much memory as that, for a file of some hundred bytes.

use crate::header::MAX_PIXELS;

/// Behind `RIFF`, its length, and `WEBP`.
const FIRST_CHUNK: usize = 12;

/// A chunk's name and length.
const CHUNK_HEAD: usize = 8;

/// What a frame of an animation says of itself before its own chunks.
const FRAME_HEAD: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    File,
    Frame,
}

/// The part of the file that is the WebP, if every chunk of it is there and no picture in it has too many pixels.
pub(crate) fn sound(file: &[u8]) -> Option<&[u8]> {
    let length = read_u32(file.get(4..8)?)?.checked_add(CHUNK_HEAD)?;
    let webp = file.get(..length).unwrap_or(file);
    are_sound(webp.get(FIRST_CHUNK..)?, Level::File).then_some(webp)
}

fn are_sound(mut chunks: &[u8], level: Level) -> bool {
    while let Some((head, rest)) = chunks.split_at_checked(CHUNK_HEAD) {
        let Some((name, length)) = head.split_at_checked(4) else {
            return false;
        };
        let Some(chunk) = read_u32(length).and_then(|length| rest.get(..length)) else {
            return false;
        };
        let is_sound = match name {
            b"VP8 " => has_few_pixels(lossy_measures(chunk)),
            b"VP8L" => has_few_pixels(lossless_measures(chunk)),
            b"ANMF" if level == Level::File => {
                let frame = chunk.get(FRAME_HEAD..);
                frame.is_some_and(|chunks| are_sound(chunks, Level::Frame))
            }
            b"ANMF" => false,
            _ => true,
        };
        if !is_sound {
            return false;
        }
        // Chunks begin at even places.
        chunks = rest
            .get(chunk.len().next_multiple_of(2)..)
            .unwrap_or_default();
    }
    true
}

fn has_few_pixels(measures: Option<(u64, u64)>) -> bool {
    measures.is_some_and(|(width, height)| width * height <= MAX_PIXELS)
}

/// Behind a tag of three bytes and as many of a signature: 14 bits each, in two bytes each.
fn lossy_measures(chunk: &[u8]) -> Option<(u64, u64)> {
    let side = |at: usize| {
        let bytes = chunk.get(at..at + 2)?.try_into().ok()?;
        Some(u64::from(u16::from_le_bytes(bytes) & 0x3FFF))
    };
    Some((side(6)?, side(8)?))
}

/// Behind a signature of one byte: 14 bits each, one less than they are.
fn lossless_measures(chunk: &[u8]) -> Option<(u64, u64)> {
    let bits = read_u32(chunk.get(1..5)?)? as u64;
    Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
}

fn read_u32(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}
