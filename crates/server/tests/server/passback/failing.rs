//! What fails between the server and the platform.

use super::*;
use std::time::{Duration, Instant};

/// Lets every wait end, as if its time had passed.
fn skip_waits(site: &Site) {
    site.write(|connection| {
        connection.execute("update passback_grade set until = 0 where state = 'waiting'", &[])?;
        connection.execute("update passback_pause set until = 0", &[])
    });
    site.app.changed.notify_waiters();
}

#[test]
fn a_score_that_a_platform_took_without_an_answer_is_sent_again_as_the_same_one() {
    site_on_both("{}", |site| {
        for takes_same in [true, false] {
            let linked = Linked::new(site, "passback: true");
            linked.gradebook.state().takes_same = takes_same;
            let login = if takes_same { "ann" } else { "bob" };
            let student = linked.student(login);
            linked.fails(&[Fault::Vanishes]);
            let _sending = linked.sends();
            linked.grades(&student, 5);
            wait("it was sent twice", || linked.sent() == 2);
            linked.has(&[(login, 40.0)]);
            let sent = linked.gradebook.state().sent.clone();
            assert_eq!(sent[0].timestamp, sent[1].timestamp);
            assert_eq!((sent[0].was_taken, sent[1].was_taken), (true, false));
            clear(site);
        }
    });
}

/// As if nobody had linked anything.
fn clear(site: &Site) {
    site.write(|connection| {
        for table in [
            "passback_grade",
            "passback_column",
            "passback",
            "passback_pause",
            "lti_link",
            "lti_context",
            "lti_subject",
        ] {
            connection.execute(&format!("delete from {table}"), &[])?;
        }
        Ok(())
    });
}

#[test]
fn errors_that_pass_are_tried_again_and_the_last_grade_wins() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let ann = linked.student("ann");
        linked.fails(&[Fault::Answers(500, None), Fault::Answers(502, None)]);
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        for tries in 1..=2 {
            wait("it was tried", || site.number("select tries from passback_grade") == tries);
            let now = site.write(|connection: &mut Connection<'_>| connection.now());
            let until = site.number("select until from passback_grade");
            assert!(until > now + 2_000, "it waits: {until} {now}");
            skip_waits(site);
        }
        linked.has(&[("ann", 40.0)]);
        assert_eq!(site.number("select tries from passback_grade"), 0);
    });
}

#[test]
fn a_platform_that_asks_for_it_is_left_alone_as_long_as_it_says() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let (ann, bob) = (linked.student("ann"), linked.student("bob"));
        linked.fails(&[Fault::Answers(429, Some(3))]);
        linked.grades(&ann, 5);
        let _sending = linked.sends();
        wait("it is left alone", || site.number("select count(*) from passback_pause") == 1);
        linked.grades(&bob, 5);
        let seen = Instant::now();
        let now = site.write(|connection: &mut Connection<'_>| connection.now());
        let left = site.number("select until from passback_pause") - now;
        linked.has(&[("ann", 40.0), ("bob", 40.0)]);
        let first = linked.gradebook.state().sent.iter().map(|it| it.at).min().unwrap();
        let left = Duration::from_millis(left.max(0) as u64);
        assert!(first - seen >= left, "{:?} and not {left:?}", first - seen);
    });
}

#[test]
fn a_token_that_ended_is_replaced_at_once() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let ann = linked.student("ann");
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        linked.has(&[("ann", 40.0)]);
        linked.fails(&[Fault::ForgetsTokens]);
        linked.grades(&ann, 6);
        linked.has(&[("ann", 48.0)]);
        assert_eq!(linked.gradebook.state().tokens_given, 2);
    });
}

#[test]
fn a_platform_that_gives_no_token_is_left_alone_and_staff_read_why() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        linked.gradebook.state().forbidden.push("score");
        let ann = linked.student("ann");
        linked.grades(&ann, 5);
        let _sending = linked.sends();
        wait("it is left alone", || site.number("select count(*) from passback_pause") == 1);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let body = staff.get("/assignments/sum/passback").body;
        assert!(
            body.contains("the platform gives no token") && body.contains("invalid_scope"),
            "{body}"
        );
        linked.gradebook.state().forbidden.clear();
        let again = "/assignments/sum/passback/again";
        assert_eq!(staff.post(again, &[]).status, 303);
        linked.has(&[("ann", 40.0)]);
    });
}

#[test]
fn a_column_that_is_gone_is_asked_only_some_times_until_staff_send_again() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let all: Vec<_> = (0..20).map(|at| linked.student(&format!("s{at}"))).collect();
        linked.gradebook.state().always = Some(Fault::Answers(404, None));
        all.iter().for_each(|it| linked.grades(it, 5));
        let _sending = linked.sends();
        wait("the column is closed", || site.number("select refusals from passback_column") >= 3);
        wait("nothing is on its way", || linked.count("sending") == 0);
        let refused = linked.count("refused");
        assert!((3..=11).contains(&refused), "{refused}");
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let body = staff.get("/assignments/sum/passback").body;
        assert!(
            body.contains("closed") && body.contains("The column of the gradebook is gone"),
            "{body}"
        );
        assert!(body.contains("&#60;b&#62;no&#60;/b&#62;"), "what a platform says is escaped");
        linked.gradebook.state().always = None;
        assert_eq!(staff.post("/assignments/sum/passback/again", &[]).status, 303);
        wait("all are sent", || linked.count("sent") == 20);
    });
}

#[test]
fn a_student_whom_the_platform_does_not_take_is_refused_once_and_the_others_are_sent() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let (ann, bob) = (linked.student("ann"), linked.student("bob"));
        linked.gradebook.state().enrolled = vec!["id of bob"];
        linked.grades(&ann, 5);
        linked.grades(&bob, 5);
        let _sending = linked.sends();
        wait("one is refused", || linked.count("refused") == 1);
        linked.has(&[("bob", 40.0)]);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let body = staff.get("/assignments/sum/passback").body;
        assert!(body.contains("does not take a grade of this student"), "{body}");
        linked.gradebook.state().enrolled.clear();
        let again = [("student", "ann")];
        assert_eq!(staff.post("/assignments/sum/passback/again", &again).status, 303);
        linked.has(&[("ann", 40.0), ("bob", 40.0)]);
        assert_eq!(linked.sent(), 2, "only hers was sent again");
    });
}

#[test]
fn a_grade_that_changes_while_it_is_sent_is_sent_afterwards() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let ann = linked.student("ann");
        linked.fails(&[Fault::IsSlow(1_500)]);
        let _sending = linked.sends();
        linked.grades(&ann, 5);
        wait("it is on its way", || linked.count("sending") == 1);
        linked.grades(&ann, 8);
        wait("the change is seen", || site.number("select points from passback_grade") == 6_400);
        linked.has(&[("ann", 64.0)]);
        let given: Vec<_> = linked.gradebook.state().sent.iter().map(|it| it.given).collect();
        assert_eq!(given, [Some(40.0), Some(64.0)]);
    });
}

#[test]
fn a_platform_gets_no_more_requests_at_once_than_it_may_and_keeps_its_connections() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "passback: true");
        let all: Vec<_> = (0..60).map(|at| linked.student(&format!("s{at}"))).collect();
        all.iter().for_each(|it| linked.grades(it, 5));
        linked.gradebook.state().always = Some(Fault::IsSlow(30));
        let _both = [linked.sends(), linked.sends()];
        wait("all are sent", || linked.count("sent") == 60);
        let state = linked.gradebook.state();
        assert!((2..=8).contains(&state.most_under_way), "{}", state.most_under_way);
        let connections = state.connections.len();
        assert!(connections <= 24, "{connections} connections");
        assert_eq!(state.sent.len(), 60);
    });
}
