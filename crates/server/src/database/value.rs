//! Values and rows, alike for both databases.

use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut};

/// A value of a parameter or a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Self {
        Self::Int(i64::from(is))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Value {
    /// PostgreSQL has no text with the character NUL, which anybody may send. Nothing that is stored has the character in its place.
    fn from(text: String) -> Self {
        Self::Text(if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text })
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::from(text.clone())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn to_sql_checked(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        self.to_sql(kind, out)
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, ValueRef};
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// A row of an answer. Columns count from 0. A column of another type than the one asked for is a mistake in the SQL, so it panics;
/// the database says of which type a column is, never a user.
#[derive(Clone, Debug)]
pub struct Row(pub(super) Vec<Value>);

impl Row {
    pub fn values(&self) -> &[Value] {
        &self.0
    }

    pub fn int(&self, column: usize) -> i64 {
        self.maybe_int(column).expect("the column is not null")
    }

    pub fn maybe_int(&self, column: usize) -> Option<i64> {
        match &self.0[column] {
            Value::Int(number) => Some(*number),
            Value::Null => None,
            other => panic!("column {column} is {other:?}"),
        }
    }

    pub fn is(&self, column: usize) -> bool {
        self.int(column) != 0
    }

    pub fn text(&self, column: usize) -> String {
        self.maybe_text(column).expect("the column is not null")
    }

    pub fn maybe_text(&self, column: usize) -> Option<String> {
        match &self.0[column] {
            Value::Text(text) => Some(text.clone()),
            Value::Null => None,
            other => panic!("column {column} is {other:?}"),
        }
    }

    pub fn bytes(self, column: usize) -> Vec<u8> {
        match self.0.into_iter().nth(column) {
            Some(Value::Bytes(bytes)) => bytes,
            other => panic!("column {column} is {other:?}"),
        }
    }
}
