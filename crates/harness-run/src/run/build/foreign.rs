//! Building programs that are not part of the course, such as those of a past class. Nobody has looked at them, so each compilation has
//! limits, and in the sandbox, it sees only the files of its own program.
//!
//! What is built is named after its contents, so that equal sources are compiled once, and an interrupted run continues.

use super::compiler::Compilation;
use super::language::{Build, builder};
use super::{Runnable, Variant, target_folder, unwritable};
use crate::course::language::{Compiler, Made};
use crate::course::{Assignment, AssignmentProgram, Course, Language, Sources};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::hash::Digest;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A file of a program: its name, and its contents.
pub type ForeignFile = (String, Vec<u8>);

/// What compiling one source may use.
pub(super) const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(30),
    wall: Duration::from_secs(120),
    memory: 1 << 30,
    output: 64 << 20,
    processes: 16,
};

/// Without optimization, most programs take longer to run than this takes to compile them. More of it saves less time than it takes.
const OPTIMIZATION: &str = "-Og";

/// The program that consists of `sources`: in C, C++ or Python. They are in one folder, the main program in Python first.
///
/// # Errors
/// If it cannot be built.
pub fn foreign(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    name: &str,
    sources: &[ForeignFile],
) -> Result<Runnable, Failure> {
    let is_in =
        |language: &Language| sources.iter().any(|(name, _)| language.has_source(Path::new(name)));
    let Some(language) = Language::FOREIGN.into_iter().find(is_in) else {
        let problem = Problem::new(format!("{name} has no source in C, C++ or Python"));
        return Err(Failure::usage(
            problem.hint("give a program that is built already").printable(),
        ));
    };
    let compiler = language.compiler();
    let standard = compiler.into_iter().flat_map(|compiler| compiler.standard);
    let mut flags = match &assignment.program {
        AssignmentProgram::Sources(given) if given.language == language => given.flags.clone(),
        _ => standard.map(|&option| option.to_owned()).collect(),
    };
    flags.extend(compiler.map(|_| OPTIMIZATION.to_owned()));
    let is_source = |(name, _): &&ForeignFile| language.has_source(Path::new(name));
    let names = sources.iter().filter(is_source).map(|(name, _)| PathBuf::from(name)).collect();
    let given = Sources { language, files: names, flags };
    let mut build = Build::new(course, assignment, &given, Variant::Combined);
    build.what = format!("build {name}");
    build.contained = Some(work);
    let folder = target_folder(course, assignment).join("mined");
    Foreign { build, folder, sources }.program()
}

struct Foreign<'a> {
    build: Build<'a>,
    /// The folder of what is built.
    folder: PathBuf,
    sources: &'a [ForeignFile],
}

impl Foreign<'_> {
    fn program(mut self) -> Result<Runnable, Failure> {
        if let Some(compiler) = self.build.language.compiler() {
            let words = format!("{:?}", Compilation::new(&self.build, compiler).words());
            self.build.output = self.folder.join(self.digest(&words));
            if !self.build.output.is_file() {
                self.compile(compiler, &words)?;
            }
        } else {
            self.build.output = self.folder.join(self.digest(""));
            self.put_into(&self.build.output)?;
            self.build.files = vec![self.build.output.join(&self.build.given.files[0])];
            self.build.shown.push(self.build.output.clone());
            // The options are for the course's own program.
            self.build.flags.clear();
            builder(self.build.language).build(&self.build)?;
        }
        let words = builder(self.build.language).words(&self.build)?;
        Ok(Runnable::new(words, self.build.course.folder.clone()).hostile())
    }

    /// The digest of the sources and of how they are compiled.
    fn digest(&self, words: &str) -> String {
        let digest = Digest::default().with(words);
        let files = self.sources.iter();
        files.fold(digest, |digest, file| digest.with(&file.0).with(&file.1)).hex()
    }

    /// Compiles each source in a folder with the files of this program alone, and links the program.
    fn compile(&mut self, compiler: &'static Compiler, words: &str) -> Result<(), Failure> {
        let alone = files::temporary_folder().map_err(|error| {
            process::failure("make a temporary folder", &process::no_temporary_files(&error))
        })?;
        self.put_into(alone.path())?;
        alone.path().clone_into(&mut self.build.root);
        self.build.shown.push(alone.path().to_owned());
        let objects = self.folder.join("objects");
        fs::create_dir_all(&objects)
            .map_err(|error| unwritable(&self.build.what, &objects, &error))?;
        let compilation = Compilation::new(&self.build, compiler);
        let include = compilation.include()?;
        let common = self.common(&compilation, &include, &alone, words)?;
        let is_compiled = |name: &str| self.build.language.has_source(Path::new(name));
        let headers = self.sources.iter().filter(|(name, _)| !is_compiled(name));
        let headers = headers.fold(Digest::default().with(words), |digest, (name, bytes)| {
            digest.with(name).with(bytes)
        });
        let mut linked = Vec::new();
        for (name, bytes) in self.sources.iter().filter(|(name, _)| is_compiled(name)) {
            let object =
                objects.join(format!("{}.o", headers.clone().with(name).with(bytes).hex()));
            self.once(&object, &alone, |path| {
                let source = alone.path().join(name);
                // A name in these headers may be one of the program.
                let compiled = compilation.compile(&source, &include, path, &common);
                let again = || compilation.compile(&source, &include, path, &[]);
                if common.is_empty() { compiled } else { compiled.or_else(|_| again()) }.map(drop)
            })?;
            linked.push(object);
        }
        let steps = objects.join(format!("{}.o", Digest::default().with(words).hex()));
        self.once(&steps, &alone, |path| {
            let made = compilation.compile_steps(&include, alone.path())?;
            fs::rename(made, path).map_err(|error| unwritable(&self.build.what, path, &error))
        })?;
        linked.push(steps);
        compilation.link(&linked)
    }

    /// The options by which a source includes the headers that are common in its language, which are compiled first.
    fn common(
        &self,
        compilation: &Compilation<'_>,
        include: &Path,
        alone: &TempDir,
        words: &str,
    ) -> Result<Vec<String>, Failure> {
        let Made::Linked(Compiler { common: Some((language, headers)), .. }) =
            self.build.language.rules().made
        else {
            return Ok(Vec::new());
        };
        let digest = Digest::default().with(words).with(headers).hex();
        let header = self.folder.join("objects").join(format!("{digest}.h"));
        self.build.put(&header, headers)?;
        let compiled = header.with_extension("h.gch");
        self.once(&compiled, alone, |path| {
            let as_header = ["-x", language].map(str::to_owned);
            compilation.compile(&header, include, path, &as_header).map(drop)
        })?;
        Ok(vec!["-include".to_owned(), Build::text(&header)?])
    }

    /// Makes the file `path` under another name first, unless it exists. Other threads may make the same file.
    fn once(
        &self,
        path: &Path,
        alone: &TempDir,
        make: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if path.is_file() {
            return Ok(());
        }
        let unfinished = alone.path().join("unfinished.o");
        make(&unfinished)?;
        let whole = fs::read(&unfinished).and_then(|bytes| files::replace(path, &bytes));
        whole.map_err(|error| unwritable(&self.build.what, path, &error))
    }

    /// Writes the files of the program into `folder`, unless they are there.
    fn put_into(&self, folder: &Path) -> Result<(), Failure> {
        self.sources.iter().try_for_each(|(name, bytes)| {
            let text = folder.join(name);
            if fs::read(&text).is_ok_and(|present| present == *bytes) {
                return Ok(());
            }
            fs::create_dir_all(folder)
                .and_then(|()| files::replace(&text, bytes))
                .map_err(|error| unwritable(&self.build.what, folder, &error))
        })
    }
}
