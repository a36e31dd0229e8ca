//! What each operator changes, and what stays as it is.

use super::*;
use harness::course::language::tokens::{self, Token, TokenKind};
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use walkdir::WalkDir;

/// The lines that a source becomes, by operator.
fn changes(source: &str) -> Vec<(Operator, String)> {
    let found = find(&[source]).expect("it is Rust").remove(0);
    let changed = found.candidates.iter().map(|candidate| {
        let (_, _, after) = candidate.lines(source);
        (candidate.operator, after.join(" ").trim().to_owned())
    });
    changed.collect()
}

#[track_caller]
fn check(body: &str, operator: Operator, expected: &[&str]) {
    let source = format!("fn f(a: u8, b: u8, c: bool) -> u8 {{\n{body}\n}}");
    let all = changes(&source);
    let of = all.iter().filter(|(other, _)| *other == operator);
    assert_eq!(of.map(|(_, after)| after.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn each_operator_changes_what_it_is_about() {
    check("a < b", Operator::Boundary, &["a <= b"]);
    check("a == b", Operator::NegatedTest, &["a != b"]);
    check("if c { 1 }", Operator::RemovedCondition, &["if true { 1 }", "if false { 1 }"]);
    check("a > 0 && c", Operator::DeletedOperand, &["c", "a > 0"]);
    check("x - 1", Operator::OffByOne, &["x", "x - 2", "x - 0"]);
    check("[a, b, a]", Operator::SwappedNeighbours, &["[b, a, a]", "[a, a, b]"]);
    check("v.clear(); x = 0; 1", Operator::DroppedStatement, &["x = 0; 1", "v.clear();  1"]);
    check("g(a)", Operator::OtherVariable, &["g(b)"]);
}

#[test]
fn code_that_only_a_bug_runs_does_not_change() {
    for body in [
        "if bug!(\"b\") { a + 2 } else { a }",
        "a < 3 && bug!(\"b\")",
        "if a == 1 && bug!(\"b\") { return 3; }",
    ] {
        let source = format!("fn f(a: u8) {{ {body} }}");
        assert_eq!(changes(&source), [], "{body}");
    }
    let tested = "#[cfg(test)] mod tests { fn f(a: u8) -> u8 { a + 2 } }";
    assert_eq!(changes(tested), []);
    assert_eq!(changes("const A: u8 = 1 + 2; const fn f() -> u8 { 1 }"), []);
}

#[test]
fn fields_constants_and_variants_of_the_same_type_take_each_others_place() {
    let source = "struct S { x: u8, y: u8, z: bool }\nconst A: u8 = 1; const B: u8 = 2;\n\
        enum E { P, Q }\nfn f(s: &S) {\ng(s.x);\ng(A);\ng(E::P);\n}";
    let others = changes(source).into_iter();
    let others = others.filter(|(operator, _)| *operator == Operator::OtherVariable);
    let others: Vec<_> = others.map(|(_, after)| after).collect();
    assert_eq!(others, ["g(s.y);", "g(B);", "g(E::Q);"]);
}

/// The names, numbers and texts among the tokens of `proc-macro2`. A doc comment is no such token.
fn words(stream: TokenStream, source: &str, found: &mut Vec<Range<usize>>) {
    for tree in stream {
        let range = tree.span().byte_range();
        match tree {
            TokenTree::Group(group) => words(group.stream(), source, found),
            TokenTree::Punct(_) => {}
            _ if source[range.clone()].starts_with('/') => {}
            _ => found.push(range),
        }
    }
}

#[test]
fn solutions_are_made_of_the_same_tokens_as_candidates() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["reference", "src"].map(|folder| repository.join(folder));
    let files = folders.iter().flat_map(WalkDir::new).map(|entry| entry.unwrap().into_path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "rs")).collect();
    assert!(files.len() > 100);
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let mut expected = Vec::new();
        words(source.parse().unwrap(), &source, &mut expected);
        let tokens = tokens::rust(&source).into_iter();
        let is_word = |token: &Token| {
            matches!(token.kind, TokenKind::Name | TokenKind::Number | TokenKind::Text)
        };
        let found: Vec<_> = tokens.filter(is_word).map(|token| token.range).collect();
        assert_eq!(found, expected, "{}", file.display());
    }
}
