//! What the names in a source stand for that it imports.

use super::{Note, is_after, qualified};
use crate::course::language::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// The most modules that one name may stand for. Each is compared at each use, and a source may be large.
const MOST_MODULES: usize = 64;

/// What a source has imported.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// What each name may stand for: an import counts wherever it is.
    names: BTreeMap<&'a str, BTreeSet<Vec<&'a str>>>,
    /// Where the names of modules stand in imports.
    imports: BTreeSet<usize>,
}

impl<'a> Known<'a> {
    pub(super) fn note_import(&mut self, module: Option<&Token>) {
        self.imports.extend(module.map(|token| token.range.start));
    }

    pub(super) fn note_name(&mut self, name: &'a str, module: &[&'a str]) {
        let modules = self.names.entry(name).or_default();
        if modules.len() < MOST_MODULES {
            modules.insert(module.to_vec());
        }
    }

    /// Notes what follows the name of a module elsewhere, as `os.system`, where `mark` stands between the two.
    pub(super) fn used(&self, source: &'a str, tokens: &[Token], mark: &str, note: Note<'_, 'a>) {
        qualified(source, tokens, mark, &mut |place, parts| {
            let is_member = parts.len() == 1 || is_after(source, tokens, place, mark);
            if is_member || self.imports.contains(&place) {
                return;
            }
            for module in self.names.get(parts[0]).into_iter().flatten() {
                let whole: Vec<_> = module.iter().chain(&parts[1..]).copied().collect();
                note(place, &whole, module.len());
            }
        });
    }
}
