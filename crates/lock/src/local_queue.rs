//! The FIFO queue of a mutex inside a process: one task at a time acquires or holds the lock, the others wait here.
//!
//! The right to do so is a [`QueueTurn`]. Dropping the turn passes it, with its lease, to the next waiter; without a waiter
//! the lease is released. So a task that is cancelled at any await leaves nothing behind.
//!
//! A guard that has lost its lease loses its turn too, although it is still alive: other processes can get the lock, so the
//! tasks of this one must be able to. Turns are numbered, and only the current one can be passed on.
//!
//! A lease that passes from task to task costs no round trip: its grant came with a range of fences, and each task takes
//! the next one. After [`COHORT_GRANTS`](crate::limits::COHORT_GRANTS) grants or [`COHORT_TIME`](crate::limits::COHORT_TIME)
//! the next task sends a request to Redis, which serves waiting processes first.

mod turn;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, Weak},
};

use tokio::sync::{Notify, oneshot};

pub(crate) use turn::QueueTurn;
use turn::TurnState;

use crate::{
    core::{Core, lock},
    guard::GuardInner,
    lease::LeaseState,
    limits::STALE_WAITERS,
    remote_lock::{LockKind, RemoteLock},
};

/// The queue of one mutex.
#[derive(Debug)]
pub(crate) struct LocalQueue {
    pub(crate) remote: Arc<RemoteLock>,
    state: Mutex<QueueState>,
    /// Notified when an owner acquires the lock, for tasks that wait in the name of the same owner.
    pub(crate) taken: Notify,
}

#[derive(Debug, Default)]
struct QueueState {
    /// The turn of a task, if one has it.
    turn: Option<CurrentTurn>,
    /// The number of the last turn that began.
    last_turn: u64,
    waiters: VecDeque<oneshot::Sender<QueueTurn>>,
    /// The length at which cancelled waiters are removed.
    clear_at: usize,
    owner: Option<(String, Weak<GuardInner>)>,
}

#[derive(Debug)]
struct CurrentTurn {
    number: u64,
    /// The lease of the guard that has the turn; `None` while its task acquires the lock.
    held: Option<Arc<LeaseState>>,
}

impl LocalQueue {
    /// The queue of this name; all mutexes of the name share it.
    pub(crate) fn get_or_create(core: &Arc<Core>, name: &str) -> Arc<Self> {
        let mut queues = lock(&core.local_queues);
        if let Some(queue) = queues.get(name).and_then(Weak::upgrade) {
            return queue;
        }
        let queue = Arc::new(Self {
            remote: Arc::new(RemoteLock::new(core.clone(), LockKind::Mutex, name)),
            state: Mutex::default(),
            taken: Notify::new(),
        });
        queues.insert(name.to_owned(), Arc::downgrade(&queue));
        queue
    }

    /// The queue of this name, if a mutex or a guard uses it.
    fn find(core: &Core, name: &str) -> Option<Arc<Self>> {
        lock(&core.local_queues).get(name).and_then(Weak::upgrade)
    }

    /// Takes the turn, if no task has it.
    pub(crate) fn try_take_turn(self: &Arc<Self>) -> Option<QueueTurn> {
        self.check_holder();
        let number = lock(&self.state).begin_turn()?;
        Some(QueueTurn::new(self.clone(), number, TurnState::default()))
    }

    /// Waits for the turn.
    pub(crate) async fn wait_for_turn(self: &Arc<Self>) -> QueueTurn {
        let turn = {
            let mut queue_state = lock(&self.state);
            if let Some(number) = queue_state.begin_turn() {
                return QueueTurn::new(self.clone(), number, TurnState::default());
            }
            queue_state.wait()
        };
        turn.await
            .expect("a queue outlives its callers and sends each of them a turn")
    }

    pub(crate) fn has_waiters(&self) -> bool {
        lock(&self.state)
            .waiters
            .iter()
            .any(|waiter| !waiter.is_closed())
    }

    /// Notes who holds the lock, so that the same owner may enter again.
    pub(crate) fn set_owner(&self, owner: &str, guard: &Arc<GuardInner>) {
        lock(&self.state).owner = Some((owner.to_owned(), Arc::downgrade(guard)));
        self.taken.notify_waiters();
    }

    /// The guard that this owner holds, unless it is lost.
    pub(crate) fn held_by(&self, owner: &str) -> Option<Arc<GuardInner>> {
        let guard = match &lock(&self.state).owner {
            Some((present, guard)) if present == owner => guard.upgrade(),
            _ => None,
        };
        // Outside the lock: a guard that finds its loss passes the turn on.
        guard.filter(|guard| guard.state().reason().is_none())
    }

    /// Notes the lease of the guard that has this turn. If it is lost already, the turn is passed on.
    fn note_held(self: &Arc<Self>, number: u64, lease: &Arc<LeaseState>) {
        if let Some(turn) = &mut lock(&self.state).turn
            && turn.number == number
        {
            turn.held = Some(lease.clone());
        }
        if lease.reason().is_some() {
            self.pass_on_lost(lease);
        }
    }

    /// Passes the turn on if the guard that has it is lost and no task has noticed.
    fn check_holder(&self) {
        let held = lock(&self.state)
            .turn
            .as_ref()
            .and_then(|turn| turn.held.clone());
        if let Some(held) = held {
            held.reason();
        }
    }

    /// Notifies the guard of this process that its lock was taken by force, if it was.
    pub(crate) fn lose_held(&self, ended: &[String]) {
        let held = lock(&self.state)
            .turn
            .as_ref()
            .and_then(|turn| turn.held.clone());
        if let Some(held) = held
            && ended.contains(&held.token().to_string())
        {
            held.lose_forced();
        }
    }

    /// Passes the turn on if the guard of this lease has it.
    fn pass_on_lost(self: &Arc<Self>, lost: &LeaseState) {
        let number = match &lock(&self.state).turn {
            Some(turn) if turn.is_held_by(lost) => turn.number,
            _ => return,
        };
        self.clone().pass_on(number, TurnState::default());
    }

    /// Passes the turn to the next waiter, or marks the queue as idle. Without a waiter, or if another turn has begun since,
    /// the lease is released in the background.
    fn pass_on(self: Arc<Self>, mut number: u64, mut state: TurnState) {
        while let Some((waiter, next)) = self.next_turn(number) {
            match waiter.send(QueueTurn::new(self.clone(), next, state)) {
                Ok(()) => return,
                Err(returned) => state = returned.into_state(),
            }
            number = next;
        }
        drop(state);
    }

    /// Ends the turn of this number, if it is the current one, and begins that of the next waiter.
    fn next_turn(&self, ended: u64) -> Option<(oneshot::Sender<QueueTurn>, u64)> {
        let mut queue_state = lock(&self.state);
        queue_state.turn.take_if(|turn| turn.number == ended)?;
        let waiter = queue_state.waiters.pop_front()?;
        let number = queue_state.begin_turn()?;
        Some((waiter, number))
    }
}

/// Passes on the turn of a guard whose lease is lost. Called once, by whoever notices the loss.
pub(crate) fn pass_on_lost(lost: &LeaseState) {
    let remote = lost.remote();
    if let Some(queue) = LocalQueue::find(&remote.core, remote.name()) {
        queue.pass_on_lost(lost);
    }
}

impl CurrentTurn {
    fn is_held_by(&self, lease: &LeaseState) -> bool {
        self.held
            .as_ref()
            .is_some_and(|held| std::ptr::eq(&**held, lease))
    }
}

impl QueueState {
    /// Begins a turn, if no task has one, and returns its number.
    fn begin_turn(&mut self) -> Option<u64> {
        if self.turn.is_some() {
            return None;
        }
        self.last_turn += 1;
        self.turn = Some(CurrentTurn {
            number: self.last_turn,
            held: None,
        });
        Some(self.last_turn)
    }

    fn wait(&mut self) -> oneshot::Receiver<QueueTurn> {
        if self.waiters.len() >= self.clear_at {
            self.waiters.retain(|waiter| !waiter.is_closed());
            self.clear_at = STALE_WAITERS.max(2 * self.waiters.len());
        }
        let (waiter, turn) = oneshot::channel();
        self.waiters.push_back(waiter);
        turn
    }
}

impl Drop for LocalQueue {
    fn drop(&mut self) {
        let mut queues = lock(&self.remote.core.local_queues);
        // Another queue of this name may have been created since the last handle to this one was dropped.
        if queues
            .get(self.remote.name())
            .is_some_and(|queue| queue.strong_count() == 0)
        {
            queues.remove(self.remote.name());
        }
    }
}
