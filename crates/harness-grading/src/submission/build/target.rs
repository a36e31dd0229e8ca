//! Which of the course's commands builds a submission: the first one whose targets the Makefile has, as `make` itself says.
//!
//! Only `make` knows which targets a Makefile has, because it includes files, has rules for patterns, and computes names. So `make`
//! prints its database, in the sandbox, as all that runs what a student wrote.

use crate::course::submission::targets;

/// The words that make `make` print what it knows of the targets of `command`, and build nothing.
pub(super) fn question(command: &[String]) -> Vec<String> {
    let more = ["--question", "--print-data-base"].map(str::to_owned);
    command.iter().cloned().chain(more).collect()
}

/// Whether the database that `make` printed has all targets of `command`.
pub(super) fn has_all(database: &str, command: &[String]) -> bool {
    // Before the files come variables, whose values the Makefile writes.
    let files = database.rsplit_once("\n# Files\n").map_or("", |(_, files)| files);
    targets(command)
        .into_iter()
        .all(|target| files.split("\n\n").any(|entry| is_rule(entry, target)))
}

/// Whether an entry of the database is a rule that can make `target`.
fn is_rule(entry: &str, target: &str) -> bool {
    let lines: Vec<_> = entry.trim_start_matches('\n').lines().collect();
    let after = |line: &'_ &str| {
        let rest = line.strip_prefix(target)?.strip_prefix(':')?;
        Some(rest.trim_start_matches(':').trim().to_owned())
    };
    // Variables of the target stand before it.
    let is_about = |pair: &[&str]| pair[1].starts_with("#  ") && after(&pair[0]).is_some();
    let Some(at) = lines.windows(2).position(is_about) else { return false };
    if at > 0 && lines[at - 1] == "# Not a target:" {
        return false;
    }
    let needs = after(&lines[at]).unwrap_or_default();
    let says = |text: &str| lines[at..].iter().any(|line| line.starts_with(text));
    // A rule for files of any name says nothing about this one, and a name that is only declared to be phony makes nothing.
    let is_of_any_name = says("#  Implicit rule search has been done.")
        && says(&format!("#  Implicit/static pattern stem: '{target}'"));
    !needs.is_empty() || (says("#  recipe to execute") && !is_of_any_name)
}
