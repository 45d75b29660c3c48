//! The SQL store, the source of truth: SQLite embedded in the process, or a server that speaks the MySQL protocol.
//!
//! This is the only crate that names `sea_orm`, and nothing of it shows in the public API: rows go in and come out
//! as plain structs with typed ids and `jiff` times. A transaction never leaves this crate, so whatever must be
//! atomic is one function here.
//!
//! # How to write a statement
//! - The entity API (`find_by_id`, `insert`, `update`) for one row by its key, also with a lock.
//! - The query builder (`filter`, `order_by`, `update_many`, `delete_many`) for several rows of one table, and for joins
//!   that follow a relation.
//! - SQL text where the databases need an index hint, an upsert, a batch or an expression that the builder lacks. It uses
//!   the helpers of `sql.rs`, which know both dialects: a decision by dialect is a `match` on [`Backend`].
//!
//! State codes come from the enums that define them, bound or formatted in ([`OrderStatus::code`](domain::OrderStatus::code),
//! `sql::codes`): no statement holds a bare number. Migrations are the exception: they are frozen, and what a code meant
//! then must not change with an enum.

pub mod account_deletion;
pub mod accounts;
pub mod adoption;
pub mod archive;
pub mod audit;
pub mod blocks;
pub mod bulk;
pub mod check_ins;
pub mod comments;
pub mod data_map;
mod db;
pub mod demo_site;
mod entity;
mod error;
pub mod favourites;
pub mod flash_sales;
pub mod follows;
pub mod id_marks;
pub mod mentions;
mod migration;
pub mod note_drafts;
pub mod note_likes;
pub mod notes;
pub mod notices;
pub mod orders;
pub mod outbox;
pub mod outside_pictures;
pub mod payments;
pub mod personal_data;
pub mod phone_proofs;
pub mod redis_import;
pub mod retention;
pub mod search;
pub mod shop_types;
pub mod shops;
pub mod site_marks;
mod sql;
mod time;
pub mod topics;
pub mod uploads;
pub mod users;
pub mod visits;
pub mod vouchers;
pub mod write_keys;

pub use db::{Backend, Db, DbOptions, SqlTls};
#[doc(hidden)]
pub use db::{Fault, Faults};
pub use error::{Error, WriteFault};
pub use migration::{MigrationReport, SiteClock, StoredTimes, TimeSample, ZoneComparison};
#[doc(hidden)]
pub use migration::{SchemaKey, schema_keys};

/// The most rows that a query for one page of a list reads: fifty items, and the row that proves a next page.
pub const MAX_PAGE_ROWS: u32 = 51;
