//! Runs a program as a worker, which reads cases from standard input and answers each with a row of the matrix.
//!
//! The program cannot disturb the worker's own streams: panics are caught, and output goes to memory. An abort, a stack overflow or a
//! loop without [`tick!`](crate::tick) cannot be caught. It ends or stalls the process, and the harness notices that.

use crate::select::{self, Cut, MAX_MUTANTS};
use crate::wire::{self, Answer, Detail, Difference, Hello, MutantSet, Request};
use crate::{Case, End, Env, Files, Outcome, Program};
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

const BUFFER: usize = 1 << 16;

thread_local! {
    /// The message of the last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn serve(program: Program, version: &OsStr) -> ExitCode {
    if version != wire::VERSION {
        eprintln!("{}{}, not {}", wire::OTHER_VERSION, wire::VERSION, version.display());
        return ExitCode::FAILURE;
    }
    panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
    match converse(program) {
        Ok(()) => ExitCode::SUCCESS,
        // The harness has ended.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the worker's protocol broke: {error}");
            ExitCode::FAILURE
        }
    }
}

fn converse(program: Program) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut output = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut buffer = Vec::new();
    let Some(hello) = wire::read_frame::<Hello>(&mut input, &mut buffer)? else { return Ok(()) };
    if hello.ids.len() > MAX_MUTANTS {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("more than {MAX_MUTANTS} mutants"),
        ));
    }
    select::name_mutants(hello.ids.clone());
    let mut frame = Vec::new();
    while let Some(request) = wire::read_frame::<Request>(&mut input, &mut buffer)? {
        frame.clear();
        wire::put_frame(&mut frame, &answer(program, &hello, &request));
        output.write_all(&frame)?;
        // Buffer answers only while more cases are ready.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

fn answer(program: Program, hello: &Hello, request: &Request) -> Answer {
    let limits = hello.limits;
    let args: Vec<OsString> = request.case.args.iter().map(OsString::from).collect();
    let run_to_end =
        |mutant, steps| run(program, &args, &request.case, mutant, steps, limits.output);
    let run = |mutant, steps| run_to_end(mutant, steps).0;

    let most = request.steps.unwrap_or(limits.reference_steps);
    let mut reference = run(None, most);
    let steps = most - select::steps_left();
    let reached: MutantSet = select::reached().collect();
    let (mut differing, mut near) = (Vec::new(), MutantSet::default());
    let mut endless = MutantSet::default();
    if hello.runs_mutants_after(&reference.end) {
        let allowed = steps.saturating_mul(limits.step_factor).max(limits.step_floor);
        for mutant in reached.iter().filter(|&mutant| request.mutants.contains(mutant)) {
            let (outcome, cut) = run_to_end(Some(mutant), allowed);
            if cut == Some(Cut::Endless) {
                endless.insert(mutant);
            }
            if let Some(how) = hello.difference(&reference, &outcome) {
                let outcome = (request.detail == Detail::Outcomes).then_some(outcome);
                differing.push(Difference { mutant, how, outcome });
            } else if allowed - select::steps_left() != steps {
                near.insert(mutant);
            }
        }
    }
    let written = reference.written();
    if request.detail == Detail::Verdicts {
        reference.stdout.clear();
        reference.files.clear();
    }
    Answer { reference, steps, written, reached, differing, near, endless }
}

/// Runs `program` once, with one mutant selected or none. Also gives what cut the run.
fn run(
    program: Program,
    args: &[OsString],
    case: &Case,
    mutant: Option<usize>,
    steps: u64,
    limit: u64,
) -> (Outcome, Option<Cut>) {
    let (mut stdout, mut stderr) = (Capped::new(limit), Capped::new(limit));
    let mut files = Files::Memory(case.files.clone());
    let mut stdin = case.input.as_slice();
    let mut env = Env {
        args,
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    select::begin(mutant, steps);
    let ended = panic::catch_unwind(AssertUnwindSafe(|| program(&mut env)));
    let cut = ended.as_ref().err().and_then(|payload| payload.downcast_ref::<Cut>().copied());
    let end = match (ended, cut) {
        (Ok(status), _) => End::Exit(status),
        (_, Some(Cut::Steps | Cut::Endless)) => End::Timeout,
        (_, Some(Cut::Output)) => End::OutputLimit,
        (_, None) => End::Crash(PANIC.take()),
    };
    let Files::Memory(mut files) = files else { unreachable!("a case's files stay in memory") };
    // As in a process, the files of a case without files say nothing.
    files.retain(|name, contents| !case.files.is_empty() && case.files.get(name) != Some(contents));
    (Outcome { end, stdout: stdout.bytes, stderr: stderr.bytes, files }, cut)
}

/// A stream in memory that ends the run when it exceeds its limit.
struct Capped {
    bytes: Vec<u8>,
    left: u64,
}

impl Capped {
    fn new(limit: u64) -> Self {
        Self { bytes: Vec::new(), left: limit }
    }
}

impl Write for Capped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else { Cut::Output.unwind() };
        self.left = left;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
