//! Output and confirmation.

use std::io::{self, BufRead, IsTerminal, Write};

use serde_json::{Map, Value};

use crate::failure::Failure;

/// Options of the output.
pub struct Output {
    pub json: bool,
    pub yes: bool,
}

impl Output {
    /// Prints a result: as JSON, or an object as lines and an array of objects as a table.
    pub fn show(&self, value: &Value) {
        let text = match value {
            _ if self.json => format!("{value:#}"),
            Value::Object(object) => lines(object),
            Value::Array(rows) => table(rows),
            other => plain(other),
        };
        // The reader may have closed the pipe early; that is not an error.
        let _ = writeln!(io::stdout().lock(), "{}", text.trim_end());
    }

    /// Asks for confirmation of a destructive action.
    ///
    /// # Errors
    ///
    /// The answer is not yes, or standard input is not a terminal.
    pub fn confirm(&self, question: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            return Err(Failure::Refused(format!("{question} Confirm with --yes.")));
        }
        eprint!("{question} [y/N] ");
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" if read.is_ok() => Ok(()),
            _ => Err(Failure::Refused("Nothing was done.".to_owned())),
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn lines(object: &Map<String, Value>) -> String {
    let width = object.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    object.iter().map(|(name, value)| format!("{name:width$}  {}\n", plain(value))).collect()
}

fn table(rows: &[Value]) -> String {
    let Some(first) = rows.first().and_then(Value::as_object) else {
        return "(none)".to_owned();
    };
    let head: Vec<String> = first.keys().cloned().collect();
    let cells = rows.iter().map(|row| head.iter().map(|name| plain(&row[name])).collect());
    let all: Vec<Vec<String>> = std::iter::once(head.clone()).chain(cells).collect();
    let width = |column: usize| {
        all.iter().map(|row: &Vec<String>| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  "));
        format!("{}\n", cells.collect::<String>().trim_end())
    };
    all.iter().map(line).collect()
}
