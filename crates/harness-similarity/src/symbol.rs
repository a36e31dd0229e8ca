//! Symbols: what is left of a source without what is easily changed.

use crate::Language;
use harness_course::course::language::tokens::{self, Token, TokenKind};
use harness_course::hash::fnv1a;

/// What stands for a token, and the line of the token, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// Equal for tokens that count as equal, and never [`EDGE`].
    pub(crate) code: u32,
    pub(crate) line: u32,
}

/// The code of what is no symbol: it equals nothing.
pub(crate) const EDGE: u32 = 0;

/// The symbols of a source. There is no text for which it fails or takes more than linear time.
pub(crate) fn symbols(language: Language, source: &str) -> Vec<Symbol> {
    match language {
        Language::Text => words(source),
        Language::C | Language::Java => of_code(language, source, &tokens::c(source)),
        Language::Python => of_code(language, source, &tokens::python(source)),
        Language::Rust => of_code(language, source, &tokens::rust(source)),
    }
}

fn code(text: &str) -> u32 {
    let hash = fnv1a(text.as_bytes());
    ((hash ^ (hash >> 32)) as u32).max(EDGE + 1)
}

/// The words of a text, whatever is between them.
fn words(text: &str) -> Vec<Symbol> {
    let lines = text.lines().zip(1..);
    let words = lines.flat_map(|(text, line)| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(move |word| Symbol { code: code(&word.to_lowercase()), line })
    });
    words.collect()
}

/// A token that counts, with its line.
struct Word<'a> {
    text: &'a str,
    kind: TokenKind,
    line: u32,
}

fn of_code(language: Language, source: &str, tokens: &[Token]) -> Vec<Symbol> {
    let mut line = 1;
    let mut words = Vec::new();
    for token in tokens {
        let text = token.text(source);
        if token.counts() {
            words.push(Word { text, kind: token.kind, line });
        }
        line += text.bytes().filter(|&byte| byte == b'\n').count() as u32;
    }
    let mut symbols = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let skipped =
            skipped(language, &words[at..], at == 0 || words[at - 1].line < words[at].line);
        if skipped == 0 {
            let word = &words[at];
            symbols.push(Symbol { code: code(class(language, word)), line: word.line });
        }
        at += skipped.max(1);
    }
    symbols
}

/// How many of the first words say only where names come from, or can be left out. `is_first`: they begin a line.
fn skipped(language: Language, words: &[Word<'_>], is_first: bool) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let rest_of_line = || words.iter().take_while(|word| word.line == words[0].line).count();
    let statement = || words.iter().take_while(|word| word.text != ";").count() + 1;
    match (language, text(0), text(1)) {
        (Language::C, "#", directive) if directive != "define" => rest_of_line(),
        (Language::Rust, "#", "[") => rest_of_line(),
        (Language::Python, "import" | "from", _) if is_first => rest_of_line(),
        (Language::C, "using", _)
        | (Language::Java, "import" | "package", _)
        | (Language::Rust, "use", _)
            if is_first =>
        {
            statement()
        }
        // The namespace of a name.
        (Language::C | Language::Rust, _, "::") if words[0].kind == TokenKind::Name => 2,
        (Language::Java, "@", _) | (Language::C, "public" | "private" | "protected", ":") => 2,
        (_, own, "." | "->") if own == language.own() => 2,
        (_, word, _) if ["{", "}"].contains(&word) || language.modifiers().contains(&word) => 1,
        _ => 0,
    }
}

/// The text that stands for all tokens like this one.
fn class<'a>(language: Language, word: &Word<'a>) -> &'a str {
    match word.kind {
        TokenKind::Name if language.keywords().contains(&word.text) => word.text,
        TokenKind::Name => "name",
        TokenKind::Number => "0",
        TokenKind::Text => "\"",
        _ => word.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(language: Language, source: &str) -> Vec<u32> {
        symbols(language, source).into_iter().map(|symbol| symbol.code).collect()
    }

    #[track_caller]
    fn check_same(language: Language, one: &str, other: &str) {
        assert_eq!(codes(language, one), codes(language, other), "{one}\n{other}");
    }

    #[test]
    fn names_comments_layout_and_constants_do_not_count() {
        check_same(Language::C, "int total = 0; // sum\n", "long\n  s = 17 /* x */ ;");
        check_same(Language::Java, "String a = \"b\";", "Text word\n= \"other\" ;");
        check_same(Language::Python, "total = sum(x)  # all\n", "a=b ( c )");
        check_same(Language::Rust, "let total: u32 = 1;", "let\na :usize=20_000; // end");
        check_same(Language::Text, "It is, in a word, so.", "it is\nin a WORD\n\nso");
    }

    #[test]
    fn where_a_name_comes_from_does_not_count() {
        check_same(
            Language::C,
            "#include <vector>\nstd::vector<int> a;",
            "using namespace std;\nvector<int> a;",
        );
        check_same(
            Language::C,
            "class A { public: static const int b; };",
            "class B { size_t c; };",
        );
        check_same(Language::C, "this->count = 1;", "count = 1;");
        check_same(Language::Java, "import java.util.List;\n@Override public int a;", "int b;");
        check_same(Language::Python, "from os import path\nself.a = 1", "b = 1");
        check_same(Language::Rust, "use std::fmt;\n#[derive(Debug)]\npub struct A;", "struct B;");
    }

    #[test]
    fn what_a_program_does_counts() {
        for (one, other) in
            [("if (a) b();", "while (a) b();"), ("a + b", "a - b"), ("return a;", "a;")]
        {
            assert_ne!(codes(Language::C, one), codes(Language::C, other));
        }
    }

    #[test]
    fn a_symbol_has_the_line_of_its_token() {
        let lines = |language, source| -> Vec<u32> {
            symbols(language, source).into_iter().map(|symbol| symbol.line).collect()
        };
        assert_eq!(lines(Language::C, "/* 1\n2 */ a\n\n\"x\\\ny\" b"), [2, 4, 5]);
        assert_eq!(lines(Language::Text, "one\n\ntwo three"), [1, 3, 3]);
    }

    #[test]
    fn a_source_that_is_made_to_take_long_takes_no_longer() {
        for unit in
            ["f'{", "f\"\"\"{a:{", "R\"", "/*", "\"", "r#\"", "((", "'", "{:", "\\\n", "//", "#"]
        {
            let source = unit.repeat(60_000 / unit.len());
            for language in
                [Language::C, Language::Java, Language::Python, Language::Rust, Language::Text]
            {
                symbols(language, &source);
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_has_symbols(source in "[-ab1R\"'#{}()/*\\\\\n\r :!fé@;.]{0,60}") {
            for language in [Language::C, Language::Java, Language::Python, Language::Rust, Language::Text] {
                let symbols = symbols(language, &source);
                prop_assert!(symbols.iter().all(|symbol| symbol.code != EDGE));
                prop_assert!(symbols.is_sorted_by_key(|symbol| symbol.line));
            }
        }
    }
}
