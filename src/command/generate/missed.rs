//! Finds tests that expose the mutants that a suite misses, and selects the fewest of them.

use super::out::Out;
use super::package;
use crate::catalogue::behaviours;
use crate::cli::{Generate, WrittenAs};
use crate::command::given_up;
use crate::course::{Assignment, Course, ScoredBy};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::dispute::Dispute;
use crate::generate::enumerate::Certificate;
use crate::generate::lenient::Lenient;
use crate::generate::{self, Evaluator, Found, Test};
use crate::interrupt;
use crate::report::disputed::Disputed;
use crate::report::generated::{
    BehavioursGenerated, Generated, GeneratedFile, LenientCase, SCHEMA, Smallest, in_words,
};
use crate::report::words::counted;
use crate::result::engines;
use crate::result::given_up::GivenUp;
use crate::run::build::Variant;
use crate::run::prepare;
use crate::run::sanitized::Sanitized;
use crate::run::work::Work;
use crate::suite::{Suite, decode};
use std::path::Path;
use subject::MutantSet;

pub(super) fn generate(
    work: &Work,
    options: &Generate,
    course: &Course,
    assignment: &Assignment,
    folder: Option<&Path>,
) -> Result<Generated, Failure> {
    let budget = super::budget(options.budget)?;
    let mut evaluator = Evaluator::build(work, course, assignment, prepare::jobs(options.jobs))?;
    let work = &evaluator.programs.work().clone();
    let has_others = !assignment.references.is_empty();
    let sanitized = has_others
        .then(|| Sanitized::compile(work, course, assignment, Variant::Reference))
        .flatten();
    let suite = folder.map(|folder| Suite::read(folder, assignment)).transpose()?;
    let mut targets = super::selected(options, &evaluator.mutants)?;
    if let Some(suite) = &suite {
        targets = generate::missed_by(&mut evaluator, suite, &targets)?;
    }
    let out = Out::new(options, suite.as_ref(), assignment)?;
    interrupt::listen(&work.cancellation);
    evaluator.limit(budget);
    evaluator.show_progress();
    let limits = generate::Options {
        seed: options.seed,
        size: options.size.unwrap_or_else(|| evaluator.generator.reach(&assignment.tests)),
        max_files: out.numbers.len(),
        fewest: options.fewest,
    };
    let found = generate::generate(&mut evaluator, &targets, &limits)?;
    let is_cut = found.out_of_time && !targets.is_empty();
    super::has_tried(work, found.cases, is_cut, options.budget)?;
    let given_up = given_up::warn(assignment, &evaluator.programs.given_up())?;
    evaluator.close();
    let unchecked = Vec::new();
    Writer { course, options, evaluator, out, sanitized, given_up, unchecked }.write(&found)
}

/// Writes the drafts that were found, and reports them.
struct Writer<'a> {
    course: &'a Course,
    options: &'a Generate,
    evaluator: Evaluator<'a>,
    out: Out,
    /// The reference as it stops at undefined behaviour, if other right programs may differ from it.
    sanitized: Option<Sanitized>,
    given_up: Vec<GivenUp>,
    /// What no time was left for.
    unchecked: Vec<String>,
}

impl Writer<'_> {
    fn write(mut self, found: &Found) -> Result<Generated, Failure> {
        let files = self.files(found)?;
        let disputed = self.disputed()?;
        let smallest = self.smallest(found)?;
        let is_written = !files.is_empty() || self.options.keep_all && !smallest.is_empty();
        Ok(Generated {
            schema: SCHEMA.to_owned(),
            assignment: self.evaluator.assignment.id.clone(),
            folder: is_written.then(|| self.out.folder.display().to_string()),
            selection: in_words(found.quality),
            files,
            smallest,
            behaviours: self.behaviours(found),
            missed: self.ids(&found.missed),
            unsettled: self.ids(&found.missed.both(&found.unsettled)),
            only_disputed: self.ids(&found.missed.both(&self.evaluator.exposed_by_disputed())),
            lenient: self.lenient(found),
            disputed,
            unconfirmed: self.ids(&found.unconfirmed),
            unchecked: self.unchecked,
            enumerated_size: found.reach.size,
            whole_size: found.reach.whole,
            alphabet: self.evaluator.generator.alphabet().to_owned(),
            cases: found.cases,
            largest_bytes: self.evaluator.largest_bytes(),
            seed: self.options.seed,
            stopped: super::stopped(self.evaluator.programs.work(), found.out_of_time),
            against: None,
            given_up: self.given_up,
            discarded: self.evaluator.programs.discarded().into(),
            engines: engines::slower(self.evaluator.programs.slower()),
        })
    }

    /// The cases on which right programs differ, with what sanitizers say of the reference there.
    fn disputed(&mut self) -> Result<Vec<Disputed>, Failure> {
        let disputes = self.evaluator.smallest_disputes()?;
        let left = self.evaluator.dissenting().saturating_sub(disputes.len());
        if left > 0 && self.evaluator.has_ended() {
            let programs = counted(left, "other right program");
            self.unchecked.push(format!("where the reference and {programs} may differ"));
        }
        for program in self.evaluator.not_compared() {
            let program = program.strip_prefix(&self.course.folder).unwrap_or(&program).display();
            self.unchecked.push(format!("whether {program}, which is slow, agrees on each test"));
        }
        let Some(first) = disputes.first() else { return Ok(Vec::new()) };
        let assignment = self.evaluator.assignment;
        let case = |it: &Dispute| decode::case_of_draft(assignment, &it.draft);
        let has_sanitizers = self.sanitized.is_some();
        let sanitized = self.sanitized.take().and_then(|it| it.tried_on(&case(first)));
        let disputed = disputes.iter().map(|it| {
            let undefined = sanitized.as_ref().and_then(|of| of.finding_of_reference(&case(it)));
            Disputed::of(&self.course.folder, it, undefined)
        });
        let disputed = disputed.collect();
        if has_sanitizers && self.evaluator.has_ended() {
            self.unchecked.push("undefined behaviour of the reference on these cases".to_owned());
        }
        Ok(disputed)
    }

    /// The numbers of behaviours, if the course counts them.
    fn behaviours(&self, found: &Found) -> Option<BehavioursGenerated> {
        let by = self.evaluator.assignment.scoring.by;
        let count = |is_in: &dyn Fn(usize) -> bool| {
            let mutants = self.evaluator.mutants.iter().enumerate();
            let mutants = mutants.filter(|(at, _)| is_in(*at)).map(|(_, mutant)| mutant);
            behaviours::counted(mutants, by).len()
        };
        let is_exposed = |at: usize| found.finds.contains_key(&at);
        let is_missed = |at: usize| found.missed.contains(at) || found.lenient.contains_key(&at);
        let in_file = |at: usize| found.tests.iter().any(|test| test.exposes.contains(at));
        (by == ScoredBy::Behaviours).then(|| BehavioursGenerated {
            sought: count(&|at| is_exposed(at) || is_missed(at)),
            exposed: count(&is_exposed),
            by_files: count(&in_file),
        })
    }

    /// The mutants that were exposed only in a form that the document does not promise.
    fn lenient(&self, found: &Found) -> Vec<LenientCase> {
        let case = |(&mutant, Lenient { form, draft }): (&usize, &Lenient)| LenientCase {
            mutant: self.evaluator.mutants[mutant].id.clone(),
            form: (*form).to_owned(),
            flags: draft.flags.clone(),
            input: String::from_utf8_lossy(&draft.input).into_owned(),
        };
        found.lenient.iter().map(case).collect()
    }

    /// Writes the tests.
    fn files(&mut self, found: &Found) -> Result<Vec<GeneratedFile>, Failure> {
        let names = match self.options.written_as {
            WrittenAs::Suite => self.suite(found)?,
            WrittenAs::Package => self.package(found)?,
        };
        let left_out = names.iter().filter(|name| name.is_none()).count();
        if left_out > 0 {
            let tests = counted(left_out, "test");
            self.unchecked.push(format!("the answers of {tests}, so that none is written"));
        }
        let file = |(test, file): (&Test, Option<String>)| {
            Some(GeneratedFile {
                file: file?,
                size: self.evaluator.generator.size(&test.draft.input),
                exposes: self.ids(&test.exposes),
                again: test.again,
            })
        };
        Ok(found.tests.iter().zip(names).filter_map(file).collect())
    }

    /// Writes the tests as files of a suite, and gives their names.
    fn suite(&self, found: &Found) -> Result<Vec<Option<String>>, Failure> {
        let tests = found.tests.iter().zip(&self.out.numbers);
        tests.map(|(test, &number)| self.out.write(number, &test.draft).map(Some)).collect()
    }

    /// Writes the tests as inputs with answers, and gives the names of the inputs. A test without an answer has none.
    fn package(&mut self, found: &Found) -> Result<Vec<Option<String>>, Failure> {
        let drafts: Vec<_> = found.tests.iter().map(|test| test.draft.clone()).collect();
        let mut answers = self.evaluator.answers(&drafts)?;
        if self.evaluator.assignment.judge.is_interactive() {
            // The interactor does without.
            answers.iter_mut().flatten().for_each(Vec::clear);
        }
        let tests = drafts.iter().zip(&answers).zip(&self.out.numbers);
        let write = |((draft, answer), &number): ((&Draft, &Option<Vec<u8>>), &u32)| {
            let folder = &self.out.folder;
            let write = |answer: &Vec<u8>| package::write(folder, number, &draft.input, answer);
            answer.as_ref().map(write).transpose()
        };
        tests.map(write).collect()
    }

    /// The smallest draft for each mutant, written if `--keep-all` is given.
    fn smallest(&self, found: &Found) -> Result<Vec<Smallest>, Failure> {
        let mut smallest = Vec::new();
        for (&mutant, find) in &found.finds {
            let id = &self.evaluator.mutants[mutant].id;
            let file = self.options.keep_all.then(|| self.out.keep(id, &find.draft)).transpose()?;
            smallest.push(Smallest {
                mutant: id.clone(),
                size: self.evaluator.generator.size(&find.draft.input),
                certified: find.certificate == Certificate::Certified,
                cut: find.certificate == Certificate::Cut,
                flags: find.draft.flags.clone(),
                input: String::from_utf8_lossy(&find.draft.input).into_owned(),
                file,
            });
        }
        smallest.sort_by_key(|smallest| smallest.size);
        Ok(smallest)
    }

    fn ids(&self, mutants: &MutantSet) -> Vec<String> {
        mutants.iter().map(|mutant| self.evaluator.mutants[mutant].id.clone()).collect()
    }
}
