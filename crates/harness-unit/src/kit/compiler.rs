//! The compiler of tests in C and C++.

use crate::built::Built;
use crate::code::has_word;
use crate::course::{Framework as Kind, Language, UnitTests};
use crate::diagnostic::{Failure, Problem, printable};
use crate::framework::Framework;
use crate::installed::{check_installed, installed_header};
use crate::rejection::at;
use crate::run::build::{self, Runnable};
use crate::run::process::{self, ProcessLimits};
use crate::suite::TestProgram;
use crate::variant::Given;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Case, End, Outcome};

/// What compiling one file may use.
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(60),
    wall: Duration::from_secs(240),
    memory: 2 << 30,
    output: 64 << 20,
    processes: 16,
};

/// The name of the program that it makes.
pub(super) const PROGRAM: &str = "tests";

/// The macro with which a program tells the bugs that it reaches.
pub(super) const TELL: &str = "SUBJECT_TELL";

/// What they are compiled to.
const OBJECT: &str = "tests.o";

/// Gives the macros for the time the same value in each run of the compiler.
const SAME: [&str; 4] = [
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"Jan  1 2000\"",
    "-D__TIME__=\"00:00:00\"",
    "-D__TIMESTAMP__=\"Sat Jan  1 00:00:00 2000\"",
];

#[derive(Clone)]
pub(super) struct Compiler {
    /// The compiler, and the options with which tests are compiled.
    words: Vec<String>,
    /// What every program of tests is linked with: `main`.
    main: Option<PathBuf>,
    /// The framework's header, compiled.
    header: Option<Header>,
    libraries: &'static [&'static str],
    kind: Kind,
    /// Files that the course gives the tests.
    with: Vec<PathBuf>,
}

impl Compiler {
    pub(super) fn new(
        given: Given<'_>,
        unit: &UnitTests,
        framework: &'static dyn Framework,
    ) -> Result<Self, Failure> {
        check_installed(unit)?;
        let mut words = vec!["c++".to_owned()];
        if unit.flags.is_empty() {
            words.push("-std=c++17".to_owned());
        }
        words.extend(unit.flags.iter().cloned());
        // `main` is a part of each process, so it is fast. Options of the course come later, and take precedence.
        let mut fast = words.clone();
        fast.insert(1, "-Os".to_owned());
        let object =
            |source| build::object(given.course, given.assignment, Language::Cpp, &fast, source);
        let main = framework.main().map(object).transpose()?;
        let header = framework.header().and_then(|name| Header::of(given, &words, name));
        let libraries = framework.libraries();
        Ok(Self { words, main, header, libraries, kind: unit.framework, with: unit.with.clone() })
    }

    /// Puts the tests, and what they may include, into a folder.
    pub(super) fn lay(&self, tests: &TestProgram, folder: &Path) -> io::Result<()> {
        for shared in &self.with {
            fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
        }
        fs::write(folder.join(&tests.file), &tests.source)
    }

    /// Compiles the tests in a folder, with these options more. What is wrong with them is their author's problem.
    pub(super) fn compile(
        &self,
        built: Built<'_>,
        folder: &Path,
        options: &[String],
    ) -> Result<Result<(), Problem>, Failure> {
        let compiled = |first: &[String]| {
            let words = self.words.iter().chain(first).chain(options).cloned();
            let more = ["-I", ".", "-c", "-o", OBJECT, &built.file.file];
            let words = words.chain(more.into_iter().chain(SAME).map(str::to_owned)).collect();
            made(built, folder, words, OBJECT)
        };
        if let Some(header) = self.header.as_ref().filter(|it| it.is_first_in(&built.file.source)) {
            // A macro of the framework may change what is included before it.
            if compiled(&header.options)?.is_ok() {
                return Ok(Ok(()));
            }
        }
        compiled(&[])
    }

    /// Links what was compiled, with these options more. The linker reads nothing that a file of tests names.
    pub(super) fn link(
        &self,
        built: Built<'_>,
        folder: &Path,
        options: &[&str],
    ) -> Result<Result<(), Problem>, Failure> {
        let mut words = self.words.clone();
        words.extend(["-fno-lto", "-o", PROGRAM, OBJECT].map(str::to_owned));
        words.extend(self.main.iter().map(|main| main.to_string_lossy().into_owned()));
        words.extend(options.iter().chain(self.libraries).map(|it| (*it).to_owned()));
        let linked = made(built, folder, words, PROGRAM)?;
        Ok(linked.map_err(|problem| self.other_framework(built.file).unwrap_or(problem)))
    }

    /// What is wrong with tests that cannot be linked because they are not written with the framework.
    fn other_framework(&self, tests: &TestProgram) -> Option<Problem> {
        let text = String::from_utf8_lossy(&tests.source);
        let uses = |kind: &Kind| kind.headers().iter().any(|header| includes(&text, header));
        if let Some(other) = Kind::ALL.into_iter().find(|kind| *kind != self.kind && uses(kind)) {
            let (other, own) = (other.key(), self.kind.key());
            let problem = format!("the file is written with {other}, and tests here with {own}");
            return Some(Problem::new(problem).hint(format!("write it with {own}")));
        }
        let ends = self.kind != Kind::UnitTestFramework || text.contains("TEST_MAIN");
        (!ends).then(|| {
            Problem::new("the file has no `TEST_MAIN()`").hint("write `TEST_MAIN()` at its end")
        })
    }
}

/// Whether a text includes a header.
fn includes(text: &str, header: &str) -> bool {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let mut included =
        directives.filter_map(|line| Some(line.trim_start().strip_prefix("include")?.trim()));
    let names = [format!("<{header}>"), format!("\"{header}\"")];
    included.any(|rest| names.iter().any(|name| rest.starts_with(name)))
}

/// A header of a framework that was compiled before what includes it.
#[derive(Clone)]
struct Header {
    name: &'static str,
    /// The options by which a file of tests includes it first.
    options: [String; 2],
}

impl Header {
    /// The header `name`, if the machine has it and it compiles with these words.
    fn of(given: Given<'_>, words: &[String], name: &'static str) -> Option<Self> {
        // Another version of the framework has another time.
        let time = installed_header(name)?.metadata().ok()?.mtime();
        let text = format!("// {time}\n#include <{name}>\n");
        let words: Vec<_> = words.iter().cloned().chain(SAME.map(str::to_owned)).collect();
        let path = build::header(given.course, given.assignment, &words, &text).ok()?;
        Some(Self { name, options: ["-include".to_owned(), path.to_str()?.to_owned()] })
    }

    /// Whether a file of tests includes the header, and has nothing before that it could depend on.
    fn is_first_in(&self, tests: &[u8]) -> bool {
        let text = String::from_utf8_lossy(tests);
        let mut directives = text.lines().map(str::trim_start).filter(|line| line.starts_with('#'));
        let mut includes = directives
            .by_ref()
            .take_while(|line| line.trim_start_matches(['#', ' ']).starts_with("include"));
        includes.any(|line| line.contains(self.name))
    }
}

/// Makes the file `name` in a folder by a command, or says what is wrong with the tests.
fn made(
    Built { work, file: tests, .. }: Built<'_>,
    folder: &Path,
    words: Vec<String>,
    name: &str,
) -> Result<Result<(), Problem>, Failure> {
    let compiler = Runnable::new(words, folder.to_owned()).hostile();
    let outcome = process::run_in_place(work, &compiler, &Case::default(), &LIMITS)
        .map_err(|error| process::failure(format!("compile {}", tests.file), &error))?;
    let program = folder.join(name).symlink_metadata();
    if outcome.end == End::Exit(0) && program.is_ok_and(|metadata| metadata.is_file()) {
        return Ok(Ok(()));
    }
    Ok(Err(rejected(tests, &outcome)))
}

/// Whether a program is a header, so that it is compiled with what includes it.
pub(crate) fn is_header(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|found| ["h", "hh", "hpp", "hxx"].contains(&found))
}

/// Why a file does not compile: the compiler's first error, at its line.
fn rejected(file: &TestProgram, outcome: &Outcome) -> Problem {
    if !matches!(outcome.end, End::Exit(_)) {
        return super::stopped();
    }
    let text = String::from_utf8_lossy(&outcome.stderr);
    // The assembler writes `Error`.
    let split = |line| ["error: ", "Error: "].iter().find_map(|it| str::split_once(line, *it));
    let errors = || text.lines().filter_map(split);
    let is_in = |place: &str| place.strip_prefix(&file.file).is_some_and(|it| it.starts_with(':'));
    let here = errors().find(|(place, _)| is_in(place));
    let undefined = text.lines().find_map(|line| line.split_once("undefined reference to "));
    if let (None, Some((_, name))) = (here, undefined) {
        return named(file, name, "is used but not defined")
            .hint("a file of tests is linked with the program that it tests, and nothing else");
    }
    let twice = text.lines().find_map(|line| line.split_once("multiple definition of "));
    if let (None, Some((_, name))) = (here, twice) {
        let name = name.split(';').next().unwrap_or_default();
        if ["`doctest::", "`Catch::"].iter().any(|it| name.starts_with(it)) {
            return Problem::new("the file brings the framework once more, with a `main`").hint(
                "leave out `#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN` or `CATCH_CONFIG_MAIN`",
            );
        }
        return named(file, name, "is defined, and is there already")
            .hint("a file of tests needs no `main`, and does not define what it tests");
    }
    let Some((place, message)) = here.or_else(|| errors().next()) else {
        return Problem::new("the file does not compile");
    };
    let problem = Problem::new(printable(message));
    // Of an error in a header, the compiler tells before which line needs it.
    let before = text.split("error: ").next().unwrap_or_default();
    let needed = || before.lines().find(|line| is_in(line) && line.contains("required from"));
    let Some(place) = here.map(|_| place).or_else(needed) else { return problem };
    let mut numbers = place.split([':', ' ']).skip(1).map_while(|number| number.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(line), column) => problem.at(at(file, line, column)),
        _ => problem,
    }
}

/// What is wrong with a function, which the linker names, at the first line of the file that has its name.
fn named(file: &TestProgram, function: &str, what: &str) -> Problem {
    let problem = Problem::new(printable(&format!("{function} {what}")));
    let name = function.trim_start_matches('`').split(['(', '\'']).next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    let text = String::from_utf8_lossy(&file.source);
    match text.lines().position(|line| has_word(line, name)) {
        Some(line) => problem.at(at(file, line + 1, None)),
        None => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn a_header_comes_first_only_where_nothing_before_it_can_change_it() {
        let header = Header { name: "gtest/gtest.h", options: Default::default() };
        let is_first = |text: &str| header.is_first_in(text.as_bytes());
        assert!(is_first("#include <gtest/gtest.h>\n"));
        assert!(is_first(
            "// Mine.\n#include \"Matrix.h\"\n # include <gtest/gtest.h>\nTEST(a, b) {}\n"
        ));
        assert!(!is_first("#define GTEST_DONT_DEFINE_TEST 1\n#include <gtest/gtest.h>\n"));
        assert!(!is_first("#ifdef ALL\n#include <gtest/gtest.h>\n#endif\n"));
        assert!(!is_first("#include \"all.h\"\n"));
    }
}
