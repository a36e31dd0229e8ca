//! Lines of assembly as a compiler writes it, for x86-64.

/// A line.
#[derive(Clone, Copy)]
pub(super) enum Line<'a> {
    Label(&'a str),
    /// The name without prefixes, and the operands.
    Instruction(&'a str, &'a str),
    Directive(&'a str, &'a str),
    /// One that the program brings along.
    Own(&'a str),
    Empty,
}

impl<'a> Line<'a> {
    pub(super) fn read(line: &'a str) -> Self {
        let (mut name, mut rest) = split(line);
        if name.is_empty() || name.starts_with(['#', '/']) {
            return Self::Empty;
        }
        if let Some(label) = name.strip_suffix(':') {
            return Self::Label(label);
        }
        if name.starts_with('.') {
            return Self::Directive(name, rest);
        }
        while matches!(
            name,
            "lock" | "rep" | "repz" | "repe" | "repnz" | "repne" | "notrack" | "bnd" | "data16"
        ) {
            (name, rest) = split(rest);
        }
        Self::Instruction(name, rest.split('#').next().unwrap_or_default().trim_end())
    }
}

/// The first word of a line, and what follows it.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// Where an instruction goes besides to the next one.
pub(super) enum Way<'a> {
    Nowhere,
    To(&'a str),
    /// To a place that is computed.
    Somewhere,
}

impl<'a> Way<'a> {
    pub(super) fn of(name: &str, operands: &'a str) -> Self {
        let goes = name.starts_with('j') || is_call(name) || name.starts_with("loop");
        match operands.strip_prefix('*') {
            _ if !goes && name != "xbegin" => Self::Nowhere,
            Some(_) => Self::Somewhere,
            None => Self::To(operands.split('@').next().unwrap_or_default()),
        }
    }
}

/// Whether an instruction goes on with the next one when what it went to is done.
pub(super) fn is_call(name: &str) -> bool {
    name.starts_with("call")
}

/// The names in some text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && !"._$".contains(letter))
}

/// Whether a directive goes on in another section.
pub(super) fn is_section(directive: &str) -> bool {
    matches!(
        directive,
        ".section" | ".text" | ".data" | ".bss" | ".previous" | ".pushsection" | ".popsection"
    )
}

/// Whether a directive puts data where it stands.
pub(super) fn is_data(directive: &str) -> bool {
    matches!(
        directive,
        ".byte"
            | ".value"
            | ".short"
            | ".word"
            | ".long"
            | ".int"
            | ".quad"
            | ".zero"
            | ".string"
            | ".ascii"
            | ".asciz"
            | ".uleb128"
            | ".sleb128"
            | ".octa"
            | ".skip"
            | ".space"
            | ".comm"
            | ".fill"
            | ".2byte"
            | ".4byte"
            | ".8byte"
    )
}
