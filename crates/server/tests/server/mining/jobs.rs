//! The job: one at a time, behind all others, with a lease and attempts.

use super::{hands_in, scripts, site_on_both, staff, wait};
use crate::support::grading::options;
use server::database::Connection;
use server::mining::{self, Claim};
use server::people::Role;
use server::queue;
use server::rules::{Moment, Rules};
use server::worker::Options;
use std::path::Path;

/// The versions in force, and jobs of these assignments.
fn queued(connection: &mut Connection<'_>, assignments: &[&str]) -> server::database::Result<()> {
    let course = server::courses::in_force(connection)?.unwrap();
    for assignment in assignments {
        assert!(mining::put(connection, assignment, &course, None)?);
    }
    Ok(())
}

fn no_submission_waits(connection: &mut Connection<'_>) -> server::database::Result<u64> {
    connection.execute("update job set state = 'done'", &[])
}

#[test]
fn one_is_claimed_at_a_time_and_only_while_no_submission_waits() {
    site_on_both("{}", |site| {
        hands_in(site, "ann", ("", ""));
        site.write(|connection| {
            let sql = "insert into submission (person, assignment, at, day, feedback, archive, file_name, request) \
                select person, 'other', at, day, feedback, archive, file_name, 'r' from submission";
            connection.execute(sql, &[])?;
            queued(connection, &["sum", "other"])?;
            let course = server::courses::in_force(connection)?.unwrap();
            assert!(!mining::put(connection, "sum", &course, None)?, "one is open");
            assert!(!mining::put(connection, "third", &course, None)?, "nobody handed it in");
            assert!(!mining::waits(connection)?, "a submission does");
            no_submission_waits(connection)?;
            assert!(mining::waits(connection)?);
            let first = mining::claim(connection, "one")?.unwrap();
            assert_eq!((first.assignment.as_str(), first.attempt), ("sum", 1));
            assert!(!mining::waits(connection)?);
            assert_eq!(mining::claim(connection, "two")?, None);
            // Its worker is gone, and another one takes it, before the next one.
            connection.execute("update mining set until = 0", &[])?;
            let again = mining::claim(connection, "two")?.unwrap();
            assert_eq!((again.id, again.attempt), (first.id, 2));
            assert!(!mining::renew(connection, &first)? && mining::renew(connection, &again)?);
            assert!(!mining::finish(connection, &first, "{}")?);
            assert!(mining::finish(connection, &again, "{}")?);
            assert_eq!(mining::claim(connection, "two")?.unwrap().assignment, "other");
            Ok(())
        });
    });
}

#[test]
fn one_that_gives_way_loses_no_attempt_and_one_that_fails_thrice_is_given_up() {
    site_on_both("{}", |site| {
        hands_in(site, "ann", ("", ""));
        site.write(|connection| {
            queued(connection, &["sum"])?;
            no_submission_waits(connection)?;
            for _ in 0..5 {
                let claim = mining::claim(connection, "one")?.unwrap();
                assert!(mining::give_back(connection, &claim)?);
            }
            for _ in 0..queue::MOST_ATTEMPTS {
                connection.execute("update mining set until = 0", &[])?;
                let claim: Claim = mining::claim(connection, "one")?.unwrap();
                assert!(mining::fail(connection, &claim, "error: no\nhint: yes")?);
            }
            let last = mining::last(connection, "sum")?.unwrap();
            assert_eq!((last.state.as_str(), last.is_open()), ("failed", false));
            queued(connection, &["sum"])
        });
        let page = staff(site).get(super::PAGE).body;
        assert!(page.contains("no worker that is there has"), "{page}");
    });
}

#[test]
fn it_gives_way_if_no_other_worker_is_free() {
    site_on_both("{}", |site| {
        hands_in(site, "ann", ("", ""));
        site.write(|connection| {
            let now = connection.now()?;
            let sql = "insert into worker (name, seen, state) values ('one', $1, 'mining'), ('two', $1, 'grading')";
            connection.execute(sql, &[now.into()])?;
            assert!(mining::gives_way(connection, "one")?);
            connection.execute("update worker set state = 'waiting' where name = 'two'", &[])?;
            assert!(!mining::gives_way(connection, "one")?, "the other one takes it");
            connection.execute("update worker set seen = 0 where name = 'two'", &[])?;
            assert!(mining::gives_way(connection, "one")?, "the other one is gone");
            no_submission_waits(connection)?;
            assert!(!mining::gives_way(connection, "one")?);
            Ok(())
        });
    });
}

#[test]
fn a_submission_does_not_wait_for_the_only_worker_while_it_mines() {
    site_on_both("{}", |site| {
        hands_in(site, "ann", ("", ""));
        site.write(|connection| {
            no_submission_waits(connection)?;
            queued(connection, &["sum"])
        });
        let (_folder, program) = scripts("exec sleep 1000");
        let working = site.workers(&Options { program, ..options() });
        wait("it mines", || site.text("select state from worker") == "mining");
        let mining = "select count(*) from mining where state = 'running'";
        assert_eq!(site.number(mining), 1);
        site.hand_in(&site.person("bob", Role::Student, ""), crate::support::sums::right());
        wait("the submission is taken", || {
            site.number("select attempt from job where id = 2") == 1
        });
        assert_eq!(site.number(mining), 0);
        assert_eq!(site.number("select given_back from mining"), 1);
        drop(working);
    });
}

#[test]
fn a_worker_that_ends_gives_it_back_and_one_whose_child_fails_says_why() {
    site_on_both("{}", |site| {
        hands_in(site, "ann", ("", ""));
        site.write(|connection| {
            no_submission_waits(connection)?;
            queued(connection, &["sum"])
        });
        let (_folder, program) = scripts("exec sleep 1000");
        let working = site.workers(&Options { program, ..options() });
        wait("it mines", || site.text("select state from mining") == "running");
        drop(working);
        assert_eq!(site.text("select state from mining"), "queued");
        let failing = "echo 'error: the domain cannot make inputs' >&2; exit 2";
        let (_folder, program) = scripts(failing);
        let _working = site.workers(&Options { program, ..options() });
        wait("it failed once", || !site.text("select reason from mining").is_empty());
        let page = staff(site).get(super::PAGE).body;
        assert!(page.contains("error: the domain cannot make inputs"), "{page}");
        assert!(page.contains("another one follows"), "{page}");
    });
}

#[test]
fn it_is_queued_at_night_after_the_due_date_if_anything_changed() {
    let text = "time_zone: UTC\nmining: { nightly: true }\nassignments:\n  sum: { due: 2026-03-01, closes: 2999-03-01 }\n";
    site_on_both(text, |site| {
        hands_in(site, "ann", ("", ""));
        let source = harness::course::yaml::Source::new(Path::new("serve.yaml"), text.to_owned());
        let rules = Rules::parse(&source).unwrap_or_else(|problem| panic!("{problem:?}"));
        let at = |time: &str| Moment(time.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let (day, early) = (at("2026-03-09T12:30:00Z"), at("2026-02-28T03:30:00Z"));
        let (night, other) = (at("2026-03-09T03:30:00Z"), Rules::default());
        site.write(move |connection| {
            let course = server::courses::in_force(connection)?.unwrap();
            let mut open = |rules: &Rules, now| {
                mining::nightly(connection, rules, &course, &["sum".to_owned()], now)?;
                let open = mining::last(connection, "sum")?.is_some_and(|it| it.is_open());
                connection.execute("update mining set state = 'done'", &[])?;
                server::database::Result::Ok(open)
            };
            assert!(!open(&rules, day)? && !open(&rules, early)? && !open(&other, night)?);
            assert!(open(&rules, night)?);
            assert!(!open(&rules, night)?, "nothing changed");
            Ok(())
        });
    });
}
