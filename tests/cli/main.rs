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
mod companions;
mod compiled;
mod confirmed;
mod contained;
mod countess;
mod course_file;
mod coverage;
mod coverage_by_language;
mod debian;
mod doctor;
mod drawn_calls;
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
mod interactors;
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
mod mutants;
mod pack;
mod points;
mod puzzle_cpp;
mod real_archives;
mod refused;
mod rejected;
mod repository;
mod resident_grader;
mod rogue_mutants;
#[path = "../samples/class.rs"]
mod samples;
mod schemas;
mod score;
mod searches;
mod shape;
mod shape_courses;
mod similar;
mod sliding;
mod slow_programs;
mod slurm;
mod solution;
mod solutions_by_language;
mod spelling;
mod submission_page;
mod submissions_by_commands;
mod submissions_by_language;
mod sums;
mod survey;
mod unfinished_mutants;
mod unit_attacks;
mod unit_catch2;
mod unit_docs;
mod unit_grading;
mod unit_header;
mod unit_hypothesis;
mod unit_java;
mod unit_python;
mod unit_rust;
mod unit_tests;
mod validators;
mod verify;
mod view;
mod watch;
mod width;
mod without_groups;
mod witnesses;
mod your_own_course;

#[path = "../support/mod.rs"]
mod support;

use support::run::{Run, harness};
use support::skip::skip;
use support::{course, example, folder, language, path, repository, run};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_harness");

/// Copies it to `place`, to be run there. Another process copies it: if this one did, a process that another test starts could inherit the
/// file open for writing, and then it cannot be run.
fn copy_program(place: &std::path::Path) {
    let copied = std::process::Command::new("cp").arg(PROGRAM).arg(place).status();
    assert!(copied.expect("cp starts").success());
}
