//! `harness serve`: starts the server, and the workers of this machine.

use super::{Settings, assignments, machine, of_database, say};
use crate::app::App;
use crate::authorities;
use crate::courses::{self, Courses};
use crate::database::{Connection, Database, Result};
use crate::lti::contexts;
use crate::mining;
use crate::people::{self, invitation};
use crate::receipts;
use crate::regrades;
use crate::rules::Moment;
use crate::secret;
use crate::sender;
use crate::system;
use crate::web;
use crate::worker::{self, Options, Program, Stop, Workers};
use harness::command::pack;
use harness::command::terminal;
use harness::course::Course;
use harness::diagnostic::{Failure, Problem, Warning};
use harness::exit::Exit;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;

/// How long requests may take that have come when somebody asks for the end.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

pub(super) async fn run(settings: Settings) -> std::result::Result<Exit, Failure> {
    crate::log::begin(settings.config.machine.log);
    // Before the database, which is made if there is none: a folder without a course stays as it is.
    let course = Course::read(&settings.course)?;
    machine::check_cache(&settings.cache)?;
    authorities::tls().map_err(Failure::usage)?;
    let listener = TcpListener::bind(settings.address).await.map_err(|error| {
        let problem = Problem::new(format!("cannot listen on {}: {error}", settings.address));
        Failure::usage(problem.hint(
            "another server may run there; choose another address with --address, such as 127.0.0.1:8282",
        ))
    })?;
    let database = settings.open().await?;
    let text = settings.config.text.clone();
    let kept = database.write(move |connection| keep_rules(connection, &text));
    kept.await.map_err(of_database)?;
    let signs = database.write(|connection| receipts::key::current(connection).map(|_| ()));
    signs.await.map_err(of_database)?;
    begin_course(&database, &course).await?;
    let app = App::new(database.clone(), Courses::new(&settings.cache), &settings.url())
        .behind_proxy(settings.config.machine.proxy)
        .with_sign_in(settings.sign_in()?);
    // The page of the course names it, and `.` would tell nobody where it is.
    let folder = std::path::absolute(&course.folder).unwrap_or_else(|_| course.folder.clone());
    let _ = app.folder.set(folder.components().collect());
    if let Some(earlier) = earlier_terms(&settings)? {
        let _ = app.earlier.set(earlier);
    }
    let first = database.write(first_administrator).await.map_err(of_database)?;
    say(&format!("Serving {} at {}", course.title, app.url));
    for (found, remedy) in assignments::mistakes(&course, &settings.config.rules) {
        say(&format!("warning: {found}"));
        say(&format!("hint: {remedy}"));
    }
    if let Some(secret) = first {
        say("");
        say("Open this link to become the first administrator:");
        say(&format!("  {}", invitation::link(&app.url, &secret)));
    }
    let (asker, stop) = worker::channel();
    tokio::spawn(asker.ask_at_signals());
    let options = Options::new(graders(settings.workers).await, Program::this()?);
    let workers = Workers::start(&app, &options, &stop)?;
    tokio::spawn(sweep(app.clone()));
    let sends = tokio::spawn(sender::run(app.clone(), stop.clone()));
    serve(listener, &app, &stop).await;
    workers.ended().await;
    let _ = sends.await;
    Ok(Exit::Done)
}

/// The folder of works of earlier terms.
fn earlier_terms(settings: &Settings) -> std::result::Result<Option<PathBuf>, Failure> {
    let Some(folder) = &settings.config.machine.earlier_terms else { return Ok(None) };
    let folder = settings.file.parent().unwrap_or(Path::new(".")).join(folder);
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    let problem = Problem::new(format!("`earlier_terms`: {} is no folder", folder.display()));
    let hint = "make it, with a folder for each term, a folder for each assignment in it, and the works in that";
    Err(Failure::usage(problem.hint(hint)))
}

/// How many workers this machine has. Where it cannot grade there are none, because each would only fail: submissions wait instead.
async fn graders(asked: usize) -> usize {
    if asked == 0 {
        return 0;
    }
    let Some(problem) = machine::cannot_grade().await else { return asked };
    let what = format!("submissions wait, because nothing is graded here: {}", problem.message);
    let hint = problem.hint.map(|hint| format!("{hint}; ")).unwrap_or_default();
    let hint =
        format!("{hint}start the server again afterwards, or elsewhere `harness serve worker`");
    terminal::say(&Warning(Problem::new(system::said(&what)).hint(hint)));
    0
}

/// Serves until somebody asks for the end, and then answers the requests that have come.
async fn serve(listener: TcpListener, app: &App, stop: &Stop) {
    tokio::select! {
        () = web::serve(listener, app, stop.asked()) => {}
        // Pages that wait for news would keep their connections for ever.
        () = stop.is_over(LAST_ANSWERS) => {}
    }
}

/// Stores the rules, if they are new.
fn keep_rules(connection: &mut Connection<'_>, text: &str) -> Result<()> {
    let last = connection.first("select text from rules order by id desc limit 1", &[])?;
    if last.is_none_or(|row| row.text(0) != text) {
        let now = connection.now()?;
        let sql = "insert into rules (text, at) values ($1, $2)";
        connection.execute(sql, &[text.into(), now.into()])?;
    }
    Ok(())
}

/// Puts the course in force if none is. If another version is, it stays, and whoever started the server reads so.
async fn begin_course(database: &Database, course: &Course) -> std::result::Result<(), Failure> {
    let bytes = pack::course(course)?;
    let title = course.title.clone();
    let begun = database.write(move |connection| {
        let digest = secret::sha256(&bytes);
        let known = courses::in_force(connection)?;
        if known.is_none() {
            courses::add(connection, &bytes, &title, None)?;
            courses::put_in_force(connection, &digest, None)?;
        }
        Ok(known.filter(|known| *known != digest))
    });
    if let Some(other) = begun.await.map_err(of_database)? {
        let folder = course.folder.display();
        let version = courses::short(&other);
        say(&format!("The course in {folder} is not version {version}, which is in force."));
        say("`harness serve course --apply` uses what is in the folder from now on.");
        say("");
    }
    Ok(())
}

/// Deletes from time to time what has ended, and ends what a server that was ended had begun.
async fn sweep(app: App) {
    loop {
        if let Err(fault) = app.database.write(people::sweep).await {
            tracing::warn!(%fault, "ended sessions stay in the database for now");
        }
        if let Err(fault) = app.database.write(contexts::sweep).await {
            tracing::warn!(%fault, "launches that have ended stay in the database for now");
        }
        if let Err(fault) = finish_regrades(&app).await {
            tracing::warn!(%fault, "some submissions of a regrade are not queued for now");
        }
        if let Err(fault) = mine_at_night(&app).await {
            tracing::warn!(%fault, "nobody looks for now what a class gets wrong");
        }
        tokio::time::sleep(Duration::from_hours(1)).await;
    }
}

async fn finish_regrades(app: &App) -> Result<()> {
    let rules = app.rules().await?;
    for id in app.database.read(regrades::unfinished).await? {
        regrades::finish(&app.database, &rules, id).await?;
    }
    Ok(())
}

async fn mine_at_night(app: &App) -> Result<()> {
    let (rules, version) = (app.rules().await?, app.courses.in_force(&app.database).await?);
    let all: Vec<_> = version.assignments().map(|it| it.id.clone()).collect();
    let queue = move |connection: &mut Connection<'_>| {
        let now = Moment(connection.now()?);
        mining::nightly(connection, &rules, &version.digest, &all, now)
    };
    app.database.write(queue).await
}

/// A new invitation of the first administrator, as long as no administrator has a password.
fn first_administrator(connection: &mut Connection<'_>) -> Result<Option<String>> {
    let sql = "select 1 from person where role = 'administrator' and password is not null limit 1";
    if connection.first(sql, &[])?.is_some() {
        return Ok(None);
    }
    let now = connection.now()?;
    connection.execute(
        "insert into person (login, name, role, created) \
         values ('administrator', 'Administrator', 'administrator', $1) on conflict do nothing",
        &[now.into()],
    )?;
    let row = connection.first("select id from person where login = 'administrator'", &[])?;
    row.map(|row| invitation::make(connection, row.int(0))).transpose()
}
