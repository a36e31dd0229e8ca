//! What each operator changes in C, C++ and Python, how the mark is written, and what stays as it is.

use crate::candidates::notation::Notation;
use crate::candidates::{Found, Operator, marked};

fn find(notation: Notation, source: &str) -> Found {
    match notation {
        Notation::Python => super::python::find(&[source]).remove(0),
        _ => super::c::find(&[source]).remove(0),
    }
}

/// The source with each candidate of an operator, as a person would write it.
fn written(notation: Notation, source: &str, operator: Operator) -> Vec<String> {
    let mark = if notation == Notation::C { "BUG(\"b\")" } else { "bug(\"b\")" };
    let found = find(notation, source).candidates.into_iter();
    let candidates = found.filter(|candidate| candidate.operator == operator);
    let text = |candidate| {
        let edits = marked::edits(source, notation, &candidate, mark);
        marked::replaced(source, 0..source.len(), edits)
    };
    candidates.map(text).collect()
}

#[track_caller]
fn check_c(body: &str, operator: Operator, expected: &[&str]) {
    let around = |body: &str| format!("int f(int a, int b, bool c) {{ {body} }}");
    let expected: Vec<_> = expected.iter().map(|body| around(body)).collect();
    assert_eq!(written(Notation::C, &around(body), operator), expected);
}

#[track_caller]
fn check_python(body: &str, operator: Operator, expected: &[&str]) {
    let around = |body: &str| format!("def f(a, b):\n    {body}\n");
    let expected: Vec<_> = expected.iter().map(|body| around(body)).collect();
    assert_eq!(written(Notation::Python, &around(body), operator), expected);
}

#[test]
fn each_operator_changes_c() {
    check_c("g(1 < 3);", Operator::Boundary, &["g(BUG(\"b\") ? 1 <= 3 : 1 < 3);"]);
    check_c("if (!(x < y)) {}", Operator::Boundary, &["if (!(BUG(\"b\") ? x <= y : x < y)) {}"]);
    check_c(
        "if (x) {}",
        Operator::RemovedCondition,
        &["if (x || BUG(\"b\")) {}", "if (x && !BUG(\"b\")) {}"],
    );
    check_c(
        "while (x || y) {}",
        Operator::RemovedCondition,
        &["while ((x || y) && !BUG(\"b\")) {}"],
    );
    check_c(
        "return x && y;",
        Operator::DeletedOperand,
        &["return (x || BUG(\"b\")) && y;", "return x && (y || BUG(\"b\"));"],
    );
    check_c("return x - y;", Operator::DeletedOperand, &["return BUG(\"b\") ? x : x - y;"]);
    check_c(
        "return 0x10u;",
        Operator::OffByOne,
        &["return BUG(\"b\") ? 0x11u : 0x10u;", "return BUG(\"b\") ? 0xfu : 0x10u;"],
    );
    check_c(
        "int d[] = {p, q};",
        Operator::SwappedNeighbours,
        &["int d[] = {BUG(\"b\") ? q : p, BUG(\"b\") ? p : q};"],
    );
    check_c(
        "int d[][2] = {{0, 1}, {1, 1}};",
        Operator::SwappedNeighbours,
        &[
            "int d[][2] = {{BUG(\"b\") ? 1 : 0, 1}, {BUG(\"b\") ? 0 : 1, 1}};",
            "int d[][2] = {{BUG(\"b\") ? 1 : 0, BUG(\"b\") ? 0 : 1}, {1, 1}};",
        ],
    );
    check_c(
        "if (x) y = 1; else g();",
        Operator::DroppedStatement,
        &[
            "if (x) { if (!BUG(\"b\")) y = 1; } else g();",
            "if (x) y = 1; else { if (!BUG(\"b\")) g(); }",
        ],
    );
    check_c(
        "switch (x) { case 1: y = 2; }",
        Operator::DroppedStatement,
        &["switch (x) { case 1: if (!BUG(\"b\")) y = 2; }"],
    );
    check_c(
        "if (x == y) {} if (z) {}",
        Operator::NegatedTest,
        &[
            "if ((!(x == y)) == BUG(\"b\")) {} if (z) {}",
            "if ((x == y) != BUG(\"b\")) {} if (z) {}",
            "if (x == y) {} if ((!z) == BUG(\"b\")) {}",
        ],
    );
    check_c("g(a);", Operator::OtherVariable, &["g(BUG(\"b\") ? b : a);"]);
}

#[test]
fn each_operator_changes_python() {
    check_python(
        "return not x < y",
        Operator::Boundary,
        &["return not (x <= y if bug(\"b\") else x < y)"],
    );
    check_python(
        "if x: y()",
        Operator::RemovedCondition,
        &["if x or bug(\"b\"): y()", "if x and not bug(\"b\"): y()"],
    );
    check_python(
        "if x and y: pass",
        Operator::DeletedOperand,
        &["if (x or bug(\"b\")) and y: pass", "if x and (y or bug(\"b\")): pass"],
    );
    // The value of `x and y` may be no truth value.
    check_python(
        "return x and y",
        Operator::DeletedOperand,
        &["return y if bug(\"b\") else x and y", "return x if bug(\"b\") else x and y"],
    );
    check_python(
        "for i in range(n): pass",
        Operator::OffByOne,
        &[
            "for i in range(n - 1 if bug(\"b\") else n): pass",
            "for i in range(n + 1 if bug(\"b\") else n): pass",
        ],
    );
    check_python(
        "return x, y",
        Operator::SwappedNeighbours,
        &["return y if bug(\"b\") else x, x if bug(\"b\") else y"],
    );
    check_python(
        "g(x)\n    self.seen = []",
        Operator::DroppedStatement,
        &[
            "if not bug(\"b\"):\n        g(x)\n    self.seen = []",
            "g(x)\n    if not bug(\"b\"):\n        self.seen = []",
        ],
    );
    check_python(
        "return [z for z in q if z in p]",
        Operator::NegatedTest,
        &["return [z for z in q if (z not in p if bug(\"b\") else z in p)]"],
    );
    check_python("g(a)", Operator::OtherVariable, &["g(b if bug(\"b\") else a)"]);
    // A mark has quotes, so it does not fit into the string.
    check_python(
        "g(f\"{a + 2}\" \"x\")",
        Operator::DeletedOperand,
        &[
            "g(f\"{a}\" \"x\" if bug(\"b\") else f\"{a + 2}\" \"x\")",
            "g(f\"{2}\" \"x\" if bug(\"b\") else f\"{a + 2}\" \"x\")",
        ],
    );
}

#[test]
fn what_must_be_constant_and_what_only_a_bug_runs_does_not_change() {
    for source in [
        "constexpr int f(int a) { return a + 1; }",
        "const int a[] = {1, 2}; enum { p = 3 }; static_assert(1 < 2, \"\");",
        "template <int n = 3> struct s { int x : 4; int y[n + 1]; };",
        "void f() { constexpr int a = 1; static_assert(a < 2, \"\"); int b[3]; int c = g<4>(); }",
        "void f() { if (BUG(\"b\")) { x = 1; } if (x && BUG(\"c\")) return; }",
        "#define CHECK(x) if (!(x)) fail(#x)\nvoid f() { CHECK(a < 3); assert(a == 1); }",
        "#if A > 1 && B\n#endif\n",
    ] {
        let found = find(Notation::C, source).candidates;
        assert_eq!(found, [], "{source}");
    }
    for source in [
        "if bug(\"b\"):\n    x = y = 1\n",
        "x: list[1] = a\n",
        "match x:\n    case 1: pass\n",
        "if __name__ == \"__main__\":\n    main()\n",
        "try: pass\nexcept (A, B): pass\n",
    ] {
        let found = find(Notation::Python, source).candidates.into_iter();
        let left: Vec<_> = found.filter(|it| it.operator != Operator::DroppedStatement).collect();
        assert!(left.is_empty(), "{source}: {left:?}");
    }
}

#[test]
fn the_mark_is_imported_once_where_it_may_be() {
    let import = |notation, source: &str| {
        find(notation, source)
            .import
            .map(|import| [&source[..import.at], &import.text, &source[import.at..]].concat())
    };
    let (c, python) = (Notation::C, Notation::Python);
    assert_eq!(import(c, "#include \"subject.h\"\nint x;\n"), None);
    assert_eq!(
        import(c, "#ifndef A\r\n#define A\r\n#include <map> // x\r\nint x;\r\n#endif\r\n").unwrap(),
        "#ifndef A\r\n#define A\r\n#include <map> // x\r\n#include \"subject.h\"\r\nint x;\r\n#endif\r\n"
    );
    assert_eq!(import(c, "\u{feff}int x;\n").unwrap(), "\u{feff}#include \"subject.h\"\nint x;\n");
    assert_eq!(import(python, "from subject import bug\n"), None);
    assert_eq!(
        import(python, "#!/bin/python\n\"\"\"Doc.\"\"\"\nfrom __future__ import a\n\nx = 1\n")
            .unwrap(),
        "#!/bin/python\n\"\"\"Doc.\"\"\"\nfrom __future__ import a\nfrom subject import bug\n\nx = 1\n"
    );
    assert_eq!(import(python, "# x\nx = 1\n").unwrap(), "# x\nfrom subject import bug\nx = 1\n");
}

#[test]
fn a_source_that_does_not_parse_changes_only_where_it_does() {
    let c = "int f(int a) { return a < ; }\nint g(int a) { return a < 3; }\n@@@ (((";
    let found = find(Notation::C, c).candidates;
    assert!(found.iter().all(|it| c[it.parts[0].place.clone()].trim() != ""));
    let python = "def f(a:\n  return (a <\n\tx = 1\n";
    find(Notation::Python, python);
    find(Notation::Python, "\u{0}\u{feff}");
    find(Notation::C, "");
}
