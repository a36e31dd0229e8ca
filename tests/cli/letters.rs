//! A course without builds: the reference prints a test's letters, and each mutant drops one letter.

use std::fs;
use std::path::PathBuf;

const PROGRAM: &str = r#"input=$(cat)
case $input in
*!*)
    before=${input%%!*}
    echo "line 1, column $((${#before} + 1)): '!' is no letter" >&2
    echo "hint: leave it out" >&2
    exit 1;;
esac
printf %s "$input" | tr -d "${1#drops-}"
"#;

/// The ids of the mutants, in order.
pub(crate) const MUTANTS: [&str; 5] = ["drops-a", "drops-b", "drops-c", "drops-d", "drops-e"];

/// A temporary folder with the course and its suites.
pub(crate) struct Letters(tempfile::TempDir);

impl Letters {
    /// The course with this value of `feedback:`.
    pub(crate) fn new(feedback: &str) -> Self {
        let mutant = |id: &str, points: u32| {
            let letter = id.trim_start_matches("drops-");
            format!(
                "summary: Loses the letter {letter}.\nkind: implementation\narea: letters\nspec: Every letter counts\n\
                 hint: Which letter comes {}?\npoints: {points}\n\
                 witness: {{ flags: \"\", input: \"{letter}\\n\" }}\n",
                match letter {
                    "a" => "first",
                    "b" => "second",
                    "c" => "third",
                    "d" => "fourth",
                    _ => "fifth",
                }
            )
        };
        let yaml = format!(
            "course: Small\nassignments:\n  letters:\n    domain: text\n    program:\n      \
             reference: {{ run: [sh, letters.sh, drops-0] }}\n      mutant: {{ run: [sh, letters.sh, \"{{mutant}}\"] }}\n    \
             mutants: mutants\n    tests: {{ files: 15, flags: [{{ group: form, letters: {{ l: {{ }}, m: {{ }} }} }}] }}\n    \
             scoring: {{ start: 1, full: 5, points: 5 }}\n    feedback: {feedback}\n"
        );
        let course = Self(super::folder(&[
            ("harness.yaml", yaml.as_bytes()),
            ("letters.sh", PROGRAM.as_bytes()),
        ]));
        for (id, points) in MUTANTS.iter().zip([1, 1, 2, 2, 3]) {
            course.write(&format!("mutants/{id}.yaml"), &mutant(id, points));
        }
        course
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as a word of a command line.
    pub(crate) fn word(&self, name: &str) -> String {
        self.path(name).to_str().expect("temporary folders have plain names").to_owned()
    }

    /// Writes a file atomically.
    pub(crate) fn write(&self, name: &str, contents: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the course"))
            .expect("a folder can be made");
        fs::write(self.path("unfinished"), contents).expect("a file can be written");
        fs::rename(self.path("unfinished"), path).expect("a file can be put in its place");
    }

    /// Scores the suite in the folder `suite` of the course.
    pub(crate) fn score(&self, suite: &str, options: &[&str]) -> super::Run {
        let (course, suite) = (self.word(""), self.word(suite));
        super::harness(&[&["score", &suite, "--course", &course][..], options].concat())
    }
}
