//! Takes the paths out of a line of text. What a folder is called says nothing about the board.

/// What stands for a path.
const LEFT_OUT: &str = "…";

/// The line with `…` for each path and file name. A path may contain blanks.
pub(super) fn without_paths(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.iter().all(|word| find(word).is_none()) {
        return line.to_owned();
    }
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some(Found { start, end, goes_on }) = find(words[at]) else {
            kept.push(words[at].to_owned());
            at += 1;
            continue;
        };
        // `/home/ann/my boards/test-1.txt` is one path.
        let is_part = |last: &usize| goes_on && words[*last].contains(SEPARATORS);
        let last = (at + 1..words.len()).rev().find(is_part);
        let behind = last.map_or(&words[at][end..], |last| &words[last][name_end(words[last])..]);
        kept.push(format!("{}{LEFT_OUT}{behind}", &words[at][..start]));
        at = last.unwrap_or(at) + 1;
    }
    kept.join(" ")
}

const SEPARATORS: [char; 2] = ['/', '\\'];

/// Where a path is in a word.
struct Found {
    start: usize,
    end: usize,
    /// Whether it may continue in a later word: it is absolute, and its last part is not the name of a file.
    goes_on: bool,
}

fn find(word: &str) -> Option<Found> {
    let end = name_end(word);
    let behind_opening = word[..end].rsplit(['"', '\'', '`', '(', '[', '<', '“', '‘', '=']).next();
    let path = behind_opening.unwrap_or_default();
    let (root, is_file) = (root(path), is_file_name(path));
    let start = root.or((is_file || is_relative(path)).then_some(0))?;
    Some(Found { start: end - path.len() + start, end, goes_on: root.is_some() && !is_file })
}

/// Where an absolute path begins, or one from `.`, `..` or `~`, or an address such as `file://`.
fn root(word: &str) -> Option<usize> {
    let at = word.find(SEPARATORS)?;
    let (before, behind) = word.split_at(at);
    let is_path = behind[1..].starts_with(|c: char| c.is_alphanumeric() || ".~_/\\-".contains(c));
    let stem = before.trim_end_matches(['.', '~']);
    if !is_path || stem.ends_with(char::is_alphanumeric) {
        return None;
    }
    // `C:\boards`, `https://`, or `file:/boards`.
    let scheme = before.strip_suffix(':').unwrap_or_default();
    let start = scheme.trim_end_matches(char::is_alphanumeric).len();
    let is_address = scheme.len() - start == 1 || !scheme.is_empty() && behind.starts_with("//");
    Some(if is_address { start } else { stem.len() })
}

/// Where a name ends in a word: before punctuation, and before the number of a line, as in `board.data:4:`.
fn name_end(word: &str) -> usize {
    let from = word.rfind(SEPARATORS).unwrap_or(0);
    let colon = word[from..].find(':').map(|at| from + at).filter(|&at| at > 1);
    let name = &word[..colon.unwrap_or(word.len())];
    let is_mark = |c: char| !c.is_alphanumeric() && !SEPARATORS.contains(&c) && c != '_';
    name.trim_end_matches(is_mark).len()
}

/// Whether the last part is the name of a file: a few letters of one case follow its period.
fn is_file_name(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(stem, extension)| {
        stem.ends_with(|c: char| c.is_alphanumeric() || ")_-".contains(c))
            && (2..=6).contains(&extension.len())
            && (extension.bytes().all(|byte| byte.is_ascii_lowercase())
                || extension.bytes().all(|byte| byte.is_ascii_uppercase()))
    })
}

/// Whether it looks like `boards/test-1`: a name with a letter and a digit in a folder.
fn is_relative(word: &str) -> bool {
    word.rsplit_once(SEPARATORS).is_some_and(|(folder, name)| {
        folder.contains(char::is_alphabetic)
            && name.contains(char::is_alphabetic)
            && name.contains(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_left_out_wherever_it_stands() {
        for (line, expected) in [
            ("Using data from puzzle: /home/ann/outside/test-1.txt", "Using data from puzzle: …"),
            ("Using data from puzzle:/home/ann/outside/test-1", "Using data from puzzle:…"),
            ("puzzle=\"/home/ann/an error/x.txt\"", "puzzle=\"…\""),
            ("Reading ../overlap/board.data.", "Reading …."),
            ("Reading ~/overlap/b, which is big", "Reading …, which is big"),
            ("Reading outside/test-1", "Reading …"),
            ("Reading outside.txt (3 pieces)", "Reading … (3 pieces)"),
            ("/a/b.txt: piece 3 overlaps piece 1", "…: piece 3 overlaps piece 1"),
            ("/a/b.txt:4: overlaps /a/b.txt:3", "…:4: overlaps …:3"),
            ("C:\\Users\\ann\\outside\\test-1.txt is read", "… is read"),
            ("From file:///tmp/outside/b.txt:", "From …:"),
            ("Using /home/ann/left outside/test-1.txt now", "Using … now"),
        ] {
            assert_eq!(without_paths(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_path_stays() {
        for line in [
            "Error: outside/overlap",
            "Piece 3/outside",
            "2/5: 4 up 1",
            "The piece falls outside.Piece discarded",
            "Row/column 9/9  is outside  of the grid",
            "Piece 3 is outside. / Piece 4 overlaps.",
            "---- / ----",
            "Solved in 0.25 seconds",
            "",
            "é/… ",
        ] {
            assert_eq!(without_paths(line), line);
        }
    }
}
