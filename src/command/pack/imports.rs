//! What a source of the course includes or imports from the course, by the names in its text.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of sources and headers in C and C++ end.
const C: [&str; 11] = ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"];

/// What the source `file` itself includes or imports. Headers may also be in `folders`.
pub(super) fn of(file: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    let (is_c, is_python) = (C.contains(&ending), ending == "py");
    let Some(beside) = file.parent().filter(|_| is_c || is_python) else { return Vec::new() };
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(str::trim);
    if is_python {
        return lines.flat_map(imported).filter_map(|name| module(beside, name)).collect();
    }
    let header = |name: &str| {
        let places = [beside].into_iter().chain(folders.iter().map(PathBuf::as_path));
        places.map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    lines.filter_map(included).filter_map(header).collect()
}

/// The name in `#include "name"`.
fn included(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    rest.strip_prefix('"')?.split('"').next()
}

/// The modules that a line of Python imports.
fn imported(line: &str) -> Vec<&str> {
    let names = match line.strip_prefix("from ") {
        Some(rest) => rest.split(',').take(1).collect::<Vec<_>>(),
        None => {
            line.strip_prefix("import ").map(|rest| rest.split(',').collect()).unwrap_or_default()
        }
    };
    names.into_iter().filter_map(|name| name.split_whitespace().next()).collect()
}

/// A module beside a program: the file `name.py`, or the package `name`.
fn module(beside: &Path, name: &str) -> Option<PathBuf> {
    let top = name.trim_start_matches('.').split('.').next().filter(|top| !top.is_empty())?;
    let (file, package) = (beside.join(format!("{top}.py")), beside.join(top));
    let is_package = package.join("__init__.py").is_file();
    Some(if file.is_file() { file } else { package }).filter(|path| path.is_file() || is_package)
}
