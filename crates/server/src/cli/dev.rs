//! `tandian dev …`: tools for development and load tests. Refused in production.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use app::{App, load_test};
use clap::Subcommand;

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

/// A reader of the file can sign in as all of them.
const FILE_MODE: u32 = 0o600;

#[derive(Debug, Subcommand)]
pub(super) enum DevCommand {
    /// Make people with live sessions and write their tokens, one a line; sessions they had before end
    Sessions(SessionsArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct SessionsArgs {
    /// How many people; the same ones on every run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(load_test::MAX_PEOPLE)))]
    count: u32,
    /// Where to write the tokens; only you may read the file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) async fn run(
    settings: Settings,
    DevCommand::Sessions(args): DevCommand,
) -> anyhow::Result<ExitCode> {
    if settings.is_production() {
        bail!("`tandian dev` is refused in production: its people would be signed in for real");
    }
    let site = OpenSite::open(&settings).await?;
    let written = write_tokens(&site.app, &args).await;
    let count = site.close(written).await?;
    let out = args.out.display();
    print(&format!("Wrote {count} tokens to {out}.\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the sessions batch by batch; the file appears under its name when it is whole.
async fn write_tokens(app: &App, args: &SessionsArgs) -> anyhow::Result<usize> {
    let mut file = TokenFile::create(&args.out)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let mut line = ProgressLine::new();
    let mut count = 0;
    for people in load_test::batches(args.count) {
        line.show("sessions", u64::from(people.start), u64::from(args.count));
        let tokens = load_test::open_sessions(app, people).await?;
        count += tokens.len();
        for token in &tokens {
            writeln!(file.writer, "{}", token.as_str())?;
        }
    }
    file.publish()?;
    Ok(count)
}

/// A file under another name until it is published; gone if it never is.
struct TokenFile {
    writer: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
}

impl TokenFile {
    fn create(path: &Path) -> io::Result<Self> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.tmp", std::process::id()));
        let beside = PathBuf::from(beside);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(&beside)?;
        Ok(Self {
            writer: BufWriter::new(file),
            beside,
            path: path.to_owned(),
        })
    }

    fn publish(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        fs::rename(&self.beside, &self.path)
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // After publishing there is nothing under this name.
        let _ = fs::remove_file(&self.beside);
    }
}
