//! A student's folder of tests.
//!
//! Reading a folder always gives a [`Suite`]: the tests that can be run, and the files that are rejected, each with its reason.
//! Only regular files of bounded size are opened.

mod corpus;
pub mod decode;
mod file;
pub mod layout;
pub mod name;
pub mod spelling;
pub mod validity;

use crate::course::{Assignment, UnitTests};
use crate::diagnostic::{Failure, Problem, printable};
use crate::domain::{Draft, LimitExceeded, Reason};
use crate::files::upload::{self, Upload};
use file::{Contents, ListedFile};
use layout::{Place, SuiteFolder};
use name::{FileName, Taken, TestName};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use walkdir::WalkDir;

/// The most rejected files, and the most ignored files, that are listed. A folder may hold any number of them.
const MOST_LISTED: usize = 100;

/// The most files with test cases that count. Each takes as long as the compiler does.
const MOST_PROGRAMS: usize = 20;

/// The tests of one student.
#[derive(Debug, Default)]
pub struct Suite {
    /// The name of the folder or archive.
    pub name: String,
    /// Where the tests are, if that is not where they belong.
    pub note: Option<String>,
    /// The tests that can be run, ordered by number and flags.
    pub tests: Vec<Test>,
    /// The files with test cases, where tests are programs, ordered by name. Building them finds the tests.
    pub programs: Vec<TestProgram>,
    /// The numbers in all valid names, including those of rejected tests.
    pub numbers: BTreeSet<u32>,
    /// The first files that look like tests but can't be run.
    pub rejected: Vec<Rejection>,
    /// How many more there are.
    pub more_rejected: usize,
    /// The first files that are not tests, ordered by name.
    pub ignored: Vec<String>,
    /// How many more there are.
    pub more_ignored: usize,
}

#[derive(Clone, Debug)]
pub struct Test {
    /// The name of the file.
    pub file: String,
    /// The parsed name.
    pub name: TestName,
    /// The contents as a program reads them.
    pub input: Vec<u8>,
}

/// A file with test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    pub file: String,
    pub source: Vec<u8>,
}

/// A test that cannot be run, and why.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The file's name with control characters escaped.
    pub file: String,
    pub problem: Problem,
    /// Whether the file was not opened because enough other tests count.
    pub is_surplus: bool,
}

impl Test {
    /// The test as a draft.
    pub fn draft(&self) -> Draft {
        Draft { flags: self.name.flags.clone(), input: self.input.clone() }
    }

    /// Reads the one test `path`, as a suite would.
    ///
    /// # Errors
    /// With the reason for which a suite would reject it.
    pub fn read(path: &Path, assignment: &Assignment) -> Result<Self, Problem> {
        let file = path
            .file_name()
            .and_then(|file| file.to_str())
            .ok_or_else(|| Problem::new("the file's name is not valid UTF-8"))?;
        let name = match name::read(file, &assignment.tests) {
            FileName::Test(name) => name,
            FileName::Malformed(problem) => return Err(problem.printable()),
            FileName::Other => {
                return Err(Problem::new(format!(
                    "a test is named {}",
                    name::example(&assignment.tests)
                )));
            }
        };
        let kind = fs::symlink_metadata(path)
            .map_err(|error| Problem::new(format!("cannot read the file: {error}")))?
            .file_type();
        Ok(Self {
            file: printable(file),
            name,
            input: Contents::OnDisk(path.to_owned(), kind).input(assignment)?,
        })
    }
}

impl Suite {
    /// Reads the suite in `folder`.
    ///
    /// # Errors
    /// If the folder cannot be read. A bad file in it becomes a [`Rejection`].
    pub fn read(folder: &Path, assignment: &Assignment) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for entry in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                let error = error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into());
                layout::unreadable(folder, &error)
            })?;
            let (name, kind) = (entry.file_name().to_owned(), entry.file_type());
            files.push(ListedFile { name, contents: Contents::OnDisk(entry.into_path(), kind) });
        }
        Ok(Self::of(layout::folder_name(folder), files, assignment))
    }

    /// The suite of `files` in memory, each with its name. They are ordered by name.
    pub fn of_files<'a>(
        name: &str,
        files: impl Iterator<Item = (&'a str, &'a [u8])>,
        assignment: &Assignment,
    ) -> Self {
        let file = |(name, bytes): (&str, &'a [u8])| ListedFile {
            name: name.into(),
            contents: Contents::Held(bytes),
        };
        Self::of(name.to_owned(), files.map(file).collect(), assignment)
    }

    fn of(name: String, files: Vec<ListedFile<'_>>, assignment: &Assignment) -> Self {
        let rules = &assignment.tests;
        if let Some(unit) = &assignment.unit {
            return Self::of_programs(name, files, unit, assignment);
        }
        let mut suite = Self { name, ..Self::default() };
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for file in files {
            match file.name.to_str().and_then(|name| name::valid(name, rules)) {
                Some(name) => named.push((name, file)),
                None => others.push(file),
            }
        }
        named.sort_by(|(a, _), (b, _)| a.cmp(b));
        suite.numbers = named.iter().map(|(name, _)| name.number).collect();
        let names = named.iter().map(|(_, file)| file.name.to_string_lossy().into());
        let taken = Taken::new(names, &suite.numbers, rules);
        suite.read_tests(named, assignment);
        for ListedFile { name, .. } in others {
            let file = printable(&name.to_string_lossy());
            match name.to_str().map(|file| name::read_beside(file, rules, &taken)) {
                Some(FileName::Malformed(problem)) => suite.reject(file, problem.printable()),
                None => suite.reject(file, Problem::new("the file's name is not valid UTF-8")),
                Some(_) => suite.ignore(file),
            }
        }
        suite
    }

    /// The suite of files with test cases.
    fn of_programs(
        name: String,
        files: Vec<ListedFile<'_>>,
        unit: &UnitTests,
        assignment: &Assignment,
    ) -> Self {
        let mut suite = Self { name, ..Self::default() };
        for ListedFile { name, contents } in files {
            let file = printable(&name.to_string_lossy());
            if !name.to_str().is_some_and(|name| unit.has(name)) {
                suite.ignore(file);
                continue;
            }
            let is_surplus = suite.programs.len() >= MOST_PROGRAMS;
            if is_surplus {
                let problem = Problem::new(format!("only {MOST_PROGRAMS} files with tests count"));
                suite.list(Rejection { file, problem, is_surplus });
                continue;
            }
            let source = unit
                .check_name(&file, &assignment.program)
                .and_then(|()| contents.input(assignment));
            match source {
                Ok(source) => suite.programs.push(TestProgram { file, source }),
                Err(problem) => suite.reject(file, problem),
            }
        }
        suite.programs.sort_by(|one, other| one.file.cmp(&other.file));
        suite
    }

    /// Reads the suite of one student. If its folder or archive is rejected or can't be read, so is the suite.
    pub fn of_student(student: &SuiteFolder, assignment: &Assignment) -> Self {
        let (suite, problem) = match &student.place {
            Place::Folder(folder) => match Self::read(folder, assignment) {
                Ok(suite) => (suite, student.problem.clone()),
                Err(failure) => (Self::default(), failure.problems.into_iter().next()),
            },
            Place::Archive(archive) => {
                let upload = Upload::read(archive, assignment.most_kilobytes());
                if upload.problem.is_none() {
                    return Self::of_archive(student, archive, &upload, assignment);
                }
                (Self::default(), upload.problem)
            }
            Place::Nowhere => (Self::default(), student.problem.clone()),
        };
        suite.handed_in_by(student, problem)
    }

    /// The suite in an archive that was read.
    fn of_archive(
        student: &SuiteFolder,
        archive: &Path,
        upload: &Upload,
        assignment: &Assignment,
    ) -> Self {
        let (student, folder) = student.inside(upload, assignment);
        let entries = upload.entries(&folder).into_iter().map(|(name, contents)| ListedFile {
            name: name.to_owned(),
            contents: contents.map_or(Contents::Folder, Contents::Held),
        });
        let suite = Self::of(student.name.clone(), entries.collect(), assignment);
        let mut suite = suite.handed_in_by(&student, student.problem.clone());
        let name = layout::shown(archive.file_name().unwrap_or_default());
        for problem in &upload.not_files {
            suite.reject(name.clone(), problem.clone());
        }
        suite
    }

    /// The same suite as that of a student, with what is wrong with the folder or archive.
    fn handed_in_by(self, student: &SuiteFolder, problem: Option<Problem>) -> Self {
        let mut suite = Self { name: student.name.clone(), note: student.note.clone(), ..self };
        if let Some(problem) = problem {
            suite.reject(format!("{}/", student.name), problem.printable());
        }
        suite
    }

    /// Reads the tests that count. The others are not opened, because there may be any number of them.
    fn read_tests(&mut self, named: Vec<(TestName, ListedFile<'_>)>, assignment: &Assignment) {
        let most = assignment.tests.files;
        for (name, ListedFile { name: file, contents }) in named {
            let file = printable(&file.to_string_lossy());
            if self.tests.len() >= most as usize {
                let problem = Problem::new(format!("only the first {most} tests count"));
                self.list(Rejection { file, problem, is_surplus: true });
                continue;
            }
            match contents.input(assignment) {
                Ok(input) => self.tests.push(Test { file, name, input }),
                Err(problem) => self.reject(file, problem),
            }
        }
    }

    fn ignore(&mut self, file: String) {
        if self.ignored.len() < MOST_LISTED {
            self.ignored.push(file);
        } else {
            self.more_ignored += 1;
        }
    }

    /// Adds a test that cannot be run.
    pub fn reject(&mut self, file: String, problem: Problem) {
        self.list(Rejection { file, problem, is_surplus: false });
    }

    fn list(&mut self, rejection: Rejection) {
        if self.rejected.len() < MOST_LISTED {
            self.rejected.push(rejection);
        } else {
            self.more_rejected += 1;
        }
    }
}

/// The contents of a test as a program reads them: with line endings converted, if the course says so.
///
/// # Errors
/// If they cannot be a test, because they are empty or binary, or exceed a limit.
pub fn program_input(input: Vec<u8>, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
    let rules = &assignment.tests;
    let input = if rules.convert_crlf { without_carriage_returns(input) } else { input };
    if input.is_empty() && !rules.accepts_empty {
        return Err(Problem::new("the file is empty"));
    }
    if input.contains(&0) {
        return Err(Problem::new("the file is binary").hint("a test must be plain text"));
    }
    match checked(&input, assignment) {
        Err(exceeded) if !(exceeded.reason == Reason::Form && assignment.refusals.are_tests()) => {
            Err(placed(exceeded, &input))
        }
        _ => Ok(input),
    }
}

/// What is wrong with an input that the domain does not describe.
fn malformed(input: &[u8], assignment: &Assignment) -> Option<Problem> {
    let exceeded =
        checked(input, assignment).err().filter(|exceeded| exceeded.reason == Reason::Form)?;
    Some(placed(exceeded, input))
}

/// Whether the domain describes an input that keeps the limits. The domain of unit tests describes calls, and not files.
fn checked(input: &[u8], assignment: &Assignment) -> Result<(), LimitExceeded> {
    if assignment.unit.is_some() {
        return Ok(());
    }
    assignment.domain.check(input, &assignment.tests.limits)
}

/// The problem of an input, with its place.
fn placed(exceeded: LimitExceeded, input: &[u8]) -> Problem {
    let LimitExceeded { line, column, problem, .. } = exceeded;
    let problem = shortened(problem).printable().at_line(input, line, column);
    name_byte_order_mark(problem, input)
}

/// Names the byte order mark at the beginning of `input`, if `problem` may come from it: no editor shows it.
pub fn name_byte_order_mark(problem: Problem, input: &[u8]) -> Problem {
    let is_elsewhere = problem.place.as_ref().is_some_and(|place| place.line != 1);
    if is_elsewhere || !input.starts_with("\u{feff}".as_bytes()) {
        return problem;
    }
    let message = format!("the file begins with a byte order mark: {}", problem.message);
    Problem { message, ..problem }
        .hint("save the file as UTF-8 without a byte order mark (not as \"UTF-8 with BOM\")")
}

/// Shortens a message that quotes a very long word of the test.
fn shortened(problem: Problem) -> Problem {
    const LONGEST: usize = 200;
    match problem.message.char_indices().nth(LONGEST) {
        Some((end, _)) => Problem { message: format!("{}…", &problem.message[..end]), ..problem },
        None => problem,
    }
}

/// Converts each CRLF to LF, as `dos2unix` does.
fn without_carriage_returns(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.contains(&b'\r') {
        return bytes;
    }
    let followed_by_newline = |at: usize| bytes.get(at + 1) == Some(&b'\n');
    (0..bytes.len())
        .filter(|&at| bytes[at] != b'\r' || !followed_by_newline(at))
        .map(|at| bytes[at])
        .collect()
}

/// Whether a name looks like a test's. A student may be called Testa, so a folder looks like a test only if its name ends in `.txt`,
/// and an archive never does.
fn looks_like_a_test(name: &str, is_folder: bool) -> bool {
    let name = name.to_ascii_lowercase();
    let is_text = Path::new(&name).extension().is_some_and(|ending| ending == "txt");
    name.starts_with("test") && (is_text || !is_folder && upload::without_ending(&name).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_carriage_return_before_a_newline_is_removed() {
        assert_eq!(without_carriage_returns(b"a\r\nb\rc\r\r\n".to_vec()), b"a\nb\rc\r\n");
    }
}
