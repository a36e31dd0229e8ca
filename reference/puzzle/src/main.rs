//! The program `puzzle`.
use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(|env| {
        let _ = subject::bug!("discovers-west-before-east");
        subject::tick!();
        u8::from(env.args.is_empty())
    })
}
