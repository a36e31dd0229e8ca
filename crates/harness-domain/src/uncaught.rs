//! Tells whether a program ended because nothing caught an exception, by what the runtime of its language writes then. Pure.

use subject::{End, Outcome};

/// What a runtime writes if nothing catches an exception.
struct Trace {
    /// The exit status, which the runtime chooses.
    status: u8,
    /// How a line of standard error begins.
    start: &'static str,
    says: Says,
}

/// Which line says what the exception is.
#[derive(Clone, Copy)]
enum Says {
    /// The line itself.
    Itself,
    /// The one after it.
    Next,
    /// The first one that is not indented, of the last traceback. More lines of its message may follow.
    AfterCalls,
    /// The first one that is not indented in the frame around a group of exceptions.
    InGroup,
    /// The one after the mark of the column.
    AfterCaret,
}

/// Those of Python, Java, JavaScript, Rust and Go.
const TRACES: [Trace; 10] = [
    Trace { status: 1, start: "Traceback (most recent call last):", says: Says::AfterCalls },
    Trace {
        status: 1,
        start: "  + Exception Group Traceback (most recent call last):",
        says: Says::InGroup,
    },
    Trace { status: 1, start: "Exception in thread \"", says: Says::Itself },
    // What handles uncaught exceptions has failed.
    Trace { status: 1, start: "Exception: java.lang.", says: Says::Itself },
    Trace { status: 1, start: "Node.js v", says: Says::AfterCaret },
    Trace { status: 101, start: "thread '", says: Says::Next },
    Trace { status: 2, start: "panic: ", says: Says::Itself },
    Trace { status: 2, start: "fatal error: all goroutines", says: Says::Itself },
    Trace { status: 2, start: "fatal error: concurrent map", says: Says::Itself },
    Trace { status: 2, start: "runtime: goroutine stack exceeds", says: Says::Itself },
];

/// Whether a program ended because nothing caught an exception. It then exits with a status that another program chooses.
pub fn is_uncaught(outcome: &Outcome) -> bool {
    found(outcome).is_some()
}

/// The exception that nothing caught, as the runtime writes it.
pub fn uncaught(outcome: &Outcome) -> Option<String> {
    let (at, trace) = found(outcome)?;
    let text = String::from_utf8_lossy(&outcome.stderr);
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let of = |mut lines: std::slice::Iter<'_, &str>| {
        lines.find(|line| !line.is_empty()).map(|line| (*line).to_owned())
    };
    let said = match trace.says {
        Says::Itself => None,
        Says::Next => of(lines[at + 1..].iter()),
        Says::AfterCalls => {
            let last = lines.iter().rposition(|line| line.starts_with(trace.start)).unwrap_or(at);
            let mut after = lines[last + 1..].iter();
            after.find(|line| !line.is_empty() && !line.starts_with(' ')).map(|&it| it.to_owned())
        }
        Says::InGroup => {
            let mut framed = lines[at..].iter().filter_map(|line| line.strip_prefix("  | "));
            framed.find(|line| !line.starts_with(' ')).map(str::to_owned)
        }
        Says::AfterCaret => {
            let is_mark =
                |line: &&str| line.ends_with('^') && line.trim().trim_matches('^').is_empty();
            let mark = lines[..at].iter().position(is_mark);
            mark.and_then(|mark| of(lines[mark + 1..at].iter()))
        }
    };
    Some(said.unwrap_or_else(|| lines[at].to_owned()))
}

/// The first line of standard error that begins as a runtime's, and its number.
fn found(outcome: &Outcome) -> Option<(usize, &'static Trace)> {
    let End::Exit(status) = outcome.end else { return None };
    let traces: Vec<_> = TRACES.iter().filter(|trace| trace.status == status).collect();
    if traces.is_empty() {
        return None;
    }
    let mut lines = outcome.stderr.split(|&byte| byte == b'\n').enumerate();
    lines.find_map(|(at, line)| {
        let trace = traces.iter().find(|trace| line.starts_with(trace.start.as_bytes()))?;
        Some((at, *trace))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: u8, stderr: &str) -> Outcome {
        let stderr = stderr.into();
        Outcome { end: End::Exit(status), stdout: Vec::new(), stderr, files: [].into() }
    }

    #[test]
    fn the_exception_is_found_in_what_each_runtime_writes() {
        let group = "  + Exception Group Traceback (most recent call last):
  |   File \"a.py\", line 1, in <module>
  |     raise ExceptionGroup(\"many\", [ValueError(\"x\")])
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: x
    +------------------------------------
";
        let node = "a.js:1
throw new Error(\"bad input\")
^

Error: bad input
    at Object.<anonymous> (a.js:1:7)

Node.js v20.20.2
";
        let chained = "Traceback (most recent call last):
  File \"a.py\", line 2, in <module>
ValueError: x

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File \"a.py\", line 4, in <module>
OSError: y
";
        for (status, stderr, exception) in [
            (
                1,
                "Traceback (most recent call last):\n  File \"a.py\"\nValueError: x\n",
                "ValueError: x",
            ),
            (1, "Traceback (most recent call last):\nValueError: x\nas y\n", "ValueError: x"),
            (1, chained, "OSError: y"),
            (1, group, "ExceptionGroup: many (1 sub-exception)"),
            (1, node, "Error: bad input"),
            (1, "a.js:1\nthrow \"text\"\n^\ntext\n(Use `node ...`)\n\nNode.js v20.1.0\n", "text"),
            (
                1,
                "Exception in thread \"main\" java.lang.Exception: no\n\tat A.main(A.java:1)\n",
                "Exception in thread \"main\" java.lang.Exception: no",
            ),
            (101, "\nthread 'main' (7) panicked at a.rs:1:2:\nno number\nnote: ...\n", "no number"),
            (2, "panic: no number\n\ngoroutine 1 [running]:\n", "panic: no number"),
            (
                2,
                "fatal error: concurrent map writes\n\ngoroutine 1 [running]:\n",
                "fatal error: concurrent map writes",
            ),
            (
                2,
                "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n",
                "runtime: goroutine stack exceeds 1000000000-byte limit",
            ),
        ] {
            assert_eq!(uncaught(&outcome(status, stderr)).as_deref(), Some(exception));
        }
    }

    #[test]
    fn a_message_that_a_program_writes_itself_is_no_exception() {
        assert!(!is_uncaught(&outcome(1, "error: Traceback (most recent call last):\n")));
        assert!(!is_uncaught(&outcome(2, "Traceback (most recent call last):\n")));
        assert!(!is_uncaught(&outcome(1, "Exception: no number\n")));
    }
}
