//! Reading the students from a table: what changes is shown first, and then done. The links of new students are shown once.

use super::{Frame, page};
use crate::app::App;
use crate::lti::members;
use crate::people::roster::{self, Plan, Roster, plan::Invited, plan::invite_again, plan::links};
use crate::people::{Role, invitation};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use harness::diagnostic::Problem;
use std::collections::BTreeMap;

/// The longest table, in bytes.
const LONGEST: usize = 4 << 20;

/// How the fields begin that say who may no longer sign in.
const GONE: &str = "gone-";

pub(super) fn routes() -> Vec<Route> {
    vec![
        at_least(Role::Staff, Method::POST, "/students", read),
        at_least(Role::Staff, Method::POST, "/invitations", invite),
    ]
}

#[derive(Template)]
#[template(path = "roster.html")]
struct Preview {
    frame: Frame,
    problems: Vec<Problem>,
    /// The columns of the table that are not used.
    unused: Vec<Problem>,
    plan: Plan,
    /// The table, which the form that applies it sends along.
    text: String,
}

#[derive(Template)]
#[template(path = "links.html")]
struct Done {
    frame: Frame,
    /// What was done.
    lead: String,
    /// Login, name and link.
    rows: Vec<[String; 3]>,
    /// The same as a file, in base64.
    file: String,
}

async fn read(State(app): State<App>, visitor: Visitor, request: Request) -> Answer {
    let fields = fields(request).await?;
    let field = |name: &str| fields.get(name).filter(|it| !it.is_empty());
    let bytes = field("file").or_else(|| field("text")).cloned().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Roster { entries, unused } = match roster::parse(&bytes) {
        Ok(roster) => roster,
        Err(problems) => return refused(&app, &visitor, problems, text).await,
    };
    let gone = fields.keys().filter_map(|name| name.strip_prefix(GONE)).map(Into::into).collect();
    let (by, is_applied) = (visitor.person().id, field("apply").is_some());
    let done = app.database.write(move |connection| {
        let plan = match roster::plan(connection, &entries)? {
            Ok(plan) => plan,
            Err(problems) => return Ok(Err(problems)),
        };
        let invited = if is_applied {
            let invited = roster::apply(connection, &plan, &gone, Some(by))?;
            members::link(connection)?;
            Some(invited)
        } else {
            None
        };
        Ok(Ok((plan, invited)))
    });
    match done.await? {
        Err(problems) => refused(&app, &visitor, problems, text).await,
        Ok((plan, None)) => {
            let frame = framed(&app, &visitor).await?;
            let problems = Vec::new();
            Ok(page(&Preview { frame, problems, unused, plan, text }).into_response())
        }
        Ok((plan, Some(invited))) => {
            let (new, changed) = (plan.new.len(), plan.changed.len());
            let lead = format!("{new} new, {changed} changed, {} as before", plan.same);
            shown(&app, &visitor, lead, &invited).await
        }
    }
}

/// Shows what a table from elsewhere would change, with what else is to be known of it.
pub(super) async fn preview(
    app: &App,
    visitor: &Visitor,
    bytes: Vec<u8>,
    notes: Vec<Problem>,
) -> Answer {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let entries = match roster::parse(&bytes) {
        Ok(roster) => roster.entries,
        Err(problems) => return refused(app, visitor, problems, text).await,
    };
    let planned = app.database.read(move |connection| roster::plan(connection, &entries)).await?;
    let plan = match planned {
        Ok(plan) => plan,
        Err(problems) => return refused(app, visitor, problems, text).await,
    };
    let (frame, problems) = (framed(app, visitor).await?, Vec::new());
    Ok(page(&Preview { frame, problems, unused: notes, plan, text }).into_response())
}

async fn invite(State(app): State<App>, visitor: Visitor) -> Answer {
    let by = visitor.person().id;
    let invited = app.database.write(move |connection| invite_again(connection, Some(by))).await?;
    let lead = format!("{} students have set no password yet", invited.len());
    shown(&app, &visitor, lead, &invited).await
}

/// The page that says why a table cannot be used.
async fn refused(app: &App, visitor: &Visitor, problems: Vec<Problem>, text: String) -> Answer {
    let frame = framed(app, visitor).await?;
    let (unused, plan) = (Vec::new(), Plan::default());
    let page = page(&Preview { frame, problems, unused, plan, text });
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

async fn framed(app: &App, visitor: &Visitor) -> Result<Frame, Refusal> {
    let version = app.courses.in_force(&app.database).await?;
    Ok(Frame::new("What the table changes", &version.course.title, visitor))
}

async fn shown(app: &App, visitor: &Visitor, lead: String, invited: &[Invited]) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let row =
        |it: &Invited| [it.login.clone(), it.name.clone(), invitation::link(&app.url, &it.secret)];
    Ok(page(&Done {
        frame: Frame::new("Links", &version.course.title, visitor),
        lead,
        rows: invited.iter().map(row).collect(),
        file: BASE64_STANDARD.encode(links(&app.url, invited)),
    })
    .into_response())
}

/// The fields of a form, with or without a file.
async fn fields(request: Request) -> Result<BTreeMap<String, Vec<u8>>, Refusal> {
    let broken = |()| Refusal::Wrong(Problem::new("the form did not arrive whole"));
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        let form = Form::<BTreeMap<String, String>>::from_request(request, &()).await;
        let Form(form) = form.map_err(|_| ()).map_err(broken)?;
        return Ok(form.into_iter().map(|(name, text)| (name, text.into_bytes())).collect());
    }
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| ()).map_err(broken)?;
    let mut fields = BTreeMap::new();
    while let Some(field) = form.next_field().await.map_err(|_| ()).map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let bytes = field.bytes().await.map_err(|_| ()).map_err(broken)?;
        if bytes.len() > LONGEST {
            let problem = Problem::new("the table is longer than 4 MB");
            return Err(Refusal::Wrong(problem.hint("leave other columns out")));
        }
        fields.insert(name, bytes.to_vec());
    }
    Ok(fields)
}
