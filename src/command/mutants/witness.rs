//! `harness mutants witness`: finds the smallest test that exposes a mutant, and writes it into the catalogue with what the reference
//! does on it.

mod record;
mod unit;

use super::corpus::{self, Corpus, FEW_SAMPLES};
use super::{Choice, choose, print, twins};
use crate::catalogue::expected::Expected;
use crate::catalogue::sites::Sites;
use crate::catalogue::{self, Mutant};
use crate::cli::mutants::Witness;
use crate::command::generate::{budget, has_tried};
use crate::command::given_up;
use crate::course::Course;
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::domain::Draft;
use crate::domain::How;
use crate::exit::Exit;
use crate::generate::enumerate::{self, Certificate, Enumerated};
use crate::generate::lenient::{self, Lenient};
use crate::generate::{Evaluator, reduce, sample};
use crate::interrupt;
use crate::report::witnessed::{
    FoundWitness, Status, Witnessed, WitnessedAssignment, WitnessedMutant,
};
use crate::result::engines;
use crate::result::verify;
use crate::run::differences::Differences;
use crate::run::prepare;
use crate::run::programs::Run;
use crate::run::work::Work;
use crate::suite::decode;
use std::collections::BTreeMap;
use subject::wire::MutantSet;

pub(super) fn run(work: &Work, options: &Witness) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut report = Witnessed::default();
    let choices = choose(&course, &options.which, &options.ids)?;
    let all_are_unit = choices.iter().all(|choice| choice.assignment.unit.is_some());
    for choice in &choices {
        match &choice.assignment.unit {
            // Their witnesses say themselves what the reference does.
            Some(_) if options.record && !all_are_unit => {}
            Some(tests) => unit::can_draw(options, choice.assignment, tests)?,
            None => {}
        }
    }
    for choice in choices {
        if let Some(tests) = &choice.assignment.unit {
            if !options.record {
                report.drawn.extend(unit::witness(work, options, &course, &choice, tests)?);
            }
            continue;
        }
        if options.record {
            report.recorded.extend(record::record(work, options, &course, &choice)?);
            continue;
        }
        let selected = selected(options, &choice)?;
        if !selected.is_empty() {
            report.assignments.push(witness(work, options, &course, &choice, &selected)?);
        }
    }
    print("the result", &report, options.which.format)?;
    Ok(Exit::Done)
}

/// The mutants to search a witness for. A mutant that is declared equivalent has none.
fn selected<'a>(options: &Witness, choice: &'a Choice<'_>) -> Result<Vec<&'a Mutant>, Failure> {
    let all = choice.selected().map(|(_, mutant)| mutant);
    if !options.ids.is_empty() {
        let mut all = all;
        if let Some(mutant) = all.find(|mutant| !mutant.is_a_bug()) {
            let message = format!("`{}` is declared equivalent", mutant.id);
            let hint = "nothing can expose it; remove `expect` if that is wrong";
            return Err(Failure::usage(
                Problem::new(message).at(mutant.place("expect")).hint(hint),
            ));
        }
        return Ok(choice.selected().map(|(_, mutant)| mutant).collect());
    }
    Ok(all
        .filter(|mutant| mutant.is_a_bug() && (!options.missing || mutant.witness.is_none()))
        .collect())
}

/// Checks that the source asks for each mutant. If it does not, nothing can expose the mutant.
fn are_asked_for(
    course: &Course,
    choice: &Choice<'_>,
    selected: &[&Mutant],
) -> Result<(), Failure> {
    let differences = Differences::find(course, choice.assignment, &choice.mutants)?;
    let is_selected = |index: usize| selected.iter().any(|it| it.id == choice.mutants[index].id);
    let unwritten = differences.unwritten.into_iter().filter(|(index, _)| is_selected(*index));
    let mut problems: Vec<_> = unwritten.map(|(_, problem)| problem).collect();
    if let Some(sites) = Sites::read(choice.assignment)? {
        let sites = Sites { conditions: Vec::new(), ..sites };
        problems.extend(verify::sites(selected, &sites));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure { kind: FailureKind::Course, problems }) }
}

fn witness(
    work: &Work,
    options: &Witness,
    course: &Course,
    choice: &Choice<'_>,
    selected: &[&Mutant],
) -> Result<WitnessedAssignment, Failure> {
    let assignment = choice.assignment;
    are_asked_for(course, choice, selected)?;
    let mut evaluator = Evaluator::build(work, course, assignment, prepare::jobs(options.jobs))?;
    let targets: MutantSet = selected
        .iter()
        .filter_map(|mutant| evaluator.mutants.iter().position(|other| other.id == mutant.id))
        .collect();
    interrupt::listen(&work.cancellation);
    evaluator.limit(budget(options.budget)?);
    let mut search = Search { evaluator, targets };
    let mut candidates = search.candidates(options)?;
    let (enumerated, sampled) = (candidates.enumerated.cases, candidates.sampled);
    let out_of_time = search.evaluator.out_of_time();
    has_tried(work, enumerated + sampled, out_of_time, options.budget)?;
    // A slow mutant would take the time of the others.
    let slow = search.evaluator.programs.unsettled();
    let (last, first): (Vec<_>, Vec<_>) =
        search.targets.iter().partition(|mutant| slow.contains(*mutant));
    let mut mutants = BTreeMap::new();
    for index in first.into_iter().chain(last) {
        mutants.insert(index, search.witness(index, &mut candidates, out_of_time)?);
    }
    let mutants: Vec<_> = mutants.into_values().collect();
    let twins = search.twins(course, choice, &mutants)?;
    let given_up = given_up::warn(assignment, &search.evaluator.programs.given_up())?;
    Ok(WitnessedAssignment {
        assignment: assignment.id.clone(),
        enumerated_size: candidates.enumerated.reach.size,
        whole_size: candidates.enumerated.reach.whole,
        alphabet: search.evaluator.generator.alphabet().to_owned(),
        enumerated,
        sampled,
        out_of_time: search.evaluator.out_of_time(),
        mutants,
        twins,
        given_up,
        discarded: search.evaluator.programs.discarded().into(),
        engines: engines::slower(search.evaluator.programs.slower()),
    })
}

fn as_witness(
    mutant: &Mutant,
    draft: Draft,
    expected: Option<Expected>,
) -> Result<catalogue::Witness, Failure> {
    let input = String::from_utf8(draft.input).map_err(|_| {
        let message = format!(
            "the smallest case that exposes `{}` is not UTF-8 text, and YAML is",
            mutant.id
        );
        Failure::broken_course(Problem::new(message).hint("write a witness yourself"))
    })?;
    Ok(catalogue::Witness { flags: draft.flags, input, expected })
}

/// A search for the smallest witnesses of `targets`.
struct Search<'a> {
    evaluator: Evaluator<'a>,
    targets: MutantSet,
}

/// Cases that may expose each mutant, beginning with its current witness.
struct Candidates {
    enumerated: Enumerated,
    sampled: u64,
    drafts: BTreeMap<usize, Vec<Draft>>,
    /// The mutants that the search saw exposed.
    seen: MutantSet,
    /// The mutants that show only in forms that the document does not promise.
    lenient: BTreeMap<usize, Lenient>,
}

impl Search<'_> {
    fn candidates(&mut self, options: &Witness) -> Result<Candidates, Failure> {
        let mut drafts: BTreeMap<usize, Vec<Draft>> = BTreeMap::new();
        for index in self.targets.iter() {
            drafts.insert(
                index,
                self.evaluator.mutants[index]
                    .witness
                    .iter()
                    .map(catalogue::Witness::draft)
                    .collect(),
            );
        }
        let progress = Progress::new("enumerating small cases", None);
        let mut enumerated =
            enumerate::enumerate(&mut self.evaluator, &self.targets, options.size)?;
        let found = std::mem::take(&mut enumerated.found);
        let listed: MutantSet = found.keys().copied().collect();
        let missing = self.targets.without(&listed);
        for (mutant, draft) in found {
            drafts.entry(mutant).or_default().push(draft);
        }
        let lenient = lenient::lenient(&mut self.evaluator, &missing, options.seed)?;
        let missing = missing.without(&lenient.keys().copied().collect());
        for (&mutant, Lenient { draft, .. }) in &lenient {
            drafts.entry(mutant).or_default().push(draft.clone());
        }
        progress.say("sampling");
        let small = missing.iter().flat_map(|mutant| &drafts[&mutant]).cloned().collect();
        let known = sample::Known { small, ..sample::Known::default() };
        let rounds = sample::Rounds::MANY;
        let none = MutantSet::default();
        let sampled =
            sample::sample(&mut self.evaluator, &missing, known, &none, rounds, options.seed)?;
        progress.say("reducing");
        // Smaller cases than the first one that exposes an unsettled mutant may expose it as well.
        for mutant in missing.iter().chain(listed.both(&enumerated.unsettled).iter()) {
            let needed = MutantSet::from_iter([mutant]);
            let large = sampled
                .killers
                .get(&mutant)
                .into_iter()
                .chain(&drafts[&mutant])
                .cloned()
                .collect::<Vec<_>>();
            for draft in large {
                let smaller = reduce::reduce(&mut self.evaluator, draft, &needed)?;
                drafts.entry(mutant).or_default().push(smaller);
            }
        }
        self.leave_out_disputed(&mut drafts)?;
        let seen =
            listed.iter().chain(sampled.killers.keys().copied()).chain(lenient.keys().copied());
        let seen = seen.collect();
        Ok(Candidates { enumerated, sampled: sampled.cases, drafts, seen, lenient })
    }

    /// Leaves out the cases on which other right programs differ from the reference, because they are no tests.
    fn leave_out_disputed(
        &mut self,
        drafts: &mut BTreeMap<usize, Vec<Draft>>,
    ) -> Result<(), Failure> {
        for drafts in drafts.values_mut() {
            let disputes = self.evaluator.disputes(drafts)?;
            let mut disputed = disputes.iter().map(|disputes| !disputes.is_empty());
            drafts.retain(|_| !disputed.next().unwrap_or_default());
        }
        Ok(())
    }

    /// Finds the smallest witness of a mutant, and writes it unless the catalogue has it.
    fn witness(
        &mut self,
        index: usize,
        candidates: &mut Candidates,
        out_of_time: bool,
    ) -> Result<WitnessedMutant, Failure> {
        let mutant = self.evaluator.mutants[index].clone();
        let drafts = candidates.drafts.remove(&index).unwrap_or_default();
        let Some(Smallest { draft, how, expected }) = self.smallest(index, drafts)? else {
            let is_disputed = self.evaluator.exposed_by_disputed().contains(index);
            let status = match (is_disputed, candidates.seen.contains(index)) {
                (true, _) => Status::OnlyDisputed,
                (false, true) => Status::Unconfirmed,
                (false, false) => Status::NotExposed,
            };
            return Ok(WitnessedMutant { id: mutant.id, status, found: None });
        };
        let size = self.evaluator.generator.size(&draft.input);
        let mut witness = as_witness(&mutant, draft, expected)?;
        let known = mutant.witness.as_ref().filter(|known| known.draft() == witness.draft());
        // Only `--record` replaces what is recorded, because the reference may be wrong now.
        if let Some(recorded) = known.and_then(|known| known.expected.clone()) {
            witness.expected = Some(recorded);
        }
        let status = if known == Some(&witness) { Status::Kept } else { Status::Written };
        if status == Status::Written {
            catalogue::write_witness(&mutant, &witness, self.evaluator.assignment)?;
        }
        let certificate = candidates.enumerated.certificate(index, size, out_of_time);
        let form = candidates.lenient.get(&index).map(|lenient| lenient.form.to_owned());
        let certified = certificate == Certificate::Certified;
        let cut = certificate == Certificate::Cut;
        let found = Some(FoundWitness { witness, size, certified, cut, how, form });
        Ok(WitnessedMutant { id: mutant.id, status, found })
    }

    /// The targets that have twins, with them, as ids.
    fn twins(
        &mut self,
        course: &Course,
        choice: &Choice<'_>,
        found: &[WitnessedMutant],
    ) -> Result<Vec<Vec<String>>, Failure> {
        if self.evaluator.out_of_time() {
            return Ok(Vec::new());
        }
        let mut corpus = Corpus::new(course, choice.assignment, &choice.mutants, FEW_SAMPLES)?;
        for witness in found.iter().filter_map(|mutant| mutant.found.as_ref()) {
            corpus.add(witness.witness.draft(), choice.assignment);
        }
        let search = self.evaluator.programs.work().search.clone();
        let _searching = search.until(None);
        let programs = &mut self.evaluator.programs;
        let mut rows = programs.rows(&corpus.cases)?;
        corpus.check(&mut rows, choice.assignment);
        let twins = twins::find(programs, &corpus.cases, &rows)?;
        let more = corpus::more(choice.assignment);
        let mut twins = twins::remaining(programs, choice.assignment, twins, more)?;
        if search.has_ended() {
            return Ok(Vec::new());
        }
        twins.retain(|twins| twins.mutants.iter().any(|&mutant| self.targets.contains(mutant)));
        let id = |&mutant: &usize| self.evaluator.mutants[mutant].id.clone();
        Ok(twins.iter().map(|twins| twins.mutants.iter().map(id).collect()).collect())
    }

    /// The smallest case that exposes the mutant, among `drafts` and their inputs with fewer flags: by size, then by length and contents
    /// of the file, then by the number of flags.
    fn smallest(
        &mut self,
        mutant: usize,
        mut drafts: Vec<Draft>,
    ) -> Result<Option<Smallest>, Failure> {
        /// The number of cases that are run at once.
        const MANY: usize = 16;
        let generator = self.evaluator.generator;
        let flags = self.evaluator.assignment.tests.flag_combinations();
        for Draft { flags: written, input } in drafts.clone() {
            let fewer = flags.iter().filter(|flags| flags.len() < written.len());
            drafts.extend(fewer.map(|flags| Draft { flags: flags.clone(), input: input.clone() }));
        }
        let size = |draft: &Draft| {
            (
                generator.size(&draft.input),
                draft.input.len(),
                draft.input.clone(),
                draft.flags.len(),
            )
        };
        drafts.sort_by_cached_key(size);
        // A mutant that hangs takes long on each case, and mostly the first one exposes it.
        let (first, others) = drafts.split_at(drafts.len().min(1));
        for drafts in std::iter::once(first).chain(others.chunks(MANY)) {
            let smallest = self.first_exposing(mutant, drafts)?;
            if smallest.is_some() {
                return Ok(smallest);
            }
        }
        Ok(None)
    }

    /// The first of `drafts` that exposes the mutant, as processes confirm.
    fn first_exposing(
        &mut self,
        mutant: usize,
        drafts: &[Draft],
    ) -> Result<Option<Smallest>, Failure> {
        let mutants = MutantSet::from_iter([mutant]);
        let cases =
            drafts.iter().map(|draft| decode::case_of_draft(self.evaluator.assignment, draft));
        let cases: Vec<_> = cases.collect();
        let runs = cases.iter().map(|case| Run { case, mutants: mutants.clone() });
        let mut rows = self.evaluator.programs.rows_of(&runs.collect::<Vec<_>>())?;
        for (draft, row) in drafts.iter().zip(&mut rows) {
            row.check(self.evaluator.assignment, draft);
            let Some(difference) = row.difference(mutant) else { continue };
            let claim = self.evaluator.claim(draft, mutants.clone());
            let confirmed = self.evaluator.programs.confirm(&[claim])?.remove(0);
            if confirmed.is_some_and(|confirmed| confirmed.contains(mutant)) {
                let (draft, how) = (draft.clone(), difference.how.into());
                return Ok(Some(Smallest { draft, how, expected: Expected::of(&row.reference) }));
            }
        }
        Ok(None)
    }
}

/// The smallest case that exposes a mutant.
struct Smallest {
    draft: Draft,
    how: How,
    /// What the reference does on it.
    expected: Option<Expected>,
}
