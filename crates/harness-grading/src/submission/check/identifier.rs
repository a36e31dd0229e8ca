//! Looks for the project identifier in a file, and says what spoils it. In sources and headers, it stands in a comment.

use super::{is_makefile, place};
use crate::course::language::tokens::TokenKind;
use crate::diagnostic::Problem;
use crate::submission::{SourceFile, language};

const MARK: &str = "\u{feff}";

/// What is wrong with the identifier in `file`, if anything is.
pub(super) fn check(file: &SourceFile, wanted: &str) -> Option<Problem> {
    let text = file.text();
    let copied = "type it, or copy it from a plain text file: a PDF file can add hidden characters";
    if text.starts_with(MARK) {
        let problem = Problem::new(format!("{} begins with a byte order mark", file.name));
        return Some(problem.hint("save the file as UTF-8 without a byte order mark"));
    }
    if let Some(at) = text.find(wanted) {
        if is_makefile(file) || comments(file, &text).any(|comment| comment.contains(wanted)) {
            return None;
        }
        let problem =
            Problem::new(format!("the project identifier in {} is not in a comment", file.name));
        return Some(problem.at(place(file, &text, at)));
    }
    if let Some(at) = spoiled(&text, wanted) {
        let hidden = text[at..].chars().find(|c| !c.is_ascii_graphic()).unwrap_or(' ');
        let message = format!(
            "a hidden character spoils the project identifier in {}: U+{:04X}",
            file.name, hidden as u32
        );
        let start = at + text[at..].find(hidden).unwrap_or(0);
        return Some(Problem::new(message).at(place(file, &text, start)).hint(copied));
    }
    if let Some((at, _)) = words(&text).find(|(_, word)| is_similar(word, wanted)) {
        let message = format!("the project identifier in {} is not this project's", file.name);
        let problem = Problem::new(message).at(place(file, &text, at));
        return Some(problem.hint(format!("it is {wanted}")));
    }
    let comment = if is_makefile(file) || file.extension() == "py" { "#" } else { "//" };
    let hint = format!("begin it with `{comment} Project Identifier: {wanted}`");
    Some(Problem::new(format!("{} has no project identifier", file.name)).hint(hint))
}

/// The comments in code.
fn comments<'a>(file: &SourceFile, text: &'a str) -> impl Iterator<Item = &'a str> {
    let comments = language::tokens(&file.name, text)
        .into_iter()
        .filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| &text[token.range])
}

/// Where `wanted` begins, if it is there but for characters that nobody sees.
fn spoiled(text: &str, wanted: &str) -> Option<usize> {
    let seen: Vec<(usize, char)> =
        text.char_indices().filter(|(_, c)| c.is_ascii_graphic()).collect();
    let plain: String = seen.iter().map(|(_, c)| *c).collect();
    let at = seen[plain.find(wanted)?].0;
    // A line end or a blank in it is no hidden character.
    let length = wanted.len();
    let part: String = text[at..].chars().take(length + 8).collect();
    part.chars().any(|c| !c.is_ascii() || (c.is_control() && !c.is_whitespace())).then_some(at)
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .map(move |word| (word.as_ptr() as usize - start, word))
}

/// Whether a word looks like an identifier: as long as the wanted one, and of the same kind of characters.
fn is_similar(word: &str, wanted: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    word.len().abs_diff(wanted.len()) <= 2 && word.len() > 8 && is_hex(word) == is_hex(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "A8A3A33EF075ACEF9B08F5B9845569ECCB423725";

    fn message(name: &str, text: &str) -> Option<String> {
        let file = SourceFile { name: name.to_owned(), bytes: text.into() };
        check(&file, ID).map(|problem| problem.message)
    }

    #[test]
    fn an_identifier_stands_in_a_comment_of_code_and_anywhere_in_a_makefile() {
        assert_eq!(message("a.cpp", &format!("// Project Identifier: {ID}\n")), None);
        assert_eq!(message("a.h", &format!("/* {ID} */\n")), None);
        assert_eq!(message("Makefile", &format!("# {ID}\nall:\n")), None);
        assert_eq!(message("Makefile", &format!("IDENTIFIER = {ID}\nall:\n")), None);
        let said = message("a.cpp", &format!("auto id = \"{ID}\";\n")).unwrap();
        assert_eq!(said, "the project identifier in a.cpp is not in a comment");
    }

    #[test]
    fn what_spoils_an_identifier_is_named() {
        let hidden = ID.replace("75AC", "75\u{200b}AC");
        let said = message("a.cpp", &format!("// {hidden}\n")).unwrap();
        assert_eq!(said, "a hidden character spoils the project identifier in a.cpp: U+200B");
        let said = message("a.cpp", &format!("{MARK}// {ID}\n")).unwrap();
        assert_eq!(said, "a.cpp begins with a byte order mark");
        let other = ID.replace('A', "B");
        let said = message("a.cpp", &format!("// {other}\n")).unwrap();
        assert_eq!(said, "the project identifier in a.cpp is not this project's");
        assert_eq!(message("a.cpp", "int x;").unwrap(), "a.cpp has no project identifier");
    }
}
