//! Makes a shape of a YAML description.

use super::offset;
use super::raw::{Description, Details, Entries, Entry, Field, Item, Size, Text};
use crate::Problem;
use crate::ctd::{parse_expression, parse_test};
use crate::edges::EdgesRule;
use crate::grid::{Count, GridRule, Side, Walls};
use crate::medium::Form;
use crate::pattern::Pattern;
use crate::tree::{
    Case, Command, Comparison, Expr, Many, Noise, Parameter, Shape, Test, Until, Variable, What,
};
use crate::value::Value;
use serde_yaml::{Location, Spanned};
use std::sync::Arc;

type Built<T> = Result<T, Problem>;

/// Makes a shape of a description, whose text is `text`.
pub(super) fn shape(text: &str, description: Description) -> Built<Shape> {
    let mut builder =
        Builder { text, names: Vec::new(), inside: Vec::new(), distinct: 0, depth: 0 };
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
    let has_optional_newline = builder.is_word(description.last_newline.as_ref(), "optional")?;
    let has_any_line_ends = builder.is_word(description.line_ends.as_ref(), "any")?;
    let mut shape = Shape::new(builder.names, commands);
    shape.follow()?;
    Ok(Shape { parameters, has_optional_newline, has_any_line_ends, ..shape })
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
    Blanks,
    Text(Vec<u8>),
}

impl Builder<'_> {
    fn at(&self, place: Location) -> usize {
        offset(self.text, place)
    }

    fn problem(&self, place: Location, message: impl Into<String>) -> Problem {
        Problem::new(self.at(place), message)
    }

    /// Whether a key is there. It has only one value.
    fn is_word(&self, found: Option<&Text>, word: &str) -> Built<bool> {
        match found {
            Some(found) if found.value != word => {
                Err(self.problem(found.referenced, format!("expected `{word}`")))
            }
            found => Ok(found.is_some()),
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
        self.check_keys(item, at)?;
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

    /// Checks that each key belongs to the kind of the item.
    fn check_keys(&self, item: &Item, at: usize) -> Built<()> {
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
            ("cases", !item.cases.0.is_empty(), item.choose.is_some()),
            ("edges", item.edges.is_some(), item.graph.is_some()),
            ("from", item.from.is_some(), is_graph),
            ("fields", !item.fields.is_empty(), is_graph),
            ("connected", item.connected, item.graph.is_some()),
            ("directed", item.directed, item.graph.is_some()),
        ];
        match misplaced.iter().find(|(_, is_there, fits)| *is_there && !fits) {
            Some((key, ..)) => {
                Err(Problem::new(at, format!("`{key}` does not belong to this item")))
            }
            None => Ok(()),
        }
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
        Ok(What::Many(Box::new(Many::new(
            count,
            inside.counts,
            inside.sets,
            self.noise(item)?,
            body,
        ))))
    }

    fn line(
        &mut self,
        entries: &[Entry],
        item: &Item,
        at: usize,
        commands: &mut Vec<Command>,
    ) -> Built<()> {
        let separator = match (&item.separator, self.is_word(item.blanks.as_ref(), "any")?) {
            (Some(text), true) => {
                return Err(self.problem(text.referenced, "use either `separator` or `blanks`"));
            }
            (Some(text), false) => Separator::Text(text.value.clone().into_bytes()),
            (None, true) => Separator::Blanks,
            (None, false) => Separator::Space,
        };
        self.entries(entries, &separator, false, commands)?;
        if matches!(separator, Separator::Blanks) {
            commands.push(Command { at, what: What::Blanks { least: 0 } });
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

    fn field(
        &mut self,
        name: &Text,
        field: &Spanned<Field>,
        separator: &Separator,
        at: usize,
    ) -> Built<What> {
        let variable = self.variable(name)?;
        match &field.value {
            Field::Range(range) => {
                let (least, most) = self.range(range, field.referenced)?;
                Ok(What::Int { least, most, name: Some(variable), distinct: None })
            }
            Field::Detailed(details) => {
                self.detailed(variable, details, field.referenced, separator, at)
            }
        }
    }

    fn detailed(
        &mut self,
        name: Variable,
        details: &Details,
        place: Location,
        separator: &Separator,
        at: usize,
    ) -> Built<What> {
        let Details { range, decimal, one_of, letter, text, list, permutation, .. } = details;
        let kinds = [range, decimal, letter, text, list, permutation];
        let count =
            kinds.iter().filter(|kind| kind.is_some()).count() + usize::from(one_of.is_some());
        if count != 1 {
            let keys = "range, decimal, one of, letter, text, list, permutation";
            return Err(self.problem(place, format!("a field has one of the keys {keys}")));
        }
        let name = Some(name);
        if let Some(range) = range {
            let (least, most) = self.range(&range.value, range.referenced)?;
            let distinct = if details.distinct { Some(self.distinct(place)?) } else { None };
            return Ok(What::Int { least, most, name, distinct });
        }
        if let Some(range) = decimal {
            let (least, most) = self.range(&range.value, range.referenced)?;
            let decimals = details.decimals.as_ref();
            let decimals =
                decimals.map(|text| self.range(&text.value, text.referenced)).transpose()?;
            return Ok(What::Float { least, most, decimals, name, form: Form::Fixed });
        }
        if let Some(words) = one_of {
            if words.is_empty() {
                return Err(self.problem(place, "`one of` needs at least one word"));
            }
            let words = words.iter().map(|word| word.value.clone().into_bytes()).collect();
            return Ok(What::Word { words, name });
        }
        if let Some(letters) = letter {
            return self.letter(name, letters, details, place);
        }
        if let Some(expression) = text {
            return self.text(name, expression, details);
        }
        let (least, most, count) = match (list, permutation) {
            (Some(range), _) => {
                let (least, most) = self.range(&range.value, range.referenced)?;
                let Some(count) = &details.count else {
                    return Err(self.problem(place, "`list` needs `count`"));
                };
                (least, most, self.expression(count)?)
            }
            (None, Some(count)) => {
                let count = self.expression(count)?;
                (Expr::Value(Value::Small(1)), count.clone(), count)
            }
            (None, None) => return Err(self.problem(place, "this field is empty")),
        };
        let is_distinct = details.distinct || permutation.is_some();
        let set = is_distinct.then(|| self.new_set());
        let number = What::Int { least, most, name, distinct: set };
        let separator = separate(separator, at).map(Box::new);
        let body = vec![Command { at, what: number }];
        let repeat = What::Repeat { index: None, until: Until::Count(count), separator, body };
        let forget = Command { at, what: What::Forget(set.into_iter().collect()) };
        Ok(What::Block(vec![forget, Command { at, what: repeat }]))
    }

    fn letter(
        &mut self,
        name: Option<Variable>,
        letters: &Text,
        details: &Details,
        place: Location,
    ) -> Built<What> {
        let counts = self.counts(&details.exactly, &details.at_most)?;
        let mut letters = self.alphabet(letters)?;
        letters.retain(|letter| counts.iter().all(|count| count.letter != *letter));
        if !counts.is_empty() {
            match self.inside.last_mut() {
                Some(inside) if inside.counts.is_empty() => inside.counts = counts,
                Some(_) => {
                    let message = "only one letter of a list can have counts";
                    return Err(self.problem(place, message));
                }
                None => return Err(self.problem(place, "letters are counted in `lines` and grids")),
            }
        }
        Ok(What::Letter { letters, name })
    }

    fn text(
        &mut self,
        name: Option<Variable>,
        expression: &Text,
        details: &Details,
    ) -> Built<What> {
        let compiled = Pattern::new(expression.value.as_bytes());
        let compiled = compiled.map_err(|message| self.problem(expression.referenced, message))?;
        let length = details.length.as_ref().map(|length| self.expression(length)).transpose()?;
        let expression = Expr::Value(Value::text(expression.value.as_bytes()));
        let regex =
            What::Regex { expression, compiled: Some(Arc::new(compiled)), name: name.clone() };
        let (Some(length), Some(name)) = (length, name) else { return Ok(regex) };
        // The shape finds the length of a text in the assertion after it.
        let at = details.length.as_ref().map_or(0, |length| self.at(length.referenced));
        let source = format!("the length of {}", self.names[name.name]);
        let actual = Expr::Length(Box::new(Expr::Variable(name)));
        let test = Test::Compare(Comparison::Equal, actual, length);
        let source = details.length.as_ref().map(|length| format!("{source} is {}", length.value));
        let assert = What::Assert(test, source);
        Ok(What::Block(vec![Command { at: at + 1, what: regex }, Command { at, what: assert }]))
    }

    fn grid(&mut self, name: &Text, item: &Item) -> Built<What> {
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
        })))
    }

    /// Comments and blank lines.
    fn noise(&self, item: &Item) -> Built<Vec<Noise>> {
        let mut noise = Vec::new();
        if let Some(prefix) = &item.comments {
            if prefix.value.is_empty() {
                return Err(self.problem(prefix.referenced, "expected what comments begin with"));
            }
            noise.push(Noise::Comments(prefix.value.clone().into_bytes()));
        }
        if self.is_word(item.blank_lines.as_ref(), "optional")? {
            noise.push(Noise::BlankLines);
        }
        Ok(noise)
    }

    fn counts(&mut self, exactly: &Entries<Text>, at_most: &Entries<Text>) -> Built<Vec<Count>> {
        let exactly = exactly.0.iter().map(|entry| (entry, true));
        let all = exactly.chain(at_most.0.iter().map(|entry| (entry, false)));
        all.map(|((letter, count), is_exact)| {
            Ok(Count { letter: self.one_letter(letter)?, count: self.expression(count)?, is_exact })
        })
        .collect()
    }

    fn edges(&mut self, item: &Item) -> Built<What> {
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

    /// The set of distinct numbers of the list around this place.
    fn distinct(&mut self, place: Location) -> Built<usize> {
        let set = self.new_set();
        match self.inside.last_mut() {
            Some(inside) => inside.sets.push(set),
            None => {
                return Err(self.problem(place, "`distinct` numbers are in `lines` or a `list`"));
            }
        }
        Ok(set)
    }

    fn new_set(&mut self) -> usize {
        self.distinct += 1;
        self.distinct - 1
    }

    fn size(&mut self, size: &Size) -> Built<Side> {
        match size {
            Size::Plain(text) if !text.value.contains("..") => {
                Ok(Side::Given(self.expression(text)?))
            }
            Size::Plain(text) => {
                let (least, most) = self.range(&text.value, text.referenced)?;
                Ok(Side::Own { least, most, name: None })
            }
            Size::Named(name, text) => {
                let (least, most) = self.range(&text.value, text.referenced)?;
                Ok(Side::Own { least, most, name: Some(self.variable(name)?) })
            }
        }
    }

    /// A range such as `1 .. n`, or one number.
    fn range(&mut self, text: &str, place: Location) -> Built<(Expr, Expr)> {
        let start = self.inner(place);
        let Some((least, most)) = text.split_once("..") else {
            let number = self.parsed(text, start, parse_expression)?;
            return Ok((number.clone(), number));
        };
        let most_at = start + least.len() + "..".len();
        let bounds = (
            self.parsed(least, start, parse_expression)?,
            self.parsed(most, most_at, parse_expression)?,
        );
        if let (Expr::Value(least), Expr::Value(most)) = &bounds
            && least.compare(most).is_ok_and(std::cmp::Ordering::is_gt)
        {
            let message = format!("there is no number from {least} to {most}");
            return Err(Problem::new(start, message));
        }
        Ok(bounds)
    }

    fn expression(&mut self, text: &Text) -> Built<Expr> {
        let start = self.inner(text.referenced);
        self.parsed(&text.value, start, parse_expression)
    }

    fn test(&mut self, text: &Text) -> Built<Test> {
        let start = self.inner(text.referenced);
        self.parsed(&text.value, start, parse_test)
    }

    /// Parses a text that begins at an offset. It may name only fields that come before it.
    fn parsed<T>(
        &mut self,
        text: &str,
        start: usize,
        parse: impl Fn(&str, &mut Vec<String>) -> Result<T, Problem>,
    ) -> Built<T> {
        let before = self.names.len();
        let parsed = parse(text, &mut self.names);
        let parsed = parsed.map_err(|problem| Problem { at: start + problem.at, ..problem })?;
        match self.names.get(before) {
            None => Ok(parsed),
            Some(unknown) => {
                let message = format!("there is no field `{unknown}` before this");
                let blanks = text.len() - text.trim_start().len();
                let hint = match &self.names[..before] {
                    [] => "name a field in an item before this one".to_owned(),
                    names => format!("the fields before this are {}", names.join(", ")),
                };
                Err(Problem { hint: Some(hint), ..Problem::new(start + blanks, message) })
            }
        }
    }

    /// The offset of the text of a scalar, which may be in quotes.
    fn inner(&self, place: Location) -> usize {
        let at = self.at(place);
        at + usize::from(self.text[at..].starts_with(['"', '\'']))
    }

    /// A field that comes before this.
    fn known(&mut self, name: &Text) -> Built<Variable> {
        match self.expression(name)? {
            Expr::Variable(variable) => Ok(variable),
            _ => Err(self.problem(name.referenced, "expected the name of a field")),
        }
    }

    fn variable(&mut self, name: &Text) -> Built<Variable> {
        let is_name = name.value.starts_with(|c: char| c.is_ascii_lowercase())
            && name.value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !is_name {
            let message = format!("`{}` is not a name: use small letters and digits", name.value);
            return Err(self.problem(name.referenced, message));
        }
        let index = self.names.iter().position(|known| *known == name.value);
        let name = index.unwrap_or_else(|| {
            self.names.push(name.value.clone());
            self.names.len() - 1
        });
        Ok(Variable { name, indices: Vec::new() })
    }

    /// The letters of `a-f.#`.
    fn alphabet(&self, text: &Text) -> Built<Vec<u8>> {
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

    fn one_letter(&self, text: &Text) -> Built<u8> {
        match text.value.as_bytes() {
            &[letter] if (b' '..=b'~').contains(&letter) => Ok(letter),
            _ => Err(self.problem(text.referenced, "expected one letter")),
        }
    }
}

fn separate(separator: &Separator, at: usize) -> Option<Command> {
    let what = match separator {
        Separator::Space => What::Space,
        Separator::Blanks => What::Blanks { least: 1 },
        Separator::Text(text) if text.is_empty() => return None,
        Separator::Text(text) => What::String(Expr::Value(Value::text(text))),
    };
    Some(Command { at, what })
}
