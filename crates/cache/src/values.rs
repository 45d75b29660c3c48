//! Encodes and decodes the entries of one cache, checks that its codec suits its values, and counts where it does not.
//!
//! A value that the codec does not suit costs no reader an error: readers get it from the loader, and memory keeps it
//! briefly. The counters tell how often, and the log tells it once.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::{
    Codec, CodecError, Loader,
    entry::{self, CacheEntry, EncodedEntry, StoredEntry},
    meter::Meter,
    tags::TagGenerations,
};

/// The codec of a cache, and what it has shown.
#[derive(Debug)]
pub(crate) struct Values {
    pub(crate) codec: Codec,
    /// Values of more bytes are compressed.
    compress_above: Option<usize>,
    /// Whether a value came back as it was. Set once: bytes that name their fields fail to decode sooner than they
    /// decode to another value.
    is_proven: AtomicBool,
    is_encode_error_logged: AtomicBool,
    is_decode_error_logged: AtomicBool,
}

impl Values {
    pub(crate) fn new(codec: Codec, compress_above: Option<usize>) -> Self {
        Self {
            codec,
            compress_above,
            is_proven: AtomicBool::new(false),
            is_encode_error_logged: AtomicBool::new(false),
            is_decode_error_logged: AtomicBool::new(false),
        }
    }

    /// The bytes of an entry; `None` if the codec does not suit its value.
    pub(crate) fn encode<L: Loader>(
        &self,
        entry: &CacheEntry<L::Value>,
        meter: &Meter,
    ) -> Option<Vec<u8>> {
        let encoded = entry::encode::<L>(entry, self.codec)
            .and_then(|encoded| self.check::<L>(entry, &encoded).map(|()| encoded));
        match encoded {
            Ok(mut encoded) => {
                let value_bytes = encoded.value().len();
                if self.compress_above.is_some_and(|above| value_bytes > above) {
                    encoded.compress();
                }
                Some(encoded.bytes)
            }
            Err(error) => {
                meter.encode_errors.add(1);
                self.log_encode_error(&error, meter);
                None
            }
        }
    }

    /// Decodes bytes whose key has the TTL `usable_for`.
    pub(crate) fn decode<L: Loader>(
        &self,
        bytes: &[u8],
        usable_for: Duration,
        generations: &TagGenerations,
        meter: &Meter,
    ) -> StoredEntry<L::Value> {
        let note = |tags| generations.note(tags);
        let decoded = entry::decode::<L>(bytes, usable_for, self.codec, note);
        if let StoredEntry::Undecodable(_, error) = &decoded {
            meter.decode_errors.add(1);
            self.log_decode_error(error, meter);
        }
        decoded
    }

    fn check<L: Loader>(
        &self,
        entry: &CacheEntry<L::Value>,
        encoded: &EncodedEntry,
    ) -> Result<(), CodecError> {
        let Some(value) = entry.value.as_deref() else {
            return Ok(());
        };
        if self.is_proven.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.codec.check_encoded(value, encoded.value())?;
        let is_proven = self.codec.is_self_describing();
        self.is_proven.store(is_proven, Ordering::Relaxed);
        Ok(())
    }

    fn log_encode_error(&self, error: &CodecError, meter: &Meter) {
        if !self.is_encode_error_logged.swap(true, Ordering::Relaxed) {
            tracing::error!(
                cache = meter.name(),
                codec = ?self.codec,
                error = error as &dyn std::error::Error,
                "cache codec does not suit a value, which is not stored in Redis: choose another codec or change its serde attributes"
            );
        }
    }

    fn log_decode_error(&self, error: &CodecError, meter: &Meter) {
        if !self.is_decode_error_logged.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                cache = meter.name(),
                codec = ?self.codec,
                error = error as &dyn std::error::Error,
                "cache entry in Redis does not decode and is replaced: raise SCHEMA with every change of the layout of values"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::{Arc, atomic::AtomicUsize},
    };

    use tracing::{
        Event, Level, Metadata, Subscriber,
        span::{Attributes, Id, Record},
    };

    use super::*;
    use crate::entry::{RowVersion, Stamp};

    /// postcard encodes its values and does not decode them.
    struct Tags;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(tag = "kind")]
    enum Tag {
        One,
    }

    impl Loader for Tags {
        type Key = u64;
        type Value = Tag;
        type Error = Infallible;

        async fn load(&self, _: &u64) -> Result<Option<Tag>, Infallible> {
            Ok(Some(Tag::One))
        }
    }

    fn entry() -> CacheEntry<Tag> {
        CacheEntry {
            value: Some(Arc::new(Tag::One)),
            stamp: Stamp([1; 8]),
            load_time: Duration::ZERO,
            fresh_for: Duration::from_secs(1),
            usable_for: Duration::from_secs(1),
            version: RowVersion::NONE,
            tags: None,
        }
    }

    /// Counts warnings and errors.
    #[derive(Clone, Default)]
    struct LogCounter(Arc<AtomicUsize>);

    impl Subscriber for LogCounter {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() <= Level::WARN
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn every_failure_is_counted_and_the_first_of_each_kind_is_logged() {
        let (logged, meter) = (LogCounter::default(), Meter::new("tag"));
        tracing::subscriber::with_default(logged.clone(), || {
            let values = Values::new(Codec::Postcard, None);
            for _ in 0..3 {
                assert!(values.encode::<Tags>(&entry(), &meter).is_none());
            }
            assert_eq!(logged.0.load(Ordering::SeqCst), 1);
            let bytes = entry::encode::<Tags>(&entry(), Codec::Postcard).unwrap();
            let generations = TagGenerations::new();
            for _ in 0..4 {
                let decoded =
                    values.decode::<Tags>(&bytes.bytes, Duration::ZERO, &generations, &meter);
                assert!(matches!(decoded, StoredEntry::Undecodable(..)));
            }
        });
        let stats = meter.stats();
        assert_eq!((stats.encode_errors, stats.decode_errors), (3, 4));
        assert_eq!(logged.0.load(Ordering::SeqCst), 2);
    }
}
