//! Hashing of passwords by argon2id, with a bound on the memory it takes.
//!
//! A hash needs [`MEMORY_KIB`] for some hundredths of a second of one core. Slots bound how many run at once; a caller
//! that gets none within [`SLOT_WAIT`] is refused, so that a flood of sign-ins neither takes the memory nor the blocking
//! threads that the rest of the site needs.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use domain::{Password, PasswordHash};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Error;

/// OWASP's recommendation for argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// What a stored hash may demand at the most: a row that somebody forged must not take all memory.
const MEMORY_KIB_MAX: u32 = 64 * 1024;
const PASSES_MAX: u32 = 10;
const LANES_MAX: u32 = 4;

const SALT_BYTES: usize = 16;

/// Well below the time that a request may take.
const SLOT_WAIT: Duration = Duration::from_secs(3);
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct PasswordHasher {
    slots: Arc<Semaphore>,
    slot_wait: Duration,
}

/// The right to one hash.
#[derive(Debug)]
pub(crate) struct HashSlot {
    _permit: OwnedSemaphorePermit,
}

impl PasswordHasher {
    pub(crate) fn new(max_parallel: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(max_parallel)),
            slot_wait: SLOT_WAIT,
        }
    }

    /// Waits for a slot, for as long as a user would.
    pub(crate) async fn reserve(&self) -> Result<HashSlot, Error> {
        let permit = self.slots.clone().acquire_owned();
        let permit = tokio::time::timeout(self.slot_wait, permit).await;
        let permit = permit.map_err(|_| Error::Busy {
            retry_after: BUSY_RETRY_AFTER,
        })?;
        let _permit = permit.expect("the semaphore is never closed");
        Ok(HashSlot { _permit })
    }
}

impl HashSlot {
    pub(crate) async fn hash(self, password: Password) -> PasswordHash {
        self.run(move || hash(&password)).await
    }

    /// Whether `password` is the one of `stored`. Without one the same work is done for nothing, so that the time of a reply
    /// does not tell whether there is a password.
    pub(crate) async fn verify(self, password: Password, stored: Option<PasswordHash>) -> bool {
        self.run(move || match stored.as_ref().and_then(readable) {
            Some(stored) => Argon2::default()
                .verify_password(password.expose().as_bytes(), &stored)
                .is_ok(),
            None => {
                hash(&password);
                false
            }
        })
        .await
    }

    /// The slot is free when the thread is, although the caller may have gone before.
    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let work = move || {
            let done = work();
            drop(self);
            done
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.expect("hashing does not panic")
    }
}

fn hash(password: &Password) -> PasswordHash {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are in range");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let salt: [u8; SALT_BYTES] = rand::random();
    let hash = argon2
        .hash_password_with_salt(password.expose().as_bytes(), &salt)
        .expect("a bounded password and a salt of usual length");
    PasswordHash::parse(&hash.to_string()).expect("argon2id in PHC form, of about 100 bytes")
}

/// Nothing, if it cannot be read or demands too much.
fn readable(stored: &PasswordHash) -> Option<phc::PasswordHash> {
    let hash = phc::PasswordHash::new(stored.as_str()).ok()?;
    let params = Params::try_from(&hash.params).ok()?;
    let is_bounded = params.m_cost() <= MEMORY_KIB_MAX
        && params.t_cost() <= PASSES_MAX
        && params.p_cost() <= LANES_MAX;
    (is_bounded && hash.hash.is_some()).then_some(hash)
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    fn password(text: &str) -> Password {
        Password::parse(&SecretString::from(text)).unwrap()
    }

    async fn verify(hasher: &PasswordHasher, text: &str, stored: &str) -> bool {
        let slot = hasher.reserve().await.unwrap();
        let stored = PasswordHash::parse(stored);
        slot.verify(password(text), stored).await
    }

    #[tokio::test]
    async fn a_hash_verifies_its_password_alone_and_fits_its_column() {
        let hasher = PasswordHasher::new(1);
        let hash = hasher
            .reserve()
            .await
            .unwrap()
            .hash(password("correct horse"));
        let hash = hash.await;
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(verify(&hasher, "correct horse", hash.as_str()).await);
        assert!(!verify(&hasher, "correct horsE", hash.as_str()).await);
        let again = hasher
            .reserve()
            .await
            .unwrap()
            .hash(password("correct horse"));
        assert_ne!(again.await, hash, "every hash has a salt of its own");
    }

    #[tokio::test]
    async fn a_hash_that_cannot_be_read_or_demands_too_much_is_no_password() {
        let hasher = PasswordHasher::new(1);
        let salt_and_hash = "c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let stored = [
            "$argon2id$".to_owned(),
            "$argon2id$v=19$m=19456,t=2,p=1".to_owned(),
            format!("$argon2id$v=19$m=4194304,t=2,p=1${salt_and_hash}"),
            format!("$argon2id$v=19$m=19456,t=100000,p=1${salt_and_hash}"),
            format!("$argon2id$v=19$m=19456,t=2,p=1${salt_and_hash}"),
        ];
        for stored in stored {
            assert!(!verify(&hasher, "correct horse", &stored).await, "{stored}");
        }
    }

    /// The shortest of several runs: the machine may be busy, the work is the same.
    #[tokio::test]
    async fn without_a_password_the_same_work_is_done() {
        let hasher = PasswordHasher::new(1);
        let stored = hasher.reserve().await.unwrap();
        let stored = stored.hash(password("correct horse")).await;
        let mut shortest = [Duration::MAX; 2];
        for _ in 0..5 {
            for (place, stored) in [stored.as_str(), "none"].into_iter().enumerate() {
                let began = std::time::Instant::now();
                assert!(!verify(&hasher, "another horse", stored).await);
                shortest[place] = shortest[place].min(began.elapsed());
            }
        }
        let [with, without] = shortest;
        assert!(
            without * 4 > with && with * 4 > without,
            "{with:?} {without:?}"
        );
    }

    #[tokio::test]
    async fn beyond_its_slots_a_caller_waits_and_is_refused() {
        let hasher = PasswordHasher {
            slot_wait: Duration::from_millis(50),
            ..PasswordHasher::new(2)
        };
        let held = [
            hasher.reserve().await.unwrap(),
            hasher.reserve().await.unwrap(),
        ];
        let began = std::time::Instant::now();
        assert!(matches!(hasher.reserve().await, Err(Error::Busy { .. })));
        assert!(began.elapsed() >= hasher.slot_wait);
        drop(held);
        assert!(hasher.reserve().await.is_ok());
    }

    /// The caller hung up; the thread still has the memory.
    #[tokio::test]
    async fn a_slot_is_held_until_its_thread_is_done() {
        let hasher = PasswordHasher::new(1);
        let slot = hasher.reserve().await.unwrap();
        let (finish, finished) = std::sync::mpsc::channel::<()>();
        let running = tokio::spawn(slot.run(move || finished.recv().is_ok()));
        tokio::task::yield_now().await;
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        assert_eq!(hasher.slots.available_permits(), 0);
        finish.send(()).unwrap();
        assert!(hasher.reserve().await.is_ok());
    }
}
