//! The audit log: nothing is lost when many write it, and a change shows.

use super::support::{on_both, program, site_on_both};
use server::audit::{self, Entry};
use server::people::Role;
use std::time::Duration;

#[test]
fn fifty_who_write_the_log_at_the_same_time_all_do_and_the_chain_holds() {
    on_both(async |database| {
        let writers = (0..50).map(|at| {
            let database = database.clone();
            tokio::spawn(async move {
                for entry in 0..4 {
                    let object = format!("writer {at}, entry {entry}");
                    let written = database.write(move |connection| {
                        // Others of the transaction's statements come before, as in a handler.
                        connection.query("select count(*) from person", &[])?;
                        let entry =
                            Entry { person: None, action: "test", object: &object, reason: "" };
                        audit::add(connection, &entry, (), at)
                    });
                    written.await.unwrap();
                }
            })
        });
        let writers: Vec<_> = writers.collect();
        let all = async {
            for writer in writers {
                writer.await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_mins(1), all).await.expect("nobody starves");
        assert_eq!(database.read(audit::verify).await.unwrap(), Ok(200));
    });
}

#[test]
fn a_row_that_is_changed_or_removed_shows_at_the_command_line() {
    site_on_both("{}", |site| {
        for at in 0..4 {
            site.write(move |connection| {
                let entry = Entry { person: None, action: "test", object: "x", reason: "" };
                audit::add(connection, &entry, at, at + 1)
            });
        }
        let database = site.database_name();
        let with = |args: &[&str]| {
            let args = [&["audit", "--database", &database], args].concat();
            program::run(program::serve(site.course.path(), &args))
        };
        let verify = || with(&[]);
        let whole = verify();
        let last = whole.out.trim().strip_prefix("The log is whole: 4 entries, the last is ");
        let (status, last) = (whole.status, last.expect(&whole.out).to_owned());
        assert_eq!((status, last.len()), (0, 64));
        let change = |sql: &'static str| site.write(move |it| it.execute(sql, &[]));
        change("update audit set after = '9' where id = 2");
        let changed = verify();
        assert_eq!(changed.status, 1, "{}", changed.error);
        assert!(changed.error.contains("entry 2 "), "{}", changed.error);
        change("update audit set after = '2' where id = 2");
        assert_eq!(verify().status, 0);
        change("delete from audit where id = 3");
        let removed = verify();
        change("delete from audit where id > 2");
        assert_eq!(verify().status, 0, "nothing else tells that the last entries are gone");
        let gone = with(&["--known", &last]);
        assert_eq!(gone.status, 1, "{}", gone.error);
        assert!(gone.error.contains(&format!("no entry {last} any more")), "{}", gone.error);
        let (_, now) = verify()
            .out
            .trim()
            .rsplit_once(' ')
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        assert_eq!(with(&["--known", &now[..8]]).status, 0);
        assert_eq!(with(&["--known", &now[..7]]).status, 2);
        assert!(removed.status == 1 && removed.error.contains("entry 4 "), "{}", removed.error);
    });
}

#[test]
fn staff_read_the_log_by_pages_and_by_person_and_action() {
    site_on_both("{}", |site| {
        let sam = site.person("sam", Role::Staff, "");
        let (id, browser) = (sam.id, site.signed_in(&sam));
        for at in 0..120 {
            site.write(move |connection| {
                let object = format!("thing-{at}.");
                let entry = Entry {
                    person: (at % 2 == 0).then_some(id),
                    action: if at % 3 == 0 { "grant <b>" } else { "refund" },
                    object: &object,
                    reason: "illness",
                };
                audit::add(connection, &entry, (), "<script>")
            });
        }
        let first = browser.get("/audit").body;
        assert!(
            first.contains("thing-119.")
                && first.contains("thing-70.")
                && !first.contains("thing-69.")
        );
        assert!(!first.contains("<script>") && !first.contains("grant <b>"), "it is escaped");
        let (_, rest) = first.split_once("/audit?before=").expect(&first);
        let (before, _) = rest.split_once('&').unwrap();
        let second = browser.get(&format!("/audit?before={before}")).body;
        assert!(
            second.contains("thing-69.")
                && second.contains("thing-20.")
                && !second.contains("thing-70.")
        );
        let own = browser.get("/audit?person=sam&action=refund").body;
        assert!(
            own.contains("thing-118.")
                && !own.contains("thing-119.")
                && !own.contains("thing-114.")
        );
        assert!(browser.get("/audit?person=nobody").body.contains("There is nothing that fits"));
        assert_eq!(browser.get("/audit?before=x&person=%00&action=%ff").status, 200);
    });
}
