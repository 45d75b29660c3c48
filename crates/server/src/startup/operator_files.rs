//! Files of the operator's own that pages show: texts and the streets of the map.
//!
//! A file that cannot be used is refused at the start, because visitors would find a page without a text, or an empty map.

use super::{Documents, ProcessRole};
use crate::settings::Settings;
use crate::tiles_file::TilesFile;

#[derive(Clone, Debug, Default)]
pub struct OperatorFiles {
    pub documents: Documents,
    pub map_tiles: Option<TilesFile>,
}

impl OperatorFiles {
    /// Workers show no pages, and need not have the files.
    pub fn read(role: &ProcessRole, settings: &Settings) -> anyhow::Result<Self> {
        match role {
            ProcessRole::All(_) | ProcessRole::Web(_) => Ok(Self {
                documents: Documents::read(settings)?,
                map_tiles: TilesFile::named_in(settings)?,
            }),
            ProcessRole::Worker => Ok(Self::default()),
        }
    }
}
