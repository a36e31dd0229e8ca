//! What a call of Cargo depended on: the files of the crates, the manifests of the workspace, and the toolchain.

use super::cargo::cargo;
use super::depfile;
use super::record::Traces;
use super::surroundings::cargo_home;
use super::with_ending;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::Command;

/// The messages that Cargo printed as JSON.
pub(super) struct Messages(Vec<Message>);

/// A message about a part of a crate, or about a build script.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    package_id: String,
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    /// Where a build script has written.
    out_dir: Option<PathBuf>,
}

impl Message {
    /// Whether the crate is neither from a registry nor from a commit, so that it may change.
    fn is_local(&self) -> bool {
        self.package_id.starts_with("path+")
    }
}

impl Messages {
    pub(super) fn read(printed: &[u8]) -> Self {
        let lines = printed.split(|&byte| byte == b'\n');
        Self(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    pub(super) fn program(&self) -> Option<PathBuf> {
        self.0.iter().find_map(|message| message.executable.clone())
    }

    /// The library of the crate of `manifest`, and those that it needs.
    pub(super) fn libraries(&self, manifest: &Path) -> Option<(PathBuf, Vec<PathBuf>)> {
        let manifest = path::absolute(manifest).ok()?;
        let is_library = |file: &&PathBuf| file.extension().is_some_and(|it| it == "rlib");
        let (own, others): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|it| it.manifest_path.as_ref() == Some(&manifest));
        let files = |messages: Vec<&'_ Message>| {
            let files = messages.into_iter().flat_map(|it| it.filenames.iter().filter(is_library));
            files.cloned().collect::<Vec<_>>()
        };
        Some((files(own).into_iter().next()?, files(others)))
    }

    /// What the `program` depends on, which was built from the crate of `manifest` in the folder `target`.
    pub(super) fn traces(&self, manifest: &Path, program: &Path, target: &Path) -> Traces {
        let mut traces = Traces::default();
        // That of `libx.rlib` is `libx.d`.
        let name = if program.extension().is_some() {
            program.with_extension("")
        } else {
            program.to_owned()
        };
        let sources = depfile::read(&with_ending(&name, ".d"), Path::new(""));
        traces.is_open = sources.is_none();
        traces.inputs.extend(sources.unwrap_or_default());
        let local = self.0.iter().filter(|message| message.is_local());
        let mut manifests: BTreeSet<PathBuf> =
            local.filter_map(|message| message.manifest_path.clone()).collect();
        manifests.extend(path::absolute(manifest));
        for manifest in &manifests {
            add_crate(manifest, &mut traces);
        }
        add_workspace(manifest, &mut traces);
        add_toolchain(&mut traces);
        add_variables(program, &mut traces);
        self.add_build_scripts(&mut traces);
        // A source in the target folder was made from others.
        traces.inputs.retain(|path| !path.starts_with(target));
        traces
    }

    /// The build script of a local crate may read anything. That of any other crate reads what it says.
    fn add_build_scripts(&self, traces: &mut Traces) {
        for (message, folder) in
            self.0.iter().filter_map(|message| Some((message, message.out_dir.as_ref()?)))
        {
            let printed = fs::read_to_string(folder.with_file_name("output"));
            let Ok(printed) = printed else {
                traces.is_open = true;
                continue;
            };
            traces.is_open |= message.is_local();
            for line in printed.lines() {
                let line = line.strip_prefix("cargo:").map(|rest| rest.trim_start_matches(':'));
                match line.and_then(|line| line.split_once('=')) {
                    Some(("rerun-if-env-changed", name)) => {
                        traces.variables.insert(name.to_owned());
                    }
                    Some(("rerun-if-changed", path)) => add_watched(Path::new(path), traces),
                    _ => {}
                }
            }
        }
    }
}

/// Adds a file that a build script of a crate from a registry watches. Files of the crate itself never change.
fn add_watched(path: &Path, traces: &mut Traces) {
    let is_own = cargo_home().is_some_and(|home| path.starts_with(home));
    if path.is_absolute() && !is_own {
        traces.is_open |= path.is_dir();
        traces.inputs.insert(path.to_owned());
    }
}

/// The lock files that Cargo may use for the crate of `manifest`, as far as they exist.
pub(super) fn lock_files(manifest: &Path) -> Vec<PathBuf> {
    beside_and_above(manifest, "Cargo.lock").filter(|file| file.exists()).collect()
}

/// The paths of a file `name` in the folder of `manifest` and in those above it.
fn beside_and_above(manifest: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let manifest = path::absolute(manifest).unwrap_or_else(|_| manifest.to_owned());
    let folders: Vec<_> = manifest.ancestors().skip(1).map(|folder| folder.join(name)).collect();
    folders.into_iter()
}

/// Adds what makes Cargo find other parts of a crate: its manifest, those of the workspaces it may be in, and the files that need no
/// entry in a manifest.
fn add_crate(manifest: &Path, traces: &mut Traces) {
    traces.inputs.extend(beside_and_above(manifest, "Cargo.toml"));
    let Some(folder) = manifest.parent() else { return };
    traces.inputs.insert(folder.join("build.rs"));
    let programs = folder.join("src").join("bin");
    let inner = fs::read_dir(&programs).into_iter().flatten().filter_map(Result::ok);
    let inner = inner.map(|entry| entry.path()).filter(|path| path.is_dir());
    traces.inputs.extend(inner.chain([folder.join("src"), programs.clone()]));
}

/// Adds the manifests of all members of the workspace, the folders in which new members may appear, and the lock file.
fn add_workspace(manifest: &Path, traces: &mut Traces) {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Member>,
        workspace_root: PathBuf,
    }
    #[derive(Deserialize)]
    struct Member {
        manifest_path: PathBuf,
    }
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"]).arg(manifest);
    let output = command.output().ok().filter(|output| output.status.success());
    let read =
        |output: std::process::Output| serde_json::from_slice::<Metadata>(&output.stdout).ok();
    let Some(Metadata { packages, workspace_root }) = output.and_then(read) else {
        traces.is_open = true;
        return;
    };
    traces.inputs.extend(["Cargo.toml", "Cargo.lock"].map(|name| workspace_root.join(name)));
    // A pattern such as `members = ["programs/*"]` matches new folders.
    let root = fs::read_to_string(workspace_root.join("Cargo.toml")).unwrap_or_default();
    let is_searched = |folder: &Path| {
        folder.starts_with(&workspace_root) && (folder != workspace_root || root.contains("\"*"))
    };
    for Member { manifest_path } in packages {
        let around = manifest_path.ancestors().nth(2).filter(|folder| is_searched(folder));
        traces.inputs.extend(around.map(Path::to_owned));
        traces.inputs.insert(manifest_path);
    }
}

/// Adds the compiler that rustup may have started, which an update replaces.
fn add_toolchain(traces: &mut Traces) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        traces.is_open = true;
        return;
    };
    let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
    traces.tools.extend(["bin/rustc", "bin/cargo"].map(|name| root.join(name)));
}

/// Adds the environment variables that sources ask for with `env!` and `option_env!`, except those that Cargo itself sets.
fn add_variables(program: &Path, traces: &mut Traces) {
    const CARGOS: [&str; 4] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_NAME"];
    let Some(folder) = program.parent().map(|folder| folder.join("deps")) else { return };
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let lists =
        files.map(|entry| entry.path()).filter(|path| path.extension() == Some("d".as_ref()));
    for text in lists.filter_map(|path| fs::read_to_string(path).ok()) {
        let asked = text.lines().filter_map(|line| line.strip_prefix("# env-dep:"));
        let names = asked.map(|asked| asked.split_once('=').map_or(asked, |(name, _)| name));
        let is_cargos =
            |name: &str| name == "OUT_DIR" || CARGOS.iter().any(|prefix| name.starts_with(prefix));
        traces.variables.extend(names.filter(|name| !is_cargos(name)).map(str::to_owned));
    }
}
