//! How a regrade begins: some students at a time, each submission once.

use super::support::results::handed_in;
use super::support::site::Site;
use super::support::site_on_both;
use server::courses;
use server::people::Role;
use server::regrades::{self, New, Scope};
use server::rules::Rules;

/// Students with two submissions each, and a regrade of all of them that has just begun.
fn begin(site: &Site, students: usize) -> i64 {
    let staff = site.person("staff", Role::Staff, "").id;
    for at in 0..students {
        let student = site.person(&format!("s{at}"), Role::Student, "");
        site.write(move |connection| {
            handed_in(connection, &student, "sum")?;
            handed_in(connection, &student, "sum")
        });
    }
    site.write(move |connection| {
        let new = New {
            course: courses::in_force(connection)?.unwrap(),
            assignment: "sum".to_owned(),
            scope: Scope::All,
            again: true,
            by: staff,
        };
        let count = regrades::count(connection, &Rules::default(), &new)?;
        assert_eq!(count, 2 * students as i64);
        regrades::begin(connection, &new, count)
    })
}

#[test]
fn a_regrade_that_was_interrupted_goes_on_and_takes_each_submission_once() {
    site_on_both("{}", |site| {
        let id = begin(site, 25);
        let rules = Rules::default();
        let first = site.write(move |connection| {
            assert!(regrades::go_on(connection, &Rules::default(), id)?);
            regrades::progress(connection, id)
        });
        assert!((2..50).contains(&first.all()), "{first:?}");
        assert_eq!(site.write(regrades::unfinished), [id]);
        // One who comes later is not of the regrade.
        let late = site.person("late", Role::Student, "");
        std::thread::sleep(std::time::Duration::from_millis(5));
        site.write(move |connection| handed_in(connection, &late, "sum"));
        let database = &site.app.database;
        let both = async {
            tokio::join!(
                regrades::finish(database, &rules, id),
                regrades::finish(database, &rules, id)
            )
        };
        let (one, other) = site.runtime.block_on(both);
        one.and(other).unwrap();
        assert!(site.write(regrades::unfinished).is_empty());
        let [all, different, apart] = site.write(move |connection| {
            let sql = "select count(*), count(distinct job.submission), \
                count(case when job.rank = regrade.at + 60000 then 1 end) \
                from job join regrade on regrade.id = job.regrade where regrade.id = $1";
            let row = connection.first(sql, &[id.into()])?.unwrap();
            Ok([0, 1, 2].map(|at| row.int(at)))
        });
        assert_eq!(
            (all, different, apart),
            (50, 50, 25),
            "the second of each comes a minute later"
        );
        let regrade = site.write(move |connection| regrades::find(connection, id)).unwrap();
        assert_eq!(site.write(move |connection| regrades::since(connection, &regrade)), 1);
    });
}

#[test]
fn a_regrade_that_is_dropped_while_it_begins_queues_nothing_more() {
    site_on_both("{}", |site| {
        let id = begin(site, 25);
        let open = site.write(move |connection| {
            assert!(regrades::go_on(connection, &Rules::default(), id)?);
            assert!(regrades::drop_it(connection, id, "it was a mistake", 1)?);
            assert!(!regrades::go_on(connection, &Rules::default(), id)?);
            Ok(regrades::progress(connection, id)?.open())
        });
        assert_eq!(open, 0);
        assert!(site.write(regrades::unfinished).is_empty());
    });
}
