//! The people of the course who are no students, for administrators: who they are, and what they may do.

use super::{Frame, invitation, page};
use crate::app::App;
use crate::people::change::{self, Guest, Standing};
use crate::people::{Person, Role, login};
use crate::web::{Access, Answer, Refusal, Route, Visitor, at_least, route};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let of_people = Access::StudentAs(Role::Administrator);
    vec![
        at_least(Role::Administrator, Method::GET, "/people", people),
        at_least(Role::Administrator, Method::POST, "/people", invite),
        route(Method::POST, "/people/{student}", of_people, set),
    ]
}

#[derive(Template)]
#[template(path = "people.html")]
struct People {
    frame: Frame,
    people: Vec<Member>,
    trouble: Option<Problem>,
}

/// Somebody, with what the table shows.
struct Member {
    person: Person,
    /// Whether the person has accepted an invitation.
    has_password: bool,
    is_self: bool,
}

impl Member {
    /// The sections that a grader sees, as the form has them.
    fn sees(&self) -> String {
        self.person.sees.join(", ")
    }
}

async fn people(State(app): State<App>, visitor: Visitor) -> Answer {
    shown(&app, &visitor, None).await
}

async fn shown(app: &App, visitor: &Visitor, trouble: Option<Problem>) -> Answer {
    let own = visitor.person().id;
    let people = app.database.read(move |connection| {
        let sql = format!(
            "select {}, case when password is null then 0 else 1 end from person \
             where role <> 'student' order by active desc, name, login",
            Person::COLUMNS
        );
        let rows = connection.query(&sql, &[])?;
        let one = |row: &crate::database::Row| {
            let person = Person::of(row);
            Member { has_password: row.is(8), is_self: person.id == own, person }
        };
        Ok(rows.iter().map(one).collect::<Vec<_>>())
    });
    let people = people.await?;
    let status = if trouble.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let frame = Frame::new("People", &super::course(app).await?, visitor);
    Ok((status, page(&People { frame, people, trouble })).into_response())
}

#[derive(Deserialize)]
struct Invited {
    login: String,
    #[serde(default)]
    name: String,
    role: String,
}

async fn invite(State(app): State<App>, visitor: Visitor, Form(sent): Form<Invited>) -> Answer {
    let guest = match (login::checked(&sent.login), Role::of(&sent.role)) {
        (Ok(login), Some(role)) => Guest { login, name: Some(sent.name), role: Some(role) },
        (Err(problem), _) => return shown(&app, &visitor, Some(problem)).await,
        (_, None) => return Err(unknown_role(&sent.role)),
    };
    let by = visitor.person().id;
    let login = guest.login.clone();
    let invited = app.database.write(move |connection| {
        let secret = change::invite(connection, Some(by), &guest)?;
        Ok((secret, Person::by_login(connection, &login)?))
    });
    match invited.await? {
        (Ok(secret), Some(person)) => {
            invitation::invited(&app, &visitor, person, &secret, "/people".to_owned()).await
        }
        (Err(problem), _) => shown(&app, &visitor, Some(problem)).await,
        (Ok(_), None) => Err(Refusal::NotFound),
    }
}

#[derive(Deserialize)]
struct Changed {
    role: String,
    /// Sections, separated by commas.
    #[serde(default)]
    sees: String,
    /// A box that is not ticked is not sent.
    active: Option<String>,
}

async fn set(State(app): State<App>, visitor: Visitor, Form(sent): Form<Changed>) -> Answer {
    let Some(role) = Role::of(&sent.role) else { return Err(unknown_role(&sent.role)) };
    let sections = sent.sees.split(',').map(str::trim).filter(|section| !section.is_empty());
    let after = Standing {
        role: role.word(),
        sees: sections.map(Into::into).collect(),
        is_active: sent.active.is_some(),
    };
    let (by, login) = (visitor.person().id, visitor.student().login.clone());
    let set = app.database.write(move |it| change::set(it, Some(by), &login, &after)).await?;
    match set {
        Ok(()) => Ok(Redirect::to("/people").into_response()),
        Err(problem) => shown(&app, &visitor, Some(problem)).await,
    }
}

fn unknown_role(word: &str) -> Refusal {
    let problem = Problem::new(format!("there is no role `{}`", word.escape_debug()));
    Refusal::Wrong(problem.hint("choose one of the list"))
}
