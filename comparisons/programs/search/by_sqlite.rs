//! SQLite's FTS5, without positions, with indexes of beginnings, and with filters as words of their own.

use std::path::Path;

use rusqlite::{CachedStatement, Connection, Params, Result, named_params};
use search_index::{Document, Sort};

use crate::items::{Found, PAGE, Wanted, searched};

/// `detail=none` and `columnsize=0` leave out what only phrases and scores need. Marks belong to words, as they do in
/// ours; `_` is in no word, and begins a filter.
const SCHEMA: &str = "
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -1000000; PRAGMA mmap_size = 4000000000; PRAGMA temp_store = MEMORY;
    CREATE TABLE items(id INTEGER PRIMARY KEY, top INTEGER NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, detail=none, prefix='1 2 3',
        tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N*' tokenchars '_'\");";

pub struct Sqlite {
    connection: Connection,
    newest: u64,
}

impl Sqlite {
    /// The newest item has the highest number, so that the index itself is in order of time.
    pub fn build(
        file: &Path,
        items: &[Document],
        top: &[u64],
        categories: &Categories,
    ) -> Result<Self> {
        let newest = items.len() as u64;
        let mut connection = Connection::open(file)?;
        connection.execute_batch(SCHEMA)?;
        let transaction = connection.transaction()?;
        {
            let mut words = transaction.prepare("INSERT INTO words(rowid, text) VALUES (?, ?)")?;
            let mut numbers = transaction.prepare("INSERT INTO items(id, top) VALUES (?, ?)")?;
            for (item, top) in items.iter().zip(top).rev() {
                let id = newest - item.id as u64;
                let filters = filters(Some(&item.category), item.models, categories);
                let text = [&searched(item)[..], &filters].concat();
                words.execute((id as i64, text.join(" ")))?;
                numbers.execute((id as i64, *top as i64))?;
            }
        }
        transaction.commit()?;
        connection.execute_batch("INSERT INTO words(words) VALUES ('optimize'); ANALYZE;")?;
        Ok(Self { connection, newest })
    }

    pub fn search(&self, wanted: &Wanted, categories: &Categories) -> Result<Found> {
        let matching = matching(wanted, categories);
        let order = match wanted.sort {
            Sort::Recent => {
                "SELECT rowid FROM words WHERE words MATCH :matching
                 ORDER BY rowid DESC LIMIT :page OFFSET :before"
            }
            Sort::Top => {
                "SELECT id FROM words JOIN items ON id = words.rowid WHERE words MATCH :matching
                 ORDER BY top LIMIT :page OFFSET :before"
            }
        };
        let mut page = self.connection.prepare_cached(order)?;
        let parameters =
            named_params! { ":matching": matching, ":page": PAGE, ":before": wanted.page * PAGE };
        let items = numbers(&mut page, parameters)?;
        let items = items.into_iter().map(|id| self.newest - id).collect();
        let mut count =
            self.connection.prepare_cached("SELECT count(*) FROM words WHERE words MATCH ?")?;
        let total = numbers(&mut count, [&matching])?[0];
        Ok(Found { items, total })
    }
}

fn numbers(statement: &mut CachedStatement<'_>, parameters: impl Params) -> Result<Vec<u64>> {
    statement
        .query_map(parameters, |row| row.get::<_, i64>(0).map(|number| number as u64))?
        .collect()
}

/// Categories by number: their names are no words.
pub type Categories = Vec<String>;

fn filters(category: Option<&str>, models: u64, categories: &Categories) -> Vec<String> {
    let category = categories.iter().position(|known| Some(known.as_str()) == category);
    let models = (0..64).filter(|model| models >> model & 1 == 1);
    let category = category.map(|number| format!("_c{number}"));
    category.into_iter().chain(models.map(|model| format!("_m{model}"))).collect()
}

fn matching(wanted: &Wanted, categories: &Categories) -> String {
    let mut all: Vec<String> = wanted.words.iter().map(|word| format!("\"{word}\"")).collect();
    all.extend(wanted.beginning.iter().map(|word| format!("\"{word}\" *")));
    all.extend(filters(wanted.category.as_deref(), 0, categories));
    if wanted.models != 0 {
        all.push(format!("({})", filters(None, wanted.models, categories).join(" OR ")));
    }
    all.join(" AND ")
}
