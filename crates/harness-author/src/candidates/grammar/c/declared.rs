//! What a program in C or C++ declares, and the names that its declarations bind.

use crate::candidates::grammar::{children, field, fields, has_word};
use crate::candidates::names::{Items, Names};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// The macros with arguments that the sources define.
#[derive(Default)]
pub(super) struct Macros(BTreeSet<String>);

impl Macros {
    /// Whether this is the name of a macro: one of the sources, or one that is written as macros are.
    pub(super) fn contain(&self, name: &str) -> bool {
        let has = |is: fn(&char) -> bool| name.chars().any(|letter| is(&letter));
        let is_upper = has(char::is_ascii_uppercase) && !has(char::is_ascii_lowercase);
        name == "assert" || self.0.contains(name) || is_upper && name != "BUG"
    }
}

/// The names and macros that all files declare.
pub(super) fn of(files: &[(Node<'_>, &str)]) -> (Names, Macros) {
    let mut declared = Declared::default();
    for &(root, source) in files {
        declared.collect(root, source);
        let constants = std::mem::take(&mut declared.constants);
        constants.values().for_each(|names| declared.items.constants(names));
    }
    (Names::new(declared.items), declared.macros)
}

#[derive(Default)]
struct Declared {
    items: Items,
    macros: Macros,
    /// The constants of the file that is read, by their type.
    constants: BTreeMap<String, Vec<String>>,
}

impl Declared {
    fn collect(&mut self, node: Node<'_>, source: &str) {
        let text = |node: Node<'_>| source[node.byte_range()].to_owned();
        match node.kind() {
            "preproc_function_def" => self.macros.0.extend(field(node, "name").map(text)),
            "enum_specifier" => {
                let names = field(node, "body").into_iter().flat_map(children);
                let names: Vec<_> = names.filter_map(|it| Some(text(field(it, "name")?))).collect();
                self.items.variants(&field(node, "name").map_or_else(String::new, text), &names);
                // Those of a plain enumeration are known without its name too.
                if !has_word(node, "class") && !has_word(node, "struct") {
                    self.items.variants("", &names);
                }
            }
            "field_declaration_list" => {
                let mut by_type = BTreeMap::new();
                let parts = children(node).into_iter();
                parts
                    .filter(|part| part.kind() == "field_declaration")
                    .for_each(|part| add(&mut by_type, part, source));
                by_type.values().for_each(|names: &Vec<String>| self.items.fields(names));
            }
            "declaration" => {
                let is_constant =
                    |it: &Node<'_>| ["const", "constexpr"].contains(&text(*it).as_str());
                if children(node).iter().any(is_constant) {
                    add(&mut self.constants, node, source);
                }
            }
            // What a function declares is known in it alone.
            "compound_statement" => return,
            _ => {}
        }
        children(node).into_iter().for_each(|child| self.collect(child, source));
    }
}

/// Adds what a declaration binds, by its type.
fn add(by_type: &mut BTreeMap<String, Vec<String>>, declaration: Node<'_>, source: &str) {
    for declarator in fields(declaration, "declarator") {
        let of = type_of(declaration, declarator, source);
        by_type.entry(of).or_default().extend(bound(declarator, source));
    }
}

/// The name of a function, without its scope.
pub(super) fn name(node: Node<'_>, source: &str) -> String {
    let inner = field(node, "declarator").or_else(|| field(node, "name"));
    match (inner, node.kind()) {
        (Some(inner), _) => name(inner, source),
        (None, "reference_declarator" | "parenthesized_declarator") => {
            children(node).last().map_or_else(String::new, |inner| name(*inner, source))
        }
        (None, _) => source[node.byte_range()].to_owned(),
    }
}

/// The parameters of a function or a lambda expression, with what tells their types.
pub(super) fn parameters(node: Node<'_>, source: &str) -> Vec<(String, String)> {
    let mut declarator = field(node, "declarator");
    while let Some(at) = declarator {
        if let Some(parameters) = field(at, "parameters") {
            let all = children(parameters).into_iter().filter_map(|parameter| {
                let declarator = field(parameter, "declarator")?;
                let of = type_of(parameter, declarator, source);
                Some(bound(declarator, source).into_iter().map(move |name| (name, of.clone())))
            });
            return all.flatten().collect();
        }
        declarator = field(at, "declarator").or_else(|| children(at).first().copied());
    }
    Vec::new()
}

/// The names that a declarator binds. That of a function binds none.
pub(super) fn bound(declarator: Node<'_>, source: &str) -> Vec<String> {
    let all = |nodes: Vec<Node<'_>>| nodes.into_iter().flat_map(|it| bound(it, source)).collect();
    match declarator.kind() {
        "identifier" | "field_identifier" => vec![source[declarator.byte_range()].to_owned()],
        "function_declarator" => Vec::new(),
        "structured_binding_declarator" | "reference_declarator" => all(children(declarator)),
        _ => all(field(declarator, "declarator").into_iter().collect()),
    }
}

/// What tells the type of a declared name: its type, and whether it is a pointer or an array. What is declared without a type has one of
/// its own, which all names of a structured binding share.
pub(super) fn type_of(declaration: Node<'_>, declarator: Node<'_>, source: &str) -> String {
    let of = field(declaration, "type").map_or("", |of| &source[of.byte_range()]);
    if matches!(of, "" | "auto") {
        return format!("{:?}", declarator.byte_range());
    }
    let mut shape = String::new();
    let mut at = Some(declarator);
    while let Some(node) = at {
        shape.push_str(match node.kind() {
            "pointer_declarator" => "*",
            "array_declarator" => "[]",
            _ => "",
        });
        at = field(node, "declarator");
    }
    format!("{of}{shape}")
}
