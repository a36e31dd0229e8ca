//! Prints a greeting. Its mutants crash, hang, or use up memory or output.

use std::process::ExitCode;
use subject::{Env, bug, tick};

fn main() -> ExitCode {
    subject::main(run)
}

fn run(env: &mut Env<'_>) -> u8 {
    let mut input = String::new();
    if env.stdin.read_to_string(&mut input).is_err() || input.trim() != "go" {
        let _ = writeln!(env.stderr, "line 1: say go");
        return 1;
    }
    while bug!("loops-with-ticks") {
        tick!();
    }
    while bug!("loops-without-ticks") {
        std::hint::spin_loop();
    }
    if bug!("panics") {
        let nothing: Vec<u8> = Vec::new();
        return nothing[input.len()];
    }
    if bug!("aborts") {
        std::process::abort();
    }
    if bug!("overflows-the-stack") {
        return deep(1) as u8;
    }
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    while bug!("eats-memory") {
        hoard.push(vec![1; 1 << 20]);
    }
    while bug!("prints-without-end") {
        let _ = writeln!(env.stdout, "again");
    }
    if bug!("exits-with-two") {
        return 2;
    }
    let greeting = if bug!("prints-otherwise") { "goodbye" } else { "hello" };
    u8::from(writeln!(env.stdout, "{greeting}").is_err())
}

fn deep(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    if depth == 0 { 0 } else { deep(depth + 1) + here[1] }
}
