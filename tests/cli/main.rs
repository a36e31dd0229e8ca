//! Tests of `harness` through its command line, one module for each feature.

mod against;
mod any_program;
mod attacks;
mod autograder_io;
mod bad_submissions;
mod behaviours;
mod broken_course;
mod browser;
mod builds;
mod cases;
mod class;
mod command_line;
mod compiled;
mod confirmed;
mod contained;
mod countess;
mod course;
mod course_file;
mod debian;
mod doctor;
mod endless;
mod engines;
mod examples;
mod exhausting_submissions;
mod explain;
mod fair_grading;
mod feedback;
mod formats;
mod generate;
mod grade;
mod grade_bad_input;
mod grade_output;
mod grade_under_load;
mod grading_a_class;
mod hints;
mod hostile_files;
mod html;
mod init;
mod isolated;
mod java;
mod judge;
mod judges;
mod killed;
mod languages;
mod layouts;
mod leaks;
mod letters;
mod machine;
mod maze;
mod mine;
mod mutants;
mod pack;
mod packages;
mod propose;
mod puzzle_cpp;
mod real_archives;
mod rejected;
mod repository;
mod resident_grader;
mod rogue_mutants;
mod run;
#[path = "../samples/class.rs"]
mod samples;
mod score;
mod searches;
mod shape;
mod shape_courses;
mod sliding;
mod slurm;
mod solution;
mod solutions_by_language;
mod spelling;
mod sums;
mod survey;
mod unfinished_mutants;
mod validators;
mod verify;
mod view;
mod watch;
mod width;
mod without_groups;
mod witnesses;
mod your_own_course;

use run::{Run, harness, skip};
use std::path::Path;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A temporary folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a test");
    for (name, contents) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder"))
            .expect("a folder can be made");
        std::fs::write(path, contents).expect("a file can be written");
    }
    folder
}

fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("temporary folders have plain names")
}
