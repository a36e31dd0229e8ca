//! The instructor's cases for whole submissions: the file that the key `submission.cases` names.
//!
//! A case has a name, options, and an input, which is a file, a text, or made from a seed when it is needed.

use super::CaseLevel;
use crate::course::yaml::{Entries, Source};
use crate::diagnostic::Problem;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Cases that are reported and weighed together.
#[derive(Clone, Debug)]
pub struct CaseGroup {
    pub name: String,
    /// The group's share of the points for cases, beside those of the other groups.
    pub weight: f64,
    /// Points beyond the others, if this group earns such points instead.
    pub extra: Option<f64>,
    /// The most that a student sees of these cases.
    pub show: CaseLevel,
    pub cases: Vec<CaseSpec>,
}

/// Which answers to a case are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RightAnswer {
    /// The reference's, and what the judge takes for as good.
    Reference,
    /// Any, if the program ends by itself and within its limits.
    Any,
}

/// How a case is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseSpec {
    /// Its name. That of a case which the domain makes is completed by its flags.
    pub name: String,
    pub options: Options,
    pub input: Input,
    pub answer: RightAnswer,
}

/// The options of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Options {
    /// Letters and numbers, as in the name of a test. They are spelled in a random mix.
    Flags(String),
    /// Words that are passed as they are.
    Words(Vec<String>),
    /// Those of the draft that the domain makes.
    OfDraft,
}

/// Where the input of a case comes from. Paths are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Text(String),
    File(PathBuf),
    /// Made by the domain of the assignment.
    Domain(u64),
    /// Made from the shape in a file.
    Shape(PathBuf, u64),
    /// What a command prints. It runs in the folder of the course.
    Command(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(default = "one")]
    weight: f64,
    extra: Option<f64>,
    #[serde(default = "everything")]
    show: CaseLevel,
    #[serde(default = "of_reference")]
    answer: RightAnswer,
    #[serde(default)]
    cases: Entries<Case>,
    generate: Option<Generate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    flags: Option<Letters>,
    args: Option<Vec<String>>,
    text: Option<String>,
    file: Option<PathBuf>,
    shape: Option<PathBuf>,
    command: Option<Vec<String>>,
    #[serde(default)]
    seed: u64,
    /// That of the group, unless it is given.
    answer: Option<RightAnswer>,
}

/// The flags of a case: as in the name of a test, or as a list, as the flags of tests are.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected flags as one word or as a list")]
enum Letters {
    Word(String),
    List(Vec<String>),
}

/// Several cases, whose seeds follow each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Generate {
    name: String,
    count: u32,
    #[serde(default)]
    seed: u64,
    /// The flags of the cases, in turn.
    #[serde(default)]
    flags: Vec<String>,
    shape: Option<PathBuf>,
    command: Option<Vec<String>>,
}

/// Reads the file `path` of cases.
///
/// # Errors
/// If it cannot be read, or a case is incomplete.
pub(super) fn read(path: &Path) -> Result<Vec<CaseGroup>, Problem> {
    let source = Source::read(path)?;
    let groups: Entries<Group> = source.parse()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let place = |problem: Problem, name: &str| {
        let lines = source.lines_that(|_| true);
        let begins = |text: &str| text.trim_start().starts_with(&format!("{name}:"));
        let place = lines.into_iter().find(|place| place.text.as_deref().is_some_and(begins));
        place.map_or(problem.clone(), |place| problem.at(place))
    };
    let mut all = Vec::new();
    for (name, group) in groups.0 {
        let mut cases = Vec::new();
        for (case, written) in group.cases.0 {
            let spec = spec(case.clone(), written, folder, group.answer);
            cases.push(spec.map_err(|problem| place(problem, &case))?);
        }
        let generated = group.generate.map(|it| generated(&it, folder, group.answer));
        cases.extend(generated.into_iter().flatten());
        if cases.is_empty() {
            let problem = Problem::new(format!("the group `{name}` has no cases"));
            return Err(place(problem.hint("give it `cases:` or `generate:`"), &name));
        }
        let Group { weight, extra, show, .. } = group;
        all.push(CaseGroup { name, weight, extra, show, cases });
    }
    Ok(all)
}

fn spec(
    name: String,
    written: Case,
    folder: &Path,
    of_group: RightAnswer,
) -> Result<CaseSpec, Problem> {
    let Case { flags, args, text, file, shape, command, seed, answer } = written;
    let options = match (flags, args) {
        (Some(Letters::Word(flags)), None) => Options::Flags(flags),
        (Some(Letters::List(flags)), None) => Options::Flags(flags.concat()),
        (None, Some(words)) => Options::Words(words),
        (None, None) => Options::Flags(String::new()),
        (Some(_), Some(_)) => {
            let problem = Problem::new(format!("the case `{name}` has both `flags` and `args`"));
            return Err(problem.hint("keep only one of them"));
        }
    };
    let mut inputs = text.map(Input::Text).into_iter().collect::<Vec<_>>();
    inputs.extend(file.map(|file| Input::File(folder.join(file))));
    inputs.extend(shape.map(|shape| Input::Shape(folder.join(shape), seed)));
    inputs.extend(command.map(|words| Input::Command(seeded(&words, seed))));
    let [input] = <[Input; 1]>::try_from(inputs).map_err(|_| {
        Problem::new(format!("cannot tell what the input of the case `{name}` is"))
            .hint("give one of `text:`, `file:`, `shape:` and `command:`")
    })?;
    Ok(CaseSpec { name, options, input, answer: answer.unwrap_or(of_group) })
}

fn generated(generate: &Generate, folder: &Path, answer: RightAnswer) -> Vec<CaseSpec> {
    let case = |number: u32| {
        let seed = generate.seed + u64::from(number);
        let flags = (!generate.flags.is_empty())
            .then(|| generate.flags[number as usize % generate.flags.len()].clone());
        let input = match (&generate.shape, &generate.command) {
            (Some(shape), _) => Input::Shape(folder.join(shape), seed),
            (None, Some(words)) => Input::Command(seeded(words, seed)),
            (None, None) => Input::Domain(seed),
        };
        let name = format!("{}{}", generate.name, number + 1);
        let is_named = matches!(input, Input::Domain(_)) && flags.is_none();
        let name = if is_named { name } else { name + flags.as_deref().unwrap_or_default() };
        let options =
            if is_named { Options::OfDraft } else { Options::Flags(flags.unwrap_or_default()) };
        CaseSpec { name, options, input, answer }
    };
    (0..generate.count).map(case).collect()
}

/// The words with the seed in place of `{seed}`.
fn seeded(words: &[String], seed: u64) -> Vec<String> {
    words.iter().map(|word| word.replace("{seed}", &seed.to_string())).collect()
}

fn one() -> f64 {
    1.0
}

fn everything() -> CaseLevel {
    CaseLevel::Full
}

fn of_reference() -> RightAnswer {
    RightAnswer::Reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_a_case_are_one_word_or_a_list() {
        let cases = "all:\n  cases:\n    A: { flags: qs, text: x }\n    B: { flags: [q, s], text: x }\n    C: { flags: [], text: x }\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.yaml");
        std::fs::write(&path, cases).unwrap();
        let groups = read(&path).unwrap();
        let flags = groups[0].cases.iter().map(|case| match &case.options {
            Options::Flags(flags) => flags.as_str(),
            _ => panic!("{} has other options", case.name),
        });
        assert_eq!(flags.collect::<Vec<_>>(), ["qs", "qs", ""]);
        std::fs::write(&path, cases.replace("qs", "{}")).unwrap();
        let problem = read(&path).unwrap_err();
        assert!(problem.message.contains("expected flags as one word or as a list"), "{problem:?}");
    }
}
