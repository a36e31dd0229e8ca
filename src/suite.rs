//! A student's folder of tests.
//!
//! Whatever is in the folder, reading it gives a [`Suite`]: the tests that can be run, and what was rejected, each with its reason.
//! Only plain files of a bounded size are opened.

pub mod layout;
pub mod name;

use crate::course::{Assignment, TestRules};
use crate::problem::{Failure, Problem, printable};
use name::{Named, TestName};
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;
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
}

impl Test {
    /// Reads the one test `path`, as a suite would.
    ///
    /// # Errors
    /// With why a suite would reject it.
    pub fn read(path: &Path, assignment: &Assignment) -> Result<Self, Problem> {
        let file = path.file_name().and_then(|file| file.to_str()).ok_or_else(|| Problem::new("the name is not UTF-8 text"))?;
        let name = match name::read(file, &assignment.tests) {
            Named::Test(name) => name,
            Named::Malformed(problem) => return Err(problem.printable()),
            Named::Other => return Err(Problem::new(format!("a test's name is {}", name::example(&assignment.tests)))),
        };
        let kind = fs::symlink_metadata(path).map_err(|error| Problem::new(format!("it can't be read: {error}")))?.file_type();
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
        let mut suite = Self { name: layout::folder_name(folder), tests: Vec::new(), rejected: Vec::new(), ignored: Vec::new() };
        for entry in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|error| Failure::machine(format!("read the folder {}", folder.display()), error))?;
            let file = printable(&entry.file_name().to_string_lossy());
            match entry.file_name().to_str().map(|file| name::read(file, rules)) {
                Some(Named::Other) => suite.ignored.push(file),
                Some(Named::Malformed(problem)) => suite.rejected.push(Rejection { file, problem: problem.printable() }),
                None => suite.rejected.push(Rejection { file, problem: Problem::new("the name is not UTF-8 text") }),
                Some(Named::Test(name)) => match read_input(entry.path(), entry.file_type(), assignment) {
                    Ok(input) => suite.tests.push(Test { file, name, input }),
                    Err(problem) => suite.rejected.push(Rejection { file, problem }),
                },
            }
        }
        suite.tests.sort_by(|a, b| a.name.cmp(&b.name));
        suite.reject_surplus(rules);
        Ok(suite)
    }

    fn reject_surplus(&mut self, rules: &TestRules) {
        for surplus in self.tests.split_off(self.tests.len().min(rules.files as usize)) {
            let problem = Problem::new(format!("the suite has {} tests before this one, and no more count", rules.files));
            self.rejected.push(Rejection { file: surplus.file, problem });
        }
    }
}

fn read_input(path: &Path, kind: FileType, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
    let rules = &assignment.tests;
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "a folder"
        } else if kind.is_symlink() {
            "a link"
        } else {
            "a special file"
        };
        return Err(Problem::new(format!("it is {what}, not a file")).hint("hand in the file itself"));
    }
    let input = read_bounded(path, rules.bytes).map_err(|error| match error {
        None => Problem::new(format!("it is larger than {} bytes", rules.bytes)),
        Some(error) => Problem::new(format!("it can't be read: {error}")),
    })?;
    as_a_program_sees_it(input, assignment)
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
    assignment.domain.check(&input, &rules.limits).map_err(|oversize| oversize.problem.at_line(&input, oversize.line))?;
    Ok(input)
}

/// The file's bytes; `Err(None)` where there are more than `most`, found out without reading them.
fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, Option<io::Error>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > most {
        return Err(None);
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(None) } else { Ok(bytes) }
}

/// `bytes` with each CRLF made LF, as `dos2unix` does it.
fn without_carriage_returns(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.contains(&b'\r') {
        return bytes;
    }
    let followed_by_newline = |at: usize| bytes.get(at + 1) == Some(&b'\n');
    (0..bytes.len()).filter(|&at| bytes[at] != b'\r' || !followed_by_newline(at)).map(|at| bytes[at]).collect()
}

/// Whether `folder` holds a file whose name begins like a test's.
fn holds_tests(folder: &Path) -> bool {
    let begins_like_a_test = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().to_ascii_lowercase().starts_with("test");
    // A student may be called Testa: a folder is no test.
    let is_no_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_dir());
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| begins_like_a_test(&entry) && is_no_folder(&entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_carriage_return_before_a_newline_goes() {
        assert_eq!(without_carriage_returns(b"a\r\nb\rc\r\r\n".to_vec()), b"a\nb\rc\r\n");
    }
}
