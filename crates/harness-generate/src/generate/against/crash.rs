//! Tells from what a program wrote to standard error why it ended: the kind of the exception and its place, or the words of a message.

/// Exceptions that end a program wherever it happens to be.
const ANYWHERE: [&str; 4] =
    ["RecursionError", "MemoryError", "java.lang.StackOverflowError", "java.lang.OutOfMemoryError"];

/// The kind of exception that a program in Python, Java or Rust did not catch, and the line of the program on which it came up. The
/// message may quote the input. `None` if there is no such exception.
pub(super) fn origin(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let (thrown, place) = python(&text).or_else(|| java(&text)).or_else(|| rust(&text))?;
    let kind = thrown.split(':').next().unwrap_or_default();
    let is_anywhere = ANYWHERE.contains(&kind);
    Some(if is_anywhere { kind.to_owned() } else { format!("{kind} {place}") })
}

/// The innermost line that is not in a library, and what follows the innermost one.
fn python(text: &str) -> Option<(&str, String)> {
    let mut frames = text.lines().filter_map(|line| line.strip_prefix("  File \""));
    let is_own = |frame: &&str| !frame.contains("/lib/python") && !frame.starts_with("<frozen ");
    let (path, rest) = frames.rfind(is_own)?.split_once("\", line ")?;
    let file = path.rsplit('/').next().unwrap_or_default();
    let number = rest.split(',').next().unwrap_or_default();
    let (_, innermost) = text.rsplit_once("\n  File \"")?;
    let thrown = innermost.lines().skip(1).find(|line| !line.starts_with(' '))?;
    Some((thrown, format!("{file}:{number}")))
}

/// The innermost call that is not in a module of Java, in what comes before other causes.
fn java(text: &str) -> Option<(&str, String)> {
    let (_, thrown) = text.split_once("Exception in thread ")?;
    let (_, thrown) = thrown.split_once("\" ")?;
    let mut calls = thrown.lines().filter_map(|line| line.strip_prefix("\tat "));
    let place = calls.find(|call| !call.contains('/'))?;
    Some((thrown.lines().next()?, place.to_owned()))
}

fn rust(text: &str) -> Option<(&str, String)> {
    let (_, place) =
        text.split_once("' panicked at ").or_else(|| text.split_once(") panicked at "))?;
    Some(("panic", place.lines().next()?.trim_end_matches(':').to_owned()))
}

/// The words of the last line of an error message. What is quoted, numbers, and single characters may be those of the input.
pub(super) fn words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let line = without_quotes(line);
    let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2);
    words.collect::<Vec<_>>().join(" ")
}

/// A line without what is between two quotation marks that are alike. The apostrophe of a word, as in `can't`, is none.
fn without_quotes(line: &str) -> String {
    let mut left = String::new();
    let mut rest = line;
    while let Some(open) = rest.find(['\'', '"']) {
        let (before, quoted) = rest.split_at(open);
        let mark = if quoted.starts_with('"') { '"' } else { '\'' };
        let is_apostrophe = mark == '\'' && before.ends_with(char::is_alphanumeric);
        let close = quoted[1..].find(mark).filter(|_| !is_apostrophe);
        left.push_str(before);
        left.push(' ');
        rest = close.map_or(&quoted[1..], |at| &quoted[at + 2..]);
    }
    left + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin_of(text: &str) -> Option<String> {
        origin(text.as_bytes())
    }

    #[test]
    fn a_message_is_the_words_of_the_last_line() {
        let message = |text: &str| words(text.as_bytes());
        assert_eq!(message("line 3: unknown 'x'\n\n"), message("line 12: unknown 'y'"));
        assert_ne!(message("line 3: unknown 'x'"), message("line 3: too short"));
        assert_eq!(message("unknown word 'apple'"), message("unknown word \"it's\" at 7"));
        assert_eq!(message("it can't read 'pear'"), "can read");
        assert_eq!(message("an open 'quote"), "open quote");
        assert_eq!(message("\n"), "");
    }

    #[test]
    fn an_exception_in_python_is_its_kind_and_the_line_of_the_program() {
        let text = |library: &str, thrown: &str| {
            format!(
                "Traceback (most recent call last):\n  File \"/tmp/a/x.py\", line 7, in <module>\n    int(word)\n{library}{thrown}\n"
            )
        };
        let thrown = origin_of(&text("", "ValueError: invalid literal: 'x'"));
        assert_eq!(thrown.as_deref(), Some("ValueError x.py:7"));
        assert_eq!(origin_of(&text("", "ValueError: two\nlines: 'y'")), thrown);
        let library =
            "  File \"/usr/lib/python3.11/json/decoder.py\", line 353, in decode\n    it\n    ^^\n";
        assert_eq!(origin_of(&text(library, "ValueError")), thrown);
        let deep = origin_of(&text("", "RecursionError: maximum recursion depth exceeded"));
        assert_eq!(deep.as_deref(), Some("RecursionError"));
    }

    #[test]
    fn an_exception_in_java_and_a_panic_in_rust_have_a_place_too() {
        let java = "Exception in thread \"main\" a.BadNumber: For input string: \"x\"\n\
                    \tat java.base/java.lang.Integer.parseInt(Integer.java:668)\n\
                    \tat Main.f(Main.java:4)\n\tat Main.main(Main.java:9)\n";
        assert_eq!(origin_of(java).as_deref(), Some("a.BadNumber Main.f(Main.java:4)"));
        let rust =
            "\nthread 'main' (7) panicked at src/main.rs:1:90:\nunknown word: x\nnote: run it\n";
        assert_eq!(origin_of(rust).as_deref(), Some("panic src/main.rs:1:90"));
        assert_eq!(origin_of("terminate called\n  what():  stoi\n"), None);
    }
}
