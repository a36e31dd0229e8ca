//! The rooms of the server depend on each other in one direction, as its documentation says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// The lines of rooms in the head of the library, in their order.
fn documented() -> Vec<BTreeSet<String>> {
    let head = fs::read_to_string(source().join("lib.rs")).unwrap();
    let lines = head.lines().filter_map(|line| line.strip_prefix("//! - `"));
    let rooms = |line: &str| {
        let names = line.split(':').next().unwrap().split(',');
        names.map(|name| name.trim().trim_matches('`').to_owned()).collect()
    };
    lines.map(rooms).collect()
}

fn source() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Each source with the room that it is in.
fn sources() -> Vec<(String, String)> {
    let files = WalkDir::new(source()).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let with_room = |path: std::path::PathBuf| {
        let first = path.strip_prefix(source()).unwrap().components().next().unwrap();
        let room = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        (room, fs::read_to_string(path).unwrap())
    };
    files.map(with_room).filter(|(room, _)| room != "lib" && room != "main").collect()
}

/// The rooms that a source names after `crate::`, also in braces.
fn used(source: &str) -> BTreeSet<String> {
    let name = |text: &str| {
        text.split(|it: char| !it.is_ascii_lowercase() && it != '_').next().map(str::to_owned)
    };
    let mut all = BTreeSet::new();
    for rest in source.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap();
                all.extend(list.split(',').filter_map(|it| name(it.trim())));
            }
            None => all.extend(name(rest)),
        }
    }
    all.remove("");
    all
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let documented = documented();
    let sources = sources();
    let listed: BTreeSet<_> = documented.iter().flatten().cloned().collect();
    let present: BTreeSet<_> = sources.iter().map(|(room, _)| room.clone()).collect();
    assert_eq!(listed, present, "the rooms that the documentation lists");
    for (room, source) in sources {
        let line = documented.iter().position(|rooms| rooms.contains(&room)).unwrap();
        let above: BTreeSet<_> = documented[..=line].iter().flatten().cloned().collect();
        let below: Vec<_> = used(&source)
            .into_iter()
            .filter(|it| listed.contains(it) && !above.contains(it))
            .collect();
        assert!(below.is_empty(), "`{room}` uses {below:?}");
    }
}

#[test]
fn only_the_database_knows_which_database_it_is() {
    for (room, source) in sources() {
        for word in ["rusqlite::", "deadpool"] {
            let knows = source.contains(word);
            assert!(!knows || room == "database", "`{room}` names {word}");
        }
    }
}
