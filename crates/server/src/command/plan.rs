//! `harness serve plan`: says how many workers the hours before a due date need.

use super::{Settings, of_database};
use crate::database::{Address, Connection, Result};
use crate::plan::past::{self, Past};
use crate::plan::{HOURS, Need, need};
use crate::rules::Rules;
use harness::cli::serve::Plan;
use harness::command::print;
use harness::diagnostic::{Failure, Problem};
use harness::exit::Exit;
use harness::report::screen::{Screen, WriteText};
use harness::report::table::Table;
use harness::report::words::counted;
use serde::Serialize;
use std::fmt::{self, Write};

/// The version of the document that `plan --format json` writes.
const SCHEMA: &str = "harness-plan/1";

/// How long a submission takes if none was measured. Milliseconds.
const USUAL: i64 = 15_000;

/// How often a student hands in on the last day, if there is no history.
const USUALLY: usize = 3;

/// How many workers the hours before a due date need.
#[derive(Debug, Serialize)]
struct Planned {
    /// `harness-plan/1`.
    schema: &'static str,
    durations: Durations,
    /// How many due dates tell when students hand in. 0: the usual curve.
    due_dates: usize,
    needs: Vec<Need>,
    /// Whether the number of workers was given.
    #[serde(skip)]
    is_given: bool,
}

/// How long submissions were graded.
#[derive(Debug, Serialize)]
struct Durations {
    /// The assignment that was measured. Without one, the duration was given or assumed.
    assignment: Option<String>,
    /// How many submissions were measured.
    measured: usize,
    /// Seconds, as is the next one.
    median: f64,
    /// Nine of ten took no longer.
    most: f64,
}

pub(super) async fn run(settings: Settings, options: &Plan) -> std::result::Result<Exit, Failure> {
    let (mut past, assignment) = known(&settings, options).await?;
    let measured = past.durations.len();
    if past.durations.is_empty() {
        past.durations.push(options.seconds.map_or(USUAL, |it| i64::from(it) * 1000));
    }
    past.each = options.each.map_or(USUALLY, |it| it as usize);
    if options.each.is_some() {
        (past.history, past.due_dates) = (Vec::new(), 0);
    }
    past.durations.sort_unstable();
    let seconds =
        |share: usize| past.durations[(past.durations.len() - 1) * share / 10] as f64 / 1e3;
    let workers = options.workers.map(|it| it as usize);
    let needs = options.students.iter();
    let planned = Planned {
        schema: SCHEMA,
        durations: Durations { assignment, measured, median: seconds(5), most: seconds(9) },
        due_dates: past.due_dates,
        needs: needs.map(|it| need(&past, *it as usize, workers, options.seed)).collect(),
        is_given: workers.is_some(),
    };
    print("the plan", &planned, options.format)?;
    Ok(Exit::Done)
}

/// What the database knows, and the assignment whose submissions were measured.
async fn known(
    settings: &Settings,
    options: &Plan,
) -> std::result::Result<(Past, Option<String>), Failure> {
    if matches!(&settings.database, Address::Sqlite(path) if !path.exists()) {
        return match &options.assignment {
            Some(id) => Err(unmeasured(id, &[])),
            None => Ok((Past::default(), None)),
        };
    }
    let database = settings.open().await?;
    let rules = settings.config.rules.clone();
    let (past, measured) =
        database.read(move |connection| read(connection, &rules)).await.map_err(of_database)?;
    let assignment = match &options.assignment {
        Some(id) if !measured.contains(id) => return Err(unmeasured(id, &measured)),
        Some(id) => Some(id.clone()),
        None => measured.first().cloned().filter(|_| options.seconds.is_none()),
    };
    let Some(id) = assignment else { return Ok((past, None)) };
    let of = id.clone();
    let durations = database.read(move |connection| past::durations(connection, &of)).await;
    Ok((Past { durations: durations.map_err(of_database)?, ..past }, Some(id)))
}

/// The history, and the assignments that were measured.
fn read(connection: &mut Connection<'_>, rules: &Rules) -> Result<(Past, Vec<String>)> {
    let (history, due_dates) = past::history(connection, rules)?;
    let measured = past::measured(connection)?;
    Ok((Past { history, due_dates, ..Past::default() }, measured))
}

fn unmeasured(id: &str, measured: &[String]) -> Failure {
    let problem = Problem::new(format!("no submission of `{id}` was graded yet"));
    Failure::usage(match measured {
        [] => problem.hint("say how long one takes: --seconds 20"),
        some => problem.hint(format!("measured are: {}", some.join(", "))),
    })
}

impl WriteText for Planned {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        screen.prose(out, &self.durations.told())?;
        screen.prose(out, &self.arrivals())?;
        writeln!(out)?;
        let mut table = Table::new(0).right_aligned(&[0, 1, 2, 3, 4]);
        table.row(
            [
                "students",
                "submissions",
                "busiest hour",
                "workers",
                "half start in",
                "99 % start in",
            ]
            .map(str::to_owned),
        );
        for need in &self.needs {
            table.row([
                need.students.to_string(),
                need.submissions.to_string(),
                need.in_the_busiest_hour.to_string(),
                need.workers.to_string(),
                format!("{:.1} s", need.half_start_in),
                format!("{:.1} s", need.nearly_all_start_in),
            ]);
        }
        table.write(out, screen)?;
        writeln!(out)?;
        if !self.is_given {
            screen.prose(
                out,
                "With so many workers, half start within 10 s, and 99 % within 5 minutes.",
            )?;
        }
        screen.prose(out, "A worker grades one submission at a time, on a core of its own.")
    }
}

impl Planned {
    fn arrivals(&self) -> String {
        match self.due_dates {
            0 => format!(
                "Nothing is known of earlier due dates: half of what comes in the last {HOURS} hours is \
                 assumed to come in the last two."
            ),
            count => format!(
                "Students hand in as they did in the {HOURS} hours before {}.",
                counted(count, "earlier due date")
            ),
        }
    }
}

impl Durations {
    fn told(&self) -> String {
        let Self { assignment, measured, median, most } = self;
        match assignment {
            Some(id) => format!(
                "{} of `{id}` took {median:.1} s in the median, nine of ten up to {most:.1} s.",
                counted(*measured, "submission"),
            ),
            None => format!("A submission is taken to need {median:.0} s."),
        }
    }
}
