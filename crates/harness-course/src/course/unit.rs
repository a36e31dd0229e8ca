//! Tests that are programs: the keys `unit`, `files`, `compile` and `cases` of `tests`, and `references`.

use super::check::Check;
use super::pattern::matches;
use super::raw;
use super::yaml::Spanned;
use super::{Assignment, AssignmentProgram, Language};
use crate::diagnostic::{Failure, Problem, did_you_mean};
use crate::domain::{InputLimits, TestRules};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many test cases count, unless the course file says it.
const USUAL_CASES: u32 = 100;
const USUAL_SECONDS: u32 = 600;

/// What a student hands in as tests, where tests are functions of a program.
#[derive(Clone, Debug)]
pub struct UnitTests {
    pub framework: Framework,
    /// The names of the files with tests. In each, `*` stands for any part of a name.
    pub files: Vec<String>,
    /// Options of the compiler.
    pub flags: Vec<String>,
    /// What a file with tests may include or import.
    pub with: Vec<PathBuf>,
    /// Other right programs beside the reference. A test must pass on all of them.
    pub references: Vec<PathBuf>,
    /// A file of the course with test cases. One of them at least exposes each mutant.
    pub witnesses: Option<PathBuf>,
    /// Whether results say which lines of the reference the tests reach.
    pub coverage: bool,
    /// Whether the inputs of the domain are calls, from which tests can be made.
    pub has_calls: bool,
    /// How long the runs of a suite may take together, with what compiles it.
    pub most_time: Duration,
}

impl UnitTests {
    /// Whether a file with this name has tests.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|pattern| matches(pattern, name))
    }

    /// Refuses a file of tests with a name that a compiler would take for an option, or that something beside it has.
    ///
    /// # Errors
    /// With what is wrong with the name.
    pub fn check_name(&self, name: &str, program: &AssignmentProgram) -> Result<(), Problem> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if !name.chars().all(is_plain) || name.starts_with(['-', '.']) {
            let hint = "it may have the letters of English, digits, `_`, `-` and `.`, and begins with neither of the last two";
            return Err(Problem::new("a file with tests cannot have this name").hint(hint));
        }
        let sources = match program {
            AssignmentProgram::Sources(sources) => &sources.files[..],
            _ => &[],
        };
        let names = self.with.iter().chain(sources).filter_map(|path| path.file_name());
        let mut names = names.map(|it| it.to_string_lossy()).chain(MADE.map(Into::into));
        match names.find(|taken| taken == name) {
            Some(taken) => Err(Problem::new(format!("the course has a file `{taken}` itself"))
                .hint("give the file with tests another name")),
            None => Ok(()),
        }
    }
}

/// What lies beside a file of tests, or is made from it.
const MADE: [&str; 6] = ["subject.h", "subject.py", "libsubject.so", "tests", "tests.o", "tests.d"];

/// What the tests of a program are written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    GoogleTest,
    Catch2,
    Doctest,
    UnitTestFramework,
    Pytest,
    Unittest,
    JUnit,
    Cargo,
}

impl Framework {
    pub const ALL: [Self; 8] = [
        Self::GoogleTest,
        Self::Catch2,
        Self::Doctest,
        Self::UnitTestFramework,
        Self::Pytest,
        Self::Unittest,
        Self::JUnit,
        Self::Cargo,
    ];

    /// The word in the course file.
    pub fn key(self) -> &'static str {
        match self {
            Self::GoogleTest => "gtest",
            Self::Catch2 => "catch2",
            Self::Doctest => "doctest",
            Self::UnitTestFramework => "unit_test_framework",
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::JUnit => "junit",
            Self::Cargo => "cargo",
        }
    }

    /// The languages of the programs that it tests. A crate has none.
    pub fn languages(self) -> &'static [Language] {
        match self {
            Self::GoogleTest | Self::Catch2 | Self::Doctest | Self::UnitTestFramework => {
                &[Language::C, Language::Cpp]
            }
            Self::Pytest | Self::Unittest => &[Language::Python],
            Self::JUnit => &[Language::Java],
            Self::Cargo => &[],
        }
    }

    /// Whether it is one for the language of the program.
    fn is_for(self, program: &AssignmentProgram) -> bool {
        match program {
            AssignmentProgram::Cargo(_) => self == Self::Cargo,
            AssignmentProgram::Sources(sources) => self.languages().contains(&sources.language),
            AssignmentProgram::Commands { .. } => false,
        }
    }

    /// The headers by which tests include it, of which one is enough.
    pub fn headers(self) -> &'static [&'static str] {
        match self {
            Self::GoogleTest => &["gtest/gtest.h"],
            Self::Catch2 => &["catch2/catch_all.hpp", "catch2/catch.hpp"],
            Self::Doctest => &["doctest/doctest.h", "doctest.h"],
            Self::UnitTestFramework => &["unit_test_framework.hpp"],
            Self::Pytest | Self::Unittest | Self::JUnit | Self::Cargo => &[],
        }
    }

    /// The package of Debian and Ubuntu that has it. A header that the course brings has none.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Self::GoogleTest => Some("libgtest-dev"),
            Self::Catch2 => Some("catch2"),
            Self::Doctest => Some("doctest-dev"),
            Self::Pytest => Some("python3-pytest"),
            Self::JUnit => Some("junit5"),
            Self::UnitTestFramework | Self::Unittest | Self::Cargo => None,
        }
    }
}

/// The key `compile`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Compile {
    flags: Vec<String>,
    with: Vec<Spanned<PathBuf>>,
}

impl Assignment {
    /// Checks that tests are inputs, for what makes or runs inputs.
    ///
    /// # Errors
    /// If they are unit tests.
    pub fn takes_inputs(&self) -> Result<(), Failure> {
        if self.unit.is_none() {
            return Ok(());
        }
        let message = format!("the tests of `{}` are unit tests, and no inputs", self.id);
        let hint = "this command makes or runs inputs; `score`, `grade`, `explain` and `mutants verify` take unit tests";
        Err(Failure::usage(Problem::new(message).hint(hint)))
    }
}

impl Check<'_> {
    /// Refuses the keys that are about tests that are inputs.
    pub(super) fn no_inputs(&mut self, tests: &raw::Tests, framework: &Spanned<String>) {
        let given = [
            ("flags", tests.flags.as_ref().is_some_and(|flags| !flags.is_empty())),
            ("parameters", !tests.parameters.is_empty()),
            ("limits", !tests.limits.0.is_empty()),
            ("rejected", tests.rejected.is_some()),
        ];
        for (key, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            let message = format!("unit tests have no `{key}`");
            let hint = "remove it: it is for tests that are inputs";
            self.problems.push(self.source.problem(framework, message).hint(hint));
        }
    }

    /// The tests, if they are programs, with the rules for what is handed in.
    pub(super) fn unit(
        &mut self,
        tests: &raw::Tests,
        framework: &Spanned<String>,
        references: &[Spanned<PathBuf>],
    ) -> Option<(UnitTests, TestRules)> {
        let found = Framework::ALL.into_iter().find(|it| it.key() == framework.value);
        if found.is_none() {
            let keys = || Framework::ALL.into_iter().map(Framework::key);
            let all = || format!("the frameworks are {}", keys().collect::<Vec<_>>().join(", "));
            let hint = did_you_mean(&framework.value, keys()).unwrap_or_else(all);
            let message = format!("there is no framework `{}` of unit tests", framework.value);
            self.problems.push(self.source.problem(framework, message).hint(hint));
        }
        let files = self.names(tests);
        let compile = tests.compile.clone().unwrap_or_default();
        let with: Vec<_> =
            compile.with.iter().filter_map(|file| self.file_at(file, &file.value)).collect();
        let others: Vec<_> = references.iter().filter_map(|it| self.file_or_folder(it)).collect();
        let witnesses: Vec<_> = tests.witnesses.iter().collect();
        let found_witnesses = witnesses.iter().filter_map(|file| self.file_at(file, &file.value));
        let found_witnesses: Vec<_> = found_witnesses.collect();
        let is_whole = with.len() == compile.with.len()
            && others.len() == references.len()
            && found_witnesses.len() == witnesses.len();
        let rules = TestRules {
            files: tests.cases.unwrap_or(USUAL_CASES),
            bytes: tests.bytes,
            convert_crlf: false,
            limits: InputLimits::new(),
            groups: Vec::new(),
            ordered: true,
            parameters: Vec::new(),
            accepts_empty: false,
            follows_links: tests.links == raw::Links::Follow,
            joined_options: false,
            literals: std::sync::Arc::default(),
        };
        if let Some(seconds) = tests.suite_seconds.as_ref().filter(|it| it.value == 0) {
            self.problems.push(self.source.problem(seconds, "`suite_seconds` must be at least 1"));
        }
        let (framework, files) = (found?, files?);
        let coverage = tests.coverage.as_ref().is_some_and(|it| it.value);
        let (flags, references) = (compile.flags, others);
        let witnesses = found_witnesses.into_iter().next();
        let has_calls = tests.calls.is_some();
        let seconds = tests.suite_seconds.as_ref().map_or(USUAL_SECONDS, |it| it.value);
        let most_time = Duration::from_secs(seconds.into());
        let unit = UnitTests {
            framework,
            files,
            flags,
            with,
            references,
            witnesses,
            coverage,
            has_calls,
            most_time,
        };
        is_whole.then_some((unit, rules))
    }

    /// Checks that the framework tests programs in the language of this one.
    pub(super) fn check_framework(
        &mut self,
        written: &Spanned<String>,
        framework: Framework,
        program: &AssignmentProgram,
    ) {
        if !framework.is_for(program) {
            let message =
                format!("`{}` is no framework for the language of `program`", written.value);
            let hint = "gtest, catch2, doctest and unit_test_framework test C and C++; pytest and unittest test Python; junit tests Java, and cargo a crate";
            self.problems.push(self.source.problem(written, message).hint(hint));
        }
    }

    /// Checks that no two files of the program have one place beside the tests. One that is not in the folder of the first file lies
    /// there without its folders.
    pub(super) fn check_places(&mut self, files: &[Spanned<PathBuf>]) {
        let root = files.first().and_then(|file| file.value.parent()).unwrap_or(Path::new(""));
        let mut places = BTreeMap::new();
        for file in files {
            let name = Path::new(file.value.file_name().unwrap_or_default());
            let place = file.value.strip_prefix(root).unwrap_or(name);
            if let Some(other) = places.insert(place.to_owned(), &file.value) {
                let message = format!("it takes the place of {} beside the tests", other.display());
                let hint = "outside the folder of the first file, each needs a name of its own";
                self.problems.push(self.source.problem(file, message).hint(hint));
            }
        }
    }

    /// The names of the files with tests.
    fn names(&mut self, tests: &raw::Tests) -> Option<Vec<String>> {
        let is_name = |name: &String| Path::new(name).file_name().is_some_and(|it| it == &**name);
        match &tests.files.value {
            raw::TestFiles::Names(names) if !names.is_empty() && names.iter().all(is_name) => {
                return Some(names.clone());
            }
            _ => {}
        }
        let problem = self.source.problem(&tests.files, "expected the names of files with tests");
        self.problems.push(problem.hint("for example `files: [\"*_tests.cpp\"]`"));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Sources;

    #[test]
    fn a_file_of_tests_has_a_plain_name_of_its_own() {
        let unit = UnitTests {
            framework: Framework::Pytest,
            files: vec!["*".to_owned()],
            flags: Vec::new(),
            with: vec!["given/tools.py".into()],
            references: Vec::new(),
            has_calls: false,
            witnesses: None,
            coverage: false,
            most_time: Duration::from_secs(1),
        };
        let (language, flags) = (Language::Python, Vec::new());
        let files = vec!["reference/loans.py".into()];
        let program = AssignmentProgram::Sources(Sources { language, files, flags });
        let is_right = |name: &str| unit.check_name(name, &program).is_ok();
        assert!(is_right("test_loans.py") && is_right("Loans-2.test.py"));
        for name in ["-fplugin=a.py", "@a.py", ".a.py", "a b.py", "a\nb.py", "ä.py"] {
            assert!(!is_right(name), "{name}");
        }
        for name in ["loans.py", "tools.py", "subject.py", "tests.o"] {
            assert!(!is_right(name), "{name}");
        }
    }

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        assert!(matches("a_tests.cpp", "a_tests.cpp") && !matches("a_tests.cpp", "b_tests.cpp"));
        assert!(matches("*_tests.cpp", "Matrix_tests.cpp") && matches("*", ""));
        assert!(matches("test_*.p*", "test_a.py") && !matches("test_*.p*", "test_a.cpp"));
        assert!(!matches("*_tests.cpp", "Matrix_tests.cpp.orig"));
    }
}
