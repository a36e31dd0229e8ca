//! Runs programs in C and C++ under the sanitizers of the compiler. A change that reads out of bounds does something else on every machine,
//! so that it is no fair mutant, and what a reference does then is no answer.

use super::build::{self, Runnable, Variant};
use super::process::{self, ProcessLimits};
use super::work::Work;
use crate::course::{Assignment, AssignmentProgram, Course, Sources};
use crate::diagnostic::progress::Progress;
use crate::files;
use std::path::Path;
use std::time::Duration;
use subject::{Case, End};

/// What the sanitizers find ends the run with this status.
const STATUS: u8 = 117;

/// Compiled into the program. Leaks are no undefined behaviour.
const OPTIONS: &str = "\
#ifdef __cplusplus
extern \"C\" {
#endif
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return \"exitcode=117:detect_leaks=0:handle_abort=0\"; }
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return \"exitcode=117\"; }
#ifdef __cplusplus
}
#endif
";

const FLAGS: [&str; 5] = [
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    // Indices of containers, as far as the library checks them.
    "-D_GLIBCXX_ASSERTIONS",
];

/// A program which stops at undefined behaviour.
pub struct Sanitized {
    work: Work,
    program: Runnable,
    limits: ProcessLimits,
    reference: Option<String>,
}

impl Sanitized {
    /// Builds a program of `assignment`. `None` if its language, the compiler, or the machine has no sanitizers. The reference accepts
    /// `case`.
    pub fn build(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        variant: Variant<'_>,
        case: &Case,
    ) -> Option<Self> {
        Self::compile(work, course, assignment, variant)?.tried_on(case)
    }

    /// As [`build`](Self::build), before the program has run.
    pub fn compile(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        variant: Variant<'_>,
    ) -> Option<Self> {
        let AssignmentProgram::Sources(sources) = &assignment.program else { return None };
        sources.language.compiler()?;
        let _progress = Progress::new("building with sanitizers", None);
        let id = format!("{}.sanitized", assignment.id);
        let mut copy = Assignment { id, ..assignment.clone() };
        let options = build::target_folder(course, &copy).join("sanitizers.c");
        files::create_with_folders(&options, OPTIONS.as_bytes())
            .or_else(|_| files::replace(&options, OPTIONS.as_bytes()))
            .ok()?;
        copy.program = AssignmentProgram::Sources(with_sanitizers(sources, &options));
        let program = build::build(course, &copy, variant).ok()?;
        let time = Duration::from_secs(20);
        // The sanitizers reserve terabytes of addresses.
        let limits = ProcessLimits {
            time,
            wall: 3 * time,
            memory: u64::MAX,
            output: 1 << 20,
            processes: 64,
        };
        Some(Self { work: work.clone(), program, limits, reference: None })
    }

    /// This program, if it runs on this machine. The reference accepts `case`.
    pub fn tried_on(self, case: &Case) -> Option<Self> {
        let (end, reference) = self.run(None, case)?;
        (end == End::Exit(0) || reference.is_some()).then_some(Self { reference, ..self })
    }

    /// What the sanitizers said of the reference on the first case.
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }

    /// What the sanitizers say of the reference on a case.
    pub fn finding_of_reference(&self, case: &Case) -> Option<String> {
        self.run(None, case)?.1
    }

    /// What the sanitizers say of the mutant `id` on the first of `cases` on which they say it of the mutant alone.
    pub fn finding(&self, id: &str, cases: &[Case]) -> Option<String> {
        cases.iter().find_map(|case| {
            let (_, found) = self.run(Some(id), case)?;
            let is_of_reference = || self.run(None, case).is_some_and(|(_, found)| found.is_some());
            found.filter(|_| !is_of_reference())
        })
    }

    /// How a run ends, and what is reported. `None` if the program cannot run.
    fn run(&self, id: Option<&str>, case: &Case) -> Option<(End, Option<String>)> {
        let program = Runnable { mutant: id.map(str::to_owned), ..self.program.clone() };
        let (outcome, _) =
            process::run_among_others(&self.work, &program, case, &self.limits).ok()?;
        let said = String::from_utf8_lossy(&outcome.stderr);
        let found = match outcome.end {
            End::Exit(STATUS) => said.lines().find_map(finding_in),
            End::Crash(_) => said.lines().find_map(assertion_in),
            _ => None,
        };
        Some((outcome.end, found))
    }
}

/// Whether this program can run under sanitizers.
pub fn is_for(assignment: &Assignment) -> bool {
    matches!(&assignment.program, AssignmentProgram::Sources(it) if it.language.compiler().is_some())
}

fn with_sanitizers(sources: &Sources, options: &Path) -> Sources {
    let mut sanitized = sources.clone();
    if let (true, Some(compiler)) = (sanitized.flags.is_empty(), sources.language.compiler()) {
        sanitized.flags.extend(compiler.standard.iter().map(|&option| option.to_owned()));
    }
    sanitized.flags.extend(FLAGS.map(str::to_owned));
    sanitized.files.push(options.to_owned());
    sanitized
}

/// `index 3 out of bounds for type 'int [3]'`, or `heap-buffer-overflow`: without addresses, which change from run to run.
fn finding_in(line: &str) -> Option<String> {
    if let Some((_, what)) = line.split_once(": runtime error: ") {
        let is_stable = |word: &&str| !word.starts_with("0x");
        return Some(what.split_whitespace().filter(is_stable).collect::<Vec<_>>().join(" "));
    }
    let (_, what) = line.split_once("ERROR: AddressSanitizer: ")?;
    what.split_whitespace().next().map(|word| word.trim_end_matches(':').to_owned())
}

/// `Assertion '__n < this->size()' failed.` of the library.
fn assertion_in(line: &str) -> Option<String> {
    let (before, what) = line.split_once("Assertion '")?;
    let (assertion, _) = what.split_once("' failed")?;
    before.contains("/c++/").then(|| format!("the library asserts {assertion}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_no_address() {
        for (line, expected) in [
            (
                "a.c:3:9: runtime error: index 3 out of bounds for type 'int [3]'",
                Some("index 3 out of bounds for type 'int [3]'"),
            ),
            (
                "a.c:3:9: runtime error: load of null pointer of type 'int' 0x0000",
                Some("load of null pointer of type 'int'"),
            ),
            (
                "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x1",
                Some("heap-buffer-overflow"),
            ),
            ("an error", None),
        ] {
            assert_eq!(finding_in(line).as_deref(), expected, "{line}");
        }
        let line = "/usr/include/c++/12/bits/stl_vector.h:1123: int f(): Assertion '__n < this->size()' failed.";
        assert_eq!(assertion_in(line).as_deref(), Some("the library asserts __n < this->size()"));
        assert_eq!(assertion_in("a.cpp:1: Assertion 'x' failed."), None);
    }
}
