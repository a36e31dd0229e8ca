//! Times the release binary on a castle of 10 rooms of 1000×1000 tiles, in both input modes: `cargo bench -p countess`.
//!
//! A fixed seed makes the same castles on every run. In one of the two, the Countess is walled in, so that the search must visit every
//! tile that can be reached.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROOMS: usize = 10;
const SIZE: usize = 1000;
const RUNS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (name, walled_in) in [("solvable", false), ("unsolvable", true)] {
        let castle = castle(walled_in);
        for (mode, text) in [("map", as_map(&castle)), ("list", as_list(&castle))] {
            let file = folder.join(format!("{name}-{mode}.txt"));
            std::fs::write(&file, text)?;
            for arguments in
                [["--queue", "-oM"], ["--queue", "-oL"], ["--stack", "-oM"], ["--stack", "-oL"]]
            {
                let (best, middle) = times(&file, &arguments)?;
                println!(
                    "{name:<10} {mode:<4} input  {arguments:?}  best {best:>9.1?}  median {middle:>9.1?}"
                );
            }
        }
    }
    Ok(())
}

/// The shortest and the median time of some runs.
fn times(input: &Path, arguments: &[&str]) -> Result<(Duration, Duration), Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let begun = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_countess"))
            .args(arguments)
            .stdin(File::open(input)?)
            .stdout(Stdio::null())
            .status()?;
        times.push(begun.elapsed());
        assert!(status.success(), "the castle is accepted");
    }
    times.sort();
    Ok((times[0], times[RUNS / 2]))
}

/// Each room's tiles, row after row: about a quarter walls, some minions and pipes.
fn castle(walled_in: bool) -> Vec<Vec<u8>> {
    let mut random = Random(281);
    let mut rooms: Vec<Vec<u8>> =
        (0..ROOMS).map(|_| (0..SIZE * SIZE).map(|_| random.tile()).collect()).collect();
    rooms[0][0] = b'S';
    let countess = SIZE * SIZE / 2 + SIZE / 2;
    for beside in [countess - SIZE, countess + 1, countess + SIZE, countess - 1] {
        rooms[ROOMS - 1][beside] = if walled_in { b'#' } else { b'.' };
    }
    for room in &mut rooms {
        // No pipe leads to her.
        room[countess] = b'#';
    }
    rooms[ROOMS - 1][countess] = b'C';
    rooms
}

fn as_map(castle: &[Vec<u8>]) -> Vec<u8> {
    let mut text = format!("M\n{ROOMS}\n{SIZE}\n").into_bytes();
    for (room, tiles) in castle.iter().enumerate() {
        text.extend_from_slice(format!("//castle room {room}\n").as_bytes());
        for row in tiles.chunks(SIZE) {
            text.extend_from_slice(row);
            text.push(b'\n');
        }
    }
    text
}

fn as_list(castle: &[Vec<u8>]) -> Vec<u8> {
    let mut text = format!("L\n{ROOMS}\n{SIZE}\n");
    for (room, tiles) in castle.iter().enumerate() {
        for (at, &tile) in tiles.iter().enumerate().filter(|&(_, &tile)| tile != b'.') {
            let (row, column, tile) = (at / SIZE, at % SIZE, char::from(tile));
            writeln!(text, "({room},{row},{column},{tile})")
                .expect("a String takes all that is written");
        }
    }
    text.into_bytes()
}

/// A linear congruential generator: its high bits are random enough for walls.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn tile(&mut self) -> u8 {
        match self.below(100) {
            0..25 => b'#',
            25..27 => b'!',
            27 => b'0' + self.below(10) as u8,
            _ => b'.',
        }
    }
}
