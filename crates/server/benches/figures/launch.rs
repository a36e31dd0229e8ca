//! Coming to the server: from a learning platform, and with a password.

use crate::load::{Latencies, at_rate};
use crate::platform::{LEARNER, Platform};
use crate::served::Served;
use crate::show;
use server::secret;
use std::collections::HashMap;
use std::time::{Duration, Instant};

const STUDENTS: usize = 200;

/// Follows no redirects.
fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into()
}

/// Students who follow links at 20 a second: the login, what the platform signs, and the launch.
pub(crate) fn launch(url: Option<String>) {
    let platform = Platform::start();
    let served = Served::start(url, &platform.settings(", domain: example.edu"), 0);
    for student in 0..STUDENTS {
        served.person(&format!("student-{student}"), "student");
    }
    served.write(|connection| {
        let sql = "insert into lti_context (platform, deployment, context, connected) values ('lms', 'one', 'c1', 0)";
        connection.execute(sql, &[])
    });
    let latencies = at_rate(20, Duration::from_secs(10), |at| {
        let login = format!("{}/lti/login?iss={}&login_hint=7", served.url, platform.issuer);
        let Ok(answer) = agent().get(login).call() else { return false };
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        let (to, cookie) = (header("location"), header("set-cookie"));
        let (_, query) = to.split_once('?').unwrap();
        let asked: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let claims = platform.claims(&asked, &format!("student-{}", at % STUDENTS), LEARNER);
        let form = [("state", asked["state"].clone()), ("id_token", platform.signed(&claims))];
        let request = agent().post(format!("{}/lti/launch", served.url));
        let request = request.header("cookie", cookie.split(';').next().unwrap());
        request.send_form(form).is_ok_and(|answer| answer.status() == 303)
    });
    show("a launch from a learning platform, 20 a second", &latencies);
}

/// Students who sign in with a password, one after the other: a password costs as much as it should.
pub(crate) fn sign_in(url: Option<String>) {
    let served = Served::start(url, "{}", 0);
    let person = served.person("ann", "student");
    let hash = secret::hash_password("correct horse battery");
    served.write(move |connection| {
        let sql = "update person set password = $1 where id = $2";
        connection.execute(sql, &[(&hash).into(), person.into()])
    });
    let one = |_| {
        let began = Instant::now();
        let form = [("login", "ann"), ("password", "correct horse battery")];
        let done = agent().post(format!("{}/sign-in", served.url)).send_form(form);
        let is_right = done.is_ok_and(|answer| answer.status() == 303);
        (is_right, began.elapsed().as_secs_f64() * 1e3)
    };
    let all: Vec<_> = (0..100).map(one).collect();
    let failed = all.iter().filter(|(is_right, _)| !is_right).count();
    let latencies = Latencies::new(all.into_iter().map(|(_, time)| time).collect(), failed);
    show("signing in with a password", &latencies);
}
