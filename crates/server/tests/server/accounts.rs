//! Invitations, signing in, accounts and people.

use super::support::site::{Answer, Browser, Site};
use super::support::site_on_both;
use server::people::{self, Person, Role, attempts, invitation};
use server::tokens;
use std::time::Instant;

pub(super) const PASSWORD: &str = "violet anchor 27 maps";

fn invite(site: &Site, person: &Person) -> String {
    let id = person.id;
    let secret = site.write(move |connection| invitation::make(connection, id));
    format!("/invitations/{secret}")
}

/// Somebody who has accepted an invitation, in a browser.
pub(super) fn settled(site: &Site, login: &str, role: Role) -> (Person, Browser) {
    let person = site.person(login, role, "");
    let accepted = accept(site, &invite(site, &person), PASSWORD);
    assert_eq!(accepted.status, 303, "{}", accepted.body);
    (person, site.nobody().with_session_of(&accepted))
}

pub(super) fn accept(site: &Site, address: &str, password: &str) -> Answer {
    site.nobody().post_to(address, &[("password", password), ("again", password)])
}

fn sign_in(site: &Site, login: &str, password: &str) -> Answer {
    site.nobody().post_to("/sign-in", &[("login", login), ("password", password)])
}

pub(super) fn active(site: &Site, browser: &Browser) -> bool {
    let _ = site;
    browser.get("/account").status == 200
}

#[test]
fn an_invitation_sets_a_password_once() {
    site_on_both("{}", |site| {
        let ann = site.person("ann", Role::Student, "a");
        let address = invite(site, &ann);
        let page = site.nobody().get(&address);
        assert_eq!(page.status, 200);
        assert!(page.body.contains("Welcome, ann") && page.body.contains("<b>ann</b>"));
        for wrong in ["short", "password123", "ann"] {
            let refused = accept(site, &address, wrong);
            assert_eq!(refused.status, 422, "{wrong}");
            assert!(refused.body.contains("role=\"alert\""), "{}", refused.body);
        }
        let fields = [("password", PASSWORD), ("again", "something else")];
        assert_eq!(site.nobody().post_to(&address, &fields).status, 422);
        let accepted = accept(site, &address, PASSWORD);
        assert_eq!((accepted.status, accepted.headers["location"].as_str()), (303, "/"));
        assert!(active(site, &site.nobody().with_session_of(&accepted)));
        for again in [accept(site, &address, PASSWORD), site.nobody().get(&address)] {
            assert_eq!(again.status, 410);
            assert!(again.body.contains("This invitation is not valid"), "{}", again.body);
        }
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 303);
    });
}

#[test]
fn a_new_invitation_changes_nothing_until_it_is_accepted_and_then_ends_what_was() {
    site_on_both("{}", |site| {
        let (ann, before) = settled(site, "ann", Role::Student);
        let sam = site.signed_in(&site.person("sam", Role::Staff, ""));
        let id = ann.id;
        let token = site.write(move |connection| tokens::make(connection, id, "laptop"));
        let first = sam.post("/students/ann/invitation", &[]);
        let second = sam.post("/students/ann/invitation", &[]);
        let link = |answer: &Answer| {
            let (_, rest) = answer.body.split_once("/invitations/").expect(&answer.body);
            format!("/invitations/{}", &rest[..64])
        };
        assert!(active(site, &before));
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 303);
        assert_eq!(site.nobody().get(&link(&first)).status, 410, "the second replaces it");
        assert_eq!(accept(site, &link(&second), "another violet anchor").status, 303);
        assert!(!active(site, &before));
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 422);
        assert_eq!(sign_in(site, "ann", "another violet anchor").status, 303);
        let known = site.write(move |connection| tokens::person(connection, &token));
        assert_eq!(known, None, "tokens of before end");
    });
}

#[test]
fn invitations_end_and_are_for_people_who_are_active() {
    site_on_both("{}", |site| {
        let ann = site.person("ann", Role::Student, "");
        let old = invite(site, &ann);
        site.write(|connection| connection.execute("update invitation set until = 1", &[]));
        assert_eq!(accept(site, &old, PASSWORD).status, 410);
        let new = invite(site, &ann);
        site.write(|connection| connection.execute("update person set active = 0", &[]));
        assert_eq!(accept(site, &new, PASSWORD).status, 410);
    });
}

#[test]
fn of_many_who_accept_an_invitation_at_the_same_time_one_does() {
    site_on_both("{}", |site| {
        let ann = site.person("ann", Role::Student, "");
        let address = invite(site, &ann);
        let nobody = site.nobody();
        let statuses: Vec<_> = std::thread::scope(|scope| {
            let (site, address) = (&nobody, &address);
            let tries: Vec<_> = (0..8)
                .map(|at| {
                    let password = format!("{PASSWORD} {at}");
                    scope.spawn(move || {
                        let fields = [("password", password.as_str()), ("again", &password)];
                        site.post_to(address, &fields).status
                    })
                })
                .collect();
            tries.into_iter().map(|it| it.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|it| **it == 303).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|it| matches!(it, 303 | 410)), "{statuses:?}");
    });
}

#[test]
fn signing_in_begins_a_new_session_and_ends_the_one_before() {
    site_on_both("{}", |site| {
        let (_, before) = settled(site, "ann", Role::Student);
        let fields = [("login", " ann "), ("password", PASSWORD)];
        let entered = before.post_to("/sign-in", &fields);
        assert_eq!(entered.status, 303);
        let cookie = &entered.headers["set-cookie"];
        for part in ["__Host-session=", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.to_lowercase().contains("domain"), "{cookie}");
        let after = before.with_session_of(&entered);
        assert_ne!(after.session, before.session);
        assert!(active(site, &after) && !active(site, &before));
        // A secret that somebody else chose never becomes a session.
        let fixed = Browser { session: Some("f".repeat(64)), ..site.nobody() };
        assert_eq!(fixed.post_to("/sign-in", &fields).status, 303);
        assert!(!active(site, &fixed));
        let out = after.post("/sign-out", &[]);
        assert!(out.headers["set-cookie"].contains("Max-Age=0"));
        assert!(!active(site, &after));
    });
}

#[test]
fn nobody_learns_who_has_an_account() {
    site_on_both("{}", |site| {
        settled(site, "ann", Role::Student);
        site.person("invited", Role::Student, "");
        let (gone, _) = settled(site, "gone", Role::Student);
        site.write(move |connection| {
            connection.execute("update person set active = 0 where id = $1", &[gone.id.into()])
        });
        let mut answers = Vec::new();
        for login in ["ann", "invited", "gone", "never-seen"] {
            let began = Instant::now();
            let answer = sign_in(site, login, "not the password");
            let body = answer.body.replace(login, "LOGIN");
            answers.push((answer.status, body, began.elapsed()));
        }
        for (status, body, took) in &answers {
            assert_eq!((status, body), (&422, &answers[0].1));
            // A hash was computed each time: without one, the answer takes a few milliseconds at most.
            assert!(took.as_millis() >= 8, "{took:?}");
        }
    });
}

#[test]
fn wrong_passwords_slow_the_account_down_and_nobody_else() {
    site_on_both("{}", |site| {
        settled(site, "ann", Role::Student);
        settled(site, "bob", Role::Student);
        for _ in 0..5 {
            assert_eq!(sign_in(site, "ann", "not the password").status, 422);
        }
        let sixth = sign_in(site, "ann", "not the password");
        assert_eq!(sixth.status, 429);
        let wait: u32 = sixth.headers["retry-after"].parse().unwrap();
        assert!((1..=5).contains(&wait), "{wait}");
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 429, "not even with the right one");
        assert_eq!(sign_in(site, "bob", PASSWORD).status, 303);
        // Accounts that do not exist behave alike.
        for _ in 0..5 {
            assert_eq!(sign_in(site, "never-seen", "x").status, 422);
        }
        assert_eq!(sign_in(site, "never-seen", "x").status, 429);
        // Five seconds later it works, and what was wrong is forgotten.
        site.write(|it| it.execute("update failed_sign_in set at = at - 6000", &[]));
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 303);
        for _ in 0..5 {
            assert_eq!(sign_in(site, "ann", "not the password").status, 422);
        }
        // From another address the owner gets in at once.
        let elsewhere = "198.51.100.7".parse().unwrap();
        let free = site.write(move |it| attempts::begin(it, "ann", elsewhere));
        assert_eq!(free, None);
    });
}

#[test]
fn many_tries_at_the_same_time_and_from_everywhere_count_as_well() {
    site_on_both("{}", |site| {
        let begin = |address: String| {
            let address = address.parse().unwrap();
            site.write(move |it| attempts::begin(it, "ann", address))
        };
        let free: usize = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..40)
                .map(|_| scope.spawn(|| usize::from(begin("192.0.2.1".to_owned()).is_none())))
                .collect();
            tries.into_iter().map(|it| it.join().unwrap()).sum()
        });
        assert_eq!(free, 5);
        let free = (0..100).filter(|at| begin(format!("198.51.100.{at}")).is_none()).count();
        assert_eq!(free, 45, "50 in all");
        site.write(|it| it.execute("update failed_sign_in set at = at - 1000000", &[]));
        site.write(people::sweep);
        let left =
            site.write(|it| Ok(it.query("select count(*) from failed_sign_in", &[])?[0].int(0)));
        assert_eq!(left, 0);
    });
}

#[test]
fn a_password_is_changed_with_the_old_one_and_ends_other_sessions() {
    site_on_both("{}", |site| {
        let (ann, here) = settled(site, "ann", Role::Student);
        let other = site.signed_in(&ann);
        let new = "copper window 51 lakes";
        let change = |old: &str, new: &str| {
            let fields = [("old", old), ("password", new), ("again", new)];
            here.post("/account/password", &fields)
        };
        assert_eq!(change("not the password", new).status, 422);
        assert_eq!(change(PASSWORD, "short").status, 422);
        assert!(active(site, &other));
        assert_eq!(change(PASSWORD, new).status, 200);
        assert!(active(site, &here) && !active(site, &other));
        assert_eq!(sign_in(site, "ann", PASSWORD).status, 422);
        assert_eq!(sign_in(site, "ann", new).status, 303);
        let out = here.post("/account/sessions/end", &[]);
        assert_eq!((out.status, active(site, &here)), (303, false));
    });
}
