//! The command line of `serve`, which `harness-server` runs.

use super::Format;
use crate::course;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve                            serve the nearest course, and grade
  harness serve --course cs --workers 2    serve another one, and use two cores
  harness serve --workers 0                serve only; other machines grade
  harness serve worker --database URL      grade what the server takes in
  harness serve invite ann --new           print a link with which ann begins
  harness serve backup today.backup        save everything that the server knows")]
pub struct Serve {
    #[command(subcommand)]
    pub command: Option<ServeCommand>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, global = true, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The settings of the server [default: serve.yaml beside the course file, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where the server listens [default: what the settings say, or 127.0.0.1:8281]
    #[arg(long, global = true, value_name = "HOST:PORT", value_parser = address)]
    pub address: Option<String>,
    /// The database: `postgres://...`, or a file [default: what the settings say]
    #[arg(long, global = true, value_name = "URL|FILE")]
    pub database: Option<String>,
    /// Number of submissions to grade in parallel, each on a core of its own; 0 leaves grading to workers [default: what the settings
    /// say, or one less than the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub workers: Option<u16>,
}

/// What else to do with a server and what it knows.
#[derive(Debug, Subcommand)]
pub enum ServeCommand {
    /// Grade the submissions that the server takes in
    Worker(Worker),
    /// Print a link with which a person begins to use the server
    Invite(Invite),
    /// Give the server a new version of the course
    Course(NewCourse),
    /// Read the students of the course from a file
    Students(Students),
    /// Save everything that the server knows to a file
    Backup(Backup),
    /// Fill an empty database with what `backup` saved
    Restore(Restore),
    /// Say how many workers the hours before a due date need
    Plan(Plan),
    /// Check that nobody has changed the log of what was done
    Audit(Audit),
    /// Check that the server has everything that it needs
    Doctor(ServeDoctor),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve worker --database postgres://harness@db/harness
  harness serve worker --workers 4 --cache /var/cache/harness
  harness serve worker --until-empty  grade what is waiting, and end

A worker takes the course from the database, and needs no folder of it.")]
pub struct Worker {
    /// End when no submission is waiting
    #[arg(long)]
    pub until_empty: bool,
    /// Number of submissions to grade in parallel, each on a core of its own [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// The folder for courses and what is kept of builds and runs [default: a folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve invite ann                       a new link for ann, who has lost the first
  harness serve invite bob --new --name 'Bob Ray'
  harness serve invite eve --new --role staff")]
pub struct Invite {
    /// The name with which the person signs in
    #[arg(value_name = "LOGIN")]
    pub login: String,
    /// Make the person, if nobody has this login
    #[arg(long)]
    pub new: bool,
    /// The name of the person [default: that of before, or LOGIN]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the person may do [default: as before, or student]
    #[arg(long, value_enum)]
    pub role: Option<Role>,
}

/// What a person may do on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Submits, and sees the results of these submissions.
    Student,
    /// Also grades by hand what a person must grade.
    Grader,
    /// Also sees and changes everything of the course.
    Staff,
    /// Also invites people, and gives them roles.
    Administrator,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve course            store the nearest course; submissions keep theirs
  harness serve course new        store the course in the folder `new`
  harness serve course --apply    and use it from now on")]
pub struct NewCourse {
    /// The folder of the course [default: that of --course]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Put the new version in force at once
    #[arg(long)]
    pub apply: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve students class.csv                      say what would change
  harness serve students class.csv --apply > links.csv  change it, and write the links of who is new

The columns are login, name, section and extra time, such as 90 (minutes), 1.5h or 2d, in any order. People who are known keep their
passwords, submissions and roles.")]
pub struct Students {
    /// A table in CSV: a line that names the columns, and a line for each student
    #[arg(value_name = "FILE.csv")]
    pub file: PathBuf,
    /// Change what the file says, and print the links with which new students begin, as CSV
    #[arg(long)]
    pub apply: bool,
    /// Also keep those from signing in who are not in the file
    #[arg(long, requires = "apply")]
    pub deactivate: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve backup today.backup")]
pub struct Backup {
    /// The new file to write
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve restore today.backup --database new.db")]
pub struct Restore {
    /// A file that `backup` wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve plan                         for 300, 1,000 and 3,000 students
  harness serve plan --students 450          for a class of 450
  harness serve plan --workers 2             how long they wait if two are graded at a time
  harness serve plan --seconds 20 --each 5   before anything is measured

The hours before a due date are simulated. Submissions take as long as those of the course did, and students hand in as they did before
earlier due dates. There are enough workers if half of the submissions start within 10 seconds, and 99 of 100 within 5 minutes.")]
pub struct Plan {
    /// The sizes of classes
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "300,1000,3000", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub students: Vec<u32>,
    /// The assignment whose submissions were measured [default: the one with the most]
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// How many seconds a submission takes [default: as long as those of the assignment did]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400), conflicts_with = "assignment")]
    pub seconds: Option<u32>,
    /// How often each student hands in on the last day [default: as before earlier due dates, or 3 times]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub each: Option<u32>,
    /// How many submissions are graded at the same time [default: as few as are enough]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub workers: Option<u32>,
    /// Selects other random moments and durations
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve audit                     check the database of the nearest course
  harness serve audit --database copy.db  check another one
  harness serve audit --known 3f2a...     also check that this entry is still there

Each entry proves those before it, and none proves those after it: who removes the last ones
leaves no trace. `audit`, `backup` and `doctor` print the last entry's digest. Keep one elsewhere,
and name it with --known later.

Exit status: 0 the log is whole; 1 it was changed; otherwise as for every command.")]
pub struct Audit {
    /// The digest of an entry, or its first letters, as `audit` or `backup` printed it
    #[arg(long, value_name = "DIGEST")]
    pub known: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness serve doctor               check the settings, the database and the sandbox
  harness serve doctor --course new  before you serve another course")]
pub struct ServeDoctor {}

/// Checks that a text is an address with a port.
fn address(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    match port.map(|(_, port)| port.parse::<u16>()) {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err("expected a host and a port, such as 127.0.0.1:8281".to_owned()),
    }
}
