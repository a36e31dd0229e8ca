//! Courses of platforms, and the links in them.

use super::{Launch, launch::What};
use crate::audit;
use crate::database::{Connection, Result, Row};
use crate::secret;

/// How much later than its end a token is still remembered, in seconds: clocks differ.
const SPARE: i64 = 600;

/// A course of a platform.
#[derive(Clone, Debug)]
pub struct Context {
    pub id: i64,
    pub platform: String,
    pub deployment: String,
    pub name: String,
    pub title: String,
    pub memberships: Option<String>,
    /// Since when it belongs to this course.
    pub connected: Option<i64>,
}

const COLUMNS: &str = "id, platform, deployment, context, title, memberships, connected";

impl Context {
    fn of(row: &Row) -> Self {
        Self {
            id: row.int(0),
            platform: row.text(1),
            deployment: row.text(2),
            name: row.text(3),
            title: row.text(4),
            memberships: row.maybe_text(5),
            connected: row.maybe_int(6),
        }
    }
}

/// A link in a course of a platform.
#[derive(Clone, Debug)]
pub struct Link {
    pub id: i64,
    pub context: i64,
    pub title: String,
    pub assignment: Option<String>,
    /// Whether it has a column of grades.
    pub has_column: bool,
}

/// Notes that a token was used. Whether it was not used before.
///
/// # Errors
/// If the database fails.
pub fn is_first(connection: &mut Connection<'_>, nonce: &str, launch: &Launch) -> Result<bool> {
    let sql = "insert into lti_nonce (digest, until) values ($1, $2) on conflict do nothing";
    let until = launch.until.saturating_add(SPARE).saturating_mul(1_000);
    Ok(connection.execute(sql, &[secret::digest(nonce).into(), until.into()])? == 1)
}

/// Forgets the tokens that have ended.
///
/// # Errors
/// If the database fails.
pub fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    let now = connection.now()?;
    connection.execute("delete from lti_nonce where until < $1", &[now.into()])?;
    Ok(())
}

/// The course from which a launch comes. One that is not known is noted if somebody comes who teaches it, so that staff can connect it.
///
/// # Errors
/// If the database fails.
pub fn of(
    connection: &mut Connection<'_>,
    platform: &str,
    launch: &Launch,
) -> Result<Option<Context>> {
    let place = [platform.into(), (&launch.deployment).into(), (&launch.context.id).into()];
    let sql = format!(
        "select {COLUMNS} from lti_context where platform = $1 and deployment = $2 and context = $3"
    );
    let known = connection.first(&sql, &place)?.map(|row| Context::of(&row));
    if known.as_ref().is_none_or(|known| known.connected.is_none()) && !launch.teaches {
        return Ok(known);
    }
    let title = [&launch.context.title, &launch.context.label, &launch.context.id];
    let title = title.into_iter().find(|it| !it.is_empty()).cloned().unwrap_or_default();
    let sql = format!(
        "insert into lti_context (platform, deployment, context, title, memberships, line_items, scopes) \
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (platform, deployment, context) do update set \
         title = excluded.title, memberships = coalesce(excluded.memberships, lti_context.memberships), \
         line_items = coalesce(excluded.line_items, lti_context.line_items), \
         scopes = case when excluded.scopes = '' then lti_context.scopes else excluded.scopes end \
         returning {COLUMNS}"
    );
    let [platform, deployment, context] = place;
    let row = connection.first(
        &sql,
        &[
            platform,
            deployment,
            context,
            title.chars().take(200).collect::<String>().into(),
            launch.memberships.clone().into(),
            launch.grades.lineitems.clone().into(),
            launch.grades.scope.join(" ").into(),
        ],
    )?;
    Ok(row.map(|row| Context::of(&row)))
}

/// Notes the link that somebody followed, and gives its assignment.
///
/// # Errors
/// If the database fails.
pub fn follow(
    connection: &mut Connection<'_>,
    context: &Context,
    launch: &Launch,
) -> Result<Option<String>> {
    let What::Link { id, title, assignment } = &launch.what else { return Ok(None) };
    let sql = "insert into lti_link (context, link, title, assignment, line_item) values ($1, $2, $3, $4, $5) \
        on conflict (context, link) do update set title = excluded.title, \
        assignment = coalesce(excluded.assignment, lti_link.assignment), line_item = excluded.line_item \
        returning assignment";
    let row = connection.first(
        sql,
        &[
            context.id.into(),
            id.as_str().into(),
            title.chars().take(200).collect::<String>().into(),
            assignment.clone().into(),
            launch.grades.lineitem.clone().into(),
        ],
    )?;
    Ok(row.and_then(|row| row.maybe_text(0)))
}

/// All courses of platforms that are known, and their links.
///
/// # Errors
/// If the database fails.
pub fn all(connection: &mut Connection<'_>) -> Result<(Vec<Context>, Vec<Link>)> {
    let sql = format!("select {COLUMNS} from lti_context order by platform, title, id limit 500");
    let contexts = connection.query(&sql, &[])?.iter().map(Context::of).collect();
    let sql =
        "select id, context, title, assignment, line_item from lti_link order by id limit 2000";
    let link = |row: &Row| Link {
        id: row.int(0),
        context: row.int(1),
        title: row.text(2),
        assignment: row.maybe_text(3),
        has_column: row.maybe_text(4).is_some(),
    };
    Ok((contexts, connection.query(sql, &[])?.iter().map(link).collect()))
}

/// # Errors
/// If the database fails.
pub fn find(connection: &mut Connection<'_>, id: i64) -> Result<Option<Context>> {
    let sql = format!("select {COLUMNS} from lti_context where id = $1");
    Ok(connection.first(&sql, &[id.into()])?.map(|row| Context::of(&row)))
}

/// Says whether a course of a platform belongs to this course.
///
/// # Errors
/// If the database fails.
pub fn connect(connection: &mut Connection<'_>, by: i64, it: &Context, is: bool) -> Result<()> {
    let now = connection.now()?;
    let sql = "update lti_context set connected = $1, connected_by = $2 where id = $3";
    let (at, who) = if is { (Some(now), Some(by)) } else { (None, None) };
    connection.execute(sql, &[at.into(), who.into(), it.id.into()])?;
    let action = if is { "connect course" } else { "disconnect course" };
    let object = format!("{} {} {}", it.platform, it.name, it.title);
    let entry = audit::Entry { person: Some(by), action, object: &object, reason: "" };
    audit::add(connection, &entry, it.connected.is_some(), is)
}

/// Says to which assignment a link leads. A link that names one itself names it again when somebody follows it.
///
/// # Errors
/// If the database fails.
pub fn lead(connection: &mut Connection<'_>, by: i64, link: i64, to: Option<&str>) -> Result<bool> {
    let sql = "select title, assignment from lti_link where id = $1";
    let Some(row) = connection.first(sql, &[link.into()])? else { return Ok(false) };
    let (title, before) = (row.text(0), row.maybe_text(1));
    let sql = "update lti_link set assignment = $1 where id = $2";
    connection.execute(sql, &[to.map(str::to_owned).into(), link.into()])?;
    let object = format!("link {link} {title}");
    let entry = audit::Entry { person: Some(by), action: "lead link", object: &object, reason: "" };
    audit::add(connection, &entry, before, to)?;
    Ok(true)
}
