//! A YAML description as it is written. [`super::build`] makes a shape of it.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;
use std::fmt;

/// A text, or a number as it is written.
pub(super) type Text = Spanned<String>;

/// Keys with values.
pub(super) type Entries<T> = super::Entries<Text, T>;

/// A description: its keys, or only the list of the key `input`.
pub struct Description(pub(super) Keys);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub(super) input: Vec<Spanned<Item>>,
    /// Numbers in the name of a test, which follow its flags.
    #[serde(default)]
    pub(super) parameters: Vec<Entry>,
    #[serde(default, rename = "last newline")]
    pub(super) last_newline: Option<Text>,
    #[serde(default, rename = "line ends")]
    pub(super) line_ends: Option<Text>,
}

/// A part of an input. One of its keys says which kind of part it is.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Item {
    pub(super) line: Option<Vec<Entry>>,
    pub(super) separator: Option<Text>,
    pub(super) blanks: Option<Text>,

    pub(super) lines: Option<Size>,
    pub(super) each: Option<Vec<Spanned<Item>>>,

    pub(super) grid: Option<Text>,
    pub(super) rows: Option<Size>,
    pub(super) columns: Option<Size>,
    pub(super) layers: Option<Text>,
    pub(super) cells: Option<Text>,
    pub(super) letters: Entries<Text>,
    pub(super) exactly: Entries<Text>,
    #[serde(rename = "at most")]
    pub(super) at_most: Entries<Text>,
    pub(super) walls: Option<Walls>,
    pub(super) colours: Entries<Text>,

    pub(super) comments: Option<Text>,
    #[serde(rename = "blank lines")]
    pub(super) blank_lines: Option<Text>,

    pub(super) choose: Option<Text>,
    pub(super) cases: Entries<Vec<Spanned<Item>>>,

    pub(super) tree: Option<Text>,
    pub(super) graph: Option<Text>,
    pub(super) edges: Option<Text>,
    pub(super) from: Option<i64>,
    pub(super) connected: bool,
    pub(super) directed: bool,
    pub(super) fields: Vec<Entry>,

    pub(super) require: Option<Text>,
}

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Walls {
    pub(super) north: u8,
    pub(super) east: u8,
    pub(super) south: u8,
    pub(super) west: u8,
}

/// What stands in a line: a text as it is, a field, or what a field before it chooses.
pub(super) enum Entry {
    Literal(Text),
    Field(Text, Spanned<Field>),
    Choose(Text, Entries<Vec<Entry>>),
}

/// What a field may be.
pub(super) enum Field {
    Range(String),
    Detailed(Box<Details>),
}

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Details {
    pub(super) range: Option<Text>,
    pub(super) usual: Option<Text>,
    pub(super) distinct: bool,
    pub(super) decimal: Option<Text>,
    pub(super) decimals: Option<Text>,
    #[serde(rename = "one of")]
    pub(super) one_of: Option<Vec<Text>>,
    pub(super) letter: Option<Text>,
    pub(super) exactly: Entries<Text>,
    #[serde(rename = "at most")]
    pub(super) at_most: Entries<Text>,
    pub(super) text: Option<Text>,
    pub(super) length: Option<Text>,
    pub(super) list: Option<Text>,
    pub(super) count: Option<Text>,
    pub(super) permutation: Option<Text>,
}

/// How many rows, columns or lines there are: an expression, a range, or a range with a name.
pub(super) enum Size {
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
                let keys =
                    Keys { input, parameters: Vec::new(), last_newline: None, line_ends: None };
                Ok(Description(keys))
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
