//! The versions of a flash sale from "no lock" to the engine that Tandian runs, as a repeatable experiment.
//!
//! Each version is one short file behind one trait ([`versions`](crate)). Each faces the same attacks, and each outcome comes
//! with its cause.
//!
//! # How it works
//! A version runs in processes of its own: this program again, started as `lab process`, on a real Redis, a real MariaDB and
//! a real broker. A purchase declares where another buyer could interleave (a *step*), and waits there until the attacker
//! continues it. So the attacker decides the schedule: which call continues, which process is paused by SIGSTOP, which is
//! killed, whose reply is lost. A wrong version fails by a schedule that can be shown, not by chance.
//!
//! Every attack ends alike. Late buyers buy the rest of the stock, orders in flight are recorded, and SQL is compared with
//! the stock and with the replies to the buyers ([`SaleOutcome`]): a sale of N sells N, one per buyer, and no order is lost.
//!
//! # What it cannot show
//! An attack that finds no harm proves nothing beyond its schedules: two or three buyers, all orders of the steps that a
//! version has. Between two steps a version is assumed to be atomic.

mod attack;
mod attack_run;
mod attacked_process;
mod attacks;
mod avalanche;
mod bilingual;
mod broker_watch;
mod caches;
mod caller_barrier;
mod catalogue;
mod crowd;
mod double_writes;
mod experiment;
mod lab;
mod ledger;
mod limits;
mod lock_kinds;
mod process;
mod protocol;
mod recording;
mod redis_clock;
mod replicas;
mod report;
mod run_backends;
mod sale_outcome;
mod sale_tables;
mod schedule_walk;
mod services;
mod sessions;
mod shop_table;
mod snapshot;
mod sql_proxy;
mod step_by_step;
mod step_control;
mod version;
mod versions;

pub use attack::Attack;
pub use attacks::AttackFinding;
pub use bilingual::Bilingual;
pub use catalogue::{CatalogueEntry, ENTRIES, Needs, Texts, VersionKind, find, run_process, texts};
pub use crowd::{Crowd, CrowdEvent, run_crowd};
pub use experiment::{EXPERIMENTS, Experiment, TrialEvent, TrialOutcome};
pub use lab::Lab;
pub use recording::{CodePlace, ScheduleEvent};
pub use report::{ExperimentResult, LabReport, VariantResult, VersionResult};
pub use sale_outcome::SaleOutcome;
pub use services::Services;
pub use version::{Endpoints, PurchaseReply, PurchaseRequest};
