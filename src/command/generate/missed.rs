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
    Writer { course, options, evaluator, out, given_up }.write(&found)
}

/// Writes the drafts that were found, and reports them.
struct Writer<'a> {
    course: &'a Course,
    options: &'a Generate,
    evaluator: Evaluator<'a>,
    out: Out,
    given_up: Vec<GivenUp>,
}

impl Writer<'_> {
    fn write(mut self, found: &Found) -> Result<Generated, Failure> {
        let disputed = self.disputed()?;
        let files = self.files(found)?;
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
            lenient: self.lenient(found),
            disputed,
            unconfirmed: self.ids(&found.unconfirmed),
            enumerated_size: found.reach.size,
            whole_size: found.reach.whole,
            alphabet: self.evaluator.generator.alphabet().to_owned(),
            cases: found.cases,
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
        self.evaluator.end_limit();
        let disputes = self.evaluator.smallest_disputes()?;
        let Some(first) = disputes.first() else { return Ok(Vec::new()) };
        let assignment = self.evaluator.assignment;
        let case = |it: &Dispute| decode::case_of_draft(assignment, &it.draft);
        let work = self.evaluator.programs.work();
        let variant = Variant::Reference;
        let sanitized = Sanitized::build(work, self.course, assignment, variant, &case(first));
        let disputed = disputes.iter().map(|it| {
            let undefined = sanitized.as_ref().and_then(|of| of.finding_of_reference(&case(it)));
            Disputed::of(&self.course.folder, it, undefined)
        });
        Ok(disputed.collect())
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
        let file = |(test, file): (&Test, String)| GeneratedFile {
            file,
            size: self.evaluator.generator.size(&test.draft.input),
            exposes: self.ids(&test.exposes),
            again: test.again,
        };
        Ok(found.tests.iter().zip(names).map(file).collect())
    }

    /// Writes the tests as files of a suite, and gives their names.
    fn suite(&self, found: &Found) -> Result<Vec<String>, Failure> {
        let tests = found.tests.iter().zip(&self.out.numbers);
        tests.map(|(test, &number)| self.out.write(number, &test.draft)).collect()
    }

    /// Writes the tests as inputs with answers, and gives the names of the inputs.
    fn package(&mut self, found: &Found) -> Result<Vec<String>, Failure> {
        let drafts: Vec<_> = found.tests.iter().map(|test| test.draft.clone()).collect();
        let answers = self.evaluator.answers(&drafts)?;
        let tests = drafts.iter().zip(&answers).zip(&self.out.numbers);
        let write = |((draft, answer), &number): ((&Draft, &Vec<u8>), &u32)| {
            package::write(&self.out.folder, number, &draft.input, answer)
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
                certified: find.certificate > Certificate::None,
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
