//! The FIFO queue of a mutex inside a process: one task at a time acquires or holds the lock, the others wait here.
//!
//! The right to do so is a [`QueueTurn`]. Dropping the turn passes it, with its lease, to the next waiter; without a waiter
//! the lease is released. So a task that is cancelled at any await leaves nothing behind.
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
    /// Whether a task has the turn.
    busy: bool,
    waiters: VecDeque<oneshot::Sender<QueueTurn>>,
    /// The length at which cancelled waiters are removed.
    clear_at: usize,
    owner: Option<(String, Weak<GuardInner>)>,
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

    /// Takes the turn, if no task has it.
    pub(crate) fn try_take_turn(self: &Arc<Self>) -> Option<QueueTurn> {
        let mut queue_state = lock(&self.state);
        let free = !std::mem::replace(&mut queue_state.busy, true);
        free.then(|| QueueTurn::new(self.clone(), TurnState::default()))
    }

    /// Waits for the turn.
    pub(crate) async fn wait_for_turn(self: &Arc<Self>) -> QueueTurn {
        let turn = {
            let mut queue_state = lock(&self.state);
            if !std::mem::replace(&mut queue_state.busy, true) {
                return QueueTurn::new(self.clone(), TurnState::default());
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

    /// The guard that this owner holds.
    pub(crate) fn held_by(&self, owner: &str) -> Option<Arc<GuardInner>> {
        match &lock(&self.state).owner {
            Some((present, guard)) if present == owner => guard.upgrade(),
            _ => None,
        }
    }

    /// Passes the turn to the next waiter, or marks the queue as idle.
    fn pass_on(self: Arc<Self>, mut state: TurnState) {
        while let Some(waiter) = self.next_waiter() {
            match waiter.send(QueueTurn::new(self.clone(), state)) {
                Ok(()) => return,
                Err(returned) => state = returned.into_state(),
            }
        }
        // No waiter: dropping the state releases its lease in the background.
        drop(state);
    }

    fn next_waiter(&self) -> Option<oneshot::Sender<QueueTurn>> {
        let mut queue_state = lock(&self.state);
        let next = queue_state.waiters.pop_front();
        queue_state.busy = next.is_some();
        next
    }
}

impl QueueState {
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
