//! Each guard taken out: the schedule that it keeps from happening.

use super::scopes::*;
use super::{BOOKS, Guard, ONE_EACH, OVERSELL, RECORDED, STUCK, UNITS, assert_needed};

#[test]
fn without_the_barrier_a_reload_sells_a_unit_twice() {
    assert_needed(Guard::LoadWaitsForABarrier, LOST_GATE, OVERSELL);
}

#[test]
fn without_the_barrier_a_reload_gives_a_buyer_a_second_order() {
    assert_needed(Guard::LoadWaitsForABarrier, LOST_GATE, ONE_EACH);
}

#[test]
fn with_a_gate_that_is_closed_after_the_barrier_a_reload_sells_a_unit_twice() {
    assert_needed(Guard::GateIsClosedBeforeTheBarrier, TWO_LOADERS, OVERSELL);
}

#[test]
fn without_load_numbers_a_loader_that_was_overtaken_adds_units() {
    assert_needed(Guard::LoadsAreNumbered, TWO_LOADERS, OVERSELL);
}

#[test]
fn without_a_mark_in_the_loading_gate_a_return_loses_its_unit() {
    assert_needed(Guard::ReturnMarksALoadingGate, RETURN_IN_A_LOAD, UNITS);
}

#[test]
fn without_order_ids_that_are_recognised_a_repeated_claim_takes_a_second_unit() {
    assert_needed(Guard::RepeatedClaimIsTheSame, REPEATED_CLAIMS, UNITS);
}

#[test]
fn without_looking_at_what_a_buyer_holds_a_second_claim_is_a_second_order() {
    assert_needed(Guard::ClaimCountsWhatIsHeld, CRASHES, ONE_EACH);
}

#[test]
fn without_remembering_ended_orders_a_late_claim_takes_a_unit_for_nobody() {
    assert_needed(Guard::EndedOrderStaysKnown, LATE_CLAIMS, UNITS);
}

#[test]
fn without_looking_at_the_holder_a_repeated_return_adds_a_unit() {
    assert_needed(Guard::ReturnLooksAtTheHolder, RETURNS, OVERSELL);
}

#[test]
fn with_an_outbox_row_that_goes_before_its_effect_a_crash_loses_a_unit() {
    assert_needed(Guard::EffectComesBeforeTheRowGoes, CRASHES, UNITS);
}

#[test]
fn with_an_acknowledgement_before_the_commit_a_crash_loses_an_order() {
    assert_needed(Guard::CommitComesBeforeAck, CRASHES, RECORDED);
}

#[test]
fn without_taking_over_pending_entries_a_crash_strands_an_order() {
    assert_needed(Guard::PendingIsReclaimed, CRASHES, STUCK);
}

#[test]
fn with_a_ledger_that_forgets_its_orders_a_redelivery_is_recorded_twice() {
    assert_needed(Guard::LedgerKnowsItsOrders, CRASHES, BOOKS);
}

#[test]
fn without_a_look_at_pending_entries_a_barrier_passes_a_sleeping_worker() {
    assert_needed(Guard::BarrierSeesWhatIsPending, SLEEPING_WORKER, RECORDED);
}

#[test]
fn without_stamps_in_claims_a_promoted_replica_sells_a_unit_twice() {
    assert_needed(Guard::ClaimComparesTheStamp, FAILOVER, OVERSELL);
}

#[test]
fn without_stamps_in_claims_a_promoted_replica_gives_a_buyer_a_second_order() {
    assert_needed(Guard::ClaimComparesTheStamp, FAILOVER, ONE_EACH);
}

#[test]
fn without_stamps_in_loads_a_failover_opens_a_gate_without_its_holders() {
    assert_needed(Guard::LoadComparesTheStamp, FAILOVER_IN_A_LOAD, UNITS);
}

#[test]
fn with_a_barrier_that_goes_by_ids_an_order_of_the_lost_master_is_recorded_behind_it() {
    assert_needed(Guard::BarrierWaitsForWhatArrivedBefore, FAILOVER, RECORDED);
}

#[test]
fn without_fences_a_worker_that_was_replaced_records_behind_the_barrier() {
    assert_needed(
        Guard::SeatIsFenced,
        FAILOVER_WITH_A_SLEEPING_WORKER,
        RECORDED,
    );
}

#[test]
fn without_confirming_the_lease_a_replaced_worker_passes_the_barrier() {
    let guard = Guard::SeatIsConfirmedForABarrier;
    assert_needed(guard, FAILOVER_WITH_A_SLEEPING_WORKER, RECORDED);
}

#[test]
fn without_waiting_for_replicas_a_failover_loses_an_answered_claim() {
    assert_needed(Guard::AnswerWaitsForReplicas, REPLICAS, RECORDED);
}

#[test]
fn without_asking_again_replicas_confirm_what_the_new_master_never_had() {
    assert_needed(Guard::GateIsAskedAgainAfterReplicas, REPLICAS, RECORDED);
}

#[test]
fn without_proof_an_outage_that_ends_dead_letters_a_healthy_order() {
    assert_needed(Guard::DeadLetterNeedsProof, OUTAGE, RECORDED);
}

#[test]
fn with_a_dead_letter_that_is_recorded_later_its_unit_is_sold_twice() {
    assert_needed(Guard::DeadLetterIsFinal, POISON, RECORDED);
}

#[test]
fn without_replicas_for_the_lease_an_isolated_master_records_behind_the_barrier() {
    let guard = Guard::SeatWaitsForReplicas;
    assert_needed(guard, REPLICAS_OF_AN_ISOLATED_MASTER, RECORDED);
}
