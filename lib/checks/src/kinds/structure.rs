//! The columns of tables.

use super::judgement::Judgement;
use crate::output::{Output, Table, cells, lowered};

/// A table whose head has these names, in this order or another.
pub fn columns(output: &Output<'_>, names: &[String]) -> Judgement {
    let tables = &output.markdown().tables;
    let wanted = names.join(" | ");
    let Some(first) = tables.first() else { return Judgement::of(false, wanted) };
    let plain =
        |text: &str| lowered(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let columns = |table: &Table| cells(output.at(&table.head));
    let has = |table: &&Table| {
        let own = columns(table);
        if own.len() != names.len() {
            return false;
        }
        budget::spend(names.len() * names.len());
        let own: Vec<String> = own.into_iter().map(plain).collect();
        // "Price" may be headed "Price (EUR)".
        names.iter().all(|name| own.iter().any(|own| own.starts_with(name.as_str())))
    };
    let found = tables.iter().find(has);
    let head = found.unwrap_or(first);
    Judgement::of(found.is_some(), wanted)
        .found(columns(head).join(" | "))
        .at(Some(head.range.clone()))
}
