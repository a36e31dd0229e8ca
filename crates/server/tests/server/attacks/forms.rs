//! Forms that no browser sends: parts without end, names without end, boundaries that are none.

use super::{costs_nothing, post, post_form, status};
use crate::support::handing_in::{FORM, form};
use crate::support::records::HAND_IN;
use crate::support::{site_on_both, sums};
use server::people::Role;

const START: &str = "--boundary-of-a-form\r\ncontent-disposition: form-data";
const END: &str = "--boundary-of-a-form--\r\n";

fn part(rest: &str, contents: &str) -> String {
    format!("{START}{rest}\r\n\r\n{contents}\r\n")
}

/// Bodies that are refused, each with what is wrong with it.
fn refused() -> Vec<(&'static str, Vec<u8>)> {
    let file = |name: &str| part(&format!("; name=\"files\"; filename=\"{name}\""), "int x;");
    let long = "n".repeat(1 << 20);
    let nested = format!(
        "{START}; name=\"files\"\r\ncontent-type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\n\
         content-disposition: attachment; filename=\"sum.cpp\"\r\n\r\nint x;\r\n--inner--\r\n{END}"
    );
    let texts = [
        ("10,000 parts", part("; name=\"x\"", "").repeat(10_000) + END),
        ("10,000 files", file("sum.cpp").repeat(10_000) + END),
        ("a name of a megabyte", part(&format!("; name=\"{long}\""), "") + END),
        ("a file name of a megabyte", file(&long) + END),
        ("a header of a megabyte", part(&format!("\r\nx-{long}: y"), "") + END),
        ("a form in a form", nested),
        ("no name", part("", "x") + END),
        ("no part", END.to_owned()),
        ("no end", file("sum.cpp")),
        ("no header", format!("--boundary-of-a-form\r\n{}", "x".repeat(1 << 20))),
        ("nothing", String::new()),
        ("a name with quotes and ends of lines", file("a\\\"\r\nx-evil: 1\r\n.cpp") + END),
        ("a name that is a path", file("../../../etc/sum.cpp") + END),
        ("a name with a NUL", file("sum\0.cpp") + END),
    ];
    let mut all: Vec<_> = texts.into_iter().map(|(what, text)| (what, text.into_bytes())).collect();
    let right = sums::right();
    let mut twice = form("", &[("submit.tar.gz", &right), ("submit.tar.gz", &right)]);
    twice.splice(0..0, part("; name=\"request\"", "key").into_bytes());
    all.push(("two archives", twice));
    all.push(("an archive without a key", form("", &[("submit.tar.gz", &right)])));
    all.push(("an endless key", form(&long[..101], &[("submit.tar.gz", &right)])));
    all
}

#[test]
fn odd_forms_are_refused_with_a_message_and_cost_nothing() {
    let all = refused();
    let right = form("key", &[("submit.tar.gz", &sums::right())]);
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        for (what, body) in &all {
            for path in [HAND_IN, "/assignments/sum/check"] {
                let answer = post_form(site, &ann, path, body);
                let is_check = path != HAND_IN && status(&answer) == 200;
                assert!(is_check || matches!(status(&answer), 413 | 422), "{what}: {answer}");
                let (head, page) = answer.split_once("\r\n\r\n").unwrap();
                assert!(page.contains("<h1") && !head.contains("evil"), "{what}: {answer}");
            }
        }
        for kind in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=other",
            "multipart/mixed; boundary=boundary-of-a-form",
            "application/json",
            "text/plain",
            "",
        ] {
            let answer = post(site, &ann, HAND_IN, kind, &right);
            assert_eq!(status(&answer), 422, "{kind}: {answer}");
        }
        costs_nothing(site);
        // A field that comes twice is taken as it came last, and still counts once.
        let mut twice = part("; name=\"request\"", "other").into_bytes();
        twice.extend_from_slice(&right);
        for body in [&twice, &right, &twice] {
            assert_eq!(status(&post(site, &ann, HAND_IN, FORM, body)), 303);
        }
        assert_eq!(site.number("select count(*) from submission"), 1);
    });
}
