//! With whom a student hands in: who invites whom, and who accepts.

use super::Open;
use crate::app::App;
use crate::database::Connection;
use crate::people::{Person, Role};
use crate::submissions::group::invitation::{self, Done, Invitation};
use crate::web::{Answer, Refusal, Route, Visitor, signed_in};
use axum::Form;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    vec![
        signed_in(Method::POST, "/assignments/{assignment}/group/invite", invite),
        signed_in(Method::POST, "/assignments/{assignment}/group/answer", answer),
    ]
}

/// With whom a student hands in, as the page shows it.
#[derive(Default)]
pub(super) struct Shown {
    /// Whether the page says anything of groups.
    pub(super) is_shown: bool,
    /// The names and logins of the other members.
    pub(super) others: Vec<(String, String)>,
    /// What the rules are, in sentences.
    pub(super) said: Vec<String>,
    pub(super) may_invite: bool,
    pub(super) to_me: Vec<Asked>,
    pub(super) from_me: Vec<Asked>,
}

/// An invitation.
pub(super) struct Asked {
    pub(super) id: i64,
    /// The login of who is invited.
    pub(super) login: String,
    /// The names and logins of those who are in the group.
    pub(super) names: String,
    /// Their logins.
    pub(super) seen: String,
    pub(super) at: String,
}

fn named(all: &[&Person]) -> String {
    let all: Vec<_> = all.iter().map(|it| format!("{} ({})", it.name, it.login)).collect();
    all.join(", ")
}

impl Shown {
    pub(super) async fn of(app: &App, person: &Person, open: &Open) -> Result<Self, Refusal> {
        let group = open.overview.group.clone();
        let groups = open.overview.rules.groups.as_ref();
        if person.role != Role::Student || groups.is_none() && group.is_alone() {
            return Ok(Self::default());
        }
        let (rules, id, student, of) =
            (open.rules.clone(), open.id.clone(), person.clone(), group.clone());
        let known = app.database.read(move |connection| {
            let may = invitation::may_grow(connection, &rules, &id, &of)?;
            let until = invitation::until(connection, &rules, &id, &of)?;
            let to_me = invitation::acceptable(connection, &rules, &id, &student)?;
            let (_, from_me) = invitation::open(connection, &id, student.id)?;
            Ok((may, until, to_me, from_me))
        });
        let (may, until, to_me, from_me) = known.await?;
        let zone = &open.rules.time_zone;
        let asked = |it: Invitation| Asked {
            id: it.id,
            login: it.login,
            names: named(&it.group.members.iter().collect::<Vec<_>>()),
            seen: it.group.logins(),
            at: zone.shown(it.at),
        };
        let others = group.others(person.id);
        let mut said = Vec::new();
        if !group.is_alone() {
            said.push(
                "Whoever of you hands in, does it for all: you share the limit of each day, the submissions and the \
                 points. The longest extension of one of you is for all."
                    .to_owned(),
            );
        }
        match &may {
            Ok(()) => {
                let most = groups.map_or(0, |it| it.value.most);
                let until =
                    until.map_or_else(String::new, |it| format!(" until {}", zone.shown(it)));
                said.push(format!(
                    "Up to {most} students hand in together. You can invite others{until}, as long as none of you has handed in. \
                     From then on, only staff change groups."
                ));
            }
            Err(problem) => said.push(why_not(problem)),
        }
        Ok(Self {
            is_shown: true,
            others: others.iter().map(|it| (it.name.clone(), it.login.clone())).collect(),
            said,
            may_invite: may.is_ok(),
            to_me: to_me.into_iter().map(asked).collect(),
            from_me: from_me.into_iter().filter(|_| may.is_ok()).map(asked).collect(),
        })
    }
}

/// Why nobody can be added, in sentences.
fn why_not(problem: &Problem) -> String {
    let hint = problem.hint.as_deref().unwrap_or_default();
    [problem.message.as_str(), hint].map(|it| crate::pages::words::sentence(it) + ".").join(" ")
}

#[derive(Deserialize)]
struct Invite {
    #[serde(default)]
    login: String,
}

async fn invite(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Invite>,
) -> Answer {
    let open = Open::find(&app, &visitor, &id).await?;
    let (rules, of) = (open.rules.clone(), id.clone());
    changed(&app, &visitor, &id, move |connection, student| {
        invitation::invite(connection, &rules, &of, student, &sent.login)
    })
    .await
}

#[derive(Deserialize)]
struct Answered {
    invitation: Option<i64>,
    /// `accept`, `decline`, or `withdraw` of who invited.
    #[serde(default)]
    answer: String,
    /// The logins of the group that the page showed.
    #[serde(default)]
    seen: String,
}

async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Answered>,
) -> Answer {
    let open = Open::find(&app, &visitor, &id).await?;
    let (rules, of) = (open.rules.clone(), id.clone());
    changed(&app, &visitor, &id, move |connection, student| {
        let asked = sent.invitation.unwrap_or_default();
        match sent.answer.as_str() {
            "accept" => invitation::accept(connection, &rules, &of, student, (asked, &sent.seen)),
            "decline" => invitation::decline(connection, student, asked),
            _ => invitation::withdraw(connection, student, asked),
        }
    })
    .await
}

/// Changes something for the student who visits, and goes back to the page.
async fn changed(
    app: &App,
    visitor: &Visitor,
    assignment: &str,
    mut change: impl FnMut(&mut Connection<'_>, &Person) -> crate::database::Result<Done>
    + Send
    + 'static,
) -> Answer {
    let student = visitor.person().clone();
    if student.role != Role::Student {
        let problem = Problem::new("only students are in groups");
        return Err(Refusal::Wrong(
            problem.hint("staff put students together on a page of their own"),
        ));
    }
    let done = app.database.write(move |connection| change(connection, &student)).await?;
    done.map_err(Refusal::Wrong)?;
    app.changed.notify_waiters();
    let back = format!("/assignments/{}#group", crate::pages::words::encoded(assignment));
    Ok(Redirect::to(&back).into_response())
}
