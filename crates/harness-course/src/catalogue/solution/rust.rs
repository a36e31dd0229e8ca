//! Cleans Rust sources: folds every `bug!` to false with `syn`, and removes code that only bugs used.
//!
//! The sources are edited as text, at the positions in the syntax tree, so that comments and layout stay.

mod arms;
mod branch;
mod edit;
mod effect;
mod fold;
mod function;
mod names;
mod precedence;
mod unused;

use super::SourceFile;
use crate::diagnostic::{Failure, Place, Problem};
use function::Functions;
use proc_macro2::LineColumn;
use std::path::Path;
use syn::File;

/// Removes the bugs from the sources of the package in `folder`.
///
/// # Errors
/// If a file is not Rust, or has a `bug!` in a place where it cannot be removed.
pub(super) fn clean(files: &mut [SourceFile], folder: &Path) -> Result<(), Failure> {
    let originals = texts_of(files);
    let with_bugs = function::with_bugs(&parse(files, folder)?, &originals);
    loop {
        let before = texts_of(files);
        let functions = Functions::of(&parse(files, folder)?, &with_bugs);
        for (file, original) in files.iter_mut().zip(&originals) {
            file.text = fold::fold(&file.text, original, &functions)
                .map_err(|error| unreadable(file, folder, &error))?;
        }
        function::drop_parameter(&parse(files, folder)?, &mut changeable(files), &functions);
        unused::remove(&parse(files, folder)?, &mut changeable(files), &originals);
        if texts_of(files) == before {
            break;
        }
    }
    files.iter_mut().try_for_each(|file| finish(file, folder))
}

/// Checks that no `bug!` is left.
fn finish(file: &mut SourceFile, folder: &Path) -> Result<(), Failure> {
    file.text = fold::finish(&file.text);
    let Some(at) = names::macro_call(&file.text, "bug") else { return Ok(()) };
    let place = Place::new(&folder.join(&file.path), &file.text, at.line, Some(at.column + 1));
    let problem = Problem::new("this `bug!` cannot be replaced by its correct branch").at(place);
    Err(Failure::broken_course(problem.hint("write it as an expression in the body of a function")))
}

fn parse(files: &[SourceFile], folder: &Path) -> Result<Vec<File>, Failure> {
    let parse = |file: &SourceFile| {
        syn::parse_file(&file.text).map_err(|error| unreadable(file, folder, &error))
    };
    files.iter().map(parse).collect()
}

fn texts_of(files: &[SourceFile]) -> Vec<String> {
    files.iter().map(|file| file.text.clone()).collect()
}

fn changeable(files: &mut [SourceFile]) -> Vec<&mut String> {
    files.iter_mut().map(|file| &mut file.text).collect()
}

fn unreadable(file: &SourceFile, folder: &Path, error: &syn::Error) -> Failure {
    let LineColumn { line, column } = error.span().start();
    let place = Place::new(&folder.join(&file.path), &file.text, line, Some(column + 1));
    Failure::broken_course(Problem::new(format!("not valid Rust: {error}")).at(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cleans one file, and compares the result without white space, which `cargo fmt` changes.
    #[track_caller]
    fn check(source: &str, expected: &str) {
        let mut files = [SourceFile { path: "lib.rs".into(), text: source.to_owned() }];
        clean(&mut files, Path::new("")).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&files[0].text), words(expected));
    }

    #[test]
    fn a_condition_keeps_the_operands_without_a_bug() {
        let body = |condition: &str| format!("fn f(a: u8) -> bool {{ {condition} }}");
        for (with, without) in [
            ("a == 1 || a == 2 && bug!(\"b\")", "a == 1"),
            ("a < 9 && !(a == 2 && bug!(\"b\"))", "a < 9"),
            ("a < 9 && !(a == 2 && bug!(\"b\", if a.is_power_of_two()))", "a < 9"),
            ("a < 9 && (a == 1 || bug!(\"b\"))", "a < 9 && a == 1"),
            ("a < 9 && (a == 1 || a == 2 || bug!(\"b\"))", "a < 9 && (a == 1 || a == 2)"),
            ("(a == 1) != bug!(\"b\")", "a == 1"),
            ("(a == 1 || !bug!(\"b\")) && a > 0", "a > 0"),
        ] {
            check(&body(with), &body(without));
        }
    }

    #[test]
    fn a_correct_branch_replaces_its_if_and_a_variable_set_to_itself_is_removed() {
        check(
            "fn f(a: u8) -> u8 { let a = if bug!(\"b\") { 1 } else { a }; a + 1 }",
            "fn f(a: u8) -> u8 { a + 1 }",
        );
        check(
            "fn f(a: u8) -> u8 { if a == 1 { 2 } else if bug!(\"b\") { 3 } else { 4 } }",
            "fn f(a: u8) -> u8 { if a == 1 { 2 } else { 4 } }",
        );
        check(
            "fn f(a: u8) -> u8 { (if bug!(\"b\") { 1 } else { a + 2 }) * 3 }",
            "fn f(a: u8) -> u8 { (a + 2) * 3 }",
        );
    }

    #[test]
    fn a_bugs_statement_is_removed_with_its_comment_and_other_comments_stay() {
        check(
            "fn f() {\n    // First.\n    g();\n\n    // Wrong.\n    if bug!(\"b\") {\n        return;\n    }\n    // Last.\n    g();\n    tick!();\n}",
            "fn f() { // First.\n g(); // Last.\n g(); }",
        );
    }

    #[test]
    fn a_bugs_match_arm_is_removed_and_equal_arms_are_joined() {
        check(
            "fn f(a: u8) -> u8 { match a { 1 if bug!(\"b\") => 2, 1 => 3, _ => 4 } }",
            "fn f(a: u8) -> u8 { match a { 1 => 3, _ => 4 } }",
        );
        check(
            "fn f(a: u8) -> bool { match a { 1 => true, 2 => !bug!(\"b\"), _ => a > 5 } }",
            "fn f(a: u8) -> bool { match a { 1 | 2 => true, _ => a > 5 } }",
        );
        check(
            "fn f(a: u8) -> u8 { match a { _ if a < 2 => 1, _ if bug!(\"b\") => 2, _ => 3 } }",
            "fn f(a: u8) -> u8 { if a < 2 { 1 } else { 3 } }",
        );
    }

    #[test]
    fn code_that_only_a_bug_used_is_removed() {
        check(
            "use std::mem::{swap, take};\nconst LIMIT: u8 = 9;\nfn f(mut a: u8) { if bug!(\"b\") && wrong(a) { swap(&mut a, &mut 1); } take(&mut a); }\nfn wrong(a: u8) -> bool { a > LIMIT }",
            "use std::mem::take;\nfn f(mut a: u8) { take(&mut a); }",
        );
        check(
            "fn f(a: u8, b: u8) -> u8 { g(a, b) }\nfn g(a: u8, b: u8) -> u8 { if bug!(\"b\") { b } else { a + 1 } }",
            "fn f(a: u8) -> u8 { g(a) }\nfn g(a: u8) -> u8 { a + 1 }",
        );
    }

    #[test]
    fn a_call_with_an_effect_stays_if_only_a_bug_read_its_result() {
        check(
            "fn f(all: &mut Vec<u8>) { let is_new = add(all); if !is_new && bug!(\"b\") { return; } add(all); }\nfn add(all: &mut Vec<u8>) -> bool { all.push(1); true }",
            "fn f(all: &mut Vec<u8>) { add(all); add(all); }\nfn add(all: &mut Vec<u8>) -> bool { all.push(1); true }",
        );
    }

    #[test]
    fn code_without_a_bug_is_not_changed() {
        let source =
            "fn f(a: u8) -> bool { let b = (a == 1) || false; if (b) { true } else { false } }";
        check(source, source);
    }
}
