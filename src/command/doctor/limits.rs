//! Checks the limits of programs: tries each with a program that exceeds it.

use crate::diagnostic::Problem;
use crate::report::doctor::{Finding, Health};
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use crate::sandbox::Sandbox;
use std::time::Duration;
use subject::{Case, End};

/// A limit, and a program that exceeds it.
struct Trial {
    what: &'static str,
    script: &'static str,
    /// The time limit. It is generous if another limit is tried.
    time: Duration,
    held: fn(&End) -> bool,
    /// What it does not hold on this machine, although it holds for the program that exceeds it.
    unlimited: fn() -> Option<Problem>,
}

const TRIALS: [Trial; 4] = [
    Trial {
        what: "limit on time",
        script: "while :; do :; done",
        time: Duration::from_millis(200),
        held: |end| *end == End::Timeout,
        unlimited: || None,
    },
    Trial {
        what: "limit on output",
        script: "while :; do echo again; done",
        time: Duration::from_secs(10),
        held: |end| *end == End::OutputLimit,
        unlimited: || None,
    },
    Trial {
        what: "limit on memory",
        script: "hoard=more; while :; do hoard=$hoard$hoard; done",
        time: Duration::from_secs(10),
        held: |end| !matches!(end, End::Exit(0) | End::Timeout),
        unlimited: || Sandbox::none().unlimited(),
    },
    Trial {
        what: "limit on processes",
        // On a very busy machine, it takes seconds until all have started and are counted.
        script: "for one in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & done; wait",
        time: Duration::from_secs(10),
        held: |end| matches!(end, End::Crash(_) | End::Exit(1..)),
        unlimited: || None,
    },
];

/// The result of trying each limit. That needs `temporary` files.
pub(super) fn findings(temporary: &Finding) -> Vec<Finding> {
    let finding = |what: &str, health, found: String| Finding {
        what: what.to_owned(),
        health,
        found,
        remedy: None,
    };
    if process::usage(std::process::id()).is_none() {
        let found =
            "/proc has no information about processes, which limits on time and processes need"
                .to_owned();
        let remedy = Some("mount it, for example with `mount -t proc proc /proc`".to_owned());
        return vec![Finding { remedy, ..finding("limits", Health::Missing, found) }];
    }
    if temporary.health == Health::Missing {
        let untried = |trial: &Trial| {
            finding(trial.what, Health::Optional, format!("was not tried: see {}", temporary.what))
        };
        return TRIALS.iter().map(untried).collect();
    }
    let wrong = |what, found| {
        let remedy = Some(
            "use a system that allows this limit; here, nothing stops a program that exceeds it"
                .to_owned(),
        );
        Finding { remedy, ..finding(what, Health::Missing, found) }
    };
    let findings =
        TRIALS.iter().map(|Trial { what, script, time, held, unlimited }| {
            match try_out(script, *time) {
                Ok(end) if held(&end) => match unlimited() {
                    Some(Problem { message, hint, .. }) => {
                        Finding { remedy: hint, ..finding(what, Health::Optional, message) }
                    }
                    None => finding(what, Health::Fine, "holds".to_owned()),
                },
                Ok(end) => wrong(
                    what,
                    format!("does not hold: a program that exceeds it {}", in_words(&end)),
                ),
                Err(error) => wrong(what, format!("cannot be tried with `sh`: {error}")),
            }
        });
    findings.collect()
}

fn in_words(end: &End) -> String {
    match end {
        End::Exit(status) => format!("ended with status {status}"),
        End::Crash(how) => format!("crashed: {how}"),
        End::Timeout => "ran out of time".to_owned(),
        End::Memory => "ran out of memory".to_owned(),
        End::OutputLimit => "wrote too much".to_owned(),
    }
}

fn try_out(script: &str, time: Duration) -> std::io::Result<End> {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    let runnable = Runnable::new(words, std::env::temp_dir());
    let limits =
        ProcessLimits { time, wall: 10 * time, memory: 64 << 20, output: 64 << 10, processes: 4 };
    Ok(process::run_among_others(&Work::default(), &runnable, &Case::default(), &limits)?.0.end)
}
