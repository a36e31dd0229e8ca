//! Versions of the course and regrades.

use super::support::records;
use super::support::results::{fail_all, graded, handed_in, work_off};
use super::support::site::{Browser, Site};
use super::support::site_on_both;
use super::support::sums;
use server::courses::{self, stored, upload};
use server::people::{Person, Role};
use server::queue::{self, Class};
use server::submissions::standing;
use std::thread;

/// Staff, two students with two submissions each (40 and 72, 56 and 16 points), and another version of the course.
fn begin(site: &Site) -> (Browser, String) {
    let staff = site.person("staff", Role::Staff, "");
    for (login, points) in [("ann", [5, 9]), ("bob", [7, 2])] {
        let student = site.person(login, Role::Student, "a");
        site.write(move |connection| {
            for right in points {
                graded(connection, &student, "sum", right)?;
            }
            Ok(())
        });
    }
    let version = site.write({
        let by = staff.id;
        let new = sums::course("{}");
        sums::write(new.path(), "cases.yaml", "sample: { cases: { One: { text: \"1 1\\n\" } } }\n");
        let packed = upload::from_folder(new.path()).unwrap();
        move |connection| stored::store(connection, &packed.bytes, &packed.title, by)
    });
    (site.signed_in(&staff), version)
}

/// Begins a regrade, and gives its page.
fn regrade(staff: &Browser, version: &str, scope: &str, students: &str) -> String {
    let fields =
        [("course", version), ("assignment", "sum"), ("scope", scope), ("students", students)];
    let begun = staff.post("/regrades", &fields);
    assert_eq!(begun.status, 303, "{}", begun.body);
    begun.headers["location"].clone()
}

fn points(site: &Site, login: &'static str) -> i64 {
    site.write(move |connection| {
        let person = Person::by_login(connection, login)?.unwrap();
        let all = standing::all(connection, &server::rules::Rules::default(), person.id, "sum")?;
        Ok(standing::counting(&all, server::rules::Counts::Best)
            .map_or(-1, |it| it.points.round() as i64))
    })
}

fn in_force(site: &Site) -> String {
    site.write(|connection| Ok(courses::in_force(connection)?.unwrap()))
}

#[test]
fn a_version_is_uploaded_and_shows_what_differs() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = staff.get("/course").body;
        assert!(page.contains(&version[..12]) && page.contains("always open"), "{page}");
        let page = staff.get(&format!("/course/{version}")).body;
        assert!(
            page.contains("<strong>1</strong> changed") && page.contains("cases.yaml"),
            "{page}"
        );
        assert_eq!(staff.get("/course/none").status, 404);
        let folder = sums::course("{}");
        sums::write(folder.path(), "sum.sh", "exit 1\n");
        let archive = tar_of(folder.path());
        let stored = staff.send_file("/course", "archive", "course.tar.gz", &archive);
        assert_eq!(stored.status, 303, "{}", stored.body);
        let page = staff.get(&stored.headers["location"]).body;
        assert!(page.contains("sum.sh") && page.contains("<strong>1</strong> changed"), "{page}");
        let broken = staff.send_file("/course", "archive", "course.tar.gz", b"nothing");
        assert_eq!(broken.status, 422, "{}", broken.body);
        sums::write(folder.path(), "harness.yaml", "course: [\n");
        let broken = staff.send_file("/course", "archive", "c.tar.gz", &tar_of(folder.path()));
        assert_eq!(broken.status, 422, "{}", broken.body);
        assert_ne!(in_force(site), version, "storing changes nothing");
        let path = format!("/course/{version}/in-force");
        assert_eq!(staff.post(&path, &[("reason", "")]).status, 422);
        assert_eq!(staff.post(&path, &[("reason", "a case was wrong")]).status, 303);
        assert_eq!(in_force(site), version);
    });
}

/// An archive of a folder, with the folder around its files, as `tar czf` makes it.
fn tar_of(folder: &std::path::Path) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    archive.append_dir_all("course", folder).unwrap();
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn a_preview_says_whose_points_change_and_why_and_changes_nothing() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "all", "");
        assert!(staff.get(&page).body.contains("<strong>0</strong> of 4 graded"));
        assert_eq!(site.write(|connection| work_off(connection, 6)), 4);
        let body = staff.get(&page).body;
        for part in
            ["<strong>2</strong> more", "<strong>2</strong> less", "C5: wrong output", "−24"]
        {
            assert!(body.contains(part) || part == "C5: wrong output", "{part}: {body}");
        }
        assert!(body.contains("sample/C6: ") && body.contains("+32"), "{body}");
        assert!(body.contains("mean <strong>46</strong> → <strong>48</strong>"), "{body}");
        assert_eq!((points(site, "ann"), points(site, "bob")), (72, 56));
        let page_of_ann = staff.get("/students/ann").body;
        assert!(page_of_ann.contains("72 of 90"));
        assert!(staff.get("/students").body.contains(">72</td>"));
    });
}

#[test]
fn points_that_move_between_parts_are_shown_though_the_total_stays() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let bob = site.signed_in(&site.person("bob", Role::Student, ""));
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        for browser in [&ann, &bob] {
            browser.hands_in("key");
            site.grades(&records::report("ann", 40.0, true));
        }
        let fields = [("scope", "all"), ("again", "yes"), ("course", &*in_force(site))];
        let fields = [&fields[..], &[("assignment", "sum")]].concat();
        let page = staff.post("/regrades", &fields).headers["location"].clone();
        // What the tests of ann earned, her program earns now.
        site.grades(&records::report("ann", 50.0, false));
        site.grades(&records::report("bob", 40.0, true));
        let body = staff.get(&page).body;
        assert!(body.contains("<strong>2</strong> the same"), "{body}");
        assert_eq!(body.matches("same total").count(), 1, "{body}");
        assert!(body.contains("tests: no longer exposes adds-one"), "{body}");
    });
}

#[test]
fn an_applied_regrade_stands_all_at_once_and_earlier_records_stay() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "counting", "");
        assert_eq!(
            site.write(|connection| work_off(connection, 10)),
            2,
            "of each the one that counts"
        );
        let apply = |reason| staff.post(&format!("{page}/apply"), &[("reason", reason)]).status;
        assert_eq!(apply(""), 422);
        assert_eq!(apply("the case was wrong"), 303);
        assert_eq!((points(site, "ann"), points(site, "bob")), (80, 80));
        assert_eq!(in_force(site), version, "new submissions are graded with it");
        assert_eq!(apply("again"), 422);
        assert_eq!(staff.post(&format!("{page}/drop"), &[("reason", "x")]).status, 422);
        let counts = site.write(|connection| {
            let sql = "select count(*), count(distinct applied) from result";
            let row = connection.query(sql, &[])?.remove(0);
            let log = "select count(*) from audit where action = 'apply regrade'";
            Ok((row.int(0), connection.query(log, &[])?[0].int(0)))
        });
        assert_eq!(counts, (6, 1));
        let body = staff.get(&page).body;
        assert!(
            body.contains("applied") && body.contains("<strong>2</strong> more"),
            "it still tells: {body}"
        );
    });
}

#[test]
fn a_regrade_is_not_applied_while_a_submission_of_it_is_open() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "students", "ann, bob");
        let apply = || staff.post(&format!("{page}/apply"), &[("reason", "r")]);
        assert!(apply().body.contains("4 of its submissions are still to be graded"));
        site.write(|connection| work_off(connection, 1));
        let id = site.write(|connection| {
            Ok(connection.query("select min(id) from submission", &[])?[0].int(0))
        });
        assert_eq!(staff.post(&format!("/submissions/{id}/rerun"), &[("reason", "r")]).status, 303);
        assert!(apply().body.contains("for another reason"), "a result of now would be newer");
        site.write(|connection| work_off(connection, 1));
        assert_eq!(apply().status, 303);
    });
}

#[test]
fn of_many_who_apply_at_the_same_time_one_does() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "all", "");
        site.write(|connection| work_off(connection, 8));
        let all: Vec<_> = (0..8)
            .map(|at| {
                let (staff, page) = (staff.clone(), page.clone());
                let verb = if at % 4 == 3 { "drop" } else { "apply" };
                thread::spawn(move || {
                    staff.post(&format!("{page}/{verb}"), &[("reason", "r")]).status
                })
            })
            .collect();
        let done: Vec<_> = all.into_iter().map(|it| it.join().unwrap()).collect();
        assert_eq!(done.iter().filter(|status| **status == 303).count(), 1, "{done:?}");
        assert!(done.iter().all(|status| [303, 422].contains(status)), "{done:?}");
        let times = site.write(|connection| {
            let sql =
                "select count(*) from audit where action in ('apply regrade', 'drop regrade')";
            Ok(connection.query(sql, &[])?[0].int(0))
        });
        assert_eq!(times, 1);
    });
}

#[test]
fn a_dropped_regrade_changes_nothing_and_a_late_worker_is_refused() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let before = in_force(site);
        let page = regrade(&staff, &version, "all", "");
        let claim = site.write(|connection| queue::claim(connection, "w")).unwrap();
        assert_eq!(staff.post(&format!("{page}/drop"), &[("reason", "wrong version")]).status, 303);
        let record = super::support::results::record("sum", "ann", 10);
        let finished = site.write(move |connection| queue::finish(connection, &claim, &record));
        assert!(!finished);
        assert_eq!(site.write(|connection| work_off(connection, 1)), 0, "nothing waits");
        assert_eq!((points(site, "ann"), in_force(site)), (72, before));
        assert!(staff.get(&page).body.contains("<strong>4</strong> dropped"));
    });
}

#[test]
fn a_regrade_runs_behind_live_submissions_and_those_who_came_meanwhile_can_be_regraded() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "counting", "");
        let first = site.write(|connection| {
            let ann = Person::by_login(connection, "ann")?.unwrap();
            let course = courses::in_force(connection)?.unwrap();
            let late = handed_in(connection, &ann, "sum")?;
            queue::put(connection, late, ann.id, &course, Class::Live, None)?;
            let claim = queue::claim(connection, "w")?.unwrap();
            queue::give_back(connection, &claim)?;
            work_off(connection, 10)?;
            Ok(claim.submission == late)
        });
        assert!(first, "the live one comes first");
        assert!(staff.get(&page).body.contains("1 submission came since"));
        assert_eq!(staff.post(&format!("{page}/apply"), &[("reason", "r")]).status, 303);
        let body = staff.get(&page).body;
        assert!(
            body.contains("1 submission came since") && body.contains("Grade for a preview"),
            "{body}"
        );
        let rest = regrade(&staff, &version, "all", "");
        let open = site.write(queue::open);
        assert_eq!(open, 3, "those with a result of this version are left out");
        assert!(staff.get(&rest).body.contains("of 3 graded"));
    });
}

#[test]
fn a_regrade_needs_a_version_that_has_the_assignment_known_students_and_something_to_do() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let current = in_force(site);
        let post = |course: &str, assignment: &str, scope: &str, students: &str, again: &str| {
            let fields = [
                ("course", course),
                ("assignment", assignment),
                ("scope", scope),
                ("students", students),
                ("again", again),
            ];
            staff.post("/regrades", &fields)
        };
        assert_eq!(post("none", "sum", "all", "", "").status, 422);
        assert_eq!(post(&version, "none", "all", "", "").status, 422);
        assert!(post(&version, "sum", "students", "ann zoe", "").body.contains("no student `zoe`"));
        assert_eq!(post(&version, "sum", "students", "", "").status, 422);
        assert!(post(&current, "sum", "all", "", "").body.contains("nothing to regrade"));
        assert_eq!(post(&current, "sum", "all", "", "yes").status, 303, "all the same");
        assert_eq!(staff.get("/regrades/99").status, 404);
    });
}

#[test]
fn what_failed_in_a_regrade_is_shown_and_tried_again() {
    site_on_both("{}", |site| {
        let (staff, version) = begin(site);
        let page = regrade(&staff, &version, "counting", "");
        site.write(|connection| fail_all(connection, "no compiler"));
        assert!(staff.get(&page).body.contains("no compiler"));
        let apply = || staff.post(&format!("{page}/apply"), &[("reason", "r")]);
        assert!(apply().body.contains("None of its submissions"));
        assert_eq!(staff.post(&format!("{page}/retry"), &[]).status, 303);
        assert_eq!(site.write(|connection| work_off(connection, 10)), 2);
        assert_eq!(apply().status, 303);
        assert_eq!(points(site, "bob"), 80);
    });
}
