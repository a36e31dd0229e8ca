//! Puts hooks that count steps into the assembly of a program in C or C++, for x86-64.
//!
//! What never ends passes some place again and again, in a loop or in a recursion. In the order of the text, each loop goes back at least
//! once, and each recursion enters a function that may call itself. So a hook stands at each label to which something goes back that may
//! come from there, and at the entry of each such function, and nowhere else. Where a jump leads is not always written there: a jump
//! through a table, an exception, `longjmp`. Then each place to which it may lead has a hook. What is in another file, or called by its
//! address, may call any function.
//!
//! A hook changes the flags, and nothing else. Where somebody may need them, it saves them. No caller expects that a function with a
//! hook keeps them, because it has a condition of its own or calls what the compiler does not know. Assembly that the program brings along
//! (`asm`) has no hooks: a loop in it is stopped by its time.

mod flags;
mod line;
mod search;

use line::{Line, Way, is_call, is_data, is_section, words};
use search::Search;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// Counts a step. `steps.c` defines both names.
const HOOK: &str = "\tsubq\t$1, subject_steps+8(%rip)\n\tjs\tsubject_no_steps\n";

/// Saves the flags, below what the function may keep on the stack.
const SAVE: &str = "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n";
const RESTORE: &str = "\tpopfq\n\tleaq\t128(%rsp), %rsp\n";

/// The function of `subject.h` whose steps are not counted.
const UNCOUNTED: &str = "subject_selected";

/// The assembly with hooks. `None` if it is not written as expected.
pub(super) fn with_hooks(text: &str) -> Option<String> {
    let assembly = Assembly::read(text)?;
    let places = assembly.places();
    let mut hooked = String::with_capacity(text.len() + text.len() / 8);
    for (at, line) in text.lines().enumerate() {
        if places.contains(&at) {
            let is_free = assembly.has_free_flags(at);
            hooked.extend(if is_free { ["", HOOK, ""] } else { [SAVE, HOOK, RESTORE] });
        }
        hooked.push_str(line);
        hooked.push('\n');
    }
    Some(hooked)
}

/// Whether a function of a library calls nothing of the program's.
fn is_alone(function: &str) -> bool {
    const NAMES: [&str; 13] = [
        "memcpy",
        "memmove",
        "memset",
        "memcmp",
        "memchr",
        "strlen",
        "strcmp",
        "strncmp",
        "strcpy",
        "strchr",
        "abort",
        "__stack_chk_fail",
        "_Unwind_Resume",
    ];
    // The operators `new` and `delete`, exceptions, and the members of `std::string`.
    const STARTS: [&str; 9] = [
        "_Znw",
        "_Zna",
        "_Zdl",
        "_Zda",
        "__cxa_allocate",
        "__cxa_free",
        "__cxa_throw",
        "__cxa_begin",
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
    ];
    let throws = function.starts_with("_ZSt") && function.contains("__throw_");
    throws || NAMES.contains(&function) || STARTS.iter().any(|start| function.starts_with(start))
}

/// The lines, with the place of each label, and of each function and what follows it.
struct Assembly<'a> {
    lines: Vec<Line<'a>>,
    labels: HashMap<&'a str, usize>,
    functions: Vec<Range<usize>>,
}

impl<'a> Assembly<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let mut is_own = false;
        let lines = text.lines().map(|line| {
            is_own |= line.trim_start().starts_with("#APP");
            let read = if is_own { Line::Own(line.trim()) } else { Line::read(line) };
            is_own &= !line.trim_start().starts_with("#NO_APP");
            read
        });
        let lines: Vec<_> = lines.collect();
        let (mut labels, mut names) = (HashMap::new(), HashSet::new());
        for (at, line) in lines.iter().enumerate() {
            match *line {
                Line::Label(name) => drop(labels.insert(name, at)),
                // The cold part of a function belongs to it.
                Line::Directive(".type", words)
                    if words.contains("function") && !words.contains(".cold") =>
                {
                    names.extend(words.split(',').next().map(str::trim));
                }
                Line::Directive(".intel_syntax", _) => return None,
                Line::Instruction(_, operands) if operands.contains(';') => return None,
                _ => {}
            }
        }
        let mut starts: Vec<_> =
            names.iter().filter_map(|name| labels.get(name)).copied().collect();
        starts.sort_unstable();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let functions = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        Some(Self { lines, labels, functions })
    }

    /// The lines before which there is a hook.
    fn places(&self) -> BTreeSet<usize> {
        let after = self.heads().chain(self.entries()).chain(self.handlers()).chain(self.resumed());
        after.chain(self.computed()).filter_map(|at| self.instruction_after(at)).collect()
    }

    /// Labels to which something goes back that may come from there.
    fn heads(&self) -> impl Iterator<Item = usize> {
        let mut search = Search::new(self.lines.len());
        (0..self.lines.len()).flat_map(move |at| {
            let mut places = self.targets(at);
            places.retain(|&place| place <= at && search.may_reach(place, at, |at| self.ways(at)));
            places
        })
    }

    /// The labels to which a line may go.
    fn targets(&self, at: usize) -> Vec<usize> {
        let labels = match self.lines[at] {
            Line::Instruction(name, operands) if !is_call(name) => match Way::of(name, operands) {
                Way::To(label) => vec![label],
                Way::Nowhere | Way::Somewhere => Vec::new(),
            },
            Line::Own(line) => words(line).collect(),
            _ => Vec::new(),
        };
        labels.into_iter().filter_map(|label| self.labels.get(label).copied()).collect()
    }

    /// The lines that may come after a line. `None` if any may.
    fn ways(&self, at: usize) -> Option<Vec<usize>> {
        let mut ways = self.targets(at);
        let is_last = at + 1 == self.lines.len();
        match self.lines[at] {
            Line::Instruction(name, to) if name.starts_with('j') && to.starts_with('*') => {
                return None;
            }
            Line::Instruction("jmp" | "ret" | "ud2", _) => {}
            _ => ways.extend((!is_last).then_some(at + 1)),
        }
        Some(ways)
    }

    /// Functions that may call themselves, by others or by what is not known here. Only they can be part of a recursion.
    fn entries(&self) -> impl Iterator<Item = usize> {
        let calls: Vec<_> = self.functions.iter().map(|function| self.calls(function)).collect();
        let mut search = Search::new(calls.len());
        let functions = self.functions.iter().enumerate();
        functions
            .filter(move |&(number, _)| search.may_reach(number, number, |at| calls[at].clone()))
            .map(|(_, function)| function.start)
    }

    /// The numbers of the functions that a function calls or goes to. `None` if it may call others, which may call any.
    fn calls(&self, function: &Range<usize>) -> Option<Vec<usize>> {
        let mut called = Vec::new();
        if matches!(self.lines[function.start], Line::Label(UNCOUNTED)) {
            return Some(called);
        }
        for line in &self.lines[function.clone()] {
            let to = match *line {
                Line::Instruction(name, operands) => match Way::of(name, operands) {
                    Way::Nowhere => continue,
                    Way::Somewhere => return None,
                    Way::To(to) => to,
                },
                Line::Own(line) if line.contains("call") || line.contains('j') => return None,
                _ => continue,
            };
            match self.labels.get(to) {
                Some(place) if *place > function.start && *place < function.end => {}
                Some(place) => {
                    let number = self.functions.partition_point(|other| other.start <= *place);
                    called.push(number.checked_sub(1)?);
                }
                None if is_alone(to) => {}
                None => return None,
            }
        }
        Some(called)
    }

    /// Labels whose addresses are known somewhere, if a jump to a computed place follows them in their function.
    fn computed(&self) -> impl Iterator<Item = usize> {
        let mut section = "";
        let mut known = BTreeSet::new();
        for line in &self.lines {
            let mentioned = match *line {
                Line::Directive(name, rest) if is_section(name) => {
                    section = if name == ".section" { rest } else { name };
                    continue;
                }
                _ if section.starts_with(".debug") || section.starts_with(".gcc_except_table") => {
                    continue;
                }
                Line::Instruction(name, operands) => match Way::of(name, operands) {
                    Way::To(_) => continue,
                    Way::Nowhere | Way::Somewhere => operands,
                },
                Line::Directive(_, operands) | Line::Own(operands) => operands,
                Line::Label(_) | Line::Empty => continue,
            };
            known.extend(words(mentioned).filter_map(|word| self.labels.get(word).copied()));
        }
        let last_jump = |function: &Range<usize>| {
            let mut lines = function.clone().rev();
            lines.find(|&at| match self.lines[at] {
                Line::Instruction(name, operands) => {
                    name.starts_with('j') && matches!(Way::of(name, operands), Way::Somewhere)
                }
                Line::Own(line) => line.contains('*'),
                _ => false,
            })
        };
        self.functions.iter().flat_map(move |function| {
            let end = last_jump(function).unwrap_or(function.start);
            known.range(function.start..end).copied().collect::<Vec<_>>()
        })
    }

    /// Handlers of exceptions. In the table of a function, they are counted from its start, as are the calls that they are for. Those
    /// have a length, which is counted from them.
    fn handlers(&self) -> impl Iterator<Item = usize> {
        let mut is_table = false;
        let mut pairs = Vec::new();
        for line in &self.lines {
            match *line {
                Line::Directive(name, rest) if is_section(name) => {
                    is_table = name == ".section" && rest.starts_with(".gcc_except_table");
                }
                Line::Directive(_, operands) if is_table => {
                    let mut words = words(operands).filter(|word| self.labels.contains_key(word));
                    pairs.extend(words.next().zip(words.next()));
                }
                _ => {}
            }
        }
        let starts: HashSet<_> = pairs.iter().map(|&(_, start)| start).collect();
        let ends: HashSet<_> = pairs.iter().map(|&(end, _)| end).collect();
        let handlers = pairs
            .into_iter()
            .filter(move |(end, start)| !starts.contains(end) && !ends.contains(start));
        handlers.filter_map(|(end, _)| self.labels.get(end).copied())
    }

    /// Calls that return again when something else is called.
    fn resumed(&self) -> impl Iterator<Item = usize> {
        let lines = self.lines.iter().enumerate();
        lines.filter_map(|(at, line)| match *line {
            Line::Instruction(name, to) if is_call(name) => {
                ["setjmp", "context", "fork"].iter().any(|part| to.contains(part)).then_some(at)
            }
            _ => None,
        })
    }

    /// The first instruction after this line, if it follows in the same section.
    fn instruction_after(&self, at: usize) -> Option<usize> {
        let mut rest = (at + 1)..self.lines.len();
        let found = rest.find(|&at| match self.lines[at] {
            Line::Label(_) | Line::Empty | Line::Instruction("endbr64", _) => false,
            Line::Directive(name, _) => is_section(name) || is_data(name),
            Line::Instruction(..) | Line::Own(_) => true,
        })?;
        (!matches!(self.lines[found], Line::Directive(..))).then_some(found)
    }
}

#[cfg(test)]
mod tests;
