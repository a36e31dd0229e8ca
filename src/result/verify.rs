//! Whether mutants are what their catalogue says: from what was read and what was seen, to what is wrong. Pure.

use crate::catalogue::sites::Sites;
use crate::catalogue::{Expectation, Mutant, Witness};
use crate::course::Assignment;
use crate::domain::Domain;
use crate::domain::How;
use crate::problem::{Problem, did_you_mean, printable};
use crate::suite;
use std::mem::discriminant;
use subject::wire::MutantSet;
use subject::{Case, End, Outcome};

/// What is wrong with how a crate declares `mutants` and asks for them.
pub fn sites<'a>(mutants: impl IntoIterator<Item = &'a Mutant>, sites: &Sites) -> Vec<Problem> {
    let Sites { declared, asked, conditions } = sites;
    let unasked = mutants
        .into_iter()
        .filter(|mutant| !asked.iter().any(|site| site.id == mutant.id))
        .map(|mutant| {
            Problem::new(format!("nothing in the source asks for `{}`", mutant.id))
                .at(mutant.place("summary"))
                .hint(format!("put `bug!(\"{}\")` where it bites", mutant.id))
        });
    let undeclared = asked.iter().filter(|site| !declared.contains(&site.id)).map(|site| {
        let hint = did_you_mean(&site.id, declared.iter().map(String::as_str));
        let hint = hint.unwrap_or_else(|| "declare it with `harness mutants new`".to_owned());
        Problem::new(format!("`{}` is no feature of the crate", site.id))
            .at(site.place.clone())
            .hint(hint)
    });
    let fixed = conditions.iter().map(|site| {
        Problem::new(format!(
            "`{}` is asked for without `bug!`, so it can't be chosen per run",
            site.id
        ))
        .at(site.place.clone())
        .hint(format!("ask with `bug!(\"{}\")`", site.id))
    });
    unasked.chain(undeclared).chain(fixed).collect()
}

/// What is wrong with a mutant's file by itself.
pub fn description(mutant: &Mutant, assignment: &Assignment) -> Vec<Problem> {
    let id = &mutant.id;
    let texts = [
        ("summary", &mutant.summary),
        ("area", &mutant.area),
        ("spec", &mutant.spec),
        ("hint", &mutant.hint),
    ];
    let mut problems: Vec<_> = texts
        .iter()
        .filter(|(_, text)| text.trim().is_empty())
        .map(|(key, _)| {
            Problem::new(format!("the key `{key}` of `{id}` is empty")).at(mutant.place(key))
        })
        .collect();
    problems.extend(match (&mutant.witness, &mutant.expect) {
        (None, None | Some(Expectation::How(_))) => Some(
            Problem::new(format!("the mutant `{id}` has no witness"))
                .at(mutant.place("summary"))
                .hint(format!("find one with `harness mutants witness {id}`, or declare it equivalent with `expect:`")),
        ),
        (Some(_), Some(Expectation::Equivalent(_))) => Some(
            Problem::new(format!("`{id}` is declared equivalent, and has a witness"))
                .at(mutant.place("expect"))
                .hint("remove one of them"),
        ),
        (None, Some(Expectation::Equivalent(reason))) => reason
            .trim()
            .is_empty()
            .then(|| Problem::new(format!("`{id}` is declared equivalent without a reason")).at(mutant.place("expect"))),
        (Some(witness), _) => unfit(witness, assignment).map(|wrong| {
            Problem::new(format!("the witness of `{id}` is no test that a student may hand in: {wrong}"))
                .at(mutant.place("witness"))
        }),
    });
    problems
}

/// Why no student may hand in a witness as a test, if that is so.
fn unfit(witness: &Witness, assignment: &Assignment) -> Option<String> {
    if witness.input.len() as u64 > assignment.tests.bytes {
        return Some(format!("it is larger than {} bytes", assignment.tests.bytes));
    }
    match suite::as_a_program_sees_it(witness.input.clone().into_bytes(), assignment) {
        Ok(input) if input == witness.input.as_bytes() => None,
        Ok(_) => Some("its CRLF line ends are converted before a program sees them".to_owned()),
        Err(problem) => Some(problem.message),
    }
}

/// What the reference and a mutant did on the mutant's witness.
pub struct Trial {
    /// The witness's case.
    pub case: Case,
    /// The clean build, as a worker where it is one, else as a process.
    pub reference: Outcome,
    /// The clean build as a process of its own, where it was run so.
    pub reference_process: Option<Outcome>,
    /// The mutant in the combined build, where there is one.
    pub combined: Option<Outcome>,
    /// The mutant in a build of its own, where it was built so.
    pub isolated: Option<Outcome>,
}

/// What is wrong with a mutant by what was seen on its witness.
pub fn trial(mutant: &Mutant, trial: &Trial, domain: &dyn Domain) -> Option<Problem> {
    let id = &mutant.id;
    let problem = |message: String| Some(Problem::new(message).at(mutant.place("witness")));
    if trial.reference.end != End::Exit(0) {
        let said = String::from_utf8_lossy(&trial.reference.stderr);
        let said =
            said.lines().next().map_or_else(|| ended(&trial.reference).to_owned(), printable);
        return problem(format!("the reference does not accept the witness of `{id}`: {said}"));
    }
    if trial.reference_process.as_ref().is_some_and(|process| !same(process, &trial.reference)) {
        return problem(format!(
            "on the witness of `{id}`, the reference does something else as a process than as a worker"
        ));
    }
    let how = |outcome: &Outcome| {
        domain.judge(&trial.case, &trial.reference, outcome).map(|fault| How::from(fault.how))
    };
    let builds = [("the combined build", &trial.combined), ("a build of its own", &trial.isolated)];
    for (build, outcome) in builds {
        if outcome.as_ref().is_some_and(|outcome| how(outcome).is_none()) {
            let hint = format!("find another with `harness mutants witness {id}`");
            return problem(format!("the witness of `{id}` does not expose it in {build}"))
                .map(|problem| problem.hint(hint));
        }
    }
    if let (Some(combined), Some(isolated)) = (&trial.combined, &trial.isolated)
        && !same(combined, isolated)
    {
        let (combined, isolated) = (ended(combined), ended(isolated));
        let differ = if combined == isolated {
            "its output differs".to_owned()
        } else {
            format!("{combined}, and {isolated} alone")
        };
        let hint =
            "does its `bug!` change what is kept from run to run, or which limit it meets first?";
        return problem(format!(
            "`{id}` does not do the same in the combined build as alone: {differ}"
        ))
        .map(|problem| problem.hint(hint));
    }
    let seen = trial.combined.as_ref().or(trial.isolated.as_ref()).and_then(how);
    match (&mutant.expect, seen) {
        (Some(Expectation::How(expected)), Some(seen)) if *expected != seen => Some(
            Problem::new(format!(
                "`{id}` is exposed by {}, and declared to be by {}",
                seen.word(),
                expected.word()
            ))
            .at(mutant.place("expect")),
        ),
        _ => None,
    }
}

/// Whether two runs are the same to a user. What a run printed before it was cut is not compared: that depends on what it was cut by.
fn same(one: &Outcome, other: &Outcome) -> bool {
    match (&one.end, &other.end) {
        (End::Exit(one_status), End::Exit(other_status)) => {
            one_status == other_status && one.stdout == other.stdout && one.files == other.files
        }
        (one, other) => discriminant(one) == discriminant(other),
    }
}

fn ended(outcome: &Outcome) -> &'static str {
    match outcome.end {
        End::Exit(0) => "it ends well",
        End::Exit(_) => "it fails",
        End::Crash(_) => "it crashes",
        End::Timeout => "it does not end in time",
        End::Memory => "it runs out of memory",
        End::OutputLimit => "it prints without end",
    }
}

/// What was seen on one case of the corpus.
pub struct CorpusRun {
    /// Whether the reference accepts it.
    pub valid: bool,
    /// The mutants that differ on it, among those that were run.
    pub exposed: MutantSet,
    /// The mutants that it reaches, where the build can tell.
    pub reached: Option<MutantSet>,
}

/// What is wrong with a mutant by what was seen on the whole corpus.
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
            "`{id}` is declared equivalent, and the case that follows exposes it\n{}",
            described(&cases[at])
        );
        return Some(
            Problem::new(message)
                .at(mutant.place("expect"))
                .hint("remove `expect`, and find a witness"),
        );
    }
    if valid.len() > 1 && valid.iter().all(|seen| exposed(seen)) {
        let message = format!(
            "`{id}` is exposed by each of the {} valid cases: any test finds it",
            valid.len()
        );
        return Some(
            Problem::new(message)
                .at(mutant.place("summary"))
                .hint("narrow down where its `bug!` bites"),
        );
    }
    let is_reached =
        |seen: &&CorpusRun| seen.reached.as_ref().is_none_or(|reached| reached.contains(index));
    if !valid.iter().any(is_reached) {
        let message = format!("none of {} valid cases reaches the `bug!` of `{id}`", valid.len());
        return Some(
            Problem::new(message)
                .at(mutant.place("summary"))
                .hint("does it stand where the program can come?"),
        );
    }
    None
}

/// A case, for a person.
pub fn described(case: &Case) -> String {
    let input = String::from_utf8_lossy(&case.input);
    let lines: Vec<_> = input.lines().map(printable).collect();
    format!("{}\n{}", case.args.join(" "), lines.join("\n"))
}
