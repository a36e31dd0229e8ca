//! Similar work: who sees which pairs, and what is marked.

use super::support::records::submission;
use super::support::site::{Browser, Site};
use super::support::{site_on_both, sums};
use server::people::Role;
use std::thread;
use std::time::Duration;

const HAND_IN: &str = "/assignments/sum/submissions";

/// A program with a longer function.
fn program(name: &str, note: &str) -> String {
    let steps: String = (0..12)
        .map(|at| format!("    if ({name}[{at}] > {at}) {name}.push_back({at} * {name}.front());\n    else return {at};\n"))
        .collect();
    format!(
        "{}// {note}\nint more(std::vector<int> &{name}) {{\n{steps}    return 1;\n}}\n",
        sums::SUM
    )
}

fn hands_in(site: &Site, login: &str, section: &str, source: &str) -> (Browser, i64) {
    let browser = site.signed_in(&site.person(login, Role::Student, section));
    let archive = sums::archive(&[("sum.cpp", source), ("Makefile", sums::MAKEFILE)]);
    let id = submission(&browser.upload(HAND_IN, "key", &[("submit.tar.gz", &archive)]));
    (browser, id)
}

/// The page when all is compared.
fn compared(browser: &Browser) -> String {
    for _ in 0..100 {
        let page = browser.get("/assignments/sum/similar").body;
        if !page.contains("being compared") {
            return page;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("it is never compared");
}

#[test]
fn staff_see_equal_and_similar_submissions_and_a_grader_those_of_sections() {
    site_on_both("{}", |site| {
        let (plain, renamed) = (program("values", "mine"), program("other", "</pre><script>"));
        let (student, ann) = hands_in(site, "ann", "a", &plain);
        let (_, bob) = hands_in(site, "bob", "b", &renamed);
        let (_, eve) = hands_in(site, "eve", "a", &plain);
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        // Equal archives are known at once.
        let first = staff.get("/assignments/sum/similar").body;
        assert!(first.contains(&format!("/submissions/{ann}")), "{first}");
        let page = compared(&staff);
        assert!(page.contains("3 submissions compared"), "{page}");
        assert_eq!(page.matches(&format!("\"/submissions/{eve}\"")).count(), 1, "{page}");
        let address = format!("/assignments/sum/similar/{ann}/{bob}");
        assert!(page.contains(&address) && page.contains("100 %"), "{page}");
        let beside = staff.get(&address).body;
        assert!(beside.contains("id=\"a1\"") && beside.contains("href=\"#b1\""), "{beside}");
        assert!(!beside.contains("<script>") && beside.contains("&#60;script&#62;"), "{beside}");
        let equal = staff.get(&format!("/assignments/sum/similar/{ann}/{eve}")).body;
        assert!(equal.contains("The sources are equal"), "{equal}");

        let grader = site.person("gil", Role::Grader, "");
        let id = grader.id;
        site.write(move |connection| {
            connection.execute("update person set sees = 'a' where id = $1", &[id.into()])
        });
        let grader = site.signed_in(&grader);
        let page = grader.get("/assignments/sum/similar").body;
        assert!(page.contains(&format!("/submissions/{ann}")), "{page}");
        assert!(!page.contains(&format!("/submissions/{bob}")), "{page}");
        assert_eq!(grader.get(&address).status, 404);
        assert_eq!(student.get("/assignments/sum/similar").status, 404);
        assert_eq!(student.get(&address).status, 404);
    });
}

#[test]
fn only_the_last_submission_of_a_student_is_compared_and_a_new_one_is_noticed() {
    site_on_both("{}", |site| {
        let plain = program("values", "mine");
        let _ = hands_in(site, "ann", "", &plain);
        let (bob, earlier) = hands_in(site, "bob", "", &program("other", "own"));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        assert!(compared(&staff).contains(&format!("/{earlier}\"")));
        let archive = sums::archive(&[
            ("sum.cpp", "// ABCDEF0123456789\nint main() { return 2; }\n"),
            ("Makefile", sums::MAKEFILE),
        ]);
        submission(&bob.upload(HAND_IN, "later", &[("submit.tar.gz", &archive)]));
        let page = compared(&staff);
        assert!(page.contains("No two submissions are alike"), "{page}");
    });
}

#[test]
fn works_of_earlier_terms_are_compared_with_those_of_this_one_and_only_staff_see_them() {
    site_on_both("{}", |site| {
        let folder = tempfile::tempdir().unwrap();
        let term = folder.path().join("2025-fall");
        sums::write(&term, "sum/<old>/sum.cpp", &program("changed", "of last year"));
        sums::write(&term, "sum/other.cpp", "int main() { return 1; }");
        sums::write(&term, "sum/notes.txt", "no work");
        sums::write(&term, "another/ann/sum.cpp", &program("values", "mine"));
        sums::write(&term, "sum/.hidden/sum.cpp", &program("values", "mine"));
        sums::write(folder.path(), "2024-fall/sum/same/main.cpp", &program("values", "mine"));
        site.app.earlier.set(folder.path().to_owned()).unwrap();
        let (student, ann) = hands_in(site, "ann", "a", &program("values", "mine"));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let page = compared(&staff);
        assert!(
            page.contains("1 submission compared, also with 3 works of earlier terms"),
            "{page}"
        );
        let equal = page.split("id=\"alike\"").next().unwrap();
        assert!(equal.contains("2024-fall/same <span class=\"tag\">earlier term"), "{page}");
        let address = format!("/assignments/sum/similar/{ann}/earlier?work=2025-fall/%3Cold%3E");
        assert!(page.contains(&address), "{address} in {page}");
        let beside = staff.get(&address).body;
        assert!(beside.contains("of last year") && beside.contains("id=\"a1\""), "{beside}");
        for work in ["", "2025-fall/.hidden", "2025-fall/../../etc", "another/ann"] {
            let address = format!("/assignments/sum/similar/{ann}/earlier?work={work}");
            assert_eq!(staff.get(&address).status, 422, "{work}");
        }
        let grader = site.signed_in(&site.person("gil", Role::Grader, ""));
        let page = compared(&grader);
        assert!(!page.contains("earlier") && !page.contains("-fall"), "{page}");
        assert_eq!(grader.get(&address).status, 404);
        assert_eq!(student.get(&address).status, 404);
    });
}
