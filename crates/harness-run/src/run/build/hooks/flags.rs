//! Whether somebody needs the flags of the processor at a line.

use super::Assembly;
use super::line::{Line, is_call, is_data, is_section};

/// How many lines are read to see it.
const MOST_READ: usize = 64;

impl Assembly<'_> {
    /// Whether nobody reads the flags before they are written, from this line on.
    pub(super) fn has_free_flags(&self, start: usize) -> bool {
        let mut at = start;
        for _ in 0..MOST_READ {
            match self.lines.get(at).copied() {
                // The compiler takes the flags for lost after assembly that it does not know.
                Some(Line::Own(_)) => return true,
                Some(Line::Instruction(name, _)) if reads_flags(name) => return false,
                Some(Line::Instruction(name, _)) if writes_flags(name) => return true,
                Some(Line::Instruction("jmp", operands)) => match self.labels.get(operands) {
                    Some(&place) if operands.starts_with(".L") => at = place,
                    _ => return false,
                },
                Some(Line::Directive(name, _)) if is_section(name) || is_data(name) => {
                    return false;
                }
                Some(_) => {}
                None => return false,
            }
            at += 1;
        }
        false
    }
}

fn reads_flags(name: &str) -> bool {
    const READERS: [&str; 14] = [
        "set", "cmov", "fcmov", "adc", "sbb", "adox", "rcl", "rcr", "pushf", "lahf", "cmc", "loop",
        "into", "salc",
    ];
    let jumps = name.starts_with('j') && !matches!(name, "jmp" | "jmpq" | "jrcxz" | "jecxz");
    jumps || READERS.iter().any(|reader| name.starts_with(reader))
}

/// Whether an instruction writes all flags, or nobody may expect them after it.
fn writes_flags(name: &str) -> bool {
    const WRITERS: [&str; 12] =
        ["add", "sub", "cmp", "test", "and", "or", "xor", "neg", "imul", "mul", "div", "idiv"];
    const OTHERS: [&str; 10] = [
        "comiss", "comisd", "ucomiss", "ucomisd", "vcomiss", "vcomisd", "vucomiss", "vucomisd",
        "ptest", "ret",
    ];
    let is_writer = |name: &str| WRITERS.contains(&name);
    is_writer(name)
        || name.strip_suffix(['b', 'w', 'l', 'q']).is_some_and(is_writer)
        || OTHERS.contains(&name)
        || is_call(name)
}
