//! The structures that lists and texts rather have.

use super::{Builder, Built};
use crate::Problem;
use crate::tree::{Command, Shape};
use crate::usual::{self, NAMES, Preferred, Usual};
use crate::yaml::description::{self, Entries, Text};
use crate::yaml::{explain, is_near};
use std::collections::HashMap;

/// How the comment of a script begins that names structures, as in `# usual: { points: collinear }`.
const COMMENT: &str = "# usual:";

/// A script's shape, with the structures that its comments name. Other programs skip them.
///
/// # Errors
/// At the first thing that is wrong in such a comment.
pub fn with_usual_in_comments(script: &[u8], mut shape: Shape) -> Built<Shape> {
    let mut start = 0;
    for line in script.split_inclusive(|&byte| byte == b'\n') {
        let trimmed = line.trim_ascii_start();
        if let Some(entries) = trimmed.strip_prefix(COMMENT.as_bytes()) {
            let at = start + line.len() - entries.len();
            let located = |problem: Problem| Problem { at: at + problem.at, ..problem };
            let entries = std::str::from_utf8(entries).map_err(|error| {
                Problem::new(at + error.valid_up_to(), "this is not UTF-8 text")
            })?;
            let found = description::read_entries(entries)
                .map_err(|error| located(explain(entries, &error)))?;
            let mut builder = Builder::new(entries, shape.names.clone());
            shape.usual.extend(builder.usual(&found, &shape.commands).map_err(located)?);
        }
        start += line.len();
    }
    Ok(shape)
}

impl Builder<'_> {
    /// By the offset of each list or text, the structures that the names of structures stand for.
    pub(super) fn usual(
        &mut self,
        entries: &Entries<Text>,
        commands: &[Command],
    ) -> Built<HashMap<usize, Vec<Preferred>>> {
        let mut all = HashMap::<_, Vec<_>>::new();
        for (name, structures) in &entries.0 {
            let targets = usual::targets(commands, self.known(name)?.name);
            if targets.is_empty() {
                let message = format!("`{}` names no list of numbers and no text", name.value);
                let hint = "name a number of the list, how many repetitions it has, or a text";
                let problem = self.problem(name.referenced, message);
                return Err(Problem { hint: Some(hint.to_owned()), ..problem });
            }
            for word in structures.value.split_whitespace() {
                let structure = self.structure(word, structures)?;
                for target in &targets {
                    let preferred = target.prefer(structure).map_err(|wanted| {
                        let message = format!("`{word}` is for {wanted}");
                        self.problem(structures.referenced, message)
                    })?;
                    all.entry(target.at).or_default().push(preferred);
                }
            }
        }
        Ok(all)
    }

    fn structure(&self, word: &str, place: &Text) -> Built<Usual> {
        if let Some((_, usual)) = NAMES.iter().find(|(name, _)| *name == word) {
            return Ok(*usual);
        }
        let names = NAMES.map(|(name, _)| name);
        let hint = match names.iter().find(|name| is_near(word, name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the structures are {}", names.join(", ")),
        };
        let message = format!("there is no structure `{word}`");
        Err(Problem { hint: Some(hint), ..self.problem(place.referenced, message) })
    }
}
