//! Tests of the forms of a bug, in each language.

use super::SourceFile;
use super::clean::clean;
use crate::course::Language;
use crate::course::language::{Grammar, Marks, rust};
use crate::diagnostic::{Failure, Problem};
use std::path::Path;

const RUST: &Marks = &rust::MARKS;

fn c() -> &'static Marks {
    &Language::C.rules().marks
}

fn java() -> &'static Marks {
    &Language::Java.rules().marks
}

fn python() -> &'static Marks {
    &Language::Python.rules().marks
}

fn cleaned(marks: &Marks, source: &str) -> Result<String, Failure> {
    let mut files = [SourceFile { path: "a".into(), text: source.to_owned() }];
    clean(&mut files, marks, Path::new(""))?;
    let [file] = files;
    Ok(file.text)
}

#[track_caller]
fn check(marks: &Marks, source: &str, expected: &str) {
    let cleaned = cleaned(marks, source);
    let cleaned = cleaned.unwrap_or_else(|failure| panic!("{source}\n{:?}", failure.problems));
    assert_eq!(cleaned, expected, "{source}");
}

/// Compares without white space, which `cargo fmt` changes.
#[track_caller]
fn check_rust(source: &str, expected: &str) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let source = format!("fn f(a: u8) {{ {source} }}");
    let text = cleaned(RUST, &source).unwrap_or_else(|it| panic!("{source}\n{:?}", it.problems));
    assert_eq!(words(&text), words(&format!("fn f(a: u8) {{ {expected} }}")), "{source}");
}

#[track_caller]
fn refused(marks: &Marks, source: &str) -> Problem {
    cleaned(marks, source).expect_err(source).problems.remove(0)
}

/// A condition as each language writes it. `B` is a bug.
fn written(condition: &str, marks: &Marks) -> String {
    let bug = format!("{}(\"b\")", marks.name);
    if marks.grammar == Grammar::Python {
        let words = condition.replace("&&", "and").replace("||", "or").replace('!', "not ");
        return words.replace('B', &bug.replace('"', "'"));
    }
    condition.replace('B', &bug)
}

#[test]
fn a_condition_keeps_the_operands_without_a_bug() {
    for (with, without) in [
        ("B || a == 1", "a == 1"),
        ("a == 1 || B", "a == 1"),
        ("a && !B && c", "a && c"),
        ("!B && c", "c"),
        ("a == 1 || a == 2 && B", "a == 1"),
        ("a == 1 || (a == 2 && B)", "a == 1"),
        ("a == 2 && B || c", "c"),
        ("(a == 1 || B) && c", "a == 1 && c"),
        ("(a == 1 || a == 2 || B) && c", "(a == 1 || a == 2) && c"),
        ("a && !(c && B) && d", "a && d"),
        ("a\n    && !(c && f(d, e) && B)\n    && g", "a\n    && g"),
        ("(a || !B) && c", "c"),
        ("!B && !(!c && B) && d", "d"),
        ("f(a, B || c)", "f(a, c)"),
        ("a && (B || c && (d || B))", "a && (c && d)"),
    ] {
        for marks in [RUST, c(), java(), python()] {
            let source = |condition| format!("x(1, {});\n", written(condition, marks));
            check(marks, &source(with), &source(without));
        }
    }
}

#[test]
fn any_other_form_is_refused_with_its_place() {
    for form in [
        "x = 1 + B;",
        "x = B;",
        "f(B);",
        "f(!B);",
        "x = a == B || c;",
        "x = B == a;",
        "return B;",
        "return !(a && B);",
        "x = (a && B);",
    ] {
        for marks in [RUST, c(), java(), python()] {
            check_refused(marks, &written(form, marks));
        }
    }
    for source in [
        "while bug!(\"b\") {}",
        "match a { 1 => bug!(\"b\"), _ => c }",
        "f(if bug!(\"b\") { 1 })",
        "x = 1 + if bug!(\"b\") { 1 } else { 2 };",
        "matches!(bug!(\"b\"), true)",
    ] {
        check_refused(RUST, source);
    }
    for source in [
        "while (BUG(\"b\")) g();",
        "cout << BUG(\"b\") ? 1 : 2;",
        "x = c ? BUG(\"b\") : d;",
        "x = !BUG(\"b\") ? 1 : 2;",
        "for (;;) if (BUG(\"b\")) { g(); }",
        "if (BUG(\"b\")) g();",
        "#define WRONG BUG(\"b\")\n",
        "switch (BUG(\"b\")) {}",
    ] {
        check_refused(c(), source);
    }
    for source in [
        "while bug('b'): g()",
        "x = bug('b') if c else d",
        "x = 1 if not bug('b') else 2",
        "assert not bug('b')",
        "if bug('b'): g()",
        "x = [a for a in b if bug('b')]",
        "for a in b if bug('b') else c: g()",
        "if bug('b'):\n    g()\nelse: h()",
        "match a:\n    case 1 if bug('b'):\n        g()",
    ] {
        check_refused(python(), source);
    }
}

#[track_caller]
fn check_refused(marks: &Marks, source: &str) {
    let problem = refused(marks, &format!("y;\n{source}"));
    let mark = marks.name;
    let message = format!("this `{mark}` cannot be replaced by its correct branch");
    assert_eq!(problem.message, message, "{source}");
    let before = source.split(mark).next().unwrap();
    let column = before.rsplit('\n').next().unwrap().len() + 1;
    let line = 2 + before.matches('\n').count();
    let place = problem.place.unwrap();
    assert_eq!((place.line, place.column), (line, Some(column)), "{source}");
}

#[test]
fn a_condition_that_is_evaluated_must_not_assign() {
    for (marks, source) in [
        (RUST, "if f()? > 1 && bug!(\"b\") {}"),
        (c(), "if (n++ > 1 && BUG(\"b\")) {}"),
        (c(), "if (((c = getchar()) == 1 || d) && BUG(\"b\")) {}"),
        (python(), "if (c := f()) and bug('b'):\n    g()"),
    ] {
        let problem = refused(marks, source);
        assert!(problem.message.contains("has an effect"), "{}", problem.message);
    }
    check(c(), "f();\nif (BUG(\"b\") && n++ > 1) {\n}\n", "f();\n");
}

#[test]
fn an_if_of_rust_is_replaced_by_its_correct_branch() {
    for (with, without) in [
        (
            "g(); // First.\n\n// Wrong.\nif a > 1 && bug!(\"b\") {\nreturn;\n}\n// Last.\nh();",
            "g(); // First.\n // Last.\n h();",
        ),
        ("if let Some(b) = a && bug!(\"b\") && let Ok(c) = b { g(c); } h();", "h();"),
        (
            "if let Some(A { b: [c, ..], .. }) = a && (c || bug!(\"b\")) { g(); }",
            "if let Some(A { b: [c, ..], .. }) = a && c { g(); }",
        ),
        ("if bug!(\"b\", if a.iter().any(|c| c > 1)) { g() } else { h() } i();", "h(); i();"),
        ("if bug!(\"b\") { g() } else { h() }", "h()"),
        ("if bug!(\"b\") { g() } else { let a = 1; h(a) } i();", "{ let a = 1; h(a) } i();"),
        ("if !(a == 1 && bug!(\"b\")) { g(); } h();", "g(); h();"),
        ("if a == 1 { 2 } else if bug!(\"b\") { 3 } else { 4 }", "if a == 1 { 2 } else { 4 }"),
        ("if a == 1 { 2 } else if bug!(\"b\") { 3 } g();", "if a == 1 { 2 } g();"),
        ("if bug!(\"b\") { 1 } else if a == 1 { 2 } else { 3 }", "if a == 1 { 2 } else { 3 }"),
        ("let b = if bug!(\"b\") { 1 } else { a + 1 };", "let b = a + 1;"),
        ("let b = (if bug!(\"b\") { 1 } else { a + 1 }) * 3;", "let b = (a + 1) * 3;"),
        ("let b = if bug!(\"b\") { 1 } else { let a = 2; a };", "let b = { let a = 2; a };"),
        ("a.map(|b| if bug!(\"b\") { 1 } else { b + 1 })", "a.map(|b| b + 1)"),
        ("a.map(|| bug!(\"b\") || b)", "a.map(|| b)"),
        ("x += if bug!(\"b\") { 2 } else { 1 };", "x += 1;"),
        ("let a = if bug!(\"b\") { 1 } else { a }; g(a);", "g(a);"),
        ("if bug!(\"b\") && let A { b, .. } = a { g(b); } h();", "h();"),
        (
            "if !bug!(\"b\") { g(); } else if let A { b } = a { h(b); } else if a == b { i(); }",
            "g();",
        ),
        ("loop { g(); tick!() }", "loop { g(); }"),
        ("while a > 1 && !bug!(\"b\") { g(); }", "while a > 1 { g(); }"),
    ] {
        check_rust(with, without);
    }
}

#[test]
fn an_arm_that_only_a_bug_selects_is_removed() {
    for (with, without) in [
        ("match a { 1 if bug!(\"b\") => 2, 1 => 3, _ => 4 }", "match a { 1 => 3, _ => 4 }"),
        (
            "match a { 1 => 3, A { b } | C { b } if b && bug!(\"b\") => { g(); } _ => 4 }",
            "match a { 1 => 3, _ => 4 }",
        ),
        (
            "match a { 1 => { g() } A(B { b }, _) if bug!(\"b\") => if b { 1 } else { 2 }, _ => 4 }",
            "match a { 1 => { g() } _ => 4 }",
        ),
        (
            "match a { 1 if b || bug!(\"b\") => 2, _ if !bug!(\"b\") => 4 }",
            "match a { 1 if b => 2, _ => 4 }",
        ),
    ] {
        check_rust(with, without);
    }
}

#[test]
fn what_bugs_need_is_removed_from_rust() {
    check(
        RUST,
        "//! A.\n\nuse a::b;\nuse subject::{Cycles, Env, bug, tick};\n\nfn f() {\n    let mut cycles = Cycles::default();\n    loop {\n        tick!(cycles, a, &b);\n        tick!();\n    }\n}\n\n/// Wrong.\nmod bugs {\n    fn g() {}\n}\n\nfn h() {}\n",
        "//! A.\n\nuse a::b;\nuse subject::{Env, };\n\nfn f() {\n    loop {\n    }\n}\n\nfn h() {}\n",
    );
    check(RUST, "//! A.\nuse subject::bug;\nfn f() {}\n", "//! A.\nfn f() {}\n");
    check_rust("g(a && subject::bug!(\"b\") || c); subject::tick!();", "g(c);");
}

#[test]
fn a_statement_of_c_is_replaced_by_its_correct_branch() {
    for (with, without) in [
        (
            "f();\n\n    // Wrong.\n    if (BUG(\"b\")) {\n        g();\n    }\n\n    h();\n",
            "f();\n\n    h();\n",
        ),
        (
            "{\n    if (a && BUG(\"b\")) {\n        g();\n    } else {\n        h();\n        i();\n    }\n}\n",
            "{\n    h();\n    i();\n}\n",
        ),
        (
            "if (a) {\n    f();\n} else if (BUG(\"b\")) {\n    g();\n} else {\n    h();\n}\n",
            "if (a) {\n    f();\n} else {\n    h();\n}\n",
        ),
        (
            "if (a) {\n    f();\n} else if (c && BUG(\"b\")) {\n    g();\n}\n",
            "if (a) {\n    f();\n}\n",
        ),
        ("{\n    if (!BUG(\"b\")) {\n        return f();\n    }\n}\n", "{\n    return f();\n}\n"),
        (
            "f();\nif (!BUG(\"b\")) {\n    g();\n} else if (a) {\n    h();\n} else {\n    i();\n}\nj();\n",
            "f();\ng();\nj();\n",
        ),
        ("if (a || BUG(\"b\")) {\n    g();\n}\n", "if (a) {\n    g();\n}\n"),
        (
            "{\n    if (BUG(\"b\")) {\n        g();\n    } else {\n        int a = 1;\n        h(a);\n    }\n    int a = 2;\n}\n",
            "{\n    {\n        int a = 1;\n        h(a);\n    }\n    int a = 2;\n}\n",
        ),
        (
            "#include <a>\n#include \"subject.h\"\n\n// BUG in a comment.\nx = \"BUG(\"; /* one */ y = BUG(\"b\") ? 1 : 2; // two\n",
            "#include <a>\n\n// BUG in a comment.\nx = \"BUG(\"; /* one */ y = 2; // two\n",
        ),
    ] {
        check(c(), with, without);
    }
}

#[test]
fn a_conditional_expression_is_replaced_by_its_correct_value() {
    for (with, without) in [
        ("BUG(\"b\") ? a : c + 1", "c + 1"),
        ("2 * (BUG(\"b\") ? a : c + 1)", "2 * (c + 1)"),
        ("f(a, BUG(\"b\") ? 1 : 2, c)", "f(a, 2, c)"),
        ("1; x = BUG(\"b\") ? 1 : x; x = 2", "1; x = 2"),
        ("1; x += BUG(\"b\") ? 1 : 2", "1; x += 2"),
        ("BUG(\"b\") ? a ? 0 : 1 : c ? 2 : 3", "c ? 2 : 3"),
        ("c ? (BUG(\"b\") ? 1 : 2) : 3", "c ? 2 : 3"),
        ("c && BUG(\"b\") ? 1 : 2", "2"),
        ("a || (b == P{0, 0} && BUG(\"b\"))", "a"),
    ] {
        check(c(), &format!("x = {with};"), &format!("x = {without};"));
    }
    for (with, without) in [
        ("a if bug('b') else c + 1", "c + 1"),
        ("f(1, a if d and bug('b') else c)", "f(1, c)"),
        ("2 * (a if bug('b') else c + 1)", "2 * (c + 1)"),
        ("d if e else a if bug('b') else c", "d if e else c"),
        ("f(*a if bug('b') else c)", "f(*c)"),
        ("c if(a or bug('b'))else d", "c if a else d"),
        ("f'{a if bug(\"b\") else c}'", "f'{c}'"),
    ] {
        check(python(), &format!("x = {with}\n"), &format!("x = {without}\n"));
    }
}

#[test]
fn a_block_of_python_is_replaced_by_its_correct_branch() {
    for (with, without) in [
        (
            "from subject import bug\nimport a\n\n\ndef f():\n    # Wrong.\n    if a and bug('b'):\n        g()\n        # Wrong.\n        h()\n    # Right.\n    i()\n",
            "import a\n\n\ndef f():\n    # Right.\n    i()\n",
        ),
        ("for a in b:\n    if bug('b'):\n        g()\nh()\n", "for a in b:\n    pass\nh()\n"),
        (
            "if bug('b'):\n    g()\nelse:\n    h('''\n    ''')\n    i(1,\n      2)\n\nj()\n",
            "h('''\n    ''')\ni(1,\n  2)\n\nj()\n",
        ),
        (
            "if bug('b'):\n    g()\nelif a:\n    h()\nelse:\n    i()\n",
            "if a:\n    h()\nelse:\n    i()\n",
        ),
        (
            "if a:\n    g()\nelif c and bug('b'):\n    h()\nelse:\n    i()\n",
            "if a:\n    g()\nelse:\n    i()\n",
        ),
        ("if a:\n    g()\nelif (c and\n        bug('b')):\n    h()\n", "if a:\n    g()\n"),
        (
            "if a:\n    g()\nelif not bug('b'):\n    h()\nelse:\n    i()\nj()\n",
            "if a:\n    g()\nelse:\n    h()\nj()\n",
        ),
        (
            "if not (a and bug('b')):\n    h()\nelif c:\n    k()\nelse:\n    i()\nj()\n",
            "h()\nj()\n",
        ),
        ("def f():\n    if bug('b'):\n        g()", "def f():\n    pass"),
        (
            "import subject\nx = 'bug(1)'  # bug('b')\ny = 1 if subject.bug('b') else 2  # two\n",
            "x = 'bug(1)'  # bug('b')\ny = 2  # two\n",
        ),
    ] {
        check(python(), with, without);
    }
}
