//! Real programs, disguised as students disguise them. `docs/similar.md` has the table of what each disguise leaves, which is checked here.

mod disguise;

use disguise::DISGUISES;
use harness_similarity::{Comparison, Given, Language, Settings, Work, compare};
use std::fs;
use std::path::{Path, PathBuf};

/// Programs in C++ from the samples of this repository.
const PROGRAMS: [(&str, &[&str]); 3] = [
    ("puzzle", &["puzzle/wrong/puzzle.cpp"]),
    ("countess", &["countess/correct/castle.cpp", "countess/correct/main.cpp"]),
    (
        "sliding",
        &["sliding/correct/puzzle.cpp", "sliding/correct/search.cpp", "sliding/correct/main.cpp"],
    ),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(files: &[&str]) -> Vec<(String, String)> {
    let read = |file: &&str| {
        let text = fs::read_to_string(repository().join("submissions").join(file)).unwrap();
        ((*file).to_owned(), text)
    };
    files.iter().map(read).collect()
}

fn work(files: &[(String, String)], given: &Given) -> Work {
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
    Work::read(files, Language::of, given)
}

/// The higher share of the only pair, in percent.
fn share(found: &Comparison) -> f64 {
    let shares = found.pairs.first().map_or((0.0, 0.0), |pair| found.shares(pair));
    (shares.0.max(shares.1) * 100.0).floor()
}

fn compared(one: &[(String, String)], other: &[(String, String)]) -> Comparison {
    let works = [work(one, &Given::default()), work(other, &Given::default())];
    let settings = Settings { least: 0.0, ..Settings::default() };
    compare(&works, 2, &Given::default(), &settings)
}

#[test]
fn each_disguise_is_seen_through_as_far_as_the_document_says() {
    let document = fs::read_to_string(repository().join("docs/similar.md")).unwrap();
    let rows = DISGUISES.map(|(name, disguise)| {
        let shares = PROGRAMS.map(|(_, files)| {
            let original = program(files);
            let changed = original.iter().map(|(path, text)| (path.clone(), disguise(text)));
            let changed: Vec<_> = changed.collect();
            assert_ne!(original, changed, "{name}");
            format!("{} %", share(&compared(&original, &changed)))
        });
        format!("| {name} | {} |\n", shares.join(" | "))
    });
    let table = rows.concat();
    assert!(document.contains(&table), "docs/similar.md needs this table:\n{table}");
}

#[test]
fn programs_that_were_written_apart_are_below_what_is_reported() {
    let all: Vec<_> = [
        &["puzzle/wrong/puzzle.cpp"][..],
        &[
            "puzzle/correct/search.cpp",
            "puzzle/correct/reader.cpp",
            "puzzle/correct/output.cpp",
            "puzzle/correct/rules.h",
            "puzzle/correct/map.h",
            "puzzle/correct/discoveries.h",
            "puzzle/correct/main.cpp",
            "puzzle/correct/options.cpp",
        ],
        &["countess/correct/castle.cpp", "countess/correct/main.cpp"],
        &["sliding/correct/puzzle.cpp", "sliding/correct/search.cpp", "sliding/correct/main.cpp"],
        &["maze-solver/correct/solver.cpp"],
        &["maze-generator/correct/generator.cpp"],
    ]
    .into_iter()
    .map(program)
    .collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let share = share(&compared(one, other));
            assert!(
                share < Settings::default().least * 100.0,
                "{} {}: {share}",
                one[0].0,
                other[0].0
            );
        }
    }
}

#[test]
fn what_was_given_does_not_count() {
    let [(_, template), (_, one), (_, other)] = PROGRAMS;
    let (template, mut one, mut other) = (program(template), program(one), program(other));
    one.extend(template.clone());
    // Also if it was renamed, and is in the same file.
    let (_, renamed) = DISGUISES[1];
    other[0].1 += &renamed(&template[0].1);
    let mut given = Given::default();
    given.add(template.iter().map(|(path, text)| (path.as_str(), text.as_bytes())), Language::of);
    let found = |given: &Given| {
        let works = [work(&one, given), work(&other, given)];
        compare(&works, 2, given, &Settings::default())
    };
    assert!(share(&found(&Given::default())) > 40.0);
    assert_eq!(found(&given).pairs, []);
    let works = [work(&template, &given), work(&template, &given)];
    let nothing = compare(&works, 2, &given, &Settings::default());
    assert_eq!((nothing.counted, nothing.equal), (vec![0, 0], vec![]));
}

#[test]
fn what_many_have_does_not_count() {
    let own = program(PROGRAMS[2].1);
    let lines: Vec<_> = own.iter().flat_map(|(_, text)| text.lines()).collect();
    let shared = program(PROGRAMS[0].1).remove(0).1;
    // Each has the same long file, and some lines of its own.
    let works = |count: usize| -> Vec<Work> {
        let parts = lines.chunks(lines.len() / 12).take(count);
        let files =
            parts.map(|part| [("a.cpp".to_owned(), format!("{}\n{shared}", part.join("\n")))]);
        files.map(|files| work(&files, &Given::default())).collect()
    };
    let found = |count| {
        let works = works(count);
        compare(&works, count, &Given::default(), &Settings::default()).pairs.len()
    };
    assert_eq!((found(10), found(11)), (45, 0));
}

#[test]
fn equal_works_are_a_group_and_the_earlier_ones_are_not_compared_with_each_other() {
    let [one, other, third] = PROGRAMS.map(|(_, files)| program(files));
    let read = |files: &[(String, String)]| work(files, &Given::default());
    let named: Vec<_> =
        one.iter().map(|(_, text)| ("other.cpp".to_owned(), text.clone())).collect();
    let renamed = |files: &[(String, String)]| -> Vec<_> {
        files.iter().map(|(path, text)| (path.clone(), DISGUISES[1].1(text))).collect()
    };
    let works = [&one, &other, &named, &one, &renamed(&other), &third, &renamed(&third), &third];
    let works = works.map(|files| read(files));
    let found = compare(&works, 3, &Given::default(), &Settings::default());
    assert_eq!(found.equal, [vec![0, 2, 3]]);
    let pairs: Vec<_> = found.pairs.iter().map(|pair| (pair.one, pair.other)).collect();
    assert_eq!(pairs, [(1, 4)]);
}

#[test]
fn a_region_has_the_lines_of_both_files() {
    let original = program(PROGRAMS[0].1);
    let moved = [("new.cpp".to_owned(), format!("int a;\n\n{}", original[0].1))];
    let found = compared(&original, &moved);
    let region = &found.pairs[0].regions[0];
    assert_eq!(
        (region.one.file.as_str(), region.other.file.as_str()),
        ("puzzle/wrong/puzzle.cpp", "new.cpp")
    );
    assert_eq!(
        (region.one.first + 2, region.one.last + 2),
        (region.other.first, region.other.last)
    );
    assert_eq!(region.symbols, found.pairs[0].symbols);
}
