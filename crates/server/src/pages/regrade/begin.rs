//! The form that begins a regrade.

use super::{changed, wrong};
use crate::app::App;
use crate::database::{Connection, Fault, Result as Done};
use crate::people::{Person, Role};
use crate::regrades::{self, New, Scope};
use crate::web::{Answer, Refusal, Visitor};
use axum::Form;
use axum::extract::State;
use serde::Deserialize;

/// The most students that are named.
const MOST_STUDENTS: usize = 500;

/// What the form sends that begins a regrade.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Begin {
    course: String,
    assignment: String,
    scope: String,
    #[serde(default)]
    students: String,
    #[serde(default)]
    again: String,
}

impl Begin {
    fn scope(&self) -> Result<Scope, Refusal> {
        let between = |it: char| it.is_whitespace() || it == ',' || it == ';';
        let logins = self.students.split(between).filter(|it| !it.is_empty()).map(Into::into);
        match self.scope.as_str() {
            "counting" => Ok(Scope::Counting),
            "all" => Ok(Scope::All),
            _ => match logins.collect::<Vec<String>>() {
                all if all.is_empty() => Err(wrong("no student is named", "write their logins")),
                all if all.len() > MOST_STUDENTS => {
                    Err(wrong("these are too many students", "choose all submissions instead"))
                }
                all => Ok(Scope::Students(all)),
            },
        }
    }
}

pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Form(sent): Form<Begin>,
) -> Answer {
    let scope = sent.scope()?;
    let version = app.courses.version(&app.database, &sent.course).await;
    let version =
        version.map_err(|_| wrong("this version cannot be used", "choose another one"))?;
    version.assignment(&sent.assignment).ok_or_else(|| {
        wrong("this version does not have the assignment", "choose another version")
    })?;
    let rules = app.rules().await?;
    let new = New {
        course: sent.course,
        assignment: sent.assignment,
        scope,
        again: sent.again == "yes",
        by: visitor.person().id,
    };
    let (wanted, of) = (new.clone(), rules.clone());
    let count = app.database.read(move |connection| {
        if let Some(login) = unknown(connection, &wanted.scope)? {
            return Ok(Err(login));
        }
        Ok(Ok(regrades::count(connection, &of, &wanted)?))
    });
    let count = count.await?.map_err(|login| {
        wrong(format!("there is no student `{login}`"), "the page of the students has all logins")
    })?;
    if count == 0 {
        let what = "there is nothing to regrade: these submissions have results of this version";
        return Err(wrong(what, "tick the last box to grade them all the same"));
    }
    let id = app.database.write(move |connection| regrades::begin(connection, &new, count)).await?;
    // It goes on though nobody may wait for the page any more.
    let database = app.database.clone();
    let queued = tokio::spawn(async move { regrades::finish(&database, &rules, id).await });
    queued.await.map_err(|error| Fault::Broken(error.to_string()))??;
    Ok(changed(&app, id))
}

/// The first of the named students who is not there.
fn unknown(connection: &mut Connection<'_>, scope: &Scope) -> Done<Option<String>> {
    let Scope::Students(logins) = scope else { return Ok(None) };
    for login in logins {
        let known = Person::by_login(connection, login)?;
        if known.is_none_or(|person| person.role != Role::Student) {
            return Ok(Some(login.clone()));
        }
    }
    Ok(None)
}
