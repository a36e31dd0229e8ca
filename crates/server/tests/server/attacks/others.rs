//! What is of others: submissions, archives, results, keys, sessions and tokens, by whoever knows their numbers.

use super::post_form;
use crate::support::handing_in::form;
use crate::support::records::{HAND_IN, report};
use crate::support::site::{Browser, Site, status_of};
use crate::support::{site_on_both, sums};
use server::people::{Person, Role, session};
use server::queue::{self, Class};
use server::tokens;

fn student(site: &Site, login: &str) -> (Person, Browser) {
    let person = site.person(login, Role::Student, "");
    let browser = site.signed_in(&person);
    (person, browser)
}

#[test]
fn nobody_reaches_the_submission_of_another_by_any_of_its_numbers() {
    site_on_both("{}", |site| {
        let (ann, hers) = student(site, "ann");
        let (_, his) = student(site, "bob");
        let first = hers.hands_in("key");
        site.grades(&report("ann", 40.0, true));
        let second = his.hands_in("key");
        site.grades(&report("bob", 80.0, true));
        assert_ne!(first, second, "the key of another is no key");
        // A regrade that is not applied is for staff only, and so is that of another submission.
        let regrade = site.write(move |connection| {
            let course = server::courses::in_force(connection)?.unwrap();
            let regrade = connection.insert(
                "insert into regrade (course, assignment, scope, state, at, person) \
                 values ($1, 'sum', 'all', 'preview', 0, $2)",
                &[(&course).into(), ann.id.into()],
            )?;
            queue::put(connection, first, ann.id, &course, Class::Regrade, Some(regrade))
        });
        site.grades(&report("ann", 80.0, true));
        let of = |id: i64| {
            site.write(move |connection| {
                let sql = "select job from result where submission = $1 order by job limit 1";
                Ok(connection.first(sql, &[id.into()])?.unwrap().int(0))
            })
        };
        let own = of(first);
        let page = hers.get(&format!("/submissions/{first}?result={own}"));
        assert!(page.status == 200 && page.body.contains("50 of 90"), "{}", page.body);
        let mut hidden = vec![
            (&hers, format!("/submissions/{first}?result={regrade}")),
            (&hers, format!("/submissions/{first}?result={regrade}&as=staff")),
            (&hers, format!("/submissions/{first}?result={}", of(second))),
        ];
        for rest in ["", "?as=student", "?as=staff", "/events", "/archive"] {
            hidden.push((&his, format!("/submissions/{first}{rest}")));
        }
        hidden.push((&his, format!("/submissions/{second}?result={own}")));
        for (browser, path) in hidden {
            let answer = browser.get(&path);
            assert_eq!(answer.status, 404, "{path}: {}", answer.body);
            assert_eq!(answer.body, browser.get("/submissions/4711").body, "{path}");
        }
        let page = hers.get(&format!("/submissions/{first}?as=staff")).body;
        assert!(!page.contains("staff-tools") && !page.contains("As the student does"), "{page}");
    });
}

#[test]
fn ended_sessions_and_tokens_let_nobody_in_and_tokens_only_where_they_are_taken() {
    site_on_both("{}", |site| {
        let (ann, hers) = student(site, "ann");
        let id = hers.hands_in("key");
        let page = format!("/submissions/{id}");
        let token = site.write(move |connection| tokens::make(connection, ann.id, "laptop"));
        let bearer = |method: &str, path: &str, token: &str| {
            status_of(site, method, path, &[("authorization", format!("Bearer {token}"))])
        };
        assert_eq!(bearer("GET", &page, &token), 200);
        for (method, path) in [
            ("GET", "/".to_owned()),
            ("GET", "/account".to_owned()),
            ("GET", format!("{page}/archive")),
            ("GET", format!("{page}/events")),
            ("POST", "/assignments/sum/counts".to_owned()),
            ("POST", "/account/tokens".to_owned()),
            ("POST", "/account/password".to_owned()),
            ("POST", "/sign-out".to_owned()),
        ] {
            assert_eq!(bearer(method, &path, &token), 303, "{method} {path} takes no token");
        }
        let digest = server::secret::digest(&token);
        let session = hers.session.clone().unwrap();
        for wrong in ["", "x", &token[1..], &token.to_uppercase(), &digest, &session] {
            assert_eq!(bearer("GET", &page, wrong), 303, "{wrong}");
        }
        let (bob, his) = student(site, "bob");
        let other = site.write(move |connection| tokens::make(connection, bob.id, "laptop"));
        assert_eq!(bearer("GET", &page, &other), 404);
        // The form of one session does not do for another.
        let form = session::form_token(&session);
        let counts = "/assignments/sum/counts";
        let fields = [("counts", "last")];
        assert_eq!(his.post_to(&format!("{counts}?form={form}"), &fields).status, 403);
        assert_eq!(hers.post_to(counts, &fields).status, 403);
        assert_eq!(hers.post_to(&format!("{counts}?form={form}"), &fields).status, 303);
        // Signed out, the cookie and the forms of the session are of no use.
        assert_eq!(hers.post("/sign-out", &[]).status, 303);
        assert_eq!(hers.get(&page).status, 303);
        assert_eq!(hers.post(counts, &fields).status, 303);
        let again = site.signed_in(&Person { id: ann.id, ..site.person("x", Role::Student, "") });
        assert_eq!(again.get(&page).status, 200);
        site.write(move |connection| {
            let sql = "update person set active = 0 where id = $1";
            connection.execute(sql, &[ann.id.into()])
        });
        assert_eq!((again.get(&page).status, bearer("GET", &page, &token)), (303, 303));
        let body = form_of("late");
        assert!(post_form(site, &again, HAND_IN, &body).starts_with("HTTP/1.1 303"));
        assert_eq!(site.number("select count(*) from submission"), 1, "it leads to signing in");
    });
}

fn form_of(key: &str) -> Vec<u8> {
    form(key, &[("submit.tar.gz", &sums::right())])
}
