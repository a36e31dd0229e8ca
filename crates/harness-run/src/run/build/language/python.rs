//! Programs in Python.

use super::{Build, Builder};
use crate::diagnostic::Failure;
use crate::run::build::record::Traces;
use crate::run::{build, interpreter};
use std::process::{Command, Output};

/// Prints the first syntax error of the files on the command line, the program first, or the first import of a missing `subject`. The
/// engines bring their own `subject`, so without it only processes would fail. A program without a statement is none.
const CHECK_SOURCES: &str = "\
import ast, importlib.util, os, sys, traceback
sys.path[0] = os.path.dirname(sys.argv[1])
has_subject = importlib.util.find_spec('subject')
def imports_subject(node):
    if isinstance(node, ast.ImportFrom):
        return node.module == 'subject' and node.level == 0
    return isinstance(node, ast.Import) and any(alias.name == 'subject' for alias in node.names)
for name in sys.argv[1:]:
    try:
        with open(name, 'rb') as file:
            source = file.read()
        compile(source, name, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        traceback.print_exception(type(error), error, None)
        sys.exit(1)
    tree = ast.parse(source)
    if name == sys.argv[1] and not tree.body:
        print(f'  File \"{name}\", line 1', file=sys.stderr)
        print('SyntaxError: there is no statement in it', file=sys.stderr)
        sys.exit(1)
    for node in ast.walk(tree):
        if imports_subject(node) and not has_subject:
            print(f'  File \"{name}\", line {node.lineno}', file=sys.stderr)
            print('ModuleNotFoundError: there is no `subject.py` beside the program', file=sys.stderr)
            print('hint: `harness init --language python DIR` writes one', file=sys.stderr)
            sys.exit(1)
";

/// Prints the first syntax error of each file on the command line, as a C compiler does.
const CHECK_PYTHON: &str = "\
import sys, warnings
warnings.simplefilter('ignore')
status = 0
for name in sys.argv[1:]:
    try:
        with open(name, 'rb') as file:
            compile(file.read(), name, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, 'lineno', 1) or 1, getattr(error, 'offset', 1) or 1
        print('%s:%d:%d: error: %s' % (name, line, column, error), file=sys.stderr)
        status = 1
sys.exit(status)
";

/// Runs a program so that it tells which lines it reaches.
const TRACE: &str = include_str!("../../coverage/trace.py");

pub(super) struct Python;

impl Builder for Python {
    /// Python needs no build. Syntax errors and a missing `subject.py` are found before a test finds them.
    fn build(&self, build: &Build<'_>) -> Result<(), Failure> {
        build.build(&CHECK_SOURCES, &["python3"], || {
            let mut command = Command::new(interpreter::resolved("python3"));
            build.compile(command.arg("-c").arg(CHECK_SOURCES).args(&build.files), "python3")?;
            Ok(Traces::default())
        })
    }

    fn words(&self, build: &Build<'_>) -> Result<Vec<String>, Failure> {
        let flags = build.flags.iter().cloned();
        // No run may leave `__pycache__` beside the sources.
        let start = ["python3".to_owned(), "-B".to_owned()].into_iter().chain(flags);
        let traced = build.tells_lines.then(|| ["-c", TRACE].map(str::to_owned));
        let file = Build::text(&build.files[0])?;
        Ok(start.chain(traced.into_iter().flatten()).chain([file]).collect())
    }

    fn check(&self, build: &Build<'_>) -> Result<Vec<Output>, Failure> {
        let mut command = Command::new(interpreter::resolved("python3"));
        command.args(["-c", CHECK_PYTHON]).args(&build.files);
        Ok(vec![build::run(&mut command, "python3")?])
    }
}
