//! Writes log lines to stderr, which may be a file on a full disk, a pipe without a reader, or closed.
//!
//! The invariant: a task that logs never waits and never fails. Lines go through a bounded queue to one thread. Those that
//! find no room in it, and those that cannot be written, are counted; the count is written as soon as writing works again.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// A burst of this many lines is kept while stderr is slow; at a few hundred bytes each they are a few megabytes.
const QUEUE_LINES: usize = 8_192;

/// How long the end of a process waits for its last lines.
const FLUSH_LIMIT: Duration = Duration::from_secs(1);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct LogWriter {
    queue: SyncSender<Job>,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Job {
    Line(Vec<u8>),
    /// Everything before it was written, or lost, when this is answered.
    Flush(SyncSender<()>),
}

/// Formats the number of lost lines: a text line, or a JSON object.
pub(super) type LostLinesMessage = fn(u64) -> String;

impl LogWriter {
    /// Starts the thread that writes to `output`.
    pub(super) fn start(
        output: impl Write + Send + 'static,
        notice: LostLinesMessage,
    ) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE_LINES);
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&jobs, output, &counter, notice))?;
        Ok(Self { queue, lost })
    }

    /// Waits until the lines so far are written, unless stderr takes none.
    pub(super) fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.queue.try_send(Job::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(FLUSH_LIMIT);
        }
    }
}

fn write_all(
    jobs: &Receiver<Job>,
    mut output: impl Write,
    lost: &AtomicU64,
    notice: LostLinesMessage,
) {
    // A line that was cut off in the middle must not run into the next.
    let mut is_cut = false;
    for job in jobs {
        match job {
            Job::Line(line) => {
                if write_line(&mut output, &line, &mut is_cut, lost, notice).is_err() {
                    is_cut = true;
                    lost.fetch_add(1, Ordering::Relaxed);
                }
            }
            Job::Flush(done) => {
                let _ = output.flush();
                let _ = done.try_send(());
            }
        }
    }
}

fn write_line(
    output: &mut impl Write,
    line: &[u8],
    is_cut: &mut bool,
    lost: &AtomicU64,
    notice: LostLinesMessage,
) -> io::Result<()> {
    if *is_cut {
        output.write_all(b"\n")?;
        *is_cut = false;
    }
    output.write_all(line)?;
    let count = lost.load(Ordering::Relaxed);
    if count > 0 {
        output.write_all(notice(count).as_bytes())?;
        lost.fetch_sub(count, Ordering::Relaxed);
    }
    Ok(())
}

/// The subscriber writes each event in one call.
impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.queue.try_send(Job::Line(line.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for LogWriter {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A disk that is full at first.
    #[derive(Clone, Default)]
    struct Disk(Arc<Mutex<(bool, Vec<u8>)>>);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut disk = self.0.lock().unwrap();
            if !disk.0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            disk.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_that_found_no_room_are_counted_once_there_is_room() {
        let disk = Disk::default();
        let mut log = LogWriter::start(disk.clone(), |lost| format!("{lost} lost\n")).unwrap();
        for _ in 0..3 {
            log.write_all(b"a\n").unwrap();
        }
        log.flush();
        disk.0.lock().unwrap().0 = true;
        log.write_all(b"b\n").unwrap();
        log.write_all(b"c\n").unwrap();
        LogWriter::flush(&log);
        let written = String::from_utf8(disk.0.lock().unwrap().1.clone()).unwrap();
        assert_eq!(written, "\nb\n3 lost\nc\n");
    }

    /// A pipe that nobody reads.
    struct Stuck;

    impl Write for Stuck {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                std::thread::park();
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_a_pipe_that_nobody_reads() {
        let mut log = LogWriter::start(Stuck, |_| String::new()).unwrap();
        for _ in 0..QUEUE_LINES * 2 {
            log.write_all(b"a\n").unwrap();
        }
        assert!(log.lost.load(Ordering::Relaxed) > 0);
    }
}
