//! Searching the library: its own snapshots against tantivy and SQLite's FTS5, over the same items.
//!
//! `comparisons/run search [items]`. A search wants what the API shows: the thirty items of a page, newest first or by
//! votes, and the exact number of all that match. All three must give the same answer. Each index is built once; the
//! others' are files that the system has in memory.

mod by_sqlite;
mod by_tantivy;
mod items;
mod ours;

use std::{error::Error, fs, path::Path, time::Duration};

use comparisons::{Way, median, print, race};
use cpu_time::ProcessTime;

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000_000);
    let items = items::items(count);
    let top = items::top(&items);
    let mut categories: Vec<String> = items.iter().map(|item| item.category.clone()).collect();
    categories.sort_unstable();
    categories.dedup();
    let scratch = tempfile::tempdir()?;
    let folder = scratch.path().join("tantivy");
    fs::create_dir(&folder)?;
    let file = scratch.path().join("sqlite");

    println!("{count} items; processor time to build, and size");
    let copied = items.clone();
    let (ours, took) = timed(|| ours::Ours::build(copied));
    built("ours", took, ours.size);
    let (tantivy, took) = timed(|| by_tantivy::Tantivy::build(&folder, &items, &top));
    let tantivy = tantivy?;
    built("tantivy", took, size(&folder)?);
    let (sqlite, took) = timed(|| by_sqlite::Sqlite::build(&file, &items, &top, &categories));
    let sqlite = sqlite?;
    built("FTS5", took, fs::metadata(&file)?.len());

    println!("\nours, and how many times as long the others take\n");
    let mut all: [Vec<f64>; 3] = Default::default();
    for (name, wanted) in items::searches(&items) {
        let found = ours.search(&wanted);
        assert_eq!(found, tantivy.search(&wanted)?, "tantivy, {name}, {wanted:?}");
        assert_eq!(found, sqlite.search(&wanted, &categories)?, "FTS5, {name}, {wanted:?}");
        let ratios = race(vec![
            Way::new("ours", || ours.search(&wanted)),
            Way::new("tantivy", || tantivy.search(&wanted)),
            Way::new("FTS5", || sqlite.search(&wanted, &categories)),
        ]);
        print(&format!("{name} ({})", found.total), &ratios);
        (all.iter_mut().zip(&ratios)).for_each(|(all, ratio)| all.push(ratio.quartiles()[1]));
    }
    let [_, of_tantivy, of_sqlite] = all;
    println!(
        "\nthe median search: tantivy {:.2}, FTS5 {:.2}",
        median(of_tantivy),
        median(of_sqlite)
    );
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ProcessTime::now();
    let made = work();
    (made, start.elapsed())
}

fn built(name: &str, took: Duration, size: u64) {
    println!("{name:<10} {:>7.1} s {:>8.1} MB", took.as_secs_f64(), size as f64 / 1e6);
}

fn size(folder: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        size += entry?.metadata()?.len();
    }
    Ok(size)
}
