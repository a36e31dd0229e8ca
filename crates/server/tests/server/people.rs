//! Tokens, roles, what ends by itself, and people on the command line.

use super::accounts::{PASSWORD, accept, active, settled};
use super::support::site::Site;
use super::support::{program, site_on_both};
use server::people::{self, Person, Role, invitation};
use server::tokens;

#[test]
fn tokens_are_shown_once_listed_and_removed_by_their_person_alone() {
    site_on_both("{}", |site| {
        let (ann, here) = settled(site, "ann", Role::Student);
        let made = here.post("/account/tokens", &[("name", "<laptop>")]);
        assert_eq!(made.status, 200);
        let (_, rest) = made.body.split_once("value=\"harness_").expect(&made.body);
        let token = format!("harness_{}", &rest[..64]);
        let known = site.write(move |connection| tokens::person(connection, &token));
        assert_eq!(known.map(|person| person.login).as_deref(), Some("ann"));
        let listed = here.get("/account").body;
        assert!(listed.contains("&#60;laptop&#62;") && !listed.contains("harness_"), "{listed}");
        let id = site.write(move |connection| Ok(tokens::of(connection, ann.id)?[0].id));
        let bob = site.signed_in(&site.person("bob", Role::Student, ""));
        let remove = format!("/account/tokens/{id}/remove");
        assert_eq!(bob.post(&remove, &[]).status, 404);
        assert_eq!(here.post(&remove, &[]).status, 303);
        assert_eq!(here.post(&remove, &[]).status, 404);
        for name in ["", "  ", &"n".repeat(61)] {
            assert_eq!(here.post("/account/tokens", &[("name", name)]).status, 422);
        }
        for at in 0..tokens::MOST {
            assert_eq!(here.post("/account/tokens", &[("name", &at.to_string())]).status, 200);
        }
        assert_eq!(here.post("/account/tokens", &[("name", "one more")]).status, 422);
    });
}

#[test]
fn administrators_change_roles_and_one_of_them_stays() {
    site_on_both("{}", |site| {
        let ada = site.signed_in(&site.person("ada", Role::Administrator, ""));
        let invited = ada.post("/people", &[("login", "gil"), ("name", "Gil"), ("role", "grader")]);
        assert!(invited.body.contains("/invitations/"), "{}", invited.body);
        let gil = site.signed_in(&find(site, "gil").unwrap());
        let set = |role: &str, sees: &str, active: bool| {
            let mut fields = vec![("role", role), ("sees", sees)];
            fields.extend(active.then_some(("active", "yes")));
            ada.post("/people/gil", &fields).status
        };
        assert_eq!(set("grader", "a,  b ", true), 303);
        assert_eq!(find(site, "gil").unwrap().sees, ["a", "b"]);
        assert_eq!(set("king", "", true), 422);
        assert_eq!(set("grader", "", false), 303);
        assert!(!active(site, &gil));
        assert_eq!(set("administrator", "", true), 303);
        assert!(!active(site, &gil), "the session of before has ended");
        let own = |role: &str| ada.post("/people/ada", &[("role", role), ("active", "yes")]);
        assert_eq!(set("staff", "", true), 303);
        let refused = own("staff");
        assert_eq!(refused.status, 422);
        assert!(refused.body.contains("Nobody but ada is an administrator"), "{}", refused.body);
        assert_eq!(ada.post("/people/ada", &[("role", "administrator")]).status, 422);
        let again = ada.post("/people", &[("login", "ada"), ("role", "grader")]);
        assert_eq!(again.status, 422, "an invitation does not remove the last one either");
        assert_eq!(ada.post("/people", &[("login", "a b"), ("role", "staff")]).status, 422);
        let log = ada.get("/audit?person=ada&action=change+role").body;
        assert!(log.contains("person gil") && log.contains("administrator"), "{log}");
    });
}

fn find(site: &Site, login: &'static str) -> Option<Person> {
    site.write(move |connection| Person::by_login(connection, login))
}

#[test]
fn two_administrators_who_remove_each_other_at_the_same_time_leave_one() {
    site_on_both("{}", |site| {
        for round in 0..5 {
            let logins = [format!("ada{round}"), format!("bo{round}")];
            site.write(|it| it.execute("update person set active = 0", &[]));
            let both =
                logins.clone().map(|it| site.signed_in(&site.person(&it, Role::Administrator, "")));
            std::thread::scope(|scope| {
                for (who, other) in both.iter().zip(logins.iter().rev()) {
                    let address = format!("/people/{other}");
                    scope.spawn(move || who.post(&address, &[("role", "staff")]));
                }
            });
            let left = site.write(|it| {
                let sql = "select count(*) from person where role = 'administrator' and active = 1";
                Ok(it.query(sql, &[])?[0].int(0))
            });
            assert_eq!(left, 1);
        }
    });
}

#[test]
fn what_has_ended_is_deleted() {
    site_on_both("{}", |site| {
        let (ann, browser) = settled(site, "ann", Role::Student);
        let id = ann.id;
        site.write(move |it| {
            tokens::make(it, id, "laptop")?;
            invitation::make(it, id)?;
            people::sweep(it)
        });
        assert!(active(site, &browser));
        let count = || {
            site.write(|it| {
                let sql = "select (select count(*) from session) + (select count(*) from token) \
                    + (select count(*) from invitation)";
                Ok(it.query(sql, &[])?[0].int(0))
            })
        };
        assert_eq!(count(), 3);
        site.write(|it| {
            it.execute("update token set until = 1", &[])?;
            it.execute("update invitation set until = 1", &[])?;
            it.execute("update session set seen = 1", &[])?;
            people::sweep(it)
        });
        assert_eq!(count(), 0);
    });
}

#[test]
fn the_command_line_invites_and_knows_who_exists() {
    site_on_both("{}", |site| {
        let database = site.database_name();
        let invite = |args: &[&str]| {
            let args = [&["invite", "--database", &database], args].concat();
            program::run(program::serve(site.course.path(), &args))
        };
        let done = invite(&["ann", "--name", "Ann Lee"]);
        assert_eq!(done.status, 0, "{}", done.error);
        let (_, secret) = done.out.trim().split_once("/invitations/").expect(&done.out);
        assert_eq!(accept(site, &format!("/invitations/{secret}"), PASSWORD).status, 303);
        assert_eq!(invite(&["ann"]).status, 0);
        let ann = find(site, "ann").unwrap();
        assert_eq!((ann.name.as_str(), ann.role), ("Ann Lee", Role::Student));
        assert_eq!(invite(&["ann", "--role", "administrator"]).status, 0);
        assert_eq!(find(site, "ann").unwrap().role, Role::Administrator);
        let refused = invite(&["ann", "--role", "staff"]);
        assert_eq!(refused.status, 2);
        assert!(refused.error.contains("nobody but Ann Lee"), "{}", refused.error);
        assert_eq!(invite(&["a b"]).status, 2);
    });
}
