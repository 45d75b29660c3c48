//! A lock that can be one of several: [`Member`].

use std::time::Duration;

use tokio::time::Instant;

use crate::{Error, Guard, Mutex, ReentrantMutex, Term, remote_lock::RemoteLock, token::LockMode};

/// A member of a [`MultiLock`](crate::MultiLock), made of a [`Mutex`] or a [`ReentrantMutex`].
#[derive(Clone, Debug)]
pub struct Member(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Mutex(Mutex),
    Reentrant(ReentrantMutex),
}

impl From<Mutex> for Member {
    fn from(mutex: Mutex) -> Self {
        Self(Kind::Mutex(mutex))
    }
}

impl From<ReentrantMutex> for Member {
    fn from(mutex: ReentrantMutex) -> Self {
        Self(Kind::Reentrant(mutex))
    }
}

impl Member {
    pub(super) fn remote(&self) -> &RemoteLock {
        match &self.0 {
            Kind::Mutex(mutex) => mutex.remote(),
            Kind::Reentrant(mutex) => mutex.queued().remote(),
        }
    }

    pub(super) fn lease(&self) -> Duration {
        self.term().lease()
    }

    pub(super) fn is_renewed(&self) -> bool {
        matches!(self.term(), Term::Renewed(_))
    }

    pub(super) async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.try_until(None).await
    }

    pub(super) async fn try_until(&self, until: Option<Instant>) -> Result<Option<Guard>, Error> {
        match &self.0 {
            Kind::Mutex(mutex) => mutex.try_until(until).await,
            Kind::Reentrant(mutex) => {
                let lock = mutex.queued();
                lock.try_until(LockMode::Exclusive, until).await
            }
        }
    }

    pub(super) async fn lock(&self) -> Result<Guard, Error> {
        match &self.0 {
            Kind::Mutex(mutex) => mutex.lock().await,
            Kind::Reentrant(mutex) => mutex.lock().await,
        }
    }

    pub(super) async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        match &self.0 {
            Kind::Mutex(mutex) => mutex.lock_within(limit).await,
            Kind::Reentrant(mutex) => mutex.lock_within(limit).await,
        }
    }

    fn term(&self) -> Term {
        match &self.0 {
            Kind::Mutex(mutex) => mutex.own_term(),
            Kind::Reentrant(mutex) => mutex.queued().own_term(),
        }
    }
}
