//! What the compiler saw of a source: the code and the directives that are not the system's, with all macros expanded. Pure.
//!
//! The text is what the compiler prints with `-E -dI`: it has markers, which tell where code is from. A source can have markers of its
//! own. Those with flags would hide code, so [`own_marker`] finds them.

use crate::course::language::tokens::{self, Token, TokenKind};
use std::path::{Component, Path, PathBuf};

/// A folder whose files are the system's.
const SYSTEM: &str = "/usr";

/// The most bytes of code that is not the system's. A submission has less, unless it includes a file again and again.
pub(super) const MOST_BYTES: usize = 8 << 20;

/// A source and what it includes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// Whether this is all of it.
    pub(super) is_whole: bool,
    /// The text of the files that are not the system's.
    pub(super) code: String,
    /// The file and line of each line of `code`. A line that claims another place has none.
    pub(super) lines: Vec<(PathBuf, Option<usize>)>,
    /// The files that are not the system's.
    pub(super) files: Vec<PathBuf>,
    /// What these files include: a header's path or its name in the directive, and where.
    pub(super) headers: Vec<(PathBuf, (PathBuf, Option<usize>))>,
}

/// A line that the preprocessor adds: `# LINE "FILE" FLAGS`.
struct Marker {
    line: usize,
    file: String,
    begins: bool,
    returns: bool,
}

impl Unit {
    /// Reads what the compiler printed in the folder `home`, or below it in `folder`.
    pub(super) fn read(text: &str, home: &Path, folder: &Path) -> Self {
        let whole = |file: &str| plain(&home.join(folder).join(file), home);
        let mut unit = Self::default();
        let mut open: Vec<PathBuf> = Vec::new();
        let mut at: (PathBuf, usize) = (PathBuf::new(), 0);
        // Where the last directive is. The marker that follows it has the line at which it ends.
        let mut directive = None;
        let mut bytes = 0;
        for line in text.lines() {
            let inside = open.last().is_some_and(|file| is_system(file));
            bytes += if inside { 0 } else { line.len() + 1 };
            if bytes > MOST_BYTES {
                return unit;
            }
            if let Some(Marker { line, file, begins, returns }) = marker(line) {
                let path = whole(&file);
                if open.is_empty() {
                    unit.begin(&path);
                    open.push(path.clone());
                } else if begins {
                    if !inside {
                        let here = directive.take().unwrap_or_else(|| place(&open, &at));
                        unit.headers.push((path.clone(), here));
                    }
                    if !is_system(&path) {
                        unit.files.push(path.clone());
                    }
                    open.push(path.clone());
                } else if returns && open.len() > 1 {
                    open.pop();
                }
                at = (path, line);
                continue;
            }
            if !inside {
                let here = place(&open, &at);
                if let Some(header) = line.strip_prefix("#include ") {
                    let name = header.trim_matches(|c| "<>\"".contains(c));
                    directive = Some(here.clone());
                    unit.headers.push((plain(Path::new(name), home), here));
                } else if !line.starts_with('#') {
                    unit.code.push_str(line);
                    unit.code.push('\n');
                    unit.lines.push(here);
                }
            }
            at.1 += 1;
        }
        Self { is_whole: true, ..unit }
    }

    /// Notes the source itself, which may be a header of the system.
    fn begin(&mut self, source: &Path) {
        if is_system(source) {
            self.headers.push((source.to_owned(), (PathBuf::new(), None)));
        } else {
            self.files.push(source.to_owned());
        }
    }
}

/// The place in the file that is open, unless a directive says that it is in another one.
fn place(open: &[PathBuf], (file, line): &(PathBuf, usize)) -> (PathBuf, Option<usize>) {
    let inner = open.last().cloned().unwrap_or_default();
    let line = (inner == *file && *line > 0).then_some(*line);
    (inner, line)
}

fn is_system(file: &Path) -> bool {
    file.starts_with(SYSTEM)
}

/// A path without `.` and `..`, relative to `home` if it is below it.
fn plain(path: &Path, home: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            _ => plain.push(part),
        }
    }
    plain.strip_prefix(home).map(Path::to_owned).unwrap_or(plain)
}

fn marker(line: &str) -> Option<Marker> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    let (file, flags) = rest.rsplit_once('"')?;
    let has = |flag: &str| flags.split(' ').any(|it| it == flag);
    let file = file.replace("\\\"", "\"").replace("\\\\", "\\");
    Some(Marker { line: number.parse().ok()?, file, begins: has("1"), returns: has("2") })
}

/// Where `source` has a marker of its own, with a digraph or trigraph in place of its first character or not. Bytes of the text that it
/// gives, in which all of these are replaced.
pub(super) fn own_marker(source: &str) -> Option<(String, usize)> {
    let text = source.replace("??=", "#  ").replace("??/", "\\  ").replace("%:", "# ");
    let text: String = text.replace("\\  \n", "\\\n");
    let tokens: Vec<_> = tokens::c(&text).into_iter().filter(Token::counts).collect();
    let is_marker =
        |pair: &&[Token]| pair[0].text(&text) == "#" && pair[1].kind == TokenKind::Number;
    let at = tokens.windows(2).find(is_marker)?[0].range.start;
    Some((text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Unit {
        Unit::read(text, Path::new("/box"), Path::new(""))
    }

    const START: &str = "# 0 \"a.cpp\"\n# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"a.cpp\"\n";

    #[test]
    fn only_code_outside_the_system_is_seen() {
        let text = "#include <vector>\n# 1 \"a.cpp\"\n# 1 \"/usr/include/vector\" 1 3\nint hidden;\n# 2 \"a.cpp\" 2\n#include \"b.h\"\n# 1 \"./b.h\" 1\nint b;\n# 3 \"a.cpp\" 2\n\nint a;\n";
        let unit = read(&format!("{START}{text}"));
        assert_eq!(unit.code, "int b;\n\nint a;\n");
        assert_eq!(unit.lines[0], ("b.h".into(), Some(1)));
        assert_eq!(unit.lines[2], ("a.cpp".into(), Some(4)));
        assert_eq!(unit.files, ["a.cpp", "b.h"].map(PathBuf::from));
        let headers: Vec<_> =
            unit.headers.iter().map(|(it, at)| (it.to_str().unwrap(), at.1)).collect();
        let expected = [
            ("/usr/include/stdc-predef.h", None),
            ("vector", Some(1)),
            ("/usr/include/vector", Some(1)),
            ("b.h", Some(2)),
            ("b.h", Some(2)),
        ];
        assert_eq!(headers, expected);
    }

    #[test]
    fn code_without_end_is_not_read_to_its_end() {
        let endless = ";\n".repeat(MOST_BYTES / 2 + 1);
        let unit = read(&format!("{START}{endless}"));
        assert!(!unit.is_whole && unit.code.len() <= MOST_BYTES);
        let system = read(&format!("{START}# 1 \"/usr/include/vector\" 1 3\n{endless}"));
        assert!(system.is_whole && system.code.is_empty());
    }

    #[test]
    fn a_source_cannot_claim_to_be_another_file() {
        let renamed = read(&format!("{START}# 7 \"/usr/include/vector\" 3\nint shown;\n"));
        assert_eq!(renamed.lines, [("a.cpp".into(), None)]);
        for marker in [
            "# 1 \"x\" 1 3\n",
            " /* */ # /**/ 1 \"x\"\n",
            "%: 1 \"x\" 1\n",
            "??=1 \"x\" 1\n",
            "#??/\n1 \"x\" 1\n",
            "#\\\n1 \"x\" 1\n",
        ] {
            assert!(own_marker(&format!("int a;\n{marker}")).is_some(), "{marker}");
        }
        for other in ["// # 1 \"x\" 1", "auto a = R\"(\n# 1 \"x\" 1\n)\";", "#if 1\n", "a%1"] {
            assert_eq!(own_marker(other), None, "{other}");
        }
    }
}
