//! The versions of the course: how they come, and what happens if one is damaged.

use super::support::grading::{SERVER, cannot_grade, name_of, options};
use super::support::site::Site;
use super::support::{site_on_both, sums};
use server::courses::Courses;
use std::fs;
use std::process::Command;
use std::time::Duration;

/// What `harness serve course` prints.
fn course(site: &Site, more: &[&str]) -> String {
    let mut command = Command::new(SERVER);
    command.args(["serve", "course", "--database", &name_of(site), "--course"]);
    let output = command.arg(site.course.path()).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn change(site: &Site) {
    let file = site.course.path().join("cases.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, text.replace("20 22", "20 23")).unwrap();
}

#[test]
fn a_new_version_is_stored_and_used_when_it_is_applied() {
    site_on_both("", |site| {
        let said = course(site, &[]);
        assert!(said.contains("was stored before") && said.contains("It is in force"), "{said}");
        change(site);
        let said = course(site, &[]);
        assert!(said.contains("Stored version") && said.contains("--apply"), "{said}");
        assert_eq!(site.number("select count(*) from course_in_force"), 1);
        let said = course(site, &["--apply"]);
        assert!(said.contains("from now on"), "{said}");
        assert_eq!(site.number("select count(*) from course_in_force"), 2);
        assert_eq!(site.number("select count(*) from course"), 2);
        let said = course(site, &["--apply"]);
        assert!(said.contains("It is in force"), "{said}");
        assert_eq!(site.number("select count(*) from course_in_force"), 2);
        let actions = site.write(|connection| {
            let rows = connection.query("select action from audit order by id", &[])?;
            Ok(rows.iter().map(|row| row.text(0)).collect::<Vec<_>>())
        });
        assert_eq!(actions, ["store course", "put course in force"]);
    });
}

#[test]
fn a_submission_is_graded_by_the_version_with_which_it_was_handed_in() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let wrong = sums::SUM.replace("a + b", "a + b + (b == 23)");
        let archive = sums::archive(&[("sum.cpp", &wrong), ("Makefile", sums::MAKEFILE)]);
        let before = site.hand_in(&site.student(), archive.clone());
        change(site);
        course(site, &["--apply"]);
        let after = site.hand_in(&site.student(), archive);
        let _working = site.workers(&options());
        assert_eq!([before, after].map(|it| site.points(it)), [80, 60]);
    });
}

#[test]
fn a_server_says_that_its_folder_is_not_what_is_in_force() {
    site_on_both("", |site| {
        change(site);
        let output = tempfile::NamedTempFile::new().unwrap();
        let mut command = Command::new(SERVER);
        command.args(["serve", "--address", "127.0.0.1:0", "--workers", "0", "--database"]);
        command.arg(name_of(site)).arg("--course").arg(site.course.path());
        let mut server = command.stdout(output.reopen().unwrap()).spawn().unwrap();
        super::support::grading::wait("the server says so", || {
            let said = fs::read_to_string(output.path()).unwrap();
            said.contains("is not version") && said.contains("harness serve course --apply")
        });
        server.kill().unwrap();
        server.wait().unwrap();
        assert_eq!(site.number("select count(*) from course_in_force"), 1);
    });
}

#[test]
fn a_damaged_version_says_so_and_holds_nobody_up() {
    site_on_both("", |site| {
        let digest = site.text("select course from course_in_force");
        site.write(|connection| {
            connection.execute(
                "insert into course (digest, bytes, title, at) values ('damaged', $1, 'C', 0)",
                &[vec![1, 2, 3].into()],
            )?;
            let broken = sums::archive(&[("harness.yaml", "course: [")]);
            server::courses::add(connection, &broken, "C", None)
        });
        let folder = tempfile::tempdir().unwrap();
        let courses = Courses::new(folder.path());
        let version = async |digest: &str| {
            let version = courses.version(&site.app.database, digest).await;
            version.map(|version| version.course.title.clone()).map_err(|fault| fault.to_string())
        };
        let unreadable =
            site.text("select digest from course where title = 'C' and digest <> 'damaged'");
        site.runtime.block_on(async {
            let damaged = version("damaged").await.unwrap_err();
            assert!(damaged.contains("version damaged of the course is damaged"), "{damaged}");
            let missing = version("missing").await.unwrap_err();
            assert!(missing.contains("there is no version missing"), "{missing}");
            let unreadable = version(&unreadable).await.unwrap_err();
            assert!(unreadable.contains("cannot be read"), "{unreadable}");
            assert_eq!(version(&digest).await.unwrap(), "Sums");
        });
        // Nothing is left of those that could not be unpacked.
        let all = fs::read_dir(folder.path()).unwrap().flatten();
        let all: Vec<_> = all.map(|entry| entry.file_name()).collect();
        assert_eq!(all.len(), 2, "{all:?}");
    });
}

#[test]
fn a_version_that_many_ask_for_is_unpacked_once() {
    site_on_both("", |site| {
        let digest = site.text("select course from course_in_force");
        let folder = tempfile::tempdir().unwrap();
        let courses = std::sync::Arc::new(Courses::new(folder.path()));
        let all = site.runtime.block_on(async {
            let tasks: Vec<_> = (0..20)
                .map(|_| {
                    let (courses, digest) = (courses.clone(), digest.clone());
                    let database = site.app.database.clone();
                    tokio::spawn(async move { courses.version(&database, &digest).await.unwrap() })
                })
                .collect();
            let mut all = Vec::new();
            for task in tasks {
                let done = tokio::time::timeout(Duration::from_mins(1), task).await;
                all.push(done.unwrap().unwrap());
            }
            all
        });
        assert!(all.iter().all(|version| std::sync::Arc::ptr_eq(version, &all[0])));
    });
}
