//! The time and output size of the programs on a maze of 5000×5000 rooms: `cargo bench -p maze`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its times")]

use std::process::Command;
use std::time::Instant;

fn main() {
    // Without `cargo bench`, only check that the benchmark runs.
    let rooms = if std::env::args().any(|argument| argument == "--bench") { 5000 } else { 50 };
    let folder = std::env::temp_dir().join(format!("maze-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files can be made");
    let file = |name: &str| {
        folder.join(name).into_os_string().into_string().expect("the folder's name is text")
    };
    let (maze, path, walk) = (file("maze.txt"), file("path.txt"), file("walk.txt"));
    let (size, last) = (format!("{rooms}x{rooms}"), (rooms - 1).to_string());

    time(
        "generator",
        env!("CARGO_BIN_EXE_generator"),
        &["--seed", "1", "--size", &size, &maze],
        &maze,
    );
    time("solver", env!("CARGO_BIN_EXE_solver"), &[&maze, &path, "0", "0", &last, &last], &path);
    time(
        "solver --full",
        env!("CARGO_BIN_EXE_solver"),
        &["--full", &maze, &walk, "0", "0", &last, &last],
        &walk,
    );
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

fn time(name: &str, program: &str, args: &[&str], output: &str) {
    let begin = Instant::now();
    let status = Command::new(program).args(args).status().expect("the program starts");
    let elapsed = begin.elapsed();
    assert!(status.success(), "{name} failed: {status}");
    let bytes = std::fs::metadata(output).expect("the program wrote its file").len();
    println!("{name:<14} {:>8.3} s {bytes:>12} bytes", elapsed.as_secs_f64());
}
