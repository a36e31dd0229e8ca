//! The tests of Rust, as `cargo test` runs them.

use super::{Failed, Framework};

pub(super) struct Cargo;

/// What is said of a test with `should_panic(expected = …)` that panics otherwise.
const OTHER_PANIC: &str = "note: panic did not contain expected string";

impl Framework for Cargo {
    fn passed(&self, status: u8, printed: &[u8]) -> bool {
        status == 0 && String::from_utf8_lossy(printed).contains("\ntest result: ok.")
    }

    fn form(&self) -> &'static str {
        "a function with `#[test]`"
    }

    fn list(&self) -> &'static [&'static str] {
        &["--list"]
    }

    /// `NAME: test` on a line, between other lines.
    fn cases(&self, listed: &str) -> Vec<String> {
        listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
    }

    fn run(&self, case: &str, _: usize) -> Vec<String> {
        ["--exact", case, "--test-threads=1"].map(str::to_owned).into()
    }

    /// `test NAME ... ignored`, and a reason behind a comma.
    fn skipped(&self, printed: &str) -> Option<String> {
        let tests = printed.lines().filter(|line| line.starts_with("test "));
        let mut ignored = tests.filter_map(|line| line.split_once(" ... ignored"));
        ignored.next().map(|(_, reason)| reason.trim_start_matches([',', ' ']).to_owned())
    }

    /// `thread 'NAME' panicked at FILE:LINE:COLUMN:`, and the message on the lines below. The last panic of the test's own thread counts:
    /// a test can catch others. A test that panics nowhere, or with another message than it should, has its message below `---- NAME
    /// stdout ----`.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines().skip_while(|line| !line.starts_with("---- "));
        let name = lines.next()?.strip_prefix("---- ")?.strip_suffix(" stdout ----")?;
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        if let Some(at) = lines.iter().position(|line| line.starts_with(OTHER_PANIC)) {
            let said: Vec<_> = lines[at..].iter().take(3).map(|line| line.trim()).collect();
            return Some(Failed { line: None, message: said.join("; ").replacen("note: ", "", 1) });
        }
        let own = [format!("thread '{name}'"), "thread 'main'".to_owned()];
        let is_own = |line: &&str| own.iter().any(|own| line.starts_with(own));
        let panicked =
            lines.iter().rposition(|line| is_own(line) && line.contains(" panicked at "));
        let message = lines.iter().skip(panicked.map_or(0, |at| at + 1)).map(|line| line.trim());
        let is_message = |line: &&str| !line.starts_with("note: run with") && *line != "failures:";
        let message = message.take_while(is_message).take(4).collect::<Vec<_>>().join("; ");
        let place = panicked.and_then(|at| lines[at].split_once(" panicked at "));
        let place = place.map(|(_, place)| place.trim_end_matches(':'));
        match place.and_then(|place| Some((place, place.split(':').nth(1)?.parse().ok()))) {
            // The file of tests is in the folder in which it is compiled.
            Some((place, line)) if !place.contains('/') => Some(Failed { line, message }),
            Some((place, _)) => {
                Some(Failed { line: None, message: format!("{message} ({place})") })
            }
            None => Some(Failed { line: None, message }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_with_its_line_unless_it_is_in_the_library() {
        let at = |place: &str| {
            let printed = format!(
                "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n\nthread 'a' (7) panicked at {place}:\nassertion `left == right` failed\n  left: 3\n right: 4\nnote: run with `RUST_BACKTRACE=1`\n\n\nfailures:\n    a\n"
            );
            Cargo.failure(&printed).unwrap()
        };
        let message = "assertion `left == right` failed; left: 3; right: 4";
        assert_eq!(at("t.rs:5:9"), Failed { line: Some(5), message: message.to_owned() });
        let inside = format!("{message} (/a/src/lib.rs:5:9)");
        assert_eq!(at("/a/src/lib.rs:5:9"), Failed { line: None, message: inside });
    }

    #[test]
    fn a_test_that_is_ignored_is_skipped() {
        let skipped = |end: &str| Cargo.skipped(&format!("running 1 test\ntest a ... {end}\n\n"));
        assert_eq!(skipped("ignored, too slow"), Some("too slow".to_owned()));
        assert_eq!(skipped("ignored"), Some(String::new()));
        assert_eq!(skipped("ok"), None);
    }

    #[test]
    fn panics_that_a_test_catches_do_not_count() {
        let printed = "---- a stdout ----\n\nthread '<unnamed>' (8) panicked at t.rs:3:9:\nfirst\n\nthread 'a' (7) panicked at src/lib.rs:9:1:\ncaught\n\nthread 'a' (7) panicked at t.rs:5:9:\nlast\n";
        let failed = Failed { line: Some(5), message: "last".to_owned() };
        assert_eq!(Cargo.failure(printed), Some(failed));
    }

    #[test]
    fn a_test_that_panics_otherwise_than_it_should_says_so() {
        let printed = "---- a stdout ----\n\nthread 'a' (7) panicked at src/lib.rs:9:1:\nby zero\nnote: panic did not contain expected string\n      panic message: \"by zero\"\n expected substring: \"division\"\n\nfailures:\n";
        let message = "panic did not contain expected string; panic message: \"by zero\"; expected substring: \"division\"".to_owned();
        assert_eq!(Cargo.failure(printed), Some(Failed { line: None, message }));
    }

    #[test]
    fn a_test_that_does_not_panic_has_its_own_message() {
        let printed = "failures:\n\n---- a stdout ----\nError: \"no\"\n\nfailures:\n    a\n";
        let failed = Failed { line: None, message: "Error: \"no\"".to_owned() };
        assert_eq!(Cargo.failure(printed), Some(failed));
    }
}
