//! The gradebook of a learning platform, which takes scores as Assignment and Grade Services 2.0 says, or fails as real ones do. It is
//! another party than the server: it checks what the server sends.

use super::http::{self, Answer, Request};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

const SCORE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
const LINE_ITEM: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";

/// What it does with a request instead of the right thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It answers with a status, and perhaps says for how many seconds it wants to be left alone.
    Answers(u16, Option<u64>),
    /// It takes the score, and the connection ends before the answer.
    Vanishes,
    /// It forgets all tokens first, so that this one has ended.
    ForgetsTokens,
    /// It waits for so many milliseconds before it takes the score.
    IsSlow(u64),
}

/// A score that was sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) user: String,
    /// None: without `scoreGiven`.
    pub(crate) given: Option<f64>,
    pub(crate) max: f64,
    pub(crate) timestamp: String,
    pub(crate) was_taken: bool,
    pub(crate) at: Instant,
}

#[derive(Clone)]
pub(crate) struct Gradebook {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
pub(crate) struct State {
    /// What each token is for.
    tokens: HashMap<String, String>,
    pub(crate) tokens_given: usize,
    /// What it gives no tokens for.
    pub(crate) forbidden: Vec<&'static str>,
    /// The columns that tools made.
    pub(crate) line_items: Vec<Value>,
    pub(crate) sent: Vec<Sent>,
    /// What happens with the next scores, or always.
    pub(crate) faults: VecDeque<Fault>,
    pub(crate) always: Option<Fault>,
    /// The students who are in its course. Empty: all.
    pub(crate) enrolled: Vec<&'static str>,
    /// Whether it takes a score of the same time again, as Canvas does, or refuses it, as Moodle does.
    pub(crate) takes_same: bool,
    pub(crate) connections: HashSet<SocketAddr>,
    under_way: usize,
    pub(crate) most_under_way: usize,
}

impl Gradebook {
    pub(crate) fn start() -> Self {
        http::serve(|url| Self { url, state: Arc::default() }, Self::answer)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The address of the column that the platform made for a link.
    pub(crate) fn line_item(&self) -> String {
        format!("{}/lineitems/7?type_id=1", self.url)
    }

    /// What `serve.yaml` says of it.
    pub(crate) fn settings(&self) -> String {
        let Self { url, .. } = self;
        format!(
            "platforms: {{ moodle: {{ title: Our Moodle, issuer: '{url}', client: harness, deployments: ['1'], \
             login: '{url}/login', token: '{url}/token', keys: '{url}/keys' }} }}"
        )
    }

    /// What it has of each student: the last score that it took.
    pub(crate) fn grades(&self) -> BTreeMap<String, f64> {
        let taken = self.state().sent.clone().into_iter().filter(|it| it.was_taken);
        let mut grades = BTreeMap::new();
        for it in taken {
            match it.given {
                Some(given) => grades.insert(it.user, given),
                None => grades.remove(&it.user),
            };
        }
        grades
    }

    /// How many scores were sent that it took already.
    pub(crate) fn repeated(&self) -> usize {
        let mut seen = std::collections::BTreeSet::new();
        let state = self.state();
        state.sent.iter().filter(|it| !seen.insert((&it.user, &it.timestamp))).count()
    }

    /// None: the connection ends.
    fn answer(&self, request: &Request) -> Option<Answer> {
        self.state().connections.insert(request.from);
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        if path == "/token" {
            return Some(self.token(&request.form()));
        }
        let is_score = path.ends_with("/scores");
        let may = if is_score { SCORE } else { LINE_ITEM };
        let fault = is_score.then(|| self.next_fault()).flatten();
        if fault == Some(Fault::ForgetsTokens) {
            self.state().tokens.clear();
        }
        let token = request.header("authorization").strip_prefix("Bearer ");
        let scope = token.and_then(|it| self.state().tokens.get(it).cloned());
        if scope.is_none_or(|scope| scope != may) {
            return Some(Answer::new(401, json!({ "error": "invalid_token" })));
        }
        if is_score {
            assert_eq!(request.header("content-type"), "application/vnd.ims.lis.v1.score+json");
            return self.score(path, query, &request.body, fault);
        }
        assert_eq!(path, "/lineitems");
        Some(self.line_items(query, request))
    }

    fn next_fault(&self) -> Option<Fault> {
        let mut state = self.state();
        state.faults.pop_front().or(state.always)
    }

    fn token(&self, form: &HashMap<String, String>) -> Answer {
        assert_eq!(form["grant_type"], "client_credentials");
        assert_eq!(form["client_assertion"].split('.').count(), 3);
        let mut state = self.state();
        if state.forbidden.iter().any(|it| form["scope"].contains(it)) {
            return Answer::new(400, json!({ "error": "invalid_scope" }));
        }
        let token = server::secret::random();
        state.tokens.insert(token.clone(), form["scope"].clone());
        state.tokens_given += 1;
        let given = json!({ "access_token": token, "token_type": "Bearer", "expires_in": 3600 });
        Answer::new(200, given)
    }

    fn line_items(&self, query: &str, request: &Request) -> Answer {
        let mut state = self.state();
        if request.method == "GET" {
            let asked: HashMap<_, _> =
                form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let fits = |it: &&Value| it["resourceId"] == asked["resource_id"].as_str();
            let all: Vec<_> = state.line_items.iter().filter(fits).cloned().collect();
            return Answer::new(200, Value::Array(all));
        }
        let kind = "application/vnd.ims.lis.v2.lineitem+json";
        assert_eq!(request.header("content-type"), kind);
        let mut item: Value = serde_json::from_slice(&request.body).unwrap();
        let number = 100 + state.line_items.len();
        item["id"] = json!(format!("{}/lineitems/{number}", self.url));
        state.line_items.push(item.clone());
        Answer::new(201, item)
    }

    fn score(&self, path: &str, query: &str, body: &[u8], fault: Option<Fault>) -> Option<Answer> {
        if path == "/lineitems/elsewhere/scores" {
            let body = json!({ "error": "the student is not in this course" });
            return Some(Answer::new(400, body));
        }
        let is_own = path == "/lineitems/7/scores" && query == "type_id=1";
        let is_made = path.starts_with("/lineitems/1");
        assert!(is_own || is_made, "{path}?{query}");
        if let Some(Fault::Answers(status, retry)) = fault {
            let answer = Answer::new(status, json!({ "error": "<b>no</b>" }));
            let seconds = retry.map(|it| it.to_string());
            return Some(match &seconds {
                Some(seconds) => answer.with("retry-after", seconds),
                None => answer,
            });
        }
        self.begin();
        if let Some(Fault::IsSlow(milliseconds)) = fault {
            thread::sleep(Duration::from_millis(milliseconds));
        }
        let status = self.take(body);
        self.state().under_way -= 1;
        (fault != Some(Fault::Vanishes)).then(|| Answer::new(status, Value::Null))
    }

    fn begin(&self) {
        let mut state = self.state();
        state.under_way += 1;
        state.most_under_way = state.most_under_way.max(state.under_way);
    }

    /// Takes a score, if its time is later than that of the one before.
    fn take(&self, body: &[u8]) -> u16 {
        let score: Value = serde_json::from_slice(body).unwrap();
        let user = score["userId"].as_str().unwrap().to_owned();
        let timestamp = score["timestamp"].as_str().unwrap().to_owned();
        assert!(timestamp.len() == 24 && timestamp.ends_with('Z'), "{timestamp}");
        let is_clear = score.get("scoreGiven").is_none();
        let words =
            if is_clear { ["InProgress", "NotReady"] } else { ["Completed", "FullyGraded"] };
        assert_eq!([&score["activityProgress"], &score["gradingProgress"]], words);
        let mut state = self.state();
        if !state.enrolled.is_empty() && !state.enrolled.contains(&user.as_str()) {
            return 422;
        }
        let last = state.sent.iter().rev().find(|it| it.user == user && it.was_taken);
        // Moodle keeps no milliseconds.
        let is_later = last.is_none_or(|last| timestamp[..19] > last.timestamp[..19]);
        let is_same = last.is_some_and(|last| timestamp == last.timestamp);
        state.sent.push(Sent {
            user,
            given: score.get("scoreGiven").map(|it| it.as_f64().unwrap()),
            max: score["scoreMaximum"].as_f64().unwrap(),
            timestamp,
            was_taken: is_later,
            at: Instant::now(),
        });
        if is_later || is_same && state.takes_same { 200 } else { 409 }
    }
}
