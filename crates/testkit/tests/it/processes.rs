//! The processes of this machine, from `/proc`.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// A process, distinguished by its start time from a later one with the same number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Process {
    pid: u32,
    start: u64,
    parent: u32,
    name: String,
}

impl Process {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its working folder, if it may be read.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        std::fs::read_link(format!("/proc/{}/cwd", self.pid)).ok()
    }

    /// Zombies do not count: they hold nothing and wait for their parent only.
    pub(crate) fn is_alive(&self) -> bool {
        read(self.pid).is_some_and(|now| now.start == self.start)
    }
}

/// All living processes started by `ancestor` or by one of its descendants.
pub(crate) fn descendants(ancestor: u32) -> Vec<Process> {
    let all = list();
    let mut family = BTreeSet::from([ancestor]);
    loop {
        let known = family.len();
        let children = all
            .iter()
            .filter(|process| family.contains(&process.parent));
        let children: Vec<u32> = children.map(|process| process.pid).collect();
        family.extend(children);
        if family.len() == known {
            break;
        }
    }
    family.remove(&ancestor);
    all.into_iter()
        .filter(|process| family.contains(&process.pid))
        .collect()
}

fn list() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").unwrap();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| read(name.parse().ok()?)).collect()
}

/// Reads `pid (name) state ppid …`, where the twentieth field after the name is the start time.
fn read(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, tail) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = tail.split(' ').collect();
    let alive = !matches!(fields[0], "Z" | "X");
    alive.then_some(Process {
        pid,
        start: fields[19].parse().ok()?,
        parent: fields[1].parse().ok()?,
        name: head.split_once('(')?.1.to_owned(),
    })
}
