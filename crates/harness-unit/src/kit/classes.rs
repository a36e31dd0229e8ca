//! Programs in Java: each variant is the classes of the program, with one bug or none in their sources, compiled once for the course. Tests
//! are compiled once with those of the reference.

use super::Kit;
use crate::course::UnitTests;
use crate::diagnostic::{Failure, FailureKind, Problem, printable};
use crate::files;
use crate::framework::Framework;
use crate::run::build::{self, Runnable};
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use crate::suite::TestProgram;
use crate::variant::{Given, Variant, sources};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Case, End, Outcome};
use tempfile::TempDir;
use walkdir::WalkDir;

/// Where Debian has archives of classes.
const ARCHIVES: &str = "/usr/share/java";

/// What compiling one file may use.
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(60),
    wall: Duration::from_secs(240),
    memory: 4 << 30,
    output: 64 << 20,
    processes: 64,
};

/// What a virtual machine reserves beside its heap, and does not use.
const ROOM: u64 = 1 << 30;

/// The files of classes, of the program and of the tests.
const SUBJECT: &str = "subject";
const TESTS: &str = "tests";

/// How many members each decoy has more than the reference, and the options with which it is compiled.
const DECOYS: [(usize, &str); 5] =
    [(0, "-g:none"), (1, "-g"), (2, "-g:none"), (4, "-g:lines"), (7, "-parameters")];

pub(super) struct Classes {
    /// What the tests are compiled and run with.
    archives: Vec<PathBuf>,
    /// The sources among them.
    shared: Vec<PathBuf>,
    /// The folder of the program that runs cases.
    program: PathBuf,
    /// Options of the compiler of tests.
    flags: Vec<String>,
    memory_mb: u64,
    seconds: f64,
}

impl Classes {
    pub(super) fn new(
        given: Given<'_>,
        unit: &UnitTests,
        framework: &'static dyn Framework,
    ) -> Result<Self, Failure> {
        let is_archive = |path: &&PathBuf| path.extension().is_some_and(|found| found == "jar");
        let mut archives: Vec<_> = unit.with.iter().filter(is_archive).cloned().collect();
        archives.extend(installed(framework, &archives)?);
        let files = framework.sources().iter();
        let files: Vec<_> = files.map(|(path, text)| (path.into(), (*text).into())).collect();
        let options = vec!["-cp".to_owned(), class_path(&archives)];
        let what = "build what runs the tests";
        Ok(Self {
            program: build::classes(given.course, given.assignment, &files, &options, what)?,
            archives,
            shared: unit.with.iter().filter(|path| !is_archive(path)).cloned().collect(),
            flags: unit.flags.clone(),
            memory_mb: given.assignment.run.memory_mb,
            seconds: given.assignment.run.seconds,
        })
    }

    /// The classes of a variant that is sources.
    fn compiled(
        given: Given<'_>,
        variant: &Variant,
        options: &[&str],
        name: &str,
    ) -> Result<Variant, Failure> {
        let flags = sources(given.assignment)?.flags.iter().cloned();
        let options: Vec<_> = flags.chain(options.iter().map(|it| (*it).to_owned())).collect();
        let what = format!("build {name} of `{}`", given.assignment.id);
        let folder =
            build::classes(given.course, given.assignment, &variant.files, &options, &what)?;
        Ok(Variant::binary(read(&folder)?))
    }

    /// Compiles the tests in a folder, in which the classes of the reference are.
    fn compile(
        &self,
        work: &Work,
        tests: &TestProgram,
        folder: &Path,
    ) -> Result<Result<(), Problem>, Failure> {
        let words = [
            "javac",
            "-J-Xmx1g",
            "-J-XX:CompressedClassSpaceSize=64m",
            "-J-XX:+UseSerialGC",
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:-UsePerfData",
            "-J-Duser.language=en",
            "-proc:none",
            "-nowarn",
            "-g",
            "-encoding",
            "UTF-8",
            "-d",
            TESTS,
            "-cp",
        ];
        let mut words: Vec<_> = words.map(str::to_owned).into();
        words.push(format!("{SUBJECT}:{}", class_path(&self.archives)));
        words.extend(self.flags.iter().cloned());
        let shared = self.shared.iter().filter_map(|path| path.file_name());
        words.extend(shared.map(|name| name.to_string_lossy().into_owned()));
        words.push(tests.file.clone());
        let compiler = Runnable::new(words, folder.to_owned());
        let compiler = Runnable { hostile: Some(self.archives.clone()), ..compiler };
        let outcome = process::run_in_place(work, &compiler, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(format!("compile {}", tests.file), &error))?;
        Ok(if outcome.end == End::Exit(0) { Ok(()) } else { Err(rejected(tests, &outcome)) })
    }

    fn lay(&self, tests: &TestProgram, reference: &Variant, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder.join(TESTS))?;
        for shared in &self.shared {
            fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
        }
        for (name, bytes) in &reference.files {
            let path = folder.join(SUBJECT).join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        fs::write(folder.join(&tests.file), &tests.source)
    }
}

impl Kit for Classes {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        match id {
            Some(id) => {
                let variant = Variant::of_mutant(given.assignment, id)?;
                Self::compiled(given, &variant, &[], &format!("the mutant `{id}`"))
            }
            None => {
                let variant = Variant::of_sources(sources(given.assignment)?, None)?;
                Self::compiled(given, &variant, &[], "the reference")
            }
        }
    }

    fn right(&self, given: Given<'_>, path: &Path, name: &str) -> Result<Variant, Failure> {
        Self::compiled(given, &Variant::of_right(given.assignment, path)?, &[], name)
    }

    fn decoys(&self, given: Given<'_>, _reference: &Variant) -> Result<Vec<Variant>, Failure> {
        let reference = Variant::of_sources(sources(given.assignment)?, None)?;
        let decoy = |(many, option): &(usize, &str)| {
            let text = disguised(&reference.text(), *many);
            Self::compiled(given, &reference.clone().with_text(text), &[option], "a decoy")
        };
        DECOYS.iter().map(decoy).collect()
    }

    fn room(&self) -> u64 {
        ROOM
    }

    fn build(
        &self,
        work: &Work,
        tests: &TestProgram,
        reference: &Variant,
    ) -> Result<Result<TempDir, Problem>, Failure> {
        let place = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let folder = place.path().join("build");
        let unwritten = |error| Failure::machine("write a temporary file", error);
        self.lay(tests, reference, &folder).map_err(unwritten)?;
        if let Err(problem) = self.compile(work, tests, &folder)? {
            return Ok(Err(problem));
        }
        let classes = packed(&read(&folder.join(TESTS))?);
        fs::write(place.path().join(TESTS), classes).map_err(unwritten)?;
        Ok(Ok(place))
    }

    fn program(
        &self,
        _work: &Work,
        built: &Path,
        tests: &TestProgram,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let lay = || -> io::Result<PathBuf> {
            let folder = tempfile::Builder::new().prefix("").tempdir_in(built)?.keep();
            Variant::binary(vec![(SUBJECT.into(), packed(&variant.files))]).lay(&folder)?;
            Ok(folder)
        };
        let folder = lay().map_err(|error| Failure::machine("write a temporary file", error))?;
        let mut words = build::java(self.memory_mb);
        let all = [&[self.program.clone()], &self.archives[..]].concat();
        words.extend(["-cp".to_owned(), class_path(&all), "Cases".to_owned(), tests.file.clone()]);
        let files = [folder.join(SUBJECT), built.join(TESTS)];
        words.extend(files.map(|path| path.to_string_lossy().into_owned()));
        words.push(self.seconds.to_string());
        Ok(Ok(Runnable { hostile: Some(all), ..Runnable::new(words, folder) }))
    }
}

/// The archives of a framework that the machine has, unless the course brings it in one.
fn installed(
    framework: &'static dyn Framework,
    given: &[PathBuf],
) -> Result<Vec<PathBuf>, Failure> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if given.iter().any(|path| name(path).starts_with("junit-platform-console-standalone")) {
        return Ok(Vec::new());
    }
    let all = framework.libraries().iter();
    let all: Vec<_> = all.map(|it| Path::new(ARCHIVES).join(format!("{it}.jar"))).collect();
    if let Some(missing) = all.iter().find(|path| !path.is_file()) {
        let problem = Problem::new(format!("there is no JUnit 5: no {}", missing.display()));
        let hint = "install it, for example with `apt-get install junit5`, or name a junit-platform-console-standalone.jar in `compile: { with: … }`";
        return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
    }
    Ok(all)
}

fn class_path(archives: &[PathBuf]) -> String {
    let paths: Vec<_> = archives.iter().map(|path| path.to_string_lossy()).collect();
    paths.join(":")
}

/// The files of classes below a folder, with their paths in it.
fn read(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let unread = |error| Failure::machine(format!("read {}", folder.display()), error);
    let mut classes = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| unread(error.into()))?;
        let path = entry.path();
        if entry.file_type().is_file() && path.extension().is_some_and(|found| found == "class") {
            let bytes = fs::read(path).map_err(unread)?;
            classes.push((path.strip_prefix(folder).unwrap_or(path).to_owned(), bytes));
        }
    }
    Ok(classes)
}

/// Classes as one file: how many they are, and the name and the contents of each after its length.
fn packed(classes: &[(PathBuf, Vec<u8>)]) -> Vec<u8> {
    let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let mut packed = length(classes.len()).to_vec();
    for (path, bytes) in classes {
        let name = path.with_extension("").to_string_lossy().replace('/', ".");
        for part in [name.as_bytes(), bytes] {
            packed.extend(length(part.len()));
            packed.extend(part);
        }
    }
    packed
}

/// A source whose first class has so many more methods, which nobody calls.
fn disguised(text: &str, many: usize) -> String {
    let Some(open) = text.find("class ").and_then(|at| Some(at + text[at..].find('{')? + 1)) else {
        return text.to_owned();
    };
    let more = |at| format!(" private static int unused{at}() {{ return {at}; }}");
    let more: String = (0..many).map(more).collect();
    format!("{}{more}{}", &text[..open], &text[open..])
}

/// Why a file does not compile: the compiler's first error, at its line and column.
fn rejected(file: &TestProgram, outcome: &Outcome) -> Problem {
    if !matches!(outcome.end, End::Exit(_)) {
        return Problem::new("compiling the file takes too long or too much memory");
    }
    let text = String::from_utf8_lossy(&outcome.stderr);
    let mut lines = text.lines().skip_while(|line| !line.contains(": error: "));
    let Some((place, message)) = lines.next().and_then(|line| line.split_once(": error: ")) else {
        return match text.lines().find_map(|line| line.strip_prefix("error: ")) {
            Some(message) => Problem::new(printable(message)),
            None => Problem::new("the file does not compile"),
        };
    };
    let more: Vec<_> = lines.take_while(|line| !line.contains(": error: ")).collect();
    let symbol = more.iter().find_map(|line| line.trim().strip_prefix("symbol:"));
    let symbol = symbol.map(|symbol| format!(": {}", symbol.trim())).unwrap_or_default();
    let problem = Problem::new(printable(&format!("{message}{symbol}")));
    let column = more.iter().find(|line| line.trim() == "^").and_then(|line| line.find('^'));
    match place.strip_prefix(&*file.file).and_then(|it| it.strip_prefix(':')?.parse().ok()) {
        Some(line) => problem.at(crate::score::at(file, line, column.map(|column| column + 1))),
        None => problem,
    }
}
