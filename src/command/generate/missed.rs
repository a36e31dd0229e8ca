//! Finds tests that expose the mutants that a suite misses, and selects the fewest of them.

use super::out::Out;
use crate::catalogue::{self, behaviours};
use crate::cli::Generate;
use crate::command::given_up;
use crate::course::{Assignment, Course, ScoredBy};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::enumerate::Certificate;
use crate::generate::lenient::Lenient;
use crate::generate::{self, Arena, Found};
use crate::interrupt;
use crate::report::generated::{
    BehavioursGenerated, Generated, GeneratedFile, LenientCase, SCHEMA, Smallest, in_words,
};
use crate::result::engines;
use crate::result::given_up::GivenUp;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::{Suite, Test};
use std::collections::BTreeMap;
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
    let mut arena = Arena::build(work, course, assignment, prepare::jobs(options.jobs))?;
    let suite = folder.map(|folder| Suite::read(folder, assignment)).transpose()?;
    let mut targets = selected(options, &arena)?;
    if let Some(suite) = &suite {
        let drafts: Vec<_> = suite.tests.iter().map(Test::draft).collect();
        for row in arena.rows(&drafts)? {
            targets = targets.without(&row.exposed_mutants());
        }
    }
    let out = Out::new(options, suite.as_ref(), assignment)?;
    interrupt::listen(&work.cancellation);
    arena.limit(budget);
    arena.show_progress();
    let points: Vec<_> = arena.mutants.iter().map(|mutant| mutant.points).collect();
    let limits = generate::Options {
        seed: options.seed,
        area: options.area.unwrap_or_else(|| arena.generator.reach(&assignment.tests)),
        max_files: out.numbers.len(),
        fewest: options.fewest,
    };
    let found = generate::generate(&mut arena, &targets, &points, &limits)?;
    let is_cut = found.out_of_time && !targets.is_empty();
    super::has_tried(work, found.cases, is_cut, options.budget)?;
    let given_up = given_up::warn(assignment, &arena.programs.given_up())?;
    Writer { options, arena, targets, out, given_up }.write(found)
}

/// The mutants that `--mutants` names, or all.
fn selected(options: &Generate, arena: &Arena<'_>) -> Result<MutantSet, Failure> {
    if options.mutants.is_empty() {
        return Ok(MutantSet::all(arena.mutants.len()));
    }
    let index = |id: &String| {
        arena.mutants.iter().position(|mutant| mutant.id == *id).ok_or_else(|| {
            let all = arena.mutants.iter().map(|mutant| mutant.id.as_str());
            catalogue::unknown(id, all, "`harness mutants list` lists all of them")
        })
    };
    options.mutants.iter().map(index).collect()
}

/// Writes the drafts that were found, and reports them.
struct Writer<'a> {
    options: &'a Generate,
    arena: Arena<'a>,
    targets: MutantSet,
    out: Out,
    given_up: Vec<GivenUp>,
}

impl Writer<'_> {
    fn write(mut self, mut found: Found) -> Result<Generated, Failure> {
        // If time is short, it is for the files.
        let early = if found.out_of_time { Some(self.files(&found)?) } else { None };
        let mut unconfirmed = self.unconfirmed(&found)?;
        found.finds.retain(|mutant, _| !unconfirmed.contains(*mutant));
        if !self.arena.programs.work().search.has_ended() {
            found.missed.add_all(&std::mem::take(&mut unconfirmed));
        }
        let files = match early {
            Some(files) => files,
            None => self.files(&found)?,
        };
        let smallest = self.smallest(&found)?;
        let is_written = !files.is_empty() || self.options.keep_all && !smallest.is_empty();
        Ok(Generated {
            schema: SCHEMA.to_owned(),
            assignment: self.arena.assignment.id.clone(),
            folder: is_written.then(|| self.out.folder.display().to_string()),
            selection: in_words(found.quality),
            behaviours: self.behaviours(&found, &files),
            files,
            smallest,
            missed: self.ids(&found.missed),
            lenient: self.lenient(&found),
            unconfirmed: self.ids(&unconfirmed),
            enumerated_area: found.reach.area,
            whole_area: found.reach.whole,
            alphabet: self.arena.generator.alphabet().to_owned(),
            cases: found.cases,
            seed: self.options.seed,
            stopped: super::stopped(self.arena.programs.work(), found.out_of_time),
            against: None,
            given_up: self.given_up,
            discarded: self.arena.programs.discarded().into(),
            engines: engines::slower(self.arena.programs.slower()),
        })
    }

    /// The numbers of behaviours, if the course counts them.
    fn behaviours(&self, found: &Found, files: &[GeneratedFile]) -> Option<BehavioursGenerated> {
        let by = self.arena.assignment.scoring.by;
        let count = |is_in: &dyn Fn(usize) -> bool| {
            let mutants = self.arena.mutants.iter().enumerate();
            let mutants = mutants.filter(|(at, _)| is_in(*at)).map(|(_, mutant)| mutant);
            behaviours::counted(mutants, by).len()
        };
        let is_exposed = |at: usize| found.finds.contains_key(&at);
        let is_missed = |at: usize| found.missed.contains(at) || found.lenient.contains_key(&at);
        let in_file =
            |at: usize| files.iter().any(|it| it.exposes.contains(&self.arena.mutants[at].id));
        (by == ScoredBy::Behaviours).then(|| BehavioursGenerated {
            sought: count(&|at| is_exposed(at) || is_missed(at)),
            exposed: count(&is_exposed),
            by_files: count(&in_file),
        })
    }

    /// The mutants that were exposed only in a form that the document does not promise.
    fn lenient(&self, found: &Found) -> Vec<LenientCase> {
        let case = |(&mutant, Lenient { form, draft }): (&usize, &Lenient)| LenientCase {
            mutant: self.arena.mutants[mutant].id.clone(),
            form: (*form).to_owned(),
            flags: draft.flags.clone(),
            input: String::from_utf8_lossy(&draft.input).into_owned(),
        };
        found.lenient.iter().map(case).collect()
    }

    /// The mutants whose smallest case does not expose them in a process.
    fn unconfirmed(&mut self, found: &Found) -> Result<MutantSet, Failure> {
        // Many mutants have the same smallest case.
        let mut exposed_by: BTreeMap<&Draft, MutantSet> = BTreeMap::new();
        for (&mutant, find) in &found.finds {
            exposed_by.entry(&find.draft).or_default().insert(mutant);
        }
        let claims = exposed_by.into_iter();
        let claims = claims.map(|(draft, exposes)| self.arena.claim((draft.clone(), exposes)));
        let claims: Vec<_> = claims.collect();
        let confirmed = self.arena.programs.confirm(&claims)?;
        let confirmed: MutantSet = confirmed.iter().flatten().flat_map(MutantSet::iter).collect();
        Ok(found.finds.keys().copied().collect::<MutantSet>().without(&confirmed))
    }

    /// Writes the selected drafts.
    fn files(&mut self, found: &Found) -> Result<Vec<GeneratedFile>, Failure> {
        let selected = found.selected.iter().map(|(draft, _)| (draft.clone(), false));
        let again = found.again.iter().map(|draft| (draft.clone(), true));
        let (drafts, again): (Vec<_>, Vec<_>) = selected.chain(again).unzip();
        let drafts =
            if found.out_of_time { found.selected.clone() } else { self.commented(&drafts)? };
        let mut files = Vec::new();
        for (confirmed, again) in self.confirmed(drafts)?.into_iter().zip(again) {
            let Some((draft, exposed)) = confirmed else { continue };
            files.push(GeneratedFile {
                file: self.out.write(self.out.numbers[files.len()], &draft)?,
                area: self.arena.generator.area(&draft.input),
                exposes: self.ids(&exposed),
                again,
            });
        }
        Ok(files)
    }

    /// The smallest draft for each mutant, written if `--keep-all` is given.
    fn smallest(&self, found: &Found) -> Result<Vec<Smallest>, Failure> {
        let mut smallest = Vec::new();
        for (&mutant, find) in &found.finds {
            let id = &self.arena.mutants[mutant].id;
            let file = self.options.keep_all.then(|| self.out.keep(id, &find.draft)).transpose()?;
            smallest.push(Smallest {
                mutant: id.clone(),
                area: self.arena.generator.area(&find.draft.input),
                certified: find.certificate > Certificate::None,
                flags: find.draft.flags.clone(),
                input: String::from_utf8_lossy(&find.draft.input).into_owned(),
                file,
            });
        }
        smallest.sort_by_key(|smallest| smallest.area);
        Ok(smallest)
    }

    /// Adds a comment to each draft that says what it tests, unless the draft then exposes less. Gives each draft with the targets
    /// that it exposes, checked against the clean build.
    fn commented(&mut self, drafts: &[Draft]) -> Result<Vec<(Draft, MutantSet)>, Failure> {
        let plain = self.exposed(drafts)?;
        let generator = self.arena.generator;
        let comment = |(draft, (stdout, _)): (&Draft, &(Vec<u8>, MutantSet))| {
            let comment = generator.describe(draft, stdout);
            generator.commented(draft, &comment).unwrap_or_else(|| draft.clone())
        };
        let with_comment: Vec<_> = drafts.iter().zip(&plain).map(comment).collect();
        if with_comment == drafts {
            let drafts = drafts.iter().cloned().zip(plain);
            return Ok(drafts.map(|(draft, (_, exposed))| (draft, exposed)).collect());
        }
        let commented = self.exposed(&with_comment)?;
        let both = drafts.iter().zip(plain).zip(with_comment.into_iter().zip(commented));
        Ok(both
            .map(|((draft, (_, exposed)), (with_comment, (_, still)))| {
                if exposed.is_subset(&still) {
                    (with_comment, still)
                } else {
                    (draft.clone(), exposed)
                }
            })
            .collect())
    }

    /// Each draft with the targets that it exposes in a process. `None` if it exposes none, or if the reference rejects it there.
    fn confirmed(
        &mut self,
        drafts: Vec<(Draft, MutantSet)>,
    ) -> Result<Vec<Option<(Draft, MutantSet)>>, Failure> {
        let claims: Vec<_> = drafts.iter().map(|draft| self.arena.claim(draft.clone())).collect();
        let confirmed = self.arena.programs.confirm(&claims)?;
        let exposing = confirmed.into_iter().map(|it| it.filter(|exposed| !exposed.is_empty()));
        let drafts = drafts.into_iter().zip(exposing);
        Ok(drafts.map(|((draft, _), exposed)| Some((draft, exposed?))).collect())
    }

    /// What the reference prints on each draft, and the targets that the draft exposes.
    fn exposed(&mut self, drafts: &[Draft]) -> Result<Vec<(Vec<u8>, MutantSet)>, Failure> {
        let rows = self.arena.rows(drafts)?.into_iter();
        Ok(rows
            .map(|row| {
                let exposed = row.exposed_mutants().both(&self.targets);
                (row.reference.stdout, exposed)
            })
            .collect())
    }

    fn ids(&self, mutants: &MutantSet) -> Vec<String> {
        mutants.iter().map(|mutant| self.arena.mutants[mutant].id.clone()).collect()
    }
}
