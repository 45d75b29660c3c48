//! Each version is harmed by exactly the attacks that the catalogue lists.

mod crowd;
mod experiments;
mod report;
mod versions;
