//! The current request, whose id every log event on its behalf carries.
//!
//! A span would add the same and cost every request as much as routing; this costs only written log lines.

use std::fmt;

use tokio::task::futures::TaskLocalFuture;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// Identifies a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(u64);

impl RequestId {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }

    /// Runs `work` on behalf of this request.
    pub(crate) fn scope<F: Future>(self, work: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self, work)
    }

    /// As it is printed, without the detour of formatting.
    pub(crate) fn to_hex(self) -> [u8; 16] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        std::array::from_fn(|place| {
            let shift = 4 * (15 - place);
            DIGITS[(self.0 >> shift) as usize & 0xf]
        })
    }

    fn current() -> Option<Self> {
        CURRENT.try_get().ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// For lines that people read: the time, and the request after it.
#[derive(Debug)]
pub(super) struct TimeAndRequest;

impl FormatTime for TimeAndRequest {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        SystemTime.format_time(writer)?;
        match RequestId::current() {
            Some(id) => write!(writer, " request={id}"),
            None => Ok(()),
        }
    }
}

/// For lines that machines read: the request as the first field of the object.
#[derive(Debug)]
pub(super) struct WithRequestField<F>(pub(super) F);

impl<S, N, F> FormatEvent<S, N> for WithRequestField<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(id) = RequestId::current() else {
            return self.0.format_event(context, writer, event);
        };
        let mut object = String::new();
        self.0
            .format_event(context, Writer::new(&mut object), event)?;
        let fields = object.strip_prefix('{').unwrap_or(&object);
        write!(writer, r#"{{"request":"{id}",{fields}"#)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::fmt::SubscriberBuilder;

    use super::*;

    /// What the subscriber wrote.
    #[derive(Clone, Default)]
    struct CapturedLog(Arc<Mutex<Vec<u8>>>);

    impl io::Write for CapturedLog {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Two lines, of which the second is written for a request.
    fn written(make: impl FnOnce(CapturedLog) -> tracing::Dispatch) -> Vec<String> {
        let captured = CapturedLog::default();
        tracing::dispatcher::with_default(&make(captured.clone()), || {
            tracing::info!("before");
            CURRENT.sync_scope(RequestId(0xab), || tracing::info!(it = 1, "during"));
        });
        let text = String::from_utf8(captured.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn hex_is_what_is_printed() {
        for id in [0, 0xab, 0x0123_4567_89ab_cdef, u64::MAX] {
            let id = RequestId(id);
            assert_eq!(id.to_hex(), id.to_string().as_bytes());
        }
    }

    #[test]
    fn lines_for_people_name_the_request_after_the_time() {
        let lines = written(|captured| {
            let lines = SubscriberBuilder::default().with_timer(TimeAndRequest);
            let lines = lines.with_ansi(false);
            lines.with_writer(move || captured.clone()).finish().into()
        });
        assert!(!lines[0].contains("request="), "{lines:?}");
        let during = &lines[1];
        assert!(
            during.contains("Z request=00000000000000ab  INFO "),
            "{during}"
        );
    }

    #[test]
    fn lines_for_machines_stay_objects_and_name_the_request() {
        let lines = written(|captured| {
            let lines = SubscriberBuilder::default().json().flatten_event(true);
            let lines = lines.map_event_format(WithRequestField);
            lines.with_writer(move || captured.clone()).finish().into()
        });
        let entry = |line: &String| serde_json::from_str::<serde_json::Value>(line).unwrap();
        assert!(entry(&lines[0]).get("request").is_none());
        let during = entry(&lines[1]);
        assert_eq!(during["request"], "00000000000000ab");
        assert_eq!(
            (&during["message"], &during["it"]),
            (&"during".into(), &1.into())
        );
    }
}
