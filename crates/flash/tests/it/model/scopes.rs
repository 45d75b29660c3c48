//! How much there is of everything: small enough for seconds, and for each guard enough to miss it.

/// What a world begins with, and how often each thing may go wrong in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    pub(super) buyers: u8,
    pub(super) units: u8,
    /// Orders that a buyer may hold.
    pub(super) limit: u8,
    /// Claims that each buyer makes.
    pub(super) asks: u8,
    /// Whether answers wait for a replica.
    pub(super) replicas: bool,
    /// Whether the first order can never be recorded.
    pub(super) poison: bool,
    /// Failures between recordings of others that prove an order to be at fault; the engine wants two.
    pub(super) proofs: u8,
    /// Whether a reconciliation comes when everything is at rest.
    pub(super) reconciles: bool,
    pub(super) returns: u8,
    pub(super) loads: u8,
    pub(super) lost_replies: u8,
    pub(super) late_claims: u8,
    pub(super) gate_losses: u8,
    pub(super) failovers: u8,
    /// Whether a master that was replaced may live on.
    pub(super) is_split: bool,
    /// Whether the ledger refuses orders of earlier loads once a load begins to read it: a rule that the engine does not
    /// have, see `limits.rs`.
    pub(super) seals: bool,
    /// Whether its locks expire there and are taken there again.
    pub(super) isolated_leases: bool,
    pub(super) crashes: u8,
    pub(super) takeovers: u8,
    /// Effects of the outbox that are made twice.
    pub(super) repeats: u8,
    pub(super) outages: u8,
}

/// Two buyers for one unit, and nothing goes wrong.
pub(super) const QUIET: Scope = Scope {
    buyers: 2,
    units: 1,
    limit: 1,
    asks: 2,
    replicas: false,
    poison: false,
    proofs: 1,
    reconciles: false,
    returns: 0,
    loads: 0,
    lost_replies: 0,
    late_claims: 0,
    gate_losses: 0,
    failovers: 0,
    is_split: false,
    seals: false,
    isolated_leases: false,
    crashes: 0,
    takeovers: 0,
    repeats: 0,
    outages: 0,
};

pub(super) const LOST_GATE: Scope = Scope {
    gate_losses: 1,
    loads: 1,
    ..QUIET
};

pub(super) const TWO_LOADERS: Scope = Scope {
    loads: 2,
    ..LOST_GATE
};

pub(super) const RETURN_IN_A_LOAD: Scope = Scope {
    returns: 1,
    asks: 1,
    ..LOST_GATE
};

/// Buyers who may hold two, and whose replies get lost.
pub(super) const REPEATED_CLAIMS: Scope = Scope {
    buyers: 1,
    units: 2,
    limit: 2,
    asks: 3,
    lost_replies: 1,
    ..QUIET
};

pub(super) const LATE_CLAIMS: Scope = Scope {
    late_claims: 1,
    returns: 1,
    ..QUIET
};

/// A late claim may bring an ended order back to a gate that was loaded since.
pub(super) const LATE_CLAIMS_IN_A_LOAD: Scope = Scope {
    reconciles: true,
    gate_losses: 1,
    loads: 1,
    asks: 1,
    ..LATE_CLAIMS
};

pub(super) const RETURNS: Scope = Scope {
    buyers: 3,
    asks: 1,
    returns: 1,
    repeats: 1,
    ..QUIET
};

pub(super) const CRASHES: Scope = Scope {
    units: 2,
    returns: 1,
    crashes: 1,
    ..QUIET
};

pub(super) const SLEEPING_WORKER: Scope = Scope {
    takeovers: 1,
    asks: 1,
    ..LOST_GATE
};

pub(super) const FAILOVER: Scope = Scope {
    failovers: 1,
    loads: 1,
    ..QUIET
};

pub(super) const FAILOVER_WITH_A_SLEEPING_WORKER: Scope = Scope {
    takeovers: 1,
    asks: 1,
    ..FAILOVER
};

pub(super) const FAILOVER_IN_A_LOAD: Scope = Scope {
    buyers: 1,
    gate_losses: 1,
    loads: 2,
    ..FAILOVER
};

/// The master that was replaced lives on, and some still reach it.
pub(super) const ISOLATED_MASTER: Scope = Scope {
    is_split: true,
    takeovers: 1,
    asks: 1,
    ..FAILOVER
};

pub(super) const REPLICAS: Scope = Scope {
    replicas: true,
    ..FAILOVER
};

pub(super) const REPLICAS_OF_AN_ISOLATED_MASTER: Scope = Scope {
    replicas: true,
    isolated_leases: true,
    ..ISOLATED_MASTER
};

/// This is more than the engine promises: see `limits.rs`.
pub(super) const LEASE_OF_AN_ISOLATED_MASTER: Scope = Scope {
    isolated_leases: true,
    ..ISOLATED_MASTER
};

/// The effect of a return may be made on the isolated master alone: a reconciliation repeats it.
pub(super) const RETURN_TO_AN_ISOLATED_MASTER: Scope = Scope {
    returns: 1,
    reconciles: true,
    takeovers: 0,
    ..ISOLATED_MASTER
};

pub(super) const OUTAGE: Scope = Scope {
    units: 2,
    asks: 1,
    outages: 1,
    crashes: 1,
    ..QUIET
};

/// One order that the ledger never takes. It does not fail for other reasons here, so one recording of another is proof.
pub(super) const POISON: Scope = Scope {
    buyers: 3,
    units: 2,
    asks: 1,
    poison: true,
    proofs: 0,
    crashes: 1,
    ..QUIET
};

/// The one order that there is cannot be recorded.
pub(super) const POISON_ALONE: Scope = Scope {
    buyers: 1,
    poison: true,
    ..LOST_GATE
};

/// More of each fault, and several kinds at once.
const LARGE: &[(&str, Scope)] = &[
    (
        "large: lost gates",
        Scope {
            buyers: 3,
            units: 2,
            asks: 1,
            returns: 1,
            crashes: 1,
            ..TWO_LOADERS
        },
    ),
    (
        "large: failover",
        Scope {
            returns: 1,
            loads: 2,
            asks: 2,
            ..FAILOVER_WITH_A_SLEEPING_WORKER
        },
    ),
    (
        "large: failover in a load",
        Scope {
            buyers: 2,
            asks: 1,
            ..FAILOVER_IN_A_LOAD
        },
    ),
    (
        "large: isolated master",
        Scope {
            asks: 2,
            loads: 2,
            ..ISOLATED_MASTER
        },
    ),
    (
        "large: outages",
        Scope {
            buyers: 3,
            units: 3,
            outages: 2,
            proofs: 2,
            ..OUTAGE
        },
    ),
];

/// The scopes in which everything holds, by name; more of each fault at once if `is_large`.
pub(super) fn all(is_large: bool) -> Vec<(&'static str, Scope)> {
    let mut scopes = vec![
        ("lost gate", LOST_GATE),
        ("two loaders", TWO_LOADERS),
        ("return in a load", RETURN_IN_A_LOAD),
        ("repeated claims", REPEATED_CLAIMS),
        ("late claims", LATE_CLAIMS),
        ("late claims in a load", LATE_CLAIMS_IN_A_LOAD),
        ("returns", RETURNS),
        ("crashes", CRASHES),
        ("sleeping worker", SLEEPING_WORKER),
        ("failover", FAILOVER),
        (
            "failover with a sleeping worker",
            FAILOVER_WITH_A_SLEEPING_WORKER,
        ),
        ("failover in a load", FAILOVER_IN_A_LOAD),
        ("isolated master", ISOLATED_MASTER),
        ("return to an isolated master", RETURN_TO_AN_ISOLATED_MASTER),
        ("replicas", REPLICAS),
        (
            "replicas of an isolated master",
            REPLICAS_OF_AN_ISOLATED_MASTER,
        ),
        ("outage", OUTAGE),
        ("poison", POISON),
    ];
    if is_large {
        scopes.extend(LARGE);
    }
    scopes
}
