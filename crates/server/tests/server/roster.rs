//! The students of the course from a table: over the web and on the command line.

use super::support::site::Site;
use super::support::site_on_both;
use server::people::{Person, Role, roster};

fn find(site: &Site, login: &'static str) -> Option<Person> {
    site.write(move |connection| Person::by_login(connection, login))
}

#[test]
fn a_table_is_shown_before_it_is_applied_and_links_are_shown_once() {
    site_on_both("{}", |site| {
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let text = "Login;Name;Section;Extra time\nann;Ann Lee;a;1.5h\nbob;=2+2;b;\n";
        let shown = staff.post("/students", &[("text", text)]);
        assert_eq!(shown.status, 200, "{}", shown.body);
        assert!(shown.body.contains("<strong>2</strong> new"), "{}", shown.body);
        assert!(find(site, "ann").is_none(), "nothing is changed yet");
        let odd = staff.post("/students", &[("text", "login,<i>,naem\nann,x,Ann\n")]).body;
        assert!(odd.contains("column `&#60;i&#62;` is not used."), "{odd}");
        assert!(odd.contains("Did you mean `name`?"), "{odd}");
        let done = staff.post("/students", &[("text", text), ("apply", "yes")]);
        assert_eq!(done.status, 200);
        let ann = find(site, "ann").unwrap();
        let expected = ("Ann Lee", "a", 90, Role::Student);
        assert_eq!((&*ann.name, &*ann.section, ann.extra_minutes, ann.role), expected);
        assert_eq!(done.body.matches("/invitations/").count(), 2, "a link for each: {}", done.body);
        let again = staff.post("/students", &[("text", text), ("apply", "yes")]);
        assert!(again.body.contains("0 new, 0 changed, 2 as before"), "{}", again.body);
        assert_eq!(again.body.matches("/invitations/").count(), 0, "the links are shown once");
    });
}

#[test]
fn a_table_that_is_read_again_loses_nothing() {
    site_on_both("{}", |site| {
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let (ann, cy) =
            (site.person("ann", Role::Student, "a"), site.person("cy", Role::Student, "c"));
        site.person("gil", Role::Grader, "");
        site.write(move |connection| {
            let sql = "update person set password = 'hash' where id = $1";
            connection.execute(sql, &[ann.id.into()])?;
            server::people::session::begin(connection, cy.id)
        });
        let text = "login,name\nann,Ann\ngil,Gil\n";
        let shown = staff.post("/students", &[("text", text)]);
        assert!(shown.body.contains("Not in the file") && shown.body.contains("gone-cy"));
        staff.post("/students", &[("text", text), ("apply", "yes")]);
        let (ann, gil, cy) =
            (find(site, "ann").unwrap(), find(site, "gil").unwrap(), find(site, "cy").unwrap());
        assert_eq!((&*ann.name, &*ann.section), ("Ann", "a"), "there is no column for sections");
        assert_eq!((&*gil.name, gil.role), ("Gil", Role::Grader));
        assert!(cy.is_active, "who is not in the file stays");
        let password = site.write(move |connection| {
            let sql = "select password from person where id = $1";
            Ok(connection.query(sql, &[ann.id.into()])?[0].text(0))
        });
        assert_eq!(password, "hash");
        staff.post("/students", &[("text", text), ("apply", "yes"), ("gone-cy", "yes")]);
        assert!(!find(site, "cy").unwrap().is_active);
        let sessions = site.write(move |connection| {
            let sql = "select count(*) from session where person = $1";
            Ok(connection.query(sql, &[cy.id.into()])?[0].int(0))
        });
        assert_eq!(sessions, 0, "whoever is kept out is out at once");
        let log = site.write(|connection| {
            let rows = connection.query("select object, after from audit order by id", &[])?;
            Ok(rows
                .iter()
                .map(|row| format!("{} {}", row.text(0), row.text(1)))
                .collect::<Vec<_>>())
        });
        assert!(log.contains(&"student cy {\"state\":\"not active\"}".to_owned()), "{log:?}");
        assert!(log.contains(&"student ann {\"name\":\"Ann\"}".to_owned()), "{log:?}");
    });
}

#[test]
fn a_table_with_problems_changes_nothing_and_says_where_they_are() {
    site_on_both("{}", |site| {
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        site.person("Ann", Role::Student, "");
        let text = "login,extra time\nbob,soon\n";
        let answer = staff.post("/students", &[("text", text), ("apply", "yes")]);
        assert_eq!(answer.status, 422);
        assert!(answer.body.contains("line 2, column 2 (extra time)"), "{}", answer.body);
        let answer = staff.post("/students", &[("text", "login\nann\nbob\n"), ("apply", "yes")]);
        assert_eq!(answer.status, 422);
        assert!(answer.body.contains("is known as `Ann`"), "{}", answer.body);
        assert!(find(site, "bob").is_none());
        let odd = "login,name\nx,<script>alert(1)</script>\n";
        let shown = staff.post("/students", &[("text", odd)]).body;
        assert!(!shown.contains("<script>alert"), "{shown}");
    });
}

#[test]
fn links_that_are_saved_start_no_formula() {
    site_on_both("{}", |site| {
        let invited = site.write(|connection| {
            let entries = roster::parse(b"login,name\nann,=1+1\n").unwrap().entries;
            let plan = roster::plan(connection, &entries)?.unwrap();
            roster::apply(connection, &plan, &std::collections::BTreeSet::new(), None)
        });
        let text = roster::plan::links("https://example.edu", &invited);
        assert!(
            text.starts_with("login,name,link\nann,'=1+1,https://example.edu/invitations/"),
            "{text}"
        );
        assert!(roster::parse(text.as_bytes()).unwrap().entries[0].name.as_deref() == Some("=1+1"));
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let again = staff.post("/invitations", &[]);
        assert_eq!((again.status, again.body.matches("/invitations/").count()), (200, 1));
        let earlier = &invited[0].secret;
        assert!(!again.body.contains(earlier.as_str()));
    });
}
