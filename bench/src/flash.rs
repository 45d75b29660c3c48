//! Scenarios of flash sales. Each one ends with a check of SQL: a run that lost or doubled an order has no figures.

pub(crate) mod claim;
pub(crate) mod drain;
pub(crate) mod overload;
pub(crate) mod plain;
pub(crate) mod sold_out;

/// Connections of the crowd: as many as a call of the gate decides for at the most.
pub(crate) const CONNECTIONS: usize = 256;
