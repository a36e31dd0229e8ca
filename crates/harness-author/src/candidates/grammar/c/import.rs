//! Where a source in C or C++ includes `subject.h`.

use crate::candidates::Import;
use crate::candidates::grammar::{children, field, import_behind};
use crate::candidates::notation::{end_of_line, start};
use tree_sitter::Node;

/// The line that includes `subject.h`, unless there is one: behind the last of the files that are always included, or else at the start.
pub(super) fn import(root: Node<'_>, source: &str) -> Option<Import> {
    let paths = includes(root).into_iter().filter_map(|include| field(include, "path"));
    let paths: Vec<_> = paths.collect();
    let is_it =
        |path: &Node<'_>| source[path.byte_range()].trim_matches('"').ends_with("subject.h");
    if paths.iter().any(is_it) {
        return None;
    }
    let line = "#include \"subject.h\"";
    Some(match paths.last() {
        Some(path) => import_behind(*path, source, line),
        None => Import { at: start(source), text: format!("{line}{}", end_of_line(source)) },
    })
}

/// The directives `#include` that depend on no condition, except for the guard of a header.
fn includes(root: Node<'_>) -> Vec<Node<'_>> {
    let mut parts = children(root);
    if let [guard] = parts.as_slice()
        && guard.kind() == "preproc_ifdef"
    {
        parts = children(*guard);
    }
    parts.retain(|part| part.kind() == "preproc_include");
    parts
}
