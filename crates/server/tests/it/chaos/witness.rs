//! What buyers were told, outside of the system that told them.
//!
//! An answer is on the disk before whoever got it goes on: a buyer who would act on it finds it in the file, however the
//! test ends. Answers that come at once share a sync.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, Write as _};
use std::sync::mpsc;
use std::thread::JoinHandle;

use serde_json::{Value, json};
use tokio::sync::oneshot;

/// What a claim was answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClaimReply {
    /// `granted` or `already_bought`: either way the buyer has this order.
    Order(String),
    /// The outcome is not known yet; the order will have this id, if there is one.
    Processing(String),
    SoldOut,
    /// To come back later, or to sign in again.
    NotNow(String),
    /// The connection broke, or nothing came in time.
    Nothing,
}

/// An answer, by the buyer's number.
#[derive(Clone, Debug)]
pub(super) struct Testimony {
    pub(super) person: usize,
    pub(super) heard: ClaimReply,
}

type Note = (String, oneshot::Sender<()>);

pub(super) struct Witness {
    file: File,
    notes: Option<mpsc::Sender<Note>>,
    writer: Option<JoinHandle<()>>,
}

impl Witness {
    pub(super) fn new() -> Self {
        let file = tempfile::tempfile().unwrap();
        let (notes, received) = mpsc::channel();
        let copy = file.try_clone().unwrap();
        Self {
            file,
            notes: Some(notes),
            writer: Some(std::thread::spawn(move || write(copy, &received))),
        }
    }

    /// Returns when the answer is on the disk.
    pub(super) async fn note(&self, person: usize, heard: &ClaimReply) {
        let (done, synced) = oneshot::channel();
        let line = line(person, heard);
        self.notes.as_ref().unwrap().send((line, done)).unwrap();
        synced.await.unwrap();
    }

    /// Everything noted so far, read back from the file, in order.
    #[track_caller]
    pub(super) fn testimonies(&self) -> Vec<Testimony> {
        let mut file = self.file.try_clone().unwrap();
        file.rewind().unwrap();
        let lines = BufReader::new(file).lines();
        lines.map(|line| parse(&line.unwrap())).collect()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        drop(self.notes.take());
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

fn write(mut file: File, received: &mpsc::Receiver<Note>) {
    while let Ok(first) = received.recv() {
        let notes: Vec<Note> = std::iter::once(first).chain(received.try_iter()).collect();
        let text: String = notes.iter().map(|(line, _)| line.as_str()).collect();
        file.write_all(text.as_bytes()).unwrap();
        file.sync_data().unwrap();
        for (_, done) in notes {
            // A buyer that was given up does not listen any more.
            let _ = done.send(());
        }
    }
}

fn line(person: usize, heard: &ClaimReply) -> String {
    let (what, about) = match heard {
        ClaimReply::Order(order) => ("order", order.as_str()),
        ClaimReply::Processing(order) => ("processing", order.as_str()),
        ClaimReply::SoldOut => ("sold_out", ""),
        ClaimReply::NotNow(code) => ("not_now", code.as_str()),
        ClaimReply::Nothing => ("nothing", ""),
    };
    format!("{}\n", json!([person, what, about]))
}

#[track_caller]
fn parse(line: &str) -> Testimony {
    let (person, what, about): (usize, String, String) =
        serde_json::from_value(serde_json::from_str::<Value>(line).unwrap()).unwrap();
    let heard = match what.as_str() {
        "order" => ClaimReply::Order(about),
        "processing" => ClaimReply::Processing(about),
        "sold_out" => ClaimReply::SoldOut,
        "not_now" => ClaimReply::NotNow(about),
        "nothing" => ClaimReply::Nothing,
        other => panic!("nobody says {other}"),
    };
    Testimony { person, heard }
}

#[tokio::test]
async fn what_was_noted_can_be_read_back_in_order() {
    let witness = Witness::new();
    let answers = [
        ClaimReply::Nothing,
        ClaimReply::NotNow("busy".to_owned()),
        ClaimReply::Processing("17".to_owned()),
        ClaimReply::Order("17".to_owned()),
        ClaimReply::SoldOut,
    ];
    for heard in &answers {
        witness.note(3, heard).await;
    }
    let noted = witness.testimonies().into_iter();
    assert!(noted.map(|testimony| testimony.heard).eq(answers));
}
