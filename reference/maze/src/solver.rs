//! The solver: its command line, and its input and output files.

use crate::failure::Failure;
use crate::maze::{Maze, Position};
use crate::maze_file;
use crate::path_file::PathFile;
use crate::search::{path_to, search};
use std::ffi::{OsStr, OsString};
use std::num::IntErrorKind;
use subject::{Env, bug};

const USAGE: &str =
    "usage: solver [--full] <maze file> <path file> <start x> <start y> <end x> <end y>";

const HELP: &str = "
Writes the path from one room of a maze to another, a line `x, y` for each room; x counts columns from 0.

  --full    write the whole walk of the search instead, as solver_full always does
  --help    print this help
";

/// What the path file contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// The rooms of the path.
    Path,
    /// Every room that the search visited, in order.
    Walk,
}

/// Runs the solver. `output` is the default of the program.
pub(crate) fn run(env: &mut Env<'_>, output: Output) -> Result<(), Failure> {
    let Some(arguments) = Arguments::parse(env.args, output)? else {
        // Standard output is buffered. Errors are reported when the buffer is flushed.
        let _ = write!(env.stdout, "{USAGE}\n{HELP}");
        return Ok(());
    };
    let text = env
        .files
        .read(arguments.maze)
        .map_err(|error| Failure::file("read", arguments.maze, &error))?;
    let mut maze = maze_file::parse(&text)?;
    let start = arguments.start.within(&maze)?;
    let goal = arguments.goal.within(&maze)?;
    let Some(path) = solve(&mut maze, start, goal, arguments.output) else {
        return Err(Failure::Other(format!(
            "no way leads from {}, {} to {}, {}",
            start.x, start.y, goal.x, goal.y
        )));
    };
    env.files
        .write(arguments.path, &path.into_text())
        .map_err(|error| Failure::file("write", arguments.path, &error))
}

fn solve(maze: &mut Maze, start: Position, goal: Position, output: Output) -> Option<PathFile> {
    let mut file = PathFile::default();
    if maze[start].walls == crate::room::Walls::ALL && bug!("takes-a-closed-start-for-no-way") {
        return None;
    }
    if output == Output::Walk || bug!("writes-the-walk-in-path-mode") {
        let show = |room| {
            if !(room == goal && bug!("leaves-the-goal-out-of-the-walk")) {
                file.push(room);
            }
        };
        search(maze, start, goal, show)?;
        if start != goal && bug!("walks-back-from-the-goal") {
            path_to(goal, maze).iter().rev().skip(1).for_each(|&room| file.push(room));
        }
    } else {
        let end = search(maze, start, goal, |_| ())?;
        path_to(end, maze).into_iter().for_each(|room| file.push(room));
    }
    Some(file)
}

struct Arguments<'a> {
    maze: &'a OsStr,
    path: &'a OsStr,
    start: Coordinates,
    goal: Coordinates,
    output: Output,
}

impl<'a> Arguments<'a> {
    /// Reads the command line. Returns `None` if it asks for help.
    ///
    /// Only the first argument can be an option, because a coordinate such as -1 is a number out of range.
    fn parse(args: &'a [OsString], default: Output) -> Result<Option<Self>, Failure> {
        let (output, args) = match args {
            [first, ..] if first == "--help" || first == "-h" => return Ok(None),
            [first, rest @ ..] if first == "--full" => (Output::Walk, rest),
            _ => (default, args),
        };
        let [maze, path, start_x, start_y, end_x, end_y] = args else {
            return Err(wrong(format!("the solver takes six arguments, not {}", args.len())));
        };
        Ok(Some(Self {
            maze,
            path,
            start: Coordinates::parse("starting", start_x, start_y)?,
            goal: Coordinates::parse("ending", end_x, end_y)?,
            output,
        }))
    }
}

/// A position from the command line, which may be outside the maze.
struct Coordinates {
    which: &'static str,
    x: i64,
    y: i64,
}

impl Coordinates {
    fn parse(which: &'static str, x: &OsStr, y: &OsStr) -> Result<Self, Failure> {
        let number = |text, axis| integer(text).ok_or_else(|| no_integer(which, axis, text));
        let (x, y) = (number(x, 'x')?, number(y, 'y')?);
        if x != y && bug!("takes-y-before-x") {
            return Ok(Self { which, x: y, y: x });
        }
        Ok(Self { which, x, y })
    }

    fn within(&self, maze: &Maze) -> Result<Position, Failure> {
        let &Self { which, x, y } = self;
        maze.position(x, y).ok_or_else(|| {
            Failure::Other(format!(
                "the {which} room {x}, {y} is outside the maze of {}x{} rooms",
                maze.width(),
                maze.height()
            ))
        })
    }
}

/// The integer that a text stands for, clamped to the range of the type. The limits are outside of every maze.
fn integer(text: &OsStr) -> Option<i64> {
    let text = text.to_str()?;
    if text.len() > 1 && bug!("reads-one-digit-of-a-coordinate") {
        return integer(text.get(..1)?.as_ref());
    }
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

fn no_integer(which: &str, axis: char, text: &OsStr) -> Failure {
    wrong(format!("the {which} {axis}-position '{}' is not an integer", text.display()))
}

fn wrong(message: String) -> Failure {
    Failure::CommandLine { message, usage: USAGE }
}
