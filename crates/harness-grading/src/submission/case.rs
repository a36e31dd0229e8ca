//! Makes the instructor's cases: from files and texts, or from seeds by the domain, a shape or a command.

use crate::course::cases::{CaseGroup, CaseSpec, Input, Options, RightAnswer};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem};
use crate::domain::{self, CaseRules, Draft};
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use crate::shape;
use crate::suite::decode::{self, Spelled};
use crate::suite::spelling::Spelling;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fs;
use std::path::Path;
use std::time::Duration;
use subject::{Case, End, Outcome};

/// A case, ready to run.
#[derive(Clone, Debug)]
pub struct MadeCase {
    pub name: String,
    /// Its flags, which can choose the program.
    pub flags: String,
    /// What the file of a test with this case would hold, if the program gets only a part of it as its input.
    whole: Option<Vec<u8>>,
    /// The case as the reference gets it.
    pub case: Case,
    pub answer: RightAnswer,
}

impl MadeCase {
    /// A case that is made of `file`, what the file of a test would hold.
    pub fn new(
        name: String,
        flags: String,
        file: Vec<u8>,
        case: Case,
        answer: RightAnswer,
    ) -> Self {
        let made = Self { name, flags, whole: None, case, answer };
        let whole = (made.input() != file).then_some(file);
        Self { whole, ..made }
    }

    /// What a program reads, from standard input or from a file.
    pub fn input(&self) -> &[u8] {
        self.case.files.values().next().unwrap_or(&self.case.input)
    }

    /// What the file of a test with this case would hold.
    pub fn file(&self) -> &[u8] {
        self.whole.as_deref().unwrap_or_else(|| self.input())
    }

    /// What a program that did `outcome` should have done, if the reference does `answer`.
    pub(super) fn expected(&self, answer: Outcome, outcome: &Outcome) -> Outcome {
        match (self.answer, &outcome.end) {
            (RightAnswer::Reference, _) => answer,
            (RightAnswer::Any, End::Exit(_)) => outcome.clone(),
            (RightAnswer::Any, _) => Outcome { end: answer.end, ..outcome.clone() },
        }
    }
}

/// Makes cases of an assignment.
pub struct Maker<'a> {
    pub work: &'a Work,
    pub course: &'a Course,
    pub assignment: &'a Assignment,
    /// The seed of the random spelling.
    pub seed: u64,
}

/// Whether the reference accepts a case.
pub type Accepts<'a> = &'a mut dyn FnMut(&Case) -> Result<bool, Failure>;

impl Maker<'_> {
    /// The cases of a group.
    ///
    /// # Errors
    /// If a case cannot be made.
    pub fn group(&self, group: &CaseGroup, accepts: Accepts<'_>) -> Result<Vec<MadeCase>, Failure> {
        group.cases.iter().map(|spec| self.case(spec, accepts)).collect()
    }

    /// One case.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn case(&self, spec: &CaseSpec, accepts: Accepts<'_>) -> Result<MadeCase, Failure> {
        let named = |problem: Problem| {
            let message = format!("the case `{}`: {}", spec.name, problem.message);
            Failure::usage(Problem { message, ..problem })
        };
        let unread = |path: &Path, error: std::io::Error| {
            let problem = Problem::new(format!("cannot read {}: {error}", path.display()));
            problem.hint("the paths of cases start in the folder of their file")
        };
        let input = match &spec.input {
            Input::Text(text) => text.clone().into_bytes(),
            Input::File(path) => fs::read(path).map_err(|error| named(unread(path, error)))?,
            Input::Shape(path, seed) => self.of_shape(path, *seed).map_err(named)?,
            Input::Command(words) => self.of_command(words, &spec.name)?,
            Input::Domain(seed) => return self.of_domain(spec, *seed, accepts),
        };
        let made = self.made(&spec.name, &spec.options, input.clone());
        let (flags, case) = made.map_err(named)?;
        Ok(MadeCase::new(spec.name.clone(), flags, input, case, spec.answer))
    }

    /// The flags, and the case with these options and this input.
    fn made(
        &self,
        name: &str,
        options: &Options,
        input: Vec<u8>,
    ) -> Result<(String, Case), Problem> {
        match options {
            Options::Flags(flags) => {
                let spelled = Spelled { spelling: Spelling::Mixed, file: name, seed: self.seed };
                Ok((flags.clone(), decode::case(self.assignment, flags, input, &spelled)?))
            }
            Options::Words(words) => {
                // The domain knows which file the input is in, and not which arguments a wrong call has.
                Ok((String::new(), self.assignment.domain.case_with(words.clone(), input)))
            }
            Options::OfDraft => unreachable!("only the domain makes drafts"),
        }
    }

    /// The first valid case that the domain makes from a seed.
    fn of_domain(
        &self,
        spec: &CaseSpec,
        seed: u64,
        accepts: Accepts<'_>,
    ) -> Result<MadeCase, Failure> {
        const TRIES: usize = 200;
        let Some(generator) = self.assignment.domain.generator() else {
            let message = format!("the domain `{}` makes no cases", self.assignment.domain.name());
            return Err(Failure::usage(
                Problem::new(message).hint("give the case a file or a text"),
            ));
        };
        let mut bytes = [0; 32];
        Rng::with_seed(seed).fill(&mut bytes);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        for _ in 0..TRIES {
            let draft = generator.plain(&generator.sample(&self.assignment.tests, &mut runner));
            let Draft { flags, input } = draft;
            let (name, flags) = match &spec.options {
                Options::Flags(flags) => (spec.name.clone(), flags.clone()),
                _ => (format!("{}{flags}", spec.name), flags),
            };
            let made = self.made(&name, &Options::Flags(flags), input.clone());
            let Ok((flags, case)) = made else { continue };
            if accepts(&case)? {
                return Ok(MadeCase::new(name, flags, input, case, spec.answer));
            }
        }
        let message =
            format!("the domain makes no valid case `{}` from the seed {seed}", spec.name);
        Err(Failure::usage(Problem::new(message).hint("choose another seed")))
    }

    fn of_shape(&self, path: &Path, seed: u64) -> Result<Vec<u8>, Problem> {
        let text = fs::read(path)
            .map_err(|error| Problem::new(format!("cannot read {}: {error}", path.display())))?;
        let shape = shape::parse(path, &text)
            .map_err(|problem| Problem::new(problem.message).maybe_hint(problem.hint))?;
        let domain = domain::described(shape, CaseRules::default());
        let generator =
            domain.generator().ok_or_else(|| Problem::new("the shape makes nothing"))?;
        let rng = &mut Rng::with_seed(seed);
        Ok(generator.sample_of(0, &self.assignment.tests, rng).input)
    }

    /// What a command of the course prints.
    fn of_command(&self, words: &[String], name: &str) -> Result<Vec<u8>, Failure> {
        let folder =
            self.course.folder.canonicalize().unwrap_or_else(|_| self.course.folder.clone());
        let limits = ProcessLimits {
            time: Duration::from_secs(60),
            wall: Duration::from_secs(600),
            memory: 4 << 30,
            output: 1 << 30,
            processes: 64,
        };
        let runnable = Runnable::new(words.to_vec(), folder);
        let line = words.join(" ");
        let outcome = process::run_in_place(self.work, &runnable, &Case::default(), &limits)
            .map_err(|error| process::failure(format!("run `{line}`"), &error))?;
        if outcome.end == End::Exit(0) {
            return Ok(outcome.stdout);
        }
        let said = String::from_utf8_lossy(&outcome.stderr).trim_end().to_owned();
        let message = format!("the command `{line}` of the case `{name}` fails\n{said}");
        Err(Failure::broken_course(Problem::new(message)))
    }
}
