//! How long it takes to make an input from a shape, and to check one. `cargo bench -p shape`.

use harness_shape::random::Random;
use harness_shape::{Inputs, Options, Shape, ctd, yaml};
use std::fs;
use std::hint::black_box;

const MAP: &str = "input:
  - line: [{ colors: 0 .. 26 }, { rows: 10 .. 10 }, { columns: 10 .. 10 }]
  - grid: map
    rows: rows
    columns: columns
    cells: \".#^\"
    letters: { a: colors, A: colors }
    exactly: { \"@\": 1, \"?\": 1 }
";

const LINES: &str =
    "input:\n  - lines: { n: 1 .. 1000000 }\n    line: [{ x: 1 .. 1000 }, { y: -1000 .. 1000 }]\n";

const SCRIPT: &str =
    "INT(1,1000000,n) NEWLINE REP(n) INT(1,1000,x) SPACE INT(-1000,1000,y) NEWLINE END";

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(what: &str, micros: f64, limit: f64) {
    let verdict = if micros <= limit { "" } else { ", more than the limit" };
    println!("{what}: {micros:.1} µs (at most {limit:.0}{verdict})");
}

/// The processor time that this thread has used, in microseconds. Other work of the machine does not count.
fn used() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat")
        .expect("Linux tells the time of a thread");
    let nanos = stat.split(' ').next().expect("it is the first number");
    nanos.parse::<f64>().expect("it is a number") / 1e3
}

/// The time of one of many runs, in microseconds. The clock counts in steps of some milliseconds.
fn time(count: u32, mut run: impl FnMut()) -> f64 {
    let start = used();
    (0..count).for_each(|_| run());
    (used() - start) / f64::from(count)
}

fn check(what: &str, shape: &Shape, input: &[u8]) {
    let options = Options::default();
    let micros = time(20, || shape.check(black_box(input), &options).expect("the input is valid"));
    print(&format!("check {} KB, {what}", input.len() / 1000), micros, 50_000.0);
}

fn main() {
    const MAPS: u32 = 100_000;
    let map = yaml::parse(MAP.as_bytes()).expect("it is a shape");
    let (maps, mut random) = (Inputs::new(map), Random::new(1, 8));
    let micros = time(MAPS, || drop(black_box(maps.tree(&mut random).expect("there is a map"))));
    print("make a map of 10 rows and 10 columns", micros, 20.0);

    let mut lines = Vec::new();
    let mut count = 0;
    while lines.len() < 1_000_000 {
        lines.extend(format!("{} {}\n", count % 1000 + 1, 999 - count % 1999).into_bytes());
        count += 1;
    }
    check("lines in YAML", &yaml::parse(LINES.as_bytes()).expect("it is a shape"), &lines);
    let counted = [format!("{count}\n").into_bytes(), lines].concat();
    check(
        "lines in checktestdata",
        &ctd::parse(SCRIPT.as_bytes()).expect("it is a shape"),
        &counted,
    );
    let grid =
        "input:\n  - grid: g\n    rows: 1 .. 1000\n    columns: 1 .. 1000\n    cells: \".#\"\n";
    let rows = [b".#".repeat(500), b"\n".to_vec()].concat().repeat(1000);
    check("a grid", &yaml::parse(grid.as_bytes()).expect("it is a shape"), &rows);
    let words = "input:\n  - lines: 1 .. 1000000\n    line: [{ w: { text: \"[a-z]+\" } }]\n";
    check(
        "words",
        &yaml::parse(words.as_bytes()).expect("it is a shape"),
        &b"abcdefg\n".repeat(125_000),
    );
}
