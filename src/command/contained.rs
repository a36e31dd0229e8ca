//! Commands that run programs at which nobody has looked: they run in the sandbox of `grade`, where the machine has it.

use crate::run::process;
use crate::sandbox::Sandbox;

/// What the user asks for by `--unsafe-no-sandbox`.
const ASKED: &str = "--unsafe-no-sandbox";

/// Lets these programs start in the sandbox, unless the user takes the risk. Gives the reason if they start without it.
pub fn contain(unsafe_no_sandbox: bool) -> Option<String> {
    if unsafe_no_sandbox {
        return Some(ASKED.to_owned());
    }
    match Sandbox::open() {
        Ok(sandbox) => {
            process::launch_by(Box::new(sandbox));
            None
        }
        Err(problem) => Some(problem.message),
    }
}
