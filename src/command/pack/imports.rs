//! What a source of the course includes or imports from the course, by the names in its text.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that the source `file` includes or imports, and those that these do. Headers may also be in `folders`.
pub(super) fn of(file: &Path, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![file.to_owned()];
    while let Some(file) = waiting.pop() {
        let Some(beside) = file.parent() else { continue };
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let is_python = file.extension().is_some_and(|ending| ending == "py");
        for line in text.lines().map(str::trim) {
            let paths = if is_python {
                imported(line).into_iter().flat_map(|name| modules(beside, name)).collect()
            } else {
                let name = included(line);
                let places = [beside].into_iter().chain(folders.iter().map(PathBuf::as_path));
                name.and_then(|name| places.map(|it| it.join(name)).find(|it| it.is_file()))
                    .into_iter()
                    .collect::<Vec<_>>()
            };
            waiting.extend(paths.into_iter().filter(|path| found.insert(path.clone())));
        }
    }
    found
}

/// The name in `#include "name"`.
fn included(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    rest.strip_prefix('"')?.split('"').next()
}

/// The modules that a line of Python imports.
fn imported(line: &str) -> Vec<&str> {
    let is_name = |name: &&str| !name.is_empty();
    if let Some(rest) = line.strip_prefix("from ") {
        return rest.split_whitespace().next().into_iter().collect();
    }
    let names = line.strip_prefix("import ").into_iter().flat_map(|rest| rest.split(','));
    names.filter_map(|name| name.split_whitespace().next()).filter(is_name).collect()
}

/// The files of a module beside a program: `name.py`, or the package `name`.
fn modules(beside: &Path, name: &str) -> Vec<PathBuf> {
    let top = name.trim_start_matches('.').split('.').next().unwrap_or_default();
    let (module, package) = (beside.join(format!("{top}.py")), beside.join(top));
    if module.is_file() {
        vec![module]
    } else if !top.is_empty() && package.join("__init__.py").is_file() {
        vec![package]
    } else {
        Vec::new()
    }
}
