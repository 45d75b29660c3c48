//! From the start of the process to the first answer.

use anyhow::Result;
use tokio::time::Instant;

use crate::pairs::Summary;
use crate::program::Program;
use crate::progress;
use crate::report::{Figure, Findings};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "From the start of the process to the first 200 of /api/shop-type/list, on SQLite and with a private Redis: in an empty \
     folder, which is migrated; in an empty folder with demo data, whose pictures are painted; and where all of that is there \
     already. Every start ends as Ctrl-C ends it.",
);
const NAME: &str = "cold-start";

const FIRST_ANSWER: &str = "/api/shop-type/list";
const SERVE: &[&str] = &["serve"];
const SERVE_DEMO: &[&str] = &["serve", "--demo"];
const ROUNDS: usize = 9;
/// Rendering takes seconds, and a median of three is stable enough.
const PAINTED: usize = 3;

pub(crate) async fn run() -> Result<Findings> {
    let (mut empty, mut painted, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        progress::step(NAME, format!("round {} of {ROUNDS}", round + 1));
        empty.push(first_answer_ms(&Program::new(&[])?, SERVE).await?);
        if round < PAINTED {
            painted.push(first_answer_ms(&Program::new(&[])?, SERVE_DEMO).await?);
        }
    }
    let furnished = Program::new(&[])?;
    first_answer_ms(&furnished, SERVE_DEMO).await?;
    for round in 0..ROUNDS {
        progress::step(NAME, format!("again, round {} of {ROUNDS}", round + 1));
        again.push(first_answer_ms(&furnished, SERVE_DEMO).await?);
    }
    let figure = |metric: &str, values| Figure::new(NAME, metric, Summary::of(values), None);
    let figures = vec![
        figure("with data, ms", again),
        figure("in an empty folder, ms", empty),
        figure("in an empty folder with demo data, ms", painted),
    ];
    Ok(figures.into())
}

async fn first_answer_ms(program: &Program, args: &[&str]) -> Result<f64> {
    let since = Instant::now();
    let mut server = program.start(args)?;
    server.wait_for(FIRST_ANSWER).await?;
    let took = since.elapsed();
    server.end().await?;
    Ok(took.as_secs_f64() * 1_000.0)
}
