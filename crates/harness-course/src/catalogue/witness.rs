//! Writes a witness as YAML into the text of a catalogue file. Pure. The caller checks that the result is read back correctly.

use super::Witness;
use super::expected::{Expected, Recorded};
use std::fmt::Write;

/// The file `text` with its witness replaced, or with `witness` at its end: the most readable form first.
pub(super) fn texts(text: &str, witness: &Witness) -> Vec<String> {
    let (before, _, after) = section(text, "witness:");
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let flags = scalar(&witness.flags);
    let text = |form: Form| {
        let input = form.text(&witness.input, 4);
        let expected = witness.expected.as_ref().map(|expected| form.expected(expected));
        let expected = expected.unwrap_or_default();
        format!("{before}{gap}witness:\n  flags: {flags}\n  input: {input}{expected}{after}")
    };
    vec![text(Form::Blocks), text(Form::Quoted)]
}

/// The file `text` with `expected` as the last key of its witness, and everything else unchanged. `None` if it has no witness.
pub(super) fn with_expected(text: &str, expected: &Expected) -> Option<String> {
    let (before, witness, after) = section(text, "witness:");
    let (start, _, end) = section(witness, "  expected:");
    let end_of_line = if start.ends_with('\n') || !end.is_empty() { "" } else { "\n" };
    let expected = Form::Blocks.expected(expected);
    (!witness.is_empty()).then(|| format!("{before}{start}{end}{end_of_line}{expected}{after}"))
}

/// The text before the line that starts with `key`, the line with the deeper lines after it, and the text after those. If there is
/// no such line, everything is before it.
fn section<'a>(text: &'a str, key: &str) -> (&'a str, &'a str, &'a str) {
    let indent = key.len() - key.trim_start().len();
    let mut start = None;
    // The end of the section so far. Blank lines after it belong to it only if more of it follows, or if its last value keeps them.
    let mut end = 0;
    let (mut at, mut keeps_blank_lines) = (0, false);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let is_deeper = line.len() - line.trim_start().len() > indent;
        match start {
            None if line.starts_with(key) => (start, end) = (Some(at - line.len()), at),
            None => {}
            Some(_) if line.trim().is_empty() && !keeps_blank_lines => {}
            Some(_) if line.trim().is_empty() || is_deeper => {
                keeps_blank_lines |=
                    KEEPS_BLANK_LINES.iter().any(|mark| line.trim_end().ends_with(mark));
                end = at;
            }
            Some(_) => break,
        }
    }
    let start = start.unwrap_or(text.len());
    (&text[..start], &text[start..end.max(start)], &text[end.max(start)..])
}

/// How the first line of a block ends if the blank lines at its end belong to it.
const KEEPS_BLANK_LINES: [&str; 2] = [": |+", ": |2+"];

/// How text is written.
#[derive(Clone, Copy)]
enum Form {
    /// As blocks of lines, if the text consists of readable lines.
    Blocks,
    /// In double quotes.
    Quoted,
}

impl Form {
    /// `text` as the value of a key, with the end of the line. Lines of a block are indented by `indent` spaces.
    fn text(self, text: &str, indent: usize) -> String {
        let block = match self {
            Self::Blocks => block(text, indent),
            Self::Quoted => None,
        };
        block.unwrap_or_else(|| quoted(text) + "\n")
    }

    /// The lines of `expected`, as a key of a witness.
    fn expected(self, expected: &Expected) -> String {
        let Expected { exit, stdout, files } = expected;
        let mut lines = format!("  expected:\n    exit: {exit}\n");
        if *stdout != Recorded::default() {
            let _ = write!(lines, "    stdout: {}", self.recorded(stdout, 6));
        }
        if !files.is_empty() {
            lines.push_str("    files:\n");
        }
        for (name, recorded) in files {
            let _ = write!(lines, "      {}: {}", quoted(name), self.recorded(recorded, 8));
        }
        lines
    }

    fn recorded(self, recorded: &Recorded, indent: usize) -> String {
        match recorded {
            Recorded::Text(text) => self.text(text, indent),
            Recorded::Bytes { base64 } => format!("{{ base64: {} }}\n", quoted(base64)),
            Recorded::Long { bytes, sha256 } => {
                format!("{{ bytes: {bytes}, sha256: {} }}\n", quoted(sha256))
            }
        }
    }
}

/// `text` as a literal block, if it consists of readable lines: `|` ends in one newline, `|+` in several, and `|-` in none. A number
/// says how far the block is indented, because its first line cannot show it.
fn block(text: &str, indent: usize) -> Option<String> {
    let is_plain = |c: char| c == '\n' || !c.is_control() && (c.is_ascii() || c.is_alphanumeric());
    let (lines, end) = match text.strip_suffix('\n') {
        Some(lines) if lines.ends_with('\n') => (lines, "+"),
        Some(lines) => (lines, ""),
        None if text.contains('\n') => (text, "-"),
        None => return None,
    };
    if lines.trim_matches('\n').is_empty() || !lines.chars().all(is_plain) {
        return None;
    }
    let depth = if lines.starts_with([' ', '\n']) { "2" } else { "" };
    let mut block = format!("|{depth}{end}\n");
    for line in lines.split('\n') {
        let indent = if line.is_empty() { 0 } else { indent };
        let _ = writeln!(block, "{:indent$}{line}", "");
    }
    Some(block)
}

fn scalar(flags: &str) -> String {
    // Words that some YAML parsers do not read as text.
    const OTHER: [&str; 9] = ["y", "n", "on", "no", "off", "yes", "null", "true", "false"];
    let is_plain = !flags.is_empty() && flags.chars().all(|c| c.is_ascii_alphabetic());
    if is_plain && !OTHER.contains(&flags.to_ascii_lowercase().as_str()) {
        flags.to_owned()
    } else {
        quoted(flags)
    }
}

/// `text` in double quotes, with all characters but printable ASCII escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        let _ = match c {
            '\n' => write!(quoted, "\\n"),
            '"' | '\\' => write!(quoted, "\\{c}"),
            ' '..='~' => write!(quoted, "{c}"),
            c if u32::from(c) <= 0xff => write!(quoted, "\\x{:02x}", u32::from(c)),
            c if u32::from(c) <= 0xffff => write!(quoted, "\\u{:04x}", u32::from(c)),
            c => write!(quoted, "\\U{:08x}", u32::from(c)),
        };
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: &str = "# A bug.\nsummary: \"s\"   # why\npoints: 1\n";

    fn written(text: &str, flags: &str, input: &str) -> String {
        texts(text, &Witness { flags: flags.to_owned(), input: input.to_owned(), expected: None })
            .remove(0)
    }

    /// The witness that a YAML parser reads from the file.
    fn read_back(text: &str) -> Witness {
        #[derive(serde::Deserialize)]
        struct File {
            witness: Witness,
        }
        serde_yaml::from_str::<File>(text).unwrap_or_else(|error| panic!("{error}\n{text}")).witness
    }

    #[test]
    fn a_witness_is_appended_as_readable_lines() {
        let expected = format!("{OTHERS}witness:\n  flags: q\n  input: |\n    0 1 2\n    @?\n");
        assert_eq!(written(OTHERS, "q", "0 1 2\n@?\n"), expected);
        assert_eq!(written(OTHERS.trim_end(), "q", "0 1 2\n@?\n"), expected);
    }

    #[test]
    fn only_the_witness_is_replaced() {
        let behind = "\n# what follows\nexpect: { how: output }\n";
        for old in [
            "witness:\n  flags: s\n  input: |\n    a\n\n    b\n",
            "witness: { flags: s,\n   input: \"x\\n\" }\n",
        ] {
            let expected = format!("{OTHERS}witness:\n  flags: q\n  input: |\n    c\n{behind}");
            assert_eq!(written(&format!("{OTHERS}{old}{behind}"), "q", "c\n"), expected);
        }
        let old = "witness:\n  flags: s\n  input: |+\n    a\n\n";
        assert_eq!(
            written(&format!("{OTHERS}{old}points: 2\n"), "q", "c\n"),
            format!("{OTHERS}witness:\n  flags: q\n  input: |\n    c\npoints: 2\n")
        );
    }

    #[test]
    fn every_text_survives() {
        let texts = [
            "a\n",
            "a",
            "",
            "\n",
            "\na\n",
            "a\n\n",
            "a\n\n\n",
            "  a\n",
            "a\r\nb\n",
            "\ta\n",
            "a \n b\n",
            "# a\n",
            "\u{feff}a\n\u{85}\u{2028}\0\"\\\u{1f600}",
            "---\n...\n",
        ];
        for input in texts {
            for before in [OTHERS, "witness:\n  flags: s\n  input: |\n    old\n"] {
                for flags in ["q", "y", "", "no", "ql"] {
                    let read = read_back(&written(before, flags, input));
                    assert_eq!((read.flags.as_str(), read.input.as_str()), (flags, input));
                }
            }
        }
    }

    #[test]
    fn every_recorded_output_survives_and_the_test_above_it_keeps_its_form() {
        let texts =
            ["1\n", "a\n b\n", "  a\n", "\na", "a\nb", "a\n\n", "\n\n", "", "5", "\ta\u{85}"];
        let own = format!("{OTHERS}witness:   # mine\n  input: \"x\\n\"  # short\n  flags: q\n");
        for text in texts {
            let files = [("a: b".to_owned(), Recorded::of(text.as_bytes()))].into();
            let stdout = Recorded::of(text.as_bytes());
            let expected = Expected { exit: 0, stdout, files };
            let first = with_expected(&own, &Expected { exit: 3, ..expected.clone() }).unwrap();
            let second = with_expected(&(first + "# behind\n"), &expected).unwrap();
            assert!(second.starts_with(&own) && second.ends_with("# behind\n"), "{second}");
            assert_eq!(read_back(&second).expected.as_ref(), Some(&expected), "{second}");
            for form in [Form::Blocks, Form::Quoted] {
                let text =
                    format!("witness:\n  flags: q\n  input: x\n{}", form.expected(&expected));
                assert_eq!(read_back(&text).expected.as_ref(), Some(&expected), "{text}");
            }
        }
        let bytes = Recorded::of(b"\xff\0");
        let long = Recorded::of(&[b'a'; 3_000]);
        let expected = Expected { exit: 0, stdout: bytes, files: [("f".to_owned(), long)].into() };
        assert_eq!(read_back(&with_expected(&own, &expected).unwrap()).expected, Some(expected));
    }
}
