//! The YAML description of a shape as it is written. `docs/shapes.md` documents it.

pub(super) mod entries;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;
use std::fmt;

/// Reads a description.
///
/// # Errors
/// If the text is not YAML, or has an unknown key, a missing key, or a value of the wrong type.
pub(super) fn read(text: &str) -> Result<Description, serde_yaml::Error> {
    from_yaml(text)
}

/// Reads the value of the key `usual`, as [`read`] does.
pub(super) fn read_entries(text: &str) -> Result<Entries<Text>, serde_yaml::Error> {
    from_yaml(text)
}

fn from_yaml<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, serde_yaml::Error> {
    let options = serde_yaml::options! { with_snippet: false, strict_booleans: true };
    serde_yaml::from_str_with_options(text, options)
}

/// A text, or a number as it is written.
pub(super) type Text = Spanned<String>;

/// Keys with values.
pub(super) type Entries<T> = entries::Entries<Text, T>;

/// A description: its keys, or only the list of the key `input`.
pub struct Description(pub Keys);

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    pub input: Vec<Spanned<Item>>,
    /// The structures that lists and texts rather have.
    #[serde(default)]
    pub usual: Entries<Text>,
    /// Numbers in the name of a test, which follow its flags.
    #[serde(default)]
    pub parameters: Vec<Entry>,
    #[serde(default, rename = "last newline")]
    pub last_newline: Option<Text>,
    #[serde(default, rename = "line ends")]
    pub line_ends: Option<Text>,
}

/// A part of an input. One of its keys says which kind of part it is.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Item {
    pub line: Option<Vec<Entry>>,
    pub separator: Option<Text>,
    pub blanks: Option<Text>,

    pub lines: Option<Size>,
    pub each: Option<Vec<Spanned<Item>>>,
    pub apart: Entries<Text>,
    #[serde(rename = "usually apart")]
    pub usually_apart: Entries<Text>,

    pub grid: Option<Text>,
    pub rows: Option<Size>,
    pub columns: Option<Size>,
    pub layers: Option<Text>,
    pub cells: Option<Text>,
    pub letters: Entries<Text>,
    pub exactly: Entries<Text>,
    #[serde(rename = "at most")]
    pub at_most: Entries<Text>,
    pub walls: Option<Walls>,
    pub colours: Entries<Text>,

    pub comments: Option<Text>,
    #[serde(rename = "blank lines")]
    pub blank_lines: Option<Text>,

    pub choose: Option<Text>,
    pub cases: Entries<Vec<Spanned<Item>>>,

    pub tree: Option<Text>,
    pub graph: Option<Text>,
    pub edges: Option<Text>,
    pub from: Option<i64>,
    pub connected: bool,
    pub directed: bool,
    pub fields: Vec<Entry>,

    pub require: Option<Text>,
}

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walls {
    pub north: u8,
    pub east: u8,
    pub south: u8,
    pub west: u8,
}

/// What stands in a line: a text as it is, a field, or what a field before it chooses.
pub enum Entry {
    Literal(Text),
    Field(Text, Spanned<Field>),
    Choose(Text, Entries<Vec<Entry>>),
}

/// What a field may be.
pub enum Field {
    Range(String),
    Detailed(Box<Details>),
}

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Details {
    pub range: Option<Text>,
    pub usual: Option<Text>,
    pub distinct: bool,
    pub decimal: Option<Text>,
    pub decimals: Option<Text>,
    #[serde(rename = "one of")]
    pub one_of: Option<Vec<Text>>,
    pub letter: Option<Text>,
    pub exactly: Entries<Text>,
    #[serde(rename = "at most")]
    pub at_most: Entries<Text>,
    pub text: Option<Text>,
    pub length: Option<Text>,
    pub list: Option<Text>,
    pub count: Option<Text>,
    pub permutation: Option<Text>,
}

/// How many rows, columns or lines there are: an expression, a range, or a range with a name.
pub enum Size {
    Plain(Text),
    Named(Text, Text),
}

impl<'de> Deserialize<'de> for Description {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Description;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the key `input` with a list of items, or the list alone")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Description, A::Error> {
                let input = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Description(Keys { input, ..Keys::default() }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Description, A::Error> {
                Keys::deserialize(MapAccessDeserializer::new(map)).map(Description)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// What a visitor reads from any value, so that it can have a place.
struct Placed<'de, V: Visitor<'de>>(V::Value);

impl<'de, V: Visitor<'de> + Default> Deserialize<'de> for Placed<'de, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(V::default()).map(Self)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A text without its place, or the inside of a mapping.
        enum Inner {
            Literal(String),
            Field(Text, Spanned<Field>),
            Choose(Text, Entries<Vec<Entry>>),
        }
        #[derive(Default)]
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Inner;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, or a field as in `{ name: 1 .. 9 }`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Inner, E> {
                Ok(Inner::Literal(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Inner, A::Error> {
                let Some(name) = map.next_key::<Text>()? else {
                    return Err(A::Error::custom("expected a field as in `{ name: 1 .. 9 }`"));
                };
                if name.value != "choose" {
                    let field = map.next_value()?;
                    return match map.next_key::<String>()? {
                        None => Ok(Inner::Field(name, field)),
                        Some(other) => {
                            let message = if ["count", "distinct", "length"].contains(&&*other) {
                                format!(
                                    "`{other}` belongs to a list, as in `x: {{ list: 1 .. 9, count: 3 }}`"
                                )
                            } else {
                                format!("`{other}` must be a list item of its own")
                            };
                            Err(A::Error::custom(message))
                        }
                    };
                }
                let by = map.next_value()?;
                match map.next_key::<String>()?.as_deref() {
                    Some("cases") => Ok(Inner::Choose(by, map.next_value()?)),
                    _ => Err(A::Error::custom("`choose` needs `cases` after it")),
                }
            }
        }
        let Spanned { value: Placed(inner), referenced, defined } =
            Spanned::<Placed<'_, Either>>::deserialize(deserializer)?;
        Ok(match inner {
            Inner::Literal(value) => Self::Literal(Spanned { value, referenced, defined }),
            Inner::Field(name, field) => Self::Field(name, field),
            Inner::Choose(by, cases) => Self::Choose(by, cases),
        })
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a range as in `1 .. 9`, or what the field is as in `{ one of: [a, b] }`",
                )
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Field, E> {
                Ok(Field::Range(text.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Field, E> {
                Ok(Field::Range(number.to_string()))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Field, E> {
                Ok(Field::Range(number.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Field, A::Error> {
                let details = Details::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Field::Detailed(Box::new(details)))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        enum Inner {
            Plain(String),
            Named(Text, Text),
        }
        #[derive(Default)]
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Inner;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression, a range as in `1 .. 9`, or both with a name as in `{ rows: 1 .. 9 }`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Inner, E> {
                Ok(Inner::Plain(text.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Inner, E> {
                Ok(Inner::Plain(number.to_string()))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Inner, E> {
                Ok(Inner::Plain(number.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Inner, A::Error> {
                let entry = map.next_entry()?;
                match (entry, map.next_key::<String>()?) {
                    (Some((name, range)), None) => Ok(Inner::Named(name, range)),
                    _ => Err(A::Error::custom(
                        "expected one name with its range, as in `{ rows: 1 .. 9 }`",
                    )),
                }
            }
        }
        let Spanned { value: Placed(inner), referenced, defined } =
            Spanned::<Placed<'_, Either>>::deserialize(deserializer)?;
        Ok(match inner {
            Inner::Plain(value) => Self::Plain(Spanned { value, referenced, defined }),
            Inner::Named(name, range) => Self::Named(name, range),
        })
    }
}
