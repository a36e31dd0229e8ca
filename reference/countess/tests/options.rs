//! The command line is read as GNU `getopt_long` reads it.

mod run;

use run::{accepts, rejects, run};

const CASTLE: &str = "M\n1\n2\nS.\n#C\n";
const MAP: &str = "Start in room 0, row 0, column 0\n//castle room 0\nes\n#C\n";
const LIST: &str = "Path taken:\n(0,0,0,e)\n(0,0,1,s)\n";
const HINT: &str = "hint: --help tells the options";

#[test]
fn the_map_is_the_default_output() {
    for options in ["-s", "--stack", "--queue", "-q", "-qo M", "-s --output M"] {
        accepts(options, CASTLE, MAP);
    }
}

#[test]
fn options_can_be_grouped_shortened_and_in_any_order() {
    for options in [
        "-qoL",
        "-qo L",
        "-q -oL",
        "-oL -q",
        "--output L -s",
        "--output=L --stack",
        "--out=L --q",
        "--o L --st",
        "-s --outp L",
    ] {
        accepts(options, CASTLE, LIST);
    }
}

#[test]
fn operands_are_ignored_even_after_two_dashes() {
    accepts("infile -q - -oL", CASTLE, LIST);
    accepts("-q -- -s --output", CASTLE, MAP);
}

#[test]
fn help_goes_to_stdout_and_reads_no_castle() {
    for options in ["-h", "--help", "--he", "-qh", "-qsh", "-q -s --help -x"] {
        let (status, stdout, stderr) = run(options, b"nonsense");
        assert_eq!((status, stderr.as_str()), (0, ""), "{options}");
        assert!(
            ["--stack", "--queue", "--output", "--help"]
                .iter()
                .all(|option| stdout.contains(option))
        );
    }
}

#[test]
fn exactly_one_routing_is_required() {
    for options in ["", "-oL", "-- -q"] {
        rejects(options, CASTLE, &format!("neither --stack nor --queue is given\n{HINT}"));
    }
    for options in ["--queue -s", "-qs", "-ss", "-q --queue"] {
        rejects(options, CASTLE, &format!("more than one --stack or --queue is given\n{HINT}"));
    }
}

#[test]
fn the_output_mode_is_m_or_l_and_given_once() {
    rejects("-qoX", CASTLE, &format!("--output takes M or L, not 'X'\n{HINT}"));
    rejects("-q --output=l", CASTLE, &format!("--output takes M or L, not 'l'\n{HINT}"));
    rejects("-q -o=M", CASTLE, &format!("--output takes M or L, not '=M'\n{HINT}"));
    rejects("-oM -qoM", CASTLE, &format!("--output is given more than once\n{HINT}"));
    rejects("-q -o", CASTLE, &format!("missing argument for option '-o'\n{HINT}"));
    rejects("-q --outp", CASTLE, &format!("missing argument for option '--outp'\n{HINT}"));
}

#[test]
fn unknown_options_and_unexpected_values_are_named() {
    rejects("-q -x", CASTLE, &format!("invalid option '-x'\n{HINT}"));
    rejects("--Stack", CASTLE, &format!("invalid option '--Stack'\n{HINT}"));
    rejects("--stacks", CASTLE, &format!("invalid option '--stacks'\n{HINT}"));
    rejects(
        "--queue=5",
        CASTLE,
        &format!("unexpected argument for option '--queue': \"5\"\n{HINT}"),
    );
}
