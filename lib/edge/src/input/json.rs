//! Parses JSON and rejects what parsers disagree on: an object that repeats a property name
//! (RFC 8259, section 4, does not define its meaning).

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::{Detail, response::error::PROBLEMS_MAX};

/// Why a text is rejected.
#[derive(Clone, Debug)]
pub enum JsonError {
    /// It is not JSON.
    NotJson(Detail),
    /// It is JSON, but repeats property names or exceeds a bound.
    Refused(Vec<Detail>),
}

/// Parses one JSON value with nothing after it, in which no property is repeated: the rules of
/// request bodies, for a protocol with its own error messages.
///
/// # Errors
///
/// [`JsonError`]
pub fn parse_json(bytes: &[u8]) -> Result<Value, JsonError> {
    match parse(bytes) {
        Ok((value, duplicates)) if duplicates.is_empty() => Ok(value),
        Ok((_, duplicates)) => Err(JsonError::Refused(duplicates)),
        Err(detail) if detail.message.starts_with(NOT_JSON) => Err(JsonError::NotJson(detail)),
        Err(detail) => Err(JsonError::Refused(vec![detail])),
    }
}

/// Parses one JSON value with nothing after it; also returns the repeated properties, of which the
/// last one is kept.
pub(crate) fn parse(bytes: &[u8]) -> Result<(Value, Vec<Detail>), Detail> {
    let duplicates = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let room = Cell::new(VALUES_MAX);
    let seed = Seed { path: Path::Root, duplicates: &duplicates, room: &room };
    let value = seed
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| {
            let place = format!("line {} column {}", error.line(), error.column());
            // Both are valid JSON that this parser rejects; only its message tells which.
            let said = error.to_string();
            let problem = if said.starts_with(TOO_MANY) {
                TOO_MANY
            } else if said.starts_with("recursion limit") {
                "is nested too deeply"
            } else if said.starts_with("number out of range") {
                "has a number that is out of range"
            } else {
                NOT_JSON
            };
            Detail::new("", format!("{problem} at {place}"))
        })?;
    Ok((value, duplicates.into_inner()))
}

/// Whole numbers up to 2^53 are exact in every parser (RFC 8259, section 6).
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Most values of a body in all. No request needs a hundredth of them, and validation keeps one
/// problem for each that breaks a rule.
const VALUES_MAX: usize = 20_000;
const TOO_MANY: &str = "has more than 20000 values";

const NOT_JSON: &str = "is not valid JSON";

/// Most characters of a property name that a problem repeats.
const NAME_MAX: usize = 200;

/// Most bytes of a location that a problem repeats: deeply nested names are repeated by every problem below them.
const POINTER_MAX: usize = 400;

/// `name` as a segment of a JSON pointer (RFC 6901, section 3), cut where no real name is as long.
pub(crate) fn segment(name: &str) -> String {
    let name: String = name.chars().take(NAME_MAX).collect();
    name.replace('~', "~0").replace('/', "~1")
}

/// The location of a value. Formatted only for a problem: most values have none.
enum Path<'a> {
    Root,
    Property(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// As a JSON pointer, cut where no real location is as long.
    fn pointer(&self) -> String {
        let mut pointer = self.to_string();
        pointer.truncate(pointer.floor_char_boundary(POINTER_MAX));
        pointer
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Property(parent, name) => write!(f, "{parent}/{}", segment(name)),
            Path::Item(parent, position) => write!(f, "{parent}/{position}"),
        }
    }
}

struct Seed<'a> {
    path: Path<'a>,
    duplicates: &'a RefCell<Vec<Detail>>,
    /// How many more values are allowed.
    room: &'a Cell<usize>,
}

impl Seed<'_> {
    fn count<E: Error>(&self) -> Result<(), E> {
        let left = self.room.get().checked_sub(1).ok_or_else(|| E::custom(TOO_MANY))?;
        self.room.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// JSON has one kind of number: `350.0` and `3.5e2` are whole, as far as they are exact.
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            #[allow(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
            return Ok((value as i64).into());
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let path = Path::Item(&self.path, list.len());
            let seed = Seed { path, duplicates: self.duplicates, room: self.room };
            match items.next_element_seed(seed)? {
                Some(item) => list.push(item),
                None => break,
            }
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let path = Path::Property(&self.path, &name);
            let mut duplicates = self.duplicates.borrow_mut();
            if duplicates.len() < PROBLEMS_MAX && object.contains_key(&name) {
                duplicates.push(Detail::new(path.pointer(), "is given more than once"));
            }
            drop(duplicates);
            let value = entries.next_value_seed(Seed {
                path,
                duplicates: self.duplicates,
                room: self.room,
            })?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
