//! Compiling programs in C and C++.

use super::language::Build;
use super::record::{Place, Recipe, Traces};
use super::surroundings::Surroundings;
use super::{Variant, unwritable};
use super::{depfile, hooks};
use crate::course::language::Compiler;
use crate::diagnostic::Failure;
use crate::files;
use crate::hash::fnv1a;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs include.
const SUBJECT_H: &str = include_str!("../../../../subject/c/subject.h");
/// What the hooks need that count steps.
const STEPS_C: &str = include_str!("../../../../subject/c/steps.c");

/// The options of a program whose steps are counted. The host selects its mutant. Each source becomes assembly of its own.
const COUNTED: [&str; 2] = ["-DSUBJECT_SELECT", "-fno-lto"];

/// Makes the compiler put a hook at each edge, where `hooks` cannot put fewer.
const CALLS: &str = "-fsanitize-coverage=trace-pc";

/// What tells which lines a run reaches, also of a program that crashes or does not end.
pub(super) const LINES_C: &str = include_str!("../coverage/lines.c");
/// The options of a program that does.
const LINES: [&str; 2] = ["-O0", "--coverage"];

/// The options of a library. What it calls in itself cannot be replaced by what it is linked with.
const LIBRARY: [&str; 2] = ["-fPIC", "-fno-semantic-interposition"];
const SHARED: [&str; 2] = ["-shared", "-Wl,-Bsymbolic"];

/// The macro that selects the mutant of an isolated build.
const DEFINE: &str = "SUBJECT_MUTANT";

/// How a program is compiled and linked.
pub(super) struct Compilation<'a> {
    build: &'a Build<'a>,
    known: &'static Compiler,
    /// The compiler, and the options that the environment gives it.
    compiler: Vec<String>,
    options: Vec<String>,
    /// Whether the steps of the program are counted.
    has_hooks: bool,
    /// The mutant that the sources of the reference are compiled with.
    mutant: Option<&'a str>,
}

/// A source that is compiled.
pub(super) struct Object {
    path: PathBuf,
    /// The source, and the files that it includes.
    inputs: Vec<PathBuf>,
}

impl<'a> Compilation<'a> {
    pub(super) fn new(build: &'a Build<'a>, known: &'static Compiler) -> Self {
        let given = env::var(known.variable).ok().and_then(|words| shlex::split(&words));
        let compiler =
            given.filter(|words| !words.is_empty()).unwrap_or_else(|| vec![known.name.to_owned()]);
        let mut options = build.flags.clone();
        if options.is_empty() {
            let default = ["-O2"].iter().chain(known.standard);
            options = default.map(|&option| option.to_owned()).collect();
        }
        options.extend(build.options.iter().cloned());
        if build.is_library {
            options.extend(LIBRARY.map(str::to_owned));
        }
        if build.tells_lines {
            options.extend(LINES.map(str::to_owned));
        }
        let has_hooks = matches!(build.variant, Variant::Combined | Variant::Selected(_));
        if has_hooks {
            options.extend(COUNTED.map(str::to_owned));
        }
        let mutant = match build.variant {
            Variant::Mutant(id) | Variant::Unoptimized(id, _) => Some(id),
            Variant::Reference | Variant::Combined | Variant::Selected(_) => None,
        };
        Self { build, known, compiler, options, has_hooks, mutant }
    }

    pub(super) fn compiler(&self) -> &str {
        &self.compiler[0]
    }

    /// All that the result depends on, except for sources.
    pub(super) fn words(&self) -> impl std::fmt::Debug {
        (&self.compiler, &self.options, self.mutant, SUBJECT_H, STEPS_C, LINES_C)
    }

    /// Compiles each source and links the program.
    pub(super) fn run(&self) -> Result<Traces, Failure> {
        let build = self.build;
        let include = self.include()?;
        let objects = build.objects();
        fs::create_dir_all(&objects).map_err(|error| unwritable(&build.what, &objects, &error))?;
        let mut inputs = BTreeSet::new();
        let mut linked = Vec::new();
        for (number, source) in self.sources().enumerate() {
            let object = self.object(source, &include, &objects.join(format!("{number}.o")))?;
            inputs.extend(object.inputs);
            linked.push(object.path);
        }
        if self.has_hooks {
            linked.push(self.compile_steps(&include, &objects)?);
        }
        if self.build.tells_lines {
            linked.push(self.compile_lines(&include, &objects)?);
        }
        self.link(&linked)?;
        Ok(Traces { inputs, ..Traces::default() })
    }

    /// The files that are compiled.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'a PathBuf> {
        self.build.files.iter().filter(|file| !is_header(file))
    }

    /// The folder of what programs include, which is written if it is not there.
    pub(super) fn include(&self) -> Result<PathBuf, Failure> {
        let include = self.build.target.join("include");
        self.build.put(&include.join("subject.h"), SUBJECT_H)?;
        Ok(include)
    }

    /// Compiles a source to `path`, unless it is the same in the reference and its mutants and was compiled for another of them.
    fn object(&self, source: &Path, include: &Path, path: &Path) -> Result<Object, Failure> {
        let build = self.build;
        let selected = |mutant| format!("-D{DEFINE}=\"{mutant}\"");
        if self.has_hooks || build.is_own || build.tells_lines || !build.options.is_empty() {
            let mutant = self.mutant.filter(|_| !build.is_own).map(selected);
            return self.compile(source, include, path, mutant.as_slice());
        }
        let shared = self.shared(source, include)?;
        match self.mutant {
            Some(mutant) if shared.inputs.iter().any(|file| has_mutant(file, mutant)) => {
                self.compile(source, include, path, &[selected(mutant)])
            }
            _ => Ok(shared),
        }
    }

    /// A source as it is in the reference, and in every mutant that does not change it.
    fn shared(&self, source: &Path, include: &Path) -> Result<Object, Failure> {
        let build = self.build;
        let within = source.strip_prefix(&build.root).unwrap_or(source);
        let name = format!("{:016x}.o", fnv1a(within.as_os_str().as_encoded_bytes()));
        let path = build.target.join("objects").join(name);
        let words = (within, &self.compiler, &self.options, SUBJECT_H);
        let recipe = Recipe::new(&words, Surroundings::of_commands(&build.root, [self.compiler()]));
        let [file, lock] = [".json", ".lock"].map(|ending| super::with_ending(&path, ending));
        Place { file, course: &build.root, lock }.build(&build.what, &recipe, || {
            let mut inputs: BTreeSet<_> =
                self.compile(source, include, &path, &[])?.inputs.into_iter().collect();
            inputs.retain(|input| !input.starts_with(&build.target));
            let outputs = BTreeSet::from([path.clone(), path.with_extension("d")]);
            Ok(Traces { inputs, outputs, ..Traces::default() })
        })?;
        Ok(Object { inputs: self.inputs(source, &path), path })
    }

    pub(super) fn compile(
        &self,
        source: &Path,
        include: &Path,
        path: &Path,
        defines: &[String],
    ) -> Result<Object, Failure> {
        let is_counted = self.has_hooks && !is_header(source);
        if !is_counted || self.compile_with_hooks(source, include, path, defines).is_none() {
            let calls = is_counted.then(|| CALLS.to_owned());
            let options: Vec<_> = defines.iter().cloned().chain(calls).collect();
            self.compile_to(source, include, path, path, &options)?;
        }
        Ok(Object { inputs: self.inputs(source, path), path: path.to_owned() })
    }

    /// Compiles a source by way of its assembly, into which hooks are put. `None` if this does not work.
    fn compile_with_hooks(
        &self,
        source: &Path,
        include: &Path,
        path: &Path,
        defines: &[String],
    ) -> Option<()> {
        let assembly = cfg!(target_arch = "x86_64").then(|| path.with_extension("s"))?;
        let options: Vec<_> = defines.iter().cloned().chain(["-S".to_owned()]).collect();
        self.compile_to(source, include, path, &assembly, &options).ok()?;
        let hooked = hooks::with_hooks(&fs::read_to_string(&assembly).ok()?)?;
        fs::write(&assembly, hooked).ok()?;
        let mut command = self.command();
        command.arg("-c").arg(&assembly).arg("-o").arg(path);
        let compiled = self.build.compile(&mut command, self.compiler());
        let _ = fs::remove_file(&assembly);
        compiled.ok()
    }

    /// Compiles a source to `output`, with the list of what it includes beside `path`.
    fn compile_to(
        &self,
        source: &Path,
        include: &Path,
        path: &Path,
        output: &Path,
        options: &[String],
    ) -> Result<(), Failure> {
        let mut command = self.compiling(source, include, options);
        command.args(["-MMD", "-MF"]).arg(path.with_extension("d")).arg("-o").arg(output);
        self.build.compile(&mut command, self.compiler())
    }

    /// The command that compiles a source.
    pub(super) fn compiling(&self, source: &Path, include: &Path, options: &[String]) -> Command {
        // A program of its own may include headers of the course's program.
        let beside =
            self.build.given.files.first().map(|file| super::in_root(self.build.course, file));
        // What others wrote finds the files beside it, and no others.
        let beside = beside.filter(|_| self.build.contained.is_none());
        let beside = beside.as_deref().map_or(include, files::folder_of);
        let mut command = self.command();
        command.args(&self.options).args(options).arg("-I").arg(include);
        command.arg("-iquote").arg(beside).arg("-c").arg(source);
        command.current_dir(&self.build.root);
        command
    }

    /// What the compiler read for the object at `path`, according to the list that it wrote.
    fn inputs(&self, source: &Path, path: &Path) -> Vec<PathBuf> {
        let listed = depfile::read(&path.with_extension("d"), &self.build.root);
        let mut inputs = listed.unwrap_or_default();
        inputs.push(source.to_owned());
        inputs
    }

    /// Compiles what the hooks call. Its own steps do not count.
    pub(super) fn compile_steps(&self, include: &Path, objects: &Path) -> Result<PathBuf, Failure> {
        self.compile_own("steps", STEPS_C, include, objects)
    }

    /// Compiles what tells the lines that a run reaches.
    fn compile_lines(&self, include: &Path, objects: &Path) -> Result<PathBuf, Failure> {
        self.compile_own("lines", LINES_C, include, objects)
    }

    /// Compiles a source that is no part of the program, but linked with it.
    fn compile_own(
        &self,
        name: &str,
        text: &str,
        include: &Path,
        objects: &Path,
    ) -> Result<PathBuf, Failure> {
        let [source, object] = ["c", "o"].map(|ending| objects.join(name).with_extension(ending));
        self.build.put(&source, text)?;
        let mut command = self.command();
        command.args(["-O2", "-fPIC", "-DSUBJECT_SELECT", "-x", "c", "-I"]).arg(include);
        command.arg("-c").arg(&source).arg("-o").arg(&object);
        self.build.compile(&mut command, self.compiler())?;
        Ok(object)
    }

    /// Links the program. One that is running is replaced, not overwritten.
    pub(super) fn link(&self, objects: &[PathBuf]) -> Result<(), Failure> {
        let program = &self.build.output;
        let unfinished = super::with_ending(program, ".unfinished");
        let mut command = self.command();
        command.args(objects).args(&self.options).arg("-o").arg(&unfinished);
        if self.build.is_library {
            command.args(SHARED);
        }
        command.args(self.known.libraries);
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

/// Whether a source may depend on the mutant that is selected.
fn has_mutant(file: &Path, mutant: &str) -> bool {
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.contains(mutant) || (text.contains(DEFINE) && text != SUBJECT_H)
}

/// Whether a file is only included. It matters if it changes, but is not compiled.
pub(super) fn is_header(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp" | "tpp"))
}
