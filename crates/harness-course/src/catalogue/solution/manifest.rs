//! The manifest of a solution: the reference's manifest without mutants, and with everything that it inherits from its workspace.

use crate::catalogue::sites::SELECT;
use crate::diagnostic::{Failure, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

/// The tables of a manifest that list other packages.
const DEPENDENCIES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The manifest of a copy of the crate in `package` that builds anywhere and faster, with these `mutants` as more features. Also the
/// folder of its workspace.
///
/// # Errors
/// If a manifest cannot be read.
pub fn copied(package: &Path, mutants: &[String]) -> Result<(String, PathBuf), Failure> {
    let mut manifest = read(&package.join("Cargo.toml"))?;
    let (mut workspace, root) = workspace(package)?;
    if let Some(dependencies) = workspace.get_mut("dependencies").and_then(Item::as_table_like_mut)
    {
        absolute(dependencies, &root);
    }
    for table in DEPENDENCIES {
        if let Some(dependencies) = manifest.get_mut(table).and_then(Item::as_table_like_mut) {
            absolute(dependencies, package);
            inherit_dependencies(dependencies, &workspace);
        }
    }
    inherit(&mut manifest, &workspace);
    // Only the program is built, and warnings about changed code help nobody.
    for table in ["lints", "dev-dependencies", "bench", "test", "example", "profile"] {
        manifest.remove(table);
    }
    for id in mutants {
        manifest["features"][id] = value(toml_edit::Array::new());
    }
    let profile = &mut manifest["profile"]["release"];
    (profile["opt-level"], profile["codegen-units"]) = (value(1), value(16));
    manifest.insert("workspace", Item::Table(Table::new()));
    Ok((manifest.to_string(), root))
}

/// Makes the paths of dependencies absolute, which are relative to `folder`.
fn absolute(dependencies: &mut dyn TableLike, folder: &Path) {
    for (_, item) in dependencies.iter_mut() {
        if let Some(path) = item.as_table_like_mut().and_then(|table| table.get_mut("path"))
            && let Some(relative) = path.as_str()
        {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            *path = value(folder.join(relative).display().to_string());
        }
    }
}

/// The manifest of the solution of the crate in `package`, and the folder of its workspace.
///
/// # Errors
/// If a manifest cannot be read, or depends on a local crate other than `subject`.
pub(super) fn clean(package: &Path, mutants: &[String]) -> Result<(String, PathBuf), Failure> {
    let mut manifest = read(&package.join("Cargo.toml"))?;
    let (workspace, root) = workspace(package)?;
    inherit(&mut manifest, &workspace);
    for table in DEPENDENCIES {
        if let Some(dependencies) = manifest.get_mut(table).and_then(Item::as_table_like_mut) {
            inherit_dependencies(dependencies, &workspace);
            bring_subject(dependencies, package)?;
        }
    }
    if let Some(features) = manifest.get_mut("features").and_then(Item::as_table_like_mut) {
        mutants.iter().map(String::as_str).chain([SELECT]).for_each(|id| drop(features.remove(id)));
        if features.is_empty() {
            manifest.remove("features");
        }
    }
    // With a workspace of its own, a package also builds inside another workspace.
    manifest.insert("workspace", Item::Table(Table::new()));
    put_last(&mut manifest, &["lints", "workspace"]);
    Ok((manifest.to_string(), root))
}

fn read(path: &Path) -> Result<DocumentMut, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
    text.parse().map_err(|error| {
        Failure::broken_course(Problem::new(format!("{} is not TOML: {error}", path.display())))
    })
}

/// The `workspace` table that a package inherits from, and the folder of the workspace. A package without one has its own folder.
fn workspace(package: &Path) -> Result<(Item, PathBuf), Failure> {
    let package = package
        .canonicalize()
        .map_err(|error| Failure::machine(format!("read {}", package.display()), error))?;
    for folder in package.ancestors() {
        let path = folder.join("Cargo.toml");
        if path.is_file()
            && let Some(workspace) = read(&path)?.remove("workspace")
        {
            return Ok((workspace, folder.to_owned()));
        }
    }
    Ok((Item::None, package))
}

/// Replaces `key.workspace = true` in `[package]` and `[lints]` by the workspace's value.
fn inherit(manifest: &mut DocumentMut, workspace: &Item) {
    if let Some(package) = manifest.get_mut("package").and_then(Item::as_table_like_mut) {
        for (key, item) in package.iter_mut() {
            if let Some(shared) = shared(item, workspace, &["package", key.get()]) {
                *item = shared;
            }
        }
    }
    if let Some(lints) = manifest.get_mut("lints")
        && let Some(mut shared) = shared(lints, workspace, &["lints"])
    {
        forget_comments(&mut shared);
        *lints = shared;
    }
}

fn inherit_dependencies(dependencies: &mut dyn TableLike, workspace: &Item) {
    for (name, item) in dependencies.iter_mut() {
        let Some(mut shared) = shared(item, workspace, &["dependencies", name.get()]) else {
            continue;
        };
        if let Some(version) = shared.as_str() {
            let mut table = toml_edit::InlineTable::new();
            table.insert("version", version.into());
            shared = value(table);
        }
        for (key, own) in item.as_table_like().into_iter().flat_map(TableLike::iter) {
            if key != "workspace" {
                shared[key] = own.clone();
            }
        }
        *item = shared;
    }
}

/// The workspace's value at `path`, if `item` inherits it.
fn shared(item: &Item, workspace: &Item, path: &[&str]) -> Option<Item> {
    item.get("workspace")?.as_bool().filter(|asks| *asks)?;
    path.iter().try_fold(workspace, |item, key| item.get(key)).cloned()
}

/// Removes the comments of a table, because they are about the workspace.
fn forget_comments(item: &mut Item) {
    let Some(table) = item.as_table_like_mut() else { return };
    for (mut key, item) in table.iter_mut() {
        key.leaf_decor_mut().clear();
        if let Some(table) = item.as_table_mut() {
            table.decor_mut().clear();
        }
        forget_comments(item);
    }
}

/// Moves tables that come from another file to the end.
fn put_last(manifest: &mut DocumentMut, names: &[&str]) {
    // No manifest has this many tables.
    let mut position = 1 << 20;
    for name in names {
        let Some(table) = manifest.get_mut(name).and_then(Item::as_table_mut) else { continue };
        table.set_position(Some(position));
        for (_, item) in table.iter_mut() {
            position += 1;
            item.as_table_mut().into_iter().for_each(|table| table.set_position(Some(position)));
        }
        position += 1;
    }
}

/// Points the dependency on `subject` to the copy in the package.
fn bring_subject(dependencies: &mut dyn TableLike, package: &Path) -> Result<(), Failure> {
    for (name, item) in dependencies.iter_mut() {
        match item.as_table_like_mut().and_then(|table| table.get_mut("path")) {
            Some(path) if name.get() == "subject" => *path = value("subject"),
            Some(_) => {
                let package = package.display();
                let message = format!("{package} depends on the local crate `{}`", name.get());
                let problem = Problem::new(message).hint(
                    "a solution can contain no local crate but `subject`; make this crate a module",
                );
                return Err(Failure::broken_course(problem));
            }
            None => {}
        }
    }
    Ok(())
}
