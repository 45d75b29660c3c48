//! The contract of storage, kept on SQLite and on MariaDB alike: each claim is one function, run on both.
//! What only one of them can be asked (its file, its server, adopting a database of the original) stands in a module of
//! its own.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail like the tests themselves"
)]

mod account_deletion;
mod adoption;
mod balance_entries;
mod blocks;
mod bulk;
mod check_ins;
mod comments;
mod contacts;
mod data_map;
mod dead_letters;
mod demo_site;
mod faults;
mod favourite_notes;
mod favourites;
mod flash_sales;
mod follows;
mod found;
mod limits;
mod mariadb;
mod mentions;
mod migration;
mod note_drafts;
mod note_writing;
mod notes;
mod order_life;
mod orders;
mod outbox;
mod outside_refunds;
mod payments;
mod races;
mod random_lives;
mod reading_cost;
mod recording_cost;
mod replicas;
mod retention;
mod running_sales;
mod schema;
mod search;
mod selling;
mod shop_opinions;
mod shop_stars;
mod shops;
mod site_marks;
mod social_notices;
mod sqlite;
mod support;
mod tls;
mod topics;
mod uploads;
mod users;
mod visits;
mod vouchers;
