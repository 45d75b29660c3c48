//! The setup of a run: [`RunSetup`].

/// Processes, and what may happen to the servers behind them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunSetup {
    /// The lease of each process; there are as many processes as leases.
    pub(crate) leases: &'static [u64],
    /// Whether Redis has a replica that can take its place.
    pub(crate) has_replica: bool,
    /// Whether SQL is reached by a line that can lose an answer.
    pub(crate) has_sql_line: bool,
}

impl RunSetup {
    /// A process for each of these leases.
    pub(crate) const fn of(leases: &'static [u64]) -> Self {
        Self {
            leases,
            has_replica: false,
            has_sql_line: false,
        }
    }

    pub(crate) const fn with_replica(self) -> Self {
        Self {
            has_replica: true,
            ..self
        }
    }

    pub(crate) const fn with_sql_line(self) -> Self {
        Self {
            has_sql_line: true,
            ..self
        }
    }
}
