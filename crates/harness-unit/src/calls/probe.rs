//! Evaluates calls on the variants.

use super::form;
use super::value::{self, Value};
use crate::built::Built;
use crate::catalogue::Mutant;
use crate::course::{self, Assignment, AssignmentProgram, Course, Language, Sources, UnitTests};
use crate::diagnostic::{Failure, Problem};
use crate::domain::Draft;
use crate::files;
use crate::framework;
use crate::kit::is_header;
use crate::run::parallel;
use crate::run::work::Work;
use crate::running::Pair;
use crate::suite::TestProgram;
use crate::variant::Variant;
use crate::variants::Variants;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use subject::MutantSet;

/// What evaluates calls in C++.
const HEADER: &str = include_str!("probe.h");

/// The variants of an assignment, ready to evaluate calls.
pub struct Probe {
    variants: Variants,
    framework: course::Framework,
    language: Language,
    /// The files that a call includes, or the modules that it imports.
    uses: Vec<String>,
    /// The name of a file of tests.
    file: String,
}

/// The sources of a program whose calls can be drawn.
///
/// # Errors
/// If it is in another language.
pub fn callable(assignment: &Assignment) -> Result<&Sources, Failure> {
    match &assignment.program {
        AssignmentProgram::Sources(sources)
            if matches!(sources.language, Language::C | Language::Cpp | Language::Python) =>
        {
            Ok(sources)
        }
        _ => {
            let problem = Problem::new("calls of programs in this language cannot be drawn");
            let hint = "they can for programs in C, C++ and Python";
            Err(Failure::usage(problem.hint(hint)))
        }
    }
}

/// The name of a new file of tests.
pub fn file_name(unit: &UnitTests) -> String {
    unit.files.first().map(String::as_str).unwrap_or_default().replace('*', "generated")
}

/// The value of each call, for each program.
pub(super) struct Values {
    pub(super) reference: Vec<Option<Value>>,
    pub(super) right: Vec<Vec<Option<Value>>>,
    pub(super) mutants: Vec<(usize, Vec<Option<Value>>)>,
}

impl Probe {
    /// Builds the variants.
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
        let program = callable(assignment)?;
        let probe = framework::probe();
        let variants = Variants::with(work, course, assignment, unit, mutants, jobs, probe)?;
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let uses = if program.language == Language::Python {
            let stem = |path: &Path| path.file_stem().map(|it| it.to_string_lossy().into_owned());
            program.files.iter().filter_map(|path| stem(path)).collect()
        } else {
            let headers = program.files.iter().chain(&unit.with).filter(|path| is_header(path));
            let mut names: Vec<_> = headers.filter_map(|path| name(path)).collect();
            // A framework that is one header has a line of its own.
            names.retain(|name| name != "unit_test_framework.hpp");
            names.dedup();
            names
        };
        let file = file_name(unit);
        let (framework, language) = (unit.framework, program.language);
        Ok(Self { variants, framework, language, uses, file })
    }

    /// A file of tests with these cases, after those that another one has: name, code, and what must come of it. `None` if none can be
    /// written in this framework.
    pub(super) fn file_of_tests(
        &self,
        before: Option<&TestProgram>,
        cases: &[(String, &str, &Value)],
    ) -> Option<TestProgram> {
        let text = before.map(|it| String::from_utf8_lossy(&it.source)).unwrap_or_default();
        let text = form::written(self.framework, &text, &self.uses, cases)?;
        let file = before.map_or(&self.file, |it| &it.file).clone();
        Some(TestProgram { file, source: text.into_bytes() })
    }

    /// What comes of calls on the right programs, and on these mutants.
    pub(super) fn values(&self, calls: &[Draft], mutants: &MutantSet) -> Result<Values, Failure> {
        let file = self.file(calls);
        let Variants { kit, work, reference, right, jobs, .. } = &self.variants;
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let built = Built { work, file: &file, folder: folder.path(), rooms: None };
        kit.build(built, reference)?.map_err(|problem| refused(&problem))?;
        let named: Vec<_> = right.iter().filter(|it| it.name.is_some()).collect();
        let of_mutants: Vec<_> = mutants.iter().collect();
        let mutant = |at: &usize| &self.variants.mutants[*at].variant;
        let all: Vec<&Variant> = [reference]
            .into_iter()
            .chain(named.iter().map(|it| &it.variant))
            .chain(of_mutants.iter().map(mutant))
            .collect();
        let column = |at: usize| -> Result<_, Failure> {
            let mut pair = Pair::new(built, all[at]);
            let outcome = self.variants.at_once(&mut pair, Vec::new(), calls.len())?;
            let (outcome, _) = outcome.map_err(|problem| refused(&problem))?;
            Ok(value::values(&String::from_utf8_lossy(&outcome.stdout), calls.len()))
        };
        let mut columns = parallel::map(all.len(), *jobs, column)?.into_iter();
        Ok(Values {
            reference: columns.next().unwrap_or_default(),
            right: columns.by_ref().take(named.len()).collect(),
            mutants: of_mutants.into_iter().zip(columns).collect(),
        })
    }

    /// The file that evaluates calls.
    fn file(&self, calls: &[Draft]) -> TestProgram {
        let code: Vec<_> = calls.iter().map(|it| String::from_utf8_lossy(&it.input)).collect();
        let code = code.iter().map(|code| super::parts(code));
        if self.language == Language::Python {
            let given = json!({ "modules": self.uses, "calls": code.collect::<Vec<_>>() });
            return TestProgram {
                file: "calls.json".to_owned(),
                source: given.to_string().into_bytes(),
            };
        }
        let seconds = self.variants.run.seconds.ceil();
        let (mut text, mut main) = (String::new(), String::new());
        for name in &self.uses {
            let _ = writeln!(text, "#include \"{name}\"");
        }
        let _ = writeln!(text, "#define SECONDS {seconds}\n{HEADER}");
        for (at, (statements, expression)) in code.enumerate() {
            let _ = writeln!(
                text,
                "static probe::Shown call_{at}() {{\n{statements}\nprobe::is_last = true;\nreturn probe::shown(({expression}));\n}}"
            );
            let _ = writeln!(main, "    probe::run({at}, call_{at});");
        }
        let _ = write!(text, "int main() {{\n    probe::begin();\n{main}    return 0;\n}}\n");
        TestProgram { file: "calls.cpp".to_owned(), source: text.into_bytes() }
    }
}

/// That a compiler refuses calls as the course describes them.
fn refused(problem: &Problem) -> Failure {
    let message = format!("a call that `calls` describes does not compile: {}", problem.message);
    let hint = "`calls` is a shape of code: statements, and in the last line an expression";
    Failure::broken_course(Problem::new(message).hint(hint))
}
