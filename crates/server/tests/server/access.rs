//! Who may use which route. Each route has a row in [`TABLE`], and each is tried by everybody.

mod table;

use super::support::site::{Browser, Site, status_of};
use super::support::site_on_both;
use For::{Anybody, AtLeast, OfStudent, OfSubmission, OfSubmissionAs, Own, SignedIn};
use server::database::Connection;
use server::people::{Person, Role, invitation, session};
use server::{pages, tokens};
use std::collections::BTreeSet;
use table::{FROM_ELSEWHERE, For, TABLE, WITH_TOKEN};

/// Who tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    /// The student of the submission, in section a.
    Ann,
    /// A student of section b.
    Bob,
    GraderOfA,
    GraderOfB,
    Staff,
    Administrator,
    /// An administrator who may not sign in any more, with a session.
    Deactivated,
    /// A session of another installation.
    Foreign,
    /// A session of an administrator that was not used for long, and one that began long ago.
    Idle,
    Old,
    /// A token of an administrator, and one that has ended.
    Token,
    OldToken,
}

const EVERYBODY: [Who; 13] = [
    Who::Nobody,
    Who::Ann,
    Who::Bob,
    Who::GraderOfA,
    Who::GraderOfB,
    Who::Staff,
    Who::Administrator,
    Who::Deactivated,
    Who::Foreign,
    Who::Idle,
    Who::Old,
    Who::Token,
    Who::OldToken,
];

/// Whether a route lets somebody in. None: who that is, is not known.
fn lets_in(whom: For, who: Who) -> Option<bool> {
    let role = match who {
        Who::Ann | Who::Bob => Role::Student,
        Who::GraderOfA | Who::GraderOfB => Role::Grader,
        Who::Staff => Role::Staff,
        Who::Administrator => Role::Administrator,
        _ => return None,
    };
    let sees_ann = !matches!(who, Who::Bob | Who::GraderOfB | Who::Ann);
    Some(match whom {
        Anybody | SignedIn => true,
        Own => who == Who::Ann,
        AtLeast(least) => role >= least,
        OfSubmission => who == Who::Ann || sees_ann,
        OfStudent(least) | OfSubmissionAs(least) => sees_ann && role >= least,
    })
}

/// The site with everybody.
struct Course<'a> {
    site: &'a Site,
    ann: Person,
    bob: Person,
    graders: [Person; 2],
    staff: Person,
    administrator: Person,
    deactivated: Person,
    submission: i64,
}

impl<'a> Course<'a> {
    fn new(site: &'a Site) -> Self {
        let ann = site.person("ann", Role::Student, "a");
        let submission = submission_of(site, &ann);
        Self {
            site,
            bob: site.person("bob", Role::Student, "b"),
            graders: [("gil", "a"), ("gus", "b")].map(|(login, sees)| {
                site.person(login, Role::Grader, "");
                site.write(move |connection| {
                    let sql = "update person set sees = $1 where login = $2";
                    connection.execute(sql, &[sees.into(), login.into()])?;
                    Ok(Person::by_login(connection, login)?.unwrap())
                })
            }),
            staff: site.person("sam", Role::Staff, ""),
            administrator: site.person("ada", Role::Administrator, ""),
            deactivated: site.person("dan", Role::Administrator, ""),
            ann,
            submission,
        }
    }

    /// The path with what it is about. What a route may use up is made anew.
    fn fill(&self, path: &str) -> String {
        let ann = self.ann.id;
        let mut path = path.to_owned();
        if path.contains("{secret}") {
            let secret = self.site.write(move |connection| invitation::make(connection, ann));
            path = path.replace("{secret}", &secret);
        }
        if path.contains("{token}") {
            let id = self.site.write(move |connection| {
                tokens::make(connection, ann, "laptop")?;
                Ok(tokens::of(connection, ann)?.last().unwrap().id)
            });
            path = path.replace("{token}", &id.to_string());
        }
        if path.contains("{version}") {
            let version = self.site.write(server::courses::in_force).unwrap();
            path = path.replace("{version}", &version);
        }
        if path.contains("{regrade}") {
            let id = self.site.write(regrade);
            path = path.replace("{regrade}", &id.to_string());
        }
        path = path.replace("{job}", "1").replace("{exception}", "1").replace("{request}", "1");
        path = path.replace("{context}", "1").replace("{link}", "1");
        path.replace("{student}", "ann")
            .replace("{assignment}", "sum")
            .replace("{submission}", &self.submission.to_string())
            .replace("{one}", &self.submission.to_string())
            .replace("{other}", &self.submission.to_string())
    }

    /// The headers with which somebody comes, and the token of the forms.
    fn comes(&self, who: Who) -> (Vec<(&'static str, String)>, String) {
        let person = match who {
            Who::Nobody => return (Vec::new(), String::new()),
            Who::Ann => &self.ann,
            Who::Bob => &self.bob,
            Who::GraderOfA => &self.graders[0],
            Who::GraderOfB => &self.graders[1],
            Who::Staff => &self.staff,
            Who::Deactivated => &self.deactivated,
            _ => &self.administrator,
        };
        let id = person.id;
        let is_active = i64::from(who != Who::Deactivated);
        let (kind, value) = match who {
            Who::Foreign => ("cookie", server::secret::random()),
            Who::Token | Who::OldToken => {
                let is_old = who == Who::OldToken;
                let token = self.site.write(move |connection| {
                    let token = tokens::make(connection, id, "script")?;
                    let sql = "update token set until = 1 where person = $1 and $2 = 1";
                    connection.execute(sql, &[id.into(), is_old.into()])?;
                    Ok(token)
                });
                ("authorization", format!("Bearer {token}"))
            }
            _ => {
                let (is_idle, is_old) = (who == Who::Idle, who == Who::Old);
                let secret = self.site.write(move |connection| {
                    let secret = session::begin(connection, id)?;
                    let digest = server::secret::digest(&secret);
                    let now = connection.now()?;
                    let seen = if is_idle { now - session::IDLE - 1 } else { now };
                    let created = if is_old { now - session::LONGEST - 1 } else { now };
                    let sql = "update session set seen = $1, created = $2 where digest = $3";
                    connection.execute(sql, &[seen.into(), created.into(), digest.into()])?;
                    let sql = "update person set active = $1 where id = $2";
                    connection.execute(sql, &[is_active.into(), id.into()])?;
                    Ok(secret)
                });
                ("cookie", secret)
            }
        };
        let form = session::form_token(&value);
        let value = match kind {
            "cookie" => format!("{}={value}", session::COOKIE),
            _ => value,
        };
        (vec![(kind, value)], form)
    }
}

/// A regrade that is not applied.
fn regrade(connection: &mut Connection<'_>) -> server::database::Result<i64> {
    connection.insert(
        "insert into regrade (course, assignment, scope, state, at, person) \
         select course, 'sum', 'all', 'preview', 0, (select min(id) from person) \
         from course_in_force limit 1",
        &[],
    )
}

/// A submission of somebody, which nobody graded.
fn submission_of(site: &Site, person: &Person) -> i64 {
    let id = person.id;
    site.write(move |connection| {
        let archive = "insert into archive (digest, bytes) values ('a', $1)";
        connection.execute(archive, &[super::support::sums::right().into()])?;
        connection.insert(
            "insert into submission (person, assignment, at, day, slot, feedback, archive, file_name, request) \
             values ($1, 'sum', 0, '1970-01-01', 1, 'normal', 'a', 'submit.tar.gz', 'r')",
            &[id.into()],
        )
    })
}

#[test]
fn each_route_has_a_row_and_each_row_a_route() {
    let routes = pages::routes();
    let known: BTreeSet<_> = routes.iter().map(|it| (it.method.as_str(), it.path)).collect();
    assert_eq!(known.len(), routes.len(), "a route is there twice");
    let rows: BTreeSet<_> = TABLE.iter().map(|(method, path, _)| (*method, *path)).collect();
    assert_eq!(rows.len(), TABLE.len(), "a row is there twice");
    assert_eq!(known, rows);
    let with_token: BTreeSet<_> =
        routes.iter().filter(|it| it.takes_token).map(|it| (it.method.as_str(), it.path)).collect();
    assert_eq!(with_token, WITH_TOKEN.iter().copied().collect());
    let from_elsewhere: BTreeSet<_> = routes
        .iter()
        .filter(|it| it.takes_foreign)
        .map(|it| (it.method.as_str(), it.path))
        .collect();
    assert_eq!(from_elsewhere, FROM_ELSEWHERE.iter().copied().collect());
}

#[test]
fn each_route_lets_in_whom_it_is_for_and_nobody_else() {
    site_on_both("{}", |site| {
        let course = Course::new(site);
        let mut wrong = Vec::new();
        for (method, path, whom) in TABLE {
            for who in EVERYBODY {
                let (mut headers, form) = course.comes(who);
                headers.push(("accept", "application/json".to_owned()));
                let address = format!("{}?form={form}", course.fill(path));
                let status = status_of(site, method, &address, &headers);
                let is_token = matches!(who, Who::Token) && WITH_TOKEN.contains(&(method, path));
                let known = if is_token { Who::Administrator } else { who };
                let is_right = match lets_in(*whom, known) {
                    _ if *whom == Anybody => {
                        status < 500 && !matches!(status, 401 | 403 | 404 | 405)
                    }
                    None => status == 401,
                    Some(true) => status < 500 && !matches!(status, 401 | 403 | 404 | 405),
                    Some(false) => status == 404,
                };
                if !is_right {
                    wrong.push(format!("{method} {path} for {who:?}: {status}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

#[test]
fn no_form_of_another_page_or_session_changes_anything() {
    site_on_both("{}", |site| {
        let course = Course::new(site);
        let (_, other) = course.comes(Who::Administrator);
        let mut wrong = Vec::new();
        let mut try_it =
            |method: &str, address: &str, more: &[(&'static str, &str)], cookie: &str| {
                let mut headers = vec![("cookie", cookie.to_owned())];
                headers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
                let status = status_of(site, method, address, &headers);
                let expected = if method == "GET" { 405 } else { 403 };
                if status != expected {
                    wrong.push(format!("{method} {address} with {more:?}: {status}"));
                }
            };
        for (method, path, whom) in TABLE.iter().filter(|(method, ..)| *method != "GET") {
            let (headers, form) = course.comes(Who::Administrator);
            let cookie = &headers[0].1;
            let path_ = course.fill(path);
            let right = format!("{path_}?form={form}");
            if *whom != Anybody {
                try_it(method, &path_, &[], cookie);
                try_it(method, &format!("{path_}?form={other}"), &[], cookie);
                try_it(method, &format!("{path_}?form="), &[], cookie);
            }
            if FROM_ELSEWHERE.contains(&(method, path)) {
                continue;
            }
            try_it(method, &right, &[("origin", "https://evil.example")], cookie);
            try_it(method, &right, &[("origin", "null")], cookie);
            try_it(method, &right, &[("sec-fetch-site", "cross-site")], cookie);
            try_it(method, &right, &[("sec-fetch-site", "same-site")], cookie);
            if !TABLE.iter().any(|(method, other, _)| *method == "GET" && other == path) {
                try_it("GET", &right, &[], cookie);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

#[test]
fn staff_cannot_let_themselves_in_as_an_administrator() {
    site_on_both("{}", |site| {
        let ada = site.person("ada", Role::Administrator, "");
        let sam = site.signed_in(&site.person("sam", Role::Staff, ""));
        for route in ["invitation", "sessions/end"] {
            assert_eq!(sam.post(&format!("/students/ada/{route}"), &[]).status, 404);
            assert_eq!(sam.post(&format!("/students/sam/{route}"), &[]).status, 404);
        }
        let ada: Browser = site.signed_in(&ada);
        assert_eq!(ada.post("/students/sam/invitation", &[]).status, 200);
    });
}

#[test]
fn the_first_page_is_for_who_is_signed_in() {
    site_on_both("{}", |site| {
        let nobody = site.nobody().get("/");
        assert_eq!((nobody.status, nobody.headers["location"].as_str()), (303, "/sign-in"));
        let ann = site.signed_in(&site.person("ann", Role::Student, "a"));
        let home = ann.get("/");
        assert_eq!(home.status, 200);
        assert!(home.body.contains("Sum"), "{}", home.body);
        assert_eq!(ann.post_to("/sign-out", &[]).status, 403, "without the token of a form");
        assert_eq!(ann.post("/sign-out", &[]).status, 303);
        assert_eq!(ann.get("/").status, 303);
    });
}
