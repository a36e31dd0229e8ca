//! Tokens of C, C++, Python and Rust: enough to find the bugs in a source, and to remove them. Pure.

mod c;
mod python;
mod rust;

pub use c::tokens as c;
pub use python::tokens as python;
pub use rust::tokens as rust;

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space, with line ends and continued lines.
    Space,
    Comment,
    /// A string or a character. Of an f-string, each part outside its braces is a token of its own.
    Text,
    Name,
    Number,
    /// An operator, a bracket, or any other character.
    Mark,
}

/// A part of a source. The tokens of a source follow each other without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// In bytes.
    pub range: Range<usize>,
}

impl Token {
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.range.clone()]
    }

    /// Whether a compiler sees it.
    pub fn counts(&self) -> bool {
        !matches!(self.kind, TokenKind::Space | TokenKind::Comment)
    }
}

/// A call of the macro or function that marks a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// From the name to the closing parenthesis, or the name alone if the argument is not one literal.
    pub range: Range<usize>,
    /// `None` if its argument is not one plain string literal.
    pub id: Option<String>,
}

/// The calls of `name` among the tokens of `source`. Its definition is none, and neither is the method of an object, unless `name` begins
/// with that object, as in `Bug.on`.
pub fn calls(source: &str, tokens: &[Token], name: &str) -> Vec<Call> {
    let (owner, name) = name.split_once('.').map_or((None, name), |(it, name)| (Some(it), name));
    let tokens: Vec<_> = tokens.iter().filter(|token| token.counts()).collect();
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text(source));
    let mut calls = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = |count: usize| at.checked_sub(count).map_or("", text);
        let is_defined = match before(1) {
            "def" | "class" | "->" | "::" => true,
            "define" | "undef" => before(2) == "#",
            "." => before(2) != owner.unwrap_or("subject"),
            _ => owner.is_some(),
        };
        let is_named = token.kind == TokenKind::Name && unspliced(token.text(source)) == name;
        if !is_named || is_defined || text(at + 1) != "(" {
            continue;
        }
        let literal = tokens.get(at + 2).filter(|token| token.kind == TokenKind::Text);
        let id =
            literal.filter(|_| text(at + 3) == ")").and_then(|token| plain(token.text(source)));
        let end = if id.is_some() { tokens[at + 3].range.end } else { token.range.end };
        let start = if owner.is_some() { tokens[at - 2].range.start } else { token.range.start };
        calls.push(Call { range: start..end, id });
    }
    calls
}

/// The operators of several characters in any of these languages, the longest first.
const OPERATORS: [&str; 35] = [
    "<<=", ">>=", "...", "..=", "<=>", "->*", "**=", "//=", "&&", "||", "++", "--", "==", "!=",
    "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "=>", "::", ":=", "<<", ">>",
    "##", "..", "**", "//", "@=",
];

/// The length of the operator of several characters that a text starts with.
fn operator(text: &str) -> Option<usize> {
    OPERATORS.iter().find(|operator| text.starts_with(**operator)).map(|found| found.len())
}

/// A name without the line ends in it, which C allows.
fn unspliced(name: &str) -> String {
    name.replace("\\\r\n", "").replace("\\\n", "")
}

/// The contents of a string literal in simple quotes and without escapes.
fn plain(literal: &str) -> Option<String> {
    let inner = |quote| literal.strip_prefix(quote)?.strip_suffix(quote);
    let inner = inner('"').or_else(|| inner('\''))?;
    (!inner.is_empty() && !inner.contains(['\\', '"', '\''])).then(|| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(source: &str, tokens: &[Token], name: &str) -> Vec<Option<String>> {
        calls(source, tokens, name).into_iter().map(|call| call.id).collect()
    }

    #[track_caller]
    fn check_c(source: &str, expected: &[&str]) {
        let expected: Vec<_> = expected.iter().map(|id| Some((*id).to_owned())).collect();
        assert_eq!(ids(source, &c(source), "BUG"), expected, "{source}");
    }

    #[track_caller]
    fn check_python(source: &str, expected: &[&str]) {
        let expected: Vec<_> = expected.iter().map(|id| Some((*id).to_owned())).collect();
        assert_eq!(ids(source, &python(source), "bug"), expected, "{source}");
    }

    #[test]
    fn a_bug_in_c_is_found_in_code_only() {
        check_c(
            "if (BUG(\"a-b\")) x(); // BUG(\"c\")\n/* BUG(\"d\") */ y = BUG ( \"e\" );",
            &["a-b", "e"],
        );
        check_c("// one \\\n BUG(\"a\")\nBUG(\"b\")", &["b"]);
        check_c("s = \"BUG(\\\"a\\\")\"; c = '\"'; BUG(\"b\")", &["b"]);
        check_c("s = R\"x(BUG(\"a\") )\" )x\"; BUG(\"b\")", &["b"]);
        check_c("long n = 1'000'000; BUG(\"b\"); char c = 'x'; BUG(\"c\")", &["b", "c"]);
        check_c("BU\\\nG(\"a\")", &["a"]);
        check_c("#define BUG(id) 0\n#define SHORT BUG(\"a\")\n", &["a"]);
        check_c("DEBUG(\"a\"); BUGS(\"b\"); log.BUG(\"c\"); log->BUG(\"d\");", &[]);
    }

    #[test]
    fn a_bug_in_python_is_found_in_code_only() {
        check_python("if bug(\"a-b\"):  # bug(\"c\")\n    x = bug( 'd' )\n", &["a-b", "d"]);
        check_python("\"\"\"Like bug(\"a\") or \\\"\"\" bug(\"b\")\"\"\"\nbug(\"c\")", &["c"]);
        check_python("s = 'it\\'s bug(\"a\")'; t = r'\\'; bug(\"b\")", &[]);
        check_python("def bug(id): pass\nsubject.bug(\"a\"); self.bug(\"b\")", &["a"]);
        check_python(
            "f\"bug('a') {{bug('b')}} {bug('c'):>{bug('d')}} {x!r}\" + bug('e')",
            &["c", "d", "e"],
        );
        check_python("f'''{ {'a': bug(\"b\")}['a'] }''' # bug('x')\n", &["b"]);
    }

    #[test]
    fn a_bug_in_java_is_a_call_of_the_class_that_marks_it() {
        let source =
            "int x = Bug.on(\"a\") ? on(\"b\") : it.on(\"c\"); // Bug.on(\"d\")\nBug . on(\"e\");";
        let found = calls(source, &c(source), "Bug.on");
        let texts: Vec<_> = found.iter().map(|call| &source[call.range.clone()]).collect();
        assert_eq!(texts, ["Bug.on(\"a\")", "Bug . on(\"e\")"]);
    }

    #[test]
    fn an_argument_other_than_one_plain_literal_has_no_id() {
        for source in [
            "BUG(id)",
            "BUG(\"a\" \"b\")",
            "BUG(L\"a\")",
            "BUG()",
            "BUG(\"\")",
            "BUG(\"a\\n\")",
            "BUG(\"a\", 1)",
        ] {
            assert_eq!(ids(source, &c(source), "BUG"), [None], "{source}");
        }
        for source in ["bug(id)", "bug('a' 'b')", "bug(f'a')", "bug(\"\"\"a\"\"\")", "bug(id='a')"]
        {
            assert_eq!(ids(source, &python(source), "bug"), [None], "{source}");
        }
    }

    #[test]
    fn literals_and_comments_of_rust_are_single_tokens() {
        for (source, kind) in [
            ("\"a \\\" b\\\\\"", TokenKind::Text),
            ("br##\"a\"# \\\"##", TokenKind::Text),
            ("c\"a\"", TokenKind::Text),
            ("b'\\''", TokenKind::Text),
            ("'\"'", TokenKind::Text),
            ("'é'", TokenKind::Text),
            ("/* a /* b */ c */", TokenKind::Comment),
            ("/// it's", TokenKind::Comment),
            ("r#match", TokenKind::Name),
            ("1_000.5e-3f64", TokenKind::Number),
            ("0xE", TokenKind::Number),
            ("..=", TokenKind::Mark),
        ] {
            let tokens = rust(source);
            assert!(tokens.len() == 1 && tokens[0].kind == kind, "{source}: {tokens:?}");
        }
    }

    #[test]
    fn lifetimes_ranges_and_methods_of_numbers_are_several_tokens_in_rust() {
        for (source, count) in
            [("&'a ()", 6), ("1..2", 3), ("1.max(2)", 6), ("x.0", 3), ("0xe+1", 3)]
        {
            assert_eq!(rust(source).len(), count, "{source}: {:?}", rust(source));
        }
    }

    /// Pieces of C, each with the bugs in it.
    const C: [(&str, usize); 12] = [
        ("x = 1; ", 0),
        ("if (BUG(\"a\")) { y(); }\n", 1),
        ("// it's \"BUG(\"a\")\n", 0),
        ("/* don't \" BUG(\"a\") // */", 0),
        ("puts(\"// /* BUG(\\\"a\\\") '\");\n", 0),
        ("c = '\"'; ", 0),
        ("d = '\\''; ", 0),
        ("r = R\"(\" BUG(\"a\") // )\"; ", 0),
        ("r = u8R\"q(a)\" /* )q\"; ", 0),
        ("n = 1'000; ", 0),
        ("BUG /* \" */ ( \\\n \"a\" )", 1),
        ("#define B BUG(\"a\") // \\\n BUG(\"a\")\n", 1),
    ];

    const PYTHON: [(&str, usize); 11] = [
        ("x = 1; ", 0),
        ("if bug(\"a\"): y()\n", 1),
        ("# it's \"bug('a')\n", 0),
        ("\"\"\"don't # \" bug('a') \\\"\"\" \"\"\"\n", 0),
        ("print('# bug(\"a\") \\' \"\"\"');\n", 0),
        ("r = Rb'\\' bug(\"a\")'; ", 0),
        ("s = ''; ", 0),
        ("t = '''\n'' bug(\"a\")\n'''; ", 0),
        ("f = f'{{bug(\"a\")}} {bug(\"a\")!r:{w}} # '; ", 1),
        ("f = rf\"\"\"{ {1: 'x'}[1] } bug('a')\"\"\"; ", 0),
        ("bug ( \\\n 'a' )\n", 1),
    ];

    fn pieces(all: &'static [(&'static str, usize)]) -> impl Strategy<Value = (String, usize)> {
        prop::collection::vec(prop::sample::select(all), 0..12).prop_map(|pieces| {
            let source = pieces.iter().map(|(text, _)| *text).collect();
            (source, pieces.iter().map(|(_, bugs)| bugs).sum())
        })
    }

    fn is_whole(tokens: &[Token], source: &str) -> bool {
        let ends = tokens.iter().map(|token| token.range.end);
        let starts = tokens.iter().map(|token| token.range.start).chain([source.len()]);
        [0].into_iter().chain(ends).eq(starts)
    }

    proptest! {
        #[test]
        fn comments_and_strings_neither_hide_nor_add_a_bug_in_c((source, bugs) in pieces(&C)) {
            prop_assert_eq!(ids(&source, &c(&source), "BUG"), vec![Some("a".to_owned()); bugs]);
        }

        #[test]
        fn comments_and_strings_neither_hide_nor_add_a_bug_in_python((source, bugs) in pieces(&PYTHON)) {
            prop_assert_eq!(ids(&source, &python(&source), "bug"), vec![Some("a".to_owned()); bugs]);
        }

        #[test]
        fn the_tokens_of_any_text_are_the_whole_text(source in "[-ab1R\"'#{}()/*\\\\\n\r :!fé]{0,40}") {
            prop_assert!(is_whole(&c(&source), &source) && is_whole(&python(&source), &source));
            prop_assert!(is_whole(&rust(&source), &source));
        }
    }
}
