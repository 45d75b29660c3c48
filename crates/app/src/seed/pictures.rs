//! The pictures of the demo data, drawn into the folder that is served as `/imgs`.
//!
//! A picture file is complete or missing: it is written under a temporary name, flushed and renamed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;

use demo::{Demo, Picture, PictureFile};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{OnProgress, Progress, SeedError};

/// Drawing keeps a core busy; the smallest machine has two.
const THREADS: usize = 2;

/// The pictures still to draw, shared by the threads.
type PictureQueue = Arc<Mutex<IntoIter<Picture>>>;

/// Draws missing pictures and returns their number.
pub(super) async fn write_missing(
    demo: &Demo,
    folder: &Path,
    progress: OnProgress<'_>,
) -> Result<u64, SeedError> {
    let mut missing: Vec<Picture> = demo.pictures().collect();
    missing.retain(|picture| {
        let mut files = std::iter::once(picture.file.clone()).chain(picture.small_file());
        files.any(|file| !folder.join(file).exists())
    });
    let total = missing.len() as u64;
    let queue: PictureQueue = Arc::new(Mutex::new(missing.into_iter()));
    // A thread whose receiver is dropped stops: that is how a cancelled seed ends.
    let (sender, mut drawn) = mpsc::channel(THREADS);
    let mut threads = JoinSet::new();
    for _ in 0..THREADS {
        let (queue, folder, sender) = (queue.clone(), folder.to_owned(), sender.clone());
        threads.spawn_blocking(move || draw(&queue, &folder, &sender));
    }
    drop(sender);
    let mut done = 0;
    while drawn.recv().await.is_some() {
        done += 1;
        progress(Progress {
            what: "pictures",
            done,
            total,
        });
    }
    while let Some(ended) = threads.join_next().await {
        ended.expect("drawing does not panic")?;
    }
    Ok(done)
}

fn draw(queue: &PictureQueue, folder: &Path, drawn: &mpsc::Sender<()>) -> Result<(), SeedError> {
    while let Some(picture) = next(queue) {
        for PictureFile { file, bytes } in picture.render() {
            let path = folder.join(file);
            write(&path, &bytes).map_err(|source| SeedError::Picture { path, source })?;
        }
        if drawn.blocking_send(()).is_err() {
            break;
        }
    }
    Ok(())
}

fn next(queue: &PictureQueue) -> Option<Picture> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = beside(path);
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

/// A temporary name that no other process uses.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}
