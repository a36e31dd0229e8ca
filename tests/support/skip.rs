//! Tests of what this machine lacks.

/// Reports that a test is skipped because something is missing on this machine. Under `CI=true`, that is a failure.
#[track_caller]
pub(crate) fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "CI=true allows no skipped test: {reason}"
    );
}
