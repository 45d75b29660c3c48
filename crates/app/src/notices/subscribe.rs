//! Notice subscriptions of open pages: each receives its user's new notices, whichever process committed them.
//!
//! The number of subscriptions is bounded, in total and per user. A page that reconnects names the last notice it
//! received and gets what it missed. Ids are assigned before their transactions commit, so a smaller one may appear
//! after a greater: the last few sent ids are remembered and read again with each fetch.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::UserId;
use kv::Session;
use storage::notices::{self, NoticeId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::{DescribedNotice, describe};
use crate::{App, Error};

/// How long a subscription waits for a notification before it polls.
const POLL_AFTER: Duration = Duration::from_secs(15);

/// Subscriptions per user; each browser window has one.
const PER_PERSON: usize = 8;

/// Sent notices remembered above the floor.
const REMEMBERED: usize = 20;

/// When a client may retry after all slots were taken.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(10);

/// The subscriptions of a process.
#[derive(Debug)]
pub struct Notices {
    slots: Arc<Semaphore>,
    wakeups: Mutex<HashMap<UserId, watch::Sender<u64>>>,
}

/// One subscription of a user.
#[derive(Debug)]
pub struct NoticeSubscription {
    app: App,
    user: UserId,
    /// Everything up to here was sent or is older than the subscription.
    floor: NoticeId,
    sent: BTreeSet<NoticeId>,
    pending: VecDeque<DescribedNotice>,
    wakeup: watch::Receiver<u64>,
    _slot: OwnedSemaphorePermit,
}

impl Notices {
    pub fn new(slots: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(slots)),
            wakeups: Mutex::default(),
        }
    }

    fn wakeups(&self) -> MutexGuard<'_, HashMap<UserId, watch::Sender<u64>>> {
        // The map is consistent between any two statements.
        self.wakeups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wakeup(&self, user: UserId) -> Result<watch::Receiver<u64>, Error> {
        let mut wakeups = self.wakeups();
        let wakeup = wakeups.entry(user).or_insert_with(|| watch::Sender::new(0));
        if wakeup.receiver_count() >= PER_PERSON {
            return Err(Error::TooMany {
                retry_after: FULL_RETRY_AFTER,
            });
        }
        Ok(wakeup.subscribe())
    }

    /// Wakes the subscriptions of these users and drops entries without subscribers.
    pub(crate) fn wake(&self, users: &[UserId]) {
        let mut wakeups = self.wakeups();
        for user in users {
            if let Some(wakeup) = wakeups.get(user) {
                wakeup.send_modify(|count| *count += 1);
            }
        }
        wakeups.retain(|_, wakeup| wakeup.receiver_count() > 0);
    }

    pub(crate) fn wake_all(&self) {
        for wakeup in self.wakeups().values() {
            wakeup.send_modify(|count| *count += 1);
        }
    }
}

/// Subscribes. With `last`, later notices are sent first; without, only new ones.
pub async fn subscribe(
    app: &App,
    session: &Session,
    last: Option<NoticeId>,
) -> Result<NoticeSubscription, Error> {
    let user = session.profile.user_id;
    let slot = app.notices().slots.clone().try_acquire_owned();
    let slot = slot.map_err(|_| Error::Busy {
        retry_after: FULL_RETRY_AFTER,
    })?;
    let wakeup = app.notices().wakeup(user)?;
    let floor = match last {
        Some(last) => last,
        None => newest(app, user).await?,
    };
    Ok(NoticeSubscription {
        app: app.clone(),
        user,
        floor,
        sent: BTreeSet::new(),
        pending: VecDeque::new(),
        wakeup,
        _slot: slot,
    })
}

async fn newest(app: &App, user: UserId) -> Result<NoticeId, Error> {
    let newest = notices::list(app.db(), user, None, 1).await?;
    Ok(newest.first().map_or(NoticeId::new(0), |notice| notice.id))
}

impl NoticeSubscription {
    /// Waits for the next notice. After an error the page reconnects with the last notice it received.
    pub async fn next(&mut self) -> Result<DescribedNotice, Error> {
        loop {
            if let Some(described) = self.pending.pop_front() {
                self.mark_sent(described.notice.id);
                return Ok(described);
            }
            // Before the fetch, so that a wakeup during it is not lost.
            self.wakeup.mark_unchanged();
            if self.fetch().await? {
                continue;
            }
            let _ = tokio::time::timeout(POLL_AFTER, self.wakeup.changed()).await;
        }
    }

    /// Reads new notices; returns whether there were any.
    async fn fetch(&mut self) -> Result<bool, Error> {
        let limit = storage::MAX_PAGE_ROWS;
        let found = notices::list_after(self.app.db(), self.user, self.floor, limit).await?;
        let new = found
            .into_iter()
            .filter(|notice| !self.sent.contains(&notice.id));
        let new = describe(&self.app, self.user, new.collect()).await?;
        self.pending = new.into();
        Ok(!self.pending.is_empty())
    }

    fn mark_sent(&mut self, id: NoticeId) {
        self.sent.insert(id);
        if self.sent.len() > REMEMBERED
            && let Some(smallest) = self.sent.pop_first()
        {
            self.floor = smallest;
        }
    }
}
