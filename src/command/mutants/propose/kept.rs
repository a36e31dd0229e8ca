//! The proposals of the last run, kept in the folder of what was built, for `--accept`.

use crate::catalogue::Witness;
use crate::catalogue::candidates::Candidate;
use crate::course::{Assignment, Course};
use crate::files;
use crate::hash::fnv1a;
use crate::problem::{Failure, Problem};
use crate::run::build;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The proposals, and a hash of each source that they change.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    sources: BTreeMap<PathBuf, u64>,
    pub(super) proposals: Vec<KeptProposal>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct KeptProposal {
    pub(super) number: usize,
    pub(super) file: PathBuf,
    pub(super) candidate: Candidate,
    /// `None` if it is not UTF-8 text, and YAML is.
    pub(super) witness: Option<Witness>,
    /// The area of the nearest mutant.
    pub(super) area: Option<String>,
}

impl Kept {
    pub(super) fn new(proposals: Vec<KeptProposal>) -> Self {
        let mut kept = Self { sources: BTreeMap::new(), proposals };
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

    /// Removes an accepted proposal and those that overlap it, and moves those behind it, because `file` now contains `text`.
    pub(super) fn accepted(&mut self, number: usize, before: &str, text: &str) {
        let Some(at) = self.proposals.iter().position(|proposal| proposal.number == number) else {
            return;
        };
        let accepted = self.proposals.remove(at);
        let place = accepted.candidate.place;
        self.proposals.retain(|other| {
            let other_place = &other.candidate.place;
            let is_apart = other_place.end <= place.start || place.end <= other_place.start;
            other.file != accepted.file || is_apart
        });
        for other in self.proposals.iter_mut().filter(|other| other.file == accepted.file) {
            if other.candidate.place.start >= place.end {
                let moved = |at: usize| at + text.len() - before.len();
                let Candidate { place, range, .. } = &mut other.candidate;
                *place = moved(place.start)..moved(place.end);
                *range = moved(range.start)..moved(range.end);
            }
        }
        self.sources.insert(accepted.file, fnv1a(text.as_bytes()));
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
