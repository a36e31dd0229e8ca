//! Building programs from source files, without commands in the course file. What differs by language is in one file below for each way
//! of building.

mod java;
mod native;
mod python;

pub use java::java_options;

use super::foreign::LIMITS;
use super::record::{Place, Recipe, Traces};
use super::surroundings::Surroundings;
use super::{Runnable, Variant, failed, run, target_folder, unwritable, with_ending};
use crate::course::{Assignment, AssignmentProgram, Course, Language, Sources};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::hash::{Digest, fnv1a};
use crate::run::process;
use crate::run::work::Work;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use subject::{Case, End};
use walkdir::WalkDir;

/// How the programs of a language are built, run and checked.
pub(super) trait Builder {
    /// Builds the program unless it is up to date.
    fn build(&self, build: &Build<'_>) -> Result<(), Failure>;

    /// The words that run it.
    fn words(&self, build: &Build<'_>) -> Result<Vec<String>, Failure>;

    /// What the compiler does when it only checks the sources. Errors are like those of GCC.
    fn check(&self, build: &Build<'_>) -> Result<Vec<Output>, Failure>;
}

/// What builds and runs the programs of a language.
pub(super) fn builder(language: Language) -> Box<dyn Builder> {
    match language {
        Language::C | Language::Cpp => Box::new(native::Native::of(language)),
        Language::Python => Box::new(python::Python),
        Language::Java => Box::new(java::Java),
    }
}

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
    let given = given(assignment, file)?;
    let build = Build::of_source(work, course, assignment, &given, Variant::Combined);
    Some(build.program().map(Runnable::hostile))
}

/// A source that others wrote, with the course's flags for its language.
pub(super) fn given(assignment: &Assignment, file: &Path) -> Option<Sources> {
    let language = Language::FOREIGN.into_iter().find(|language| language.has_source(file))?;
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let flags = match &assignment.program {
        AssignmentProgram::Sources(sources) if sources.language == language => {
            sources.flags.clone()
        }
        _ => Vec::new(),
    };
    Some(Sources { language, files: vec![file], flags })
}

/// The sources of the program that unit tests test.
pub(super) fn sources_of(assignment: &Assignment) -> Result<&Sources, Failure> {
    let AssignmentProgram::Sources(given) = &assignment.program else {
        let problem = Problem::new(format!("the program of `{}` has no sources", assignment.id));
        let hint = "unit tests need a program in C or C++: write `program: { cpp: … }`";
        return Err(Failure::broken_course(problem.hint(hint)));
    };
    Ok(given)
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
    let given = sources_of(assignment)?;
    let mut build = Build::new(course, assignment, given, Variant::Reference);
    // Headers of the course's program lie beside that.
    if let Some(own) = path.and_then(|path| Sources::at(path, given.language, None)) {
        build.files = own.files.iter().map(|file| super::in_root(course, file)).collect();
    }
    build.what = format!("build {name} of `{}`", assignment.id);
    build.options = options.iter().map(|&option| option.to_owned()).collect();
    let digest = Digest::default().with(format!("{path:?} {options:?}")).hex();
    build.output = build.target.join("right").join(digest);
    builder(build.language).build(&build)?;
    Ok(build.output)
}

/// The library of the mutant `id` with these options beside its own.
pub(super) fn disguised(
    course: &Course,
    assignment: &Assignment,
    id: &str,
    options: &[&str],
) -> Result<PathBuf, Failure> {
    let mut build = Build::new(course, assignment, sources_of(assignment)?, Variant::Mutant(id));
    build.options = options.iter().map(|&option| option.to_owned()).collect();
    build.output = build.target.join("disguised").join(id);
    builder(build.language).build(&build)?;
    Ok(build.output)
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
    /// Whether runs tell which lines they reach.
    pub(super) tells_lines: bool,
    /// What the compiler runs for, contained and with limits, if the sources are not those of the course, and what it may read beside the
    /// files that it is given.
    pub(super) contained: Option<&'a Work>,
    pub(super) shown: Vec<PathBuf>,
    /// Megabytes (2^20 bytes) of memory that a run may use.
    pub(super) memory_mb: u64,
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
            what: format!("build the {} of `{}`", variant.describe(), assignment.id),
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
            tells_lines: false,
            contained: None,
            shown: Vec::new(),
            memory_mb: assignment.run.memory_mb,
        }
    }

    /// The program of a source that others wrote.
    pub(super) fn of_source(
        work: &'a Work,
        course: &'a Course,
        assignment: &Assignment,
        given: &'a Sources,
        variant: Variant<'a>,
    ) -> Self {
        let mut build = Self::new(course, assignment, given, variant);
        let file = &given.files[0];
        build.what = format!("build {}", file.display());
        let name = fnv1a(file.as_os_str().as_encoded_bytes());
        build.output = build.target.join(format!("against/{name:016x}"));
        build.contained = Some(work);
        build.shown = headers_below(files::folder_of(file));
        build
    }

    /// The folder of what is linked.
    pub(super) fn objects(&self) -> PathBuf {
        with_ending(&self.output, ".objects")
    }

    /// Builds the program, and gives what runs it.
    pub(super) fn program(&self) -> Result<Runnable, Failure> {
        let builder = builder(self.language);
        builder.build(self)?;
        let words = builder.words(self)?;
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
                let outside = PathBuf::from(&words[at]);
                let inside = place.path().join(outside.file_name().unwrap_or_default());
                words[at] = Self::text(&inside)?;
                written.push([&inside, &outside].map(|path| path.with_extension("gcno")));
                written.push([inside, outside]);
            }
        }
        let shown = Some(self.shown.clone());
        let compiler = Runnable::new(words, place.path().to_owned());
        let compiler = Runnable { hostile: shown, ..compiler };
        let outcome = process::run_in_place(work, &compiler, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(self.what.clone(), &error))?;
        match outcome.end {
            End::Exit(0) => written.iter().try_for_each(|[inside, outside]| {
                if !inside.symlink_metadata().is_ok_and(|it| it.is_file()) {
                    return Ok(());
                }
                let copied = fs::copy(inside, outside).map(drop);
                copied.map_err(|error| unwritable(&self.what, outside, &error))
            }),
            End::Exit(_) => {
                let printed = self.without_folders(&outcome.stderr);
                Err(failed(&self.what, &self.target, printed.as_bytes()))
            }
            _ => {
                let message =
                    format!("cannot {}: the compiler takes too long or too much", self.what);
                Err(Failure::broken_course(Problem::new(message)))
            }
        }
    }

    /// What a compiler printed, without the folders into which the sources were copied.
    fn without_folders(&self, printed: &[u8]) -> String {
        let printed = String::from_utf8_lossy(printed).into_owned();
        let folders = self.shown.iter().filter(|path| path.is_dir());
        folders.fold(printed, |text, folder| text.replace(&format!("{}/", folder.display()), ""))
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
