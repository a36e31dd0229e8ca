//! Runs the programs with files in memory, and checks their answers.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use subject::{Env, Files, Program};

/// The sample maze of the specification, with the character that is missing from its seventh row.
pub(crate) const SAMPLE: &str = "\
597333331395397313333313b
c6339595adccd639633b59639
cd53286a70ac619c5333a639c
c4a59e5396969cc6ad51b53ac
ce5a632bc5a5ac61b4ac5a738
432339ddcc5a5adc5ad6a5958
cd5396accccdc58cc5239c6ac
cccd633accc4aec6a639cc59c
68c43339cccc5949719cc6acc
7a6a7332a6a6a6a63a6a633ae
";

/// Rooms as `(x, y)`.
pub(crate) type Room = (usize, usize);

/// The outcome of a run.
pub(crate) struct Run {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// Runs a program with `maze.txt` as its only file.
pub(crate) fn run(program: Program, args: &[&str], maze: &[u8]) -> Run {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let mut files = Files::Memory(BTreeMap::from([("maze.txt".to_owned(), maze.to_vec())]));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut env = Env {
        args: &args,
        stdin: &mut &b""[..],
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    let status = program(&mut env);
    let Files::Memory(mut files) = files else { unreachable!() };
    files.retain(|name, contents| name != "maze.txt" || contents != maze);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status, stdout: text(stdout), stderr: text(stderr), files }
}

/// The path file that a solver writes for the way from `start` to `goal`.
pub(crate) fn solve(program: Program, maze: &[u8], start: Room, goal: Room) -> String {
    let numbers = [start.0, start.1, goal.0, goal.1].map(|number| number.to_string());
    let args = [&["maze.txt", "path.txt"], &numbers.each_ref().map(String::as_str)[..]].concat();
    let mut run = run(program, &args, maze);
    assert_eq!((run.status, run.stderr.as_str(), run.stdout.as_str()), (0, "", ""));
    String::from_utf8(run.files.remove("path.txt").unwrap()).unwrap()
}

/// Checks that a program fails with this message, prints nothing else, and changes no file.
#[track_caller]
pub(crate) fn fails(program: Program, args: &[&str], maze: &[u8], message: &str) {
    let run = run(program, args, maze);
    assert_eq!((run.status, run.stderr.as_str(), run.stdout.as_str()), (1, message, ""));
    assert!(run.files.is_empty(), "{:?}", run.files.keys());
}

/// The maze of a seed.
pub(crate) fn generate(seed: u64, width: usize, height: usize) -> String {
    let args = ["--seed", &seed.to_string(), "--size", &format!("{width}x{height}"), "new.txt"];
    let mut run = run(maze::generator, &args, b"");
    assert_eq!((run.status, run.stderr.as_str(), run.stdout.as_str()), (0, "", ""));
    String::from_utf8(run.files.remove("new.txt").unwrap()).unwrap()
}

/// The open neighbours of a room, read from the text of a valid maze without the code under test.
pub(crate) fn neighbors(maze: &str, (x, y): Room) -> Vec<Room> {
    let width = maze.find('\n').unwrap();
    let digit = (maze.as_bytes()[y * (width + 1) + x] as char).to_digit(16).unwrap();
    let (left, up) = (x.wrapping_sub(1), y.wrapping_sub(1));
    [(8, (x + 1, y)), (4, (left, y)), (2, (x, y + 1)), (1, (x, up))]
        .into_iter()
        .filter_map(|(weight, room)| (digit & weight == 0).then_some(room))
        .collect()
}

/// The rooms of a path file.
pub(crate) fn rooms(path: &str) -> Vec<Room> {
    let number = |text: &str| text.parse().unwrap();
    path.lines()
        .map(|line| line.split_once(", ").map(|(x, y)| (number(x), number(y))).unwrap())
        .collect()
}

/// Checks that the path leads from `start` to `goal` through openings and visits no room twice.
#[track_caller]
pub(crate) fn is_a_path(path: &[Room], maze: &str, start: Room, goal: Room) {
    assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
    assert!(path.windows(2).all(|pair| neighbors(maze, pair[0]).contains(&pair[1])), "{path:?}");
    assert_eq!(path.iter().collect::<BTreeSet<_>>().len(), path.len(), "{path:?}");
}

/// Checks that the walk is that of a depth-first search: it goes back only the way it came, and only when it can enter no new room.
#[track_caller]
pub(crate) fn is_a_walk(walk: &[Room], maze: &str, start: Room, goal: Room) {
    assert_eq!((walk.first(), walk.last()), (Some(&start), Some(&goal)));
    assert_eq!(
        walk.iter().filter(|&&room| room == goal).count(),
        1,
        "the walk goes on after the goal"
    );
    let mut came_from = HashMap::from([(start, None)]);
    for pair in walk.windows(2) {
        let (room, next) = (pair[0], pair[1]);
        assert!(neighbors(maze, room).contains(&next), "a wall between {room:?} and {next:?}");
        if let Entry::Vacant(unvisited) = came_from.entry(next) {
            unvisited.insert(Some(room));
        } else {
            assert_eq!(
                came_from[&room],
                Some(next),
                "back to {next:?} is not how {room:?} was entered"
            );
            assert!(
                neighbors(maze, room).iter().all(|room| came_from.contains_key(room)),
                "gave up {room:?} too soon"
            );
        }
    }
}

/// Checks that the maze has this size, a closed border, walls that agree, and a path between any two rooms.
#[track_caller]
pub(crate) fn is_a_maze(maze: &str, width: usize, height: usize) {
    assert!(maze.ends_with('\n'));
    assert_eq!(maze.lines().map(str::len).collect::<Vec<_>>(), vec![width; height]);
    assert!(maze.bytes().all(|byte| matches!(byte, b'\n' | b'0'..=b'9' | b'a'..=b'f')), "{maze}");
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut rooms = vec![(0, 0)];
    while let Some(room) = rooms.pop() {
        for (x, y) in neighbors(maze, room) {
            assert!(x < width && y < height, "the border is open at {room:?}\n{maze}");
            assert!(
                neighbors(maze, (x, y)).contains(&room),
                "the sides of a wall differ at {room:?}\n{maze}"
            );
            if seen.insert((x, y)) {
                rooms.push((x, y));
            }
        }
    }
    assert_eq!(seen.len(), width * height, "not every room can be reached\n{maze}");
}
