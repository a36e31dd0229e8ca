//! One student who floods the server: others are served and graded in time, and nothing of it is kept.

use super::{PATIENCE, connect, head, post_form};
use crate::support::handing_in::form;
use crate::support::records::HAND_IN;
use crate::support::site::{Browser, Site};
use crate::support::{site_on_both, sums};
use server::people::{Person, Role};
use server::queue;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// An archive that no other is like.
fn archive(mark: &str) -> Vec<u8> {
    let source = format!("{}// {mark}\n", sums::SUM);
    sums::archive(&[("sum.cpp", &source), ("Makefile", sums::MAKEFILE)])
}

/// Hands in so many different archives with so many connections at a time.
fn flood(ann: &Browser, name: &str, all: usize, connections: usize) -> [usize; 3] {
    let next = AtomicUsize::new(0);
    let counts: [AtomicUsize; 3] = Default::default();
    thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= all {
                        return;
                    }
                    let key = format!("{name}-{at}");
                    let bytes = archive(&key);
                    let answer = ann.upload(HAND_IN, &key, &[("submit.tar.gz", &bytes)]);
                    let kind = match answer.status {
                        303 => 0,
                        422 => 1,
                        429 => 2,
                        other => panic!("{other}: {}", answer.body),
                    };
                    counts[kind].fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    counts.map(AtomicUsize::into_inner)
}

/// The students of the jobs in the order in which they are claimed.
fn order(site: &Site) -> Vec<String> {
    let next = || site.write(|connection| queue::claim(connection, "tests"));
    std::iter::from_fn(next).map(|claim| claim.login).collect()
}

fn students<'a>(site: &'a Site, names: &[&str]) -> Vec<Browser> {
    let person = |name: &&str| -> Person { site.person(name, Role::Student, "") };
    names.iter().map(person).map(|person| site.signed_in(&person)).collect()
}

#[test]
fn of_3800_submissions_of_one_student_three_are_taken_and_others_notice_nothing() {
    site_on_both("{}", |site| {
        let all = students(site, &["ann", "bob"]);
        let (ann, bob) = (&all[0], &all[1]);
        thread::scope(|scope| {
            let flooding = scope.spawn(|| flood(ann, "ann", 3_800, 16));
            // In the middle of it, another one hands in.
            while site.number("select count(*) from submission") == 0 {
                thread::yield_now();
            }
            let began = Instant::now();
            assert_eq!(bob.get("/").status, 200);
            bob.hands_in("bob");
            assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
            let [taken, refused, later] = flooding.join().unwrap();
            assert_eq!((taken, refused + later), (3, 3_797), "{refused} and {later}");
        });
        assert_eq!(site.number("select count(*) from archive"), 4, "of refused ones, none is kept");
        assert_eq!(site.number("select count(*) from job"), 4);
        // Each open job of a student puts the next one back by a minute.
        let order = order(site);
        assert!(order.iter().position(|it| it == "bob").unwrap() <= 1, "{order:?}");
    });
}

#[test]
fn five_students_who_flood_at_once_get_what_each_may_have() {
    site_on_both("{}", |site| {
        let names = ["ann", "bea", "cal", "dee", "eve", "bob"];
        let all = students(site, &names);
        thread::scope(|scope| {
            for (browser, name) in all.iter().zip(names).take(5) {
                scope.spawn(move || flood(browser, name, 200, 4));
            }
            let began = Instant::now();
            all[5].hands_in("bob");
            assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
        });
        assert_eq!(site.number("select count(*) from archive"), 16);
        assert_eq!(site.number("select count(*) from submission where slot is not null"), 16);
        let order = order(site);
        assert!(order.iter().position(|it| it == "bob").unwrap() <= 5, "{order:?}");
    });
}

/// Begins a request, and sends no more of it.
fn begun(site: &Site, text: &str) -> TcpStream {
    let mut stream = connect(site);
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

#[test]
fn connections_that_trickle_or_never_read_keep_nobody_else_waiting() {
    site_on_both("{}", |site| {
        let all = students(site, &["ann", "bob"]);
        let (ann, bob) = (&all[0], &all[1]);
        let id = ann.hands_in("key");
        let mut held = Vec::new();
        for _ in 0..60 {
            held.push(begun(site, "GET / HTTP/1.1\r\nhost: "));
            let upload = "content-type: multipart/form-data; boundary=x\r\ncontent-length: 4000000\r\n\r\n--x\r\n\
                content-disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n";
            held.push(begun(site, &format!("{}{upload}", head(ann, "POST", HAND_IN))));
            let events = head(ann, "GET", &format!("/submissions/{id}/events"));
            held.push(begun(site, &format!("{events}\r\n")));
            let archive = head(ann, "GET", &format!("/submissions/{id}/archive"));
            held.push(begun(site, &format!("{archive}\r\n")));
        }
        // Those who trickle go on with a byte now and then.
        let began = Instant::now();
        for round in 0..3 {
            for stream in &mut held {
                // It may be refused already.
                let _ = stream.write_all(b"x");
            }
            assert_eq!(bob.get("/").status, 200);
            assert_eq!(bob.get("/assignments/sum").status, 200);
            let bytes = archive(&format!("bob-{round}"));
            let sent = form(&format!("bob-{round}"), &[("submit.tar.gz", &bytes)]);
            let answer = post_form(site, bob, HAND_IN, &sent);
            assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        }
        assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
        // She has as many pages and requests under way as one may have.
        assert!(site.app.live_pages.hold(person_of(site, "ann")).is_none());
        assert_eq!(ann.upload(HAND_IN, "more", &[("submit.tar.gz", b"")]).status, 429);
        drop(held);
    });
}

fn person_of(site: &Site, login: &'static str) -> i64 {
    site.write(move |connection| Ok(Person::by_login(connection, login)?.unwrap().id))
}

#[test]
fn a_body_that_trickles_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let site = &Site::new(&crate::support::sqlite(&folder), "{}");
    let ann = &students(site, &["ann"])[0];
    let upload = "content-type: multipart/form-data; boundary=x\r\ncontent-length: 4000000\r\n\r\n--x\r\n\
                content-disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n";
    let mut stream = begun(site, &format!("{}{upload}", head(ann, "POST", HAND_IN)));
    let mut other = stream.try_clone().unwrap();
    let trickling = thread::spawn(move || {
        while other.write_all(b"x").is_ok() {
            thread::sleep(std::time::Duration::from_millis(200));
        }
    });
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 422"), "{answer}");
    assert!(answer.contains("The upload broke off"), "{answer}");
    drop(stream);
    trickling.join().unwrap();
    ann.hands_in("key");
}
