//! Tantivy: an index in one segment, in files that are mapped into memory.

use std::{ops::Bound, path::Path};

use search_index::{Document, Sort};
use tantivy::{
    DocAddress, Index, Order, Searcher, TantivyDocument, Term,
    collector::{Count, TopDocs},
    columnar::Column,
    indexer::NoMergePolicy,
    query::{BooleanQuery, InvertedIndexRangeQuery, Query, TermQuery},
    schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{TextAnalyzer, WhitespaceTokenizer},
};

use crate::items::{Found, PAGE, Wanted, searched};

/// Memory of the writer, enough for a million items in one segment.
const BUDGET: usize = 2_000_000_000;

pub struct Tantivy {
    searcher: Searcher,
    fields: Fields,
    /// The places of the items in the order of time, by segment. To open this column takes a while.
    recent: Vec<Column<u64>>,
}

#[derive(Clone, Copy)]
struct Fields {
    words: Field,
    category: Field,
    model: Field,
    recent: Field,
    top: Field,
}

impl Tantivy {
    pub fn build(folder: &Path, items: &[Document], top: &[u64]) -> tantivy::Result<Self> {
        let indexed = |tokenizer| {
            // No positions, frequencies or lengths: nothing here is ranked by score.
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(IndexRecordOption::Basic)
                .set_fieldnorms(false);
            TextOptions::default().set_indexing_options(indexing)
        };
        let mut schema = Schema::builder();
        let fields = Fields {
            words: schema.add_text_field("words", indexed("words")),
            category: schema.add_text_field("category", indexed("raw")),
            model: schema.add_text_field("model", indexed("raw")),
            recent: schema.add_u64_field("recent", FAST),
            top: schema.add_u64_field("top", FAST),
        };
        let index = Index::create_in_dir(folder, schema.build())?;
        index.tokenizers().register("words", TextAnalyzer::from(WhitespaceTokenizer::default()));
        let mut writer = index.writer_with_num_threads(1, BUDGET)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for (item, top) in items.iter().zip(top) {
            let mut document = TantivyDocument::default();
            for text in searched(item) {
                document.add_text(fields.words, text);
            }
            document.add_text(fields.category, &item.category);
            for model in models(item.models) {
                document.add_text(fields.model, model);
            }
            document.add_u64(fields.recent, item.id as u64);
            document.add_u64(fields.top, *top);
            writer.add_document(document)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        let recent =
            searcher.segment_readers().iter().map(|segment| segment.fast_fields().u64("recent"));
        let recent = recent.collect::<tantivy::Result<_>>()?;
        Ok(Self { searcher, fields, recent })
    }

    pub fn search(&self, wanted: &Wanted) -> tantivy::Result<Found> {
        let query = self.query(wanted);
        let page = TopDocs::with_limit(PAGE as usize).and_offset((wanted.page * PAGE) as usize);
        let field = match wanted.sort {
            Sort::Recent => "recent",
            Sort::Top => "top",
        };
        let collectors = (Count, page.order_by_u64_field(field, Order::Asc));
        let (total, found) = self.searcher.search(&query, &collectors)?;
        let place =
            |(_, at): (_, DocAddress)| self.recent[at.segment_ord as usize].first(at.doc_id);
        let items = found.into_iter().filter_map(place).collect();
        Ok(Found { items, total: total as u64 })
    }

    fn query(&self, wanted: &Wanted) -> BooleanQuery {
        let Fields { words, category, model, .. } = self.fields;
        let term = |field, text: &str| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
        };
        let mut all: Vec<Box<dyn Query>> =
            wanted.words.iter().map(|word| term(words, word)).collect();
        if let Some(beginning) = &wanted.beginning {
            // Faster than by a regular expression.
            let until = format!("{beginning}{}", char::MAX);
            all.push(Box::new(InvertedIndexRangeQuery::new(
                Bound::Included(Term::from_field_text(words, beginning)),
                Bound::Excluded(Term::from_field_text(words, &until)),
            )));
        }
        all.extend(wanted.category.iter().map(|text| term(category, text)));
        if wanted.models != 0 {
            let any = models(wanted.models).map(|text| term(model, &text)).collect();
            all.push(Box::new(BooleanQuery::union(any)));
        }
        BooleanQuery::intersection(all)
    }
}

fn models(bits: u64) -> impl Iterator<Item = String> {
    (0..64).filter(move |model| bits >> model & 1 == 1).map(|model| model.to_string())
}
