//! Programs in Python: each variant is the modules of the program, with one bug or none in their text. Tests get them compiled: nothing
//! that they can open, and no message about what failed in them, has a line of the program.

use super::Kit;
use crate::built::Built;
use crate::coverage::Counter;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::forkserver::ForkServers;
use crate::framework::Framework;
use crate::run::build::{self, Runnable};
use crate::run::coverage::{Coverage, Lines};
use crate::run::interpreter;
use crate::run::process::ProcessLimits;
use crate::run::work::Work;
use crate::running::Pair;
use crate::variant::{Given, Variant, sources};
use crate::variants::Variants;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use subject::Case;

/// Reads modules in Python, with their names, and writes their texts so that each function also does some things that have no effect. The
/// number on the command line says how many.
const DISGUISE: &str = include_str!("disguise.py");
/// How many disguises there are. Decoys are the reference in them.
const DISGUISES: usize = 3;

/// What marks bugs in the program that tells which it reaches.
const TELLING: &str = "reached = set()\n\n\ndef bug(id):\n    reached.add(id)\n    return False\n";

/// What a server has made of a file of tests, beside it.
pub(crate) const PREPARED: &str = "prepared";

/// Reads modules in Python, with their names, and writes them as Python imports them where there is no text.
const COMPILE: &str = include_str!("compile.py");
/// Reads the same, and writes which lines of each module can be reached.
const LINES: &str = include_str!("lines.py");
/// The argument by which a program that runs cases tells which lines of the program each reaches.
const TELL_LINES: &str = "--lines";

pub(super) struct Modules {
    /// It runs the test cases of a file by a program in Python.
    pub(super) framework: &'static dyn Framework,
    /// The processor time of a case.
    pub(super) seconds: f64,
    /// Files that the course gives the tests.
    pub(super) with: Vec<PathBuf>,
}

impl Kit for Modules {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        match id {
            Some(id) => compiled(given, &Variant::of_mutant(given.assignment, id)?),
            None => compiled(given, &Variant::of_sources(sources(given.assignment)?, None)?),
        }
    }

    fn right(&self, given: Given<'_>, path: &Path, _name: &str) -> Result<Variant, Failure> {
        compiled(given, &Variant::of_right(given.assignment, path)?)
    }

    fn decoys(&self, given: Given<'_>, _reference: &Variant) -> Result<Vec<Variant>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        (1..=DISGUISES).map(|many| disguised(given, &reference, many)).collect()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: &str) -> Result<Option<Variant>, Failure> {
        let mutant = Variant::of_mutant(given.assignment, id)?;
        disguised(given, &mutant, at % DISGUISES + 1).map(Some)
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let mut variant = Variant::marked(sources(given.assignment)?)?;
        variant.files.push(("subject.py".into(), TELLING.into()));
        compiled(given, &variant).map(Some)
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let said = python(given, &["-I", "-c", LINES], &texts(reference.program()))?;
        let code = serde_json::from_slice(&said).expect("`lines.py` writes so");
        Ok(Box::new(CountingModules { code }))
    }

    fn servers(&self, work: &Work, limits: &ProcessLimits) -> Option<ForkServers> {
        Some(ForkServers::new(work, self.framework, limits))
    }

    fn files(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let mut files = BTreeMap::new();
        for shared in &self.with {
            let name = shared.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read(shared)
                .map_err(|error| Failure::machine(format!("read {}", shared.display()), error))?;
            files.insert(name, text);
        }
        files.extend(
            variant.ended().map(|(name, text)| (name.to_string_lossy().into_owned(), text)),
        );
        let tests = built.file;
        files.insert(tests.file.clone(), tests.source.clone());
        if let Ok(prepared) = fs::read(built.folder.join(PREPARED)) {
            files.insert(format!("{}.{PREPARED}", tests.file), prepared);
        }
        Ok(files)
    }

    fn build(
        &self,
        built: Built<'_>,
        _reference: &Variant,
    ) -> Result<Result<(), Problem>, Failure> {
        fs::write(built.folder.join(&built.file.file), &built.file.source)
            .map_err(|error| Failure::machine("write a temporary file", error))?;
        Ok(Ok(()))
    }

    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let folder = self
            .lay(built, variant)
            .map_err(|error| Failure::machine("write a temporary file", error))?;
        let path = folder.join(&built.file.file).to_string_lossy().into_owned();
        let words = ["python3", "-B", "-c", self.framework.program().unwrap_or_default()]
            .map(str::to_owned);
        let words = words.into_iter().chain([path, self.seconds.to_string()]).collect();
        let given = self.with.iter().filter_map(|path| path.file_name()).map(PathBuf::from);
        let files = variant.files.iter().map(|(name, _)| name.clone());
        let shown = files.chain(given).map(|name| folder.join(name)).collect();
        Ok(Ok(Runnable { hostile: Some(shown), ..Runnable::new(words, folder) }))
    }
}

impl Modules {
    fn lay(&self, built: Built<'_>, variant: &Variant) -> io::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix("").tempdir_in(built.folder)?.keep();
        for shared in &self.with {
            fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
        }
        variant.lay(&folder)?;
        let name = &built.file.file;
        fs::copy(built.folder.join(name), folder.join(name))?;
        Ok(folder)
    }
}

/// The modules of a program whose functions also have so many variables that nothing uses.
fn disguised(given: Given<'_>, variant: &Variant, many: usize) -> Result<Variant, Failure> {
    let modules = texts(variant.program());
    let said = python(given, &["-I", "-c", DISGUISE, &many.to_string()], &modules)?;
    let texts: Vec<String> = serde_json::from_slice(&said).expect("`disguise.py` writes so");
    compiled(given, &variant.with_texts(texts))
}

/// The modules of a program as Python imports them without their text.
fn compiled(given: Given<'_>, variant: &Variant) -> Result<Variant, Failure> {
    let said = python(given, &["-I", "-c", COMPILE], &texts(&variant.files))?;
    let modules: Vec<Vec<u8>> = serde_json::from_slice(&said).expect("`compile.py` writes so");
    let names = variant.files.iter().map(|(name, _)| name.with_extension("pyc"));
    Ok(Variant::binary(names.zip(modules).collect()))
}

/// Modules with their names, as the programs above read them.
fn texts(modules: &[(PathBuf, Vec<u8>)]) -> String {
    let texts = modules.iter().map(|(name, text)| (name, String::from_utf8_lossy(text)));
    serde_json::to_string(&texts.collect::<Vec<_>>()).expect("text can be written")
}

/// The lines of the reference's modules. Its cases run as they always do, and are followed.
struct CountingModules {
    code: Lines,
}

impl Counter for CountingModules {
    fn coverage(
        &self,
        variants: &Variants,
        pair: &mut Pair<'_>,
        cases: &[Case],
    ) -> Result<Result<Coverage, Problem>, Failure> {
        let names = cases.iter().flat_map(|case| case.args.clone());
        let args = [TELL_LINES.to_owned()].into_iter().chain(names).collect();
        let outcome = match variants.at_once(pair, args, cases.len())? {
            Ok(outcome) => outcome,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut reached = Lines::new();
        let read = variants.framework.together().expect("those in Python have it");
        for (_, verdict) in read(&String::from_utf8_lossy(&outcome.stdout)) {
            for (file, ranges) in verdict.lines {
                let Some(code) = self.code.get(&file) else { continue };
                // What a test forges may be no range.
                let ranges = ranges.into_iter().filter(|[first, last]| first <= last);
                let lines = ranges.flat_map(|[first, last]| code.range(first..=last));
                reached.entry(file).or_default().extend(lines);
            }
        }
        Ok(Ok(Coverage { code: self.code.clone(), reached }))
    }
}

/// Finds out whether a package is there, before the file of a student is blamed for it.
pub(super) fn check_installed(package: &str) -> Result<(), Failure> {
    if started(&["-c", &format!("import {package}")], "")?.status.success() {
        return Ok(());
    }
    let problem = Problem::new(format!("`python3` has no package `{package}`"));
    let hint = format!("install it, for example with `python3 -m pip install {package}`");
    Err(Failure::new(FailureKind::Machine, problem.hint(hint)))
}

/// What Python prints that reads a program of the course.
fn python(given: Given<'_>, args: &[&str], input: &str) -> Result<Vec<u8>, Failure> {
    let words = [args, &[input]].concat();
    build::kept(given.course, given.assignment, "python3", &words, || {
        let output = started(args, input)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().last().unwrap_or_default();
        Err(Failure::broken_course(Problem::new(format!("cannot read the program: {said}"))))
    })
}

/// Runs Python, which is not to see what a student wrote.
fn started(args: &[&str], input: &str) -> Result<Output, Failure> {
    let mut command = Command::new(interpreter::resolved("python3"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = || -> io::Result<_> {
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // It may have ended.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output()
    };
    run().map_err(|error| {
        let problem = Problem::new(format!("cannot start `python3`: {error}"));
        Failure::new(FailureKind::Machine, problem.hint("is it installed and on the PATH?"))
    })
}
