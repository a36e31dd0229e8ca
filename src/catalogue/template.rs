//! The file of a new mutant, to be filled in. It is read as it is, so that a witness can be found before the words are; `mutants
//! verify` asks for what is left empty.

/// The file of the mutant `id`, in a catalogue that has these areas so far.
pub fn template(id: &str, areas: &[&str]) -> String {
    let areas =
        if areas.is_empty() { String::new() } else { format!(" So far: {}.", areas.join(", ")) };
    format!(
        "# The bug in one sentence that says what the program does: \"Opens all doors once any button is pressed.\"
summary: \"\"
# misreading: the document was understood wrongly. implementation: it was understood, and the code does something else.
kind: implementation
# The part of the assignment.{areas}
area: \"\"
# Where the document says otherwise: its heading, and what it says there.
spec: \"\"
# What helps a student to find the bug without giving it away.
hint: \"\"
# What exposing it is worth.
points: 1
# Declare what is special about it, if anything is:
# expect: {{ how: timeout }}         it is exposed in this way: output, exit, crash, timeout, memory or output-limit
# expect: {{ equivalent: \"why\" }}    nothing can expose it; then it is no bug that counts, and needs no witness
# `harness mutants witness {id}` writes the smallest test that exposes it behind this line.
"
    )
}
