//! `harness shape`.

use super::run::matches;
use super::{Run, folder, harness, path, repository};
use fastrand::Rng;
use harness::catalogue;
use harness::course::{self, Assignment};
use harness::domain::Draft;
use harness::report::shapes::{Checked, Inputs};
use harness::shape::{self, Options, Shape};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// As many numbers as the first line says.
const SUMS: &[u8] = b"INT(1,9,n) NEWLINE\nREP(n, SPACE) INT(-99,99,x) END NEWLINE\n";

/// Runs `harness shape` in a folder with these files. `@` in an argument stands for the folder.
fn shape(files: &[(&str, &[u8])], args: &[&str]) -> Run {
    let folder = folder(files);
    let args: Vec<String> = args.iter().map(|arg| arg.replace('@', path(&folder))).collect();
    let args: Vec<&str> = ["shape"].into_iter().chain(args.iter().map(String::as_str)).collect();
    let mut run = harness(&args);
    run.stdout = run.stdout.replace(path(&folder), "@");
    run.stderr = run.stderr.replace(path(&folder), "@");
    run
}

#[test]
fn an_input_is_checked_against_a_checktestdata_script() {
    let files: [(&str, &[u8]); 3] =
        [("sums.ctd", SUMS), ("a.txt", b"2\n1 -1\n"), ("b.txt", b"2\n1 100\n")];
    let run = shape(&files, &["check", "@/sums.ctd", "@/a.txt"]).exits(0);
    assert!(run.stdout.starts_with("@/a.txt: valid\nnever reached:\n"), "{}", run.stdout);
    let run = shape(&files, &["check", "@/sums.ctd", "@/a.txt", "@/b.txt"]).exits(1);
    let wrong = "@/a.txt: valid
@/b.txt: invalid: expected `x`, a whole number from -99 to 99, found `100`
 --> @/b.txt:2:3
  |
2 | 1 100
  |   ^
hint: line 2 of @/sums.ctd describes it
1 of 2 inputs are valid
";
    // Lines of prose may be wrapped, depending on the name of the folder.
    let unwrapped = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped(&run.stdout).starts_with(&unwrapped(wrong)), "{}", run.stdout);
}

#[test]
fn the_result_of_a_check_is_written_as_json() {
    let files: [(&str, &[u8]); 3] =
        [("sums.ctd", SUMS), ("a.txt", b"1\n-99\n"), ("b.txt", b"2\r\n1 100\n")];
    let args = ["check", "@/sums.ctd", "@/a.txt", "@/b.txt", "--format", "json"];
    let checked: Checked = shape(&files, &args).exits(1).json();
    assert_eq!((checked.valid, checked.inputs.len()), (1, 2));
    let wrong = &checked.inputs[1];
    let place = (wrong.valid, wrong.line, wrong.column);
    assert_eq!(place, (false, Some(1), Some(2)));
    assert_eq!(wrong.message.as_deref(), Some("expected the end of the line, found `\\r`"));
    assert!(wrong.hint.as_ref().unwrap().contains("CRLF"));
    let unreached: Vec<_> =
        checked.unreached.iter().map(|it| (it.line, it.column, it.what.as_str())).collect();
    assert_eq!(unreached, [(1, 1, "`n` is never its most"), (2, 15, "`x` is never its most")]);
}

#[test]
fn what_sample_makes_is_valid_and_depends_on_the_seed_alone() {
    let files: [(&str, &[u8]); 1] = [("sums.ctd", SUMS)];
    let sample = |seed: &str| -> Inputs {
        let args = ["sample", "@/sums.ctd", "--count", "50", "--seed", seed, "--format", "json"];
        shape(&files, &args).exits(0).json()
    };
    let made = sample("1");
    assert_eq!(made, sample("1"));
    assert_ne!(made.inputs, sample("2").inputs);
    let inputs: Vec<_> = made.inputs.iter().map(|made| made.input.as_bytes()).collect();
    let names: Vec<_> = (0..50).map(|number| format!("{number}.txt")).collect();
    let mut files = vec![("sums.ctd", SUMS)];
    files.extend(names.iter().map(String::as_str).zip(inputs));
    let paths: Vec<_> = names.iter().map(|name| format!("@/{name}")).collect();
    let mut args = vec!["check", "@/sums.ctd"];
    args.extend(paths.iter().map(String::as_str));
    shape(&files, &args).exits(0);
}

#[test]
fn one_sample_is_printed_as_it_is() {
    let run = shape(&[("sums.ctd", SUMS)], &["sample", "@/sums.ctd", "--seed", "4"]).exits(0);
    let mut lines = run.stdout.lines();
    let count: usize = lines.next().unwrap().parse().unwrap();
    assert_eq!(lines.next().unwrap().split(' ').count(), count);
    assert_eq!(lines.next(), None);
}

#[test]
fn an_invalid_sample_has_one_mistake_and_says_which() {
    let args = ["sample", "@/sums.ctd", "--invalid", "--count", "40", "--format", "json"];
    let made: Inputs = shape(&[("sums.ctd", SUMS)], &args).exits(0).json();
    for made in made.inputs {
        let files: [(&str, &[u8]); 2] = [("sums.ctd", SUMS), ("a.txt", made.input.as_bytes())];
        shape(&files, &["check", "@/sums.ctd", "@/a.txt"]).exits(1);
        assert!(made.mistake.unwrap().what.contains(" instead of "));
    }
}

#[test]
fn list_prints_every_input_of_a_size_and_what_none_of_them_reaches() {
    let script = b"INT(1,9,n) NEWLINE\nREP(n) REGEX(\"[ab]\") END NEWLINE\n";
    let args = ["list", "@/ab.ctd", "--size", "2"];
    let run = shape(&[("ab.ctd", script)], &args).exits(0);
    let all = "# input 1\n2\naa\n# input 2\n2\nab\n# input 3\n2\nba\n# input 4\n2\nbb\n";
    let unreached = "never reached:\n  1:1: `n` is never its least\n  1:1: `n` is never its most\n";
    assert_eq!(run.stdout, format!("{all}{unreached}"));
    let json: Inputs =
        shape(&[("ab.ctd", script)], &[&args[..], &["--format", "json"]].concat()).exits(0).json();
    assert_eq!((json.inputs.len(), json.complete), (4, Some(true)));
}

#[test]
fn graphs_with_more_nodes_than_the_size_are_not_listed() {
    let graph = b"input:
  - line:
      - n: { range: 1 .. 200000, usual: 1 .. 8 }
      - m: { range: \"0 .. min(200000, n * (n - 1))\", usual: \"0 .. min(14, n * (n - 1))\" }
  - graph: n
    edges: m
    directed: true
    fields: [{ w: 0 .. 9 }]
";
    // With one node more for each of all that `n` may be, this would take minutes.
    let args = ["list", "@/graph.yaml", "--size", "0", "--format", "json"];
    let none: Inputs = shape(&[("graph.yaml", graph)], &args).exits(0).json();
    let inputs: Vec<_> = none.inputs.iter().map(|made| made.input.as_str()).collect();
    assert_eq!((inputs, none.complete), (vec!["1 0\n", "2 0\n", "3 0\n"], Some(true)));
    let args = ["list", "@/graph.yaml", "--size", "3", "--format", "json"];
    let one: Inputs = shape(&[("graph.yaml", graph)], &args).exits(0).json();
    assert_eq!(one.complete, Some(true));
    assert!(one.inputs.iter().any(|made| made.input == "4 1\n4 3 9\n"), "{:?}", one.inputs);
}

#[test]
fn a_mistake_in_a_shape_is_shown_with_its_place() {
    let wrong = [("a.ctd", b"INT(1,9,n) NEWLINE\nREPP(n) END\n".as_slice()), ("a.txt", b"1\n")];
    let stderr =
        "error: there is no command `REPP`\n --> @/a.ctd:2:1\n  |\n2 | REPP(n) END\n  | ^\n";
    shape(&wrong, &["check", "@/a.ctd", "@/a.txt"]).fails(2, stderr);
    let empty = [("a.ctd", b"INT(1,9,n) SPACE INT(10,n)\n".as_slice())];
    let stderr = "error: the shape makes no input: there is no number from 10 to [..]\n --> @/a.ctd:1:18\n  |\n\
                  1 | INT(1,9,n) SPACE INT(10,n)\n  |                  ^\n";
    shape(&empty, &["sample", "@/a.ctd"]).fails(2, stderr);
}

/// The files in `docs/shapes.md`: each block whose first line names one.
fn documented() -> Vec<(String, String)> {
    let page = fs::read_to_string(repository().join("docs/shapes.md")).unwrap();
    let blocks = page.split("```yaml\n# file: ").skip(1);
    let file = |block: &str| {
        let (name, rest) = block.split_once('\n').unwrap();
        (name.to_owned(), format!("# file: {name}\n{}", rest.split_once("```").unwrap().0))
    };
    blocks.map(file).collect()
}

#[test]
fn every_shape_in_the_document_makes_inputs_that_it_accepts() {
    let files = documented();
    assert!(files.len() >= 6);
    for (name, text) in &files {
        let args = ["sample", "@/shape.yaml", "--count", "50", "--format", "json"];
        let shape_file = ("shape.yaml", text.as_bytes());
        let made: Inputs = shape(&[shape_file], &args).exits(0).json();
        let parsed = shape::parse(Path::new(name), text.as_bytes()).unwrap();
        for made in made.inputs {
            parsed.check(made.input.as_bytes(), &Options::default()).unwrap();
        }
    }
}

#[test]
fn every_command_in_the_document_prints_what_it_shows() {
    let files = documented();
    let mut there: Vec<_> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    there.push(("wrong.txt", b"2\n5\n12\n"));
    let folder = folder(&there);
    let page = fs::read_to_string(repository().join("docs/shapes.md")).unwrap();
    let mut commands = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        let (command, output) = block.strip_prefix("$ harness ").unwrap().split_once('\n').unwrap();
        let mut run = super::run::command();
        run.args(command.split(' ')).current_dir(folder.path());
        let run: Run = super::run::output(&mut run).into();
        let shown = output.replace("$ echo $?\n1\n", "");
        assert!(matches(&shown, &run.stdout), "{shown}\n{}\n{}", run.stdout, run.stderr);
        assert_eq!(run.status, i32::from(shown.len() < output.len()));
        commands += 1;
    }
    assert_eq!(commands, 2);
}

/// The shape of the inputs of an assignment of this repository, in `docs/shapes`.
fn of_assignment(assignment: &Assignment) -> Shape {
    let id = assignment.domain.name();
    let file = repository().join(format!("docs/shapes/{id}.yaml"));
    let text = fs::read(&file).unwrap();
    shape::parse(&file, &text).unwrap_or_else(|problem| panic!("{id}: {problem:?}"))
}

/// The options that check a draft: the numbers in its name.
fn options(shape: &Shape, draft: &Draft) -> Options {
    let words = draft.flags.rsplit('-').take(shape.parameters.len());
    let mut parameters: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
    parameters.reverse();
    Options { parameters, ..Options::default() }
}

#[test]
fn the_shapes_of_the_assignments_accept_every_witness() {
    let course = course::Course::read(repository()).unwrap();
    // An input that must be refused has no shape.
    let all = course.assignments.iter().filter(|assignment| !assignment.refusals.are_tests());
    for assignment in all {
        let shape = of_assignment(assignment);
        let mutants = catalogue::read(assignment).unwrap();
        let mut wrong = Vec::new();
        for witness in mutants.iter().filter_map(|mutant| mutant.witness.as_ref()) {
            let draft = witness.draft();
            if let Err(failure) = shape.check(&draft.input, &options(&shape, &draft)) {
                wrong.push((String::from_utf8_lossy(&draft.input).into_owned(), failure.message));
            }
        }
        assert!(wrong.is_empty(), "{}: {wrong:#?}", assignment.id);
    }
}

#[test]
fn the_shapes_of_the_assignments_accept_what_their_domains_make() {
    let course = course::Course::read(repository()).unwrap();
    for assignment in &course.assignments {
        let shape = of_assignment(assignment);
        let generator = assignment.domain.generator().unwrap();
        let mut rng = Rng::with_seed(1);
        let mut wrong = Vec::new();
        for kind in 0..generator.kinds().len() {
            for _ in 0..60 {
                let draft =
                    generator.plain(&generator.sample_of(kind, &assignment.tests, &mut rng));
                if let Err(failure) = shape.check(&draft.input, &options(&shape, &draft)) {
                    wrong.push((
                        String::from_utf8_lossy(&draft.input).into_owned(),
                        failure.message,
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{}: {wrong:#?}", assignment.id);
    }
}

/// What is printed to standard error, with the wrapped lines joined.
fn told(run: &Run) -> String {
    run.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_empty_range_is_a_mistake_of_the_shape_and_not_of_an_input() {
    let yaml: &[u8] = b"input:\n  - line: [{ x: 5 .. 1 }]\n";
    let files: [(&str, &[u8]); 4] = [
        ("a.yaml", yaml),
        ("a.ctd", b"INT(1,3,n) NEWLINE\n  INT(2*3,5,x) NEWLINE\n"),
        ("b.ctd", b"FLOAT(5,1,x) NEWLINE\n"),
        ("in.txt", b"3\n5\n"),
    ];
    for (name, place) in [("a.yaml", "2:17"), ("a.ctd", "2:3"), ("b.ctd", "1:1")] {
        let file = format!("@/{name}");
        for args in
            [&["check", &file, "@/in.txt"][..], &["list", &file, "--size", "2"], &["sample", &file]]
        {
            let run = shape(&files, args).fails(2, "...\n");
            assert_eq!(run.stdout, "", "{args:?}");
            let told = told(&run);
            assert!(told.contains("there is no number from "), "{args:?}: {told}");
            assert!(told.contains(&format!("--> @/{name}:{place} ")), "{args:?}: {told}");
        }
    }
}

#[test]
fn an_input_on_which_a_regular_expression_takes_too_long_is_not_called_invalid() {
    let (script, input) = (b"REGEX(\"(a|aa){1,9000}b\") NEWLINE\n", "a".repeat(1_000_000));
    let files: [(&str, &[u8]); 2] = [("a.ctd", script), ("in.txt", input.as_bytes())];
    let run = shape(&files, &["check", "@/a.ctd", "@/in.txt"]).fails(2, "...\n");
    let message = "@/in.txt cannot be checked: matching the regular expression takes too long";
    assert!(
        told(&run).starts_with(&format!("error: {message} --> @/a.ctd:1:1 ")),
        "{}",
        run.stderr
    );
}

#[test]
fn a_list_of_nothing_says_whether_there_are_inputs_of_another_size() {
    let none: &[u8] = b"input:\n  - line: [{ n: 1 .. 3 }]\n  - require: n > 5\n";
    let files: [(&str, &[u8]); 2] = [("none.yaml", none), ("a.ctd", b"INT(1,3,n) NEWLINE\n")];
    let run = shape(&files, &["list", "@/none.yaml", "--size", "1"]).fails(2, "...\n");
    let wrong = "error: the shape makes no input: expected that `n > 5`;";
    assert!(told(&run).starts_with(wrong), "{}", run.stderr);
    assert!(run.stderr.contains("--> @/none.yaml:3:5"), "{}", run.stderr);
    let run = shape(&files, &["list", "@/a.ctd", "--size", "7"]).exits(0);
    assert_eq!(run.stdout, "# no input has this size\n");
}

#[test]
fn a_shape_that_is_no_shape_is_refused_with_its_place() {
    let deep = 100_000;
    let nested = format!("input: {}{}", "[".repeat(deep), "]".repeat(deep));
    let number = format!("input:\n  - line: [{{ x: 0 .. {}1 }}]\n", "(".repeat(deep));
    let not = format!("ASSERT({}1 == 1{})\n", "(".repeat(deep), ")".repeat(deep));
    let mut bomb = "input:\n  - &a0 { line: [x] }\n".to_owned();
    for level in 1..12 {
        let before = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(bomb, "  - &a{level} {{ lines: 2, each: [{before}] }}")
            .expect("a `String` takes any text");
    }
    let large = "# c\n".repeat(2_500_000);
    let cases: [(&str, &[u8]); 10] = [
        ("nested.yaml", nested.as_bytes()),
        ("number.yaml", number.as_bytes()),
        ("not.ctd", not.as_bytes()),
        ("bomb.yaml", bomb.as_bytes()),
        ("itself.yaml", b"input: &a [*a]\n"),
        ("nul.yaml", b"input:\n  - line: [{ x\0: 1 .. 2 }]\n"),
        ("nul.ctd", b"INT(1,2,x)\0 NEWLINE\n"),
        ("latin.yaml", b"input:\n  - line: [\"\xe9\"]\n"),
        ("large.yaml", large.as_bytes()),
        ("large.ctd", large.as_bytes()),
    ];
    for (name, text) in cases {
        let run = shape(&[(name, text)], &["sample", &format!("@/{name}")]).fails(2, "...\n");
        assert!(run.stderr.contains(&format!("--> @/{name}:")), "{name}: {}", run.stderr);
        assert!(run.stderr.len() < 1000, "{name}");
    }
}

#[test]
fn a_number_that_is_the_only_one_is_named() {
    let folder =
        folder(&[("a.yaml", b"input:\n  - line: [{ account: 1 .. 1 }]\n"), ("b.txt", b"2\n")]);
    let [shape, input] = ["a.yaml", "b.txt"].map(|name| format!("{}/{name}", path(&folder)));
    let run = harness(&["shape", "check", &shape, &input]);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("expected `account`, the number 1, found `2`"), "{told}");
}
