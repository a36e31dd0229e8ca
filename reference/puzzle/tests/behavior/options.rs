//! The command line behaves as with GNU `getopt_long`.

use crate::run::{check, run, run_args};
use std::ffi::OsString;

const MAP: &str = "0 1 2\n@?\n";
const LIST: &str = "(^, (0, 0))\n(^, (0, 1))\n";
const DRAWN: &str = "// color ^\n@?\n";

#[test]
fn options_can_be_grouped_and_abbreviated_and_come_in_any_order() {
    for args in [
        "-q -o list",
        "-qo list",
        "-solist",
        "-o list -s",
        "--queue --output=list",
        "--out list --que",
        "--s --o=list",
        "-qolist",
    ] {
        check(args, MAP, LIST);
    }
    for args in ["-q", "--stack", "-qo map", "-omap -q", "--output map --stack"] {
        check(args, MAP, DRAWN);
    }
}

#[test]
fn operands_are_ignored_even_after_a_double_dash() {
    check("file -q other - -o list", MAP, LIST);
    check("-q -- -o list --bogus", MAP, DRAWN);
}

#[track_caller]
fn check_refused(args: &str, message: &str) {
    let ran = run(args, MAP.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{args}");
    assert!(ran.stderr.starts_with(message), "{args}: {}", ran.stderr);
    assert!(ran.stderr.contains("\nhint: "), "{args}: {}", ran.stderr);
}

#[test]
fn exactly_one_of_queue_and_stack_is_needed_exactly_once() {
    check_refused("", "one of --queue and --stack must be given");
    check_refused("-o map", "one of --queue and --stack must be given");
    for args in ["-qs", "-q -q", "--stack --stack", "--stack --queue", "-s -o list -q"] {
        check_refused(args, "only one of --queue and --stack may be given, and only once");
    }
}

#[test]
fn the_output_type_is_map_or_list_and_is_given_once() {
    for args in
        ["-q -o bogus", "-q --output=", "-qo Map", "-q -o=map", "-q -o -s", "-q --output maps"]
    {
        check_refused(args, "the output type is 'map' or 'list', not '");
    }
    for args in ["-q -o map -o list", "-q -o map --output=map"] {
        check_refused(args, "--output may be given only once");
    }
    check_refused("-qo", "missing argument for option '-o'");
}

#[test]
fn unknown_options_are_refused() {
    check_refused("-x", "unknown option '-x'");
    check_refused("-qx", "unknown option '-x'");
    check_refused("-q=", "unknown option '-='");
    check_refused("--eecs281", "unknown option '--eecs281'");
    check_refused("--queues", "unknown option '--queues'");
    check_refused("--Queue", "unknown option '--Queue'");
    check_refused("--=x", "option '--' is ambiguous");
    check_refused("--queue=yes", "option '--queue' takes no value, but 'yes' is given");
    check_refused("--help=me", "option '--help' takes no value, but 'me' is given");
}

#[test]
fn help_is_printed_unless_an_error_comes_first() {
    for args in ["-h", "--help", "--he", "-q -h -x", "-hx", "-qh", "-s --help -q"] {
        let ran = run(args, b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args}");
        assert!(ran.stdout.starts_with("Usage: puzzle "), "{args}");
    }
    check_refused("-x -h", "unknown option '-x'");
    check_refused("-q -s -h", "only one of");
    check_refused("-o bogus -h", "the output type");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_text_is_refused_but_ignored_as_an_operand() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(vec![b'a', 0xff]);
    assert_eq!(run_args(&["-q".into(), odd.clone()], MAP.as_bytes()).stdout, DRAWN);
    assert_eq!(run_args(&["-q".into(), "-o".into(), odd], MAP.as_bytes()).status, 1);
}
