//! ARCHITECTURE.md against the workspace: which crate may use which, and one feature set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Every crate may use it: it has no code.
const FEATURES: &str = "workspace-hack";

#[track_caller]
fn architecture() -> String {
    std::fs::read_to_string(format!("{ROOT}/ARCHITECTURE.md")).expect("ARCHITECTURE.md is there")
}

/// The texts in backticks.
fn code_names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The table of crates: the folder of each, and the folders of those that it may use outside tests.
#[track_caller]
fn crates_of_the_map() -> BTreeMap<String, BTreeSet<String>> {
    let text = architecture();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let is_of_crates = |cells: &Vec<&str>| cells.len() == 5 && is_crate(cells[1]);
    let rows = rows
        .map(|row| row.split('|').collect())
        .filter(is_of_crates);
    rows.map(|cells| {
        let name = code_names(cells[1])
            .next()
            .expect("the first column names a crate");
        let uses = code_names(cells[3]).map(str::to_owned);
        (name.to_owned(), uses.collect())
    })
    .collect()
}

fn is_crate(cell: &str) -> bool {
    code_names(cell).next().is_some_and(|name| {
        ["crates/", ""].iter().any(|folder| {
            let manifest = format!("{ROOT}/{folder}{name}/Cargo.toml");
            !name.contains('.') && Path::new(&manifest).exists()
        })
    })
}

struct Member {
    folder: String,
    package: String,
    /// Packages, tests aside.
    uses: Vec<String>,
}

#[track_caller]
fn members() -> Vec<Member> {
    let arguments = [
        "metadata",
        "--offline",
        "--no-deps",
        "--format-version",
        "1",
    ];
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages.iter().map(Member::of).collect()
}

impl Member {
    #[track_caller]
    fn of(package: &Value) -> Self {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().and_then(Path::file_name);
        let all = package["dependencies"]
            .as_array()
            .expect("a list of dependencies");
        let used = all.iter().filter(|dependency| dependency["kind"] != "dev");
        Self {
            folder: folder
                .expect("a package has a folder")
                .to_string_lossy()
                .into_owned(),
            package: text(&package["name"]),
            uses: used.map(|dependency| text(&dependency["name"])).collect(),
        }
    }
}

#[track_caller]
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command
        .args(arguments)
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[test]
fn dependencies_point_the_way_the_map_says() {
    let map = crates_of_the_map();
    let members = members();
    let folders: BTreeMap<&str, &str> = members
        .iter()
        .map(|member| (member.package.as_str(), member.folder.as_str()))
        .collect();
    for member in members.iter().filter(|member| member.folder != FEATURES) {
        let name = &member.folder;
        let may_use = map
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in the table of ARCHITECTURE.md"));
        let ours = member
            .uses
            .iter()
            .filter_map(|used| folders.get(used.as_str()));
        let uses: BTreeSet<String> = ours
            .filter(|used| **used != FEATURES)
            .map(|used| (*used).to_owned())
            .collect();
        assert_eq!(&uses, may_use, "{name}: its manifest, and ARCHITECTURE.md");
    }
}

/// Third-party packages of a `cargo tree` with the feature sets they are built with.
#[track_caller]
fn feature_sets(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let shape = ["--prefix", "none", "-f", "{p}|{f}"];
    let scope = ["tree", "--locked", "--offline", "-e", "normal,build,dev"];
    let arguments = [&scope[..], &shape[..], selection].concat();
    let mut sets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in cargo(&arguments).lines() {
        let line = line.trim_end_matches(" (*)");
        let Some((package, features)) = line.split_once('|') else {
            continue;
        };
        // A package of the workspace is followed by its folder.
        if !package.contains("(/") {
            let of_package = sets.entry(package.to_owned()).or_default();
            of_package.insert(features.to_owned());
        }
    }
    sets
}

/// `cargo test -p kv` and `cargo test --workspace` must not compile their dependencies twice, nor test other code.
#[test]
fn one_feature_set() {
    let workspace = feature_sets(&["--workspace"]);
    let mut missing = BTreeSet::new();
    for member in members() {
        for (package, sets) in feature_sets(&["-p", &member.package]) {
            let of_workspace = &workspace[&package];
            for features in sets.difference(of_workspace) {
                let has: BTreeSet<&str> = features.split(',').collect();
                let most = of_workspace.iter().flat_map(|set| set.split(','));
                let lacks: Vec<&str> = most.filter(|feature| !has.contains(feature)).collect();
                missing.insert(format!(
                    "{package} {lacks:?} (found by -p {})",
                    member.package
                ));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "add these features to crates/workspace-hack/Cargo.toml, or workspace-hack to the package: {missing:#?}"
    );
}

/// Outside libraries that belong to one crate of the product alone. The benchmark's textbook server is built on axum too: what
/// claims are compared with must be what people would write.
const BELONGS_TO: &[(&str, &[&str])] = &[
    ("axum", &["server", "bench"]),
    ("sea-orm", &["storage"]),
    ("sea-orm-migration", &["storage"]),
];

/// Other versions are not tried: what the manifest promises is what is tested.
#[test]
fn the_least_version_of_rust_is_the_one_that_every_test_runs_on() {
    let root = Path::new(ROOT);
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let field = |file: &str, name: &str| {
        let text: toml::Table = read(file).parse().unwrap();
        let section = text
            .values()
            .find_map(|it| it.get(name).or_else(|| it.get("package")?.get(name)));
        section.and_then(|it| it.as_str()).unwrap().to_owned()
    };
    let least = field("Cargo.toml", "rust-version");
    assert_eq!(
        field("rust-toolchain.toml", "channel"),
        format!("{least}.0")
    );
    let libraries = ["supervise", "link", "lock", "cache", "flash"];
    for library in libraries {
        let readme = read(&format!("crates/{library}/README.md"));
        let promise = format!("Rust {least} or newer");
        assert!(readme.contains(&promise), "{library}: {promise}");
        for file in ["LICENSE", "CHANGELOG.md", "public-api.txt"] {
            assert!(
                root.join("crates").join(library).join(file).exists(),
                "{library}: {file}"
            );
        }
    }
}

#[test]
fn a_library_of_one_crate_stays_there() {
    for Member { folder, uses, .. } in members() {
        for (library, owners) in BELONGS_TO {
            let names_it = uses.iter().any(|used| used == library);
            assert!(
                !names_it || owners.contains(&folder.as_str()),
                "{library} belongs to {owners:?}, not to {folder}"
            );
        }
    }
}

/// Where tasks are spawned without `supervise::spawn…`: they run a `Supervisor` themselves, or are joined by the task that
/// spawned them, which passes a panic on.
const SPAWNS_ITSELF: &[&str] = &[
    "link/src/node.rs",
    "link/src/push.rs",
    "link/src/push/coordinator.rs",
    "lock/src/wake_subscriber.rs",
    "lock/src/locks.rs",
    "cache/src/bloom.rs",
    "flash/src/transport/relay.rs",
];

/// A task whose panic is not noticed stops doing its work silently.
#[test]
fn background_tasks_are_supervised() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut spawning = Vec::new();
    for name in [
        "app",
        "server",
        "flash",
        "kv",
        "cache",
        "lock",
        "link",
        "private-redis",
    ] {
        visit(
            &PathBuf::from(format!("{crates}/{name}/src")),
            &mut |file| {
                let source = std::fs::read_to_string(file).expect("a source file");
                // Unit tests may spawn.
                let source = source.split("#[cfg(test)]").next().unwrap_or_default();
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                let spawns =
                    |line: &str| line.contains("tokio::spawn(") || line.contains("runtime.spawn(");
                let is_unit_test = file.ends_with("tests.rs");
                if !is_unit_test && source.lines().filter(is_code).any(spawns) {
                    let path = file.to_string_lossy().replace(&format!("{crates}/"), "");
                    spawning.push(path);
                }
            },
        );
    }
    spawning.sort_unstable();
    let mut expected = SPAWNS_ITSELF.to_vec();
    expected.sort_unstable();
    assert_eq!(
        spawning, expected,
        "spawn tasks with `supervise`, which restarts and counts them"
    );
}

#[track_caller]
fn visit(folder: &Path, each: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            visit(&path, each);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            each(&path);
        }
    }
}
