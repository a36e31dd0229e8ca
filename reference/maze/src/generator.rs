//! The generator: its command line and its output file.

use crate::drunken_walk::drunken_walk;
use crate::failure::Failure;
use crate::maze::Maze;
use crate::maze_file;
use crate::random::Random;
use lexopt::prelude::*;
use std::ffi::{OsStr, OsString};
use subject::{Env, bug};

const USAGE: &str = "usage: generator [--seed <number>] [--size <width>x<height>] <maze file>";

const HELP: &str = "
Makes a maze and writes it to a file: another one each time, unless there is a seed.

  --seed <number>            make the maze of this seed, from 0 to 18446744073709551615; it is the same on every machine
  --size <width>x<height>    so many rooms across and down [default: 25x10]
  --help                     print this help
";

pub(crate) fn run(env: &mut Env<'_>) -> Result<(), Failure> {
    let Some(arguments) = Arguments::parse(env.args)? else {
        // Standard output is buffered. Errors are reported when the buffer is flushed.
        let _ = write!(env.stdout, "{USAGE}\n{HELP}");
        return Ok(());
    };
    let Size { width, height } = arguments.size;
    let mut random = arguments.seed.map_or_else(Random::from_entropy, Random::from_seed);
    let text = generate(width, height, &mut random).ok_or_else(|| {
        Failure::Other(format!("a maze of {width}x{height} rooms does not fit into memory"))
    })?;
    env.files
        .write(&arguments.maze, &text)
        .map_err(|error| Failure::file("write", &arguments.maze, &error))
}

fn generate(width: usize, height: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut maze = Maze::closed(width, height)?;
    drunken_walk(&mut maze, random);
    maze_file::text(&maze)
}

struct Arguments {
    maze: OsString,
    seed: Option<u64>,
    size: Size,
}

struct Size {
    width: usize,
    height: usize,
}

impl Arguments {
    /// Reads the command line. Returns `None` if it asks for help.
    fn parse(args: &[OsString]) -> Result<Option<Self>, Failure> {
        let (mut maze, mut seed, mut size) = (None, None, Size { width: 25, height: 10 });
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("help") | Short('h') => return Ok(None),
                Long("seed") => seed = Some(parse_seed(&parser.value()?)?),
                Long("size") => size = parse_size(&parser.value()?)?,
                Value(name) if maze.is_none() => maze = Some(name),
                _ => return Err(argument.unexpected().into()),
            }
        }
        let maze = maze.ok_or_else(|| wrong("the name of the maze file is missing".to_owned()))?;
        Ok(Some(Self { maze, seed, size }))
    }
}

fn parse_seed(text: &OsStr) -> Result<u64, Failure> {
    let seed = text.to_str().and_then(|text| text.parse().ok());
    seed.ok_or_else(|| {
        wrong(format!("the seed '{}' is not a number from 0 to {}", text.display(), u64::MAX))
    })
}

fn parse_size(text: &OsStr) -> Result<Size, Failure> {
    let size = text.to_str().and_then(|text| {
        let (width, height) = text.split_once('x')?;
        if width != height && bug!("swaps-width-and-height") {
            return Some(Size { width: height.parse().ok()?, height: width.parse().ok()? });
        }
        Some(Size { width: width.parse().ok()?, height: height.parse().ok()? })
    });
    size.filter(|size| {
        size.width > 0
            && size.height > 0
            && !(size.height == 1 && bug!("refuses-mazes-one-room-high"))
    })
    .ok_or_else(|| {
        wrong(format!("the size '{}' is not two positive numbers such as 25x10", text.display()))
    })
}

fn wrong(message: String) -> Failure {
    Failure::CommandLine { message, usage: USAGE }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        wrong(error.to_string())
    }
}
