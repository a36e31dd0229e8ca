//! Two servers on one database, and everything at the same moment.

use crate::support::site::Site;
use crate::support::site_on_both;
use server::database::{Connection, Database, Result};
use server::people::{Person, Role};
use server::queue;
use server::rules::{Beyond, Rules};
use server::submissions::hand_in::{HandIn, Taken, take};

/// Two servers, as far as the database notices.
pub(super) fn two(site: &Site) -> [Database; 2] {
    let other = site.runtime.block_on(Database::open(&site.database)).unwrap();
    [site.app.database.clone(), other]
}

/// What this student hands in. No other archive is like it.
pub(super) fn hand_in(site: &Site, student: &Person, mark: &str) -> HandIn {
    let course = site.write(|connection| Ok(server::courses::in_force(connection)?.unwrap()));
    HandIn {
        student: student.clone(),
        assignment: "sum".to_owned(),
        course,
        archive: mark.as_bytes().to_vec(),
        file_name: "submit.tar.gz".to_owned(),
        request: mark.to_owned(),
    }
}

/// Hands all of these in at the same time, by turns at both servers.
pub(super) fn all_at_once(
    site: &Site,
    servers: &[Database; 2],
    rules: &Rules,
    all: Vec<HandIn>,
) -> Vec<Taken> {
    let begun: Vec<_> = all
        .into_iter()
        .zip(servers.iter().cycle())
        .map(|(it, server)| {
            let (server, rules) = (server.clone(), rules.clone());
            site.runtime.spawn(async move {
                server.write(move |connection| take(connection, &rules, &it)).await.unwrap()
            })
        })
        .collect();
    begun.into_iter().map(|one| site.runtime.block_on(one).unwrap()).collect()
}

#[test]
fn of_what_two_servers_take_at_the_same_moment_three_count_and_no_other_is_kept() {
    site_on_both("{}", |site| {
        let (servers, ann) = (two(site), site.person("ann", Role::Student, ""));
        let all = (0..60).map(|at| hand_in(site, &ann, &format!("{at}"))).collect();
        let taken = all_at_once(site, &servers, &Rules::default(), all);
        let yes = taken.iter().filter(|it| matches!(it, Taken::Yes { .. })).count();
        assert_eq!((yes, site.number("select count(*) from submission")), (3, 3));
        assert_eq!(site.number("select count(*) from archive"), 3);
        // Two students with the same archive keep one of it, whichever of them is refused.
        let (bob, cat) =
            (site.person("bob", Role::Student, ""), site.person("cat", Role::Student, ""));
        let mut all: Vec<_> = (0..40).map(|at| hand_in(site, &bob, &format!("b{at}"))).collect();
        all.extend((0..40).map(|at| hand_in(site, &cat, &format!("c{at}"))));
        for (at, one) in all.iter_mut().enumerate() {
            one.archive = vec![(at % 5) as u8];
        }
        all_at_once(site, &servers, &Rules::default(), all);
        assert_eq!(site.number("select count(*) from submission"), 9);
        assert_eq!(
            site.number("select count(*) from archive"),
            site.number("select count(distinct archive) from submission")
        );
    });
}

#[test]
fn past_the_limit_two_servers_grade_one_at_a_time() {
    site_on_both("assignments: { sum: { limit: 1, bonus: 0, beyond: grade } }", |site| {
        let (servers, ann) = (two(site), site.person("ann", Role::Student, ""));
        let rules = site.runtime.block_on(site.app.rules()).unwrap();
        assert_eq!(rules.of("sum").beyond, Beyond::Grade);
        for round in 0..3 {
            let all = (0..20).map(|at| hand_in(site, &ann, &format!("{round} {at}"))).collect();
            let taken = all_at_once(site, &servers, &rules, all);
            let yes = taken.iter().filter(|it| matches!(it, Taken::Yes { .. })).count();
            assert_eq!(yes, if round == 0 { 2 } else { 1 }, "{taken:?}");
            let past = "select count(*) from job join submission on submission.id = job.submission \
                where feedback = 'past_limit' and state = 'queued'";
            assert_eq!(site.number(past), 1);
            site.write(|connection| connection.execute("update job set state = 'done'", &[]));
        }
        assert_eq!(site.number("select count(*) from archive"), 4);
    });
}

/// The same request at both servers, with refunds, choices and workers in between.
fn everything(connection: &mut Connection<'_>, it: &HandIn, at: usize) -> Result<()> {
    let own = "select id from submission where person = $1 order by id desc limit 1";
    let own = connection.first(own, &[it.student.id.into()])?;
    match at % 4 {
        0 => {
            take(connection, &Rules::default(), it)?;
        }
        1 => {
            if let Some(row) = own {
                queue::refund(connection, row.int(0))?;
            }
        }
        2 => {
            let sql = "insert into choice (person, assignment, counts) values ($1, 'sum', $2) \
                on conflict (person, assignment) do update set counts = $2";
            let counts = if at % 8 == 2 { "last" } else { "best" };
            connection.execute(sql, &[it.student.id.into(), counts.into()])?;
        }
        _ => {
            let Some(claim) = queue::claim(connection, &format!("worker {at}"))? else {
                return Ok(());
            };
            let report = crate::support::records::report("ann", 40.0, true);
            let record = crate::support::records::record(&report);
            assert!(queue::finish(connection, &claim, &record)?);
            assert!(!queue::finish(connection, &claim, &record)?, "once is enough");
        }
    }
    Ok(())
}

#[test]
fn handing_in_refunds_choices_and_workers_at_the_same_moment_leave_what_adds_up() {
    site_on_both("{}", |site| {
        let servers = two(site);
        let people = ["ann", "bob"].map(|login| site.person(login, Role::Student, ""));
        let begun: Vec<_> = (0..160)
            .map(|at| {
                let server = servers[at % 2].clone();
                let it = hand_in(site, &people[at / 2 % 2], &format!("{}", at / 3));
                site.runtime.spawn(async move {
                    server.write(move |connection| everything(connection, &it, at / 4 + at)).await
                })
            })
            .collect();
        for one in begun {
            site.runtime.block_on(one).unwrap().unwrap();
        }
        let all = site.number("select count(*) from submission");
        assert!(all > 0);
        assert_eq!(site.number("select count(distinct submission) from job"), all);
        assert_eq!(site.number("select count(*) from job"), all);
        let done = site.number("select count(*) from job where state = 'done'");
        assert_eq!(site.number("select count(*) from result"), done);
        assert_eq!(site.number("select count(*) from job where attempt > 1"), 0);
        let most = "select coalesce(max(counted), 0) from (select count(*) as counted from submission \
            where slot is not null group by person, day) as days";
        assert!(site.number(most) <= 4, "three, and one that exposed bugs earned");
        assert_eq!(
            site.number("select count(*) from archive"),
            site.number("select count(distinct archive) from submission")
        );
        // Both look the same: what one took, the other knows.
        let [one, other] = servers.map(|server| {
            let count = |connection: &mut Connection<'_>| {
                Ok(connection.query("select count(*) from submission", &[])?[0].int(0))
            };
            site.runtime.block_on(server.read(count)).unwrap()
        });
        assert_eq!(one, other);
    });
}
