//! The variants of an assignment as libraries, on which the test cases of students run.

use crate::built::{Built, LIBRARY, at};
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course, Language, RunLimits, UnitTests};
use crate::diagnostic::{Failure, Problem, printable};
use crate::framework::{self, Framework};
use crate::run::build::{self, Runnable};
use crate::run::matrix::{Difference, Row};
use crate::run::parallel;
use crate::run::process::{self, ProcessLimits};
use crate::run::programs::process_limits;
use crate::run::work::Work;
use crate::suite::name::TestName;
use crate::suite::{Suite, Test, TestProgram};
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Case, End, How, Outcome};

/// How often a case that passed on the reference runs there again, in other orders, before it is taken for one that always passes.
const REPEATS: usize = 2;
/// Decoys: the reference, compiled in other ways. A test that fails on one looks at the program instead of calling it. What is true of the
/// reference's code by chance, such as that the sum of its bytes is even, is true of all of them once in 256 times.
const DECOYS: [&[&str]; 8] = [
    &["-O0"],
    &["-O1"],
    &["-Os"],
    &["-O3"],
    &["-O0", "-falign-functions=128"],
    &["-O1", "-fno-inline", "-falign-functions=64"],
    &["-O2", "-fno-omit-frame-pointer", "-fno-reorder-functions"],
    &["-O3", "-falign-loops=64", "-fno-schedule-insns2"],
];

/// The variants of an assignment, built, and how tests are built and run with them.
pub struct Variants {
    pub(crate) work: Work,
    pub(crate) unit: UnitTests,
    framework: &'static dyn Framework,
    /// The compiler, and the options with which tests are compiled.
    compiler: Vec<String>,
    /// What every program of tests is linked with: `main`.
    main: Option<PathBuf>,
    /// The reference, and then the mutants in their order.
    libraries: Vec<PathBuf>,
    /// Other programs that are right.
    right: Vec<Right>,
    run: RunLimits,
    /// How many test cases count.
    most: usize,
    jobs: usize,
}

/// A right program beside the reference.
struct Right {
    library: PathBuf,
    /// What it is called. A decoy has no name.
    name: Option<String>,
}

/// A test case that the reference passes, and how long that takes.
struct Valid {
    test: Test,
    case: Case,
    reference: Outcome,
    time: Duration,
}

impl Variants {
    /// Builds the reference and the mutants.
    ///
    /// # Errors
    /// If a build fails.
    pub fn build(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        unit: &UnitTests,
        mutants: &[Mutant],
        jobs: usize,
    ) -> Result<Self, Failure> {
        let ids = mutants.iter().map(|mutant| build::Variant::Mutant(&mutant.id));
        let all = [build::Variant::Reference].into_iter().chain(ids);
        let all: Vec<_> = all.map(|variant| (assignment, variant)).collect();
        let libraries = build::all(course, &all)?.into_iter();
        let libraries = libraries.map(|it| PathBuf::from(&it.words[0])).collect();
        let framework = framework::of(unit.framework);
        let mut compiler = vec!["c++".to_owned()];
        if unit.flags.is_empty() {
            compiler.push("-std=c++17".to_owned());
        }
        compiler.extend(unit.flags.iter().cloned());
        let main = framework
            .main()
            .map(|source| build::object(course, assignment, Language::Cpp, &compiler, source));
        Ok(Self {
            work: work.clone(),
            unit: unit.clone(),
            framework,
            compiler,
            main: main.transpose()?,
            libraries,
            right: right(course, assignment, unit)?,
            run: assignment.run,
            most: assignment.tests.files as usize,
            jobs: jobs.max(1),
        })
    }

    pub(crate) fn reference(&self) -> &Path {
        &self.libraries[0]
    }

    /// The command that compiles `file` and links it as `program`, in a folder that has both and the library.
    pub(crate) fn words(&self, file: &str, program: &str) -> Vec<String> {
        let mut words = self.compiler.clone();
        words.extend(["-I", ".", "-o", program, file].map(str::to_owned));
        words.extend(self.main.iter().map(|main| main.to_string_lossy().into_owned()));
        debug_assert_eq!(LIBRARY, "libsubject.so", "the name that the linker looks for");
        words.extend(["-L.", "-lsubject", "-Wl,-rpath,$ORIGIN"].map(str::to_owned));
        words.extend(self.framework.libraries().iter().map(|it| (*it).to_owned()));
        words
    }

    /// Finds the test cases of a suite, and runs them: the same suite with the valid ones as tests, and a row for each of them.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn score(&self, mut suite: Suite) -> Result<(Suite, Vec<Row>), Failure> {
        let mut rows = Vec::new();
        for file in std::mem::take(&mut suite.programs) {
            rows.extend(self.file(&file, &mut suite)?);
        }
        Ok((suite, rows))
    }

    /// Adds the test cases of a file to the suite, and gives the rows of the valid ones.
    fn file(&self, file: &TestProgram, suite: &mut Suite) -> Result<Vec<Row>, Failure> {
        let built = match Built::new(self, file)? {
            Ok(built) => built,
            Err(problem) => {
                suite.reject(file.file.clone(), problem);
                return Ok(Vec::new());
            }
        };
        let reference = self.with(&built, self.reference())?;
        let cases = match self.cases(&reference)? {
            Ok(cases) => cases,
            Err(problem) => {
                suite.reject(file.file.clone(), problem);
                return Ok(Vec::new());
            }
        };
        let mut valid = Vec::new();
        for name in cases {
            let test = Test {
                file: format!("{}:{}", file.file, printable(&name)),
                name: TestName {
                    number: u32::try_from(suite.tests.len() + 1).unwrap_or(u32::MAX),
                    flags: String::new(),
                },
                input: file.source.clone(),
            };
            if suite.tests.len() + valid.len() >= self.most {
                let problem = format!("only the first {} test cases count", self.most);
                suite.reject(test.file, Problem::new(problem));
                continue;
            }
            let case = Case { args: self.framework.run(&name), ..Case::default() };
            match self.on_reference(&reference, file, case, test)? {
                Ok(it) => valid.push(it),
                Err((test, problem)) => suite.reject(test.file, problem),
            }
        }
        let valid = self.always_valid(&built, &reference, file, valid, suite)?;
        let found = parallel::map(self.libraries.len() - 1, self.jobs, |at| {
            self.differences(&built, at, &valid)
        })?;
        let mut columns: Vec<_> = found.into_iter().map(Vec::into_iter).collect();
        let rows = valid.into_iter().map(|Valid { test, reference, .. }| {
            let exposed = columns.iter_mut().filter_map(|column| column.next().flatten()).collect();
            suite.tests.push(test);
            Row::new(reference, exposed)
        });
        Ok(rows.collect())
    }

    fn with(&self, built: &Built, variant: &Path) -> Result<Runnable, Failure> {
        built.with(variant).map_err(|error| Failure::machine("write a temporary file", error))
    }

    /// The names of the cases of a program.
    fn cases(&self, program: &Runnable) -> Result<Result<Vec<String>, Problem>, Failure> {
        let args = self.framework.list().iter().map(|it| (*it).to_owned()).collect();
        let case = Case { args, ..Case::default() };
        let (outcome, _) = self.start(program, &case, &self.limits())?;
        // Catch2 exits with the number of cases.
        if !matches!(outcome.end, End::Exit(_)) {
            let problem = Problem::new("the program with these tests does not list them");
            let hint = "does it do something before its first test, or have a `main` of its own?";
            return Ok(Err(problem.hint(hint)));
        }
        let cases = self.framework.cases(&String::from_utf8_lossy(&outcome.stdout));
        if cases.is_empty() {
            return Ok(Err(Problem::new("there are no test cases in the file")));
        }
        Ok(Ok(cases))
    }

    /// Runs a case on the reference. If it fails there, it is rejected with what failed.
    fn on_reference(
        &self,
        reference: &Runnable,
        file: &TestProgram,
        case: Case,
        test: Test,
    ) -> Result<Result<Valid, (Test, Problem)>, Failure> {
        let (outcome, time) = self.start(reference, &case, &self.limits())?;
        if outcome.end == End::Exit(0) {
            return Ok(Ok(Valid { test, case, reference: outcome, time }));
        }
        Ok(Err((test, self.rejection(file, &outcome, "a right program"))))
    }

    /// The cases that pass each time and on every right program. The others are rejected.
    fn always_valid(
        &self,
        built: &Built,
        reference: &Runnable,
        file: &TestProgram,
        mut valid: Vec<Valid>,
        suite: &mut Suite,
    ) -> Result<Vec<Valid>, Failure> {
        for _ in 0..REPEATS {
            valid.reverse();
            let problem = |_: &Outcome| {
                Problem::new("it passes at one time and fails at another")
                    .hint("a test must not depend on chance, on time, or on what ran before it")
            };
            valid = self.passing(reference, valid, suite, problem)?;
        }
        for right in &self.right {
            let program = self.with(built, &right.library)?;
            let problem = |outcome: &Outcome| {
                match &right.name {
                Some(name) => self.rejection(file, outcome, &format!("the right program {name}")),
                None => Problem::new("it looks at the program instead of calling it").hint(
                    "a test may call the functions that it tests, and nothing else tells it what is right",
                ),
            }
            };
            valid = self.passing(&program, valid, suite, problem)?;
        }
        Ok(valid)
    }

    /// Those that pass on this program. The others are rejected with a problem.
    fn passing(
        &self,
        program: &Runnable,
        valid: Vec<Valid>,
        suite: &mut Suite,
        problem: impl Fn(&Outcome) -> Problem,
    ) -> Result<Vec<Valid>, Failure> {
        let mut passing = Vec::with_capacity(valid.len());
        for it in valid {
            let (outcome, _) = self.start(program, &it.case, &self.limits_of(&it))?;
            if outcome.end == End::Exit(0) {
                passing.push(it);
            } else {
                suite.reject(it.test.file, problem(&outcome));
            }
        }
        Ok(passing)
    }

    fn rejection(&self, file: &TestProgram, outcome: &Outcome, on: &str) -> Problem {
        let printed = [&outcome.stdout[..], &outcome.stderr].concat();
        let failed = self.framework.failure(&String::from_utf8_lossy(&printed));
        let message = match (&outcome.end, &failed) {
            (End::Exit(_), Some(failed)) => {
                format!("it fails on {on}: {}", printable(&failed.message))
            }
            (End::Exit(status), None) => {
                format!("it fails on {on}, with exit status {status}")
            }
            (End::Crash(how), _) => format!("it crashes on {on} ({})", printable(how)),
            (End::Timeout, _) => format!("it does not end on {on}"),
            (End::Memory, _) => format!("it runs out of memory on {on}"),
            (End::OutputLimit, _) => format!("it prints too much on {on}"),
        };
        let problem = Problem::new(message);
        match failed.and_then(|failed| failed.line) {
            Some(line) => problem.at(at(file, line, None)),
            None => problem,
        }
    }

    /// How the mutant with this index differs from the reference on each of these cases.
    fn differences(
        &self,
        built: &Built,
        mutant: usize,
        valid: &[Valid],
    ) -> Result<Vec<Option<Difference>>, Failure> {
        let program = self.with(built, &self.libraries[mutant + 1])?;
        let one = |valid: &Valid| {
            let (outcome, _) = self.start(&program, &valid.case, &self.limits_of(valid))?;
            let how = How::between(&valid.reference, &outcome).filter(|how| *how != How::Output);
            Ok(how.map(|how| Difference { mutant, how, why: None, outcome: Some(outcome) }))
        };
        valid.iter().map(one).collect()
    }

    fn limits(&self) -> ProcessLimits {
        process_limits(&self.run)
    }

    /// The limits of another program on a case that takes the reference some time.
    fn limits_of(&self, valid: &Valid) -> ProcessLimits {
        let (limits, factor) = (self.limits(), u32::try_from(self.run.factor).unwrap_or(u32::MAX));
        let time = limits.time.max(valid.time.saturating_mul(factor));
        ProcessLimits { time, ..limits }
    }

    fn start(
        &self,
        program: &Runnable,
        case: &Case,
        limits: &ProcessLimits,
    ) -> Result<(Outcome, Duration), Failure> {
        process::run(&self.work, program, case, limits)
            .map_err(|error| process::failure("run a program of tests", &error))
    }
}

/// The right programs beside the reference: the other implementations, and the decoys.
fn right(
    course: &Course,
    assignment: &Assignment,
    unit: &UnitTests,
) -> Result<Vec<Right>, Failure> {
    let others = unit.references.iter().map(|path| {
        let name = path.strip_prefix(&course.folder).unwrap_or(path).display().to_string();
        let library = build::right(course, assignment, Some(path), &[], &name)?;
        Ok(Right { library, name: Some(name) })
    });
    let decoys = DECOYS.iter().map(|options| {
        let library = build::right(course, assignment, None, options, "a decoy")?;
        Ok(Right { library, name: None })
    });
    others.chain(decoys).collect()
}
