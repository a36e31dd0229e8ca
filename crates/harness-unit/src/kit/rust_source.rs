//! Sources in Rust, in which each statement of a function says that it is reached: a call stands before it, on the same line. So does
//! what a closure or the arm of a `match` does without braces.
//!
//! Nothing is said where a call may not stand, or may not be compiled: in `const fn` and other constants, in what has a `#[cfg]`, and in
//! macros. What only a bug does is not said either.

use super::points::Points;
use crate::diagnostic::{Failure, Place, Problem};
use crate::files;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Pat, ReturnType, Signature, Stmt, UnOp};

/// The module of the functions that are called.
const MODULE: &str = include_str!("rust_source/lines.rs");
/// Its name, which no source has.
const NAME: &str = "told_lines_";
/// What stands in it for the number of points.
const COUNT: &str = "POINTS";

/// The sources of a library with their paths, and the places of the points that they say.
pub(super) type Marked = (Vec<(PathBuf, String)>, Points);

/// Marks the sources of a library. The names of files begin in the folder `root`, if they are in it.
///
/// # Errors
/// If one cannot be read.
pub(super) fn marked(library: &Path, root: &Path) -> Result<Marked, Failure> {
    let (mut marked, mut points) = (Vec::new(), Points::new());
    let folder = files::folder_of(library).to_owned();
    let mut waiting = VecDeque::from([(library.to_owned(), folder)]);
    while let Some((path, folder)) = waiting.pop_front() {
        let text = fs::read_to_string(&path)
            .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let file = syn::parse_str(text).map_err(|error| unread(&path, text, &error))?;
        let beside = files::folder_of(&path).to_owned();
        let mut marker = Marker::new(text, points.len(), beside, folder);
        marker.visit_file(&file);
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
        points.extend(marker.lines.iter().map(|line| (name.clone().into_owned(), *line)));
        waiting.extend(marker.modules.drain(..));
        marked.push((path, marker.text()));
    }
    let module = MODULE.replace(COUNT, &points.len().max(1).to_string());
    let (_, text) = &mut marked[0];
    text.extend(["\nmod ", NAME, " {\n", &module, "}\n"]);
    Ok((marked, points))
}

fn unread(path: &Path, text: &str, error: &syn::Error) -> Failure {
    let start = error.span().start();
    let place = Place::new(path, text, start.line, Some(start.column + 1));
    Failure::broken_course(Problem::new(error.to_string()).at(place))
}

/// Finds the places in a source.
struct Marker<'t> {
    text: &'t str,
    /// What is put where, by the offset.
    put: Vec<(usize, String)>,
    first: usize,
    lines: Vec<usize>,
    /// The folder of the source, and that of the modules in the one where the marker is.
    beside: PathBuf,
    folder: PathBuf,
    /// The files of modules, and the folders of those in them.
    modules: Vec<(PathBuf, PathBuf)>,
}

impl<'t> Marker<'t> {
    fn new(text: &'t str, first: usize, beside: PathBuf, folder: PathBuf) -> Self {
        let (put, lines, modules) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, put, first, lines, beside, folder, modules }
    }

    /// The text with all that was put into it.
    fn text(mut self) -> String {
        // What is put at the same place stays in order.
        self.put.sort_by_key(|(at, _)| *at);
        let (mut text, mut done) = (String::new(), 0);
        for (at, put) in &self.put {
            text.push_str(&self.text[done..*at]);
            text.push_str(put);
            done = *at;
        }
        text + &self.text[done..]
    }

    /// The call that says that a line is reached.
    fn call(&mut self, what: &impl Spanned) -> String {
        let number = self.first + self.lines.len();
        self.lines.push(what.span().start().line);
        format!("crate::{NAME}::at({number});")
    }

    /// Puts a call before a statement.
    fn before(&mut self, what: &impl Spanned) {
        let call = self.call(what);
        self.put.push((what.span().byte_range().start, format!("{call} ")));
    }

    /// Puts a call before an expression, which becomes a block if it is none.
    fn inside(&mut self, body: &Expr) {
        if let Expr::Block(block) = body {
            return self.visit_expr_block(block);
        }
        let range = body.span().byte_range();
        let call = self.call(body);
        self.put.push((range.start, format!("{{ {call} ")));
        self.visit_expr(body);
        self.put.push((range.end, " }".to_owned()));
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, body: &Block) {
        let is_test = attributes.iter().any(|it| it.path().is_ident("test"));
        if signature.constness.is_none() && !is_test && !is_conditional(attributes) {
            self.visit_block(body);
        }
    }

    /// A module in a file of its own: the file, if there is one, and the folder of the modules in it.
    fn module(&self, module: &syn::ItemMod) -> Option<(PathBuf, PathBuf)> {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let own = self.folder.join(name);
        if let Some(attribute) = module.attrs.iter().find(|it| it.path().is_ident("path")) {
            let path = self.beside.join(quoted(attribute)?);
            return path.is_file().then(|| (path.clone(), files::folder_of(&path).to_owned()));
        }
        let files = [self.folder.join(format!("{name}.rs")), own.join("mod.rs")];
        files.into_iter().find(|path| path.is_file()).map(|path| (path, own))
    }
}

/// The text of an attribute such as `#[path = "a.rs"]`.
fn quoted(attribute: &Attribute) -> Option<String> {
    match &attribute.meta.require_name_value().ok()?.value {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// Whether what has these attributes need not be compiled.
fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("cfg"))
}

/// The value of a condition, if it is known without any bug.
fn constant(condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Macro(called) => called.mac.path.segments.last()?.ident.eq("bug").then_some(false),
        Expr::Paren(inner) => constant(&inner.expr),
        Expr::Unary(unary) => match unary.op {
            UnOp::Not(_) => constant(&unary.expr).map(|it| !it),
            _ => None,
        },
        Expr::Binary(binary) => {
            let sides = [constant(&binary.left), constant(&binary.right)];
            let decides = match binary.op {
                BinOp::And(_) => false,
                BinOp::Or(_) => true,
                _ => return None,
            };
            if sides.contains(&Some(decides)) {
                return Some(decides);
            }
            sides.iter().all(Option::is_some).then_some(!decides)
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for Marker<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        match item {
            syn::Item::Fn(item) => self.function(&item.attrs, &item.sig, &item.block),
            syn::Item::Impl(item) if !is_conditional(&item.attrs) => self.visit_item_impl(item),
            syn::Item::Trait(item) if !is_conditional(&item.attrs) => self.visit_item_trait(item),
            syn::Item::Mod(item) if !is_conditional(&item.attrs) => self.visit_item_mod(item),
            _ => {}
        }
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let Some((_, items)) = &module.content else {
            return self.modules.extend(self.module(module));
        };
        let outer = self.folder.clone();
        self.folder.push(module.ident.to_string());
        items.iter().for_each(|item| self.visit_item(item));
        self.folder = outer;
    }

    fn visit_impl_item(&mut self, item: &'a syn::ImplItem) {
        if let syn::ImplItem::Fn(item) = item {
            self.function(&item.attrs, &item.sig, &item.block);
        }
    }

    fn visit_trait_item(&mut self, item: &'a syn::TraitItem) {
        if let syn::TraitItem::Fn(item) = item
            && let Some(body) = &item.default
        {
            self.function(&item.attrs, &item.sig, body);
        }
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Item(item) = statement {
            return self.visit_item(item);
        }
        let start = statement.span().byte_range().start;
        if self.text[start..].starts_with("#[cfg") {
            return;
        }
        self.before(statement);
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_if(&mut self, it: &'a syn::ExprIf) {
        let constant = constant(&it.cond);
        self.visit_expr(&it.cond);
        if constant != Some(false) {
            self.visit_block(&it.then_branch);
        }
        if let Some((_, other)) = it.else_branch.as_ref().filter(|_| constant != Some(true)) {
            self.visit_expr(other);
        }
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        let is_of_bug =
            matches!(&arm.pat, Pat::Guard(guard) if constant(&guard.guard) == Some(false));
        if !is_of_bug && !is_conditional(&arm.attrs) {
            self.inside(&arm.body);
        }
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        match &closure.output {
            ReturnType::Default => self.inside(&closure.body),
            ReturnType::Type(..) => self.visit_expr(&closure.body),
        }
    }

    // In these, expressions are constants.
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_path(&mut self, _: &'a syn::Path) {}
    fn visit_generics(&mut self, _: &'a syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'a syn::AngleBracketedGenericArguments,
    ) {
    }
    fn visit_pat(&mut self, _: &'a Pat) {}
    fn visit_expr_repeat(&mut self, it: &'a syn::ExprRepeat) {
        self.visit_expr(&it.expr);
    }
    fn visit_attribute(&mut self, _: &'a Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a library with calls, and the lines that they tell.
    fn marked_text(text: &str) -> (String, Vec<usize>) {
        let mut marker = Marker::new(text, 0, PathBuf::new(), PathBuf::new());
        marker.visit_file(&syn::parse_str(text).unwrap());
        let lines = marker.lines.clone();
        (marker.text().replace(&format!("crate::{NAME}::at"), "at"), lines)
    }

    #[test]
    fn a_call_stands_before_each_statement_and_in_what_has_no_braces() {
        let text = "fn f(é: u8) -> u8 {\n    let x = |y| y;\n    match x(é) {\n        0 => 1,\n        _ => {\n            2\n        }\n    }\n}\n";
        let (marked, lines) = marked_text(text);
        let expected = "fn f(é: u8) -> u8 {\n    at(0); let x = |y| { at(1); y };\n    at(2); match x(é) {\n        0 => { at(3); 1 },\n        _ => {\n            at(4); 2\n        }\n    }\n}\n";
        assert_eq!(marked, expected);
        assert_eq!(lines, [2, 2, 3, 4, 6]);
    }

    #[test]
    fn no_call_stands_in_a_constant_or_where_only_a_bug_comes() {
        for text in [
            "const fn f() -> u8 { 1 }",
            "const A: fn() = || { a(); };",
            "#[cfg(test)] mod tests { fn f() { g(); } }",
            "#[cfg(windows)] fn f() { g(); }",
            "#[test] fn f() { g(); }",
            "macro_rules! m { () => { f(); } }",
        ] {
            assert_eq!(marked_text(text), (text.to_owned(), Vec::new()));
        }
        for (condition, lines) in [
            ("bug!(\"a\")", &[2, 5][..]),
            ("!subject::bug!(\"a\")", &[2, 3]),
            ("b && (bug!(\"a\"))", &[2, 5]),
            ("bug!(\"a\") || b", &[2, 3, 5]),
            ("!bug!(\"a\") || b", &[2, 3]),
            ("bug", &[2, 3, 5]),
        ] {
            let text = format!("fn f() {{\nif {condition} {{\n1\n}} else {{\n2\n}} }}");
            assert_eq!(marked_text(&text).1, lines, "{condition}");
        }
    }
}
