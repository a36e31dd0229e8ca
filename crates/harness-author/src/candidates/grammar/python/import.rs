//! Where a source in Python imports `bug`.

use crate::candidates::Import;
use crate::candidates::grammar::{children, field, fields, import_behind};
use crate::candidates::notation::{end_of_line, start};
use tree_sitter::Node;

/// The line that imports `bug`, unless there is one: behind the imports at the start, or else before the first statement.
pub(super) fn import(root: Node<'_>, source: &str) -> Option<Import> {
    let text = |node: Node<'_>| &source[node.byte_range()];
    let statements = children(root);
    let is_it = |node: &Node<'_>| {
        node.kind() == "import_from_statement"
            && field(*node, "module_name").is_some_and(|name| text(name) == "subject")
            && fields(*node, "name").into_iter().any(|name| text(name) == "bug")
    };
    if statements.iter().any(is_it) {
        return None;
    }
    let is_first = |(number, node): &(usize, &Node<'_>)| match node.kind() {
        "import_statement" | "import_from_statement" | "future_import_statement" => true,
        // The docstring.
        "expression_statement" => {
            *number == 0 && children(**node).first().is_some_and(|it| it.kind() == "string")
        }
        _ => false,
    };
    let last = statements.iter().enumerate().take_while(is_first).last();
    let line = "from subject import bug";
    let Some((_, last)) = last else {
        let at = statements.first().map_or(source.len(), Node::start_byte);
        let text = format!("{line}{}", end_of_line(source));
        return Some(Import { at: at.max(start(source)), text });
    };
    Some(import_behind(*last, source, line))
}
