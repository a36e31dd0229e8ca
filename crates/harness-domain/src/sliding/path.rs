//! Takes the paths out of a line of text. What a folder is called says nothing about the board.

/// What stands for a path.
const LEFT_OUT: &str = "…";

/// The line with `…` for each path and file name. A path may contain blanks.
pub(super) fn without_paths(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let found: Vec<Option<Found>> = words.iter().map(|word| find(word)).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some(Found { start, end, goes_on }) = found[at] else {
            kept.push(words[at].to_owned());
            at += 1;
            continue;
        };
        let before = &words[at][..start];
        // `/home/ann/my boards/test-1.txt` is one path.
        let last =
            (at + 1..words.len()).rev().find(|&last| goes_on && words[last].contains(is_separator));
        let last = last.unwrap_or(at);
        let end = if last == at { end } else { name_end(words[last]) };
        kept.push(format!("{before}{LEFT_OUT}{}", &words[last][end..]));
        at = last + 1;
    }
    if kept.len() == words.len() && found.iter().all(Option::is_none) {
        return line.to_owned();
    }
    kept.join(" ")
}

/// Where a path is in a word.
#[derive(Clone, Copy)]
struct Found {
    start: usize,
    end: usize,
    /// Whether it may continue in a later word: it is absolute, and its last part is not the name of a file.
    goes_on: bool,
}

fn find(word: &str) -> Option<Found> {
    let end = name_end(word);
    let path = &word[..end];
    let opening = |c: char| matches!(c, '"' | '\'' | '`' | '(' | '[' | '<' | '“' | '‘' | '=');
    let bare = path
        .rfind(opening)
        .map_or(0, |at| at + path[at..].chars().next().map_or(0, char::len_utf8));
    let root = root(path).map(|at| at.max(bare).min(at));
    let is_named = is_file_name(&path[bare..]) || is_relative(&path[bare..]);
    let start = root.or_else(|| is_named.then_some(bare))?;
    Some(Found { start, end, goes_on: root.is_some() && !is_file_name(path) })
}

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// Where an absolute path begins, or one from `.`, `..` or `~`, or an address such as `file://`.
fn root(word: &str) -> Option<usize> {
    let at = word.find(is_separator)?;
    let before = &word[..at];
    let is_path =
        word[at + 1..].starts_with(|c: char| c.is_alphanumeric() || ".~_/\\-".contains(c));
    if !is_path {
        return None;
    }
    if let Some(scheme) = before.strip_suffix(':') {
        // `C:\boards`, `https://`, or `file:/boards`.
        let start = scheme.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1);
        let is_address = scheme.len() - start == 1 || word[at..].starts_with("//");
        return Some(if is_address && scheme.is_char_boundary(start) { start } else { at });
    }
    let stem = before.trim_end_matches(['.', '~']);
    (!stem.ends_with(char::is_alphanumeric)).then_some(stem.len())
}

/// Where a name ends in a word: before punctuation, and before the number of a line, as in `board.data:4:`.
fn name_end(word: &str) -> usize {
    let from = word.rfind(is_separator).unwrap_or(0);
    let colon = word[from..].find(':').map(|at| from + at).filter(|&at| at > 1);
    let name = &word[..colon.unwrap_or(word.len())];
    name.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_separator(c) && c != '_').len()
}

/// Whether the last part is the name of a file.
fn is_file_name(path: &str) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "data", "dat", "txt", "text", "in", "inp", "input", "board", "brd", "puzzle", "puz",
        "html", "htm", "csv", "log", "out",
    ];
    path.rsplit_once('.').is_some_and(|(stem, extension)| {
        stem.ends_with(|c: char| c.is_alphanumeric() || ")_-".contains(c))
            && EXTENSIONS.iter().any(|other| extension.eq_ignore_ascii_case(other))
    })
}

/// Whether it looks like `boards/test-1`: a name with a letter and a digit in a folder.
fn is_relative(word: &str) -> bool {
    word.rsplit_once(is_separator).is_some_and(|(folder, name)| {
        let has = |text: &str, is: fn(char) -> bool| text.contains(is);
        has(folder, char::is_alphabetic)
            && has(name, char::is_alphabetic)
            && has(name, |c| c.is_ascii_digit())
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
