//! The conformance files of checktestdata in `ctd/`, read as its own `make check` reads them.

use harness_shape::random::Random;
use harness_shape::{Inputs, Options, Shape, ctd};
use proptest::strategy::ValueTree;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files whose names begin with `prefix`, in order.
fn files(prefix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ctd");
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| name(path).starts_with(prefix));
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Whether a script accepts an input.
fn accepts(script: &Path, input: &Path, is_lenient: bool) -> Result<(), String> {
    let script = ctd::parse(&fs::read(script).unwrap()).map_err(|problem| problem.message)?;
    let input = fs::read(input).unwrap();
    script
        .check(&input, &Options { is_lenient, ..Options::default() })
        .map_err(|failure| failure.message)
}

/// The scripts that are right, with the common beginning of the names of their files.
fn scripts(prefix: &str) -> Vec<(PathBuf, String)> {
    let all = files(prefix).into_iter().filter(|path| name(path).contains("_prog.in"));
    all.map(|path| {
        let base = name(&path).split("_prog").next().unwrap().to_owned() + "_";
        (path, base)
    })
    .collect()
}

#[test]
fn every_script_accepts_its_valid_data_and_rejects_its_invalid_data() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (prefix, is_lenient) in [("test_", false), ("testws_", true)] {
        for (script, base) in scripts(prefix) {
            if !name(&script).ends_with("_prog.in") {
                continue;
            }
            for data in files(&format!("{base}data")) {
                let result = accepts(&script, &data, is_lenient);
                checked += 1;
                if result.is_ok() != name(&data).contains("_data.in") {
                    wrong.push(format!("{} on {}: {result:?}", name(&script), name(&data)));
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_faulty_script_is_rejected_on_valid_data() {
    let mut checked = 0;
    for (_, base) in scripts("test_") {
        for faulty in files(&format!("{base}prog.err")) {
            for data in files(&format!("{base}data.in")) {
                if name(&data).ends_with("_data.in") {
                    assert!(accepts(&faulty, &data, false).is_err(), "{}", name(&faulty));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn every_script_makes_data_that_it_accepts() {
    for (path, _) in scripts("test_") {
        let text = fs::read(&path).unwrap();
        if String::from_utf8_lossy(&text).contains("IGNORE GENERATE TESTING") {
            continue;
        }
        let script = Arc::new(ctd::parse(&text).unwrap());
        let inputs = Inputs::new(script.clone());
        for seed in 0..10 {
            let made = inputs.tree(&mut Random::new(seed, 3));
            let made = made.unwrap_or_else(|failure| panic!("{}: {failure:?}", name(&path)));
            let input = made.current().bytes;
            let checked = script.check(&input, &Options::default());
            assert!(checked.is_ok(), "{}: {checked:?}\n{}", name(&path), input.escape_ascii());
        }
    }
}

#[test]
fn presets_are_values_of_variables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ctd");
    let script = |name: &str| Arc::new(ctd::parse(&fs::read(folder.join(name)).unwrap()).unwrap());
    let presets = ctd::presets(r#"n=10,pi=0.31415E1,foo="bar""#).unwrap();
    let options = Options { presets, ..Options::default() };
    let draw = |script: &Arc<Shape>| {
        let inputs = Inputs::new(script.clone()).with(options.clone());
        inputs.tree(&mut Random::new(1, 3)).map(|tree| tree.current())
    };
    let good = script("testpreset_prog.in");
    let input = draw(&good).unwrap().bytes;
    assert_eq!(good.check(&input, &options), Ok(()));
    assert!(draw(&script("testpreset_prog.err")).is_err());
    assert!(ctd::presets(r#"n=10,pi=0.31415E1,foo="bar"#).is_err());
}
