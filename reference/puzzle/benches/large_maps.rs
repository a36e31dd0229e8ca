//! Time and peak memory of the program on very large maps.
//!
//! `cargo bench -p puzzle` makes the same maps each time and runs the program on each of them.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 3;

/// How to make a map, and how to run the program on it.
struct Case {
    name: &'static str,
    args: &'static [&'static str],
    colors: u8,
    side: usize,
    /// Walls per thousand tiles.
    walls: u64,
    solvable: bool,
}

const CASES: [Case; 4] = [
    Case {
        name: "queue, list, far corner",
        args: &["-q", "-o", "list"],
        colors: 3,
        side: 5000,
        walls: 100,
        solvable: true,
    },
    Case {
        name: "queue, no solution",
        args: &["-q"],
        colors: 1,
        side: 10_000,
        walls: 100,
        solvable: false,
    },
    Case {
        name: "stack, list, open map",
        args: &["-s", "-o", "list"],
        colors: 3,
        side: 5000,
        walls: 0,
        solvable: true,
    },
    Case {
        name: "stack, no solution, open map",
        args: &["-s"],
        colors: 1,
        side: 10_000,
        walls: 0,
        solvable: false,
    },
];

fn main() -> io::Result<()> {
    println!("{:<30} {:>6} {:>13} {:>8} {:>8}", "", "colors", "map", "time", "memory");
    for case in &CASES {
        let map = write_map(case)?;
        let runs: Vec<_> = (0..RUNS).map(|_| run(case, &map)).collect::<io::Result<_>>()?;
        fs::remove_file(map)?;
        let time = runs.iter().map(|(time, _)| *time).min().unwrap_or_default();
        let memory = runs.iter().filter_map(|(_, memory)| *memory).max();
        let memory =
            memory.map_or("unknown".to_owned(), |memory| format!("{} MB", memory.div_ceil(1024)));
        let size = format!("{0} × {0}", case.side);
        println!(
            "{:<30} {:>6} {size:>13} {:>6.2} s {memory:>8}",
            case.name,
            case.colors,
            time.as_secs_f64()
        );
    }
    Ok(())
}

/// Runs the program once; returns how long it took and the most memory that it held, in kB.
fn run(case: &Case, map: &Path) -> io::Result<(Duration, Option<u64>)> {
    let begin = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_puzzle"))
        .args(case.args)
        .stdin(File::open(map)?)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    // The program has its peak memory when the output begins. It cannot end before the output is read, because it exceeds the pipe.
    stdout.read_exact(&mut [0])?;
    let memory = peak_memory(child.id());
    io::copy(&mut stdout, &mut io::sink())?;
    let status = child.wait()?;
    assert!(status.success(), "{}: {status}", case.name);
    Ok((begin.elapsed(), memory))
}

/// The peak memory of a process in kB, if the system reports it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Writes a map with the start and the target in opposite corners, and random doors and buttons of every color in between.
fn write_map(case: &Case) -> io::Result<PathBuf> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{}-{}-{}.txt", case.colors, case.side, case.walls));
    let mut file = BufWriter::new(File::create(&path)?);
    writeln!(file, "{} {1} {1}", case.colors, case.side)?;
    let mut random = Random(281);
    let last = case.side - 1;
    for row in 0..case.side {
        let mut tiles: Vec<u8> = (0..case.side).map(|_| tile(case, &mut random)).collect();
        match row {
            0 => tiles[..2].copy_from_slice(b"@."),
            1 => tiles[0] = b'.',
            _ if row == last - 1 => tiles[last] = beside_target(case),
            _ if row == last => tiles[last - 1..].copy_from_slice(&[beside_target(case), b'?']),
            _ => (),
        }
        tiles.push(b'\n');
        file.write_all(&tiles)?;
    }
    file.flush()?;
    Ok(path)
}

fn beside_target(case: &Case) -> u8 {
    if case.solvable { b'.' } else { b'#' }
}

/// Of a thousand tiles, ten are doors and ten buttons of each color, and two are traps.
fn tile(case: &Case, random: &mut Random) -> u8 {
    let colors = u64::from(case.colors);
    let draw = random.below(1000);
    let Some(draw) = draw.checked_sub(case.walls) else { return b'#' };
    match draw / 10 {
        color if color < colors => b'A' + color as u8,
        color if color < 2 * colors => b'a' + (color - colors) as u8,
        _ if (898..900).contains(&draw) => b'^',
        _ => b'.',
    }
}

/// Numbers that are random enough for a map, and the same each time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
