//! The `.pmtiles` file of vector tiles that the operator named: what must be true of it for the web app to draw streets.
//!
//! Only the header is read, when a process starts. A file that pages could not use is refused there, with what to do:
//! otherwise every visitor would see an empty map and nobody would know why.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::settings::Settings;

const MAGIC: &[u8; 7] = b"PMTiles";

const HEADER_BYTES: usize = 127;

/// The specification puts header and root directory there, and readers fetch it at once.
const FIRST_READ_BYTES: u64 = 16_384;

/// Pairs of offset and length: root directory, metadata, leaf directories, tiles.
const SECTIONS: [usize; 4] = [8, 24, 40, 56];

const E7: f64 = 1e7;

/// A file that was good when the process started.
#[derive(Clone, Debug, PartialEq)]
pub struct TilesFile {
    path: PathBuf,
    bounds: Bounds,
}

/// In degrees, in the datum of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

#[derive(Debug, Error)]
pub enum TilesFileError {
    #[error("map.tiles_file {} cannot be read: name a .pmtiles file that the server may read, or leave it empty", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("map.tiles_file {} {flaw}", path.display())]
    Flaw { path: PathBuf, flaw: Flaw },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    #[error("is no PMTiles archive: make one with `pmtiles extract` (docs/guide/operations.md)")]
    Magic,
    #[error(
        "is of PMTiles version {0}, and pages read version 3: convert it with `pmtiles convert`"
    )]
    Version(u8),
    #[error(
        "holds no vector tiles (MVT): pages draw streets themselves and cannot use pictures of them"
    )]
    NotVector,
    #[error(
        "is compressed in a way that browsers cannot undo: make it with gzip or without compression"
    )]
    Compression,
    #[error("ends before its last tile: copy it again, the copy was cut off")]
    CutOff,
    #[error("does not say which part of the earth it shows: make it again with `pmtiles extract`")]
    Bounds,
}

impl TilesFile {
    /// The file that the settings name; `None` if they name none.
    pub fn named_in(settings: &Settings) -> Result<Option<Self>, TilesFileError> {
        let path = settings.map.tiles_file.as_deref();
        path.map(Self::open).transpose()
    }

    fn open(path: &Path) -> Result<Self, TilesFileError> {
        let path = path.to_owned();
        match read(&path) {
            Ok(Ok(bounds)) => Ok(Self { path, bounds }),
            Ok(Err(flaw)) => Err(TilesFileError::Flaw { path, flaw }),
            Err(source) => Err(TilesFileError::Read { path, source }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

fn read(path: &Path) -> io::Result<Result<Bounds, Flaw>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut header = [0; HEADER_BYTES];
    Ok(match file.read_exact(&mut header) {
        Ok(()) => check(&header, metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Flaw::Magic),
        Err(error) => return Err(error),
    })
}

fn check(header: &[u8; HEADER_BYTES], file_bytes: u64) -> Result<Bounds, Flaw> {
    const GZIP_OR_NONE: [u8; 2] = [1, 2];
    const MVT: u8 = 1;
    if &header[..7] != MAGIC {
        return Err(Flaw::Magic);
    }
    if header[7] != 3 {
        return Err(Flaw::Version(header[7]));
    }
    if header[99] != MVT {
        return Err(Flaw::NotVector);
    }
    if !(GZIP_OR_NONE.contains(&header[97]) && GZIP_OR_NONE.contains(&header[98])) {
        return Err(Flaw::Compression);
    }
    let ends = SECTIONS.map(|at| {
        let start = u64::from_le_bytes(field(header, at));
        start.saturating_add(u64::from_le_bytes(field(header, at + 8)))
    });
    if ends[0] > FIRST_READ_BYTES || ends.iter().any(|end| *end > file_bytes) {
        return Err(Flaw::CutOff);
    }
    let [west, south, east, north] = [102, 106, 110, 114].map(|at| degrees(field(header, at)));
    let is_on_earth = west >= -180.0 && east <= 180.0 && south >= -90.0 && north <= 90.0;
    if !is_on_earth || west >= east || south >= north {
        return Err(Flaw::Bounds);
    }
    Ok(Bounds {
        west,
        south,
        east,
        north,
    })
}

fn field<const N: usize>(header: &[u8; HEADER_BYTES], at: usize) -> [u8; N] {
    let bytes = header[at..].first_chunk();
    *bytes.expect("every field lies in the header")
}

fn degrees(bytes: [u8; 4]) -> f64 {
    f64::from(i32::from_le_bytes(bytes)) / E7
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header followed by as many bytes as it announces.
    fn archive() -> Vec<u8> {
        let mut bytes = vec![0; 200];
        bytes[..7].copy_from_slice(MAGIC);
        bytes[7] = 3;
        for (at, (start, length)) in SECTIONS
            .iter()
            .zip([(127, 3), (130, 10), (140, 0), (140, 60)])
        {
            bytes[*at..at + 8].copy_from_slice(&u64::to_le_bytes(start));
            bytes[at + 8..at + 16].copy_from_slice(&u64::to_le_bytes(length));
        }
        bytes[97..100].copy_from_slice(&[2, 1, 1]);
        for (at, e7) in [
            (102, 1_199_000_000),
            (106, 300_000_000),
            (110, 1_204_000_000),
            (114, 304_000_000),
        ] {
            bytes[at..at + 4].copy_from_slice(&i32::to_le_bytes(e7));
        }
        bytes
    }

    fn opened(content: &[u8]) -> Result<Bounds, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.pmtiles");
        std::fs::write(&path, content).unwrap();
        let opened = TilesFile::open(&path).map(|file| file.bounds());
        let nameless = |error: TilesFileError| {
            error
                .to_string()
                .replace(folder.path().to_str().unwrap(), "")
        };
        opened.map_err(nameless)
    }

    /// The archive with one byte of its header changed.
    fn with(at: usize, byte: u8) -> Vec<u8> {
        let mut bytes = archive();
        bytes[at] = byte;
        bytes
    }

    #[test]
    fn an_archive_of_vector_tiles_is_taken_with_its_bounds() {
        let bounds = Bounds {
            west: 119.9,
            south: 30.0,
            east: 120.4,
            north: 30.4,
        };
        assert_eq!(opened(&archive()), Ok(bounds));
        assert_eq!(opened(&with(98, 2)), Ok(bounds), "tiles may be gzip");
    }

    #[test]
    fn a_file_that_pages_cannot_use_is_refused_with_what_to_do() {
        let cut = &archive()[..199];
        let mut nowhere = archive();
        nowhere[102..118].fill(0);
        let mut huge = archive();
        huge[64..72].fill(0xff);
        for (content, flaw) in [
            (&b""[..], Flaw::Magic),
            (b"PMTiles\x03", Flaw::Magic),
            (&[b'x'; 500], Flaw::Magic),
            (&with(0, b'p'), Flaw::Magic),
            (&with(7, 2), Flaw::Version(2)),
            (&with(99, 2), Flaw::NotVector),
            (&with(97, 3), Flaw::Compression),
            (&with(98, 4), Flaw::Compression),
            (&with(98, 0), Flaw::Compression),
            (cut, Flaw::CutOff),
            (&huge, Flaw::CutOff),
            (&with(17, 0xff), Flaw::CutOff),
            (&nowhere, Flaw::Bounds),
        ] {
            let expected = format!("map.tiles_file /city.pmtiles {flaw}");
            assert_eq!(opened(content), Err(expected));
        }
    }

    #[test]
    fn a_file_that_is_not_there_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("none.pmtiles"), folder.path().to_owned()] {
            let error = TilesFile::open(&path).unwrap_err();
            assert!(matches!(error, TilesFileError::Read { .. }), "{error}");
            assert!(error.to_string().contains("may read, or leave it empty"));
        }
    }
}
