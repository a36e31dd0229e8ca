//! Writes other thresholds into the course file. Everything else in it stays as it is, comments included.

use super::{Assignment, Course, Scoring, ThresholdsIn, raw};
use crate::course::yaml::Source;
use crate::diagnostic::Problem;
use crate::files;
use std::ops::Range;

impl Course {
    /// Writes the thresholds of `wanted`, and what they count, for the assignment. The rest of `wanted` must be what the file has.
    ///
    /// # Errors
    /// If the file cannot be read or written, or has the thresholds in a form that cannot be changed in place.
    pub fn write_thresholds(
        &self,
        assignment: &Assignment,
        wanted: Scoring,
    ) -> Result<(), Problem> {
        let source = Source::read(&self.file)?;
        let mut written = source.parse::<raw::Course>()?.assignments.0;
        let own = written.iter_mut().find(|(id, _)| *id == assignment.id);
        let Some((_, raw::Assignment { scoring, .. })) = own else {
            return Err(Problem::new(format!("there is no assignment `{}`", assignment.id)));
        };
        let place = source.place(scoring);
        let at = scoring.referenced.span().byte_offset().and_then(|at| usize::try_from(at).ok());
        let keys = keys(&wanted);
        let changed = at.and_then(|at| text(source.text(), at, &keys));
        scoring.value = wanted;
        let is_read_back = |text: &String| {
            Self::of(&Source::new(&self.file, text.clone())).is_ok_and(|course| {
                let read = course.assignments.iter().map(|it| (&it.id, it.scoring));
                read.eq(written.iter().map(|(id, it)| (id, it.scoring.value)))
            })
        };
        let Some(text) = changed.filter(is_read_back) else {
            let message = format!("cannot write the thresholds of `{}`", assignment.id);
            let keys: Vec<_> = keys.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            let hint = format!("write them here: {}", keys.join(", "));
            return Err(Problem::new(message).at(place).hint(hint));
        };
        files::replace(&self.file, text.as_bytes())
            .map_err(|error| Problem::new(format!("cannot write {}: {error}", self.file.display())))
    }
}

/// The keys of the thresholds, with their values.
fn keys(scoring: &Scoring) -> Vec<(&'static str, String)> {
    let counted = match scoring.thresholds {
        ThresholdsIn::Bugs => "bugs",
        ThresholdsIn::Points => "points",
    };
    let mut keys = vec![
        ("thresholds", counted.to_owned()),
        ("start", scoring.start.to_string()),
        ("full", scoring.full.to_string()),
    ];
    keys.extend(scoring.extra_submission.map(|it| ("extra_submission", it.to_string())));
    keys
}

/// `text` with these values in the mapping that begins at the byte `at`. `None` if it has no such byte.
fn text(text: &str, at: usize, keys: &[(&str, String)]) -> Option<String> {
    let indent = at - text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let is_flow = text[at..].starts_with('{');
    let mut text = text.to_owned();
    for (key, value) in keys {
        let mapping = at..at + length(&text[at..], is_flow, indent);
        if let Some(range) = value_of(&text, mapping, key) {
            text.replace_range(range, value);
        } else if is_flow {
            text.insert_str(at + 1, &format!(" {key}: {value},"));
        } else {
            text.insert_str(at, &format!("{key}: {value}\n{:indent$}", ""));
        }
    }
    Some(text)
}

/// The length of the mapping with which `text` begins: up to its brace, or to a line that is not indented as far.
fn length(text: &str, is_flow: bool, indent: usize) -> usize {
    if is_flow {
        return text.find('}').unwrap_or(text.len());
    }
    let is_inside = |(at, line): &(usize, &str)| {
        let content = line.trim_start_matches(' ');
        *at == 0 || content.trim().is_empty() || line.len() - content.len() >= indent
    };
    text.split_inclusive('\n').enumerate().take_while(is_inside).map(|(_, line)| line.len()).sum()
}

/// Where the value of a key is.
fn value_of(text: &str, mapping: Range<usize>, key: &str) -> Option<Range<usize>> {
    let is_key = |at: &usize| {
        let before = &text[..*at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        text[at + key.len()..].starts_with(':')
            && before.ends_with([' ', '\n', '{', ','])
            && !line.contains('#')
    };
    let found = text[mapping.clone()].match_indices(key).map(|(at, _)| mapping.start + at);
    let colon = found.clone().find(is_key)? + key.len();
    let value = text[colon + 1..].trim_start_matches(' ');
    let start = text.len() - value.len();
    let end = value.find(|c: char| c.is_whitespace() || ",}".contains(c)).unwrap_or(value.len());
    Some(start..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a course file with these values in the mapping that begins after `|`.
    fn changed(yaml: &str, keys: &[(&str, &str)]) -> String {
        let (before, mapping) = yaml.split_once('|').unwrap();
        let keys: Vec<_> = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        text(&format!("{before}{mapping}"), before.len(), &keys).unwrap()
    }

    #[test]
    fn only_the_values_change_in_lines() {
        let yaml = "a:
  scoring:
    |start: 17       # the first, not start: 3
    # full: all
    full: 42

  run: { start: 3 }
";
        let written = "a:
  scoring:
    thresholds: points
    start: 8       # the first, not start: 3
    # full: all
    full: 21.5

  run: { start: 3 }
";
        let points = [("start", "8"), ("full", "21.5"), ("thresholds", "points")];
        assert_eq!(changed(yaml, &points), written);
        let again = written.replace("thresholds", "|thresholds");
        assert_eq!(changed(&again, &points), written);
    }

    #[test]
    fn only_the_values_change_in_braces() {
        let yaml = "scoring: |{ start: 4, full: 15, points: 10 }   # bugs\nstart: 9\n";
        let points = [("thresholds", "points"), ("start", "2.5"), ("full", "7")];
        let written =
            "scoring: { thresholds: points, start: 2.5, full: 7, points: 10 }   # bugs\nstart: 9\n";
        assert_eq!(changed(yaml, &points), written);
    }
}
