//! Writes a catalogue file for each deviation that no mutant represents. A file that is there is kept, because somebody may have
//! filled it in.

use crate::mining::Shown;
use crate::mining::smallest::Smallest;
use harness::catalogue::expected::Expected;
use harness::catalogue::{self, Mutant, Witness};
use harness::course::Assignment;
use harness::diagnostic::{Failure, printable};
use harness::files;
use harness::hash::Digest;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use subject::Outcome;

/// Lines of output in a comment.
const MOST_LINES: usize = 20;

/// A deviation to write a file for.
pub(super) struct Prepared<'a> {
    pub(super) assignment: &'a Assignment,
    pub(super) mutants: &'a [Mutant],
    /// The programs that have it, and the one that it is shown in.
    pub(super) programs: &'a [String],
    pub(super) example: &'a str,
    pub(super) smallest: &'a Smallest,
}

impl Prepared<'_> {
    /// Writes the file into `folder`, and gives its path. `None` if the witness cannot be written as YAML. `taken` are the names of the
    /// files of other deviations.
    pub(super) fn write(
        &self,
        folder: &Path,
        taken: &mut BTreeSet<String>,
    ) -> Result<Option<String>, Failure> {
        let Smallest { draft, reference, .. } = self.smallest;
        let id = self.id(taken);
        let Ok(input) = String::from_utf8(draft.input.clone()) else { return Ok(None) };
        let expected = Expected::of(reference);
        let witness = Witness { flags: draft.flags.clone(), input, expected };
        let topics = self.mutants.iter().map(|mutant| mutant.topic.as_str());
        let topics: BTreeSet<_> = topics.filter(|topic| !topic.is_empty()).collect();
        let topics: Vec<_> = topics.into_iter().collect();
        let notes = self.notes();
        let text = catalogue::prepared(&id, &topics, &notes, &witness, self.assignment);
        let Some(text) = text else { return Ok(None) };
        let file = folder.join(format!("{id}.yaml"));
        match files::create_with_folders(&file, text.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(Failure::machine(format!("write {}", file.display()), error))
            }
            _ => Ok(Some(file.display().to_string())),
        }
    }

    /// A name that the same deviation gets again when a run continues. Two deviations can have the same smallest test, on which they show
    /// different things, or even the same.
    fn id(&self, taken: &mut BTreeSet<String>) -> String {
        let Smallest { draft, how, program, .. } = self.smallest;
        let shown = Shown::of(*how, program).outcome.to_le_bytes();
        let digest = Digest::default().with(&draft.flags).with(&draft.input).with(shown).hex();
        let first = format!("mined-{}", &digest[..8]);
        let numbered = (2..).map(|number| format!("{first}-{number}"));
        let mut names = std::iter::once(first.clone()).chain(numbered);
        names.find(|name| taken.insert(name.clone())).expect("the numbers do not end")
    }

    /// What was seen, for the person who fills in the file.
    fn notes(&self) -> Vec<String> {
        let mutants = self.assignment.mutants.display();
        let mut notes = vec![
            format!("Seen in {}.", self.programs.join(", ")),
            format!("The witness is at the end. On it, {}", self.example),
        ];
        notes.extend(lines(&self.smallest.program));
        notes.push(
            "To adopt it, write the bug into the reference, fill in what is empty here,".to_owned(),
        );
        notes.push(format!("and give this file the name of the bug, in {mutants}."));
        notes.push(String::new());
        notes
    }
}

/// What a program did, in lines.
fn lines(program: &Outcome) -> Vec<String> {
    let text = String::from_utf8_lossy(&program.stdout).into_owned();
    let printed = text.lines().take(MOST_LINES).map(|line| format!("  {}", printable(line)));
    let end = match &program.end {
        subject::End::Exit(status) => format!("  exits with status {status}, and prints"),
        subject::End::Crash(how) => format!("  crashes ({}), and prints", printable(how)),
        subject::End::Timeout => "  does not finish, and prints".to_owned(),
        subject::End::Memory => "  runs out of memory, and prints".to_owned(),
        subject::End::OutputLimit => "  prints too much:".to_owned(),
    };
    std::iter::once(end).chain(printed).collect()
}
