//! `harness similar`.

use super::{Run, folder, harness, path, repository};
use harness::report::similar::{Share, SimilarWork};
use std::fs;

fn program(name: &str) -> Vec<u8> {
    fs::read(repository().join("submissions").join(name)).unwrap()
}

/// Runs `harness similar` in a folder with these files. `@` in an argument stands for the folder.
fn similar(files: &[(&str, &[u8])], args: &[&str]) -> Run {
    let folder = folder(files);
    let args: Vec<String> = args.iter().map(|arg| arg.replace('@', path(&folder))).collect();
    let args: Vec<&str> = ["similar"].into_iter().chain(args.iter().map(String::as_str)).collect();
    let mut run = harness(&args);
    run.stderr = run.stderr.replace(path(&folder), "@");
    run
}

#[test]
fn equal_works_come_first_and_then_those_that_are_alike() {
    let (puzzle, other) =
        (program("puzzle/wrong/puzzle.cpp"), program("sliding/correct/puzzle.cpp"));
    let renamed = String::from_utf8(puzzle.clone()).unwrap().replace("row", "line");
    let half =
        renamed.lines().take(140).collect::<Vec<_>>().join("\n") + &String::from_utf8_lossy(&other);
    let files: [(&str, &[u8]); 6] = [
        ("class/ann/puzzle.cpp", &puzzle),
        ("class/bob/main.cpp", &puzzle),
        ("class/carl/a.cpp", half.as_bytes()),
        ("class/dora/src/b.cpp", &other),
        ("class/dora/notes.bin", b"\xff\0"),
        ("class/roster.csv", b"login\n"),
    ];
    let run = similar(&files, &["@/class"]).exits(0);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines[..4], ["Similar work: 4 works", "", "Equal files", "  ann, bob"]);
    assert_eq!(lines[5], "Alike");
    assert!(lines[6].starts_with("  53 % of carl, 100 % of dora"), "{}", run.stdout);
    assert!(
        run.stdout.contains("% of ann, ") && !run.stdout.contains("% of bob"),
        "{}",
        run.stdout
    );
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    assert!(run.stdout.ends_with("there may be good reasons. Look at both works.\n"));
}

#[test]
fn what_was_given_and_earlier_terms_are_told_apart() {
    let (given, own) = (program("puzzle/wrong/puzzle.cpp"), program("sliding/correct/search.cpp"));
    let both = [given.clone(), b"int own;\n".to_vec()].concat();
    let files: [(&str, &[u8]); 6] = [
        ("class/ann/main.cpp", &both),
        ("class/bob/main.cpp", &given),
        ("class/carl/search.cpp", &own),
        ("old/dora/search.cpp", &own),
        ("old/eve/search.cpp", &own),
        ("starter/given.cpp", &given),
    ];
    let args = ["@/class", "--given", "@/starter", "--earlier", "@/old", "--format", "json"];
    let found: SimilarWork = similar(&files, &args).exits(0).json();
    assert_eq!((found.works, found.earlier), (3, 2));
    assert_eq!(found.equal, [["carl", "old/dora", "old/eve"]]);
    assert_eq!((found.pairs, found.nothing), (vec![], vec!["bob".to_owned()]));
    let without: SimilarWork = similar(&files, &["@/class", "--format", "json"]).exits(0).json();
    let [pair] = &without.pairs[..] else { panic!("{without:?}") };
    assert_eq!(pair.other, Share { name: "bob".to_owned(), percent: 100.0 });
    assert_eq!(pair.regions[0].other.file, "main.cpp");
}

#[test]
fn archives_and_single_sources_are_works_and_damaged_ones_are_named() {
    let source = program("maze-solver/correct/solver.cpp");
    let files: [(&str, &[u8]); 2] = [("class/ann.cpp", &source), ("class/bob.cpp", &source)];
    let run = similar(&files, &["@/class"]).exits(0);
    assert!(run.stdout.contains("Equal files\n  ann.cpp, bob.cpp\n"), "{}", run.stdout);
    let files: [(&str, &[u8]); 2] =
        [("class/ann/a.cpp", &source), ("class/bob.zip", b"PK\x03\x04")];
    let run = similar(&files, &["@/class"]).exits(0);
    assert!(run.stdout.contains("Not read\n  bob: the archive is damaged"), "{}", run.stdout);
}

#[test]
fn a_folder_without_works_is_an_error_that_says_what_to_give() {
    let run = similar(&[("class/roster.csv", b"login\n")], &["@/class"]);
    let _ = run.fails(2, "error: there are no works in @/class\nhint: give a folder that has a folder, an archive or a source for each student\n");
    let run = similar(&[("class/ann/a.cpp", b"int a;")], &["@/clas"]);
    let _ = run.fails(2, "error: @/clas does not exist\nhint: did you mean `@/class`?\n");
    let run = similar(&[("class/ann/a.cpp", b"int a;")], &["@/nowhere"]);
    let hint = "give a folder that has a folder, an archive or a source for each student";
    let _ = run.fails(2, &format!("error: @/nowhere does not exist\nhint: {hint}\n"));
}

#[test]
fn names_that_students_chose_are_escaped() {
    let source = program("maze-solver/correct/solver.cpp");
    let files: [(&str, &[u8]); 3] = [
        ("c/a\x1b[2J/a\x1b.cpp", &source),
        ("c/b/b.cpp", &source),
        ("c/c/c.cpp", &[&source[..], b"int a;"].concat()),
    ];
    let run = similar(&files, &["@/c"]).exits(0);
    assert!(!run.stdout.contains('\x1b') && run.stdout.contains("a\\u{1b}"), "{}", run.stdout);
}
