//! What a program in Python binds, and what tells the types of its names: an annotation, or the value that they have first.

use crate::candidates::grammar::{children, field};
use crate::candidates::names::{Items, Names};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The constants and attributes of all files.
pub(super) fn of(files: &[(Node<'_>, &str)]) -> Names {
    let mut items = Items::default();
    for &(root, source) in files {
        let mut constants: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for statement in children(root) {
            if let Some((name, of)) = assigned(statement, source, "identifier")
                && !name.chars().any(|letter| letter.is_ascii_lowercase())
            {
                constants.entry(of).or_default().push(name);
            }
        }
        constants.values().for_each(|names| items.constants(names));
        attributes(root, source, &mut items);
    }
    Names::new(items)
}

/// The attributes that the methods `__init__` of classes assign to, or that classes declare.
fn attributes(node: Node<'_>, source: &str, items: &mut Items) {
    if node.kind() == "class_definition" {
        let mut by_type: BTreeMap<_, Vec<String>> = BTreeMap::new();
        let mut add = |(name, of): (String, String)| {
            let names = by_type.entry(of).or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        };
        for part in field(node, "body").into_iter().flat_map(children) {
            assigned(part, source, "identifier").into_iter().for_each(&mut add);
            let is_init =
                field(part, "name").is_some_and(|it| &source[it.byte_range()] == "__init__");
            let body = field(part, "body").filter(|_| is_init);
            let known: BTreeMap<_, _> =
                parameters(field(part, "parameters"), source).into_iter().collect();
            for statement in body.into_iter().flat_map(children) {
                let assigned = assigned(statement, source, "attribute");
                let of_parameter = |(name, of): (String, String)| {
                    let of = known.get(&of).cloned().unwrap_or(of);
                    (name.trim_start_matches("self.").to_owned(), of)
                };
                assigned.map(of_parameter).into_iter().for_each(&mut add);
            }
        }
        by_type.values().for_each(|names| items.fields(names));
    }
    children(node).into_iter().for_each(|child| attributes(child, source, items));
}

/// What a statement assigns to, if it is of this kind, and what tells its type: the name of a variable stands for the variable's type.
fn assigned(statement: Node<'_>, source: &str, kind: &str) -> Option<(String, String)> {
    let assignment = *children(statement).first()?;
    let target = field(assignment, "left").filter(|target| target.kind() == kind)?;
    let text = |node: Node<'_>| source[node.byte_range()].to_owned();
    let of = match (field(assignment, "type"), field(assignment, "right")) {
        (Some(of), _) => text(of),
        (None, Some(value)) if value.kind() == "identifier" => text(value),
        (None, value) => type_of(value?, source, &Names::default())?,
    };
    (assignment.kind() == "assignment").then(|| (text(target), of))
}

/// The parameters of a function. Those that nothing tells the type of may have the same.
pub(super) fn parameters(list: Option<Node<'_>>, source: &str) -> Vec<(String, String)> {
    let text = |node: Node<'_>| source[node.byte_range()].to_owned();
    let unknown = list.map_or_else(String::new, |list| format!("{:?}", list.byte_range()));
    let parameter = |node: Node<'_>| {
        let name = match node.kind() {
            "identifier" => node,
            "typed_parameter" => *children(node).first()?,
            _ => field(node, "name")?,
        };
        let of = field(node, "type").map(text);
        let of = of.or_else(|| type_of(field(node, "value")?, source, &Names::default()));
        Some((text(name), of.unwrap_or_else(|| unknown.clone())))
    };
    let all = list.into_iter().flat_map(children).filter_map(parameter);
    all.filter(|(name, _)| !matches!(name.as_str(), "self" | "cls")).collect()
}

/// The names that a pattern binds to a value. Those of one pattern may have the same type.
pub(super) fn bound(
    pattern: Node<'_>,
    value: Option<Node<'_>>,
    source: &str,
    names: &Names,
) -> Vec<(String, String)> {
    let unknown = || format!("{:?}", pattern.byte_range());
    match pattern.kind() {
        "identifier" => {
            let of = value.and_then(|value| type_of(value, source, names));
            vec![(source[pattern.byte_range()].to_owned(), of.unwrap_or_else(unknown))]
        }
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            let inner = children(pattern).into_iter();
            let inner = inner.flat_map(|it| bound(it, None, source, names));
            inner.map(|(name, _)| (name, unknown())).collect()
        }
        _ => Vec::new(),
    }
}

/// What tells the type of a value.
fn type_of(value: Node<'_>, source: &str, names: &Names) -> Option<String> {
    let text = |node: Node<'_>| &source[node.byte_range()];
    let of = match value.kind() {
        "integer" | "float" => "a number",
        "string" | "concatenated_string" => "a string",
        "list" | "list_comprehension" => "a list",
        "dictionary" | "dictionary_comprehension" => "a dictionary",
        "set" | "set_comprehension" => "a set",
        "true" | "false" | "comparison_operator" | "not_operator" => "a truth value",
        "identifier" => return names.type_of(text(value)).map(str::to_owned),
        "call" => match text(field(value, "function")?) {
            "range" | "len" | "int" => "a number",
            function => return Some(format!("what {function} gives")),
        },
        _ => return None,
    };
    Some(of.to_owned())
}
