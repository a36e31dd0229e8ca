//! Changes that disguise a program in C++. They keep it a text that a compiler would read alike, not a program that works.

use harness_course::course::language::tokens::{self, TokenKind};

/// A change with what the document calls it.
pub(crate) type Disguise = (&'static str, fn(&str) -> String);

pub(crate) const DISGUISES: [Disguise; 11] = [
    ("other comments and layout", layout),
    ("all names changed", renamed),
    ("other types, no `const`, no `std::`", types),
    ("functions in another order", reordered),
    ("`for` written as `while`", loops),
    ("every tenth statement begins a new function", split),
    ("every pair of statements swapped", swapped),
    ("a useless statement after every eighth", |text| dead(text, 8)),
    ("a useless statement after every second", |text| dead(text, 2)),
    ("a useless statement after each", |text| dead(text, 1)),
    ("all of the first six, and a useless statement after every eighth", |text| {
        layout(&renamed(&types(&reordered(&split(&loops(&dead(text, 8)))))))
    }),
];

const KEYWORDS: &str = " alignas auto bool break case catch char class const constexpr continue default define delete do double else \
    endif enum explicit extern false final float for friend goto if ifdef ifndef include inline int long mutable namespace new noexcept \
    nullptr operator override private protected public pragma return short signed sizeof static std struct switch template this throw \
    true try typedef typename union unsigned using virtual void volatile while ";

fn each(text: &str, change: impl Fn(TokenKind, &str) -> String) -> String {
    tokens::c(text).iter().map(|token| change(token.kind, token.text(text))).collect()
}

fn layout(text: &str) -> String {
    each(text, |kind, token| match kind {
        TokenKind::Comment => String::new(),
        TokenKind::Space if token.contains('\n') => "\n\n// of our own\n".to_owned(),
        TokenKind::Space => "   ".to_owned(),
        _ => token.to_owned(),
    })
}

fn renamed(text: &str) -> String {
    each(text, |kind, token| match kind {
        TokenKind::Name if !KEYWORDS.contains(&format!(" {token} ")) => {
            format!("own_{}", token.chars().rev().collect::<String>())
        }
        TokenKind::Text => "\"of our own\"".to_owned(),
        _ => token.to_owned(),
    })
}

fn types(text: &str) -> String {
    let text = text.replace("std::", "").replace("const ", "");
    each(&text, |_, token| match token {
        "int" | "size_t" => "long".to_owned(),
        "auto" => "Thing".to_owned(),
        _ => token.to_owned(),
    })
}

/// The parts of a text outside all braces, such as functions: each ends with a line that begins with `}`.
fn reordered(text: &str) -> String {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        let part = parts.last_mut().unwrap();
        part.push_str(line);
        part.push('\n');
        if line.starts_with('}') {
            parts.push(String::new());
        }
    }
    parts.reverse();
    parts.concat()
}

fn loops(text: &str) -> String {
    let changed = text.lines().map(|line| {
        let head = line.trim_start().strip_prefix("for (").and_then(|rest| rest.rsplit_once(')'));
        let parts: Option<(Vec<_>, _)> = head.map(|(head, rest)| (head.split(';').collect(), rest));
        match parts {
            Some((parts, rest)) if parts.len() == 3 => {
                format!("{};\nwhile ({})\n{rest} {};\n", parts[0], parts[1], parts[2])
            }
            _ => format!("{line}\n"),
        }
    });
    changed.collect()
}

/// Whether a line is a statement in a function.
fn is_statement(line: &str) -> bool {
    line.starts_with(' ') && line.ends_with(';') && !line.contains("for (")
}

/// Adds something after every so many statements.
fn after_each(text: &str, every: usize, added: impl Fn(usize) -> String) -> String {
    let mut statements = 0;
    let mut changed = String::new();
    for line in text.lines() {
        changed.push_str(line);
        changed.push('\n');
        if is_statement(line) {
            statements += 1;
            if statements % every == 0 {
                changed += &added(statements);
            }
        }
    }
    changed
}

fn dead(text: &str, every: usize) -> String {
    after_each(text, every, |number| format!("    int unused{number} = {number} * 3 + 1;\n"))
}

fn split(text: &str) -> String {
    after_each(text, 10, |number| {
        format!("    part{number}(a, b);\n}}\nstatic void part{number}(int a, int &b)\n{{\n")
    })
}

fn swapped(text: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let mut at = 1;
    while at < lines.len() {
        if is_statement(lines[at - 1]) && is_statement(lines[at]) {
            lines.swap(at - 1, at);
            at += 1;
        }
        at += 1;
    }
    lines.join("\n")
}
