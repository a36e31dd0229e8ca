//! Groups: who comes into one and how, what its members share, and what staff change.

mod shared;
mod staff;

use super::support::site::{Answer, Browser, Site};
use super::support::site_on_both;
use server::people::Role;

/// Rules with groups of this many.
fn rules(most: i64, more: &str) -> String {
    format!("time_zone: UTC\nassignments: {{ sum: {{ groups: {{ most: {most} }}, {more} }} }}\n")
}

/// A student in a browser.
fn student(site: &Site, login: &str, section: &str) -> Browser {
    site.signed_in(&site.person(login, Role::Student, section))
}

fn invites(browser: &Browser, login: &str) -> Answer {
    browser.post("/assignments/sum/group/invite", &[("login", login)])
}

fn answers(browser: &Browser, invitation: i64, answer: &str, seen: &str) -> Answer {
    let id = invitation.to_string();
    let fields = [("invitation", id.as_str()), ("answer", answer), ("seen", seen)];
    browser.post("/assignments/sum/group/answer", &fields)
}

/// The number of the last invitation.
fn last(site: &Site) -> i64 {
    site.number("select coalesce(max(id), 0) from group_invitation")
}

/// Lets one student invite another, who accepts.
fn together(site: &Site, one: &Browser, (login, other): (&str, &Browser), seen: &str) {
    assert_eq!(invites(one, login).status, 303);
    assert_eq!(answers(other, last(site), "accept", seen).status, 303);
}

/// That a form is refused, and that the page says so.
#[track_caller]
fn refused(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 422, "{}", answer.body);
    assert!(answer.body.to_lowercase().contains(why), "{}", answer.body);
}

#[test]
fn nobody_comes_into_a_group_without_having_accepted() {
    site_on_both(&rules(2, ""), |site| {
        let (ann, bob) = (student(site, "ann", "a"), student(site, "bob", "b"));
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("You work alone.") && page.contains("Up to 2 students"), "{page}");
        assert!(page.contains("After you hand in, only staff can put you into a group"), "{page}");
        for (login, why) in [("ann", "your own login"), ("nobody", "no student has this login")] {
            refused(&invites(&ann, login), why);
        }
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        refused(&invites(&ann, "sam"), "no student has this login");
        refused(&invites(&staff, "ann"), "only students");
        assert_eq!(invites(&ann, " bob ").status, 303);
        assert_eq!(invites(&ann, "bob").status, 303, "a double click invites once");
        assert_eq!(site.number("select count(*) from group_invitation"), 1);
        assert!(ann.get("/assignments/sum").body.contains("who has not answered yet"));
        assert!(bob.get("/").body.contains("ann invites you to hand in together"));
        refused(&invites(&bob, "ann"), "ann invited you already");
        assert_eq!(site.number("select count(*) from member"), 0);
        // Nobody else answers, and nobody accepts what the page did not show.
        let cat = student(site, "cat", "a");
        let it = last(site);
        for (who, answer) in
            [(&cat, "accept"), (&cat, "decline"), (&ann, "accept"), (&bob, "withdraw")]
        {
            refused(&answers(who, it, answer, "ann"), "not open any more");
        }
        refused(&answers(&bob, it, "accept", "ann dan"), "the group has changed");
        assert_eq!(answers(&bob, it, "accept", "ann").status, 303);
        refused(&answers(&bob, it, "accept", "ann"), "not open any more");
        for (browser, other) in [(&ann, "<b>bob</b> (bob)"), (&bob, "<b>ann</b> (ann)")] {
            let page = browser.get("/assignments/sum").body;
            assert!(page.contains(&format!("You hand in together with {other}.")), "{page}");
            assert!(page.contains("The group is full."), "{page}");
        }
        refused(&invites(&bob, "cat"), "the group is full");
        refused(&invites(&cat, "bob"), "bob is in a group already");
        assert!(staff.get("/audit").body.contains("accept group invitation"));
    });
}

#[test]
fn who_declined_is_not_asked_again_and_who_is_taken_is_not_asked() {
    site_on_both(&rules(2, ""), |site| {
        let [ann, bob, cat] = ["ann", "bob", "cat"].map(|login| student(site, login, "a"));
        assert_eq!(invites(&ann, "bob").status, 303);
        assert_eq!(answers(&bob, last(site), "decline", "").status, 303);
        refused(&invites(&ann, "bob"), "bob declined");
        // Who declined can invite.
        assert_eq!(invites(&bob, "ann").status, 303);
        let of_bob = last(site);
        assert_eq!(answers(&bob, of_bob, "withdraw", "").status, 303);
        refused(&answers(&ann, of_bob, "accept", "bob"), "not open any more");
        // Two ask the same student, who asked a fourth. One is accepted, and the others are over.
        student(site, "dan", "a");
        assert_eq!(invites(&bob, "ann").status, 303);
        let of_bob = last(site);
        assert_eq!((invites(&cat, "ann").status, invites(&ann, "dan").status), (303, 303));
        assert_eq!(answers(&ann, of_bob, "accept", "bob").status, 303);
        assert_eq!(site.number("select count(*) from group_invitation where state = 'open'"), 0);
        assert_eq!(site.number("select count(*) from member"), 2);
        for number in 0..11 {
            let login = format!("s{number}");
            student(site, &login, "a");
            let expected = if number < 10 { 303 } else { 422 };
            assert_eq!(invites(&cat, &login).status, expected, "{login}");
        }
    });
}

#[test]
fn a_group_grows_to_its_most_and_no_further() {
    site_on_both(&rules(3, ""), |site| {
        let all = ["ann", "bob", "cat", "dan"].map(|login| student(site, login, "a"));
        let [ann, bob, cat, dan] = &all;
        assert_eq!(invites(ann, "dan").status, 303);
        let to_dan = last(site);
        together(site, ann, ("bob", bob), "ann");
        refused(&answers(dan, to_dan, "accept", "ann"), "the group has changed");
        together(site, bob, ("cat", cat), "ann bob");
        refused(&answers(dan, to_dan, "accept", "ann bob cat"), "not open any more");
        let page = cat.get("/assignments/sum").body;
        assert!(page.contains("<b>ann</b> (ann), <b>bob</b> (bob)"), "{page}");
        let broken = |sql: &'static str| {
            let done = site.app.database.write(move |connection| connection.execute(sql, &[]));
            site.runtime.block_on(done).is_err()
        };
        let insert = "insert into member (assignment, person, keeper, place)";
        let of = "from person where login = 'dan'";
        let sql: &'static str = format!("{insert} select 'sum', id, 1, 2 {of}").leak();
        assert!(broken(sql), "a place is taken once");
        let sql: &'static str = format!("{insert} select 'sum', id, 1, 11 {of}").leak();
        assert!(broken(sql), "there is no such place");
        assert!(broken(
            "insert into member (assignment, person, keeper, place) values ('sum', 2, 2, 1)"
        ));
    });
}

#[test]
fn students_make_groups_until_the_date_and_until_one_of_them_hands_in() {
    let until = "groups: { most: 2, until: 2020-01-01 }";
    site_on_both(&format!("assignments: {{ sum: {{ {until} }} }}\n"), |site| {
        let [ann, bob, cat] = ["ann", "bob", "cat"].map(|login| student(site, login, "a"));
        refused(&invites(&ann, "bob"), "groups were made until");
        assert!(ann.get("/assignments/sum").body.contains("Ask the staff."));
        site.rules("assignments: { sum: { due: 2020-01-01 } }\n");
        refused(&invites(&ann, "bob"), "each student works alone");
        assert!(!ann.get("/assignments/sum").body.contains("You work alone"));
        site.rules("assignments: { sum: { due: 2020-01-01, closes: 2100-01-01, groups: {} } }\n");
        refused(&invites(&ann, "bob"), "groups were made until");
        site.rules(&rules(2, ""));
        assert_eq!((invites(&ann, "bob").status, invites(&cat, "ann").status), (303, 303));
        ann.hands_in("alone");
        refused(&answers(&bob, last(site) - 1, "accept", "ann"), "ann handed in already");
        refused(&answers(&ann, last(site), "accept", "cat"), "you handed in alone already");
        refused(&invites(&cat, "ann"), "ann handed in alone already");
        assert_eq!(site.number("select count(*) from member"), 0);
    });
}
