//! Command lines for people, written as a shell reads them.

use crate::printable;

/// What a shell takes for itself between double quotes.
const SPECIAL: &[char] = &['"', '$', '`', '\\', '!'];

/// The words as one line. A word that a shell would read as something else is between quotes. Control characters are escaped.
pub fn command_line(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    let shown = printable(word);
    if !word.is_empty() && word.chars().all(is_plain) {
        shown
    } else if !word.contains('\'') {
        format!("'{shown}'")
    } else if !word.contains(SPECIAL) {
        format!("\"{shown}\"")
    } else {
        format!("'{}'", shown.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_something_else() {
        let words =
            ["--to-roman", "5 5", "", "a=b", "1*2", "don't", "it's $1", "\"1", "é", "\u{1b}"];
        let line = r#"--to-roman '5 5' '' a=b '1*2' "don't" 'it'\''s $1' '"1' é '\u{1b}'"#;
        assert_eq!(command_line(words), line);
    }
}
