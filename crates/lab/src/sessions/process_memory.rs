//! Variant 0. A session in the memory of the process, as in Tomcat.
//!
//! No other process has it, and neither has this one after a restart. (A load balancer can send a user always to the same
//! process; then a restart signs out all users of that process.)

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use link::Link;

use super::Sessions;

pub(super) struct ProcessMemory {
    users: Mutex<HashMap<String, i64>>,
}

impl Sessions for ProcessMemory {
    async fn start(_link: Link) -> Result<Self> {
        let users = Mutex::default();
        Ok(Self { users })
    }

    async fn sign_in(&self, user: i64) -> Result<String> {
        let token = format!("{:032x}", rand::random::<u128>());
        self.users().insert(token.clone(), user);
        Ok(token)
    }

    async fn who(&self, token: &str) -> Result<Option<i64>> {
        Ok(self.users().get(token).copied())
    }

    async fn sign_out(&self, token: &str) -> Result<()> {
        self.users().remove(token);
        Ok(())
    }
}

impl ProcessMemory {
    fn users(&self) -> std::sync::MutexGuard<'_, HashMap<String, i64>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
