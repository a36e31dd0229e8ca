//! The files of a course that a grader needs: those that the course file names, and what these need. Nothing else is packed, because a
//! course's folder may also hold results and what students handed in.

use super::cargo;
use super::imports;
use crate::catalogue;
use crate::course::SERVER_FILE;
use crate::course::cases::Input;
use crate::course::{Assignment, AssignmentProgram, Commands, Course, Inspector, Sources};
use crate::diagnostic::{Failure, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Folders that are made by builds.
const BUILT: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// The files of a course, by what the course file names.
pub(super) struct Needed {
    /// The folder of the course, without links.
    root: PathBuf,
    /// The files below each path, which is a file or a folder. Paths are relative to the course.
    pub(super) parts: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The folders in which a compiler looks for headers.
    headers: Vec<PathBuf>,
}

impl Needed {
    /// The files of all assignments, because a grader reads the whole course file.
    ///
    /// # Errors
    /// If one of them is not in the course's folder, or cannot be read.
    pub(super) fn of(course: &Course) -> Result<Self, Failure> {
        let root = course.folder.canonicalize();
        let root = root.map_err(|error| Failure::machine("read the course", error))?;
        let mut needed = Self { root, parts: BTreeMap::new(), headers: Vec::new() };
        for assignment in &course.assignments {
            needed.assignment(course, assignment)?;
        }
        Ok(needed)
    }

    fn assignment(&mut self, course: &Course, assignment: &Assignment) -> Result<(), Failure> {
        self.headers.clear();
        if let AssignmentProgram::Sources(Sources { flags, .. }) = &assignment.program {
            let values = flags.iter().map(|flag| flag.strip_prefix("-I").unwrap_or(flag));
            let folders = values.map(|value| self.root.join(value));
            let folders = folders.filter(|path| path.is_dir() && path.starts_with(&self.root));
            self.headers = folders.collect();
        }
        self.add(&assignment.mutants)?;
        match &assignment.program {
            AssignmentProgram::Cargo(package) => {
                for path in cargo::needed(&package.folder, &self.root)? {
                    self.add(&path)?;
                }
            }
            AssignmentProgram::Sources(Sources { files, .. }) => {
                files.iter().try_for_each(|file| self.add(file))?;
            }
            AssignmentProgram::Commands { reference, mutant, sources } => {
                sources.iter().try_for_each(|path| self.add(path))?;
                self.commands(reference, "")?;
                for id in catalogue::ids(assignment)? {
                    self.commands(mutant, &id)?;
                }
            }
        }
        if let Some(inspector) = assignment.judge.inspector() {
            self.inspector(inspector)?;
        }
        for validator in &assignment.validators {
            self.inspector(&validator.inspector)?;
        }
        if let Some(unit) = &assignment.unit {
            let named = unit.with.iter().chain(&unit.references).chain(&unit.witnesses);
            named.into_iter().try_for_each(|path| self.add(path))?;
        }
        if let Some(shape) = &assignment.shape {
            self.add(shape)?;
        }
        if let Some(submission) = &assignment.submission {
            let named = submission.pack.iter().chain(&submission.given);
            for path in named.chain(&submission.cases_file).chain(&submission.program.reference) {
                self.add(&course.folder.join(path))?;
            }
            for case in submission.cases.iter().flat_map(|group| &group.cases) {
                match &case.input {
                    Input::File(path) | Input::Shape(path, _) => self.add(path)?,
                    Input::Command(words) => self.words(words)?,
                    Input::Text(_) | Input::Domain(_) => {}
                }
            }
        }
        Ok(())
    }

    fn inspector(&mut self, inspector: &Inspector) -> Result<(), Failure> {
        self.words(&inspector.command)?;
        // The script of a package's program runs the files beside it.
        let program = self.root.join(&inspector.command[0]);
        if let (Some(folder), true) = (program.parent(), program.ends_with("run"))
            && folder != self.root
            && program.is_file()
        {
            self.add(folder)?;
        }
        self.words(&inspector.args)
    }

    fn commands(&mut self, commands: &Commands, id: &str) -> Result<(), Failure> {
        let macro_name = id.to_uppercase().replace('-', "_");
        let fill = |word: &String| word.replace("{mutant}", id).replace("{macro}", &macro_name);
        let words = commands.build.iter().chain(&commands.run).map(fill);
        self.words(&words.collect::<Vec<_>>())
    }

    /// Adds the files and folders of the course that a command line names.
    fn words(&mut self, words: &[String]) -> Result<(), Failure> {
        for word in words {
            // Also the value of an option.
            let value = word.split_once('=').map(|(_, value)| value);
            for path in [Some(word.as_str()), value].into_iter().flatten() {
                let path = self.root.join(path);
                let is_inside = path.canonicalize().is_ok_and(|it| {
                    it.starts_with(&self.root) && it != self.root && it != self.root.join("target")
                });
                if is_inside {
                    self.add(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a file, or a folder with all plain files in it, and what these include or import from the course.
    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::machine(format!("pack {}", path.display()), error);
        let whole = path.canonicalize().map_err(failed)?;
        let part = self.inside(&whole)?;
        let is_needed = |entry: &walkdir::DirEntry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !(name.starts_with('.') || BUILT.contains(&&*name))
        };
        let mut files = BTreeSet::new();
        for entry in WalkDir::new(&whole).follow_links(true).into_iter().filter_entry(is_needed) {
            let entry = entry.map_err(|error| failed(error.into()))?;
            if entry.file_type().is_file() {
                self.inside(&entry.path().canonicalize().map_err(failed)?)?;
                files.insert(self.inside(entry.path())?);
            }
        }
        // The settings of a server may name secrets.
        files.remove(Path::new(SERVER_FILE));
        let is_known = |file: &PathBuf| self.parts.values().any(|files| files.contains(file));
        files.retain(|file| !is_known(file));
        if files.is_empty() {
            return Ok(());
        }
        self.parts.entry(part).or_default().extend(files.iter().cloned());
        for file in files {
            let imported = imports::of(&self.root.join(file), &self.headers);
            imported.iter().try_for_each(|path| self.add(path))?;
        }
        Ok(())
    }

    /// The path relative to the course.
    fn inside(&self, path: &Path) -> Result<PathBuf, Failure> {
        path.strip_prefix(&self.root).map(Path::to_owned).map_err(|_| {
            let message = format!("{} is not in the folder of the course", path.display());
            let hint =
                "copy it there and name the copy in harness.yaml; a package holds only that folder";
            Failure::usage(Problem::new(message).hint(hint))
        })
    }

    /// The complete path of a file.
    pub(super) fn path(&self, file: &Path) -> PathBuf {
        self.root.join(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The files that the course with these files needs, except its course file.
    fn needed(files: &[(&str, &str)]) -> Result<Vec<String>, Failure> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(folder.path().join("mutants")).unwrap();
        let needed = Needed::of(&Course::read(folder.path())?)?;
        let files = needed.parts.into_values().flatten();
        let mut files: Vec<_> = files.map(|file| file.display().to_string()).collect();
        files.sort();
        Ok(files)
    }

    fn course(program: &str, more: &str) -> String {
        format!(
            "course: C\nassignments:\n  a:\n    domain: text\n    program: {program}\n    mutants: mutants\n    \
             tests: {{ files: 9, flags: [] }}\n    scoring: {{ start: 1, full: 1 }}\n{more}"
        )
    }

    #[test]
    fn a_package_holds_what_the_course_file_names_and_nothing_else() {
        let submission = "    judge: { kattis: [python3, check/check.py, --all=check/words.txt] }\n    \
            submission:\n      program: results\n      cases: cases/cases.yaml\n      pack: [more]\n";
        let yaml = course("{ cpp: [src/main.cpp, src/other.cpp], flags: [-I, lib] }", submission);
        let cases = "g:\n  cases:\n    A: { flags: '', file: a.txt }\n    B: { flags: '', command: [awk, -f, cases/b.awk] }\n";
        let files = [
            ("harness.yaml", yaml.as_str()),
            ("src/main.cpp", "#include <vector>\n #  include \"own.h\"\n#include \"far.h\"\n"),
            ("src/own.h", "#include \"deep/deep.h\"\n#include \"own.h\"\n"),
            ("src/deep/deep.h", ""),
            ("src/other.cpp", ""),
            ("src/for_mutants.h", ""),
            ("src/unused.cpp", ""),
            ("lib/far.h", ""),
            ("mutants/m/main.cpp", "#include \"../../src/for_mutants.h\"\n"),
            ("mutants/.hidden", ""),
            ("check/check.py", "import json\nfrom words import all\n"),
            ("check/words.py", ""),
            ("check/other.py", ""),
            ("check/words.txt", ""),
            ("cases/cases.yaml", cases),
            ("cases/a.txt", ""),
            ("cases/b.awk", ""),
            ("cases/c.txt", ""),
            ("more/x.txt", ""),
            ("results/ann.json", ""),
            ("class/ann/main.cpp", ""),
            ("screenshot.png", ""),
            ("target/x", ""),
        ];
        let expected = [
            "cases/a.txt",
            "cases/b.awk",
            "cases/cases.yaml",
            "check/check.py",
            "check/words.py",
            "check/words.txt",
            "lib/far.h",
            "more/x.txt",
            "mutants/m/main.cpp",
            "src/deep/deep.h",
            "src/for_mutants.h",
            "src/main.cpp",
            "src/other.cpp",
            "src/own.h",
        ];
        assert_eq!(needed(&files).unwrap(), expected);
    }

    #[test]
    fn commands_name_their_files_for_each_mutant() {
        let yaml = course(
            "{ reference: { run: [sh, a.sh] }, mutant: { run: [sh, 'wrong/{mutant}.sh'] } }",
            "",
        );
        let mutant = "summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\nwitness: { flags: '', input: x }\n";
        let files = [
            ("harness.yaml", yaml.as_str()),
            ("a.sh", ""),
            ("b.sh", ""),
            ("wrong/one.sh", ""),
            ("wrong/two.sh", ""),
            ("mutants/one.yaml", mutant),
        ];
        assert_eq!(needed(&files).unwrap(), ["a.sh", "mutants/one.yaml", "wrong/one.sh"]);
    }

    #[test]
    fn a_file_outside_the_course_is_an_error() {
        let outside = tempfile::NamedTempFile::with_suffix(".py").unwrap();
        let yaml = course(&format!("{{ python: {} }}", outside.path().display()), "");
        let failure = needed(&[("harness.yaml", &yaml)]).unwrap_err();
        assert!(failure.problems[0].message.ends_with("is not in the folder of the course"));
    }

    #[test]
    fn a_crate_brings_its_workspace_but_only_the_code_that_it_needs() {
        let course = Course::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let needed = Needed::of(&course).unwrap();
        let files: BTreeSet<_> = needed.parts.into_values().flatten().collect();
        let has = |file: &str| files.contains(Path::new(file));
        for file in [
            "Cargo.toml",
            "Cargo.lock",
            "reference/puzzle/src/main.rs",
            "crates/subject/src/lib.rs",
        ] {
            assert!(has(file), "{file}");
        }
        // Cargo reads the manifests of a workspace, and looks for a file of each target.
        assert!(
            has("src/main.rs")
                && has("crates/harness-run/Cargo.toml")
                && has("crates/harness-run/src/lib.rs")
        );
        let others = [
            "crates/harness-run/src/run.rs",
            "src/cli.rs",
            "README.md",
            "student_tests/puzzle/test-1-sl.txt",
        ];
        assert!(!others.into_iter().any(has));
    }
}
