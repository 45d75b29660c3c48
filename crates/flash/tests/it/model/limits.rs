//! What the protocol does not promise, each with the schedule that shows it: a change that closes one of these turns its
//! test red.

use super::scopes::*;
use super::{Guard, RECORDED, STUCK, assert_broken, assert_holds};

/// A process that is cut off together with the old master takes the drain lease there when it has expired, with a fence
/// above all others, and records what that master alone had, behind the barrier of the new one. The new gate sells that
/// unit, and the order of its next buyer is dead-lettered. With `replicas = 0` an isolated master goes unnoticed.
#[test]
fn with_a_lease_of_an_isolated_master_an_order_of_the_new_master_is_dead_lettered() {
    assert_broken(None, LEASE_OF_AN_ISOLATED_MASTER, RECORDED);
}

/// What would close it, besides `replicas = 1` and `min-replicas-to-write 1` in Redis: a stream entry carries the number of
/// the load that its gate had, a load writes its own into the ledger after the barrier and before it reads, and the ledger
/// refuses orders of earlier loads from then on.
#[test]
fn with_loads_that_are_sealed_in_the_ledger_such_a_lease_does_no_harm() {
    let scope = Scope {
        seals: true,
        ..LEASE_OF_AN_ISOLATED_MASTER
    };
    assert_holds("sealed loads", scope);
}

/// An order that can never be recorded is proven to be at fault by recordings of others. If its gate is lost first there
/// are none in its sale: the load waits for the barrier, the barrier for the order, until other sales of the process
/// record orders, or a person sees the metric of parked orders.
#[test]
fn with_one_poisoned_order_alone_a_load_waits() {
    assert_broken(None, POISON_ALONE, STUCK);
}

/// The wait for replicas in the drain worker (`drain/replica_check.rs`) is not needed for what the others promise: a gate is
/// loaded anew after every failover.
#[test]
fn without_replicas_in_the_drain_everything_holds() {
    for scope in [REPLICAS, REPLICAS_OF_AN_ISOLATED_MASTER] {
        super::assert_holds_without(Guard::DrainWaitsForReplicas, scope);
    }
}
