//! What is wrong with the options of the compiler, by the compilations that were seen and by what they left in the program. Pure.

use super::elf::Elf;
use super::script;
use crate::course::submission::{Flags, Rule};
use crate::diagnostic::{Problem, printable};
use crate::result::graded::Compilation;
use crate::submission::SourceFile;
use std::collections::BTreeSet;
use std::path::Path;

/// The section of a program in which gcc records its options.
const MARK: &str = ".GCC.command.line";

/// A program by its name, with its contents.
pub(super) type MadeProgram = (String, Vec<u8>);

/// What is wrong: first in the compilations that were seen, and then in the programs.
pub(super) fn wrong(
    compilations: &[Compilation],
    is_whole: bool,
    flags: &Flags,
    programs: &[MadeProgram],
    sources: &[SourceFile],
) -> Vec<(Rule, Problem)> {
    let mut wrong: Vec<_> = compilations
        .iter()
        .flat_map(|Compilation { file, flags: its }| {
            unfit(its, flags).map(move |what| format!("{file} was compiled {what}"))
        })
        .collect();
    if !is_whole {
        wrong.push("the build ran too many compilations to list them".to_owned());
    }
    if !flags.required.is_empty() {
        let has_wrong = !wrong.is_empty();
        let compiled = programs.iter().filter(|(_, it)| !script::was_handed_in(it, sources));
        let found = compiled.map(|(name, bytes)| round(name, bytes, compilations, flags));
        wrong.extend(found.filter(|_| !has_wrong).flatten());
    }
    let hint = "the Makefile decides; this is what `make` really ran";
    let wrong = wrong.into_iter().map(|text| Problem::new(printable(&text)).hint(hint));
    let debugging = programs.iter().filter(|(_, bytes)| {
        flags.refused.iter().any(|flag| flag == "-g") && Elf::read(bytes).has(".debug_info")
    });
    let debugging = debugging.map(|(name, _)| {
        Problem::new(format!("{name} holds debugging information"))
            .hint("compile and link without -g: it slows the program down")
    });
    wrong.chain(debugging).map(|problem| (Rule::Flags, problem)).collect()
}

/// How these options of a compilation break the rules.
fn unfit<'a>(options: &'a [String], flags: &'a Flags) -> impl Iterator<Item = String> + 'a {
    let missing = flags.required.iter().filter(|flag| !has(options, flag));
    let refused = flags.refused.iter().filter(|flag| has(options, flag));
    let missing = missing.map(|flag| format!("without {flag}"));
    missing.chain(refused.map(|flag| format!("with {flag}")))
}

/// What shows that a program was compiled around the trace.
fn round(name: &str, bytes: &[u8], compilations: &[Compilation], flags: &Flags) -> Vec<String> {
    let elf = Elf::read(bytes);
    let marks = elf.texts(MARK).filter(|marks| !marks.is_empty());
    let (Some(marks), Some(makers), Some(sources)) = (marks, elf.texts(".comment"), elf.sources())
    else {
        return vec![format!("{name} was made by no compilation of gcc or g++ that was seen")];
    };
    let mut found = Vec::new();
    // It records no options about warnings.
    let required = flags.required.iter().filter(|flag| flag.starts_with("-O")).cloned().collect();
    let recorded = Flags { required, refused: flags.refused.clone() };
    for mark in marks {
        let options: Vec<_> = mark.split_ascii_whitespace().map(str::to_owned).collect();
        found.extend(
            unfit(&options, &recorded).map(|what| format!("a part of {name} was compiled {what}")),
        );
    }
    let is_linker = |text: &String| ["Linker: ", "mold "].iter().any(|it| text.starts_with(it));
    let others = makers.into_iter().filter(|text| !text.starts_with("GCC: ") && !is_linker(text));
    found.extend(
        others.map(|text| format!("a part of {name} was made by another compiler: {text}")),
    );
    if !elf.is_static() {
        let seen = compilations.iter().map(|it| last(&it.file)).collect();
        let unseen = sources.into_iter().filter(|source| is_unseen(source, &seen));
        found.extend(unseen.map(|it| format!("{name} holds {it}, whose compilation was not seen")));
    }
    found.sort();
    found.dedup();
    found
}

/// Whether `source`, as a program names it, is none of these sources that compilations read. The system's has a name of its own.
fn is_unseen(source: &str, seen: &BTreeSet<&str>) -> bool {
    const ENDINGS: [&str; 11] = ["cpp", "cc", "cxx", "c", "C", "c++", "ii", "i", "cp", "s", "S"];
    let ending = Path::new(source).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
        && source != "crtstuff.c"
        && !seen.contains(last(&printable(source)))
}

/// The name of a file without its folders.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a compiler with these options has `flag`. Of several levels of optimization, the last one counts.
fn has(flags: &[String], flag: &str) -> bool {
    if flag == "-g" {
        let last = flags.iter().rfind(|other| is_debugging(other));
        return last.is_some_and(|last| last != "-g0");
    }
    if flag.starts_with("-O") {
        return flags
            .iter()
            .rfind(|other| other.starts_with("-O"))
            .is_some_and(|last| last == flag);
    }
    flags.iter().any(|other| other == flag)
}

/// Whether an option adds debugging information, or removes it.
pub(super) fn is_debugging(flag: &str) -> bool {
    flag.strip_prefix("-g").is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with(|c: char| c.is_ascii_digit())
            || ["gdb", "dwarf", "stabs", "xcoff", "vms", "btf", "ctf"]
                .iter()
                .any(|it| rest.starts_with(it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_level_of_optimization_counts() {
        let flags = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(has(&flags("-O0 -O3"), "-O3") && !has(&flags("-O3 -O0"), "-O3"));
        assert!(has(&flags("-ggdb3"), "-g") && has(&flags("-g -O3"), "-g"));
        assert!(!has(&flags("-g -g0"), "-g") && !has(&flags("-gno-column-info -gnu"), "-g"));
    }

    #[test]
    fn a_source_in_the_program_must_have_been_seen() {
        let seen = [last("../main.cpp")].into();
        assert!(is_unseen("other.cpp", &seen) && is_unseen("hand.s", &seen));
        for name in ["main.cpp", "crtstuff.c", "crt1.o", "<artificial>", "cc.ltrans0.o"] {
            assert!(!is_unseen(name, &seen), "{name}");
        }
    }
}
