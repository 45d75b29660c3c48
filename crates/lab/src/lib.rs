//! The road to a flash sale that works, version by version, as an experiment that anybody can repeat.
//!
//! Each version of the sale is one short file behind one trait ([`versions`](crate)), from "no lock" to the engine that
//! Tandian runs. Each is attacked by the same crowd, and each verdict comes with its cause.
//!
//! # How it works
//! A version runs in processes of its own: this program again, started as `lab process`, on a real Redis, a real MariaDB
//! and a real broker. A purchase says where somebody else could come in between (a *step*), and stands there until the
//! attacker lets it go on. So the attacker decides the schedule: who moves, who is paused by SIGSTOP, who is killed,
//! whose answer is lost. Wrong versions are not wrong by luck but by a schedule that can be shown.
//!
//! Every attack ends alike. Latecomers buy what is left, what is on its way arrives, and SQL is compared with what there
//! was to sell and what people were told ([`Verdict`]): a sale of N sells N, one to a person, and nobody's order is lost.
//!
//! # What it cannot show
//! An attack that finds nothing proves nothing beyond its schedules: two or three buyers, all orders of the steps that a
//! version has. Between two steps a version is taken at its word.

mod attack;
mod attacks;
mod branch;
mod caches;
mod catalogue;
mod experiment;
mod ground;
mod lab;
mod ledger;
mod limits;
mod meeting;
mod pace;
mod process;
mod report;
mod scene;
mod sessions;
mod shelf;
mod sql_line;
mod supply;
mod verdict;
mod version;
mod versions;
mod wire;
mod words;

pub use attack::Attack;
pub use attacks::Finding;
pub use catalogue::{ENTRIES, Entry, Kind, Needs, Texts, find, run_process, texts};
pub use experiment::{EXPERIMENTS, Experiment, Outcome};
pub use ground::Ground;
pub use lab::Lab;
pub use report::{ExperimentRow, Report, Row, WayRow};
pub use scene::Moment;
pub use verdict::Verdict;
pub use version::{Answer, Places, Wish};
pub use words::Words;
