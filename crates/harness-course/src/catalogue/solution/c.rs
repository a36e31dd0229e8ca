//! Cleans sources in C and C++: replaces every `BUG` by its correct branch, and removes code that only bugs used.
//!
//! There is no parser for C++ here. Tokens are enough for the forms of `BUG` that docs/adding-an-assignment.md recommends. Every other
//! form is refused with its place.

mod expression;
mod pieces;
mod statement;
mod unused;

use super::SourceFile;
use crate::diagnostic::{Failure, Place, Problem};
use expression::Folded;
use pieces::Pieces;
use std::path::Path;

/// Removes the bugs from the sources in `folder`.
///
/// # Errors
/// If a `BUG` has a form that cannot be replaced.
pub(super) fn clean(files: &mut [SourceFile], folder: &Path) -> Result<(), Failure> {
    let originals: Vec<_> = files.iter().map(|file| Pieces::new(&file.text)).collect();
    let mut all = originals.clone();
    for (pieces, file) in all.iter_mut().zip(files.iter()) {
        fold(pieces).map_err(|refused| {
            Failure::broken_course(refused.problem(&folder.join(&file.path), &file.text))
        })?;
        statement::remove_include(pieces);
    }
    unused::remove(&mut all, &originals);
    for (file, pieces) in files.iter_mut().zip(&all) {
        file.text = pieces.to_string();
    }
    Ok(())
}

/// Replaces every bug of a file.
fn fold(pieces: &mut Pieces) -> Result<(), Refused> {
    loop {
        let constants: Vec<_> = pieces.constants().collect();
        let Some(&first) = constants.first() else { return Ok(()) };
        let mut folded = Folded::No;
        for at in constants {
            folded = expression::fold(pieces, at);
            if matches!(folded, Folded::No) {
                folded = statement::fold(pieces, at);
            }
            if !matches!(folded, Folded::No) {
                break;
            }
        }
        match folded {
            Folded::Yes => {}
            Folded::No => return Err(Refused::form(pieces.offset(first))),
            Folded::Effect(at) => return Err(Refused::effect(pieces.offset(at))),
        }
    }
}

/// A `BUG` that cannot be replaced.
struct Refused {
    /// The byte in the source.
    at: usize,
    message: &'static str,
    hint: &'static str,
}

impl Refused {
    fn form(at: usize) -> Self {
        Self {
            at,
            message: "this `BUG` cannot be replaced by its correct branch",
            hint: "write it as `BUG(\"id\") ? wrong : right`, or as the condition of an `if`, alone or with `!`, `&&` and `||`",
        }
    }

    fn effect(at: usize) -> Self {
        Self {
            at,
            message: "the condition before this `BUG` has an effect, so it cannot be removed",
            hint: "put the `BUG` first, or move the effect to a statement of its own",
        }
    }

    fn problem(&self, file: &Path, text: &str) -> Problem {
        Problem::new(self.message).at(Place::at_offset(file, text, self.at)).hint(self.hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(source: &str) -> Result<String, Failure> {
        let mut files = [SourceFile { path: "a.cpp".into(), text: source.to_owned() }];
        clean(&mut files, Path::new(""))?;
        let [file] = files;
        Ok(file.text)
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let cleaned = cleaned(source).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        assert_eq!(cleaned, expected, "{source}");
    }

    #[track_caller]
    fn check_expression(source: &str, expected: &str) {
        check(&format!("x = {source};"), &format!("x = {expected};"));
    }

    #[test]
    fn an_expression_keeps_what_the_reference_evaluates() {
        for (source, expected) in [
            ("BUG(\"b\") ? a : c + 1", "c + 1"),
            ("!BUG(\"b\") ? a : c", "a"),
            ("2 * (BUG(\"b\") ? a : c + 1)", "2 * (c + 1)"),
            ("2 * (BUG(\"b\") ? a : f(c).d)", "2 * f(c).d"),
            ("f(a, BUG(\"b\") ? 1 : 2, c)", "f(a, 2, c)"),
            ("BUG(\"b\") ? 1 : c ? 2 : 3", "c ? 2 : 3"),
            ("c ? (BUG(\"b\") ? 1 : 2) : 3", "c ? 2 : 3"),
            ("a == 1 || (a == 2 && BUG(\"b\"))", "a == 1"),
            ("a == 1 || a == 2 && BUG(\"b\")", "a == 1"),
            ("(a == 1 || BUG(\"b\")) && c", "(a == 1) && c"),
            ("BUG(\"b\") || a == 1", "a == 1"),
            ("a && !BUG(\"b\") && c", "a && c"),
            ("a\n    && !(c && BUG(\"b\"))\n    && d", "a\n    && d"),
            ("(a || !BUG(\"b\")) && c", "c"),
            ("a && !(c ? BUG(\"b\") : BUG(\"d\"))", "a"),
            ("c && BUG(\"b\") ? 1 : 2", "2"),
            ("a || (b == P{0, 0} && BUG(\"b\"))", "a"),
            ("!BUG(\"a\") && !(!c && BUG(\"b\")) && d", "d"),
        ] {
            check_expression(source, expected);
        }
    }

    #[test]
    fn a_statement_is_replaced_by_its_correct_branch() {
        check("f();\n    if (BUG(\"b\")) {\n        g();\n    }\n    h();\n", "f();\n    h();\n");
        check(
            "{\n    if (BUG(\"b\")) {\n        g();\n    } else {\n        h();\n        i();\n    }\n}\n",
            "{\n    h();\n    i();\n}\n",
        );
        check(
            "{\n    if (BUG(\"b\"))\n        g();\n    else\n        h();\n}\n",
            "{\n    h();\n}\n",
        );
        check(
            "if (a) {\n    f();\n} else if (BUG(\"b\")) {\n    g();\n} else {\n    h();\n}\n",
            "if (a) {\n    f();\n} else {\n    h();\n}\n",
        );
        check(
            "if (a) {\n    f();\n} else if (c && BUG(\"b\")) {\n    g();\n}\n",
            "if (a) {\n    f();\n}\n",
        );
        check(
            "{\n    if (!BUG(\"b\")) {\n        return f();\n    }\n    return g();\n}\n",
            "{\n    return f();\n}\n",
        );
        check("if (a || BUG(\"b\")) {\n    g();\n}\n", "if (a) {\n    g();\n}\n");
        check("while (a && !BUG(\"b\")) {\n    g();\n}\n", "while (a) {\n    g();\n}\n");
        check(
            "{\n    if (!(a && BUG(\"b\"))) {\n        g(*h, i);\n    }\n    h = j();\n}\n",
            "{\n    g(*h, i);\n    h = j();\n}\n",
        );
        check("bool f() { return !(a && BUG(\"b\")); }\n", "bool f() { return true; }\n");
        check("int f() { return a && BUG(\"b\"); }\n", "int f() { return 0; }\n");
    }

    #[test]
    fn a_block_stays_if_its_names_would_clash() {
        check(
            "{\n    if (BUG(\"b\")) {\n        g();\n    } else {\n        int a = 1;\n        h(a);\n    }\n    int a = 2;\n}\n",
            "{\n    {\n        int a = 1;\n        h(a);\n    }\n    int a = 2;\n}\n",
        );
    }

    #[test]
    fn comments_and_strings_stay_and_the_header_goes() {
        check(
            "#include <a>\n#include \"subject.h\"\n\n// BUG in a comment.\nx = \"BUG(\"; /* one */ y = BUG(\"b\") ? 1 : 2; // two\n",
            "#include <a>\n\n// BUG in a comment.\nx = \"BUG(\"; /* one */ y = 2; // two\n",
        );
        check(
            "f();\n// Wrong.\nif (BUG(\"b\")) {\n    g();\n}\n// Right.\nh();\n",
            "f();\n// Right.\nh();\n",
        );
    }

    #[test]
    fn code_that_only_a_bug_used_is_removed() {
        check(
            "// Wrong.\nstatic int wrong(int a) {\n    return a;\n}\n\nint f(int a) {\n    const int b = a + 1;\n    return BUG(\"b\") ? wrong(b) : a;\n}\n",
            "int f(int a) {\n    return a;\n}\n",
        );
    }

    #[test]
    fn a_variable_that_only_a_bug_used_is_removed_but_not_a_call_that_changes_something() {
        let check = |declaration: &str, kept: &str| {
            let other = "bool f(int& a) {\n    bool b = g();\n    return b;\n}\nbool h(int a) {\n    return a;\n}\n";
            let source = format!(
                "{other}void i(int a) {{\n    const bool b = {declaration};\n    if (b && BUG(\"b\")) {{\n        return;\n    }}\n    h(f(a));\n}}\n"
            );
            check(&source, &format!("{other}void i(int a) {{\n{kept}    h(f(a));\n}}\n"));
        };
        check("a == 1", "");
        check("h(a)", "");
        check("f(a)", "    f(a);\n");
    }

    #[test]
    fn any_other_form_is_refused_with_its_place() {
        for source in [
            "x = 1 + BUG(\"b\");",
            "bool x = BUG(\"b\");",
            "f(BUG(\"b\"));",
            "while (BUG(\"b\")) g();",
            "x = a == BUG(\"b\") ? 1 : 2;",
            "cout << BUG(\"b\") ? 1 : 2;",
            "x = c ? BUG(\"b\") : d;",
            "for (;;) if (BUG(\"b\")) g();",
            "#define WRONG BUG(\"b\")\n",
            "switch (BUG(\"b\")) {}",
        ] {
            let problem = cleaned(source).expect_err(source).problems.remove(0);
            assert_eq!(problem.message, "this `BUG` cannot be replaced by its correct branch");
            let column = problem.place.unwrap().column.unwrap();
            assert_eq!(column, source.find("BUG").unwrap() + 1, "{source}");
        }
        let problem = cleaned("if (n++ > 1 && BUG(\"b\")) f();").unwrap_err().problems.remove(0);
        assert!(problem.message.contains("has an effect"), "{}", problem.message);
    }
}
