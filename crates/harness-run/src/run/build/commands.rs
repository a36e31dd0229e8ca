//! Building and running a program with the commands of the course file.

use super::depfile;
use super::record::{Place, Recipe, Traces};
use super::surroundings::Surroundings;
use super::{Runnable, Variant, failed, run, target_folder, with_ending};
use crate::course::{self, Assignment, Commands, Course};
use crate::diagnostic::{Failure, Problem};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// The commands for one variant.
pub(super) struct Build<'a> {
    course: &'a Course,
    assignment: &'a Assignment,
    id: &'a str,
    commands: &'a Commands,
    /// What the course file declares.
    sources: Vec<PathBuf>,
    /// What `{output}` stands for.
    output: PathBuf,
    /// What `{depfile}` stands for.
    depfile: PathBuf,
}

impl<'a> Build<'a> {
    pub(super) fn new(
        course: &'a Course,
        assignment: &'a Assignment,
        (reference, mutant): (&'a Commands, &'a Commands),
        sources: &'a [PathBuf],
        variant: Variant<'a>,
    ) -> Self {
        let (commands, id) = match variant {
            Variant::Mutant(id) | Variant::Unoptimized(id, _) => (mutant, id),
            Variant::Reference | Variant::Combined | Variant::Selected(_) => {
                (reference, "reference")
            }
        };
        let output = target_folder(course, assignment).join(id);
        let depfile = with_ending(&output, ".d");
        let sources = sources.iter().map(|source| super::in_root(course, source)).collect();
        Self { course, assignment, id, commands, sources, output, depfile }
    }

    pub(super) fn build(&self) -> Result<Runnable, Failure> {
        if let [program, args @ ..] = self.filled(&self.commands.build).as_slice() {
            let what = format!("build `{}` of `{}`", self.id, self.assignment.id);
            let root = super::root(self.course);
            let [file, lock] = [".json", ".lock"].map(|ending| with_ending(&self.output, ending));
            let place = Place { file, course: &root, lock };
            place.build(&what, &self.recipe(&root), || self.run(&what, program, args))?;
        }
        match self.filled(&self.commands.run) {
            words if words.is_empty() => {
                let message = format!("`{}` has no `run:` command", self.assignment.id);
                Err(Failure::usage(Problem::new(message)))
            }
            words => Ok(Runnable::new(words, self.course.folder.clone()).with_whole_paths()),
        }
    }

    /// What the commands read, as far as their words and the course file tell: the declared sources and the files that are named. If
    /// nothing is declared, a file may include those beside it.
    pub(super) fn sources(&self, root: &Path) -> BTreeSet<PathBuf> {
        let words = [self.filled(&self.commands.build), self.filled(&self.commands.run)].concat();
        let own = target_folder(self.course, self.assignment);
        let paths = words.iter().map(|word| root.join(word));
        let named: Vec<_> =
            paths.filter(|path| path.is_file() && !path.starts_with(&own)).collect();
        let mut sources: BTreeSet<_> =
            self.sources.iter().flat_map(|source| tree(source)).collect();
        let is_built = !self.commands.build.is_empty();
        if is_built && sources.is_empty() && !self.has_depfile() {
            let in_course = named.iter().filter(|file| file.starts_with(root));
            sources.extend(in_course.filter_map(|file| file.parent()).flat_map(beside));
        }
        sources.extend(named);
        sources
    }

    fn run(&self, what: &str, program: &str, args: &[String]) -> Result<Traces, Failure> {
        let root = super::root(self.course);
        let output =
            run(Command::new(program).args(args).current_dir(&self.course.folder), program)?;
        if !output.status.success() {
            let printed = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
            return Err(failed(what, &target_folder(self.course, self.assignment), printed));
        }
        let mut inputs = self.sources(&root);
        let listed = depfile::read(&self.depfile, &root).filter(|_| self.has_depfile());
        let lacks_list = self.has_depfile() && listed.is_none();
        inputs.extend(listed.into_iter().flatten());
        let outputs = self.outputs(&root);
        inputs.retain(|path| !outputs.contains(path));
        let is_open = inputs.is_empty() || outputs.is_empty() || lacks_list;
        Ok(Traces { inputs, outputs, is_open, ..Traces::default() })
    }

    /// What the build command writes, as far as it is known: what `{output}` stands for, and what the run command names.
    fn outputs(&self, root: &Path) -> BTreeSet<PathBuf> {
        let has_output = |words: &[String]| words.iter().any(|word| word.contains("{output}"));
        if has_output(&self.commands.build) {
            return tree(&self.output).collect();
        }
        let named = self.filled(&self.commands.run).into_iter().map(|word| root.join(word));
        named
            .filter(|path| path.starts_with(root) && path.exists())
            .flat_map(|path| tree(&path).collect::<Vec<_>>())
            .collect()
    }

    fn recipe(&self, root: &Path) -> Recipe {
        let words = self.filled(&self.commands.build);
        let tools = words.first().map(String::as_str);
        let surroundings = Surroundings::of_commands(root, tools);
        let sources: Vec<_> = self.sources.iter().map(|source| source.strip_prefix(root)).collect();
        Recipe::new(&(&self.commands.build, &self.commands.run, sources), surroundings)
    }

    fn has_depfile(&self) -> bool {
        self.commands.build.iter().any(|word| word.contains("{depfile}"))
    }

    /// Replaces `{mutant}` by the id, `{macro}` by the id as the name of a C macro, and `{output}` and `{depfile}` by files that belong
    /// to this variant.
    fn filled(&self, words: &[String]) -> Vec<String> {
        let macro_name = self.id.to_uppercase().replace('-', "_");
        let fill = |word: &String| {
            word.replace("{mutant}", self.id)
                .replace("{macro}", &macro_name)
                .replace("{output}", &self.output.display().to_string())
                .replace("{depfile}", &self.depfile.display().to_string())
        };
        words.iter().map(fill).collect()
    }
}

/// A file, or a folder with everything in it.
pub(super) fn tree(path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let all = WalkDir::new(path).into_iter();
    let all = all.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    // What does not exist now may exist the next time.
    all.filter_map(Result::ok).map(walkdir::DirEntry::into_path).chain([path.to_owned()])
}

/// A folder, and the files in it. What the course file says about programs is known without it.
fn beside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && !path.ends_with(course::FILE));
    files.chain([folder.to_owned()]).collect()
}
