//! What an attack came to: figures for a file, a closing line for the terminal, and a failure if a bound was broken.

use std::time::Instant;

use serde_json::{Value, json};

use super::site::{MORE_MEMORY_KIB, Site, Size};

/// How many problems a failed run shows: the rest is usually the same.
const SHOWN_PROBLEMS: usize = 10;

pub(super) struct Report {
    seed: u64,
    began: Instant,
    before: Option<Size>,
    parts: Vec<Value>,
    problems: Vec<String>,
}

/// One kind of attack, while it goes on and as it ended.
pub(super) struct Part {
    name: &'static str,
    count: usize,
    began: Instant,
    before: Size,
}

/// What came of a part.
pub(super) struct Ended {
    figures: Value,
    problems: Vec<String>,
}

impl Part {
    pub(super) async fn begin(name: &'static str, count: usize, site: &Site) -> Self {
        eprintln!("attack: {count} {name}");
        Self {
            name,
            count,
            began: Instant::now(),
            before: site.size().await,
        }
    }

    pub(super) async fn end(self, site: &Site, problems: Vec<String>, words: String) -> Ended {
        let seconds = self.began.elapsed().as_secs_f64();
        site.assert_serves().await;
        let after = site.settle(&self.before).await;
        let figures = json!({
            "part": self.name, "count": self.count, "seconds": seconds.round(),
            "problems": problems.len(), "words": words,
            "before": view(&self.before), "after": view(&after),
        });
        eprintln!("attack: {figures}");
        Ended { figures, problems }
    }
}

impl Report {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            began: Instant::now(),
            before: None,
            parts: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn begin(&mut self, size: Size) {
        self.before = Some(size);
    }

    pub(super) fn add(&mut self, ended: Ended) {
        self.parts.push(ended.figures);
        self.problems.extend(ended.problems);
    }

    pub(super) async fn finish(mut self, site: &Site) {
        let before = self.before.expect("an attack begins before it ends");
        let after = site.settle(&before).await;
        let grown_kib = after.memory_kib.saturating_sub(before.memory_kib);
        if grown_kib > MORE_MEMORY_KIB {
            let problem = format!("it grew by {grown_kib} KiB, {MORE_MEMORY_KIB} are its bound");
            self.problems.push(problem);
        }
        let complaints = site.complaints();
        let (panics, errors): (Vec<_>, Vec<_>) = complaints
            .iter()
            .partition(|line| line.contains("panicked"));
        let figures = json!({
            "seed": self.seed, "seconds": self.began.elapsed().as_secs(), "parts": self.parts,
            "panics": panics.len(), "errors": errors.len(), "problems": self.problems.len(),
            "grownKib": grown_kib, "before": view(&before), "after": view(&after),
        });
        self.write(&figures);
        self.problems.extend(complaints);
        let shown = &self.problems[..self.problems.len().min(SHOWN_PROBLEMS)];
        let (found, seed) = (self.problems.len(), self.seed);
        assert!(
            found == 0,
            "{found} problems with ATTACK_SEED={seed}:\n{}",
            shown.join("\n")
        );
    }

    fn write(&self, figures: &Value) {
        if let Ok(path) = std::env::var("ATTACK_REPORT") {
            let text = serde_json::to_string_pretty(figures).expect("figures are JSON");
            std::fs::write(&path, text).expect("the report can be written");
        }
        let counts: Vec<String> = self
            .parts
            .iter()
            .map(|part| format!("{} {}", part["count"], part["part"].as_str().unwrap_or("")))
            .collect();
        eprintln!(
            "attack: {} in {} s, seed {}: {} panics, {} errors, {} problems, grown by {} KiB",
            counts.join(", "),
            figures["seconds"],
            self.seed,
            figures["panics"],
            figures["errors"],
            figures["problems"],
            figures["grownKib"],
        );
    }
}

fn view(size: &Size) -> Value {
    json!({
        "memoryKib": size.memory_kib, "peakKib": size.peak_kib, "files": size.files,
        "threads": size.threads, "redisKeys": size.redis_keys,
    })
}
