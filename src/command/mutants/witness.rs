//! `harness mutants witness`: finds the smallest test that exposes a mutant, and keeps it in the catalogue.

use super::{Choice, choose, print};
use crate::catalogue::sites;
use crate::catalogue::{self, Mutant};
use crate::cli::mutants::Witness;
use crate::course::{Assignment, Course, Program};
use crate::domain::Draft;
use crate::domain::How;
use crate::generate::enumerate::{self, Enumerated, Stop};
use crate::generate::{Arena, arena, reduce, sample};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::report::witnessed::{
    FoundWitness, SCHEMA, Status, Witnessed, WitnessedAssignment, WitnessedMutant,
};
use crate::result::verify;
use crate::run::matrix::{Combined, Runner};
use crate::run::prepare::{self, Workbench};
use crate::run::worker::Pool;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use subject::wire::MutantSet;

pub(super) fn run(options: &Witness) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut report = Witnessed { schema: SCHEMA.to_owned(), assignments: Vec::new() };
    for choice in choose(&course, &options.which, &options.ids)? {
        let meant = meant(options, &choice)?;
        if !meant.is_empty() {
            report.assignments.push(witness(options, &course, &choice, &meant)?);
        }
    }
    print("the result", &report, options.which.format)?;
    Ok(Exit::Done)
}

/// The mutants that a witness is looked for. One that is declared equivalent has none.
fn meant<'a>(options: &Witness, choice: &'a Choice<'_>) -> Result<Vec<&'a Mutant>, Failure> {
    let all = choice.meant().map(|(_, mutant)| mutant);
    if !options.ids.is_empty() {
        let mut all = all;
        if let Some(mutant) = all.find(|mutant| !mutant.is_a_bug()) {
            let message = format!("`{}` is declared equivalent", mutant.id);
            let hint = "nothing can expose it; remove `expect` if that is not so";
            return Err(Failure::usage(
                Problem::new(message).at(mutant.place("expect")).hint(hint),
            ));
        }
        return Ok(choice.meant().map(|(_, mutant)| mutant).collect());
    }
    Ok(all
        .filter(|mutant| mutant.is_a_bug() && (!options.missing || mutant.witness.is_none()))
        .collect())
}

/// A mutant that nothing asks for is exposed by nothing: that says nothing of the bug that it is to be.
fn are_asked_for(assignment: &Assignment, meant: &[&Mutant]) -> Result<(), Failure> {
    let Program::Cargo(package) = &assignment.program else { return Ok(()) };
    let (declared, asked) = (sites::declared(&package.folder)?, sites::find(&package.folder)?);
    let problems = verify::sites(meant.iter().copied(), &declared, &asked, &[]);
    if problems.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::BrokenCourse, problems }) }
}

fn witness(
    options: &Witness,
    course: &Course,
    choice: &Choice<'_>,
    meant: &[&Mutant],
) -> Result<WitnessedAssignment, Failure> {
    let assignment = choice.assignment;
    are_asked_for(assignment, meant)?;
    let bench = Workbench::new(course, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    let settings = prepare::settings(assignment, &bench.mutants, bench.combined.clone());
    let targets: MutantSet = meant
        .iter()
        .filter_map(|mutant| bench.mutants.iter().position(|other| other.id == mutant.id))
        .collect();
    // Building takes what it takes.
    let budget = Duration::try_from_secs_f64(options.budget).unwrap_or(Duration::ZERO);
    let deadline = Instant::now().checked_add(budget);
    let mut hunt = Hunt {
        arena: Arena::new(assignment, bench.generator, Pool::new(&settings, jobs), deadline),
        clean: Combined::new(bench.assignment.domain, bench.reference.clone(), &settings, jobs),
        bench: &bench,
        targets,
    };
    let Candidates { enumerated, sampled, mut drafts } = hunt.candidates(options)?;
    let mut mutants = Vec::new();
    for index in hunt.targets.clone().iter() {
        let (mutant, drafts) = (&bench.mutants[index], drafts.remove(&index).unwrap_or_default());
        let Some((draft, how)) = hunt.smallest(index, drafts)? else {
            mutants.push(WitnessedMutant {
                id: mutant.id.clone(),
                status: Status::NotExposed,
                found: None,
            });
            continue;
        };
        let area = bench.generator.area(&draft.input);
        let found = as_witness(mutant, draft)?;
        let status =
            if mutant.witness.as_ref() == Some(&found) { Status::Kept } else { Status::Written };
        if status == Status::Written {
            catalogue::write_witness(mutant, &found, assignment).map_err(Failure::broken_course)?;
        }
        // All that is smaller was tried, whether the case itself was among what was tried or not.
        let found = Some(FoundWitness {
            witness: found,
            area,
            certified: area <= enumerated.area + 1,
            how,
        });
        mutants.push(WitnessedMutant { id: mutant.id.clone(), status, found });
    }
    Ok(WitnessedAssignment {
        assignment: assignment.id.clone(),
        enumerated_area: enumerated.area,
        alphabet: bench.generator.alphabet().to_owned(),
        enumerated: enumerated.cases,
        sampled,
        out_of_time: hunt.arena.out_of_time(),
        mutants,
    })
}

fn as_witness(mutant: &Mutant, draft: Draft) -> Result<catalogue::Witness, Failure> {
    let input = String::from_utf8(draft.input).map_err(|_| {
        let message = format!(
            "the smallest case that exposes `{}` is not UTF-8 text, and YAML is",
            mutant.id
        );
        Failure::broken_course(Problem::new(message).hint("write a witness yourself"))
    })?;
    Ok(catalogue::Witness { flags: draft.flags, input })
}

/// What a search needs.
struct Hunt<'a> {
    arena: Arena<'a>,
    clean: Combined,
    bench: &'a Workbench<'a>,
    targets: MutantSet,
}

/// Cases that may expose each mutant, those that it has already first.
struct Candidates {
    enumerated: Enumerated,
    sampled: u64,
    drafts: BTreeMap<usize, Vec<Draft>>,
}

impl Hunt<'_> {
    fn candidates(&mut self, options: &Witness) -> Result<Candidates, Failure> {
        let mut drafts: BTreeMap<usize, Vec<Draft>> = BTreeMap::new();
        for index in self.targets.iter() {
            drafts.insert(index, self.bench.mutants[index].witness.iter().map(as_draft).collect());
        }
        let progress = Progress::new("enumerating small cases", None);
        let mut enumerated = enumerate::enumerate(
            &mut self.arena,
            &self.targets,
            options.area,
            Stop::WhenAllAreFound,
        )?;
        let found = std::mem::take(&mut enumerated.found);
        let missing = self.targets.without(&found.keys().copied().collect());
        for (mutant, draft) in found {
            drafts.entry(mutant).or_default().push(draft);
        }
        progress.say("sampling");
        let known: Vec<_> = missing.iter().flat_map(|mutant| &drafts[&mutant]).cloned().collect();
        let sampled = sample::sample(&mut self.arena, &missing, &known, options.seed)?;
        progress.say("reducing");
        for mutant in missing.iter() {
            let needed = MutantSet::from_iter([mutant]);
            let large = sampled
                .killers
                .get(&mutant)
                .into_iter()
                .chain(&drafts[&mutant])
                .cloned()
                .collect::<Vec<_>>();
            for draft in large {
                let smaller = reduce::reduce(&mut self.arena, draft, &needed)?;
                drafts.entry(mutant).or_default().push(smaller);
            }
        }
        Ok(Candidates { enumerated, sampled: sampled.cases, drafts })
    }

    /// The smallest that exposes the mutant of `drafts` and of the same inputs with fewer flags, by area, by length and contents of
    /// the file, and by the number of flags; the first of those.
    fn smallest(
        &mut self,
        mutant: usize,
        mut drafts: Vec<Draft>,
    ) -> Result<Option<(Draft, How)>, Failure> {
        let generator = self.bench.generator;
        let flags = self.bench.assignment.tests.flag_combinations();
        for Draft { flags: written, input } in drafts.clone() {
            let fewer = flags.iter().filter(|flags| flags.len() < written.len());
            drafts.extend(fewer.map(|flags| Draft { flags: flags.clone(), input: input.clone() }));
        }
        let size = |draft: &Draft| {
            (
                generator.area(&draft.input),
                draft.input.len(),
                draft.input.clone(),
                draft.flags.len(),
            )
        };
        drafts.sort_by_cached_key(size);
        let cases: Vec<_> =
            drafts.iter().map(|draft| arena::case(self.bench.assignment, draft)).collect();
        let rows = self.clean.rows(&cases)?;
        let how = |row: &crate::run::matrix::Row| {
            row.exposed.iter().find(|(index, _)| *index == mutant).map(|(_, how)| (*how).into())
        };
        Ok(drafts.into_iter().zip(&rows).find_map(|(draft, row)| Some((draft, how(row)?))))
    }
}

fn as_draft(witness: &catalogue::Witness) -> Draft {
    Draft { flags: witness.flags.clone(), input: witness.input.clone().into_bytes() }
}
