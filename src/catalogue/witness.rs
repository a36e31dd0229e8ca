//! Writes a witness as YAML into the text of a catalogue file. Pure. The caller checks that the result is read back correctly.

use super::Witness;
use std::fmt::Write;

/// The file `text` with its witness replaced, or with `witness` at its end: the most readable form first.
pub(super) fn texts(text: &str, witness: &Witness) -> Vec<String> {
    let (before, after) = around(text);
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let flags = scalar(&witness.flags);
    let inputs = [block(&witness.input), Some(quoted(&witness.input) + "\n")].into_iter().flatten();
    inputs
        .map(|input| format!("{before}{gap}witness:\n  flags: {flags}\n  input: {input}{after}"))
        .collect()
}

/// The text of a file before and after its witness.
fn around(text: &str) -> (&str, &str) {
    let mut start = None;
    // Blank lines belong to the witness only if more of it follows, or if its last value keeps them. This is the end without them.
    let mut end = 0;
    let (mut at, mut keeps_blank_lines) = (0, false);
    for line in text.split_inclusive('\n') {
        at += line.len();
        match start {
            None if line.starts_with("witness:") => (start, end) = (Some(at - line.len()), at),
            None => {}
            Some(_) if line.trim().is_empty() && !keeps_blank_lines => {}
            Some(_) if line.trim().is_empty() || line.starts_with([' ', '\t']) => {
                keeps_blank_lines |= line.trim_end().ends_with("|+");
                end = at;
            }
            Some(_) => break,
        }
    }
    match start {
        Some(start) => (&text[..start], &text[end..]),
        None => (text, ""),
    }
}

/// `input` as a literal block, if it consists of readable lines: `|` ends in one newline, `|+` in several.
fn block(input: &str) -> Option<String> {
    let lines = input.strip_suffix('\n')?;
    let is_plain = |c: char| c == '\n' || !c.is_control() && (c.is_ascii() || c.is_alphanumeric());
    if lines.is_empty() || lines.starts_with([' ', '\n']) || !lines.chars().all(is_plain) {
        return None;
    }
    let mut block = if lines.ends_with('\n') { "|+\n".to_owned() } else { "|\n".to_owned() };
    for line in lines.split('\n') {
        let indent = if line.is_empty() { "" } else { "    " };
        let _ = writeln!(block, "{indent}{line}");
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
        texts(text, &Witness { flags: flags.to_owned(), input: input.to_owned() }).remove(0)
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
}
