//! A course as an archive in memory, which another machine unpacks and grades with.

use super::needed::Needed;
use crate::course::{Course, FILE};
use crate::diagnostic::Failure;
use crate::files::{self, Archived};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The course file, at the top as `harness.yaml`, and the files that the course needs, as a `.tar.gz`. The same files give the same bytes.
/// [`files::unarchive`] unpacks it.
///
/// # Errors
/// If a file is not in the folder of the course, or cannot be read.
pub fn course(course: &Course) -> Result<Vec<u8>, Failure> {
    let needed = Needed::of(course)?;
    let paths = needed.parts.values().flatten();
    let mut all: BTreeMap<PathBuf, PathBuf> =
        paths.map(|path| (path.clone(), needed.path(path))).collect();
    all.insert(FILE.into(), course.file.clone());
    let read = |(path, file): (PathBuf, PathBuf)| {
        archived(path, &file)
            .map_err(|error| Failure::machine(format!("read {}", file.display()), error))
    };
    let all: Vec<_> = all.into_iter().map(read).collect::<Result<_, _>>()?;
    files::archive(&all).map_err(|error| Failure::machine("pack the course", error))
}

fn archived(path: PathBuf, file: &Path) -> io::Result<Archived> {
    let is_program = fs::metadata(file)?.permissions().mode() & 0o111 != 0;
    Ok(Archived { path, bytes: fs::read(file)?, is_program })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use crate::files::is_executable;

    /// Packs the course in a folder, unpacks it into a new one, and requires that this one is packed alike.
    fn unpacked(folder: &Path) -> tempfile::TempDir {
        let read = |folder: &Path| {
            Course::read(folder).unwrap_or_else(|failure| panic!("{:?}", failure.problems))
        };
        let pack = |folder: &Path| {
            course(&read(folder)).unwrap_or_else(|failure| panic!("{:?}", failure.problems))
        };
        let new = tempfile::tempdir().unwrap();
        let packed = pack(folder);
        files::unarchive(&packed, new.path()).unwrap();
        assert!(packed == pack(new.path()), "the same files give the same bytes");
        new
    }

    #[test]
    fn a_course_of_crates_comes_back_with_its_assignments_and_mutants() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let new = unpacked(here);
        let ids = |folder: &Path| -> Vec<_> {
            let course = Course::read(folder).unwrap();
            let ids = |assignment| catalogue::ids(assignment).unwrap();
            course.assignments.iter().map(|it| (it.id.clone(), ids(it))).collect()
        };
        assert_eq!(ids(here), ids(new.path()));
        let grid = "reference/puzzle/src/main.rs";
        assert_eq!(fs::read(here.join(grid)).unwrap(), fs::read(new.path().join(grid)).unwrap());
        assert!(!new.path().join("README.md").exists());
    }

    #[test]
    fn programs_stay_programs_and_settings_of_a_server_stay_at_home() {
        let folder = tempfile::tempdir().unwrap();
        let yaml = "course: C\nassignments:\n  a:\n    domain: text\n    program: { reference: { run: [./a.sh] }, mutant: { run: [./a.sh] } }\n    \
            mutants: mutants\n    tests: { files: 9, flags: [] }\n    scoring: { start: 1, full: 1 }\n    \
            submission: { program: a, cases: cases.yaml, pack: [.] }\n";
        fs::create_dir(folder.path().join("mutants")).unwrap();
        let mutant = "summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\nwitness: { flags: '', input: x }\n";
        let cases = "g: { cases: { A: { flags: '', text: '1' } } }\n";
        let files = [
            ("harness.yaml", yaml),
            ("cases.yaml", cases),
            ("a.sh", "#!/bin/sh\n"),
            ("mutants/m.yaml", mutant),
            ("serve.yaml", "secret"),
        ];
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let script = folder.path().join("a.sh");
        fs::set_permissions(script, fs::Permissions::from_mode(0o700)).unwrap();
        let new = unpacked(folder.path());
        assert!(is_executable(&new.path().join("a.sh")));
        assert!(!is_executable(&new.path().join("cases.yaml")));
        assert!(!new.path().join("serve.yaml").exists());
    }
}
