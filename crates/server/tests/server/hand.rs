//! Grading by hand: by a rubric and at lines, one grader for each submission, released together.

use super::support::records::report;
use super::support::site::{Answer, Browser, Site};
use super::support::site_on_both;
use server::people::{Person, Role};
use std::collections::BTreeSet;
use std::thread;

/// Style begins full, and a write-up has a level.
const RUBRICS: &str = "assignments:\n  sum:\n    rubrics:\n      style:\n        most: 10\n        from: full\n        items:\n          names: { text: Names say <b>nothing</b>, points: -2.5 }\n          long: { text: Functions are long, points: -4 }\n      write-up:\n        most: 5\n        items:\n          argument: { text: The argument, levels: { missing: 0, weak: 2, good: 5 } }\n";

/// A student of section a with a submission that is graded with so many of 80 points for its cases.
fn student(site: &Site, login: &str, earned: f64) -> (Browser, i64) {
    let student = site.signed_in(&site.person(login, Role::Student, "a"));
    let submission = student.hands_in("first");
    site.grades(&report(login, earned, false));
    (student, submission)
}

fn of_role(site: &Site, login: &str, role: Role) -> Browser {
    site.signed_in(&site.person(login, role, ""))
}

fn page(submission: i64) -> String {
    format!("/submissions/{submission}/by-hand")
}

/// The version that the form of a page has.
fn version(answer: &Answer) -> String {
    let (_, rest) = answer.body.split_once("name=\"version\" value=\"").expect("there is a form");
    rest.split('"').next().unwrap().to_owned()
}

/// Opens a submission, and sends what is said of it.
#[track_caller]
fn saves(browser: &Browser, submission: i64, fields: &[(&str, &str)]) -> Answer {
    let version = version(&browser.get(&page(submission)));
    let mut all = vec![("version", version.as_str())];
    all.extend(fields);
    browser.post(&page(submission), &all)
}

const GRADED: [(&str, &str); 5] = [
    ("item:style:names", "yes"),
    ("adjusted:style:", "-1"),
    ("why:style:", "a <i>magic</i> number"),
    ("item:write-up:argument", "weak"),
    ("then", "next"),
];

fn releases(staff: &Browser) {
    let parts = [("part", "style"), ("part", "write-up")];
    assert_eq!(staff.post("/assignments/sum/by-hand/release", &parts).status, 303);
}

#[test]
fn what_a_grader_gives_is_a_draft_until_it_is_released_and_then_counts() {
    site_on_both(RUBRICS, |site| {
        let (ann, submission) = student(site, "ann", 50.0);
        let (gil, sam) = (of_role(site, "gil", Role::Grader), of_role(site, "sam", Role::Staff));
        let opened = gil.post("/assignments/sum/by-hand/next", &[]);
        assert_eq!(opened.headers["location"], page(submission));
        let comment = [
            ("file", "sum.cpp"),
            ("line", "3"),
            ("of", "style"),
            ("text", "<script>alert(1)</script> why?"),
            ("then", "comment"),
        ];
        assert_eq!(saves(&gil, submission, &comment).status, 303);
        let body = gil.get(&page(submission)).body;
        assert!(body.contains("&#60;script&#62;alert(1)&#60;/script&#62; why?"), "{body}");
        assert!(body.contains("#include &#60;cstdio&#62;"), "the source is escaped: {body}");
        assert!(body.contains("Names say &#60;b&#62;nothing"), "{body}");
        let graded = saves(&gil, submission, &GRADED);
        assert_eq!(graded.headers["location"], "/assignments/sum/by-hand?none=yes");
        let of_ann = format!("/submissions/{submission}");
        let before = ann.get(&of_ann).body;
        assert!(before.contains("<strong>50</strong> of 90 points"), "{before}");
        assert!(!before.contains("magic") && !before.contains("why?"), "{before}");
        assert!(!sam.get("/assignments/sum/gradebook.csv").body.contains("write-up"));
        assert!(
            sam.get("/assignments/sum/by-hand").body.contains("<span class=\"tag graded\">graded")
        );
        releases(&sam);
        // 10 - 2.5 - 1 for the style, and 2 for the write-up.
        let after = ann.get(&of_ann).body;
        assert!(after.contains("<strong>58.5</strong> of 105 points"), "{after}");
        for text in [
            "style: 6.5 of 10 points",
            "write-up: 2 of 5 points",
            "a &#60;i&#62;magic&#60;/i&#62; number",
            "The argument: weak",
            "sum.cpp, line 3",
            "int main() {",
            "&#60;script&#62;alert(1)&#60;/script&#62; why?",
            "<option value=\"part style\">",
        ] {
            assert!(after.contains(text), "{text}: {after}");
        }
        assert!(ann.get("/").body.contains("<strong>58.5</strong>"));
        assert!(sam.get("/gradebook.csv").body.ends_with(",58.5\n"));
        let book = sam.get("/assignments/sum/gradebook.csv").body;
        assert!(book.contains("write-up") && book.ends_with(",58.5\n"), "{book}");
        assert!(sam.get("/assignments/sum/class").body.contains("58.5"));
        assert!(sam.get("/students/ann").body.contains("58.5 of 105"));
        assert!(sam.get("/assignments/sum/submissions.csv").body.contains(",8.5,50,90,"));
        let json = ann.get_with(&of_ann, "accept", "application/json").body;
        assert!(json.contains("\"points\":58.5") && json.contains("\"line\":3"), "{json}");
        let log = sam.get("/audit").body;
        assert!(log.contains("grade by hand") && log.contains("release grades by hand"), "{log}");
    });
}

#[test]
fn what_changes_after_the_release_has_a_reason_and_shows_at_once() {
    site_on_both(RUBRICS, |site| {
        let (ann, submission) = student(site, "ann", 50.0);
        let (gil, sam) = (of_role(site, "gil", Role::Grader), of_role(site, "sam", Role::Staff));
        saves(&gil, submission, &GRADED);
        releases(&sam);
        let counts = |points: &str| {
            let home = ann.get("/").body;
            assert!(home.contains(&format!("<strong>{points}</strong>")), "{points}: {home}");
        };
        counts("58.5");
        let better = [("item:write-up:argument", "good"), ("then", "save")];
        let refused = saves(&gil, submission, &better);
        assert_eq!(refused.status, 422);
        assert!(refused.body.contains("say why it changes"), "{}", refused.body);
        counts("58.5");
        let with_reason = [better[0], better[1], ("reason", "Ann explained it")];
        assert_eq!(saves(&gil, submission, &with_reason).status, 303);
        counts("65");
        assert!(sam.get("/audit").body.contains("Ann explained it"));
        let by_hand = [("points", "-5"), ("reason", "late in the lab")];
        assert_eq!(sam.post(&format!("/submissions/{submission}/points"), &by_hand).status, 303);
        counts("60");
        let again = [("version", "in-force"), ("reason", "once more")];
        assert_eq!(sam.post(&format!("/submissions/{submission}/rerun"), &again).status, 303);
        site.grades(&report("ann", 70.0, false));
        counts("80");
    });
}

#[test]
fn two_graders_are_never_given_the_same_submission() {
    site_on_both(RUBRICS, |site| {
        let all: Vec<_> = (0..12).map(|at| student(site, &format!("s{at}"), 50.0).1).collect();
        let graders: Vec<_> =
            (0..4).map(|at| of_role(site, &format!("g{at}"), Role::Grader)).collect();
        let given: Vec<i64> = thread::scope(|scope| {
            let takes = |grader: &Browser| {
                let mut own = Vec::new();
                loop {
                    let next = grader.post("/assignments/sum/by-hand/next", &[]);
                    let to = &next.headers["location"];
                    let Some(id) = to.strip_prefix("/submissions/") else { return own };
                    let id = id.strip_suffix("/by-hand").unwrap().parse().unwrap();
                    assert_eq!(saves(grader, id, &GRADED).status, 303);
                    own.push(id);
                }
            };
            let running: Vec<_> =
                graders.iter().map(|grader| scope.spawn(move || takes(grader))).collect();
            running.into_iter().flat_map(|it| it.join().unwrap()).collect()
        });
        assert_eq!(given.len(), all.len(), "each once: {given:?}");
        assert_eq!(given.into_iter().collect::<BTreeSet<_>>(), all.into_iter().collect());
    });
}

#[test]
fn a_submission_that_somebody_has_open_is_given_to_nobody_else_until_the_lease_ends() {
    site_on_both(RUBRICS, |site| {
        let (_, first) = student(site, "ann", 50.0);
        let (_, second) = student(site, "bob", 50.0);
        let (gil, gus) = (of_role(site, "gil", Role::Grader), of_role(site, "gus", Role::Grader));
        let next = |of: &Browser| {
            of.post("/assignments/sum/by-hand/next", &[]).headers["location"].clone()
        };
        assert_eq!(gil.get(&page(first)).status, 200, "to open it is to claim it");
        assert_eq!(next(&gus), page(second));
        assert_eq!(next(&gil), page(first), "it is gil's still");
        assert!(gus.get(&page(first)).body.contains("gil has it open until"));
        assert!(gus.get("/assignments/sum/by-hand").body.contains("gil has it open"));
        let fields = [&[("version", "0")], &GRADED[..]].concat();
        let refused = gus.post(&page(first), &fields);
        assert_eq!(refused.status, 422);
        assert!(refused.body.contains("gil has it open until"), "{}", refused.body);
        assert!(refused.body.contains("magic"), "what was typed is not lost: {}", refused.body);
        site.write(|connection| {
            let sql = "update hand_grading set claimed_until = claimed_until - $1";
            connection.execute(sql, &[server::hand::LEASE.into()])
        });
        assert_eq!(gus.post(&page(first), &fields).status, 303);
        // Whoever passes one over gives it back, and is given the next one.
        let skip = [("after", &*second.to_string())];
        let skipped = gus.post("/assignments/sum/by-hand/next", &skip);
        let none = "/assignments/sum/by-hand?none=yes";
        assert_eq!(skipped.headers["location"], none, "there is no other");
        assert!(!gus.get("/assignments/sum/by-hand").body.contains("gus has it open"));
    });
}

#[test]
fn a_change_that_rests_on_an_old_version_is_refused_and_shows_both() {
    site_on_both(RUBRICS, |site| {
        let (_, submission) = student(site, "ann", 50.0);
        let (gil, gus) = (of_role(site, "gil", Role::Grader), of_role(site, "gus", Role::Grader));
        let old = version(&gil.get(&page(submission)));
        site.write(|connection| {
            connection.execute("update hand_grading set claimed_until = 0", &[])
        });
        assert_eq!(saves(&gus, submission, &GRADED).status, 303);
        let own = [("version", &*old), ("item:style:long", "yes"), ("then", "save")];
        let refused = gil.post(&page(submission), &own);
        assert_eq!(refused.status, 422);
        assert!(refused.body.contains("somebody changed it since"), "{}", refused.body);
        assert!(refused.body.contains("style: 6.5 of 10 points"), "{}", refused.body);
        let mine = "name=\"item:style:long\" value=\"yes\" data-points=\"-400\" checked";
        assert!(refused.body.contains(mine), "{}", refused.body);
        let newer = version(&refused);
        let own = [("version", &*newer), own[1], own[2]];
        assert_eq!(gil.post(&page(submission), &own).status, 303, "now on purpose");
        assert_eq!(gil.post(&page(submission), &own).status, 303, "a double click");
        assert_eq!(site.number("select max(version) from hand_grading"), 2);
        assert_eq!(site.number("select points from hand_grade where part = 'style'"), 600);
    });
}

#[test]
fn points_are_never_above_the_most_nor_below_nothing() {
    site_on_both(RUBRICS, |site| {
        let (_, submission) = student(site, "ann", 50.0);
        let gil = of_role(site, "gil", Role::Grader);
        let style = || site.number("select points from hand_grade where part = 'style'");
        for (points, expected) in [("+3", 1000), ("-50", 0), ("−2,5", 750)] {
            let fields = [("adjusted:style:", points), ("why:style:", "because")];
            assert_eq!(saves(&gil, submission, &fields).status, 303);
            assert_eq!(style(), expected, "{points}");
        }
        for (fields, said) in [
            ([("adjusted:style:", "lots"), ("why:style:", "why")], "no number"),
            ([("adjusted:style:", "NaN"), ("why:style:", "why")], "no number"),
            ([("adjusted:style:", "-1"), ("why:style:", " ")], "say why"),
            ([("item:style:long", "yes"), ("then", "next")], "choose a level of “The argument”"),
            ([("text", "Where?"), ("line", "1000")], "has no line 1000"),
            ([("text", " "), ("then", "comment")], "the comment is empty"),
        ] {
            let refused = saves(&gil, submission, &fields);
            assert_eq!(refused.status, 422, "{said}");
            assert!(refused.body.contains(said), "{said}: {}", refused.body);
        }
        for sql in [
            "update hand_grade set points = most + 1",
            "update hand_grade set points = -1",
            "update submission set hand_points = 1",
        ] {
            let broken = site.app.database.write(move |connection| connection.execute(sql, &[]));
            assert!(site.runtime.block_on(broken).is_err(), "{sql}");
        }
    });
}

#[test]
fn staff_see_that_another_submission_counts_than_the_one_that_was_graded() {
    site_on_both(RUBRICS, |site| {
        let (ann, first) = student(site, "ann", 50.0);
        let (gil, sam) = (of_role(site, "gil", Role::Grader), of_role(site, "sam", Role::Staff));
        saves(&gil, first, &GRADED);
        let second = ann.hands_in("second");
        site.grades(&report("ann", 55.0, false));
        let list = sam.get("/assignments/sum/by-hand").body;
        assert!(
            list.contains(&format!("{}\">{first}</a>, which was graded", page(first))),
            "{list}"
        );
        assert!(list.contains("not begun"), "{list}");
        let old = gil.get(&page(first)).body;
        assert!(old.contains(&format!("Submission {second}</a> counts instead")), "{old}");
        // What is released counts in what is the best.
        releases(&sam);
        let list = sam.get("/assignments/sum/by-hand").body;
        assert!(!list.contains("which was graded") && list.contains("released"), "{list}");
        assert!(ann.get("/").body.contains("<strong>58.5</strong>"));
    });
}

#[test]
fn a_grader_sees_no_names_if_the_course_says_so_and_grades_only_own_sections() {
    let rubrics = format!("{RUBRICS}    anonymous: true\n");
    site_on_both(&rubrics, |site| {
        let (ann, submission) = student(site, "annabella", 50.0);
        let gil = of_role(site, "gil", Role::Grader);
        for path in ["/assignments/sum/by-hand", &*page(submission)] {
            let body = gil.get(path).body;
            assert!(!body.contains("annabella"), "{body}");
            assert!(body.contains(&format!("Submission {submission}")), "{body}");
        }
        site.person("gus", Role::Grader, "");
        let gus = site.write(|connection| {
            connection.execute("update person set sees = 'b' where login = 'gus'", &[])?;
            Ok(Person::by_login(connection, "gus")?.unwrap())
        });
        let gus = site.signed_in(&gus);
        assert_eq!(gus.get(&page(submission)).status, 404);
        let next = gus.post("/assignments/sum/by-hand/next", &[]);
        assert_eq!(next.headers["location"], "/assignments/sum/by-hand?none=yes");
        assert_eq!(gil.post("/assignments/sum/by-hand/release", &[("part", "style")]).status, 404);
        assert_eq!(ann.get(&page(submission)).status, 404);
    });
}

#[test]
fn an_earlier_comment_is_offered_again_and_one_is_removed() {
    site_on_both(RUBRICS, |site| {
        let (_, first) = student(site, "ann", 50.0);
        let (_, second) = student(site, "bob", 50.0);
        let gil = of_role(site, "gil", Role::Grader);
        let at_line = [("file", "sum.cpp"), ("line", "2"), ("of", "write-up")];
        let typed = [&at_line[..], &[("text", "Say \"why\" & how.")]].concat();
        assert_eq!(saves(&gil, first, &typed).status, 303);
        assert!(
            gil.get(&page(second)).body.contains("<option>Say &#34;why&#34; &#38; how.</option>")
        );
        let again = [&at_line[..], &[("earlier", "Say \"why\" & how.")]].concat();
        assert_eq!(saves(&gil, second, &again).status, 303);
        assert_eq!(site.number("select count(*) from hand_comment where part = 'write-up'"), 2);
        let of_second = "select id from hand_comment order by id desc limit 1";
        let id = site.number(of_second).to_string();
        assert_eq!(saves(&gil, first, &[("remove", &id)]).status, 303, "of another one: nothing");
        assert_eq!(saves(&gil, second, &[("remove", &id)]).status, 303);
        assert_eq!(site.number("select count(*) from hand_comment"), 1);
        let at = saves(&gil, first, &[("at", "0:3")]);
        let to = &at.headers["location"];
        assert_eq!(*to, format!("{}?file=0&line=3#comment", page(first)));
        let body = gil.get(to.split('#').next().unwrap()).body;
        let (line, form) =
            (body.find(">int main() {").unwrap(), body.find("id=\"comment\"").unwrap());
        assert!(line < form && !body[line..form].contains("std::scanf"), "{body}");
    });
}

#[test]
fn what_a_group_handed_in_is_graded_once_and_counts_for_each() {
    let rubrics = format!("{RUBRICS}    groups: {{ most: 2 }}\n");
    site_on_both(&rubrics, |site| {
        let (ann, submission) = student(site, "ann", 50.0);
        let bob = site.person("bob", Role::Student, "a");
        site.write(move |connection| {
            for (person, place) in [("ann", 1_i64), ("bob", 2)] {
                let sql = "insert into member (assignment, person, keeper, place) select 'sum', id, \
                    (select id from person where login = 'ann'), $2 from person where login = $1";
                connection.execute(sql, &[person.into(), place.into()])?;
            }
            Ok(())
        });
        let (gil, sam) = (of_role(site, "gil", Role::Grader), of_role(site, "sam", Role::Staff));
        let list = gil.get("/assignments/sum/by-hand").body;
        assert_eq!(list.matches("not begun").count(), 1, "{list}");
        assert!(list.contains("ann, bob"), "{list}");
        assert!(gil.get(&page(submission)).body.contains("<h1>ann, bob</h1>"));
        assert_eq!(saves(&gil, submission, &GRADED).status, 303);
        releases(&sam);
        for student in [ann, site.signed_in(&bob)] {
            assert!(student.get("/").body.contains("<strong>58.5</strong>"));
        }
    });
}
