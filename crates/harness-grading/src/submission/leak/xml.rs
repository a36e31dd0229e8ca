//! Reads the XML that valgrind writes. Pure.

use crate::diagnostic::printable;
use quick_xml::Reader;
use quick_xml::events::Event;

/// The most functions of a place that are shown, and the most characters of a name.
const MOST_FUNCTIONS: usize = 6;
const MOST_CHARACTERS: usize = 200;

/// What valgrind wrote.
#[derive(Debug, Default)]
pub(super) struct Valgrind {
    pub(super) found: Found,
    /// The signal that ended the program.
    pub(super) signal: Option<i32>,
    /// Whether it wrote everything.
    pub(super) is_finished: bool,
    /// How many programs it ran.
    pub(super) programs: usize,
    /// Whether there is something in it that valgrind does not write.
    pub(super) is_forged: bool,
}

/// What valgrind found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) leaks: Vec<FoundLeak>,
    /// A message and a place each.
    pub(super) errors: Vec<(String, Vec<String>)>,
}

#[derive(Debug)]
pub(super) struct FoundLeak {
    pub(super) kind: String,
    pub(super) bytes: u64,
    pub(super) place: Vec<String>,
}

/// An error while it is read.
#[derive(Default)]
struct Open {
    kind: String,
    what: String,
    bytes: u64,
    place: Vec<String>,
    /// How many stacks were read. Later ones say where the memory came from.
    stacks: usize,
    frame: Frame,
}

#[derive(Default)]
struct Frame {
    function: String,
    file: String,
    line: String,
    object: String,
}

pub(super) fn read(text: &[u8]) -> Valgrind {
    let text = String::from_utf8_lossy(text);
    let mut reader = Reader::from_str(&text);
    let mut valgrind = Valgrind::default();
    let (mut open, mut path) = (None::<Open>, Vec::<String>::new());
    loop {
        let element = path.last().map_or("", String::as_str);
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                valgrind.starts(start.name().as_ref(), &path);
                if start.name().as_ref() == "error" {
                    open = Some(Open::default());
                }
                path.push(start.name().as_ref().to_owned());
            }
            Ok(Event::Text(text)) if path.is_empty() => {
                valgrind.is_forged |= !text.trim().is_empty();
            }
            Ok(Event::Text(text)) => take(&mut valgrind, open.as_mut(), element, &text),
            Ok(Event::GeneralRef(entity)) => {
                // A name of C++ has `<` and `>` in it, which are entities here.
                let character = match &*entity {
                    "lt" => "<",
                    "gt" => ">",
                    "amp" => "&",
                    _ => "",
                };
                take(&mut valgrind, open.as_mut(), element, character);
            }
            Ok(Event::End(end)) => {
                path.pop();
                match (end.name().as_ref(), &mut open) {
                    ("frame", Some(error)) => error.frame(),
                    ("stack", Some(error)) => error.stacks += 1,
                    ("error", _) => valgrind.found.add(open.take()),
                    ("valgrindoutput", _) => valgrind.is_finished = true,
                    _ => {}
                }
            }
            Ok(Event::Eof) => return valgrind,
            Err(_) => {
                valgrind.is_forged |= valgrind.is_finished;
                return valgrind;
            }
            // The declaration at the start, and elements without contents.
            Ok(Event::Decl(_) | Event::Empty(_)) => {}
            Ok(_) => valgrind.is_forged = true,
        }
    }
}

/// Takes a piece of the text of an element.
fn take(valgrind: &mut Valgrind, open: Option<&mut Open>, element: &str, text: &str) {
    if element == "signo" {
        valgrind.signal = text.trim().parse().ok();
    }
    let Some(open) = open else { return };
    let into = match element {
        "kind" => &mut open.kind,
        "what" | "text" => &mut open.what,
        "fn" => &mut open.frame.function,
        "file" => &mut open.frame.file,
        "line" => &mut open.frame.line,
        "obj" => &mut open.frame.object,
        "leakedbytes" => {
            open.bytes = text.trim().parse().unwrap_or(0);
            return;
        }
        _ => return,
    };
    into.push_str(text);
}

impl Valgrind {
    /// Looks at an element that starts inside those of `path`.
    fn starts(&mut self, name: &str, path: &[String]) {
        self.programs += usize::from(name == "valgrindoutput");
        self.is_forged |= match name {
            "error" => path != ["valgrindoutput"],
            "valgrindoutput" => false,
            _ => path.is_empty(),
        };
    }
}

impl Open {
    /// Ends a function of the place.
    fn frame(&mut self) {
        let Frame { function, file, line, object } = std::mem::take(&mut self.frame);
        if self.stacks > 0 || self.place.len() >= MOST_FUNCTIONS || object.contains("vgpreload") {
            return;
        }
        let function =
            if function.is_empty() { "a function without a name".to_owned() } else { function };
        let place = if line.is_empty() { function } else { format!("{function} ({file}:{line})") };
        self.place.push(shortened(&place));
    }
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.leaks.is_empty() && self.errors.is_empty()
    }

    fn add(&mut self, error: Option<Open>) {
        let Some(Open { kind, what, bytes, place, .. }) = error else { return };
        match kind.strip_prefix("Leak_") {
            Some(kind) => {
                let kind = match kind {
                    "DefinitelyLost" => "definite",
                    "IndirectlyLost" => "indirect",
                    "PossiblyLost" => "possible",
                    _ => "reachable",
                };
                self.leaks.push(FoundLeak { kind: kind.to_owned(), bytes, place });
            }
            None => self.errors.push((shortened(&what), place)),
        }
    }
}

/// A name that a program chose.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => printable(&text[..end]) + "…",
        None => printable(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = "<?xml version=\"1.0\"?>\n<valgrindoutput>\n<error>\n<unique>0x0</unique>\n<kind>InvalidRead</kind>\n<what>Invalid read of size 4</what>\n<stack><frame><ip>0x1</ip><obj>/box/puzzle</obj><fn>f(std::vector&lt;int&gt;)</fn></frame></stack>\n<auxwhat>Address is 0 bytes after</auxwhat><stack><frame><fn>other</fn></frame></stack></error>\n<error><kind>Leak_DefinitelyLost</kind><xwhat><text>40 bytes</text><leakedbytes>40</leakedbytes><leakedblocks>1</leakedblocks></xwhat><stack><frame><obj>/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so</obj><fn>operator new[](unsigned long)</fn></frame><frame><obj>/box/puzzle</obj><fn>main</fn><file>main.cpp</file><line>7</line></frame></stack></error>\n</valgrindoutput>\n";

    #[test]
    fn leaks_and_errors_are_told_apart_and_have_places() {
        let valgrind = read(XML.as_bytes());
        assert!(valgrind.is_finished && valgrind.signal.is_none());
        let leak = &valgrind.found.leaks[0];
        assert_eq!((leak.kind.as_str(), leak.bytes), ("definite", 40));
        assert_eq!(leak.place, ["main (main.cpp:7)"]);
        let place = vec!["f(std::vector<int>)".to_owned()];
        assert_eq!(valgrind.found.errors, [("Invalid read of size 4".to_owned(), place)]);
    }

    #[test]
    fn a_name_without_end_is_cut() {
        let long = XML.replace("main</fn>", &format!("{}</fn>", "f".repeat(1 << 20)));
        let valgrind = read(long.as_bytes());
        let place = &valgrind.found.leaks[0].place[0];
        assert!(place.ends_with("ff…") && place.len() < 300, "{}", place.len());
    }

    #[test]
    fn what_a_program_adds_is_noticed() {
        let errors = XML.find("<error>").unwrap();
        let after = XML.rfind("<error>").unwrap();
        let with = |at: usize, text: &str| [&XML[..at], text, &XML[at..]].concat();
        assert!(!read(XML.as_bytes()).is_forged);
        for forged in [
            with(errors, "<!--"),
            with(errors, "<hidden>"),
            with(after, "</valgrindoutput>\n"),
            with(XML.len(), "text"),
            with(after, "</valgrindoutput><!--"),
        ] {
            let valgrind = read(forged.as_bytes());
            assert!(valgrind.is_forged || !valgrind.is_finished, "{forged}");
        }
        assert_eq!(read((XML.to_owned() + XML).as_bytes()).programs, 2);
    }

    #[test]
    fn an_incomplete_document_is_not_finished() {
        assert!(!read(&XML.as_bytes()[..XML.len() / 2]).is_finished);
        assert!(!read(b"").is_finished);
    }
}
