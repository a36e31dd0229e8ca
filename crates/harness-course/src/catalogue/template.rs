//! The catalogue file of a new mutant, for the instructor to fill in. It is valid as it is, so that a witness can be found first.
//! `mutants verify` reports what is still empty.

use super::{Witness, witness};

/// The file of a mutant whose summary is known.
pub(super) fn described(id: &str, summary: &str) -> String {
    template(id, &[], false).replacen("summary: \"\"", &format!("summary: \"{summary}\""), 1)
}

/// The file of the mutant `id`, which a test case of the course's own file exposes if tests are unit tests. `topics` are those that the
/// catalogue uses so far.
pub fn template(id: &str, topics: &[&str], is_unit: bool) -> String {
    let (how, witness) = if is_unit {
        (
            "a test case exposes it in this way: exit, which a failed assertion is, crash, timeout or memory",
            String::new(),
        )
    } else {
        (
            "its witness exposes it in this way: output, exit, crash, timeout, memory or output-limit",
            format!(
                "# `harness mutants witness {id}` appends the smallest test that exposes it.\n"
            ),
        )
    };
    let topics =
        if topics.is_empty() { String::new() } else { format!(" So far: {}.", topics.join(", ")) };
    format!(
        "# The bug in one sentence. Say what the program does:  \"Opens all doors once any button is pressed.\"
summary: \"\"
# misreading: the specification was misunderstood. implementation: it was understood, but the code does something else.
kind: implementation
# The part of the assignment that the bug is in.{topics}
topic: \"\"
# The place in the specification that the bug violates: the heading, and what it says there.
spec: \"\"
# Helps a student to find the bug without giving it away.
hint: \"\"
# The points for exposing it.
points: 1
# Optional:
# expect: {{ how: timeout }}         {how}
# expect: {{ equivalent: \"why\" }}    no test can expose it; it does not count and needs no witness
{witness}"
    )
}

/// The file of a mutant that somebody has to write, with its witness: the most readable form first. `notes` are the first lines.
pub(super) fn prepared(
    id: &str,
    topics: &[&str],
    notes: &[String],
    witness: &Witness,
) -> Vec<String> {
    let template = template(id, topics, false);
    let (keys, _) = template.split_once("# `harness mutants witness").unwrap_or((&template, ""));
    let notes: String =
        notes.iter().map(|note| format!("# {note}").trim_end().to_owned() + "\n").collect();
    witness::texts(&format!("{notes}{keys}"), witness)
}
