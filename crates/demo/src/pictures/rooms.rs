//! Places to spend time in: one file per kind of place.

mod bar;
mod bits;
mod gym;
mod hair;
mod kids;
mod ktv;
mod massage;
mod nails;
mod party;
mod spa;

pub(super) use bar::bar;
pub(super) use gym::gym;
pub(super) use hair::hair;
pub(super) use kids::kids;
pub(super) use ktv::ktv;
pub(super) use massage::massage;
pub(super) use nails::nails;
pub(super) use party::party;
pub(super) use spa::spa;
