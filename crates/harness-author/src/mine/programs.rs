//! The programs that the command line names.

use crate::report::mined::some;
use harness::command::generate::under_test;
use harness::command::terminal;
use harness::course::{Assignment, Course, Language};
use harness::diagnostic::{Failure, FailureKind, Problem, Warning, printable, similar_path};
use harness::files;
use harness::hash::Digest;
use harness::run::build::{self, ForeignFile, Runnable};
use harness::run::programs::process_limits;
use harness::run::work::Work;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most files of a program, and the largest.
const MOST_FILES: usize = 200;
const MOST_BYTES: u64 = 1 << 20;
/// How names of archives end.
const ARCHIVES: [&str; 4] = [".tar.gz", ".tgz", ".tar", ".zip"];
/// How names of files end that a source may include.
const INCLUDED: [&str; 7] = ["h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"];

/// A program to mine.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) what: What,
}

/// What a program is.
pub(super) enum What {
    Sources(Vec<ForeignFile>),
    /// A program that is built.
    Built(Runnable),
    /// Nothing that can be run.
    Problem(Problem),
}

impl Given {
    /// The programs that `words` name, in order. Each has a name of its own.
    pub(super) fn all(words: &[String]) -> Result<Vec<Self>, Failure> {
        let mut all = Vec::new();
        for word in words {
            let path = Path::new(word);
            if path.is_dir() && !is_program(path) {
                let (programs, others): (Vec<_>, Vec<_>) =
                    entries(path)?.into_iter().partition(|entry| may_be_program(entry));
                warn_of_others(word, &others);
                all.extend(programs.iter().map(|entry| Self::entry(entry, path)));
            } else if path.exists() {
                warn_of_languages(path)?;
                all.push(Self::at(path, name_of(path)));
            } else if !word.contains(' ') && files::on_path(&[word]).is_none() {
                let problem = Problem::new(format!("{word} does not exist")).printable();
                return Err(Failure::usage(problem.maybe_hint(similar_path::hint(path))));
            } else {
                let program = under_test::command_line(std::slice::from_ref(word))?;
                all.push(Self { name: printable(word), what: What::Built(program) });
            }
        }
        if all.is_empty() {
            let hint = "give source files, folders of sources, or programs";
            return Err(Failure::usage(Problem::new("there is no program to mine").hint(hint)));
        }
        distinct(&mut all);
        Ok(all)
    }

    /// The program that an entry of a folder is.
    fn entry(path: &Path, folder: &Path) -> Self {
        Self::at(path, format!("{}/{}", name_of(folder), name_of(path)))
    }

    fn at(path: &Path, name: String) -> Self {
        let what = if path.is_dir() {
            sources(path)
        } else if language(path).is_some() {
            source(path)
        } else if is_archive(path) && !files::is_executable(path) {
            Ok(What::Problem(Problem::new("it is an archive: unpack it into a folder of its own")))
        } else {
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            under_test::command_line(&[path.display().to_string()]).map(What::Built)
        };
        let problem = |failure: Failure| {
            let problem = failure.problems.into_iter().next();
            What::Problem(problem.unwrap_or_else(|| Problem::new("it cannot be read")))
        };
        Self { name, what: what.unwrap_or_else(problem) }
    }

    /// Builds it, if it is not built.
    pub(super) fn build(
        &self,
        work: &Work,
        course: &Course,
        assignment: &Assignment,
    ) -> Result<Runnable, Problem> {
        let built = match &self.what {
            What::Sources(files) => build::foreign(work, course, assignment, &self.name, files),
            What::Built(program) => {
                let limits = process_limits(&assignment.run);
                under_test::check(work, program, limits).map(|()| program.clone())
            }
            What::Problem(problem) => return Err(problem.clone()),
        };
        built.map_err(|failure| {
            failure.problems.into_iter().next().unwrap_or_else(|| Problem::new("it is not built"))
        })
    }

    /// The folder into which the sources were copied from which `runnable` runs. Messages of Python name it.
    pub(super) fn folder_in<'a>(&self, runnable: &'a Runnable) -> Option<&'a Path> {
        let is_copied = matches!(self.what, What::Sources(_));
        runnable.words.last().filter(|_| is_copied).and_then(|word| Path::new(word).parent())
    }

    /// A hash of all that it consists of. Programs with the same hash do the same.
    pub(super) fn digest(&self) -> String {
        let digest = Digest::default();
        match &self.what {
            What::Sources(files) => {
                let digest = digest.with("sources");
                files.iter().fold(digest, |all, (name, bytes)| all.with(name).with(bytes))
            }
            What::Built(Runnable { words, folder, .. }) => {
                words.iter().fold(digest.with("program"), |all, word| {
                    all.with(word).with(fs::read(folder.join(word)).unwrap_or_default())
                })
            }
            What::Problem(_) => digest.with(&self.name),
        }
        .hex()
    }
}

/// Whether an entry of a folder of programs can be one.
fn may_be_program(path: &Path) -> bool {
    path.is_dir() || language(path).is_some() || is_archive(path) || files::is_executable(path)
}

/// Warns of the files in the folder `word` that are no programs. Headers belong to the programs beside them.
fn warn_of_others(word: &str, others: &[PathBuf]) {
    let others = others.iter().filter(|path| !is_included(path));
    let names: Vec<_> = others.map(|path| name_of(path)).collect();
    if !names.is_empty() {
        let message = format!("left out of {word}, as no program: {}", some(&names));
        terminal::say(&Warning(Problem::new(message).printable()));
    }
}

/// Warns if a folder that is taken for one program has sources in several languages: it may be a class, and only one language counts.
fn warn_of_languages(path: &Path) -> Result<(), Failure> {
    let sources = if path.is_dir() { entries(path)? } else { Vec::new() };
    let found: Vec<_> = sources.iter().filter_map(|path| Some((language(path)?, path))).collect();
    let counts = Language::FOREIGN.into_iter().find(|it| found.iter().any(|(own, _)| own == it));
    let others = found.iter().filter(|(own, _)| Some(*own) != counts);
    let names: Vec<_> = others.map(|(_, path)| name_of(path)).collect();
    if !names.is_empty() {
        let (folder, all) = (path.display(), path.join("*"));
        let message = format!("{folder} is taken for one program, without {}", some(&names));
        let hint = format!("if each of its files is a program, name them: {}", all.display());
        terminal::say(&Warning(Problem::new(message).hint(hint).printable()));
    }
    Ok(())
}

/// Whether a folder holds one program: it has a Makefile, a single source, or only one that is a main program.
fn is_program(folder: &Path) -> bool {
    let paths = entries(folder).unwrap_or_default();
    let is_makefile = |path: &PathBuf| ["Makefile", "makefile"].contains(&&*name_of(path));
    let sources: Vec<_> = paths.iter().filter(|path| language(path).is_some()).collect();
    let is_main = |path: &&&PathBuf| {
        let text = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let starts_with_main = |rest: &str| rest.trim_start().starts_with('(');
        match language(path) {
            Some(language) if language.rules().starts_by_name => {
                path.file_stem().is_some_and(|stem| stem == "main")
            }
            _ => text.split("main").skip(1).any(starts_with_main),
        }
    };
    let main = sources.iter().filter(is_main).count();
    paths.iter().any(is_makefile) || sources.len() == 1 || main == 1
}

fn is_archive(path: &Path) -> bool {
    ARCHIVES.iter().any(|end| name_of(path).ends_with(end))
}

fn language(path: &Path) -> Option<Language> {
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
    Language::FOREIGN.into_iter().find(|language| is_file && language.has_source(path))
}

/// The source `path`, with the files beside it that it may include.
fn source(path: &Path) -> Result<What, Failure> {
    let mut files = vec![read(path)?];
    for beside in entries(files::folder_of(path))? {
        let is_module = language(path).is_some_and(Language::has_modules_beside)
            && language(&beside) == language(path)
            && beside != path;
        if is_included(&beside) || is_module {
            files.push(read(&beside)?);
        }
    }
    Ok(What::Sources(files))
}

/// The sources in a folder, the main program first.
fn sources(folder: &Path) -> Result<What, Failure> {
    let mut paths = entries(folder)?;
    paths.retain(|path| language(path).is_some() || is_included(path));
    paths.sort_by_key(|path| path.file_stem().is_none_or(|stem| stem != "main"));
    if paths.len() > MOST_FILES {
        let message = format!("there are more than {MOST_FILES} sources");
        return Err(Failure::usage(Problem::new(message)));
    }
    Ok(What::Sources(paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?))
}

fn is_included(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| INCLUDED.contains(&ending))
        && path.symlink_metadata().is_ok_and(|it| it.is_file())
}

fn read(path: &Path) -> Result<ForeignFile, Failure> {
    let bytes = fs::metadata(path).and_then(|it| {
        if it.len() > MOST_BYTES {
            Err(std::io::ErrorKind::FileTooLarge.into())
        } else {
            fs::read(path)
        }
    });
    let bytes = bytes.map_err(|error| {
        let problem = Problem::new(format!("cannot read {}: {error}", path.display()));
        Failure::new(FailureKind::Machine, problem.printable())
    })?;
    Ok((name_of(path), bytes))
}

/// The paths in a folder, in order, without hidden ones.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let unreadable =
        |error| Failure::machine(format!("read the folder {}", folder.display()), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.retain(|path| !name_of(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    printable(&whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy())
}

/// Numbers the programs that have the name of an earlier one.
fn distinct(all: &mut [Given]) {
    let mut taken = BTreeSet::new();
    for given in all {
        let free = (2..).map(|number| format!("{} ({number})", given.name));
        let mut names = std::iter::once(given.name.clone()).chain(free);
        given.name = names.find(|name| taken.insert(name.clone())).expect("the numbers do not end");
    }
}
