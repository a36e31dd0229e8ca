//! Layouts per second and bytes per layout of the search, on boards of growing size: `cargo bench -p sliding`.
//!
//! No board has a solution, so each search visits every layout. Processor time is counted, where the system reports it, so that what
//! else the machine does matters less.
//! An argument selects the boards whose names contain it.

use sliding::{data, search};
use std::fs;
use std::time::Instant;

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let mut lines = vec![format!(
        "{:<24}{:>12}{:>10}{:>14}{:>14}{:>12}",
        "board", "layouts", "ms", "layouts/s", "bytes/layout", "peak MB"
    )];
    for (name, board) in boards().iter().filter(|(name, _)| name.contains(&wanted)) {
        lines.push(measure(name, board));
    }
    let table = lines.join("\n") + "\n";
    std::io::Write::write_all(&mut std::io::stdout(), table.as_bytes())
        .expect("standard output is open");
}

fn measure(name: &str, board: &str) -> String {
    let puzzle = data::read(board).expect("the board is valid").puzzle;
    let (mut runs, clock) = (0, Instant::now());
    let now = || processor_time().unwrap_or_else(|| clock.elapsed().as_secs_f64());
    let start = now();
    // Small boards are run repeatedly, because one run is too short for the clock.
    let result = loop {
        runs += 1;
        let result = search::search(&puzzle);
        if now() - start > 0.2 {
            break result;
        }
    };
    assert_eq!(result.moves, None, "{name} has no solution");
    let seconds = (now() - start) / f64::from(runs);
    let (layouts, bytes) = (result.layouts as f64, result.bytes as f64);
    format!(
        "{name:<24}{:>12}{:>10.3}{:>14.0}{:>14.1}{:>12}",
        result.layouts,
        seconds * 1e3,
        layouts / seconds,
        bytes / layouts,
        peak().unwrap_or_else(|| "?".to_owned())
    )
}

/// The seconds of processor time of this thread, if the system reports them.
fn processor_time() -> Option<f64> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = statistics.split(' ').next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

/// The peak memory of this process in megabytes, if the system reports it.
fn peak() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    Some(format!("{}", kilobytes.parse::<u64>().ok()? / 1024))
}

fn boards() -> Vec<(String, String)> {
    let mut boards = Vec::new();
    for rows in [1, 2, 3, 4, 5, 6] {
        boards.push((format!("cars-8x8-{rows}"), cars(rows)));
    }
    boards.push(("cars-8x8-twice-6".to_owned(), cars(6) + "8 1 7 1 h\n"));
    for columns in [4, 5, 6, 7] {
        boards.push((format!("blocks-5x{columns}"), blocks(columns)));
    }
    boards.push(("squares-8x8".to_owned(), squares(8)));
    boards.push(("squares-9x9".to_owned(), squares(9)));
    boards.push(("127-pieces-20x16".to_owned(), many(127)));
    boards
}

/// Rows with two cars of two cells each, which have 15 layouts, below a goal piece of seven cells that is blocked by a fixed piece.
fn cars(rows: usize) -> String {
    let goal = "8 8\n1 1 7 1 h\n1 8 1 1 n\n".to_owned();
    (2..rows + 2).fold(goal, |board, row| board + &format!("{row} 1 2 1 h\n{row} 3 2 1 h\n"))
}

/// Pieces of many shapes that move in every direction, beside a fixed goal piece. The last three columns are empty.
fn blocks(columns: usize) -> String {
    format!(
        "5 {columns}\n1 1 1 1 n\n1 2 1 2 b\n2 1 1 2 b\n3 2 1 1 b\n4 1 1 2 b\n4 2 1 1 b\n5 2 1 1 b\n"
    )
}

/// Three small squares on a large grid.
fn squares(size: usize) -> String {
    format!("{size} {size}\n1 1 1 1 n\n2 2 1 1 b\n2 3 2 1 b\n3 2 1 2 b\n")
}

/// This many pieces on a grid of 20 × 16. All move sideways in full rows, except for the last six, which can slide down.
fn many(pieces: usize) -> String {
    let goal = "20 16\n1 1 1 1 n\n".to_owned();
    (1..pieces).fold(goal, |board, index| {
        let movement = if index + 6 >= pieces { 'v' } else { 'h' };
        board + &format!("{} {} 2 1 {movement}\n", index / 8 + 1, index % 8 * 2 + 1)
    })
}
