//! Grids, trees and graphs, with the letters and counts of grids and lists.

use super::{Builder, Built, Separator};
use crate::Problem;
use crate::colour::{COLOURS, Colour, Colours};
use crate::edges::EdgesRule;
use crate::grid::{Count, GridRule, Side, Walls};
use crate::tree::{Leeway, Noise, What};
use crate::yaml::description::{Entries, Item, Text};

impl Builder<'_> {
    pub(super) fn grid(&mut self, name: &Text, item: &Item) -> Built<What> {
        let missing = |key: &str| self.problem(name.referenced, format!("a grid needs `{key}`"));
        let rows = item.rows.as_ref().ok_or_else(|| missing("rows"))?;
        let columns = item.columns.as_ref().ok_or_else(|| missing("columns"))?;
        let cells = item.cells.as_ref().ok_or_else(|| missing("cells"))?;
        let (rows, columns) = (self.size(rows)?, self.size(columns)?);
        let layers = item.layers.as_ref().map(|layers| self.expression(layers)).transpose()?;
        if layers.is_some() && [&rows, &columns].iter().any(|side| matches!(side, Side::Own { .. }))
        {
            let message = "with `layers`, `rows` and `columns` must be expressions";
            return Err(self.problem(name.referenced, message));
        }
        let mut limited = Vec::new();
        for (first, count) in &item.letters.0 {
            limited.push((self.one_letter(first)?, self.expression(count)?));
        }
        let walls = item.walls.map(|walls| Walls {
            north: walls.north,
            east: walls.east,
            south: walls.south,
            west: walls.west,
        });
        let counts = self.counts(&item.exactly, &item.at_most)?;
        if walls.is_some() && !(counts.is_empty() && limited.is_empty()) {
            let message = "a grid with `walls` has no `letters`, `exactly` or `at most`";
            return Err(self.problem(name.referenced, message));
        }
        Ok(What::Grid(Box::new(GridRule {
            name: name.value.clone(),
            rows,
            columns,
            layers,
            noise: self.noise(item)?,
            letters: self.alphabet(cells)?,
            limited,
            counts,
            walls,
            colours: self.colours(&item.colours)?,
        })))
    }

    /// The colours of letters. Several colours are used in turn.
    fn colours(&self, entries: &Entries<Text>) -> Built<Colours> {
        let mut colours = Colours::new();
        for (letters, names) in &entries.0 {
            let named = names.value.split_whitespace().map(|name| {
                Colour::named(name).ok_or_else(|| {
                    let known: Vec<_> = COLOURS.iter().map(|(name, _)| *name).collect();
                    let message = format!("there is no colour `{name}`");
                    let hint = Some(format!("the colours are {}", known.join(", ")));
                    Problem { hint, ..self.problem(names.referenced, message) }
                })
            });
            let named = named.collect::<Built<Vec<_>>>()?;
            colours.extend(self.alphabet(letters)?.into_iter().zip(named.into_iter().cycle()));
        }
        Ok(colours)
    }

    pub(super) fn counts(
        &mut self,
        exactly: &Entries<Text>,
        at_most: &Entries<Text>,
    ) -> Built<Vec<Count>> {
        let exactly = exactly.0.iter().map(|entry| (entry, true));
        let all = exactly.chain(at_most.0.iter().map(|entry| (entry, false)));
        all.map(|((letter, count), is_exact)| {
            Ok(Count { letter: self.one_letter(letter)?, count: self.expression(count)?, is_exact })
        })
        .collect()
    }

    /// Comments and blank lines.
    pub(super) fn noise(&self, item: &Item) -> Built<Vec<Noise>> {
        let mut noise = Vec::new();
        if let Some(prefix) = &item.comments {
            if prefix.value.is_empty() {
                return Err(self.problem(prefix.referenced, "expected what comments begin with"));
            }
            noise.push(Noise::Comments(prefix.value.clone().into_bytes()));
        }
        match self.leeway(item.blank_lines.as_ref(), "optional")? {
            Leeway::None => {}
            leeway => noise.push(Noise::BlankLines(leeway)),
        }
        Ok(noise)
    }

    pub(super) fn edges(&mut self, item: &Item) -> Built<What> {
        let (nodes, edges) = match (&item.tree, &item.graph) {
            (Some(nodes), _) => (nodes, None),
            (None, Some(nodes)) => {
                let Some(edges) = &item.edges else {
                    return Err(self.problem(nodes.referenced, "a graph needs `edges`"));
                };
                (nodes, Some(self.expression(edges)?))
            }
            (None, None) => return Err(Problem::new(0, "this item is empty")),
        };
        let nodes = self.expression(nodes)?;
        let mut after = Vec::new();
        self.entries(&item.fields, &Separator::Space, true, &mut after)?;
        Ok(What::Edges(Box::new(EdgesRule {
            nodes,
            edges,
            from: item.from.unwrap_or(1),
            is_connected: item.connected,
            is_directed: item.directed,
            after,
        })))
    }

    /// The letters of `a-f.#`.
    pub(super) fn alphabet(&self, text: &Text) -> Built<Vec<u8>> {
        let bytes = text.value.as_bytes();
        if bytes.is_empty() || !bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            let message = "expected at least one letter, all in ASCII";
            return Err(self.problem(text.referenced, message));
        }
        let (mut letters, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            match bytes[at..] {
                [first, b'-', last, ..]
                    if first < last
                        && first.is_ascii_alphanumeric()
                        && last.is_ascii_alphanumeric() =>
                {
                    letters.extend(first..=last);
                    at += 3;
                }
                _ => {
                    letters.push(bytes[at]);
                    at += 1;
                }
            }
        }
        Ok(letters)
    }

    pub(super) fn one_letter(&self, text: &Text) -> Built<u8> {
        match text.value.as_bytes() {
            &[letter] if (b' '..=b'~').contains(&letter) => Ok(letter),
            _ => Err(self.problem(text.referenced, "expected one letter")),
        }
    }
}
