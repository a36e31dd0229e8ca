//! What is asked of a platform over HTTP: that it takes a score, and which columns its gradebook has.

use crate::app::App;
use crate::authorities;
use crate::passback::Claim;
use crate::passback::columns::{self, SCORES};
use crate::passback::line_items::{LINE_ITEM, LINE_ITEMS, Making, TAG};
use crate::passback::score::{self, Answer, Outcome, SCORE, Why, judge};
use crate::sso::Trouble;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use ureq::http::{Request, Response, header};
use ureq::{Agent, Body};

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest answer that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Asks platforms. Connections stay open, so that a class does not need one for each student.
#[derive(Clone)]
pub(super) struct Platform(Agent);

/// A column of a gradebook, as a platform describes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LineItem {
    id: String,
    #[serde(default)]
    resource_id: Option<String>,
    #[serde(default)]
    tag: Option<String>,
}

impl Platform {
    pub(super) fn new() -> Self {
        // A redirection would take the token elsewhere.
        let config = Agent::config_builder().max_redirects(0).http_status_as_error(false);
        let config = config.timeout_global(Some(PATIENCE)).max_idle_connections_per_host(16);
        // The server does not start with a file that cannot be read.
        Self(config.tls_config(authorities::tls().unwrap_or_default()).build().into())
    }

    /// Sends a score.
    pub(super) async fn score(&self, app: &App, claim: &Claim) -> Outcome {
        if claim.max_points <= 0 {
            return Outcome::Refused(Why::failed("the assignment is of no points"));
        }
        let (address, body) = (score::address(&claim.line_item), score::document(claim));
        let request = Request::post(address).header(header::CONTENT_TYPE, SCORE);
        match self.ask(app, &claim.platform, SCORES, request, Some(body.to_string())).await {
            Ok(answer) => judge(&answer, claim.was_sent()),
            Err(outcome) => outcome,
        }
    }

    /// The address of a column: of the one that was made earlier, or else of one that is made.
    pub(super) async fn line_item(&self, app: &App, making: &Making) -> Result<String, Outcome> {
        let version = app.courses.in_force(&app.database).await;
        let version = version.map_err(|_| broken("the course cannot be read"))?;
        let title = version.assignment(&making.assignment).map(|it| it.title.clone());
        let mark = if making.container.contains('?') { '&' } else { '?' };
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("resource_id", &making.assignment)
            .append_pair("tag", TAG)
            .finish();
        let request = Request::get(format!("{}{mark}{query}", making.container));
        let request = request.header(header::ACCEPT, LINE_ITEMS);
        let all: Vec<LineItem> =
            read(&self.ask(app, &making.platform, columns::LINE_ITEMS, request, None).await?)?;
        let is_own = |it: &LineItem| {
            it.resource_id.as_ref() == Some(&making.assignment) && it.tag.as_deref() == Some(TAG)
        };
        if let Some(own) = all.into_iter().find(is_own) {
            return Ok(own.id);
        }
        let body = json!({
            "label": title.unwrap_or_else(|| making.assignment.clone()),
            "scoreMaximum": score::number(making.max_points),
            "resourceId": making.assignment,
            "tag": TAG,
        });
        let request = Request::post(&making.container).header(header::CONTENT_TYPE, LINE_ITEM);
        let made = self
            .ask(app, &making.platform, columns::LINE_ITEMS, request, Some(body.to_string()))
            .await?;
        read::<LineItem>(&made).map(|it| it.id)
    }

    /// Asks with a token. A platform may end one before its time, so a token that is refused is replaced once.
    async fn ask(
        &self,
        app: &App,
        platform: &str,
        scope: &str,
        request: ureq::http::request::Builder,
        body: Option<String>,
    ) -> Result<Answer, Outcome> {
        let request =
            request.body(body.unwrap_or_default()).map_err(|it| closed(&it.to_string()))?;
        let rules = app.rules().await.map_err(|_| broken("the rules cannot be read"))?;
        let described = rules.platforms.get(platform);
        let platform = described.ok_or_else(|| closed("`serve.yaml` names no such platform"))?;
        let mut was_refused = false;
        loop {
            let token =
                app.platforms.token(&app.database, platform, scope).await.map_err(without)?;
            let answer = self.send(with_token(&request, &token)?).await?;
            if answer.status != 401 || was_refused {
                return Ok(answer);
            }
            was_refused = true;
            app.platforms.forget_tokens(platform);
        }
    }

    async fn send(&self, request: Request<String>) -> Result<Answer, Outcome> {
        let agent = self.0.clone();
        let done = tokio::task::spawn_blocking(move || {
            let has_body = !request.body().is_empty();
            if has_body { agent.run(request) } else { agent.run(request.map(|_| ())) }
                .and_then(answer)
        });
        let done = done.await.map_err(|_| broken("the request was not finished"))?;
        done.map_err(|error| Outcome::Away { why: Why::failed(error.to_string()), after: None })
    }
}

fn with_token(request: &Request<String>, token: &str) -> Result<Request<String>, Outcome> {
    let mut request = request.clone();
    let value = format!("Bearer {token}").parse();
    let value = value.map_err(|_| broken("the token of the platform is no token"))?;
    request.headers_mut().insert(header::AUTHORIZATION, value);
    Ok(request)
}

fn answer(mut response: Response<Body>) -> Result<Answer, ureq::Error> {
    let retry_after = response.headers().get(header::RETRY_AFTER);
    let retry_after = retry_after.and_then(|it| it.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec();
    // What comes with an answer that is clear may break off.
    let body = if status < 300 { body? } else { body.unwrap_or_default() };
    Ok(Answer { status, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
}

/// The platform gives no token.
fn without(trouble: Trouble) -> Outcome {
    let (Trouble::Away(why) | Trouble::Refused(why)) = trouble;
    Outcome::Away { why: Why::failed(format!("the platform gives no token: {why}")), after: None }
}

/// What a platform says of its columns.
fn read<T: serde::de::DeserializeOwned>(answer: &Answer) -> Result<T, Outcome> {
    match judge(answer, false) {
        Outcome::Taken => serde_json::from_str(&answer.body)
            .map_err(|error| broken(&format!("the columns of the platform: {error}"))),
        other => Err(other),
    }
}

fn broken(what: &str) -> Outcome {
    Outcome::Later { why: Why::failed(what), after: None }
}

fn closed(what: &str) -> Outcome {
    Outcome::Closed(Why::failed(what))
}
