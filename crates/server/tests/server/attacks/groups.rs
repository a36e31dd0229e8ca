//! The members of a group, at the same moment at two servers.

use super::races::{all_at_once, hand_in, two};
use crate::support::site::Site;
use crate::support::site_on_both;
use server::database::Database;
use server::people::{Person, Role};
use server::rules::Rules;
use server::submissions::group::invitation::{Done, accept, invite};
use server::submissions::hand_in::{Taken, take};

const RULES: &str = "assignments: { sum: { groups: { most: 2 }, bonus: 0 } }";

fn people(site: &Site) -> [Person; 3] {
    ["ann", "bob", "cat"].map(|login| site.person(login, Role::Student, ""))
}

fn rules(site: &Site) -> Rules {
    (*site.runtime.block_on(site.app.rules()).unwrap()).clone()
}

/// Lets the first invite each of the others, and gives the numbers of the invitations.
fn invited(site: &Site, rules: &Rules, one: &Person, others: &[&Person]) -> Vec<i64> {
    let (rules, one) = (rules.clone(), one.clone());
    let others: Vec<_> = others.iter().map(|it| (*it).clone()).collect();
    site.write(move |connection| {
        for it in &others {
            assert_eq!(invite(connection, &rules, "sum", &one, &it.login)?, Ok(()));
        }
        let sql = "select id from group_invitation where state = 'open' order by id";
        Ok(connection.query(sql, &[])?.iter().map(|row| row.int(0)).collect())
    })
}

async fn accepts(server: Database, rules: Rules, student: Person, id: i64) -> Done {
    let work = move |connection: &mut server::database::Connection<'_>| {
        accept(connection, &rules, "sum", &student, (id, "ann"))
    };
    server.write(work).await.unwrap()
}

#[test]
fn of_what_the_members_of_a_group_hand_in_at_the_same_moment_as_much_counts_as_of_one_student() {
    site_on_both(RULES, |site| {
        let (servers, [ann, bob, _], rules) = (two(site), people(site), rules(site));
        let id = invited(site, &rules, &ann, &[&bob])[0];
        let done = accepts(servers[0].clone(), rules.clone(), bob.clone(), id);
        assert_eq!(site.runtime.block_on(done), Ok(()));
        for last in ["first", "second"] {
            let one = all_at_once(site, &servers, &rules, vec![hand_in(site, &ann, last)]);
            assert!(matches!(one[..], [Taken::Yes { .. }]), "{one:?}");
        }
        // Each member sends to each server, and one attempt is left.
        let all = (0..40).map(|at| hand_in(site, [&ann, &bob][at / 2 % 2], &format!("{at}")));
        let taken = all_at_once(site, &servers, &rules, all.collect());
        let yes = taken.iter().filter(|it| matches!(it, Taken::Yes { .. })).count();
        let full = taken.iter().filter(|it| matches!(it, Taken::Full { .. })).count();
        assert_eq!((yes, full), (1, 39));
        assert_eq!(site.number("select count(*) from submission where slot is not null"), 3);
        assert_eq!(site.number("select count(distinct person) from submission"), 1);
    });
}

#[test]
fn of_two_who_accept_the_last_place_at_the_same_moment_one_gets_it() {
    site_on_both(RULES, |site| {
        let (servers, [ann, bob, cat], rules) = (two(site), people(site), rules(site));
        let ids = invited(site, &rules, &ann, &[&bob, &cat]);
        let begun: Vec<_> = [(bob, ids[0]), (cat, ids[1])]
            .into_iter()
            .zip(servers)
            .map(|((student, id), server)| {
                site.runtime.spawn(accepts(server, rules.clone(), student, id))
            })
            .collect();
        let done: Vec<_> =
            begun.into_iter().map(|one| site.runtime.block_on(one).unwrap()).collect();
        assert_eq!(done.iter().filter(|it| it.is_ok()).count(), 1, "{done:?}");
        assert_eq!(site.number("select count(*) from member"), 2);
        assert_eq!(site.number("select count(*) from group_invitation where state = 'open'"), 0);
    });
}

#[test]
fn who_hands_in_and_accepts_at_the_same_moment_does_one_of_them_alone_or_both_together() {
    site_on_both(RULES, |site| {
        let (servers, rules) = (two(site), rules(site));
        for round in 0..6 {
            let ann = site.person("ann", Role::Student, "");
            let bob = site.person(&format!("bob{round}"), Role::Student, "");
            let id = invited(site, &rules, &ann, &[&bob])[0];
            let accepting =
                site.runtime.spawn(accepts(servers[0].clone(), rules.clone(), bob.clone(), id));
            let handing_in = {
                let (server, rules) = (servers[1].clone(), rules.clone());
                let it = hand_in(site, &bob, &format!("{round}"));
                site.runtime.spawn(async move {
                    server.write(move |connection| take(connection, &rules, &it)).await.unwrap()
                })
            };
            let accepted = site.runtime.block_on(accepting).unwrap();
            let taken = site.runtime.block_on(handing_in).unwrap();
            assert!(matches!(taken, Taken::Yes { .. }), "{taken:?}");
            let alone = site.number(
                "select count(*) from submission join person on person.id = submission.person \
                 where person.login <> 'ann'",
            );
            assert_eq!(alone, i64::from(accepted.is_err()), "{accepted:?}");
            site.write(|connection| {
                for table in ["member", "group_invitation", "job", "submission"] {
                    connection.execute(&format!("delete from {table}"), &[])?;
                }
                connection.execute("update person set login = 'x' || id where login = 'ann'", &[])
            });
        }
    });
}
