//! Variant 1. The same, with a random part in every TTL: half an hour plus up to five minutes.
//!
//! The ends are spread evenly, so the database gets a few queries at a time. It spreads ends and nothing else: when Redis
//! itself is gone, all entries are gone at once.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::same_ttl::SameTtl;
use super::{ExpiringCache, JITTER, TTL};
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

pub(super) struct Jittered(SameTtl);

impl ExpiringCache for Jittered {
    async fn start(link: Link, rows: Arc<ShopTable>) -> Result<Self> {
        Ok(Self(SameTtl::start(link, rows).await?))
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        let ttl = TTL + JITTER.mul_f64(rand::random());
        self.0.get_for(id, ttl, barrier).await
    }
}
