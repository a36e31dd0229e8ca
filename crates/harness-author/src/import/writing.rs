//! Writes the parts of a package into the folder of the new course.

use super::contents::Package;
use super::scripts;
use super::settings::Settings;
use super::submissions::{Submission, part};
use crate::report::imported::Remark;
use harness::course::{Language, Sources};
use harness::diagnostic::{Failure, Problem};
use harness::files;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Copies files of a package into the folder of a new course.
pub(super) struct Copier<'a> {
    pub(super) package: &'a Package,
    pub(super) folder: &'a Path,
}

impl Copier<'_> {
    /// Writes a file of the course.
    pub(super) fn write(&self, name: &Path, contents: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let written =
            fs::create_dir_all(files::folder_of(&path)).and_then(|()| fs::write(&path, contents));
        written.map_err(|error| Failure::machine(format!("write {}", path.display()), error))
    }

    /// Copies a file, or the files in a folder, of the package to `to` in the course. A file keeps its extension. Gives its path.
    pub(super) fn copy(&self, from: &Path, to: &str) -> Result<String, Failure> {
        let tree = &self.package.tree;
        let files = tree.files(from)?;
        if let [only] = files.as_slice()
            && only == from
        {
            let extension = only.extension().unwrap_or_default().to_string_lossy();
            let name = format!("{to}.{extension}");
            self.write(Path::new(&name), &tree.read(only)?)?;
            return Ok(name);
        }
        for file in files {
            let within = file.strip_prefix(from).unwrap_or(&file);
            self.write(&Path::new(to).join(within), &tree.read(&file)?)?;
        }
        Ok(to.to_owned())
    }

    /// Copies a submission into a folder of the course. The file of a class in Java keeps its name, in a folder. Gives its path.
    pub(super) fn submission(&self, submission: &Submission, to: &str) -> Result<String, Failure> {
        let to = format!("{to}/{}", submission.id);
        let is_file = submission.files.first() == Some(&submission.path);
        if !submission.language.rules().keeps_file_names || !is_file {
            return self.copy(&submission.path, &to);
        }
        let name = submission.path.file_name().unwrap_or_default();
        self.write(&Path::new(&to).join(name), &self.package.tree.read(&submission.path)?)?;
        Ok(to)
    }

    /// Moves a submission that was copied to one folder of the course to another one. Gives its path.
    pub(super) fn move_to(
        &self,
        from: &str,
        to: &str,
        submission: &Submission,
    ) -> Result<String, Failure> {
        let path = self.submission(submission, to)?;
        let name = path.strip_prefix(to).unwrap_or(&path);
        let old = self.folder.join(format!("{from}{name}"));
        let removed = if old.is_dir() { fs::remove_dir_all(&old) } else { fs::remove_file(&old) };
        removed.map_err(|error| Failure::machine(format!("remove {}", old.display()), error))?;
        // It stays if it has others.
        let _ = fs::remove_dir(self.folder.join(from));
        Ok(path)
    }

    /// Copies a program to the same place in the course, and runs the script that builds it, if it has one. So what is said of the copy
    /// names the part of the package. Gives the path of what runs it, or else why it cannot be used.
    fn keep(&self, program: &Path) -> Result<Result<String, String>, Failure> {
        let tree = &self.package.tree;
        for file in tree.files(program)? {
            self.write(&file, &tree.read(&file)?)?;
        }
        Ok(match scripts::program(&self.folder.join(program))? {
            None => Ok(program.display().to_string()),
            Some(run) => run.map(|run| program.join(run).display().to_string()),
        })
    }

    /// Copies what describes and checks inputs and outputs. A validator that cannot be used is left out.
    pub(super) fn inspectors(&self, left_out: &mut Vec<Remark>) -> Result<Inspectors, Failure> {
        let Package { tree, id, shape, validators: all, checker, .. } = self.package;
        let shape = shape.as_ref().map(|shape| self.copy(shape, id)).transpose()?;
        let mut validators = Vec::new();
        for validator in all {
            match self.keep(validator)? {
                Ok(command) => validators.push(Validator { part: validator.clone(), command }),
                Err(reason) => left_out.push(part(validator, reason)),
            }
        }
        let mut command = None;
        if let Some(checker) = checker {
            let kept = self.keep(checker)?.map_err(|reason| {
                let problem = tree.problem(checker, &format!("cannot judge: {reason}"));
                Failure::usage(problem.hint("without it, nothing tells which outputs are right"))
            });
            command = Some(kept?);
        }
        Ok(Inspectors { shape, validators, checker: command })
    }
}

/// The paths of these in the course.
pub(super) struct Inspectors {
    pub(super) shape: Option<String>,
    pub(super) validators: Vec<Validator>,
    pub(super) checker: Option<String>,
}

/// A validator of the package, and what runs it in the course.
pub(super) struct Validator {
    pub(super) part: PathBuf,
    pub(super) command: String,
}

impl Inspectors {
    /// The value of `judge:`.
    ///
    /// # Errors
    /// If the package has a flag that the judge `tokens` does not know.
    pub(super) fn judge(&self, package: &Package) -> Result<String, Failure> {
        let flags = package.flags.of_checker(package.checker.as_deref());
        let Some(checker) = &self.checker else { return tokens(package, &flags) };
        let (seconds, memory) = package.settings.limits.of_checker();
        let args = args(&flags);
        let protocol = if package.settings.is_interactive() { "interactive" } else { "kattis" };
        Ok(format!(
            "{{ {protocol}: {}{args}, seconds: {seconds}, memory_mb: {memory} }}",
            word(checker)
        ))
    }

    fn validators(&self, package: &Package) -> String {
        let all = self.validators.iter().map(|Validator { part, command }| {
            let flags = package.flags.of_validator(part);
            format!("{{ kattis: {}{} }}", word(command), args(&flags))
        });
        format!("[{}]", all.collect::<Vec<_>>().join(", "))
    }
}

/// The key `args:` after another one, if there are flags.
fn args(flags: &[String]) -> String {
    if flags.is_empty() { String::new() } else { format!(", args: {}", list(flags)) }
}

/// The judge `tokens` with the flags of the default validator.
fn tokens(package: &Package, flags: &[String]) -> Result<String, Failure> {
    // The last one counts.
    let mut keys = BTreeMap::new();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        let value = match flag.as_str() {
            "case_sensitive" | "space_change_sensitive" => "true".to_owned(),
            "float_tolerance" | "float_absolute_tolerance" | "float_relative_tolerance" => {
                let number = words.next().and_then(|word| word.parse::<f64>().ok());
                let number = number.filter(|number| number.is_finite() && *number >= 0.0);
                number.map(|number| format!("{number:e}")).unwrap_or_default()
            }
            _ => String::new(),
        };
        if value.is_empty() {
            let what = format!(
                "gives the default validator the flag `{flag}`, which is unknown or has no number"
            );
            let problem = package.tree.problem(&package.flags.output_file, &what);
            return Err(Failure::usage(problem.hint("docs/judges.md lists the keys of `tokens`")));
        }
        keys.insert(flag.as_str(), value);
    }
    if keys.is_empty() {
        return Ok("tokens".to_owned());
    }
    let keys: Vec<_> = keys.iter().map(|(flag, value)| format!("{flag}: {value}")).collect();
    Ok(format!("{{ tokens: {{ {} }} }}", keys.join(", ")))
}

/// An assignment of a course file that the package becomes.
pub(super) struct Entry<'a> {
    pub(super) id: &'a str,
    /// The language and files of its program.
    pub(super) program: String,
    /// The other right programs.
    pub(super) references: Vec<String>,
    pub(super) inspectors: &'a Inspectors,
    /// The time limit.
    pub(super) time: Duration,
    /// The number of mutants.
    pub(super) mutants: usize,
    /// The size of the largest input.
    pub(super) bytes: usize,
}

/// The value of `program:` for the sources at `path` in the folder of the course.
pub(super) fn program(folder: &Path, path: &str, language: Language) -> Result<String, Failure> {
    let sources = Sources::at(&folder.join(path), language, None);
    let sources = sources.ok_or_else(|| {
        Failure::broken_course(Problem::new(format!("there is no source in {path}")))
    })?;
    let within =
        |file: &PathBuf| file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
    let files: Vec<_> = sources.files.iter().map(within).collect();
    Ok(format!("{{ {}: {} }}", sources.language.key(), list(&files)))
}

/// The least limits on the number and the size of a student's tests.
const LEAST_FILES: usize = 15;
const LEAST_BYTES: usize = 1 << 16;
/// The steps that a program in C or C++ takes in a second, about.
const STEPS: f64 = 3e8;

/// The text of the course file with these assignments.
pub(super) fn course_file(package: &Package, entries: &[Entry<'_>]) -> Result<String, Failure> {
    let Package { settings, id, data, .. } = package;
    let Settings { limits, .. } = settings;
    let title = word(settings.name().unwrap_or(id));
    let mut text = format!("course: {title}\n\nassignments:\n");
    for entry in entries {
        let seconds = entry.time.as_secs_f64();
        // About as many as a program takes in this time, which is the same for all programs.
        let steps = (seconds * STEPS) as u64;
        let domain = match &entry.inspectors.shape {
            Some(shape) => format!("domain: shape\n    input: {}", word(shape)),
            None => "domain: text".to_owned(),
        };
        let references = match entry.references.as_slice() {
            [] => String::new(),
            others => format!("    references: {}\n", list(others)),
        };
        let written = write!(
            text,
            "  {}:\n    title: {title}\n    {domain}\n    program: {}\n{references}    mutants: mutants\n    corpus: tests\n    judge: {}\n    validators: {}\n    \
             tests: {{ files: {}, bytes: {}, crlf: keep, empty: accept, flags: [] }}\n    \
             run: {{ seconds: {seconds}, factor: 1, steps: {steps}, memory_mb: {}, output_kb: {} }}\n    \
             scoring: {{ start: 1, full: {} }}\n",
            entry.id,
            entry.program,
            entry.inspectors.judge(package)?,
            entry.inspectors.validators(package),
            data.len().max(LEAST_FILES),
            entry.bytes.max(LEAST_BYTES),
            limits.memory_mb(),
            limits.output_kb(),
            entry.mutants.max(1),
        );
        written.expect("a `String` takes any text");
    }
    Ok(text)
}

/// A text in YAML, which has all strings of JSON.
pub(super) fn word(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|it| word(it)).collect::<Vec<_>>().join(", "))
}
