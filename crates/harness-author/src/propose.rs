//! `harness mutants propose`: candidates for mutants from the reference's source. It changes nothing without `--accept`.

mod accept;
mod build;
mod kept;
mod search;

use crate::candidates::Candidate;
use crate::gain::Gain;
use crate::report::proposed::{
    Change, Nearest, Other, Proposal, Proposed, SCHEMA, Sanitizers, Twin,
};
use build::Built;
use harness::catalogue::Witness;
use harness::catalogue::expected::Expected;
use harness::catalogue::solution::SourceFile;
use harness::cli::mutants::Propose;
use harness::command::print;
use harness::command::terminal;
use harness::course::{Assignment, Course};
use harness::diagnostic::Failure;
use harness::diagnostic::progress::Progress;
use harness::exit::Exit;
use harness::generate::Evaluator;
use harness::result::{engines, explain};
use harness::run::build::Variant;
use harness::run::programs::Run;
use harness::run::sanitized::{self, Sanitized};
use harness::run::work::Work;
use harness::suite::decode;
use search::{Search, Smallest};
use std::collections::BTreeMap;
use subject::wire::MutantSet;

pub(super) fn run(work: &Work, options: &Propose) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    if let Some(number) = options.accept {
        return accept::accept(options, &course, assignment, number);
    }
    terminal::warn_of_differences(&course, assignment)?;
    let (built, programs) = build::build(work, &course, assignment, options)?;
    let mut evaluator = Evaluator::of(&built.copy, built.mutants.clone(), programs)?;
    let search = search::search(options, &course, assignment, &built, &mut evaluator)?;
    let checked = Checked::default();
    let mut proposals =
        Proposals { options, assignment, built: &built, evaluator, search, checked };
    proposals.check_undefined(&course);
    let report = proposals.report()?;
    kept::keep(&course, assignment, &proposals.kept(&report))?;
    print("the proposals", &report, options.format)?;
    Ok(Exit::Done)
}

/// Makes a report of what was found.
struct Proposals<'a> {
    options: &'a Propose,
    assignment: &'a Assignment,
    built: &'a Built,
    evaluator: Evaluator<'a>,
    search: Search,
    checked: Checked,
}

/// What the sanitizers found.
#[derive(Default)]
struct Checked {
    /// `None` if they are not for this program.
    sanitizers: Option<Sanitizers>,
    /// What they say of candidates.
    found: BTreeMap<usize, String>,
}

impl Proposals<'_> {
    /// Runs candidates under the sanitizers, until as many are fine as are shown. What they report is ranked last.
    fn check_undefined(&mut self, course: &Course) {
        let ranked = &mut self.search.comparison.ranked;
        let Some(first) = ranked.first().filter(|_| sanitized::is_for(self.assignment)) else {
            return;
        };
        let found = &self.search.found;
        let witness = |at: usize| decode::case_of_draft(self.assignment, &found[&at].draft);
        let case = witness(first.candidate);
        let work = self.evaluator.programs.work();
        let Some(sanitized) =
            Sanitized::build(work, course, &self.built.copy, Variant::Combined, &case)
        else {
            self.checked.sanitizers = Some(Sanitizers::default());
            return;
        };
        let _progress = Progress::new("running the proposals under sanitizers", None);
        let reference = sanitized.reference().map(str::to_owned);
        self.checked.sanitizers = Some(Sanitizers { ran: true, reference });
        let mut fine = 0;
        for gain in ranked.iter() {
            let at = gain.candidate;
            let mut cases = vec![witness(at)];
            cases.extend(self.search.comparison.exposing[&at].iter().cloned());
            match sanitized.finding(&self.built.mutants[at].id, &cases) {
                Some(finding) => drop(self.checked.found.insert(at, finding)),
                None => fine += 1,
            }
            if fine == self.options.limit {
                break;
            }
        }
        ranked.sort_by_key(|gain| self.checked.found.contains_key(&gain.candidate));
    }

    fn report(&mut self) -> Result<Proposed, Failure> {
        let shown = self.options.limit.min(self.search.comparison.ranked.len());
        let progress = Progress::new("running the proposals", None);
        let mut proposals = Vec::new();
        for at in 0..shown {
            let gain = self.search.comparison.ranked[at].clone();
            proposals.extend(self.proposal(at + 1, &gain)?);
        }
        drop(progress);
        let built = self.built;
        let Search { enumerated, sampled, out_of_time, found, hanging, comparison } = &self.search;
        let twins = comparison.twins.iter();
        let twins =
            twins.map(|(&twin, &of)| Twin { change: self.change(twin), of: self.other(of) });
        let is_equivalent = |at: &usize| !found.contains_key(at) && !hanging.contains(*at);
        let equivalent = (built.known..built.mutants.len()).filter(is_equivalent);
        let candidates = built.mutants.len() - built.known;
        Ok(Proposed {
            schema: SCHEMA.to_owned(),
            assignment: self.assignment.id.clone(),
            seed: self.options.seed,
            candidates,
            not_compiled: built.mutated_copy.count() - candidates,
            hanging: hanging.len(),
            enumerated_size: enumerated.reach.size,
            alphabet: self.evaluator.generator.alphabet().to_owned(),
            enumerated: enumerated.cases,
            sampled: *sampled,
            out_of_time: *out_of_time,
            compared: comparison.cases,
            found: comparison.ranked.len(),
            proposals,
            twins: twins.collect(),
            equivalent: equivalent.map(|at| self.change(at)).collect(),
            sanitizers: self.checked.sanitizers.clone(),
            engines: engines::slower(self.evaluator.programs.slower()),
            discarded: self.evaluator.programs.discarded().into(),
        })
    }

    /// The proposal with this number, unless a process does not confirm that its smallest case exposes it.
    fn proposal(&mut self, number: usize, gain: &Gain) -> Result<Option<Proposal>, Failure> {
        let Smallest { draft, certified } = &self.search.found[&gain.candidate];
        let claim = self.evaluator.claim(draft, MutantSet::from_iter([gain.candidate]));
        let confirmed = self.evaluator.programs.confirm(&[claim])?.remove(0);
        if confirmed.is_none_or(|confirmed| !confirmed.contains(gain.candidate)) {
            return Ok(None);
        }
        let case = decode::case_of_draft(self.assignment, draft);
        let mutants = MutantSet::from_iter([gain.candidate]);
        let row = self.evaluator.programs.outcomes_of(&[Run { case: &case, mutants }])?.remove(0);
        let difference = row.difference(gain.candidate).expect("its smallest case exposes it");
        let domain = &*self.assignment.domain;
        let difference = explain::difference(domain, &row.reference, difference)
            .expect("the outcomes are asked for");
        let (built, comparison) = (self.built, &self.search.comparison);
        let nearest = gain.nearest.map(|at| Nearest {
            id: built.mutants[at].id.clone(),
            topic: built.mutants[at].topic.clone(),
        });
        let exposed = comparison.exposed[gain.candidate] as f64;
        Ok(Some(Proposal {
            number,
            id: self.candidate(gain.candidate).1.default_id(),
            change: self.change(gain.candidate),
            witness: Witness {
                flags: draft.flags.clone(),
                input: String::from_utf8_lossy(&draft.input).into_owned(),
                expected: Expected::of(&row.reference),
            },
            size: self.evaluator.generator.size(&draft.input),
            certified: *certified,
            chance: exposed / comparison.random.max(1) as f64,
            nearest,
            implied_by: gain.implied_by.map(|at| self.other(at)),
            undefined: self.checked.found.get(&gain.candidate).cloned(),
            difference,
        }))
    }

    /// A candidate with its source, by its index in the evaluator.
    fn candidate(&self, at: usize) -> (&SourceFile, &Candidate) {
        let number = self.built.numbers[at - self.built.known];
        self.built.mutated_copy.candidate(number)
    }

    fn change(&self, at: usize) -> Change {
        let (source, candidate) = self.candidate(at);
        let (line, before, after) = candidate.lines(&source.text);
        let file = self.built.mutated_copy.folder().join(&source.path).display().to_string();
        Change {
            file: file.strip_prefix("./").unwrap_or(&file).to_owned(),
            line,
            function: candidate.function.clone(),
            operator: candidate.operator,
            before,
            after,
        }
    }

    fn other(&self, at: usize) -> Other {
        let ranked = &self.search.comparison.ranked;
        match ranked.iter().position(|gain| gain.candidate == at) {
            Some(place) => Other::Proposal(place + 1),
            None => Other::Mutant(self.built.mutants[at].id.clone()),
        }
    }

    /// The proposals of the report as `--accept` needs them.
    fn kept(&self, report: &Proposed) -> kept::Kept {
        let kept = report.proposals.iter().map(|proposal| {
            let at = self.search.comparison.ranked[proposal.number - 1].candidate;
            let (source, candidate) = self.candidate(at);
            let is_text = str::from_utf8(&self.search.found[&at].draft.input).is_ok();
            kept::KeptProposal {
                number: proposal.number,
                file: self.built.mutated_copy.folder().join(&source.path),
                candidate: candidate.clone(),
                witness: is_text.then(|| proposal.witness.clone()),
                topic: proposal.nearest.as_ref().map(|near| near.topic.clone()),
            }
        });
        let kept: Vec<_> = kept.collect();
        let imports = report.proposals.iter().zip(&kept).filter_map(|(proposal, kept)| {
            let at = self.search.comparison.ranked[proposal.number - 1].candidate;
            let import =
                self.built.mutated_copy.import(self.built.numbers[at - self.built.known])?;
            Some((kept.file.clone(), import.clone()))
        });
        let imports = imports.collect();
        kept::Kept::new(kept, self.built.mutated_copy.notation(), imports)
    }
}
