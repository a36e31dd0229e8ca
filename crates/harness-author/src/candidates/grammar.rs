//! Candidates by the grammars of tree-sitter: what C, C++ and Python have in common. It finds no change around a part that does not parse.

pub(super) mod c;
mod finder;
pub(super) mod python;
#[cfg(test)]
mod tests;

use crate::candidates::notation::end_of_line;
use crate::candidates::{Found, Import};
use std::ops::Range;
use tree_sitter::{Language, Node, Parser, Tree};

/// The root of a tree with its source.
type File<'t> = (Node<'t>, &'t str);

/// What `find` finds in each of the sources. `known` looks at all of them first.
fn in_each<Known>(
    language: &Language,
    sources: &[&str],
    known: impl FnOnce(&[File<'_>]) -> Known,
    find: impl Fn(File<'_>, &Known) -> Found,
) -> Vec<Found> {
    let trees: Vec<_> = sources.iter().map(|source| parse(language, source)).collect();
    let files: Vec<File<'_>> =
        trees.iter().zip(sources).map(|(tree, source)| (tree.root_node(), *source)).collect();
    let known = known(&files);
    files.iter().map(|&file| find(file, &known).without_repetitions()).collect()
}

/// Parses a source. A part that is not of the language becomes an error in the tree.
fn parse(language: &Language, source: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(language).expect("the grammar is of this version");
    parser.parse(source, None).expect("there is no limit on time")
}

/// The named children of a node, without comments.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// The left side of an operation, its operator, and its right side.
fn operation(node: Node<'_>) -> Option<[Node<'_>; 3]> {
    Some([field(node, "left")?, field(node, "operator")?, field(node, "right")?])
}

/// The children of a node in the fields of this name.
fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

/// Whether a node contains this word outside its named children.
fn has_word(node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| !child.is_named() && child.kind() == word)
}

/// From the start of one node to the end of another.
fn span(first: Node<'_>, last: Node<'_>) -> Range<usize> {
    first.start_byte()..last.end_byte()
}

/// The value of a condition with these sides, one of which alone may decide it.
fn decided(decides: bool, sides: [Option<bool>; 2]) -> Option<bool> {
    match sides {
        [Some(one), _] | [_, Some(one)] if one == decides => Some(decides),
        [Some(_), Some(_)] => Some(!decides),
        _ => None,
    }
}

/// An import in a line of its own, behind the line in which `node` ends.
fn import_behind(node: Node<'_>, source: &str, line: &str) -> Import {
    let rest = &source[node.end_byte()..];
    let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
    Import { at: node.end_byte() + length, text: format!("{}{line}", end_of_line(source)) }
}
