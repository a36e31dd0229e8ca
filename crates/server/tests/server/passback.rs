//! Passback: the gradebook of a learning platform gets the points that count, once, and the last ones last, whatever happens on the way.

mod failing;
mod kills;
mod page;

use super::support::gradebook::{Fault, Gradebook};
use super::support::grading::wait;
use super::support::results;
use super::support::site::Site;
use super::support::site_on_both;
use server::database::{Connection, Result};
use server::people::{Person, Role};
use server::{sender, worker};
use std::collections::BTreeMap;

/// A site whose assignment is linked from a platform.
struct Linked<'a> {
    site: &'a Site,
    gradebook: Gradebook,
}

/// A sender of a site. When it is dropped, it ends.
struct Sending {
    asker: worker::Asker,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.asker.ask();
        self.asker.ask();
    }
}

impl<'a> Linked<'a> {
    /// The column is there already, and `sum:` says this much.
    fn new(site: &'a Site, rules: &str) -> Self {
        Self::with_column(site, rules, true)
    }

    fn with_column(site: &'a Site, rules: &str, is_there: bool) -> Self {
        let linked = Self { site, gradebook: Gradebook::start() };
        linked.rules(rules);
        let (all, one) =
            (format!("{}/lineitems", linked.gradebook.url), linked.gradebook.line_item());
        site.write(move |connection| link(connection, &all, is_there.then_some(&one)));
        linked
    }

    fn rules(&self, rules: &str) {
        let settings = self.gradebook.settings();
        self.site
            .rules(&format!("{settings}\ntime_zone: UTC\nassignments: {{ sum: {{ {rules} }} }}\n"));
    }

    fn sends(&self) -> Sending {
        let (asker, stop) = worker::channel();
        self.site.runtime.spawn(sender::run(self.site.app.clone(), stop));
        Sending { asker }
    }

    /// A student whom the platform knows as `id of LOGIN`.
    fn student(&self, login: &str) -> Person {
        let student = self.site.person(login, Role::Student, "a");
        self.knows(&student);
        student
    }

    /// The platform knows a student from now on.
    fn knows(&self, student: &Person) {
        let student = student.clone();
        self.site.write(move |connection| known(connection, &student));
    }

    /// A student hands in, and so many of ten cases are right, of eight points each.
    fn grades(&self, student: &Person, right: usize) {
        let student = student.clone();
        self.site.write(move |connection| results::graded(connection, &student, "sum", right));
        self.site.app.changed.notify_waiters();
    }

    /// Waits until the platform has exactly these grades and the server knows that.
    #[track_caller]
    fn has(&self, grades: &[(&str, f64)]) {
        let expected: BTreeMap<_, _> =
            grades.iter().map(|(login, points)| (format!("id of {login}"), *points)).collect();
        wait(&format!("the platform has {grades:?}"), || {
            self.gradebook.grades() == expected
                && self.count("sending") + self.count("waiting") == 0
        });
    }

    /// How many grades are in a state.
    fn count(&self, state: &'static str) -> i64 {
        self.site.write(move |connection| {
            let sql = "select count(*) from passback_grade where state = $1";
            Ok(connection.first(sql, &[state.into()])?.map_or(0, |row| row.int(0)))
        })
    }

    /// How many scores were sent.
    fn sent(&self) -> usize {
        self.gradebook.state().sent.len()
    }

    fn fails(&self, faults: &[Fault]) {
        self.gradebook.state().faults.extend(faults.iter().copied());
    }

    /// Compares until there is nothing left to compare.
    fn is_compared(&self) -> bool {
        let sql = "select count(*) from passback where changed <> compared";
        self.site.write(move |connection| Ok(connection.first(sql, &[])?.unwrap().int(0) == 0))
    }
}

/// A course of the platform that staff connected, with a link to the assignment.
fn link(connection: &mut Connection<'_>, all: &str, line_item: Option<&String>) -> Result<()> {
    let scopes = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem \
        https://purl.imsglobal.org/spec/lti-ags/scope/score";
    let context = connection.insert(
        "insert into lti_context (platform, deployment, context, line_items, scopes, connected) \
         values ('moodle', '1', 'c', $1, $2, 1)",
        &[all.into(), scopes.into()],
    )?;
    let sql =
        "insert into lti_link (context, link, assignment, line_item) values ($1, 'l', 'sum', $2)";
    connection.execute(sql, &[context.into(), line_item.into()]).map(|_| ())
}

fn known(connection: &mut Connection<'_>, student: &Person) -> Result<()> {
    let sql =
        "insert into lti_subject (platform, subject, person, at) values ('moodle', $1, $2, 0)";
    let subject = format!("id of {}", student.login);
    connection.execute(sql, &[subject.into(), student.id.into()]).map(|_| ())
}

#[test]
fn the_points_that_count_reach_the_gradebook_and_only_changes_are_sent() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let (ann, bob) = (linked.student("ann"), linked.student("bob"));
        linked.student("eve");
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        linked.grades(&bob, 10);
        linked.has(&[("ann", 40.0), ("bob", 80.0)]);
        let first = linked.gradebook.state().sent.clone();
        assert_eq!(first.iter().map(|it| it.max).collect::<Vec<_>>(), [90.0, 90.0]);
        linked.grades(&ann, 7);
        linked.has(&[("ann", 56.0), ("bob", 80.0)]);
        // Worse, so that the best one stays.
        linked.grades(&ann, 1);
        wait("all is compared", || linked.is_compared());
        linked.has(&[("ann", 56.0), ("bob", 80.0)]);
        assert_eq!((linked.sent(), linked.gradebook.repeated()), (3, 0));
    });
}

#[test]
fn points_by_hand_what_lateness_costs_and_what_a_student_chooses_are_sent() {
    site_on_both("{}", |site| {
        let late =
            "passback: true, due: 2026-01-01, closes: 2099-01-01, late: { percent: 10, most: 10 }";
        let linked = Linked::new(site, late);
        let ann = linked.student("ann");
        site.write(|connection| {
            let sql = "update person set extra_minutes = 0";
            connection.execute(sql, &[])
        });
        let _sending = linked.sends();
        linked.grades(&ann, 10);
        linked.has(&[("ann", 80.0)]);
        site.write(|connection| {
            let sql = "update submission set late_days = 1, late_hours = 1";
            connection.execute(sql, &[])
        });
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let fields = [("points", "-0.5"), ("reason", "style")];
        assert_eq!(staff.post("/submissions/1/points", &fields).status, 303);
        linked.has(&[("ann", 71.55)]);
        linked.grades(&ann, 2);
        let ann = site.signed_in(&ann);
        assert_eq!(ann.post("/assignments/sum/counts", &[("counts", "last")]).status, 303);
        linked.has(&[("ann", 16.0)]);
    });
}

#[test]
fn nothing_is_sent_before_students_see_their_points_or_while_it_is_off_or_paused() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true, scores: 2099-01-01");
        let ann = linked.student("ann");
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        wait("the grade waits", || linked.count("waiting") == 1);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let page = "/assignments/sum/passback";
        assert!(staff.get(page).body.contains("Students see no points before"));
        let switch = |state| assert_eq!(staff.post(page, &[("state", state)]).status, 303);
        switch("paused");
        linked.rules("passback: true");
        linked.grades(&ann, 6);
        wait("all is compared", || linked.is_compared());
        switch("off");
        linked.grades(&ann, 7);
        assert_eq!(linked.sent(), 0);
        switch("on");
        linked.has(&[("ann", 56.0)]);
        assert_eq!(linked.sent(), 1);
        assert!(staff.get("/audit").body.contains("switch passback"));
    });
}

#[test]
fn a_student_whom_the_platform_gets_to_know_later_gets_the_grade_then() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let ann = site.person("ann", Role::Student, "a");
        linked.grades(&ann, 5);
        let _sending = linked.sends();
        wait("it is compared", || site.number("select again from passback") > 0);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let body = staff.get("/assignments/sum/passback").body;
        assert!(body.contains("Not sent") && body.contains("/students/ann"), "{body}");
        linked.knows(&ann);
        site.write(|connection| connection.execute("update passback set again = 0", &[]));
        linked.has(&[("ann", 40.0)]);
        assert!(!staff.get("/assignments/sum/passback").body.contains("Not sent"));
    });
}

#[test]
fn a_column_is_made_once_by_two_servers_where_the_platform_named_none() {
    site_on_both("{}", |site| {
        let linked = Linked::with_column(site, "passback: true", false);
        let ann = linked.student("ann");
        linked.grades(&ann, 5);
        let _both = [linked.sends(), linked.sends()];
        linked.has(&[("ann", 40.0)]);
        let items = linked.gradebook.state().line_items.clone();
        assert_eq!(items.len(), 1);
        assert_eq!((&items[0]["label"], &items[0]["scoreMaximum"]), (&"Sum".into(), &90.into()));
        assert_eq!(items[0]["resourceId"], "sum");
    });
}

#[test]
fn a_column_that_a_server_made_before_it_vanished_is_found() {
    site_on_both("{}", |site| {
        let linked = Linked::with_column(site, "passback: true", false);
        let ann = linked.student("ann");
        linked.grades(&ann, 5);
        let made = serde_json::json!({ "id": format!("{}/lineitems/101", linked.gradebook.url),
            "label": "Sum", "scoreMaximum": 90, "resourceId": "sum", "tag": "harness" });
        linked.gradebook.state().line_items.push(made);
        let _sending = linked.sends();
        linked.has(&[("ann", 40.0)]);
        assert_eq!(linked.gradebook.state().line_items.len(), 1);
    });
}

#[test]
fn a_grade_of_which_nothing_is_left_is_taken_back() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let ann = linked.student("ann");
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        linked.has(&[("ann", 40.0)]);
        site.write(|connection| {
            connection.execute("update result set refused = 1", &[])?;
            server::submissions::results::renew(connection, "sum", 1)
        });
        linked.has(&[]);
        let last = linked.gradebook.state().sent.last().cloned().unwrap();
        assert_eq!((last.given, last.was_taken), (None, true));
    });
}

#[test]
fn a_student_of_one_of_two_courses_of_a_platform_is_not_shown_as_refused_by_the_other() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let (ann, url) = (linked.student("ann"), linked.gradebook.url.clone());
        site.write(move |connection| {
            let context = connection.insert(
                "insert into lti_context (platform, deployment, context, scopes, connected) \
                 select platform, deployment, 'd', scopes, 1 from lti_context",
                &[],
            )?;
            let sql = "insert into lti_link (context, link, assignment, line_item) \
                values ($1, 'm', 'sum', $2)";
            connection.execute(sql, &[context.into(), format!("{url}/lineitems/elsewhere").into()])
        });
        linked.grades(&ann, 5);
        let _sending = linked.sends();
        linked.has(&[("ann", 40.0)]);
        assert_eq!(linked.count("refused"), 1);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let body = staff.get("/assignments/sum/passback").body;
        assert!(body.contains("<strong>0</strong> refused"), "{body}");
    });
}

#[test]
fn who_may_not_sign_in_any_more_gets_no_grades() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let (ann, bob) = (linked.student("ann"), linked.student("bob"));
        site.write(|connection| {
            connection.execute("update person set active = 0 where login = 'ann'", &[])
        });
        linked.grades(&ann, 5);
        linked.grades(&bob, 5);
        let _sending = linked.sends();
        linked.has(&[("bob", 40.0)]);
    });
}
