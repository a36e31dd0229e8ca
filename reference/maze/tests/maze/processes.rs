//! The programs as processes with files on disk.

use crate::check::{SAMPLE, is_a_maze, is_a_path, rooms};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GENERATOR: &str = env!("CARGO_BIN_EXE_generator");
const SOLVER: &str = env!("CARGO_BIN_EXE_solver");

#[test]
fn the_generator_writes_its_file() {
    let folder = Folder::new("generator");
    let output = folder.run(GENERATOR, &["maze.txt"]);
    assert_eq!(output.status.code(), Some(0));
    is_a_maze(&folder.read("maze.txt"), 25, 10);
}

#[test]
fn the_solver_writes_the_path() {
    let folder = Folder::new("solver");
    folder.write("maze.txt", SAMPLE);
    let output = folder.run(SOLVER, &["maze.txt", "path.txt", "0", "0", "24", "9"]);
    assert_eq!(output.status.code(), Some(0));
    is_a_path(&rooms(&folder.read("path.txt")), SAMPLE, (0, 0), (24, 9));
}

#[test]
#[cfg(feature = "full")]
fn the_solver_compiled_in_full_writes_the_walk() {
    let folder = Folder::new("solver_full");
    folder.write("maze.txt", SAMPLE);
    let output = folder
        .run(env!("CARGO_BIN_EXE_solver_full"), &["maze.txt", "walk.txt", "0", "0", "24", "9"]);
    assert_eq!(output.status.code(), Some(0));
    crate::check::is_a_walk(&rooms(&folder.read("walk.txt")), SAMPLE, (0, 0), (24, 9));
}

#[test]
fn a_path_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = Folder::new("unwritten");
    folder.write("maze.txt", "f\n");
    let output = folder.run(SOLVER, &["maze.txt", "no/such/folder", "0", "0", "0", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("cannot write 'no/such/folder': "), "{stderr}");
    assert_eq!(folder.names(), ["maze.txt"]);
}

#[test]
fn a_run_that_fails_leaves_the_output_of_the_last_one() {
    let folder = Folder::new("kept");
    folder.write("maze.txt", "5g\n");
    folder.write("path.txt", "0, 0\n");
    let output = folder.run(SOLVER, &["maze.txt", "path.txt", "0", "0", "0", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(folder.read("path.txt"), "0, 0\n");
}

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        Command::new(program).args(args).current_dir(&self.0).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn write(&self, name: &str, contents: &str) {
        std::fs::write(self.0.join(name), contents).unwrap();
    }

    fn names(&self) -> Vec<String> {
        std::fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
