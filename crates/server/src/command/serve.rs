//! `harness serve`: starts the server, and the workers of this machine.

use super::Settings;
use super::of_database;
use crate::app::App;
use crate::courses::{self, Courses};
use crate::database::{Connection, Database, Result};
use crate::people::{self, invitation};
use crate::web;
use harness::course::Course;
use harness::diagnostic::{Failure, Problem};
use harness::exit::Exit;
use std::time::Duration;
use tokio::net::TcpListener;

pub(super) async fn run(settings: Settings) -> std::result::Result<Exit, Failure> {
    let listener = TcpListener::bind(settings.address).await.map_err(|error| {
        let problem = Problem::new(format!("cannot listen on {}: {error}", settings.address));
        Failure::usage(problem.hint("another server may run there; choose one with --address"))
    })?;
    let database = settings.open().await?;
    let text = settings.config.text.clone();
    let kept = database.write(move |connection| keep_rules(connection, &text));
    kept.await.map_err(of_database)?;
    let course = Course::read(&settings.course)?;
    begin_course(&database, &course).await?;
    let app = App::new(database.clone(), Courses::new(&settings.cache), &settings.url())
        .behind_proxy(settings.config.machine.proxy);
    let first = database.write(first_administrator).await.map_err(of_database)?;
    anstream_println(&format!("Serving {} at {}", course.title, app.url));
    if let Some(secret) = first {
        anstream_println("");
        anstream_println("Open this link to become the first administrator:");
        anstream_println(&format!("  {}", invitation::link(&app.url, &secret)));
    }
    tokio::spawn(sweep(database));
    web::serve(listener, &app, asked_to_end()).await;
    Ok(Exit::Done)
}

/// Prints a line. If nobody reads it, the server serves all the same.
fn anstream_println(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout().lock(), "{line}");
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

/// Puts the course in force if none is.
async fn begin_course(database: &Database, course: &Course) -> std::result::Result<(), Failure> {
    let known = database.read(courses::in_force).await.map_err(of_database)?;
    if known.is_some() {
        return Ok(());
    }
    let bytes = courses::packed(course)?;
    let title = course.title.clone();
    let begun = database.write(move |connection| {
        let digest = courses::add(connection, &bytes, &title, None)?;
        courses::put_in_force(connection, &digest, None)
    });
    begun.await.map_err(of_database)
}

/// Deletes from time to time what has ended.
async fn sweep(database: Database) {
    loop {
        if let Err(fault) = database.write(people::sweep).await {
            tracing::warn!(%fault, "ended sessions stay in the database for now");
        }
        tokio::time::sleep(Duration::from_secs(3_600)).await;
    }
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

/// Waits until somebody asks the server to end.
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate()).expect("the system tells of signals");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}
