//! Shapes and inputs that would take for ever, or all memory, get an error soon.

use harness_shape::random::Random;
use harness_shape::{Inputs, Options, ctd, yaml};
use proptest::strategy::ValueTree;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Runs something that must end soon. Its processor time counts, because the machine may be busy.
#[track_caller]
fn soon<T>(run: impl FnOnce() -> T) -> T {
    // Tests are not optimized.
    const LIMIT: Duration = Duration::from_secs(20);
    let start = processor_time();
    let result = run();
    let time = processor_time().saturating_sub(start);
    assert!(time < LIMIT, "it takes {time:?}");
    result
}

/// What this thread has used of the processor, as the system counts it: in hundredths of a second.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// The line, the column and the message of the failure of a script that is checked on an input and makes one.
#[track_caller]
fn fails(script: &str, input: &str) -> (usize, usize, String) {
    let place = |at| harness_shape::place(script.as_bytes(), at);
    let shape = match soon(|| ctd::parse(script.as_bytes())) {
        Ok(shape) => shape,
        Err(problem) => {
            let (line, column) = place(problem.at);
            return (line, column, problem.message);
        }
    };
    let (shape, options) = (Arc::new(shape), Options::default());
    let _ = soon(|| Inputs::new(shape.clone()).tree(&mut Random::new(1, 5)));
    let failure = soon(|| shape.check(input.as_bytes(), &options)).unwrap_err();
    let (line, column) = place(failure.in_shape);
    (line, column, failure.message)
}

#[test]
fn an_endless_loop_ends() {
    let (line, _, message) = fails("SET(x=0)\nWHILE(x<1) SET(y=1) END", "");
    assert_eq!(line, 2);
    assert_eq!(message, "this takes too many steps: is a loop endless?");
    let (line, _, _) = fails("REP(4000000000) REP(4000000000) SET(y=1) END END", "");
    assert_eq!(line, 1);
    // A long input gives a loop that reads nothing of it no more time.
    let (line, _, _) = fails("WHILE(1==1) SET(y=1) END", &"a".repeat(10_000_000));
    assert_eq!(line, 1);
}

#[test]
fn an_empty_range_is_told() {
    let (line, column, message) = fails("NEWLINE\nINT(5,3)", "\n4");
    assert_eq!((line, column), (2, 1));
    assert_eq!(message, "there is no number from 5 to 3");
    let listed = ctd::parse(b"INT(5,3)").unwrap().list(2, 10, &Options::default());
    assert_eq!(listed.failure.unwrap().message, "there is no number from 5 to 3");
}

#[test]
fn an_exploding_regular_expression_is_told() {
    let (line, column, message) = fails("REGEX(\"((a{999}){999}){999}\")", "");
    assert_eq!((line, column), (1, 7), "{message}");
    assert!(message.contains("states"), "{message}");
    // As many threads as states at each byte, and thousands of bytes.
    let input = "a".repeat(1_000_000);
    let (line, _, message) = fails("REGEX(\"(a|aa){1,9000}b\")", &input);
    assert_eq!(line, 1);
    assert!(message.contains("takes too long"), "{message}");
}

#[test]
fn a_repetition_with_a_large_limit_has_a_hint_to_limit_the_length() {
    let script = ctd::parse(b"REGEX(\"[a-z]{1,200000}\", s)").unwrap_err();
    assert!(script.message.contains("more than 100000 states"), "{script:?}");
    assert!(script.hint.as_ref().unwrap().contains("STRLEN(s) <= "), "{script:?}");
    let shape = yaml::parse(b"input:\n  - line: [{ s: { text: \"[a-z]{1,200000}\" } }]\n");
    let hint = shape.unwrap_err().hint.unwrap();
    assert!(hint.contains("`length`"), "{hint}");
    // One that is wrong is not told to be shorter.
    assert_eq!(ctd::parse(b"REGEX(\"[a-\")").unwrap_err().hint, None);
    // What the hint says works.
    let script = "REGEX(\"[a-z]+\", s) ASSERT(STRLEN(s) <= 1000000)";
    let shape = ctd::parse(script.as_bytes()).unwrap();
    assert!(soon(|| shape.check("a".repeat(200_000).as_bytes(), &Options::default())).is_ok());
}

#[test]
fn unbounded_nesting_is_told() {
    let depth = 100_000;
    let (_, _, message) = fails(&("REP(2)".repeat(depth) + &"END ".repeat(depth)), "");
    assert!(message.contains("nested"), "{message}");
    let (_, _, message) = fails(&format!("INT(1,{}1{})", "(".repeat(depth), ")".repeat(depth)), "");
    assert!(message.contains("nested"), "{message}");
    for (first, more) in [("1", "+1"), ("1", "*1"), ("1", "^1"), ("-", "-")] {
        let (_, _, message) = fails(&format!("INT(0,{first}{}1)", more.repeat(depth)), "1");
        assert!(message.contains("nested") || message.contains("operators"), "{message}");
    }
    let (_, _, message) = fails(&format!("ASSERT(1==1{})", "&&1==1".repeat(depth)), "1");
    assert!(message.contains("more than 500 operators"), "{message}");
    let least = format!("input:\n  - line: [{{ n: 0 .. min({}1) }}]\n", "1,".repeat(depth));
    assert!(soon(|| yaml::parse(least.as_bytes())).is_err());
    let flow = format!("input: {}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(soon(|| yaml::parse(flow.as_bytes())).is_err());
    let mut block = "input:\n".to_owned();
    for level in 0..2000 {
        let indent: &str = &" ".repeat(2 * level);
        block.extend([indent, "- lines: 2\n", indent, "  each:\n"]);
    }
    assert!(soon(|| yaml::parse(block.as_bytes())).is_err());
}

#[test]
fn numbers_without_end_are_told() {
    let script = "SET(x=10)\nREP(1000000) SET(x=x*x) END";
    let (line, _, message) = fails(script, "");
    assert_eq!(line, 2, "{message}");
    let (_, _, message) = fails("INT(0,9^9^9)", "1");
    assert!(message.contains("digits"), "{message}");
}

#[test]
fn what_fails_before_any_choice_is_tried_once() {
    // Each try multiplies numbers of a hundred thousand digits.
    let shape = ctd::parse(b"SET(x=10)\nREP(1000000) SET(x=x*x) END").unwrap();
    let inputs = Inputs::new(shape);
    soon(|| {
        for seed in 0..20 {
            let drawn = inputs.tree(&mut Random::new(seed, 5));
            assert!(drawn.err().unwrap().message.contains("digits"));
        }
    });
}

#[test]
fn a_description_of_ten_megabytes_is_told_with_its_place() {
    let text = "# a comment\n".repeat(1_000_000);
    let problem = soon(|| yaml::parse(text.as_bytes())).unwrap_err();
    assert!(problem.message.contains("more than"), "{}", problem.message);
    assert!(harness_shape::place(text.as_bytes(), problem.at).0 > 1000);
    assert!(soon(|| ctd::parse(text.as_bytes())).is_err());
}

#[test]
fn a_number_in_an_input_cannot_ask_for_all_memory() {
    let description = "input:
  - line: [{ n: 1 .. 4000000000 }]
  - grid: g
    rows: n
    columns: n
    cells: a
";
    let shape = yaml::parse(description.as_bytes()).unwrap();
    let failure = soon(|| shape.check(b"4000000000\na\n", &Options::default())).unwrap_err();
    assert_eq!(failure.message, "a grid has at most 67108864 cells");
    let tree = "input:\n  - line: [{ n: 1 .. 4000000000 }]\n  - tree: n\n";
    let shape = yaml::parse(tree.as_bytes()).unwrap();
    assert!(soon(|| shape.check(b"4000000000\n", &Options::default())).is_err());
    let entities =
        "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\ninput: [*b, *b, *b, *b]\n";
    assert!(soon(|| yaml::parse(entities.as_bytes())).is_err());
}

#[test]
fn expressions_as_long_as_they_may_be_are_evaluated() {
    let sum = format!("0{}", "+1".repeat(500));
    let shape = ctd::parse(format!("INT(0,{sum}) NEWLINE EOF").as_bytes()).unwrap();
    assert!(shape.check(b"500\n", &Options::default()).is_ok());
    assert!(shape.check(b"501\n", &Options::default()).is_err());
}

#[test]
fn a_pattern_whose_repetitions_nest_is_derived_or_given_up() {
    let text = "a".repeat(30_000);
    let shape = ctd::parse(b"REGEX(\"((a|b){200}){150}\", s) NEWLINE EOF").unwrap();
    let input = format!("{text}\n");
    assert!(soon(|| shape.check(input.as_bytes(), &Options::default())).is_ok());
    let _ = soon(|| shape.choices(input.as_bytes(), &Options::default()));
}

#[test]
fn a_grid_without_rows_has_as_few_columns_as_it_may() {
    let parse = |rows: &str| {
        let text = format!(
            "input:\n- line: [{{ n: 0 .. 3 }}]\n- grid: g\n  rows: {{ r: {rows} }}\n  \
             columns: {{ c: 1 .. 9 }}\n  cells: .\n- line: [{{ size: c .. c }}]\n"
        );
        yaml::parse(text.as_bytes()).unwrap()
    };
    let check = |rows, input: &str| parse(rows).check(input.as_bytes(), &Options::default());
    assert!(check("0 .. 9", "0\n1\n").is_ok());
    assert!(check("0 .. 9", "0\n2\n").is_err());
    let failure = check("1 .. n", "0\n.\n1\n").unwrap_err();
    assert_eq!(failure.message, "there is no number from 1 to 0");
    let shape = Arc::new(parse("0 .. 1"));
    let inputs = Inputs::new(shape.clone());
    for seed in 0..20 {
        let made = inputs.tree(&mut Random::new(seed, 5)).unwrap().current().bytes;
        assert!(shape.check(&made, &Options::default()).is_ok(), "{made:?}");
        assert!(shape.choices(&made, &Options::default()).is_ok(), "{made:?}");
    }
}
