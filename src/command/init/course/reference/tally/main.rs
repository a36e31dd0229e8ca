//! The program `tally`: prints the sum (`--sum`) or the largest (`--max`) of the numbers on its standard input, one on each line.
//! Blank lines are skipped.

use std::process::ExitCode;
use subject::{Env, bug, tick};

fn main() -> ExitCode {
    subject::main(run)
}

fn run(env: &mut Env<'_>) -> u8 {
    match answer(env) {
        Ok(answer) => u8::from(writeln!(env.stdout, "{answer}").is_err()),
        Err(message) => {
            // A failure to write the message cannot be reported.
            let _ = writeln!(env.stderr, "{message}");
            1
        }
    }
}

fn answer(env: &mut Env<'_>) -> Result<i64, String> {
    let wants_sum = match env.args {
        [option] if option == "--sum" || option == "-s" => true,
        [option] if option == "--max" || option == "-m" => false,
        _ => return Err("use exactly one of --sum and --max".to_owned()),
    };
    let mut input = String::new();
    env.stdin.read_to_string(&mut input).map_err(|error| error.to_string())?;
    let numbers = numbers(&input)?;
    if wants_sum { Ok(numbers.iter().sum()) } else { largest(&numbers).ok_or_else(|| "line 1: there is no number".to_owned()) }
}

fn numbers(input: &str) -> Result<Vec<i64>, String> {
    let mut numbers = Vec::new();
    for (at, line) in input.lines().enumerate() {
        tick!();
        let line = line.trim();
        if line.is_empty() {
            if bug!("stops-at-a-blank-line") {
                break;
            }
            continue;
        }
        let number: i32 = line.parse().map_err(|_| format!("line {}: '{line}' is not a number", at + 1))?;
        numbers.push(i64::from(number));
    }
    Ok(numbers)
}

fn largest(numbers: &[i64]) -> Option<i64> {
    let numbers = if numbers.len() > 1 && bug!("skips-the-first-number") { &numbers[1..] } else { numbers };
    let largest = numbers.iter().max().copied();
    if largest < Some(0) && bug!("max-starts-at-zero") { Some(0) } else { largest }
}
