//! Pages that are open: each hears of new notices of its person, on whatever process they came about.
//!
//! The number of pages has a bound, in all and per person. A page that was away says what it saw last and gets what it
//! missed. Ids are given before their transactions commit, so a smaller one may appear after a greater: the last few
//! that were sent are remembered, and looked at again with each look.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::UserId;
use kv::{News, Session};
use storage::notices::{self, Notice, NoticeId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::{App, Error};

/// How long a page waits for a word before it looks by itself.
const LOOK_AFTER: Duration = Duration::from_secs(15);

/// Pages of one person; each window of a browser has one.
const PER_PERSON: usize = 8;

/// Notices remembered as sent, beyond the greatest id below which all have been.
const REMEMBERED: usize = 20;

/// How soon somebody may try again who found all places taken.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(10);

/// The open pages of a process.
#[derive(Debug)]
pub struct Notices {
    places: Arc<Semaphore>,
    bells: Mutex<HashMap<UserId, watch::Sender<u64>>>,
}

/// An open page of a person.
#[derive(Debug)]
pub struct Listening {
    app: App,
    user: UserId,
    /// Everything up to here was sent, or was there before.
    floor: NoticeId,
    sent: BTreeSet<NoticeId>,
    waiting: VecDeque<Notice>,
    bell: watch::Receiver<u64>,
    _place: OwnedSemaphorePermit,
}

impl Notices {
    pub fn new(places: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            bells: Mutex::default(),
        }
    }

    fn bells(&self) -> MutexGuard<'_, HashMap<UserId, watch::Sender<u64>>> {
        // The map is whole between any two statements.
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bell(&self, user: UserId) -> Result<watch::Receiver<u64>, Error> {
        let mut bells = self.bells();
        let bell = bells.entry(user).or_insert_with(|| watch::Sender::new(0));
        if bell.receiver_count() >= PER_PERSON {
            return Err(Error::TooMany {
                retry_after: FULL_RETRY_AFTER,
            });
        }
        Ok(bell.subscribe())
    }

    /// Wakes the pages of these people, and forgets bells that nobody hears.
    fn ring(&self, users: &[UserId]) {
        let mut bells = self.bells();
        for user in users {
            if let Some(bell) = bells.get(user) {
                bell.send_modify(|rung| *rung += 1);
            }
        }
        bells.retain(|_, bell| bell.receiver_count() > 0);
    }

    fn ring_all(&self) {
        for bell in self.bells().values() {
            bell.send_modify(|rung| *rung += 1);
        }
    }
}

/// Hears for whom there is news, until told to stop. Every process that has open pages runs it.
pub async fn run_listening(app: App, stop: CancellationToken) {
    let mut news = app.kv().listen_for_news();
    while let Some(word) = stop.run_until_cancelled(news.next()).await {
        match word {
            News::For(users) => app.notices().ring(&users),
            News::Gap => app.notices().ring_all(),
        }
    }
}

/// Opens a page. With `last`, what came after it is sent first; without, only what comes from here on.
pub async fn listen(
    app: &App,
    session: &Session,
    last: Option<NoticeId>,
) -> Result<Listening, Error> {
    let user = session.profile.user_id;
    let place = app.notices().places.clone().try_acquire_owned();
    let place = place.map_err(|_| Error::Busy {
        retry_after: FULL_RETRY_AFTER,
    })?;
    let bell = app.notices().bell(user)?;
    let floor = match last {
        Some(last) => last,
        None => newest(app, user).await?,
    };
    Ok(Listening {
        app: app.clone(),
        user,
        floor,
        sent: BTreeSet::new(),
        waiting: VecDeque::new(),
        bell,
        _place: place,
    })
}

async fn newest(app: &App, user: UserId) -> Result<NoticeId, Error> {
    let newest = notices::list(app.db(), user, None, 1).await?;
    Ok(newest.first().map_or(NoticeId::new(0), |notice| notice.id))
}

impl Listening {
    /// The next notice, as soon as there is one. An error ends the page; it comes again and says what it saw last.
    pub async fn next(&mut self) -> Result<Notice, Error> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                self.remember(notice.id);
                return Ok(notice);
            }
            // Before the look, so that what rings during it is not missed.
            self.bell.mark_unchanged();
            if self.look().await? {
                continue;
            }
            let _ = tokio::time::timeout(LOOK_AFTER, self.bell.changed()).await;
        }
    }

    /// Tells whether there was anything new.
    async fn look(&mut self) -> Result<bool, Error> {
        let limit = notices::LIST_LIMIT;
        let found = notices::list_after(self.app.db(), self.user, self.floor, limit).await?;
        let new = found
            .into_iter()
            .filter(|notice| !self.sent.contains(&notice.id));
        self.waiting = new.collect();
        Ok(!self.waiting.is_empty())
    }

    fn remember(&mut self, id: NoticeId) {
        self.sent.insert(id);
        if self.sent.len() > REMEMBERED
            && let Some(smallest) = self.sent.pop_first()
        {
            self.floor = smallest;
        }
    }
}
