//! A student's folder of tests.
//!
//! Whatever is in the folder, reading it gives a [`Suite`]: the tests that can be run, and what was rejected, each with its reason.
//! Only plain files of a bounded size are opened.

pub mod decode;
pub mod layout;
pub mod name;
pub mod spelling;

use crate::course::Assignment;
use crate::domain::Draft;
use crate::problem::{Failure, Problem, printable};
use name::{Named, TestName};
use rustix::fs::OFlags;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// All the files of one student.
#[derive(Debug)]
pub struct Suite {
    /// The folder's name.
    pub name: String,
    /// The tests that can be run, by number and flags.
    pub tests: Vec<Test>,
    /// The files that were meant as tests and can't be run.
    pub rejected: Vec<Rejection>,
    /// Files that are no tests, by name.
    pub ignored: Vec<String>,
}

/// One student test file.
#[derive(Clone, Debug)]
pub struct Test {
    /// The file's name.
    pub file: String,
    /// The name, taken apart.
    pub name: TestName,
    /// The file's contents, as a program sees them.
    pub input: Vec<u8>,
}

/// A file that can't be run, and why.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The file's name, with control characters written out.
    pub file: String,
    /// What is wrong with it.
    pub problem: Problem,
    /// Whether it was not even read, because there are as many tests before it as count.
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
    /// With why a suite would reject it.
    pub fn read(path: &Path, assignment: &Assignment) -> Result<Self, Problem> {
        let file = path
            .file_name()
            .and_then(|file| file.to_str())
            .ok_or_else(|| Problem::new("the name is not UTF-8 text"))?;
        let name = match name::read(file, &assignment.tests) {
            Named::Test(name) => name,
            Named::Malformed(problem) => return Err(problem.printable()),
            Named::Other => {
                return Err(Problem::new(format!(
                    "a test's name is {}",
                    name::example(&assignment.tests)
                )));
            }
        };
        let kind = fs::symlink_metadata(path)
            .map_err(|error| Problem::new(format!("it can't be read: {error}")))?
            .file_type();
        Ok(Self { file: printable(file), name, input: read_input(path, kind, assignment)? })
    }
}

impl Suite {
    /// Reads the suite in `folder`.
    ///
    /// # Errors
    /// Where the folder itself can't be read. A bad file in it is a [`Rejection`].
    pub fn read(folder: &Path, assignment: &Assignment) -> Result<Self, Failure> {
        let rules = &assignment.tests;
        let mut suite = Self {
            name: layout::folder_name(folder),
            tests: Vec::new(),
            rejected: Vec::new(),
            ignored: Vec::new(),
        };
        let mut named = Vec::new();
        for entry in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                Failure::machine(format!("read the folder {}", folder.display()), error)
            })?;
            let file = printable(&entry.file_name().to_string_lossy());
            match entry.file_name().to_str().map(|file| name::read(file, rules)) {
                Some(Named::Other) => suite.ignored.push(file),
                Some(Named::Malformed(problem)) => suite.reject(file, problem.printable()),
                None => suite.reject(file, Problem::new("the name is not UTF-8 text")),
                Some(Named::Test(name)) => {
                    named.push((name, file, entry.file_type(), entry.into_path()));
                }
            }
        }
        named.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        suite.read_tests(named, assignment);
        Ok(suite)
    }

    /// Reads as many tests as count. Files behind those are not opened: there may be any number of them.
    fn read_tests(
        &mut self,
        named: Vec<(TestName, String, FileType, PathBuf)>,
        assignment: &Assignment,
    ) {
        let most = assignment.tests.files;
        for (name, file, kind, path) in named {
            if self.tests.len() >= most as usize {
                let problem = Problem::new(format!(
                    "the suite has {most} tests before this one, and no more count"
                ));
                self.rejected.push(Rejection { file, problem, is_surplus: true });
                continue;
            }
            match read_input(&path, kind, assignment) {
                Ok(input) => self.tests.push(Test { file, name, input }),
                Err(problem) => self.reject(file, problem),
            }
        }
    }

    fn reject(&mut self, file: String, problem: Problem) {
        self.rejected.push(Rejection { file, problem, is_surplus: false });
    }
}

fn read_input(path: &Path, kind: FileType, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
    let rules = &assignment.tests;
    if !kind.is_file() {
        return Err(no_file(kind));
    }
    let input = read_bounded(path, rules.bytes).map_err(|unread| match unread {
        Unread::Large => Problem::new(format!("it is larger than {} bytes", rules.bytes)),
        Unread::NoFile(kind) => no_file(kind),
        Unread::Failed(error) => Problem::new(format!("it can't be read: {error}")),
    })?;
    as_a_program_sees_it(input, assignment)
}

fn no_file(kind: FileType) -> Problem {
    let what = if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a link"
    } else {
        "a special file"
    };
    Problem::new(format!("it is {what}, not a file")).hint("hand in the file itself")
}

/// The contents of a test, as a program sees them.
///
/// # Errors
/// With what keeps them from being a test.
pub fn as_a_program_sees_it(input: Vec<u8>, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
    let rules = &assignment.tests;
    let input = if rules.convert_crlf { without_carriage_returns(input) } else { input };
    if input.is_empty() {
        return Err(Problem::new("the file is empty"));
    }
    if input.contains(&0) {
        return Err(Problem::new("it is a binary file").hint("a test is plain text"));
    }
    let checked = assignment.domain.check(&input, &rules.limits);
    checked.map_err(|oversize| {
        quoting_little(oversize.problem).printable().at_line(&input, oversize.line)
    })?;
    Ok(input)
}

/// The same problem, without the rest of a message that quotes a word of the test as long as the test.
fn quoting_little(problem: Problem) -> Problem {
    const LONGEST: usize = 200;
    match problem.message.char_indices().nth(LONGEST) {
        Some((end, _)) => Problem { message: format!("{}…", &problem.message[..end]), ..problem },
        None => problem,
    }
}

/// Why a file's bytes are not there.
enum Unread {
    Large,
    NoFile(FileType),
    Failed(io::Error),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// The file's bytes, unless there are more than `most`, which is found out without reading them.
fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    // Since it was looked at, a link or a pipe may have come to stand in its place: that is not followed, or waited for.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    let there = file.metadata()?;
    if !there.is_file() {
        return Err(Unread::NoFile(there.file_type()));
    }
    if there.len() > most {
        return Err(Unread::Large);
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Unread::Large) } else { Ok(bytes) }
}

/// `bytes` with each CRLF made LF, as `dos2unix` does it.
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

/// Whether `folder` holds a file whose name begins like a test's.
fn holds_tests(folder: &Path) -> bool {
    let begins_like_a_test = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        // A student may be called Testa: what makes a folder a test is the whole of its name.
        let is_meant = || {
            Path::new(&name).extension().is_some_and(|ending| ending == "txt")
                || entry.file_type().is_ok_and(|kind| !kind.is_dir())
        };
        name.starts_with("test") && is_meant()
    };
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(begins_like_a_test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_to_stand_in_the_place_of_a_file_is_not_followed_or_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        assert!(matches!(read_bounded(&at("file"), 4), Ok(bytes) if bytes == b"text"));
        assert!(matches!(read_bounded(&at("file"), 3), Err(Unread::Large)));
        assert!(matches!(read_bounded(&at("link"), 4), Err(Unread::Failed(_))));
        assert!(matches!(read_bounded(&at("pipe"), 4), Err(Unread::NoFile(_))));
        assert!(matches!(read_bounded(folder.path(), 4), Err(Unread::NoFile(_))));
    }

    #[test]
    fn only_a_carriage_return_before_a_newline_goes() {
        assert_eq!(without_carriage_returns(b"a\r\nb\rc\r\r\n".to_vec()), b"a\nb\rc\r\n");
    }
}
