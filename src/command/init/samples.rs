//! The sample submissions of a new course: a right program and, each with one change, a slow, a wrong and a broken one.

use super::language::Sample;

/// The tests of the right one, which expose every mutant.
const TESTS: [(&str, &str); 3] =
    [("test-1-m.txt", "-1\n"), ("test-2-m.txt", "7\n1\n"), ("test-3-s.txt", "3\n\n4\n")];

/// The files of the samples.
pub(super) fn files(sample: &Sample) -> Vec<(String, String)> {
    let kinds = [
        ("right", ["", ""]),
        ("slow", sample.slow),
        ("wrong", sample.wrong),
        ("broken", sample.broken),
    ];
    let mut files = Vec::new();
    for (kind, [right, other]) in kinds {
        let at = |file: &str| format!("submissions/tally/{kind}/{file}");
        files.push((at(sample.file), sample.right.replacen(right, other, 1)));
        if !sample.compile.is_empty() {
            let (source, compile) = (sample.file, sample.compile);
            let text = format!("tally: {source}\n\t{compile}\n\nclean:\n\trm -f tally\n");
            files.push((at("Makefile"), text));
        }
        if kind == "right" {
            files.extend(TESTS.map(|(file, text)| (at(file), text.to_owned())));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use crate::cli::NewLanguage;
    use crate::command::init::language::Language;
    use clap::ValueEnum;

    #[test]
    fn each_sample_differs_from_the_right_one_in_one_place() {
        for language in NewLanguage::value_variants() {
            let sample = Language::of(*language).sample;
            for [right, other] in [sample.slow, sample.wrong, sample.broken] {
                assert_eq!(sample.right.matches(right).count(), 1, "{right}");
                assert_ne!(right, other);
            }
        }
    }
}
