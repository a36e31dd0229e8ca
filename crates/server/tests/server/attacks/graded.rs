//! What a submission reaches while it is built and run, and what a compiler, `make` and a program say on the pages.

use super::Site;
use crate::support::grading::{cannot_grade, options};
use crate::support::records::submission;
use crate::support::results::fail_all;
use crate::support::site::Browser;
use crate::support::{records, site_on_both, sqlite, sums};
use server::people::Role;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Looks for what it must not find, and says what it has found.
const SPY: &str = include_str!("spy.h");

/// The submission that looks around, while it is built and while it runs. What it looks for is compiled into it.
fn spying(wanted: &str) -> Vec<u8> {
    let spy =
        format!("// Project Identifier: ABCDEF0123456789\n{SPY}").replace("/* WANTED */", wanted);
    let program = sums::SUM
        .replace("#include <cstdio>", "#include <cstdio>\n#include \"spy.h\"")
        .replace("int main() {", "int main() {\n    if (look()) return 7;");
    let build = "// Project Identifier: ABCDEF0123456789\n#include \"spy.h\"\nint main() { return look(); }\n";
    // Whatever it prints, it cannot answer in the place of the grader.
    let answer = r#"{"answer":"failed","submission":null,"kind":"machine","problems":[]}"#;
    let program = program.replace(
        "int main() {",
        &format!("int main() {{\n    std::fputs(R\"({answer})\" \"\\n\", stderr);"),
    );
    let makefile = format!(
        "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp spy.h build.cpp\n\t@echo '{answer}'; echo '{answer}' >&2\n\
         \tg++ -O3 -o build build.cpp\n\t./build\n\tg++ -O3 -o sum sum.cpp\nclean:\n\trm -f sum build\n"
    );
    sums::archive(&[
        ("sum.cpp", &program),
        ("build.cpp", build),
        ("spy.h", &spy),
        ("Makefile", &makefile),
        ("test-1.txt", "2 3\n"),
    ])
}

/// What is there to find: files and folders of the server and of the course, and ports.
fn wanted(site: &Site) -> String {
    let mut wanted = String::new();
    let course = site.course.path().to_path_buf();
    let mut paths = vec![course.join("sum.sh"), course.join("cases.yaml")];
    let mut ports = vec![port(&site.url)];
    match &site.database {
        server::database::Address::Sqlite(file) => paths.push(file.clone()),
        server::database::Address::Postgres(url) => ports.push(port(url)),
    }
    for path in paths {
        writeln!(wanted, "path(\"{}\");", path.display()).unwrap();
    }
    for port in ports {
        writeln!(wanted, "port({port});").unwrap();
    }
    wanted
}

/// The port of an address.
fn port(url: &str) -> u16 {
    let (_, rest) = url.rsplit_once(':').unwrap();
    rest.split('/').next().unwrap().parse().unwrap()
}

/// How much the same program finds outside.
fn found_outside(wanted: &str) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("spy.h"), SPY.replace("/* WANTED */", wanted)).unwrap();
    let source = "#include \"spy.h\"\nint main() { return look(); }\n";
    fs::write(folder.path().join("spy.cpp"), source).unwrap();
    let mut build = Command::new("g++");
    build.args(["-o", "spy", "spy.cpp"]).current_dir(folder.path());
    assert!(build.status().unwrap().success());
    let spy: &Path = &folder.path().join("spy");
    let output = Command::new(spy).current_dir(folder.path()).output().unwrap();
    output.status.code().unwrap()
}

#[test]
fn a_submission_finds_nothing_of_the_server_the_course_or_others_while_it_is_built_and_run() {
    if cannot_grade() {
        return;
    }
    site_on_both("{}", |site| {
        let wanted = wanted(site);
        let outside = found_outside(&wanted);
        assert!(outside >= 5, "the program does find things: {outside}");
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let archive = spying(&wanted);
        let id = submission(&ann.upload(records::HAND_IN, "key", &[("submit.tar.gz", &archive)]));
        let _working = site.workers(&options());
        let record = site.record(id);
        let said = serde_json::to_string_pretty(&record.report).unwrap();
        assert_eq!(record.report.points.earned.round() as i64, 90, "{said}");
        assert_eq!(site.number("select count(*) from job where attempt > 1"), 0, "{said}");
    });
}

const EVIL: &str = "<img src=x onerror=alert(1)>";

/// Submissions that let others speak: a compiler that warns, one that fails, `make`, and the program.
fn speaking() -> [Vec<u8>; 4] {
    let identifier = "// Project Identifier: ABCDEF0123456789\n";
    let files = |source: &str, makefile: &str| {
        let odd = format!("{EVIL}.h");
        let test = format!("test-{EVIL}.txt");
        let header = format!("{identifier}// {EVIL}\n");
        sums::archive(&[
            ("sum.cpp", source),
            ("Makefile", makefile),
            (&odd, &header),
            (&test, &format!("{EVIL}\n")),
            ("test-1.txt", "2 3\n"),
        ])
    };
    let warning = sums::SUM.replace("#include", &format!("#warning \"{EVIL}\"\n#include"));
    let error = sums::SUM.replace("#include", &format!("#error \"{EVIL}\"\n#include"));
    let program = sums::SUM
        .replace("std::printf(", &format!("std::fputs(\"{EVIL}\", stdout);\n    std::printf("));
    let program = program.replace("two numbers, please", EVIL);
    let makefile = sums::MAKEFILE.replace("\tg++", &format!("\t@echo '{EVIL}' >&2; exit 3\n\tg++"));
    [
        files(&warning, sums::MAKEFILE),
        files(&error, sums::MAKEFILE),
        files(sums::SUM, &makefile),
        files(&program, sums::MAKEFILE),
    ]
}

/// All that a person may read of these submissions, each with its address.
fn read(browser: &Browser, all: &[i64]) -> Vec<(String, String)> {
    let mut paths: Vec<String> =
        ["/", "/assignments/sum", "/assignments/sum/scoreboard"].map(str::to_owned).into();
    for id in all {
        paths.push(format!("/submissions/{id}"));
        paths.push(format!("/submissions/{id}?as=student"));
        paths.push(format!("/submissions/{id}?as=%3Cimg%20src=x%20onerror=alert(1)%3E"));
    }
    let read = |path: String| {
        let answer = browser.get(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        for (name, value) in &answer.headers {
            assert!(!value.contains("onerror"), "{path}: {name}: {value}");
        }
        (path, answer.body)
    };
    paths.into_iter().map(read).collect()
}

/// The pages of a regrade in which one submission gets other cases, and the others fail.
fn regraded(site: &Site, staff: &Browser) -> Vec<(String, String)> {
    let course = site.write(|connection| Ok(server::courses::in_force(connection)?.unwrap()));
    let fields = [("course", &*course), ("assignment", "sum"), ("scope", "all"), ("again", "yes")];
    let page = staff.post("/regrades", &fields).headers["location"].clone();
    let mut report = records::report("ann", 40.0, false);
    report["groups"][0]["name"] = EVIL.into();
    site.grades(&report);
    site.write(|connection| fail_all(connection, EVIL));
    let shown = staff.get(&page).body;
    assert!(shown.contains("onerror=alert(1)&#62;/Two: new"), "{shown}");
    assert!(shown.matches("onerror").count() > 3, "{shown}");
    let version = format!("/course/{course}");
    let of_version = staff.get(&version).body;
    vec![(page, shown), (version, of_version)]
}

#[test]
fn what_a_compiler_make_and_a_program_say_is_only_text_on_every_page() {
    if cannot_grade() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let site = &Site::new(&sqlite(&folder), "assignments: { sum: { limit: 10 } }");
    let ann = site.person("ann", Role::Student, EVIL);
    site.write(move |connection| connection.execute("update person set name = $1", &[EVIL.into()]));
    let ann = site.signed_in(&ann);
    let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
    let name = format!("{EVIL}.tar.gz");
    let all: Vec<_> = speaking()
        .iter()
        .enumerate()
        .map(|(at, bytes)| {
            let key = format!("{EVIL}{at}");
            submission(&ann.upload(records::HAND_IN, &key, &[(&name, bytes)]))
        })
        .collect();
    let mut pages = read(&staff, &all);
    let working = site.workers(&options());
    for id in &all {
        site.record(*id);
    }
    pages.extend(read(&ann, &all));
    pages.extend(read(&staff, &all));
    drop(working);
    pages.extend(regraded(site, &staff));
    for path in
        ["/students", "/students/ann", "/queue", "/assignments/sum/class", "/audit", "/course"]
    {
        let answer = staff.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        pages.push((path.to_owned(), answer.body));
    }
    for path in
        ["/gradebook.csv", "/assignments/sum/gradebook.csv", "/assignments/sum/gradebook.json"]
    {
        let headers = staff.get(path).headers;
        assert!(headers["content-disposition"].starts_with("attachment; "), "{path}: {headers:?}");
        assert!(!headers["content-type"].starts_with("text/html"), "{path}: {headers:?}");
    }
    for (path, page) in &pages {
        assert!(!page.contains("<img src"), "{path}: {page}");
    }
    // Each of them did say it.
    for id in all {
        let page = staff.get(&format!("/submissions/{id}")).body;
        let shown = page.matches("onerror").count();
        assert!(shown > 1, "submission {id} says it {shown} times: {page}");
    }
}
