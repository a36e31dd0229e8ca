//! The proposals of the last run, kept in the folder of what was built, for `--accept`.

use crate::candidates::notation::Notation;
use crate::candidates::{Candidate, Import, Part, marked};
use harness::catalogue::Witness;
use harness::course::{Assignment, Course};
use harness::diagnostic::{Failure, Problem};
use harness::files;
use harness::hash::fnv1a;
use harness::run::build;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A part of a source, and what it becomes.
pub(super) type Edit = (Range<usize>, String);

/// The proposals, and a hash of each source that they change.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    sources: BTreeMap<PathBuf, u64>,
    notation: Notation,
    /// What makes the mark of a bug known, for each source that lacks it.
    imports: BTreeMap<PathBuf, Import>,
    pub(super) proposals: Vec<KeptProposal>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct KeptProposal {
    pub(super) number: usize,
    pub(super) file: PathBuf,
    pub(super) candidate: Candidate,
    /// `None` if it is not UTF-8 text, and YAML is.
    pub(super) witness: Option<Witness>,
    /// The topic of the nearest mutant.
    pub(super) topic: Option<String>,
}

impl Kept {
    pub(super) fn new(
        proposals: Vec<KeptProposal>,
        notation: Notation,
        imports: BTreeMap<PathBuf, Import>,
    ) -> Self {
        let mut kept = Self { sources: BTreeMap::new(), notation, imports, proposals };
        for proposal in &kept.proposals {
            let hash = fs::read(&proposal.file).map_or(0, |text| fnv1a(&text));
            kept.sources.insert(proposal.file.clone(), hash);
        }
        kept
    }

    /// The text of a source, if it is as it was when the proposals were made.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn source(&self, file: &Path) -> Result<String, Failure> {
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::machine(format!("read {}", file.display()), error))?;
        if self.sources.get(file) == Some(&fnv1a(text.as_bytes())) {
            return Ok(text);
        }
        let message = format!("{} has changed since the proposals were made", file.display());
        let hint = "run `harness mutants propose` again without `--accept`";
        Err(Failure::usage(Problem::new(message).hint(hint)))
    }

    /// The edits that write a proposal into its source, in order, and the text that the source becomes.
    pub(super) fn written(
        &self,
        proposal: &KeptProposal,
        source: &str,
        mark: &str,
    ) -> (Vec<Edit>, String) {
        let mut edits = marked::edits(source, self.notation, &proposal.candidate, mark);
        let import = self.imports.get(&proposal.file);
        edits.extend(import.map(|import| (import.at..import.at, import.text.clone())));
        edits.sort_by_key(|(range, _)| range.start);
        let text = marked::replaced(source, 0..source.len(), edits.clone());
        (edits, text)
    }

    /// Removes an accepted proposal and those that overlap it, and moves the others in its source, which now contains `text`.
    pub(super) fn accepted(&mut self, number: usize, edits: &[Edit], text: &str) {
        let Some(at) = self.proposals.iter().position(|proposal| proposal.number == number) else {
            return;
        };
        let file = self.proposals.remove(at).file;
        let is_apart = |part: &Part| {
            let apart =
                |(range, _): &Edit| part.place.end <= range.start || range.end <= part.place.start;
            edits.iter().all(apart)
        };
        self.proposals
            .retain(|other| other.file != file || other.candidate.parts.iter().all(is_apart));
        let moved = |at: usize| {
            let before = edits.iter().filter(|(range, _)| range.end <= at);
            before.fold(at, |at, (range, new)| at + new.len() - range.len())
        };
        for other in self.proposals.iter_mut().filter(|other| other.file == file) {
            for Part { place, range, .. } in &mut other.candidate.parts {
                // Both ends move alike: no edit is inside.
                let by = moved(place.start) - place.start;
                *place = place.start + by..place.end + by;
                *range = range.start + by..range.end + by;
            }
        }
        self.imports.remove(&file);
        self.sources.insert(file, fnv1a(text.as_bytes()));
    }
}

pub(super) fn keep(course: &Course, assignment: &Assignment, kept: &Kept) -> Result<(), Failure> {
    let path = path(course, assignment);
    let json = serde_json::to_vec(kept).expect("all parts have a form in JSON");
    files::replace(&path, &json)
        .map_err(|error| Failure::machine(format!("write {}", path.display()), error))
}

/// The proposals of the last run.
///
/// # Errors
/// If there are none.
pub(super) fn read(course: &Course, assignment: &Assignment) -> Result<Kept, Failure> {
    let kept = fs::read(path(course, assignment)).ok();
    kept.and_then(|json| serde_json::from_slice(&json).ok()).ok_or_else(|| {
        let message = format!("nothing has been proposed for `{}` yet", assignment.id);
        let hint = "run `harness mutants propose` first without `--accept`";
        Failure::usage(Problem::new(message).hint(hint))
    })
}

fn path(course: &Course, assignment: &Assignment) -> PathBuf {
    build::target_folder(course, assignment).join("proposals.json")
}
