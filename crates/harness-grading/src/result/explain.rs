//! Explains what a mutant did on a case. Pure.

use crate::catalogue::Mutant;
use crate::catalogue::sites::Site;
use crate::diagnostic::{printable, without_traceback};
use crate::domain::{Domain, is_uncaught, shortened};
use crate::result::Difference;
use crate::result::diff::Diff;
use crate::result::explained::{
    Assertion, MutantDifference, MutantExplained, OutputDiff, SiteReport,
};
use crate::run::interactor::{RIGHT, WRONG};
use std::collections::BTreeSet;
use subject::{End, Outcome};

/// The most characters of what a judge says.
const MOST_OF_WHY: usize = 2000;

/// Describes `mutant`, and how it differs from the reference; `seen` is the difference, if there is one. `sites` are
/// those of all mutants. Whether the test reaches it may be unknown.
pub fn explain(
    mutant: &Mutant,
    reached: Option<bool>,
    sites: &[Site],
    domain: &dyn Domain,
    reference: &Outcome,
    seen: Option<&Difference>,
) -> MutantExplained {
    let sites = sites.iter().filter(|site| site.id == mutant.id).map(site).collect();
    MutantExplained {
        id: mutant.id.clone(),
        summary: mutant.summary.clone(),
        spec: mutant.spec.clone(),
        sites,
        reached,
        difference: seen.and_then(|seen| difference(domain, reference, seen)),
    }
}

/// How a test case that passes on the reference fails on a mutant, with this outcome.
pub fn failing(seen: &Difference, assertion: Option<Assertion>) -> MutantDifference {
    let end = seen.outcome.as_ref().map(|outcome| &outcome.end);
    let mutant_end = match end {
        Some(end) if !matches!(end, End::Exit(_)) => self::end(end),
        _ => "fails".to_owned(),
    };
    MutantDifference {
        how: seen.how.into(),
        reference_end: "passes".to_owned(),
        mutant_end,
        mutant_says: String::new(),
        why: None,
        first: None,
        assertion,
        outputs: Vec::new(),
    }
}

fn site(site: &Site) -> SiteReport {
    let file = site.place.file.display().to_string();
    SiteReport {
        file: file.strip_prefix("./").unwrap_or(&file).to_owned(),
        line: site.place.line,
        text: printable(site.place.text.as_deref().unwrap_or_default().trim()),
    }
}

/// How a mutant's outcome differs from the reference's; `None` if the outcome was not asked for.
pub fn difference(
    domain: &dyn Domain,
    reference: &Outcome,
    seen: &Difference,
) -> Option<MutantDifference> {
    let mutant = seen.outcome.as_ref()?;
    let [reference_end, mutant_end] = ends(reference, mutant);
    let says = if reference_end == mutant_end {
        String::new()
    } else {
        one_line(without_traceback(&String::from_utf8_lossy(&mutant.stderr)))
    };
    Some(MutantDifference {
        how: seen.how.into(),
        reference_end,
        mutant_end,
        mutant_says: says,
        why: seen.why.as_ref().map(|why| printable(&shortened(&why.to_string(), MOST_OF_WHY))),
        first: domain
            .first_difference(&reference.stdout, &mutant.stdout)
            .map(|first| one_line(&first)),
        assertion: None,
        outputs: outputs(reference, mutant),
    })
}

/// Standard output and each file, if they differ.
fn outputs(reference: &Outcome, mutant: &Outcome) -> Vec<OutputDiff> {
    let mut outputs = vec![(None, reference.stdout.as_slice(), mutant.stdout.as_slice())];
    let names: BTreeSet<&String> = reference.files.keys().chain(mutant.files.keys()).collect();
    let file =
        |outcome: &'_ Outcome, name: &String| outcome.files.get(name).cloned().unwrap_or_default();
    let files: Vec<_> = names
        .into_iter()
        .map(|name| (printable(name), file(reference, name), file(mutant, name)))
        .collect();
    outputs.extend(
        files
            .iter()
            .map(|(name, right, wrong)| (Some(name.clone()), right.as_slice(), wrong.as_slice())),
    );
    let differing = outputs.into_iter().filter(|(_, right, wrong)| right != wrong);
    differing
        .map(|(file, right, wrong)| OutputDiff { file, diff: Diff::new(right, wrong) })
        .collect()
}

/// How the reference and a program end that talk with an interactor, if it does not accept what the program does.
pub const TALKED: [&str; 2] = ["is accepted by the interactor", "is refused by the interactor"];

/// Whether an interactor does not accept what the program did, and accepts what the reference did on the same case.
pub fn is_refused(reference: &Outcome, program: &Outcome) -> bool {
    reference.stdout == RIGHT && program.end == End::Exit(WRONG) && program.stdout.is_empty()
}

/// How both runs ended, as predicates of a sentence. If the reference refuses its input, this is what matters.
fn ends(reference: &Outcome, mutant: &Outcome) -> [String; 2] {
    if is_refused(reference, mutant) {
        return TALKED.map(str::to_owned);
    }
    let is_refusal = matches!(reference.end, End::Exit(status) if status != 0);
    [reference, mutant].map(|outcome| match outcome.end {
        End::Exit(0) if is_refusal => "accepts it".to_owned(),
        End::Exit(_) if is_refusal && is_uncaught(outcome) => {
            "crashes: nothing catches an exception".to_owned()
        }
        End::Exit(status) if is_refusal => format!("refuses the input with status {status}"),
        _ => end(&outcome.end),
    })
}

/// How a run ended, as the predicate of a sentence.
fn end(end: &End) -> String {
    match end {
        End::Exit(status) => format!("exits with status {status}"),
        End::Crash(how) => format!("crashes: {}{}", one_line(how), meaning(how)),
        End::Timeout => {
            "does not finish: it takes many times the reference's steps or time".to_owned()
        }
        End::Memory => "runs out of memory".to_owned(),
        End::OutputLimit => "prints or writes more than the course allows".to_owned(),
    }
}

/// What a signal means that ends a program for a mistake of its own.
fn meaning(how: &str) -> &'static str {
    match how {
        "signal 4" => ", an illegal instruction",
        "signal 6" => ", it aborts",
        "signal 8" => ", an arithmetic error",
        "signal 11" => ", a segmentation fault",
        _ => "",
    }
}

/// The first lines of a text as one short line.
fn one_line(text: &str) -> String {
    const MOST: usize = 300;
    let lines: Vec<_> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
    let line = printable(&lines.join(" "));
    if line.chars().count() > MOST {
        line.chars().take(MOST).chain(['…']).collect()
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use subject::How;

    fn outcome(end: End, stdout: &str, files: &[(&str, &str)]) -> Outcome {
        let files: BTreeMap<_, _> = files
            .iter()
            .map(|&(name, contents)| (name.to_owned(), contents.as_bytes().to_vec()))
            .collect();
        Outcome { end, stdout: stdout.into(), stderr: b"first\n\n  second\x1b\n".to_vec(), files }
    }

    #[test]
    fn only_files_that_differ_are_compared() {
        let reference = outcome(End::Exit(0), "x\n", &[("a", "1\n"), ("b", "1\n")]);
        let mutant = outcome(End::Exit(0), "x\n", &[("b", "2\n"), ("a", "1\n"), ("c", "")]);
        let names: Vec<_> =
            outputs(&reference, &mutant).into_iter().map(|output| output.file.unwrap()).collect();
        assert_eq!(names, ["b"]);
    }

    #[test]
    fn a_crash_is_described_on_one_line() {
        assert_eq!(
            end(&End::Crash("panicked at a.rs:1:2:\nindex \u{1b}".to_owned())),
            "crashes: panicked at a.rs:1:2: index \\u{1b}"
        );
        let domain = crate::domain::named("text").unwrap();
        let (fine, crashed) = (outcome(End::Exit(0), "", &[]), outcome(End::Exit(1), "", &[]));
        let says = |how, outcome: &Outcome| {
            let seen = Difference { mutant: 0, how, why: None, outcome: Some(outcome.clone()) };
            difference(&*domain, &fine, &seen).unwrap().mutant_says
        };
        assert_eq!(says(How::Exit, &crashed), "first second\\u{1b}");
        assert_eq!(says(How::Output, &fine), "");
        assert_eq!(
            end(&End::Crash("signal 11".to_owned())),
            "crashes: signal 11, a segmentation fault"
        );
        let traced = b"Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 1\n";
        let traced = Outcome { stderr: traced.to_vec(), ..crashed };
        assert_eq!(says(How::Exit, &traced), "KeyError: 1");
    }

    #[test]
    fn what_a_program_prints_is_escaped_and_cut_where_a_domain_quotes_it() {
        let domain = crate::domain::named("puzzle").unwrap();
        let right = outcome(End::Exit(0), "(^, (0, 0))\n", &[]);
        let wrong = outcome(End::Exit(0), &format!("(\x1b[2J{}\n", "x".repeat(1 << 20)), &[]);
        let seen = Difference { mutant: 0, how: How::Output, why: None, outcome: Some(wrong) };
        let first = difference(&*domain, &right, &seen).unwrap().first.unwrap();
        assert!(first.contains("and (\\u{1b}[2Jxxx") && first.ends_with('…'), "{first}");
        assert!(first.len() < 1000, "{}", first.len());
    }
}
