//! JSON text into a value, refusing what JSON parsers disagree on: an object that names a property
//! twice (RFC 8259, section 4, leaves its meaning open).

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::Detail;

/// Reads one JSON value and nothing behind it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Vec<Detail>> {
    let duplicates = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let seed = Seed { path: String::new(), duplicates: &duplicates };
    let value = seed
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| {
            let place = format!("line {} column {}", error.line(), error.column());
            vec![Detail::new("", format!("is not valid JSON at {place}"))]
        })?;
    let duplicates = duplicates.into_inner();
    if duplicates.is_empty() { Ok(value) } else { Err(duplicates) }
}

/// `name` as a segment of a JSON pointer (RFC 6901, section 3).
pub(crate) fn segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

struct Seed<'a> {
    path: String,
    duplicates: &'a RefCell<Vec<Detail>>,
}

impl Seed<'_> {
    fn below(&self, segment: &str) -> Self {
        Seed { path: format!("{}/{segment}", self.path), duplicates: self.duplicates }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
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

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
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
        while let Some(item) = items.next_element_seed(self.below(&list.len().to_string()))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let below = self.below(&segment(&name));
            if object.contains_key(&name) {
                let twice = Detail::new(below.path.clone(), "is given more than once");
                self.duplicates.borrow_mut().push(twice);
            }
            let value = entries.next_value_seed(below)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
