//! The functions in a header that no test makes: the compiler gives a template no lines before something uses it. Their lines are found in
//! the text, as near as that goes to what a compiler says: the line where a body begins, where it ends, and those with something on them.

use crate::run::coverage::Coverage;
use std::collections::BTreeSet;

/// What begins with one of these is no function.
const TYPES: [&str; 5] = ["class", "struct", "union", "enum", "namespace"];

/// Adds the lines of each function of the header `name` of which the compiler told none.
pub(super) fn add_unused(coverage: &mut Coverage, name: &str, text: &str) {
    let text = without_comments(text);
    let code = coverage.code.entry(name.to_owned()).or_default();
    for (first, last) in bodies(&text) {
        if code.range(first..=last).next().is_none() {
            let between = text.lines().zip(1..).skip(first).take(last.saturating_sub(first + 1));
            let full = between.filter(|(line, _)| line.contains(|c: char| c.is_alphanumeric()));
            let full: BTreeSet<_> = full.map(|(_, number)| number).collect();
            code.extend(full.into_iter().chain([first, last]));
        }
    }
}

/// The first and the last line of each body of a function. One in another is a part of it.
fn bodies(text: &str) -> Vec<(usize, usize)> {
    let (mut bodies, mut depth, mut line) = (Vec::new(), 0, 1);
    // What stands before a brace, and where a body began, with its depth.
    let (mut before, mut began) = (String::new(), None);
    for found in text.chars() {
        match found {
            '\n' => line += 1,
            '{' => {
                if began.is_none() && is_function(&before) {
                    began = Some((line, depth));
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if let Some((first, _)) = began.filter(|(_, outside)| *outside == depth) {
                    bodies.push((first, line));
                    began = None;
                }
            }
            _ => {}
        }
        match found {
            '{' | '}' | ';' => before.clear(),
            _ => before.push(found),
        }
    }
    bodies
}

/// Whether a brace after this begins the body of a function.
fn is_function(before: &str) -> bool {
    let lines = before.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut text = lines.collect::<Vec<_>>().join(" ");
    if let Some((_, rest)) = text.rsplit_once("public:") {
        text = rest.to_owned();
    }
    let is_template = text.trim_start().starts_with("template");
    let after = if is_template { text.split_once('>').map_or("", |(_, it)| it) } else { &text };
    let first = after.split_whitespace().next().unwrap_or_default();
    after.contains(')') && !after.contains('=') && !TYPES.contains(&first)
}

/// The text with blanks for comments and for what is quoted.
fn without_comments(text: &str) -> String {
    let (mut blank, mut until): (String, Option<&str>) = (String::with_capacity(text.len()), None);
    let mut rest = text;
    while let Some(found) = rest.chars().next() {
        let mut width = found.len_utf8();
        match until {
            Some(end) if rest.starts_with(end) => {
                (width, until) = (end.len(), None);
            }
            Some("\"" | "'") if found == '\\' => {
                width += rest[width..].chars().next().map_or(0, char::len_utf8);
            }
            Some(_) => {}
            None => {
                let begins = [("//", "\n"), ("/*", "*/"), ("\"", "\""), ("'", "'")];
                let begun = begins.iter().find(|(begin, _)| rest.starts_with(begin));
                if let Some((begin, end)) = begun {
                    (width, until) = (begin.len(), Some(*end));
                } else {
                    blank.push(found);
                    rest = &rest[width..];
                    continue;
                }
            }
        }
        let replaced = rest[..width].chars().map(|c| if c == '\n' { c } else { ' ' });
        blank.extend(replaced);
        rest = &rest[width..];
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include <a>
// A list {
template <typename T>
class List {
    Node *first{nullptr};
public:
    List() : count(0) {}
    int size() const { return count; }
    void push(T value) {
        if (full()) { // never {
            grow(\"}\");
        }

        put(value);
    }
};
";

    #[test]
    fn functions_that_no_test_uses_have_lines() {
        assert_eq!(bodies(&without_comments(TEXT)), [(7, 7), (8, 8), (9, 15)]);
        let mut coverage = Coverage::default();
        coverage.code.insert("List.h".to_owned(), BTreeSet::from([8]));
        add_unused(&mut coverage, "List.h", TEXT);
        let lines: Vec<_> = coverage.code["List.h"].iter().copied().collect();
        assert_eq!(lines, [7, 8, 9, 10, 11, 14, 15]);
    }

    #[test]
    fn what_the_compiler_told_of_a_function_stays() {
        let mut coverage = Coverage::default();
        coverage.code.insert("List.h".to_owned(), BTreeSet::from([7, 8, 9, 14]));
        add_unused(&mut coverage, "List.h", TEXT);
        assert_eq!(coverage.code["List.h"], BTreeSet::from([7, 8, 9, 14]));
    }
}
