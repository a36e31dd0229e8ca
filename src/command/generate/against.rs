//! Finds tests on which a program differs from the reference.

use super::out::Out;
use super::under_test::{self, under_test};
use crate::catalogue::Mutant;
use crate::cli::Generate;
use crate::command::{contained, given_up};
use crate::course::{Assignment, Audience, Course, Level};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Problem};
use crate::domain::Draft;
use crate::files;
use crate::generate;
use crate::generate::against::{
    self, DifferenceKind, Find, Formatting, Found, Runs, Slow, Suspect,
};
use crate::generate::comparer::{Comparer, Discrepancy};
use crate::interrupt;
use crate::report::against::{self as report, Against, Outcomes, Way};
use crate::report::generated::{Generated, GeneratedFile, SCHEMA};
use crate::result::discarded::Discarded;
use crate::result::engines;
use crate::result::given_up::GivenUp;
use crate::result::reader::Reader;
use crate::run::coverage::Traced;
use crate::run::prepare;
use crate::run::work::Work;
use std::fs;
use std::path::Path;

pub(super) fn generate(
    work: &Work,
    options: &Generate,
    course: &Course,
    assignment: &Assignment,
) -> Result<Generated, Failure> {
    let generator = generate::generator(assignment)?;
    let budget = super::budget(options.budget)?;
    let (work, not_contained) = contained::contain(work, course, options.against.unsafe_no_sandbox);
    let under_test = under_test(&work, &options.against, course, assignment, generator)?;
    let out = Out::new(options, None, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    // Only a program that reads its input can run again alone.
    let is_alone = |_: &&Path| !assignment.judge.is_interactive();
    let source = under_test::source(&options.against.program).filter(is_alone);
    let traced = source.map(|source| Traced::source(&work, course, assignment, source));
    let mut comparer = Comparer::build(&work, course, assignment, &under_test, jobs, budget)?;
    let reader = reader(options, assignment, &comparer.mutants)?;
    interrupt::listen(&work.cancellation);
    let limits =
        against::Options { seed: options.seed, size: options.size, max_files: out.numbers.len() };
    let mut found = against::against(&mut comparer, &limits)?;
    super::has_tried(&work, found.counts.all(), found.out_of_time, options.budget)?;
    let given_up = given_up::warn(assignment, &comparer.given_up())?;
    let traced = traced.filter(|_| !found.finds.is_empty());
    let locate = |program| locate(&mut comparer, &mut found, program, jobs, limits.max_files);
    let not_located = traced.and_then(locate).filter(|_| reader.sees_places());
    Writer { options, comparer, reader, out, given_up, not_contained, source, not_located }
        .write(found)
}

/// Who reads the report.
///
/// # Errors
/// If this reader may not even know how many bugs there are.
fn reader(
    options: &Generate,
    assignment: &Assignment,
    mutants: &[Mutant],
) -> Result<Reader, Failure> {
    let audience = options.against.audience.unwrap_or(Audience::Staff);
    let reader = Reader::new(assignment, audience, mutants)?;
    if reader.level >= Level::Count {
        return Ok(reader);
    }
    let message = "the report says how many bugs a program has, but its reader may not see that";
    let hint = "set `feedback:` in the course file to `count` or more, or name another --audience";
    Err(Failure::usage(Problem::new(message).hint(hint)))
}

/// Finds out where the program of a source is wrong. Gives why it does not know, if it does not.
fn locate(
    comparer: &mut Comparer<'_>,
    found: &mut Found,
    program: Result<Option<Traced>, Failure>,
    jobs: usize,
    most: usize,
) -> Option<String> {
    let _progress = Progress::new("looking for the lines that are wrong", None);
    comparer.close();
    let located = match program {
        Ok(Some(program)) => {
            against::locate(comparer, found, &Runs { program: &program, jobs }, most)
        }
        Ok(None) => return None,
        Err(failure) => Err(failure),
    };
    let message = |failure: Failure| failure.problems.into_iter().next().map(|it| it.message);
    match located {
        Err(failure) => message(failure),
        Ok(()) if comparer.has_ended() => Some("no time was left for it".to_owned()),
        Ok(()) => None,
    }
}

/// Writes the drafts that were found, and reports them.
struct Writer<'a> {
    options: &'a Generate,
    comparer: Comparer<'a>,
    reader: Reader,
    out: Out,
    given_up: Vec<GivenUp>,
    not_contained: Option<String>,
    /// The source of the program, if it is one.
    source: Option<&'a Path>,
    /// Why it is not known where it is wrong.
    not_located: Option<String>,
}

impl Writer<'_> {
    fn write(self, found: Found) -> Result<Generated, Failure> {
        let (mut files, mut differences) = (Vec::new(), Vec::new());
        for (find, number) in found.finds.iter().zip(&self.out.numbers) {
            let file = self.out.write(*number, &find.draft)?;
            let size = self.comparer.generator.size(&find.draft.input);
            differences.push(self.difference(file.clone(), find));
            files.push(GeneratedFile { file, size, exposes: Vec::new(), again: false });
        }
        let (assignment, counts) = (self.comparer.assignment, found.counts);
        // These name mutants.
        let (sees_everything, slower) =
            (self.reader.sees_everything(), engines::slower(self.comparer.slower()));
        let against = Against {
            program: self.comparer.under_test.words.clone(),
            differences,
            left_out: ways(found.left_out),
            unsteady: ways(found.unsteady),
            slow: found.slow.iter().map(|slow| self.slow(slow)).collect(),
            formatting: found.formatting.iter().map(|form| self.formatting(form)).collect(),
            small_cases: counts.small,
            random_cases: counts.random,
            invalid_cases: counts.invalid,
            differing_cases: counts.differing,
            told_apart: found.told_apart,
            not_located: self.not_located,
            slow_cases: counts.stopped,
            on_every_case: counts.none_is_right() && counts.stopped == 0,
            not_contained: self.not_contained,
        };
        Ok(Generated {
            schema: SCHEMA.to_owned(),
            assignment: assignment.id.clone(),
            folder: (!files.is_empty()).then(|| self.out.folder.display().to_string()),
            selection: "the smallest for each deviation".to_owned(),
            files,
            smallest: Vec::new(),
            missed: Vec::new(),
            unsettled: Vec::new(),
            only_disputed: Vec::new(),
            lenient: Vec::new(),
            disputed: Vec::new(),
            unconfirmed: Vec::new(),
            unchecked: Vec::new(),
            behaviours: None,
            enumerated_size: found.size,
            whole_size: None,
            alphabet: self.comparer.generator.alphabet().to_owned(),
            cases: counts.all(),
            largest_bytes: 0,
            seed: self.options.seed,
            stopped: super::stopped(self.comparer.work(), found.out_of_time),
            against: Some(against),
            given_up: if sees_everything { self.given_up } else { Vec::new() },
            discarded: Discarded::default(),
            engines: if sees_everything { slower } else { Vec::new() },
        })
    }

    fn difference(&self, file: String, find: &Find) -> report::ProgramDifference {
        let name = |mutant: usize| self.reader.resembled(&self.comparer.mutants[mutant]);
        let suspects = find.suspects.iter().filter(|_| self.reader.sees_places());
        report::ProgramDifference {
            file,
            flags: find.draft.flags.clone(),
            all_flags: find.letters.clone(),
            size: self.comparer.generator.size(&find.draft.input),
            reduction: find.reduction.into(),
            resembles: find.resembles.and_then(name),
            shows_on: find.cases.len(),
            suspects: suspects.map(|suspect| self.suspect(suspect)).collect(),
            outcomes: self.outcomes(&find.draft, &find.difference),
        }
    }

    fn suspect(&self, suspect: &Suspect) -> report::SuspectLines {
        let folder = self.source.map_or(Path::new(""), files::folder_of);
        let text = fs::read(folder.join(&suspect.file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let first = text.lines().nth(suspect.first.saturating_sub(1)).unwrap_or_default();
        report::SuspectLines {
            file: suspect.file.clone(),
            lines: [suspect.first, suspect.last],
            text: first.to_owned(),
            wrong: suspect.wrong,
            right: suspect.right,
            score: (suspect.score * 1000.0).round() / 1000.0,
        }
    }

    fn slow(&self, slow: &Slow) -> report::SlowCase {
        report::SlowCase {
            flags: slow.draft.flags.clone(),
            args: self.comparer.args(&slow.draft),
            input: String::from_utf8_lossy(&slow.draft.input).into_owned(),
            limit_seconds: self.comparer.under_test.limits.time.as_secs_f64(),
            within_seconds: slow.within.as_secs_f64(),
        }
    }

    fn formatting(&self, formatting: &Formatting) -> report::FormDifference {
        report::FormDifference {
            form: formatting.form.to_owned(),
            all_flags: formatting.letters.clone(),
            outcomes: self.outcomes(&formatting.draft, &formatting.difference),
        }
    }

    fn outcomes(&self, draft: &Draft, difference: &Discrepancy) -> Outcomes {
        let they_talk = self.comparer.assignment.judge.is_interactive();
        let [reference, program] =
            Outcomes::of(&difference.reference, &difference.program, they_talk);
        Outcomes {
            args: self.comparer.args(draft),
            input: String::from_utf8_lossy(&draft.input).into_owned(),
            how: difference.how.into(),
            why: difference.why.clone(),
            reference,
            program,
        }
    }
}

fn ways(kinds: Vec<DifferenceKind>) -> Vec<Way> {
    kinds.into_iter().map(|kind| Way { flags: kind.letters, how: kind.how.into() }).collect()
}
