//! The Debian package: what it contains, and that it scores courses where there is no toolchain and no checkout.
//!
//! The test packs the program that Cargo built for the tests; with `cargo test --release`, that of the release profile. It installs the
//! package into a root of its own, whose list of packages is that of the machine: the package's dependencies must be there.

use super::language::{C, CPP, PYTHON};
use super::run::{Run, output};
use super::{path, repository, skip};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The rights and paths of what the package must contain.
const CONTENTS: [(&str, &str); 11] = [
    ("drwxr-xr-x root/root ", " ./"),
    ("-rwxr-xr-x root/root ", " ./usr/bin/harness"),
    ("-rwxr-xr-x root/root ", " ./usr/bin/harness-author"),
    ("-rwxr-xr-x root/root ", " ./usr/bin/harness-server"),
    ("-rw-r--r-- root/root ", " ./usr/share/bash-completion/completions/harness"),
    ("-rw-r--r-- root/root ", " ./usr/share/zsh/vendor-completions/_harness"),
    ("-rw-r--r-- root/root ", " ./usr/share/fish/vendor_completions.d/harness.fish"),
    ("-rw-r--r-- root/root ", " ./usr/share/man/man1/harness.1.gz"),
    ("-rw-r--r-- root/root ", " ./usr/share/man/man1/harness-score.1.gz"),
    ("-rw-r--r-- root/root ", " ./usr/share/doc/harness/copyright"),
    ("-rw-r--r-- root/root ", " ./usr/share/doc/harness/docs/install.md"),
];

/// What a program prints that must succeed.
#[track_caller]
fn printed(command: &mut Command) -> String {
    let run = Run::from(output(command));
    assert_eq!(run.status, 0, "{command:?}\n{}\n{}", run.stdout, run.stderr);
    run.stdout
}

/// Makes the package in the folder `out`.
fn package(out: &TempDir) -> PathBuf {
    let programs = Path::new(env!("CARGO_BIN_EXE_harness")).parent().unwrap();
    for (program, package) in [("harness-author", "harness-author"), ("harness-server", "server")] {
        let is_there = programs.join(program).exists();
        assert!(is_there, "build {program} first: `cargo build -p {package}`");
    }
    let mut command = Command::new(repository().join("packaging/deb"));
    // Nobody keeps this package: making it smaller would take half a minute.
    command.env("DPKG_DEB_COMPRESSOR_LEVEL", "1");
    printed(command.arg(programs).arg(out.path())).trim_end().into()
}

/// Installs a package into a root of its own.
fn install(package: &Path) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let database = root.path().join("var/lib/dpkg");
    for folder in ["info", "updates"] {
        fs::create_dir_all(database.join(folder)).unwrap();
    }
    fs::copy("/var/lib/dpkg/status", database.join("status")).unwrap();
    let mut command = Command::new("dpkg");
    command.args(["--root", path(&root), "--force-not-root", "--force-bad-path", "--install"]);
    printed(command.arg(package));
    root
}

/// A command on this machine as it would be with the package, and without the checkout, `cargo` and `rustc`. What is installed is in
/// `/usr/local`. The current folder is `folder`, the only one that can be written besides an empty home and an empty `/tmp`.
fn on_the_machine(root: &TempDir, folder: &TempDir) -> Command {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_dir());
    for hidden in [Some("/tmp".into()), Some(repository().to_owned()), home].iter().flatten() {
        command.arg("--tmpfs").arg(hidden);
    }
    for tool in ["/usr/bin/cargo", "/usr/bin/rustc"].map(Path::new) {
        if tool.exists() {
            command.args(["--ro-bind", "/dev/null"]).arg(tool);
        }
    }
    command.arg("--ro-bind").arg(root.path().join("usr")).arg("/usr/local");
    command.args(["--bind", path(folder), "/mnt", "--chdir", "/mnt"]);
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command
}

#[test]
#[ignore = "it packs large programs; .ci/run runs it"]
fn the_package_scores_courses_on_a_machine_without_a_toolchain() {
    for tool in ["dpkg-deb", "objdump", "bwrap"] {
        if Command::new(tool).arg("--version").output().is_err() {
            return skip(&format!("there is no `{tool}` on this machine"));
        }
    }
    let (out, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let package = package(&out);
    let listing = printed(Command::new("dpkg-deb").arg("--contents").arg(&package));
    for (rights, file) in CONTENTS {
        let is_there = |line: &str| line.starts_with(rights) && line.ends_with(file);
        assert!(listing.lines().any(is_there), "{rights}{file} is not in\n{listing}");
    }

    let root = install(&package);
    let run = |words: &[&str]| printed(on_the_machine(&root, &folder).args(words));
    run(&["sh", "-c", "! command -v cargo && ! command -v rustc"]);
    for language in [C, CPP, PYTHON].iter().filter(|language| language.is_here()) {
        run(&["harness", "init", language.name, "--language", language.name]);
        let suite = format!("{}/student_tests", language.name);
        let report = run(&["harness", "score", "--course", language.name, &suite]);
        assert!(report.contains("\nScore: 6.67 of 10 points\n"), "{report}");
    }
}
