//! A process in the sandbox that starts one program for one case after the other, so that the sandbox is entered once for all of them.
//!
//! It is a child of the sandbox's first process, which is this program again. After each run it ends every other process that it may, and
//! removes what the run left on the sandbox's disk. The program belongs to the same user, and can end or stop its porter. Then it has
//! crashed, or did not finish.

use super::launcher::{Launch, Launcher};
use super::limit::with_others;
use super::streams::ready;
use super::usage::{Charge, usage_of_tree};
use super::{CaseFolder, Ended, ProcessLimits, Running, init, run_once};
use crate::run::build::Runnable;
use crate::run::search::Search;
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Resource, getrlimit, set_dumpable_behavior};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use subject::wire::{self, Message};
use subject::{Case, End, Outcome};

/// Where a run can leave something.
const FOLDERS: [&str; 3] = ["/box", "/tmp", "/dev/shm"];
/// The most porters that wait for their program's next case.
const MOST_FREE: usize = 16;
/// How long a porter may take beside its program.
const PATIENCE: Duration = Duration::from_secs(2);

/// The porters of one piece of work.
pub(in crate::run) struct Porters {
    /// Those that wait, the longest first. They end before the sandbox in which they are.
    free: Mutex<Vec<Porter>>,
    /// Those that wait for their program's first case.
    new: Mutex<Vec<Porter>>,
    /// What starts them, and every other hostile program.
    pub(in crate::run) launcher: Box<dyn Launcher>,
}

/// What a porter runs.
struct Order {
    words: Vec<String>,
    case: Case,
    limits: ProcessLimits,
}

/// What came of it: the number of an error, or the outcome, the time that it is charged with, and whether it is certain. Also whether
/// nothing of the run is left.
struct Reply {
    ran: Result<(Outcome, Duration, bool), u64>,
    is_clean: bool,
}

/// A porter, and the program that it may start.
struct Porter {
    words: Vec<OsString>,
    running: Running,
    orders: File,
    replies: BufReader<Replies>,
}

impl Porters {
    pub(in crate::run) fn new(launcher: Box<dyn Launcher>) -> Self {
        Self { free: Mutex::default(), new: Mutex::default(), launcher }
    }

    /// Runs a program in the sandbox on a case. `words` start it, as the sandbox knows them.
    pub(super) fn run(
        &self,
        (words, shown): (Vec<OsString>, Vec<PathBuf>),
        case: &Case,
        limits: &ProcessLimits,
    ) -> io::Result<Ended> {
        let mut porter = match self.take(&words) {
            Some(porter) => porter,
            None => Porter::new(&*self.launcher, words, shown)?,
        };
        let (outcome, time, is_certain) = match porter.ask(case, limits) {
            Ok(Reply { ran, is_clean }) => {
                if is_clean {
                    self.give_back(porter);
                }
                let error = |number: u64| {
                    io::Error::from_raw_os_error(i32::try_from(number).unwrap_or_default())
                };
                ran.map_err(error)?
            }
            Err(error) => {
                let end = match error.kind() {
                    io::ErrorKind::TimedOut => End::Timeout,
                    _ if porter.running.has_ended()? => porter.last_words()?,
                    _ => End::Crash("it ended what runs it".to_owned()),
                };
                let (stdout, stderr, files) = (Vec::new(), Vec::new(), BTreeMap::new());
                (Outcome { end, stdout, stderr, files }, limits.time, true)
            }
        };
        Ok(Ended { outcome, time, is_certain })
    }

    /// Starts a porter for a program that will run.
    pub(super) fn expect(&self, (words, shown): (Vec<OsString>, Vec<PathBuf>)) -> io::Result<()> {
        let porter = Porter::new(&*self.launcher, words, shown)?;
        self.new.lock().unwrap_or_else(PoisonError::into_inner).push(porter);
        Ok(())
    }

    fn take(&self, words: &[OsString]) -> Option<Porter> {
        [&self.free, &self.new].into_iter().find_map(|waiting| {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let at = waiting.iter().rposition(|porter| porter.words == words)?;
            let porter = waiting.remove(at);
            // The system may have ended it, which says nothing about the program.
            (!porter.running.has_ended().unwrap_or(true)).then_some(porter)
        })
    }

    /// Ends the porters of a program that will not run.
    pub(super) fn forget(&self, words: &[OsString]) {
        while self.take(words).is_some() {}
    }

    fn give_back(&self, porter: Porter) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(porter);
        let oldest = (free.len() > MOST_FREE).then(|| free.remove(0));
        drop(free);
        drop(oldest);
    }
}

impl Porter {
    fn new(launcher: &dyn Launcher, words: Vec<OsString>, shown: Vec<PathBuf>) -> io::Result<Self> {
        let most = |resource| getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let mut launched = launcher.launch(&Launch {
            words: Vec::new(),
            variables: Vec::new(),
            shown,
            work: None,
            memory: most(Resource::As),
            file_size: most(Resource::Fsize),
            // The porter limits those of its program.
            processes: with_others(1 << 12),
        })?;
        launched.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running::start_launched(launched, true)?;
        let stdin = running.child.stdin.take().expect("it is piped");
        let stdout = running.child.stdout.take().expect("it is piped");
        let replies = Replies {
            pipe: [Some(File::from(OwnedFd::from(stdout))), None],
            process: running.child.id(),
            start: Instant::now(),
            charge: Charge::new(Duration::ZERO),
            most: [Duration::MAX; 2],
        };
        let orders = File::from(OwnedFd::from(stdin));
        Ok(Self { words, running, orders, replies: BufReader::new(replies) })
    }

    fn ask(&mut self, case: &Case, limits: &ProcessLimits) -> io::Result<Reply> {
        let words = self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let used = usage_of_tree(self.running.child.id()).map_or(Duration::ZERO, |it| it.processor);
        let replies = self.replies.get_mut();
        (replies.start, replies.charge) = (Instant::now(), Charge::new(used));
        let most = [limits.time.saturating_mul(2), limits.wall];
        replies.most = most.map(|most| most.saturating_add(PATIENCE));
        wire::write_frame(&mut self.orders, &Order { words, case: case.clone(), limits: *limits })?;
        let reply = wire::read_frame(&mut self.replies, &mut Vec::new())?;
        reply.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// How a porter ended that nobody has ended from outside. An error if it never was one.
    fn last_words(&mut self) -> io::Result<End> {
        self.running.end().map(|_| End::Crash("it ended what runs it".to_owned()))
    }
}

/// The output of a porter. Reading it fails with [`io::ErrorKind::TimedOut`] if the program's time is over and nothing arrives.
struct Replies {
    pipe: [Option<File>; 2],
    process: u32,
    start: Instant,
    charge: Charge,
    /// The most time that is charged, and by the clock.
    most: [Duration; 2],
}

impl Read for Replies {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const LOOK: Duration = Duration::from_millis(20);
        while ready(&self.pipe, LOOK)?.is_empty() {
            let used = || usage_of_tree(self.process);
            let [charged, wall] = self.most;
            if self.start.elapsed() > wall || self.charge.is_over(charged, used) {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        self.pipe[0].as_mut().map_or(Ok(0), |pipe| pipe.read(buffer))
    }
}

/// Does the work of a porter until there are no more orders.
///
/// # Errors
/// If the machine fails, or the harness has ended.
pub fn serve_as_porter() -> io::Result<()> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let present = on_disk()?;
    let (mut orders, mut replies, mut buffer) =
        (io::stdin().lock(), io::stdout().lock(), Vec::new());
    while let Some(Order { words, case, limits }) = wire::read_frame(&mut orders, &mut buffer)? {
        let runnable = Runnable::new(words, FOLDERS[0].into());
        let ran = CaseFolder::new(&case).and_then(|folder| {
            run_once(&Search::default(), &runnable, &case, &limits, &folder, None)
        });
        let ran = ran.map(|it| (it.outcome, it.time, it.is_certain));
        let ran = ran.map_err(|error| {
            error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error()).unsigned_abs().into()
        });
        init::end_all();
        let is_clean = clean(&present).is_ok();
        wire::write_frame(&mut replies, &Reply { ran, is_clean })?;
        replies.flush()?;
    }
    Ok(())
}

/// What is directly in the folders that a run can write to.
fn on_disk() -> io::Result<BTreeSet<PathBuf>> {
    let mut all = BTreeSet::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(folder)? {
            all.insert(entry?.path());
        }
    }
    Ok(all)
}

/// Removes everything that was not `present`.
fn clean(present: &BTreeSet<PathBuf>) -> io::Result<()> {
    on_disk()?.difference(present).try_for_each(|path| {
        if path.symlink_metadata()?.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        }
    })
}

impl Message for Order {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.words.len().encode(bytes);
        self.words.iter().for_each(|word| word.encode(bytes));
        self.case.encode(bytes);
        let ProcessLimits { time, wall, memory, output, processes } = self.limits;
        let time = [time, wall].map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        time.into_iter().chain([memory, output, processes]).for_each(|number| number.encode(bytes));
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let count = usize::decode(bytes)?;
        let words = (0..count).map(|_| String::decode(bytes)).collect::<io::Result<_>>()?;
        let case = Case::decode(bytes)?;
        let mut numbers = [0; 5];
        for number in &mut numbers {
            *number = u64::decode(bytes)?;
        }
        let [time, wall, memory, output, processes] = numbers;
        let [time, wall] = [time, wall].map(Duration::from_millis);
        Ok(Self { words, case, limits: ProcessLimits { time, wall, memory, output, processes } })
    }
}

impl Message for Reply {
    fn encode(&self, bytes: &mut Vec<u8>) {
        u8::from(self.is_clean).encode(bytes);
        u8::from(self.ran.is_ok()).encode(bytes);
        match &self.ran {
            Ok((outcome, time, is_certain)) => {
                outcome.encode(bytes);
                u64::try_from(time.as_micros()).unwrap_or(u64::MAX).encode(bytes);
                u8::from(*is_certain).encode(bytes);
            }
            Err(number) => number.encode(bytes),
        }
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let (is_clean, is_ok) = (u8::decode(bytes)? == 1, u8::decode(bytes)? == 1);
        let ran = if is_ok {
            let outcome = Outcome::decode(bytes)?;
            let time = Duration::from_micros(u64::decode(bytes)?);
            Ok((outcome, time, u8::decode(bytes)? == 1))
        } else {
            Err(u64::decode(bytes)?)
        };
        Ok(Self { ran, is_clean })
    }
}
