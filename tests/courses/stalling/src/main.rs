//! Prints how many walls a map has. Some of its mutants hang without counting steps.

use std::process::ExitCode;
use std::time::Duration;
use subject::{Env, bug};

fn main() -> ExitCode {
    subject::main(run)
}

fn run(env: &mut Env<'_>) -> u8 {
    let mut map = String::new();
    if env.stdin.read_to_string(&mut map).is_err() {
        return 1;
    }
    let mut walls = map.matches('#').count();
    if walls > 0 {
        while bug!("loops") {
            std::hint::spin_loop();
        }
        while bug!("sleeps") {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    if bug!("miscounts") && walls > 2 {
        walls -= 1;
    }
    u8::from(writeln!(env.stdout, "{walls}").is_err())
}
