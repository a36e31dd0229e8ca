//! Runs a reference with files in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use subject::{Env, Files, Program};

/// The outcome of a run.
pub(crate) struct Run {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// Runs a program with these arguments on an input, which is also the file `input`.
pub(crate) fn run(program: Program, args: &[&str], input: &[u8]) -> Run {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let mut files = Files::Memory(BTreeMap::from([("input".to_owned(), input.to_vec())]));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut env = Env {
        args: &args,
        stdin: &mut { input },
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    let status = program(&mut env);
    let Files::Memory(files) = files else { unreachable!("they are in memory") };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status, stdout: text(stdout), stderr: text(stderr), files }
}

impl Run {
    /// The text of the file that the program wrote under this name.
    pub(crate) fn file(&self, name: &str) -> &str {
        std::str::from_utf8(&self.files[name]).unwrap()
    }
}
