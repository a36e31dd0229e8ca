//! Makes a shape of a YAML description.

mod apart;
mod expressions;
mod fields;
mod grids;
mod usual;

use super::offset;
use crate::Problem;
use crate::grid::Count;
use crate::tree::{Case, Command, Expr, Leeway, Many, Parameter, Shape, What};
use crate::value::Value;
use crate::yaml::description::{Description, Entries, Entry, Field, Item, Size, Text};
use fields::separate;
use serde_yaml::{Location, Spanned};

pub use usual::with_usual_in_comments;

type Built<T> = Result<T, Problem>;

/// The shape that a description describes. `text` is that of the whole file, of which the description may be a part.
///
/// # Errors
/// At the first thing that is wrong.
pub fn shape(text: &str, Description(description): &Description) -> Built<Shape> {
    let mut builder = Builder::new(text, Vec::new());
    let commands = builder.items(&description.input)?;
    let mut parameters = Vec::new();
    for entry in &description.parameters {
        let Entry::Field(name, field) = entry else {
            return Err(Problem::new(0, "a parameter is a field, as in `{ row: 0 .. rows - 1 }`"));
        };
        let Field::Range(range) = &field.value else {
            return Err(builder.problem(field.referenced, "a parameter is a range of numbers"));
        };
        let (least, most) = builder.range(range, field.referenced)?;
        let at = builder.at(name.referenced);
        parameters.push(Parameter { at, name: builder.variable(name)?, least, most });
    }
    let open_end = builder.leeway(description.last_newline.as_ref(), "optional")?;
    let crlf = builder.leeway(description.line_ends.as_ref(), "any")?;
    let usual = builder.usual(&description.usual, &commands)?;
    let mut shape = Shape { usual, ..Shape::new(builder.names, commands) };
    shape.follow()?;
    Ok(Shape { open_end, crlf, parameters, ..shape })
}

struct Builder<'t> {
    text: &'t str,
    names: Vec<String>,
    /// For each `lines` around this place, what is counted in it.
    inside: Vec<Inside>,
    distinct: usize,
    depth: usize,
}

/// What is counted in a `lines`.
#[derive(Default)]
struct Inside {
    /// The sets of distinct numbers.
    sets: Vec<usize>,
    /// How often letters occur.
    counts: Vec<Count>,
}

/// What stands between the fields of a line.
enum Separator {
    Space,
    Blanks(Leeway),
    Text(Vec<u8>),
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, names: Vec<String>) -> Self {
        Self { text, names, inside: Vec::new(), distinct: 0, depth: 0 }
    }
}

impl Builder<'_> {
    fn at(&self, place: Location) -> usize {
        offset(self.text, place)
    }

    fn problem(&self, place: Location, message: impl Into<String>) -> Problem {
        Problem::new(self.at(place), message)
    }

    /// The leeway that a key gives: also in what is made with `word`, only in what is read with `accepted`.
    fn leeway(&self, found: Option<&Text>, word: &str) -> Built<Leeway> {
        match found {
            None => Ok(Leeway::None),
            Some(found) if found.value == word => Ok(Leeway::Both),
            Some(found) if found.value == "accepted" => Ok(Leeway::Reading),
            Some(found) => {
                Err(self.problem(found.referenced, format!("expected `{word}` or `accepted`")))
            }
        }
    }

    fn items(&mut self, items: &[Spanned<Item>]) -> Built<Vec<Command>> {
        /// How deeply items may be nested.
        const DEEPEST: usize = 50;
        if self.depth == DEEPEST {
            let place = items.first().map_or(0, |item| self.at(item.referenced));
            return Err(Problem::new(place, format!("nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let mut commands = Vec::new();
        items.iter().try_for_each(|item| self.item(item, &mut commands))?;
        self.depth -= 1;
        Ok(commands)
    }

    fn item(&mut self, spanned: &Spanned<Item>, commands: &mut Vec<Command>) -> Built<()> {
        let (item, at) = (&spanned.value, self.at(spanned.referenced));
        check_keys(item, at)?;
        let what = if let Some(size) = &item.lines {
            self.lines(size, item, at)?
        } else if let Some(line) = &item.line {
            return self.line(line, item, at, commands);
        } else if let Some(name) = &item.grid {
            self.grid(name, item)?
        } else if item.comments.is_some() || item.blank_lines.is_some() {
            What::Noise(self.noise(item)?)
        } else if let Some(by) = &item.choose {
            self.cases(by, &item.cases, |builder, items| builder.items(items))?
        } else if item.tree.is_some() || item.graph.is_some() {
            self.edges(item)?
        } else if let Some(test) = &item.require {
            What::Assert(self.test(test)?, Some(test.value.clone()))
        } else {
            let kinds = "line, lines, grid, comments, blank lines, choose, tree, graph, require";
            return Err(Problem::new(at, format!("expected an item with one of the keys {kinds}")));
        };
        commands.push(Command { at, what });
        Ok(())
    }

    fn lines(&mut self, size: &Size, item: &Item, at: usize) -> Built<What> {
        let count = self.size(size)?;
        self.inside.push(Inside::default());
        let mut body = Vec::new();
        match (&item.line, &item.each) {
            (Some(line), None) => self.line(line, item, at, &mut body)?,
            (None, Some(items)) => body = self.items(items)?,
            _ => return Err(Problem::new(at, "`lines` needs either `line` or `each`")),
        }
        let inside = self.inside.pop().unwrap_or_default();
        let apart = self.apart(item, &body)?;
        let many = Many::new(count, inside.counts, inside.sets, self.noise(item)?, body);
        Ok(What::Many(Box::new(Many { apart, ..many })))
    }

    fn line(
        &mut self,
        entries: &[Entry],
        item: &Item,
        at: usize,
        commands: &mut Vec<Command>,
    ) -> Built<()> {
        let separator = match (&item.separator, self.leeway(item.blanks.as_ref(), "any")?) {
            (Some(text), Leeway::None) => Separator::Text(text.value.clone().into_bytes()),
            (Some(text), _) => {
                return Err(self.problem(text.referenced, "use either `separator` or `blanks`"));
            }
            (None, Leeway::None) => Separator::Space,
            (None, more) => Separator::Blanks(more),
        };
        self.entries(entries, &separator, false, commands)?;
        if let Separator::Blanks(more) = separator {
            commands.push(Command { at, what: What::Blanks { least: 0, more } });
        }
        commands.push(Command { at, what: What::Newline });
        Ok(())
    }

    /// The entries of a line, with a separator between them, and before the first one if something precedes it.
    fn entries(
        &mut self,
        entries: &[Entry],
        separator: &Separator,
        mut has_before: bool,
        commands: &mut Vec<Command>,
    ) -> Built<()> {
        for entry in entries {
            if let Entry::Choose(by, cases) = entry {
                let at = self.at(by.referenced);
                let what = self.cases(by, cases, |builder, entries: &Vec<Entry>| {
                    let mut commands = Vec::new();
                    builder.entries(entries, separator, has_before, &mut commands)?;
                    Ok(commands)
                })?;
                commands.push(Command { at, what });
                has_before = true;
                continue;
            }
            let at = match entry {
                Entry::Literal(text) | Entry::Choose(text, _) => self.at(text.referenced),
                Entry::Field(name, _) => self.at(name.referenced),
            };
            if has_before {
                commands.extend(separate(separator, at));
            }
            has_before = true;
            let what = match entry {
                Entry::Literal(text) => {
                    What::String(Expr::Value(Value::text(text.value.as_bytes())))
                }
                Entry::Field(name, field) => self.field(name, field, separator, at)?,
                Entry::Choose(..) => continue,
            };
            commands.push(Command { at, what });
        }
        Ok(())
    }

    /// What depends on the value of a field.
    fn cases<T>(
        &mut self,
        by: &Text,
        cases: &Entries<T>,
        mut build: impl FnMut(&mut Self, &T) -> Built<Vec<Command>>,
    ) -> Built<What> {
        let field = self.known(by)?;
        let mut all = Vec::new();
        for (value, items) in &cases.0 {
            let at = self.at(value.referenced);
            let wanted = match Value::number(&value.value) {
                Ok(number) => number,
                Err(_) => Value::text(value.value.as_bytes()),
            };
            all.push(Case { at, value: wanted, commands: build(self, items)? });
        }
        Ok(What::Cases { by: field, cases: all })
    }
}

/// Checks that each key belongs to the kind of the item.
fn check_keys(item: &Item, at: usize) -> Built<()> {
    let is_grid = item.grid.is_some();
    let has_lines = is_grid || item.lines.is_some();
    let is_graph = item.tree.is_some() || item.graph.is_some();
    let kinds = [
        item.lines.is_some() || item.line.is_some(),
        is_grid,
        (item.comments.is_some() || item.blank_lines.is_some()) && !has_lines,
        item.choose.is_some(),
        is_graph,
        item.require.is_some(),
    ];
    if kinds.iter().filter(|&&is_this| is_this).count() > 1 {
        let message = "this item has keys of two kinds: begin each kind with its own `- `";
        return Err(Problem::new(at, message));
    }
    let misplaced = [
        ("apart", !item.apart.0.is_empty(), item.lines.is_some()),
        ("usually apart", !item.usually_apart.0.is_empty(), item.lines.is_some()),
        ("each", item.each.is_some(), item.lines.is_some() && item.line.is_none()),
        ("separator", item.separator.is_some(), item.line.is_some()),
        ("blanks", item.blanks.is_some(), item.line.is_some()),
        ("rows", item.rows.is_some(), is_grid),
        ("columns", item.columns.is_some(), is_grid),
        ("layers", item.layers.is_some(), is_grid),
        ("cells", item.cells.is_some(), is_grid),
        ("letters", !item.letters.0.is_empty(), is_grid),
        ("exactly", !item.exactly.0.is_empty(), is_grid),
        ("at most", !item.at_most.0.is_empty(), is_grid),
        ("walls", item.walls.is_some(), is_grid),
        ("colours", !item.colours.0.is_empty(), is_grid),
        ("cases", !item.cases.0.is_empty(), item.choose.is_some()),
        ("edges", item.edges.is_some(), item.graph.is_some()),
        ("from", item.from.is_some(), is_graph),
        ("fields", !item.fields.is_empty(), is_graph),
        ("connected", item.connected, item.graph.is_some()),
        ("directed", item.directed, item.graph.is_some()),
    ];
    match misplaced.iter().find(|(_, is_there, fits)| *is_there && !fits) {
        Some((key, ..)) => Err(Problem::new(at, format!("`{key}` does not belong to this item"))),
        None => Ok(()),
    }
}
