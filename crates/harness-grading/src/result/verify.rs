//! Checks that mutants behave as their catalogue files say. Takes what was read and measured, and returns problems. Pure.

mod behaviours;
mod unexpected;

pub use behaviours::behaviours;

use crate::catalogue::sites::Sites;
use crate::catalogue::{Expectation, Mutant, Witness};
use crate::course::Assignment;
use crate::diagnostic::{Problem, command_line, printable, without_traceback};
use crate::domain::{How, TestKind};
use crate::run::programs::Untrue;
use crate::suite::{self, validity};
use std::mem::discriminant;
use std::path::Path;
use subject::wire::MutantSet;
use subject::{Case, End, Outcome};

/// What is wrong with how a crate declares `mutants` and asks for them.
pub fn sites(mutants: &[&Mutant], sites: &Sites) -> Vec<Problem> {
    let Sites { declared, bugs, conditions } = sites;
    let missing = mutants
        .iter()
        .filter(|mutant| !bugs.iter().any(|site| site.id == mutant.id))
        .map(|mutant| {
            Problem::new(format!("there is no `bug!(\"{}\")` in the source", mutant.id))
                .at(mutant.place("summary"))
                .hint("add it where the bug takes effect")
        });
    let is_described = |id: &String| mutants.iter().any(|mutant| mutant.id == *id);
    let undeclared = bugs.iter().filter(|site| !declared.contains(&site.id));
    let undeclared = undeclared.filter(|site| is_described(&site.id)).map(|site| {
        Problem::new(format!("`{}` is not a feature of the crate", site.id))
            .at(site.place.clone())
            .hint(format!("add `{} = []` under [features] in its Cargo.toml", site.id))
    });
    let fixed = conditions.iter().map(|site| {
        Problem::new(format!(
            "the feature `{}` is tested without `bug!`, so it cannot be selected at run time",
            site.id
        ))
        .at(site.place.clone())
        .hint(format!("use `bug!(\"{}\")`", site.id))
    });
    missing.chain(undeclared).chain(fixed).collect()
}

/// A run that had another outcome in a process. `mutant` was selected.
pub fn untrue(untrue: &Untrue, mutant: Option<&str>) -> Problem {
    let Untrue { program, engine, case, by_engine, by_process, .. } = untrue;
    let mutant = mutant.map(|id| format!(" with `{id}`")).unwrap_or_default();
    let [by_engine, by_process] = told_apart([by_engine, by_process]);
    let message = format!(
        "{program}{mutant} does something else by {engine} than as a process on this case:\n{}\nby {engine}, {by_engine}; as a process, {by_process}",
        described(case),
    );
    let hint = "it runs by a slower engine from now on; does it print an address, a time or memory that it has not set?";
    Problem::new(message).hint(hint)
}

/// The problem that another right program differs from the reference: on so many of so many tests, and on one of them so.
pub fn disputed(
    program: &Path,
    case: &Case,
    [reference, other]: [&Outcome; 2],
    [count, all]: [usize; 2],
) -> Problem {
    let [reference, other] = told_apart([reference, other]);
    let message = format!(
        "the right program {} differs from the reference on {count} of {all} cases, such as this one:\n{}\nthe reference: {reference}; the right program: {other}",
        program.display(),
        described(case),
    );
    Problem::new(message).hint("one of the two is wrong, or the assignment leaves something open")
}

/// Checks a mutant's catalogue file by itself.
pub fn description(mutant: &Mutant, assignment: &Assignment) -> Vec<Problem> {
    let id = &mutant.id;
    let texts = [
        ("summary", &mutant.summary),
        ("topic", &mutant.topic),
        ("spec", &mutant.spec),
        ("hint", &mutant.hint),
    ];
    let behaviour = mutant.behaviour.as_ref().map(|name| ("behaviour", name));
    let mut problems: Vec<_> = texts
        .into_iter()
        .chain(behaviour)
        .filter(|(_, text)| text.trim().is_empty())
        .map(|(key, _)| {
            Problem::new(format!("the key `{key}` of `{id}` is empty")).at(mutant.place(key))
        })
        .collect();
    problems.extend(match (&mutant.witness, &mutant.expect) {
        // A case of the course's own file of tests exposes it.
        (None, None | Some(Expectation::How(_))) if assignment.unit.is_some() => None,
        (None, None | Some(Expectation::How(_))) => Some(
            Problem::new(format!("the mutant `{id}` has no witness"))
                .at(mutant.place("summary"))
                .hint(format!("find one with `harness mutants witness {id}`, or declare it equivalent with `expect:`")),
        ),
        (Some(_), Some(Expectation::Equivalent(_))) => Some(
            Problem::new(format!("`{id}` is declared equivalent, but has a witness"))
                .at(mutant.place("expect"))
                .hint("remove one of them"),
        ),
        (None, Some(Expectation::Equivalent(reason))) => reason
            .trim()
            .is_empty()
            .then(|| Problem::new(format!("`{id}` is declared equivalent without a reason")).at(mutant.place("expect"))),
        (Some(witness), _) => witness_error(witness, assignment).map(|error| {
            Problem::new(format!("the witness of `{id}` is not a valid test: {error}"))
                .at(mutant.place("witness"))
        }),
    });
    problems.extend(mutant.witness.as_ref().filter(|witness| witness.expected.is_none()).map(
        |_| {
            let hint =
                format!("record it with `harness mutants witness --record {id}`, and check it");
            Problem::new(format!("the witness of `{id}` has no expected output"))
                .at(mutant.place("witness"))
                .hint(hint)
        },
    ));
    problems
}

/// Why a witness cannot be handed in as a test, if so.
fn witness_error(witness: &Witness, assignment: &Assignment) -> Option<String> {
    if witness.input.len() as u64 > assignment.tests.bytes {
        return Some(format!("the file is larger than {} bytes", assignment.tests.bytes));
    }
    match suite::program_input(witness.input.clone().into_bytes(), assignment) {
        Ok(input) if input == witness.input.as_bytes() => None,
        Ok(_) => Some("its CRLF line endings are converted before a program reads it".to_owned()),
        Err(problem) => Some(problem.message),
    }
}

/// The outcomes of the reference and of a mutant on the mutant's witness.
pub struct Trial {
    /// The witness's case.
    pub case: Case,
    /// The clean build, run as a worker if it can be one, otherwise as a process.
    pub reference: Outcome,
    /// Whether that makes the witness a valid test.
    pub is_valid: bool,
    /// The clean build, run as a process, if that was done too.
    pub reference_process: Option<Outcome>,
    /// The mutant in the combined build, if there is one.
    pub combined: Option<Tried>,
    /// The mutant in an isolated build, if there is one.
    pub isolated: Option<Tried>,
}

/// What a mutant did on its witness.
pub struct Tried {
    pub outcome: Outcome,
    /// How it is wrong, if it is.
    pub how: Option<How>,
}

/// Why a witness is no valid test, by what the reference does on it.
fn invalid(mutant: &Mutant, assignment: &Assignment, reference: &Outcome) -> String {
    let (id, refusals) = (&mutant.id, &assignment.refusals);
    let kind = refusals.kind(reference).zip(mutant.witness.as_ref());
    let does = match kind {
        Some((TestKind::Refused, _)) => "refuses",
        _ => "accepts",
    };
    match kind {
        Some((kind, witness)) if !refusals.fits(&witness.flags, kind) => {
            format!("the reference {does} the witness of `{id}`, and its flags say otherwise")
        }
        Some((TestKind::Accepted, witness))
            if let Some(problem) = validity::undescribed(assignment, witness.input.as_bytes()) =>
        {
            let message = problem.message;
            format!("the reference accepts the witness of `{id}`, but it is no test: {message}")
        }
        _ => format!("the reference does not accept the witness of `{id}`: {}", said(reference)),
    }
}

/// Checks the outcomes on a mutant's witness.
pub fn trial(mutant: &Mutant, assignment: &Assignment, trial: &Trial) -> Option<Problem> {
    let id = &mutant.id;
    let problem = |message: String| Some(Problem::new(message).at(mutant.place("witness")));
    if !trial.is_valid {
        return problem(invalid(mutant, assignment, &trial.reference));
    }
    if trial.reference_process.as_ref().is_some_and(|process| !same(process, &trial.reference)) {
        return problem(format!(
            "on the witness of `{id}`, the reference behaves differently as a process and as a worker"
        ));
    }
    if let Some(problem) = unexpected::unexpected(mutant, trial) {
        return Some(problem);
    }
    let builds = [("the combined build", &trial.combined), ("its isolated build", &trial.isolated)];
    for (build, tried) in builds {
        if tried.as_ref().is_some_and(|tried| tried.how.is_none()) {
            let hint = format!("find another witness with `harness mutants witness {id}`");
            return problem(format!("the witness of `{id}` does not expose it in {build}"))
                .map(|problem| problem.hint(hint));
        }
    }
    if let (Some(combined), Some(isolated)) = (&trial.combined, &trial.isolated)
        && !same(&combined.outcome, &isolated.outcome)
    {
        let (combined, isolated) = (ended(&combined.outcome), ended(&isolated.outcome));
        let differ = if combined == isolated {
            "its output differs".to_owned()
        } else {
            format!("{combined} in the combined build, but {isolated} in the isolated one")
        };
        let hint = format!(
            "does `{id}` change state that is kept between runs, or which limit is reached first?"
        );
        return problem(format!(
            "`{id}` behaves differently in the combined and the isolated build: {differ}"
        ))
        .map(|problem| problem.hint(hint));
    }
    let seen = trial.combined.as_ref().or(trial.isolated.as_ref()).and_then(|tried| tried.how);
    unexpected(mutant, seen.as_slice())
}

/// What is wrong with a mutant that is exposed in these ways, and in none that its file says.
pub fn unexpected(mutant: &Mutant, seen: &[How]) -> Option<Problem> {
    let Some(Expectation::How(expected)) = &mutant.expect else { return None };
    let first = seen.first().filter(|_| !seen.contains(expected))?;
    let (id, first, expected) = (&mutant.id, first.word(), expected.word());
    let message = format!("`{id}` is exposed by {first}, but `expect` says {expected}");
    Some(Problem::new(message).at(mutant.place("expect")))
}

/// Whether a user would see the same in two runs. What a run printed before it was stopped is not compared, because that depends
/// on when it was stopped.
fn same(one: &Outcome, other: &Outcome) -> bool {
    match (&one.end, &other.end) {
        (End::Exit(one_status), End::Exit(other_status)) => {
            one_status == other_status && one.stdout == other.stdout && one.files == other.files
        }
        (one, other) => discriminant(one) == discriminant(other),
    }
}

/// What a program says, or else how it ended.
pub fn said(outcome: &Outcome) -> String {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let first = without_traceback(&said).lines().next();
    first.map_or_else(|| ended(outcome).to_owned(), printable)
}

/// How each of two runs ended, and the first line in which they differ.
fn told_apart(outcomes: [&Outcome; 2]) -> [String; 2] {
    let texts = outcomes.map(|outcome| String::from_utf8_lossy(&outcome.stdout));
    let mut lines = texts.each_ref().map(|text| text.lines());
    let mut pairs = std::iter::from_fn(|| {
        let pair = lines.each_mut().map(Iterator::next);
        (pair != [None, None]).then_some(pair)
    });
    let pair = pairs.find(|[one, other]| one != other).unwrap_or_default();
    let printed = |at: usize| {
        pair[at].map(|line| format!(" and prints `{}`", printable(line))).unwrap_or_default()
    };
    [0, 1].map(|at| format!("{}{}", ended(outcomes[at]), printed(at)))
}

fn ended(outcome: &Outcome) -> &'static str {
    match outcome.end {
        End::Exit(0) => "it succeeds",
        End::Exit(_) => "it fails",
        End::Crash(_) => "it crashes",
        End::Timeout => "it does not finish",
        End::Memory => "it runs out of memory",
        End::OutputLimit => "it prints too much",
    }
}

/// The problem that `mutants` are twins: the same `exposing` cases of the corpus expose them, with the same outcomes. The first of them
/// is the one to change.
pub fn twins(mutants: &[&Mutant], exposing: usize, cases: usize) -> Problem {
    let ids: Vec<_> = mutants.iter().map(|mutant| format!("`{}`", mutant.id)).collect();
    let message = format!(
        "{} are twins: the same {exposing} of {cases} cases expose them, with the same outcomes",
        ids.join(" and ")
    );
    let hint = "keep one of them, or add a test to the sample suite that tells them apart";
    Problem::new(message).at(mutants[0].place("summary")).hint(hint)
}

/// The result of one case of the corpus.
pub struct CorpusRun {
    /// Whether the reference accepts it.
    pub valid: bool,
    /// The mutants that it exposes, among those that were run.
    pub exposed: MutantSet,
    /// The mutants that it reaches, if the build can tell.
    pub reached: Option<MutantSet>,
}

/// Checks a mutant's results on the whole corpus.
pub fn on_corpus(
    mutant: &Mutant,
    index: usize,
    cases: &[Case],
    seen: &[CorpusRun],
) -> Option<Problem> {
    let id = &mutant.id;
    let exposed = |seen: &CorpusRun| seen.exposed.contains(index);
    let valid: Vec<_> = seen.iter().filter(|seen| seen.valid).collect();
    if let Some(Expectation::Equivalent(_)) = mutant.expect {
        let at = seen.iter().position(exposed)?;
        let message = format!(
            "`{id}` is declared equivalent, but this case exposes it:\n{}",
            described(&cases[at])
        );
        return Some(
            Problem::new(message)
                .at(mutant.place("expect"))
                .hint("remove `expect`, and find a witness"),
        );
    }
    if valid.len() > 1 && valid.iter().all(|seen| exposed(seen)) {
        let message =
            format!("`{id}` is exposed by all {} valid cases: every test finds it", valid.len());
        return Some(
            Problem::new(message)
                .at(mutant.place("summary"))
                .hint("make it take effect in fewer cases"),
        );
    }
    let is_reached =
        |seen: &&CorpusRun| seen.reached.as_ref().is_none_or(|reached| reached.contains(index));
    if !valid.iter().any(is_reached) {
        let message = format!("none of {} valid cases reaches `{id}`", valid.len());
        return Some(
            Problem::new(message)
                .at(mutant.place("summary"))
                .hint("is its place in the source reachable?"),
        );
    }
    None
}

/// A case as text: its arguments and its input.
pub fn described(case: &Case) -> String {
    let input = String::from_utf8_lossy(&case.input);
    let lines: Vec<_> = input.lines().map(printable).collect();
    format!("{}\n{}", command_line(&case.args), lines.join("\n"))
}
