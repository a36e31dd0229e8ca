//! Building programs from source files, without commands in the course file.

use super::compiler::Compilation;
use super::foreign::LIMITS;
use super::record::{Place, Recipe, Traces};
use super::surroundings::Surroundings;
use super::{Runnable, Variant, describe, failed, run, target_folder, unwritable, with_ending};
use crate::course::{Assignment, AssignmentProgram, Course, Language, Sources};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::hash::{Digest, fnv1a};
use crate::run::interpreter;
use crate::run::process;
use crate::run::work::Work;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use subject::{Case, End};
use walkdir::WalkDir;

/// Prints the first syntax error of the files on the command line, the program first, or the first import of a missing `subject`. The
/// engines bring their own `subject`, so without it only processes would fail.
const CHECK_SOURCES: &str = "\
import ast, importlib.util, os, sys, traceback
sys.path[0] = os.path.dirname(sys.argv[1])
has_subject = importlib.util.find_spec('subject')
def imports_subject(node):
    if isinstance(node, ast.ImportFrom):
        return node.module == 'subject' and node.level == 0
    return isinstance(node, ast.Import) and any(alias.name == 'subject' for alias in node.names)
for name in sys.argv[1:]:
    try:
        with open(name, 'rb') as file:
            source = file.read()
        compile(source, name, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        traceback.print_exception(type(error), error, None)
        sys.exit(1)
    for node in ast.walk(ast.parse(source)):
        if imports_subject(node) and not has_subject:
            print(f'  File \"{name}\", line {node.lineno}', file=sys.stderr)
            print('ModuleNotFoundError: there is no `subject.py` beside the program', file=sys.stderr)
            print('hint: `harness init --language python DIR` writes one', file=sys.stderr)
            sys.exit(1)
";

pub(super) fn build(
    course: &Course,
    assignment: &Assignment,
    sources: &Sources,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    Build::new(course, assignment, sources, variant).program()
}

/// The program of the source `file`. `None` if its name is not that of a source in C, C++ or Python.
pub(super) fn source(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    file: &Path,
) -> Option<Result<Runnable, Failure>> {
    let languages = [Language::C, Language::Cpp, Language::Python];
    let language = languages.into_iter().find(|language| language.has_source(file))?;
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let flags = match &assignment.program {
        AssignmentProgram::Sources(sources) if sources.language == language => {
            sources.flags.clone()
        }
        _ => Vec::new(),
    };
    let sources = Sources { language, files: vec![file.clone()], flags };
    let mut build = Build::new(course, assignment, &sources, Variant::Combined);
    build.what = format!("build {}", file.display());
    build.output =
        build.target.join(format!("against/{:016x}", fnv1a(file.as_os_str().as_encoded_bytes())));
    build.contained = Some(work);
    build.shown = headers_below(files::folder_of(&file));
    Some(build.program().map(Runnable::hostile))
}

/// The library of a right program: that at `path`, or the reference without one, with these options beside its own. `name` is what it is
/// called in messages.
pub(super) fn right(
    course: &Course,
    assignment: &Assignment,
    path: Option<&Path>,
    options: &[&str],
    name: &str,
) -> Result<PathBuf, Failure> {
    let AssignmentProgram::Sources(given) = &assignment.program else {
        let problem = Problem::new(format!("the program of `{}` has no sources", assignment.id));
        let hint = "unit tests need a program in C or C++: write `program: { cpp: … }`";
        return Err(Failure::broken_course(problem.hint(hint)));
    };
    let mut build = Build::new(course, assignment, given, Variant::Reference);
    // Headers of the course's program lie beside that.
    if let Some(own) = path.and_then(|path| Sources::at(path, given.language, None)) {
        build.files = own.files.iter().map(|file| super::in_root(course, file)).collect();
    }
    build.what = format!("build {name} of `{}`", assignment.id);
    build.options = options.iter().map(|&option| option.to_owned()).collect();
    let digest = Digest::default().with(format!("{path:?} {options:?}")).hex();
    build.output = build.target.join("right").join(digest);
    Ok(build.compiled()?.remove(0).into())
}

/// The object of a source that belongs to no file, built once.
pub(super) fn object(
    course: &Course,
    assignment: &Assignment,
    language: Language,
    compiler: &[String],
    source: &str,
) -> Result<PathBuf, Failure> {
    let folder = target_folder(course, assignment).join("unit");
    let digest = Digest::default().with(format!("{compiler:?}")).with(source).hex();
    let [object, text, unfinished] = ["o", language.extensions()[0], "unfinished"]
        .map(|ending| folder.join(&digest).with_extension(ending));
    if object.is_file() {
        return Ok(object);
    }
    let what = format!("build the tests of `{}`", assignment.id);
    fs::create_dir_all(&folder)
        .and_then(|()| files::replace(&text, source.as_bytes()))
        .map_err(|error| unwritable(&what, &folder, &error))?;
    let [name, options @ ..] = compiler else { return Ok(object) };
    let mut command = Command::new(name);
    command.args(options).arg("-c").arg(&text).arg("-o").arg(&unfinished);
    let output = run(&mut command, name)?;
    if !output.status.success() {
        return Err(failed(&what, &folder, &output.stderr));
    }
    fs::rename(&unfinished, &object).map_err(|error| unwritable(&what, &folder, &error))?;
    Ok(object)
}

/// The headers that a source in `folder` may include.
fn headers_below(folder: &Path) -> Vec<PathBuf> {
    const DEPTH: usize = 3;
    let files = WalkDir::new(folder).max_depth(DEPTH).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| super::compiler::is_header(path))
        .collect()
}

/// The program of an inspector, called `name`, whose sources are at `path`. `None` if there are none.
pub(super) fn inspector(
    course: &Course,
    assignment: &Assignment,
    path: &Path,
    name: &str,
) -> Option<Result<Runnable, Failure>> {
    let sources = Sources::at(path, Language::Cpp, None)?;
    let mut build = Build::new(course, assignment, &sources, Variant::Reference);
    build.what = format!("build {name}");
    let within = path.strip_prefix(&course.folder).unwrap_or(path).as_os_str().as_encoded_bytes();
    build.output = build.target.join(format!("inspectors/{:016x}", fnv1a(within)));
    Some(build.program())
}

/// The options of `java`. They keep it within a limit on address space, since by default it reserves more than a gigabyte beside the heap.
/// And programs share no file: `java` maps one that is named by the process's number, which is the same in every PID namespace.
pub fn java_options(memory_mb: u64) -> [String; 6] {
    let heap = format!("-Xmx{}m", (memory_mb / 2).max(16));
    let rest = [
        "-XX:CompressedClassSpaceSize=64m",
        "-XX:ReservedCodeCacheSize=64m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
    ];
    let [classes, code, collector, compiler, counters] = rest.map(str::to_owned);
    [heap, classes, code, collector, compiler, counters]
}

/// One program.
pub(super) struct Build<'a> {
    pub(super) what: String,
    pub(super) course: &'a Course,
    /// The sources of the course's program.
    pub(super) given: &'a Sources,
    /// The language of what is built, and its flags.
    pub(super) language: Language,
    pub(super) flags: Vec<String>,
    /// Options of the compiler that come after the flags.
    pub(super) options: Vec<String>,
    pub(super) variant: Variant<'a>,
    /// The folder of the course, without links.
    pub(super) root: PathBuf,
    /// What is built together, the program first.
    pub(super) files: Vec<PathBuf>,
    /// Whether it is a mutant that is a whole program.
    pub(super) is_own: bool,
    /// The folder of such a mutant, if it is a folder.
    pub(super) own_folder: Option<PathBuf>,
    /// The folder of what is built for this assignment.
    pub(super) target: PathBuf,
    /// The program, or the folder of its classes.
    pub(super) output: PathBuf,
    /// Whether it is a library, with which the tests of a student are linked.
    pub(super) is_library: bool,
    /// What the compiler runs for, contained and with limits, if the sources are not those of the course, and what it may read beside the
    /// files that it is given.
    pub(super) contained: Option<&'a Work>,
    pub(super) shown: Vec<PathBuf>,
    /// Megabytes (2^20 bytes) of memory that a run may use.
    memory_mb: u64,
}

impl<'a> Build<'a> {
    pub(super) fn new(
        course: &'a Course,
        assignment: &Assignment,
        sources: &'a Sources,
        variant: Variant<'a>,
    ) -> Self {
        let own = match variant {
            Variant::Mutant(id) | Variant::Unoptimized(id, _) | Variant::Selected(id) => {
                assignment.own_program(id)
            }
            Variant::Reference | Variant::Combined => None,
        };
        let own = own.map(|own| super::in_root(course, &own));
        let target = target_folder(course, assignment);
        let output = target.join(match variant {
            Variant::Reference => "bin/reference".to_owned(),
            Variant::Combined => "bin/combined".to_owned(),
            Variant::Selected(id) => format!("selected/{id}"),
            Variant::Mutant(id) | Variant::Unoptimized(id, _) => format!("mutants/{id}"),
        });
        let own_sources = own.as_ref().and_then(|own| assignment.own_sources(own));
        let (is_own, own_folder) = (own.is_some(), own.filter(|own| own.is_dir()));
        let built = own_sources.as_ref().unwrap_or(sources);
        Self {
            what: format!("build the {} of `{}`", describe(variant), assignment.id),
            course,
            given: sources,
            language: built.language,
            flags: built.flags.clone(),
            options: Vec::new(),
            variant,
            root: super::root(course),
            files: built.files.iter().map(|file| super::in_root(course, file)).collect(),
            is_own,
            own_folder,
            target,
            output,
            is_library: assignment.unit.is_some(),
            contained: None,
            shown: Vec::new(),
            memory_mb: assignment.run.memory_mb,
        }
    }

    /// Builds the program, and gives what runs it.
    fn program(&self) -> Result<Runnable, Failure> {
        let words = match self.language {
            Language::Python => self.python()?,
            Language::Java => self.java()?,
            Language::C | Language::Cpp => self.compiled()?,
        };
        Ok(Runnable::new(words, self.course.folder.clone()))
    }

    /// Builds the program unless it is up to date. `words` are all that the command lines consist of, except for the files.
    pub(super) fn build(
        &self,
        words: &impl std::fmt::Debug,
        tools: &[&str],
        build: impl FnOnce() -> Result<Traces, Failure>,
    ) -> Result<(), Failure> {
        let files: Vec<_> = self.files.iter().map(|file| file.strip_prefix(&self.root)).collect();
        let surroundings = Surroundings::of_commands(&self.root, tools.iter().copied());
        let recipe = Recipe::new(&(words, files, &self.flags), surroundings);
        let [file, lock] = [".json", ".lock"].map(|ending| with_ending(&self.output, ending));
        Place { file, course: &self.root, lock }.build(&self.what, &recipe, || {
            let mut traces = build()?;
            traces.inputs.extend(self.files.iter().chain(&self.own_folder).cloned());
            traces.inputs.retain(|path| !path.starts_with(&self.target));
            traces.outputs.extend(super::commands::tree(&self.output));
            Ok(traces)
        })
    }

    /// Python needs no build. Syntax errors and a missing `subject.py` are found before a test finds them.
    fn python(&self) -> Result<Vec<String>, Failure> {
        self.build(&CHECK_SOURCES, &["python3"], || {
            let mut command = Command::new(interpreter::resolved("python3"));
            self.compile(command.arg("-c").arg(CHECK_SOURCES).args(&self.files), "python3")?;
            Ok(Traces::default())
        })?;
        let flags = self.flags.iter().cloned();
        // No run may leave `__pycache__` beside the sources.
        let start = ["python3".to_owned(), "-B".to_owned()].into_iter().chain(flags);
        Ok(start.chain([Self::text(&self.files[0])?]).collect())
    }

    fn java(&self) -> Result<Vec<String>, Failure> {
        let is_given = self.given.language == Language::Java;
        let main = if is_given { &self.given.files[0] } else { &self.files[0] };
        let main = main.file_stem().unwrap_or_default();
        self.build(&"javac", &["javac"], || {
            // Classes that no longer exist must not remain.
            let _ = fs::remove_dir_all(&self.output);
            fs::create_dir_all(&self.output)
                .map_err(|error| unwritable(&self.what, &self.output, &error))?;
            let mut command = Command::new("javac");
            command.arg("-d").arg(&self.output).args(&self.flags);
            self.compile(command.args(self.java_files(main)?), "javac")?;
            Ok(Traces::default())
        })?;
        let classes = Self::text(&self.output)?;
        let start = super::java(self.memory_mb).into_iter();
        Ok(start.chain(["-cp".to_owned(), classes, main.to_string_lossy().into_owned()]).collect())
    }

    /// The files to compile. The file of a mutant has its id as its name, so a copy is named after its class, which is `main`.
    fn java_files(&self, main: &OsStr) -> Result<Vec<PathBuf>, Failure> {
        let [file] = self.files.as_slice() else { return Ok(self.files.clone()) };
        if file.file_stem() == Some(main) {
            return Ok(self.files.clone());
        }
        let folder = with_ending(&self.output, ".sources");
        let copy = folder.join(main).with_extension("java");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::copy(file, &copy))
            .map_err(|error| unwritable(&self.what, &folder, &error))?;
        Ok(vec![copy])
    }

    fn compiled(&self) -> Result<Vec<String>, Failure> {
        let compilation = Compilation::new(self);
        let tools = [compilation.compiler(), "ld"];
        self.build(&compilation.words(), &tools, || compilation.run())?;
        Ok(vec![Self::text(&self.output)?])
    }

    /// Runs a compiler. Its errors are shown as it printed them.
    pub(super) fn compile(&self, command: &mut Command, name: &str) -> Result<(), Failure> {
        if let Some(work) = self.contained {
            return self.compile_contained(command, work);
        }
        let output = run(command.current_dir(&self.root), name)?;
        if output.status.success() {
            return Ok(());
        }
        let printed = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
        Err(failed(&self.what, &self.target, printed))
    }

    /// Runs a compiler as a contained process with limits. It writes into a folder of its own, from which only what it was asked for is
    /// kept.
    fn compile_contained(&self, command: &Command, work: &Work) -> Result<(), Failure> {
        const OUTPUTS: [&str; 2] = ["-o", "-MF"];
        let place = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let mut words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        let mut written = Vec::new();
        for at in 1..words.len() {
            if OUTPUTS.contains(&words[at - 1].as_str()) {
                let inside = place.path().join(written.len().to_string());
                let outside = std::mem::replace(&mut words[at], Self::text(&inside)?);
                written.push((inside, PathBuf::from(outside)));
            }
        }
        let shown = Some(self.shown.clone());
        let compiler = Runnable::new(words, place.path().to_owned());
        let compiler = Runnable { hostile: shown, ..compiler };
        let outcome = process::run_in_place(work, &compiler, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(self.what.clone(), &error))?;
        match outcome.end {
            End::Exit(0) => written.iter().try_for_each(|(inside, outside)| {
                if !inside.symlink_metadata().is_ok_and(|it| it.is_file()) {
                    return Ok(());
                }
                let copied = fs::copy(inside, outside).map(drop);
                copied.map_err(|error| unwritable(&self.what, outside, &error))
            }),
            End::Exit(_) => Err(failed(&self.what, &self.target, &outcome.stderr)),
            _ => {
                let message =
                    format!("cannot {}: the compiler takes too long or too much", self.what);
                Err(Failure::broken_course(Problem::new(message)))
            }
        }
    }

    /// Writes a file that programs are built with.
    pub(super) fn put(&self, file: &Path, contents: &str) -> Result<(), Failure> {
        if fs::read(file).is_ok_and(|present| present == contents.as_bytes()) {
            return Ok(());
        }
        let folder = files::folder_of(file);
        fs::create_dir_all(folder)
            .and_then(|()| files::replace(file, contents.as_bytes()))
            .map_err(|error| unwritable(&self.what, folder, &error))
    }

    pub(super) fn text(path: &Path) -> Result<String, Failure> {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::broken_course(Problem::new(format!("{} is not UTF-8", path.display())))
        })
    }
}
