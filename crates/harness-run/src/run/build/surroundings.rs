//! What a build depends on outside the course: compilers, environment variables and configuration files.

use crate::files;
use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The surroundings of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Surroundings {
    /// A hash of the environment variables that compilers read, and of configuration files.
    settings: u64,
    /// The executables that build, by what they are used for.
    tools: BTreeMap<String, Option<Tool>>,
    /// Whether a setting makes the build depend on more than is known here.
    is_open: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Tool {
    path: PathBuf,
    size: u64,
    modified: i64,
}

impl Surroundings {
    /// Those of a compiler, or of any other command. `place` is where it runs, and names of programs are relative to it.
    pub(super) fn of_commands<'a>(
        place: &Path,
        programs: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut settings = place.as_os_str().as_encoded_bytes().to_vec();
        add_variables(&mut settings, is_for_compilers);
        let tools = programs.into_iter().map(|name| (name.to_owned(), tool(name.as_ref(), place)));
        Self { settings: fnv1a(&settings), tools: tools.collect(), is_open: false }
    }

    /// Those of Cargo for the crate in `package`. Cargo runs in the current folder.
    pub(super) fn of_cargo(package: &Path) -> Self {
        let mut settings = package.as_os_str().as_encoded_bytes().to_vec();
        add_variables(&mut settings, |name| is_for_compilers(name) || is_for_cargo(name));
        let mut is_open = false;
        for file in configuration() {
            let Ok(contents) = fs::read(&file) else { continue };
            is_open |= file.file_stem() == Some("config".as_ref()) && names_more_files(&contents);
            settings.extend(file.as_os_str().as_encoded_bytes());
            settings.extend(contents);
        }
        let place = env::current_dir().unwrap_or_default();
        let tools = [
            ("CARGO", "cargo"),
            ("RUSTC", "rustc"),
            ("RUSTC_WRAPPER", ""),
            ("RUSTC_WORKSPACE_WRAPPER", ""),
            ("linker", "cc"),
            ("ld", "ld"),
        ];
        let tool = |(variable, usual): (&str, &str)| {
            let name = env::var_os(variable).unwrap_or_else(|| usual.into());
            (variable.to_owned(), tool(&name, &place))
        };
        Self { settings: fnv1a(&settings), tools: tools.map(tool).into(), is_open }
    }

    /// Whether a build `before` would do the same now. A tool that is missing now changes nothing: what it built remains valid.
    pub(super) fn are_as(&self, before: &Self) -> bool {
        let is_same = |(name, tool): (&String, &Option<Tool>)| {
            tool.is_none() || before.tools.get(name) == Some(tool)
        };
        !self.is_open && self.settings == before.settings && self.tools.iter().all(is_same)
    }
}

/// Adds the environment variables that matter.
fn add_variables(settings: &mut Vec<u8>, matters: impl Fn(&str) -> bool) {
    let mut variables: Vec<(OsString, OsString)> = env::vars_os()
        .filter(|(name, value)| name.to_str().is_some_and(&matters) && !value.is_empty())
        .collect();
    variables.sort();
    for (name, value) in variables {
        settings.extend([name.as_encoded_bytes(), b"=", value.as_encoded_bytes(), b"\n"].concat());
    }
}

fn is_for_compilers(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "AR",
        "ARFLAGS",
        "AS",
        "CC",
        "CFLAGS",
        "CLASSPATH",
        "COMPILER_PATH",
        "CPATH",
        "CPPFLAGS",
        "CPLUS_INCLUDE_PATH",
        "CXX",
        "CXXFLAGS",
        "C_INCLUDE_PATH",
        "GCC_EXEC_PREFIX",
        "JAVA_HOME",
        "JDK_JAVA_OPTIONS",
        "LD",
        "LDFLAGS",
        "LIBRARY_PATH",
        "MAKEFLAGS",
        "PYTHONHOME",
        "PYTHONPATH",
        "SDKROOT",
        "SOURCE_DATE_EPOCH",
    ];
    // Build scripts read variables for one target or for the host, such as `CFLAGS_x86_64_unknown_linux_gnu`.
    const PREFIXES: [&str; 7] =
        ["AR_", "CC_", "CFLAGS_", "CXX_", "CXXFLAGS_", "HOST_", "PKG_CONFIG"];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn is_for_cargo(name: &str) -> bool {
    /// What Cargo sets for the programs that it starts, and what changes only its messages.
    const OTHERS: [&str; 12] = [
        "CARGO_BIN_",
        "CARGO_CRATE_NAME",
        "CARGO_HOME",
        "CARGO_HTTP_",
        "CARGO_LOG",
        "CARGO_MAKEFLAGS",
        "CARGO_MANIFEST_",
        "CARGO_NET_",
        "CARGO_PKG_",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "CARGO_TERM_",
    ];
    let is_cargos = name.starts_with("CARGO_") || name.starts_with("RUSTC");
    let is_other = OTHERS.iter().any(|prefix| name.starts_with(prefix));
    is_cargos && !is_other || ["RUSTFLAGS", "RUSTUP_TOOLCHAIN"].contains(&name)
}

/// The files that choose the toolchain and configure Cargo, whether or not they exist.
fn configuration() -> Vec<PathBuf> {
    let place = env::current_dir().unwrap_or_default();
    let mut files = Vec::new();
    for folder in place.ancestors() {
        files.extend(["rust-toolchain", "rust-toolchain.toml"].map(|name| folder.join(name)));
        files.extend(["config", "config.toml"].map(|name| folder.join(".cargo").join(name)));
    }
    if let Some(home) = cargo_home() {
        files.extend(["config", "config.toml"].map(|name| home.join(name)));
    }
    files.extend(home("RUSTUP_HOME", ".rustup").map(|home| home.join("settings.toml")));
    files
}

/// Cargo's own folder.
pub(super) fn cargo_home() -> Option<PathBuf> {
    home("CARGO_HOME", ".cargo")
}

fn home(variable: &str, usual: &str) -> Option<PathBuf> {
    let given = env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    given.or_else(|| env::home_dir().map(|home| home.join(usual)))
}

/// Whether a configuration of Cargo may name compilers, wrappers, linkers or other configuration files. It is not worth reading it.
fn names_more_files(configuration: &[u8]) -> bool {
    let text = String::from_utf8_lossy(configuration);
    ["rustc", "linker", "include", "unstable"].iter().any(|word| text.contains(word))
}

/// The executable that is started as `name` in the folder `place`.
fn tool(name: &OsStr, place: &Path) -> Option<Tool> {
    let path = if name.as_encoded_bytes().contains(&b'/') {
        Some(place.join(name)).filter(|path| files::is_executable(path))
    } else {
        files::on_path(&[name])
    }?;
    let path = path.canonicalize().ok()?;
    let metadata = fs::metadata(&path).ok()?;
    let modified = metadata.mtime().saturating_mul(1_000_000_000) + metadata.mtime_nsec();
    Some(Tool { path, size: metadata.len(), modified })
}
