//! The lists of sources that compilers write, in the form of a rule of `make`.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources in the list `file`. Relative ones are in `folder`. `None` if it cannot be read.
pub(super) fn read(file: &Path, folder: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(file).ok()?;
    let words = words(&text);
    let colon = words.iter().position(|word| word.ends_with(':'))?;
    let is_rule = |word: &String| word.ends_with(':');
    // A compiler may list empty rules for headers after the first rule.
    let sources = words[colon + 1..].iter().filter(|word| !is_rule(word));
    Some(sources.map(|word| folder.join(word)).collect())
}

/// The words of a rule. A backslash before a space, `#` or `:` and a doubled `$` stand for the character. A backslash at the end of a
/// line continues it.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(' ' | '#' | ':')) | ('$', Some('$')) => word.extend(chars.next()),
            (c, _) if c.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_have_escapes_continued_lines_and_empty_rules() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.d");
        fs::write(&file, "out.o: a\\ b.c \\\n /usr/x.h \\\n c$$d.h\n/usr/x.h:\nc$$d.h:\n").unwrap();
        let expected = ["at/a b.c", "/usr/x.h", "at/c$d.h"].map(PathBuf::from);
        assert_eq!(read(&file, Path::new("at")), Some(expected.to_vec()));
        assert_eq!(read(&folder.path().join("missing.d"), Path::new("at")), None);
    }
}
