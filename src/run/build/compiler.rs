//! Compiling programs in C and C++.

use super::depfile;
use super::language::Build;
use super::record::Traces;
use super::{Variant, unwritable};
use crate::course::Language;
use crate::files;
use crate::problem::Failure;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs include.
const SUBJECT_H: &str = include_str!("../../../subject/c/subject.h");
/// What the hooks call that count steps.
const STEPS_C: &str = include_str!("../../../subject/c/steps.c");

/// The options of a program whose steps are counted. The host selects its mutant.
const HOOKS: [&str; 2] = ["-fsanitize-coverage=trace-pc", "-DSUBJECT_SELECT"];

/// How a program is compiled and linked.
pub(super) struct Compilation<'a> {
    build: &'a Build<'a>,
    /// The compiler, and the options that the environment gives it.
    compiler: Vec<String>,
    options: Vec<String>,
    /// Whether the steps of the program are counted.
    has_hooks: bool,
}

impl<'a> Compilation<'a> {
    pub(super) fn new(build: &'a Build<'a>) -> Self {
        let is_c = build.sources.language == Language::C;
        let (variable, usual) = if is_c { ("CC", "cc") } else { ("CXX", "c++") };
        let given = env::var(variable).ok().and_then(|words| shlex::split(&words));
        let compiler =
            given.filter(|words| !words.is_empty()).unwrap_or_else(|| vec![usual.to_owned()]);
        let default = if is_c { &["-O2"][..] } else { &["-O2", "-std=c++17"] };
        let mut options = build.sources.flags.clone();
        if options.is_empty() {
            options = default.iter().map(|&option| option.to_owned()).collect();
        }
        let has_hooks = matches!(build.variant, Variant::Combined | Variant::Selected(_));
        if has_hooks {
            options.extend(HOOKS.map(str::to_owned));
        }
        if let Variant::Mutant(id) | Variant::Unoptimized(id, _) = build.variant {
            options.push(format!("-DSUBJECT_MUTANT=\"{id}\""));
        }
        Self { build, compiler, options, has_hooks }
    }

    pub(super) fn compiler(&self) -> &str {
        &self.compiler[0]
    }

    /// All that the result depends on, except for sources.
    pub(super) fn words(&self) -> impl std::fmt::Debug {
        (&self.compiler, &self.options, SUBJECT_H, STEPS_C)
    }

    /// Compiles each source and links the program.
    pub(super) fn run(&self) -> Result<Traces, Failure> {
        let build = self.build;
        let include = build.target.join("include");
        build.put(&include.join("subject.h"), SUBJECT_H)?;
        let objects = super::with_ending(&build.output, ".objects");
        fs::create_dir_all(&objects).map_err(|error| unwritable(&build.what, &objects, &error))?;
        let mut inputs = BTreeSet::new();
        let mut linked = Vec::new();
        for (number, source) in build.files.iter().enumerate() {
            if !is_header(source) {
                let object = objects.join(format!("{number}.o"));
                inputs.extend(self.compile(source, &include, &object)?);
                linked.push(object);
            }
        }
        if self.has_hooks {
            linked.push(self.compile_steps(&include, &objects)?);
        }
        self.link(&linked)?;
        Ok(Traces { inputs, ..Traces::default() })
    }

    /// Compiles a source, and returns the files that it includes.
    fn compile(
        &self,
        source: &Path,
        include: &Path,
        object: &Path,
    ) -> Result<Vec<PathBuf>, Failure> {
        let list = object.with_extension("d");
        // A program of its own may include headers of the course's program.
        let beside =
            self.build.sources.files.first().map(|file| super::in_root(self.build.course, file));
        let beside = beside.as_deref().map_or(include, files::folder_of);
        let mut command = self.command();
        command.args(&self.options).arg("-I").arg(include).arg("-iquote").arg(beside);
        command.args(["-MMD", "-MF"]).arg(&list).arg("-c").arg(source).arg("-o").arg(object);
        self.build.compile(&mut command, self.compiler())?;
        Ok(depfile::read(&list, &self.build.root).unwrap_or_default())
    }

    /// Compiles what the hooks call. Its own steps do not count.
    fn compile_steps(&self, include: &Path, objects: &Path) -> Result<PathBuf, Failure> {
        let (source, object) = (objects.join("steps.c"), objects.join("steps.o"));
        self.build.put(&source, STEPS_C)?;
        let mut command = self.command();
        command.args(["-O2", "-fPIC", "-DSUBJECT_SELECT", "-x", "c", "-I"]).arg(include);
        command.arg("-c").arg(&source).arg("-o").arg(&object);
        self.build.compile(&mut command, self.compiler())?;
        Ok(object)
    }

    /// Links the program. One that is running is replaced, not overwritten.
    fn link(&self, objects: &[PathBuf]) -> Result<(), Failure> {
        let program = &self.build.output;
        let unfinished = super::with_ending(program, ".unfinished");
        let mut command = self.command();
        command.args(objects).args(&self.options).arg("-o").arg(&unfinished);
        self.build.compile(&mut command, self.compiler())?;
        fs::rename(&unfinished, program)
            .map_err(|error| unwritable(&self.build.what, files::folder_of(program), &error))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.compiler());
        command.args(&self.compiler[1..]);
        command
    }
}

/// Whether a file is only included. It matters if it changes, but is not compiled.
fn is_header(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp" | "tpp"))
}
