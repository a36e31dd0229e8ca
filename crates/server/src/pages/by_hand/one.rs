//! The page on which somebody grades a submission by hand: its sources, the rubric beside them, and what a grader needs.

use super::form::{self, Fields, PartForm};
use super::sources::{self, File, Text};
use super::{go_on, names, rubrics, shown};
use crate::app::App;
use crate::courses::Version;
use crate::feedback::{Glance, Reader, seen};
use crate::hand::{self, Change, Grading, LONGEST, NewComment, Saved};
use crate::pages::words::signed;
use crate::pages::{Frame, page};
use crate::rules::Rubrics;
use crate::submissions::overview::Overview;
use crate::web::{Answer, Refusal, Visitor};
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use serde::Deserialize;

/// Where the form for a comment is: the number of the file, and the line.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Asked {
    file: Option<usize>,
    line: Option<usize>,
}

#[derive(Template)]
#[template(path = "by_hand_one.html")]
struct Page {
    frame: Frame,
    id: i64,
    assignment: String,
    title: String,
    /// The student or the group, unless no names are shown.
    student: Option<String>,
    at: String,
    version: i64,
    is_done: bool,
    is_released: bool,
    /// When it was last changed, and by whom.
    changed: Option<String>,
    /// Why it cannot be graded, or was not saved.
    alert: Option<String>,
    /// What is stored, if the form says something else that was not saved.
    theirs: Option<Vec<String>>,
    /// Who has it open, and until when.
    held: Option<String>,
    /// The submission that counts instead of this one.
    counts_instead: Option<i64>,
    parts: Vec<PartForm>,
    files: Vec<File>,
    /// The form for a comment: the file, the line, and what is typed.
    asked: (String, String),
    typed: Typed,
    /// Whether that form is at a line.
    is_asked: bool,
    earlier: Vec<String>,
    report: Option<String>,
    given: Vec<File>,
    report_script: String,
}

/// What is typed beside the rubric.
#[derive(Default)]
struct Typed {
    part: String,
    text: String,
    reason: String,
}

/// Opens the submission, so that nobody else is given it.
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Answer {
    let rubrics = rubrics(&app, &visitor.submission().assignment).await?;
    let (submission, by) = (visitor.submission().clone(), visitor.person().id);
    let opened = app.database.write(move |connection| hand::claim(connection, &submission, by));
    let zone = app.rules().await?.time_zone.clone();
    let held = opened.await?;
    let held = held.map(|(name, until)| format!("{name} has it open until {}", zone.shown(until)));
    let answer =
        render(&app, &visitor, &rubrics, Shown { asked, held, ..Shown::default() }).await?;
    Ok(page(&answer).into_response())
}

/// What the page says besides what is stored.
#[derive(Default)]
struct Shown {
    asked: Asked,
    /// What was sent and was not saved.
    fields: Option<Fields>,
    alert: Option<String>,
    is_stale: bool,
    held: Option<String>,
}

async fn render(
    app: &App,
    visitor: &Visitor,
    rubrics: &Rubrics,
    shown: Shown,
) -> Result<Page, Refusal> {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let (rules, version) = (app.rules().await?, app.courses.in_force(&app.database).await?);
    let (of, one, owner) = (rules.clone(), submission.clone(), student.clone());
    let read = app.database.read(move |connection| {
        Ok((
            Grading::of(connection, one.id)?,
            hand::earlier(connection, &one.assignment)?,
            Overview::of(connection, &of, &owner, &one.assignment)?,
            Glance::of(connection, one.id)?,
        ))
    });
    let (grading, earlier, overview, glance) = read.await?;
    let standing = glance.standing().map(|it| it.job);
    let report = match standing {
        Some(job) => seen(app, &student, &submission, &glance, Some(job), Reader::STAFF).await?,
        None => None,
    };
    let zone = &rules.time_zone;
    let asked = shown.asked.file.zip(shown.asked.line);
    let fields = shown.fields.clone().unwrap_or_else(|| form::stored(&grading));
    let sent = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let texts = sources::texts(app, &submission).await?;
    let place = asked.and_then(|(file, number)| {
        let path = &texts.get(file)?.0;
        sources::line(&texts, path, number).map(|_| (path.clone(), number.to_string()))
    });
    let is_anonymous = rules.of(&submission.assignment).anonymous;
    // Whoever is in a group handed in alone before.
    let is_of_group = overview.group.keeper == submission.person;
    let alone = std::slice::from_ref(&student);
    let members = if is_of_group { &overview.group.members[..] } else { alone };
    let title = version.assignment(&submission.assignment).map(|it| it.title.clone());
    Ok(Page {
        frame: Frame::new("Grade by hand", &version.course.title, visitor),
        id: submission.id,
        title: title.unwrap_or_else(|| submission.assignment.clone()),
        student: (!is_anonymous).then(|| names(members)),
        at: zone.shown(submission.at),
        version: grading.version,
        is_done: grading.is_done,
        is_released: grading.is_released(),
        changed: grading.changed.as_ref().map(|(at, by)| format!("{by}, {}", zone.shown(*at))),
        alert: shown.alert,
        theirs: shown.is_stale.then(|| stored(&grading)),
        held: shown.held,
        counts_instead: overview
            .counting
            .as_ref()
            .map(|it| it.submission)
            .filter(|it| *it != submission.id),
        parts: form::parts(rubrics, &fields, &grading),
        is_asked: place.is_some(),
        asked: place.unwrap_or_else(|| (sent("file"), sent("line"))),
        typed: Typed { part: sent("of"), text: sent("text"), reason: sent("reason") },
        files: sources::files(texts, &grading.comments, asked),
        earlier,
        report: report.map(|it| it.section(&submission, None)),
        given: given(app, &version, &submission.assignment).await?,
        report_script: crate::web::assets::report_script(),
        assignment: submission.assignment,
    })
}

async fn given(app: &App, version: &Version, id: &str) -> Result<Vec<File>, Refusal> {
    Ok(sources::files(sources::given(app, version, id).await?, &[], None))
}

/// What is stored, in lines.
fn stored(grading: &Grading) -> Vec<String> {
    let grade = |it: &hand::Grade| {
        let mut line = format!("{}: {} of {} points", it.part, shown(it.points), shown(it.most));
        for chosen in &it.chosen {
            let level = chosen.level.iter().map(|level| format!(": {level}")).collect::<String>();
            line = format!("{line}; {}{level} ({})", chosen.text, signed(chosen.points));
        }
        if it.adjusted != 0 {
            line = format!("{line}; {} ({})", it.why, signed(it.adjusted));
        }
        if it.comment.is_empty() { line } else { format!("{line}; “{}”", it.comment) }
    };
    grading.grades.iter().map(grade).collect()
}

pub(super) async fn save(
    State(app): State<App>,
    visitor: Visitor,
    Form(fields): Form<Fields>,
) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let rubrics = rubrics(&app, &submission.assignment).await?;
    let texts = sources::texts(&app, &submission).await?;
    let is_done = fields.get("then").is_some_and(|it| it == "next");
    let change = match change(&rubrics, &texts, &fields, is_done) {
        Ok(change) => change,
        Err(wrong) => return again(&app, &visitor, &rubrics, fields, wrong, false).await,
    };
    let by = visitor.person().id;
    let saved = app
        .database
        .write(move |connection| hand::save(connection, &submission, &student, &change, by));
    let wrong = match saved.await? {
        Saved::Yes => None,
        Saved::Held(name, until) => {
            let until = app.rules().await?.time_zone.shown(until);
            Some((format!("{name} has it open until {until}"), true))
        }
        Saved::Stale => Some(("somebody changed it since you opened it".to_owned(), true)),
        Saved::NoReason => {
            Some(("its student sees this already; say why it changes".to_owned(), false))
        }
    };
    if let Some((wrong, is_stale)) = wrong {
        return again(&app, &visitor, &rubrics, fields, wrong, is_stale).await;
    }
    app.changed.notify_waiters();
    let submission = visitor.submission();
    if is_done {
        return go_on(&app, &visitor, &submission.assignment, Some(submission.id)).await;
    }
    let at = fields.get("at").and_then(|at| at.split_once(':'));
    let to = match at.and_then(|(file, line)| Some((file.parse().ok()?, line.parse().ok()?))) {
        Some((file, line)) => {
            let (file, line): (usize, usize) = (file, line);
            format!("/submissions/{}/by-hand?file={file}&line={line}#comment", submission.id)
        }
        None => format!("/submissions/{}/by-hand#grade", submission.id),
    };
    Ok(Redirect::to(&to).into_response())
}

/// The page with what was sent, which was not saved.
async fn again(
    app: &App,
    visitor: &Visitor,
    rubrics: &Rubrics,
    fields: Fields,
    wrong: String,
    is_stale: bool,
) -> Answer {
    let alert = Some(format!("Not saved: {wrong}."));
    let shown = Shown { fields: Some(fields), alert, is_stale, ..Shown::default() };
    let answer = render(app, visitor, rubrics, shown).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page(&answer)).into_response())
}

/// What was sent, or what is wrong with it.
fn change(
    rubrics: &Rubrics,
    texts: &[Text],
    fields: &Fields,
    is_done: bool,
) -> Result<Change, String> {
    let sent = |name: &str| fields.get(name).map(|it| it.trim()).unwrap_or_default();
    let mut grades = Vec::new();
    for (part, rubric) in &rubrics.0 {
        if is_done && let Some(missing) = form::missing(part, &rubric.value, fields) {
            return Err(missing);
        }
        grades.push(form::read(part, &rubric.value, fields)?);
    }
    Ok(Change {
        version: sent("version").parse().map_err(|_| "the form has no version".to_owned())?,
        grades,
        is_done,
        add: comment(rubrics, texts, &sent)?,
        remove: sent("remove").parse().ok(),
        reason: sent("reason").chars().take(500).collect(),
    })
}

/// The comment that was typed, or chosen from earlier ones.
fn comment<'a>(
    rubrics: &Rubrics,
    texts: &[Text],
    sent: &impl Fn(&str) -> &'a str,
) -> Result<Option<NewComment>, String> {
    let typed = Some(sent("text")).filter(|it| !it.is_empty()).unwrap_or(sent("earlier"));
    if typed.is_empty() {
        if sent("then") == "comment" {
            return Err("the comment is empty".to_owned());
        }
        return Ok(None);
    }
    let part = rubrics.0.iter().map(|(part, _)| part).find(|part| *part == sent("of"));
    let part = part.or(rubrics.0.first().map(|(part, _)| part)).cloned().unwrap_or_default();
    let (file, number) = (sent("file"), sent("line"));
    let line = number.parse().ok().and_then(|number| sources::line(texts, file, number));
    let excerpt = line.ok_or_else(|| format!("{file} has no line {number}"))?;
    Ok(Some(NewComment {
        part,
        file: file.to_owned(),
        line: number.parse().unwrap_or_default(),
        excerpt: excerpt.chars().take(500).collect(),
        text: typed.replace("\r\n", "\n").chars().take(LONGEST).collect(),
    }))
}
