//! The colours in which the letters of a grid are drawn.

use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Black,
    Gray,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
}

/// The colours with their names in a shape.
pub(crate) const COLOURS: [(&str, Colour); 8] = [
    ("black", Colour::Black),
    ("gray", Colour::Gray),
    ("red", Colour::Red),
    ("green", Colour::Green),
    ("yellow", Colour::Yellow),
    ("blue", Colour::Blue),
    ("magenta", Colour::Magenta),
    ("cyan", Colour::Cyan),
];

impl Colour {
    pub(crate) fn named(name: &str) -> Option<Self> {
        COLOURS.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour)
    }
}

/// The colours of a grid's letters.
pub(crate) type Colours = BTreeMap<u8, Colour>;
