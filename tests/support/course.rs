//! Courses in temporary folders.

use super::run::{Run, command, harness, output};
use super::{engines, folder, repository};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::{DirEntry, WalkDir};

/// The keys of a mutant's file that no test is about.
const MUTANT: [(&str, &str); 7] = [
    ("summary", "s"),
    ("kind", "misreading"),
    ("topic", "a"),
    ("spec", "s"),
    ("hint", "h"),
    ("points", "1"),
    ("witness", "{ flags: \"\", input: x }"),
];

/// The source of the reference of a new course in Rust.
pub(crate) const MAIN: &str = "reference/tally/src/main.rs";

/// A course whose program, `max.c`, reads what the shape `numbers.yaml` describes.
pub(crate) const COURSE: &str = "course: T
assignments:
  max:
    domain: shape
    input: numbers.yaml
    program: { c: max.c }
    mutants: mutants
    tests:
      files: 15
      limits: { n: 4 }
      flags: []
    scoring: { start: 1, full: 1 }
";

/// A course in a temporary folder, with the files of its programs, mutants and suites.
pub(crate) struct Course(TempDir);

impl Course {
    /// A course with one assignment of the domain `text`, and no mutants. `program` is the value of its key `program:`.
    pub(crate) fn new(assignment: &str, program: &str) -> Self {
        Self::from_yaml(&format!(
            "course: Test course\nassignments:\n  {assignment}:\n    domain: text\n    program: {program}\n    mutants: mutants\n    \
             tests: {{ files: 9, flags: [] }}\n    scoring: {{ start: 1, full: 1 }}\n"
        ))
    }

    /// A course whose programs are commands, for example `cat` and `sed s/{mutant}//`.
    pub(crate) fn of_commands(assignment: &str, reference: &str, mutant: &str) -> Self {
        let run = |line: &str| format!("{{ run: ['{}'] }}", line.replace(' ', "', '"));
        let program = format!("{{ reference: {}, mutant: {} }}", run(reference), run(mutant));
        Self::new(assignment, &program)
    }

    /// A course with this course file, and nothing else.
    pub(crate) fn from_yaml(yaml: &str) -> Self {
        Self(folder(&[("harness.yaml", yaml.as_bytes())]))
    }

    /// An empty folder, for a command that writes a course.
    pub(crate) fn empty() -> Self {
        Self(folder(&[]))
    }

    /// What `harness init` writes.
    pub(crate) fn tally() -> Self {
        Self::tally_in("rust")
    }

    /// What `harness init --language` writes.
    pub(crate) fn tally_in(language: &str) -> Self {
        let course = Self(folder(&[]));
        harness(&["init", "--language", language, &course.word("")]).exits(0);
        course
    }

    /// The Puzzle Solver of this repository, with its error handling, and what it needs.
    pub(crate) fn puzzle() -> Self {
        let yaml = fs::read_to_string(repository().join("harness.yaml")).unwrap();
        let (_, errors) = yaml.split_once("\n  puzzle-errors:").expect("it comes second");
        let (errors, _) = errors.split_once("\n  countess:").expect("it comes third");
        let course = Self::from_yaml(&format!("{}\n\n  puzzle-errors:{errors}", puzzle_alone()));
        for part in
            ["crates/subject", "reference/puzzle", "mutants/puzzle", "mutants/puzzle-errors"]
        {
            course.copy(&repository().join(part), part);
        }
        // The workspace without the `harness` package, and without the list of packages to test.
        let manifest = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
        let (workspace, _) = manifest.split_once("[package]").unwrap();
        let (members, rest) = workspace.split_once("default-members = [").unwrap();
        course.write("Cargo.toml", members.to_owned() + rest.split_once("]\n").unwrap().1);
        fs::copy(repository().join("Cargo.lock"), course.path("Cargo.lock")).unwrap();
        course
    }

    /// The course in a folder of the repository, with a course file of its own. It uses the same crates and mutants, and builds in
    /// `target`.
    pub(crate) fn like(original: &str, target: &Path) -> Self {
        let original = repository().join(original);
        let yaml = fs::read_to_string(original.join("harness.yaml")).unwrap();
        let absolute = |key: &str| format!("{key}{}/", original.display());
        let yaml = yaml
            .replace("cargo: ", &absolute("cargo: "))
            .replace("    mutants: ", &absolute("    mutants: "))
            .replace("      cases: cases/", &(absolute("      cases: ") + "cases/"));
        let course = Self::from_yaml(&yaml);
        fs::create_dir_all(target).unwrap();
        std::os::unix::fs::symlink(target, course.path("target")).unwrap();
        course
    }

    /// A copy of the course in a folder of the repository, without what was built.
    pub(crate) fn copy_of(original: &str) -> Self {
        let course = Self(folder(&[]));
        course.copy(&repository().join(original), "");
        course
    }

    /// Sets a key of the assignment to a value that is written on one line.
    pub(crate) fn with(self, key: &str, value: &str) -> Self {
        let (key, yaml) = (format!("    {key}:"), self.read("harness.yaml"));
        let others = yaml.lines().filter(|line| !line.starts_with(&key));
        let others: String = others.map(|line| format!("{line}\n")).collect();
        self.write("harness.yaml", format!("{others}{key} {value}\n"));
        self
    }

    /// Adds a mutant, with values for some keys of its file.
    pub(crate) fn mutant(self, id: &str, values: &[(&str, &str)]) -> Self {
        let value = |key: &str, default: &'static str| {
            values
                .iter()
                .find(|(given, _)| *given == key)
                .map_or(default.to_owned(), |it| it.1.to_owned())
        };
        let lines = MUTANT.iter().map(|(key, default)| format!("{key}: {}\n", value(key, default)));
        self.write(&format!("mutants/{id}.yaml"), lines.collect::<String>());
        self
    }

    /// Adds a file.
    pub(crate) fn file(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        self.write(name, contents);
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as a word of a command line.
    pub(crate) fn word(&self, name: &str) -> String {
        self.path(name).to_str().expect("temporary folders have plain names").to_owned()
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes a file atomically.
    #[track_caller]
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the course"))
            .expect("a folder can be made");
        fs::write(self.path("unfinished"), contents).expect("a file can be written");
        fs::rename(self.path("unfinished"), path).expect("a file can be put in its place");
    }

    /// Replaces the first `from` in a file by `to`.
    #[track_caller]
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, text.replacen(from, to, 1));
    }

    /// Removes all mutants but these, where others tell a test nothing and take long to build and run.
    pub(crate) fn keep_mutants(&self, ids: &[&str]) {
        for entry in fs::read_dir(self.path("mutants")).unwrap() {
            let file = entry.unwrap().path();
            if !ids.iter().any(|id| file.file_stem() == Some(id.as_ref())) {
                fs::remove_file(file).unwrap();
            }
        }
        ids.iter().for_each(|id| assert!(self.path(&format!("mutants/{id}.yaml")).is_file()));
    }

    /// Removes the lines of a file with this part.
    pub(crate) fn without_line(&self, name: &str, part: &str) {
        let text = self.read(name);
        let kept = text.split_inclusive('\n').filter(|line| !line.contains(part));
        self.write(name, kept.collect::<String>());
    }

    #[track_caller]
    pub(crate) fn mutants(&self, args: &[&str]) -> Run {
        self.harness(&[&["mutants"], args].concat())
    }

    /// Lets what `harness init` wrote count behaviours. Two of its three mutants share one.
    pub(crate) fn count_behaviours(&self) {
        self.replace("harness.yaml", "points: 10", "points: 10\n      by: behaviours");
        for id in ["skips-the-first-number", "stops-at-a-blank-line"] {
            let file = format!("mutants/tally/{id}.yaml");
            self.write(&file, self.read(&file) + "behaviour: loses-numbers\n");
        }
    }

    /// Runs `harness` with the option `--course`. In its output, `COURSE` stands for the course's folder.
    #[track_caller]
    pub(crate) fn harness(&self, args: &[&str]) -> Run {
        let folder = self.word("");
        let folder = folder.trim_end_matches('/');
        let mut command = command();
        command.args(args).args(["--course", folder]);
        if !self.path("target").is_symlink() {
            // No other test uses its programs: optimizing them would take longer than running them.
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        }
        engines::lend(self);
        let mut run = Run::from(output(&mut command));
        engines::keep(self);
        run.stdout = run.stdout.replace(folder, "COURSE");
        run.stderr = run.stderr.replace(folder, "COURSE");
        run
    }

    /// Scores the suite in the folder `suite` of the course.
    #[track_caller]
    pub(crate) fn score(&self, suite: &str, options: &[&str]) -> Run {
        self.harness(&[&["score", &self.word(suite)], options].concat())
    }

    /// Copies a folder into the course, without what was built.
    pub(crate) fn copy(&self, from: &Path, to: &str) {
        copy(from, &self.path(to));
    }
}

/// Copies a folder, without what was built.
pub(crate) fn copy(from: &Path, to: &Path) {
    let is_source = |entry: &DirEntry| entry.file_name() != "target";
    for entry in WalkDir::new(from).into_iter().filter_entry(is_source).map(Result::unwrap) {
        let copy = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(copy).unwrap();
        } else {
            fs::copy(entry.path(), copy).unwrap();
        }
    }
}

/// The repository's course file with its first assignment only, and without its submissions.
pub(crate) fn puzzle_alone() -> String {
    let text = fs::read_to_string(repository().join("harness.yaml")).unwrap();
    text.split("\n\n    submission:").next().expect("the first part is always there").to_owned()
}
