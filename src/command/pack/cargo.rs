//! What Cargo needs to build a crate of the course: the crate, the crates that it names by path, and of the other members of its
//! workspace only what Cargo looks for.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::build;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files in the folder of a workspace that Cargo reads.
const OF_WORKSPACE: [&str; 6] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "rust-toolchain",
    ".cargo/config.toml",
    ".cargo/config",
];

/// What `cargo metadata` says of a workspace.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    manifest_path: PathBuf,
    targets: Vec<Target>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Dependency {
    path: Option<PathBuf>,
}

/// The files and folders that the crate in `folder` needs, in the course whose folder is `root`.
///
/// # Errors
/// If Cargo does not understand a manifest.
pub(super) fn needed(folder: &Path, root: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut needed = BTreeSet::new();
    let mut known: BTreeMap<PathBuf, Package> = BTreeMap::new();
    let mut done = BTreeSet::new();
    let mut waiting = vec![folder.canonicalize().unwrap_or_else(|_| folder.to_owned())];
    while let Some(folder) = waiting.pop() {
        let manifest = folder.join("Cargo.toml");
        if !done.insert(manifest.clone()) {
            continue;
        }
        if !known.contains_key(&manifest) {
            let Metadata { packages, workspace_root } = metadata(&manifest)?;
            let files = OF_WORKSPACE.iter().map(|name| workspace_root.join(name));
            needed.extend(files.filter(|file| file.is_file()));
            for package in &packages {
                needed.insert(package.manifest_path.clone());
                needed.extend(package.targets.iter().map(|target| target.src_path.clone()));
            }
            let by_manifest = packages.into_iter().map(|it| (it.manifest_path.clone(), it));
            known.extend(by_manifest);
        }
        let Some(package) = known.get(&manifest) else { continue };
        if root.starts_with(&folder) {
            // The folder is that of the whole course.
            let sources = ["src", "build.rs"].map(|name| folder.join(name));
            needed.extend(sources.into_iter().filter(|path| path.exists()));
        } else {
            needed.insert(folder);
        }
        waiting.extend(package.dependencies.iter().filter_map(|it| it.path.clone()));
    }
    Ok(needed)
}

fn metadata(manifest: &Path) -> Result<Metadata, Failure> {
    let output = build::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(|error| Failure::machine("start `cargo`", error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let message = format!("cargo cannot read {}: {said}", manifest.display());
        return Err(Failure::new(FailureKind::Course, Problem::new(message).printable()));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::machine("read what `cargo metadata` prints", error))
}
