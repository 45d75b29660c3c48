//! SQL: the only crate that names sea_orm.
