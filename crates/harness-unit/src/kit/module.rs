//! Programs in Python: each variant is the modules of the program, with one bug or none in their text. Tests get them compiled: nothing
//! that they can open, and no message about what failed in them, has a line of the program.

use super::Kit;
use super::reader::Reader;
use crate::built::Built;
use crate::coverage::Counter;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::forkserver::ForkServers;
use crate::framework::Framework;
use crate::run::build::Runnable;
use crate::run::coverage::{Coverage, Lines};
use crate::run::interpreter;
use crate::run::process::ProcessLimits;
use crate::run::work::Work;
use crate::running::Pair;
use crate::variant::{Given, Variant, sources};
use crate::variants::Variants;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use subject::Case;

/// No disguise is like another. So many are as many as are needed.
const DISGUISES: usize = 3;

/// What marks bugs in the program that tells which it reaches.
const TELLING: &str = "reached = set()\n\n\ndef bug(id):\n    reached.add(id)\n    return False\n";

/// What a server has made of a file of tests, beside it.
pub(crate) const PREPARED: &str = "prepared";

/// The argument by which a program that runs cases tells which lines of the program each reaches.
const TELL_LINES: &str = "--lines";

pub(super) struct Modules {
    pub(super) reader: Reader,
    /// It runs the test cases of a file by a program in Python.
    pub(super) framework: &'static dyn Framework,
    /// The processor time of a case.
    pub(super) seconds: f64,
    /// Files that the course gives the tests.
    pub(super) with: Vec<PathBuf>,
}

impl Kit for Modules {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        self.compiled(given, &self.disguised(given, 0, id)?)
    }

    fn right(&self, given: Given<'_>, path: &Path, _name: &str) -> Result<Variant, Failure> {
        self.compiled(given, &Variant::of_right(given.assignment, path)?)
    }

    fn disguises(&self) -> usize {
        DISGUISES
    }

    /// A text, which is disguised anew each time that it runs.
    fn disguised(
        &self,
        given: Given<'_>,
        _at: usize,
        id: Option<&str>,
    ) -> Result<Variant, Failure> {
        match id {
            Some(id) => Variant::of_mutant(given.assignment, id),
            None => Variant::of_sources(sources(given.assignment)?, None),
        }
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let mut variant = Variant::marked(sources(given.assignment)?)?;
        variant.files.push(("subject.py".into(), TELLING.into()));
        self.compiled(given, &variant).map(Some)
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let code = self.reader.read(given, "lines", reference.program())?;
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
            self.as_given(variant)?
                .ended()
                .map(|(name, text)| (name.to_string_lossy().into_owned(), text)),
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
        let variant = &*self.as_given(variant)?;
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
    /// The modules of a program as Python imports them without their text.
    fn compiled(&self, given: Given<'_>, variant: &Variant) -> Result<Variant, Failure> {
        let modules: Vec<Vec<u8>> = self.reader.read(given, "compiled", &variant.files)?;
        Ok(imported(variant, modules))
    }

    /// A variant as tests get it. What is still text is to be disguised, anew each time, so that nothing that a test has found out about
    /// a disguise holds for the next.
    fn as_given<'v>(&self, variant: &'v Variant) -> Result<Cow<'v, Variant>, Failure> {
        if !variant.is_text() {
            return Ok(Cow::Borrowed(variant));
        }
        Ok(Cow::Owned(imported(variant, self.reader.disguised(&variant.files)?)))
    }

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

/// A variant with its modules compiled.
fn imported(variant: &Variant, modules: Vec<Vec<u8>>) -> Variant {
    let names = variant.files.iter().map(|(name, _)| name.with_extension("pyc"));
    Variant::binary(names.zip(modules).collect())
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
        let (outcome, _) = match variants.at_once(pair, args, cases.len())? {
            Ok(followed) => followed,
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
    let program = format!(
        "import importlib.util, sys\nsys.exit(importlib.util.find_spec({package:?}) is None)"
    );
    let found = Command::new(interpreter::resolved("python3")).args(["-c", &program]).status();
    let found = found.map_err(|error| {
        let problem = Problem::new(format!("cannot start `python3`: {error}"));
        Failure::new(FailureKind::Machine, problem.hint("is it installed and on the PATH?"))
    })?;
    if found.success() {
        return Ok(());
    }
    let problem = Problem::new(format!("`python3` has no package `{package}`"));
    let hint = format!("install it, for example with `python3 -m pip install {package}`");
    Err(Failure::new(FailureKind::Machine, problem.hint(hint)))
}
