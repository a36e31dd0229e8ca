//! Cases on which two right programs differ, as text and as JSON.

use super::screen::Screen;
use crate::diagnostic::printable;
use crate::domain::shortened;
use crate::generate::dispute::Dispute;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::path::Path;
use subject::{End, Outcome};

/// A case on which another right program differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disputed {
    /// The source of the other program, in the course's folder.
    pub program: String,
    /// The flags that a file's name would have.
    pub flags: String,
    /// The contents that the file would have.
    pub input: String,
    /// What the reference does.
    pub reference: String,
    /// What the other program does.
    pub other: String,
    /// The undefined behaviour of the reference that the compiler's sanitizers report. What it does is no answer then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

impl Disputed {
    /// The dispute of a program in the course in `folder`, and the undefined behaviour of the reference.
    pub fn of(folder: &Path, dispute: &Dispute, undefined: Option<String>) -> Self {
        let Dispute { program, draft, reference, other } = dispute;
        let mut told = [reference, other].map(in_words);
        if told[0] == told[1] {
            // They differ in what else a course can compare.
            told = [reference, other]
                .map(|it| format!("{}, and says `{}`", in_words(it), quoted(&it.stderr)));
        }
        let [reference, other] = told;
        Self {
            program: program.strip_prefix(folder).unwrap_or(program).display().to_string(),
            flags: draft.flags.clone(),
            input: String::from_utf8_lossy(&draft.input).into_owned(),
            reference,
            other,
            undefined,
        }
    }
}

/// What a program does, in a line.
fn in_words(outcome: &Outcome) -> String {
    let printed = quoted(&outcome.stdout);
    match &outcome.end {
        End::Exit(0) => format!("prints `{printed}`"),
        End::Exit(status) => format!("exits with status {status}, and prints `{printed}`"),
        End::Crash(how) => format!("crashes ({how})"),
        End::Timeout => "does not finish in time".to_owned(),
        End::Memory => "runs out of memory".to_owned(),
        End::OutputLimit => "prints too much".to_owned(),
    }
}

/// What a program wrote, on one line.
fn quoted(bytes: &[u8]) -> String {
    const MOST: usize = 200;
    let text = String::from_utf8_lossy(bytes);
    shortened(&printable(&text.trim_end().replace('\n', " / ")), MOST)
}

/// Writes `disputed`, if there are any.
pub(super) fn write(disputed: &[Disputed], out: &mut String, screen: Screen) -> fmt::Result {
    const MOST: usize = 60;
    if disputed.is_empty() {
        return Ok(());
    }
    let text = "Right programs differ on these cases, so no test is written for them: the \
        description leaves something open, or a program is wrong";
    writeln!(out)?;
    screen.prose(out, text)?;
    for Disputed { program, flags, input, reference, other, undefined } in disputed {
        let input = printable(&input.trim_end().replace('\n', " / "));
        let flags = if flags.is_empty() { String::new() } else { format!(" ({flags})") };
        writeln!(out, "  {program}{flags}")?;
        let lines = [("input", &input), ("reference", reference), ("other", other)];
        let undefined = undefined.iter().map(|undefined| ("undefined", undefined));
        for (what, text) in lines.into_iter().chain(undefined) {
            writeln!(out, "    {:<10} {}", format!("{what}:"), shortened(text, MOST))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Draft;
    use std::collections::BTreeMap;

    #[test]
    fn programs_that_differ_in_standard_error_alone_are_told_apart() {
        let says = |stderr: &[u8]| Outcome {
            end: End::Exit(2),
            stdout: Vec::new(),
            stderr: stderr.to_vec(),
            files: BTreeMap::new(),
        };
        let dispute = Dispute {
            program: "other.py".into(),
            draft: Draft { flags: String::new(), input: b"1\n".to_vec() },
            reference: says(b"too few\n"),
            other: says(b"no number\n"),
        };
        let told = Disputed::of(Path::new("course"), &dispute, None);
        assert_eq!(told.reference, "exits with status 2, and prints ``, and says `too few`");
        assert_eq!(told.other, "exits with status 2, and prints ``, and says `no number`");
    }
}
