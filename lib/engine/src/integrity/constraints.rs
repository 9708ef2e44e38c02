//! What became of the constraints of a prompt.

use std::collections::{BTreeSet, HashMap, HashSet};

use ::text::{code_points::ByteOffsets, head};

use super::{
    Judge, MOST_SEARCHES,
    clause::{stems, words},
    contains, squeezed,
};
use crate::ConstraintKind::{self as Kind, Audience, Format, Language, Tone};
use crate::{
    ComparedConstraint, Constraint, ConstraintIntegrity, ConstraintParameters as Parameters,
    ProtectedKind, constraints,
};

/// Most different demands of a kind that each demand is held against. Of more, those behind them count as lost unless
/// they stand there word for word.
const MOST_COMPARED: usize = 300;

/// Compares the constraints of two prompts, and tells whether all of the original's are kept but those
/// that were asked to go.
///
/// A constraint is kept if the new prompt states the same or a stricter one. One that is not read there
/// again, because it is worded in another way, is not missed as long as its words stand together.
pub(super) fn compare(
    original: &str,
    rewritten: &str,
    judge: &mut Judge<'_, '_>,
) -> (ConstraintIntegrity, bool) {
    let read = constraints::of(original);
    let mut result = ConstraintIntegrity::default();
    let mut passed = true;
    if read.is_empty() {
        return (result, passed);
    }
    let read_again = if rewritten == original { read.clone() } else { constraints::of(rewritten) };
    let old = Stated::all(original, &read);
    let new = Stated::all(rewritten, &read_again);
    let words: Vec<HashSet<String>> =
        rewritten.split(['.', '!', '?', ';', '\n']).map(|part| stems(part).collect()).collect();
    let text = normalized(rewritten);
    let added = added(&old, &new);
    let (mut searches, mut bytes) = (0, ByteOffsets::of(original));
    // Of those that are stated alike, one is held against the feedback.
    let mut judged: HashMap<_, Option<String>> = HashMap::new();
    for stated in &old.all {
        let one = stated.constraint;
        let loose = added.get(&one.kind);
        let around = loose.filter(|other| other.quote.contains(&stated.quote));
        let mut stands = |rule: &dyn Fn() -> bool| {
            searches += 1;
            searches <= MOST_SEARCHES && rule()
        };
        let changed: Vec<&String> = match loose {
            Some(other) => stated.names.symmetric_difference(&other.names).collect(),
            None => stated.names.iter().collect(),
        };
        let start = bytes.at(one.start);
        let place = start..start + one.quote.len();
        let mut requested = || {
            let known = judged.entry((one.kind, one.quote.clone(), loose.is_some()));
            let because = || judge.reader.constraint(one, place.clone(), &changed);
            let because = known.or_insert_with(because).clone();
            judge.note(ProtectedKind::Constraint, &one.quote, place.clone(), because)
        };
        let named = |new_quote: Option<&str>| told(one, new_quote);
        if let Some(same) = new.obeying(stated) {
            let is_stricter = old.obeying(same).is_none();
            let list = if is_stricter { &mut result.tightened } else { &mut result.kept };
            list.push(named(Some(&same.constraint.quote)));
        } else if around.is_none() && stands(&|| contains(&text, &stated.quote)) {
            result.kept.push(named(Some(&one.quote)));
        } else if let Some(other) = loose {
            let requested = requested();
            passed &= requested;
            let named = named(Some(&other.constraint.quote));
            result.loosened.push(ComparedConstraint { requested, ..named });
        } else if stands(&|| has_words(one, &words)) {
            result.kept.push(named(None));
        } else {
            let requested = requested();
            passed &= requested;
            result.lost.push(ComparedConstraint { requested, ..named(None) });
        }
    }
    (result, passed)
}

/// The first demand of each kind that only the new prompt has.
fn added<'s>(old: &Stated<'_>, new: &'s Stated<'_>) -> HashMap<Kind, &'s Statement<'s>> {
    let says_the_same = |one: &Statement<'_>| {
        old.related(one).any(|former| one.implies(former) || new.lists_all(former))
    };
    let mut added: HashMap<Kind, &Statement<'_>> = HashMap::new();
    for one in new.all.iter().filter(|one| !says_the_same(one)) {
        added.entry(one.kind()).or_insert(one);
    }
    added
}

/// A constraint, and in which words the new prompt has it.
fn told(one: &Constraint, new_quote: Option<&str>) -> ComparedConstraint {
    ComparedConstraint {
        id: one.id.clone(),
        kind: one.kind,
        quote: one.quote.clone(),
        new_quote: new_quote.map(str::to_owned),
        requested: false,
    }
}

/// The constraints of a prompt.
struct Stated<'a> {
    all: Vec<Statement<'a>>,
    /// The first of those that demand the same, by kind; at most [`MOST_COMPARED`].
    distinct: HashMap<Kind, Vec<usize>>,
    /// Which of these, if they are lists of words, have a word.
    lists: HashMap<(Kind, String), Vec<usize>>,
}

/// A constraint, with its texts so that equal ones are the same.
struct Statement<'a> {
    constraint: &'a Constraint,
    quote: String,
    /// What its parameters name, or the answers to choose from.
    names: HashSet<String>,
    /// What it counts, and the stems of that.
    counted: Option<(String, HashSet<String>)>,
    /// The words of a choice: those of its statement, and those behind it in its sentence.
    sentence: Vec<String>,
}

impl<'a> Stated<'a> {
    fn all(prompt: &str, constraints: &'a [Constraint]) -> Self {
        // They come in the order of their beginnings, so that the prompt is counted once.
        let mut bytes = ByteOffsets::of(prompt);
        let behind = |one: &Constraint| &prompt[bytes.at(one.start) + one.quote.len()..];
        let behind = constraints.iter().map(behind);
        let all = constraints.iter().zip(behind).map(|(one, behind)| Statement::of(one, behind));
        let all: Vec<_> = all.collect();
        let (mut seen, mut distinct) = (HashSet::new(), HashMap::<_, Vec<usize>>::new());
        let mut lists: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, one) in all.iter().enumerate().filter(|(_, one)| seen.insert(one.demand())) {
            let alike = distinct.entry(one.kind()).or_default();
            if alike.len() < MOST_COMPARED {
                alike.push(at);
            }
            for name in one.names.iter().filter(|_| one.is_list()) {
                lists.entry((one.kind(), name.clone())).or_default().push(at);
            }
        }
        Self { all, distinct, lists }
    }

    /// The constraint that whoever obeys these obeys `wanted` by.
    fn obeying(&self, wanted: &Statement<'_>) -> Option<&Statement<'a>> {
        let first = || self.related(wanted).next().filter(|_| self.lists_all(wanted));
        self.related(wanted).find(|one| one.implies(wanted)).or_else(first)
    }

    /// Those of its kind that demand something else each; of lists of words, those that have one of its words.
    fn related(&self, one: &Statement<'_>) -> Box<dyn Iterator<Item = &Statement<'a>> + '_> {
        let kind = one.kind();
        if !one.is_list() {
            let distinct = self.distinct.get(&kind).into_iter().flatten();
            return Box::new(distinct.map(|at| &self.all[*at]));
        }
        let having = |name: &String| self.lists.get(&(kind, name.clone()));
        let found: BTreeSet<usize> =
            one.names.iter().filter_map(having).flatten().copied().collect();
        Box::new(found.into_iter().map(|at| &self.all[at]))
    }

    /// Whether the words of a list stand in lists of its kind, which may be several.
    fn lists_all(&self, wanted: &Statement<'_>) -> bool {
        let listed = |name: &String| self.lists.contains_key(&(wanted.kind(), name.clone()));
        wanted.is_list() && wanted.names.iter().all(listed)
    }
}

impl<'a> Statement<'a> {
    /// A constraint, and the prompt `behind` its statement.
    fn of(constraint: &'a Constraint, behind: &str) -> Self {
        let names: Vec<String> = match &constraint.parameters {
            Parameters::Words(list) => list.words.clone(),
            Parameters::Text(edge) => vec![edge.text.clone()],
            Parameters::Value(named) => named.value.iter().cloned().collect(),
            Parameters::None(_) | Parameters::Count(_) => Vec::new(),
        };
        let names = match constraint.kind {
            Tone | Audience => names.iter().flat_map(|name| stems(name)).collect(),
            _ => names.iter().map(|name| normalized(name)).collect(),
        };
        let sentence = match constraint.kind {
            Kind::Choice => sentence(&constraint.quote, behind),
            _ => Vec::new(),
        };
        let counted = match &constraint.parameters {
            Parameters::Count(count) => {
                count.of.as_deref().map(|of| (normalized(of), stems(of).collect()))
            }
            _ => None,
        };
        Self { constraint, quote: normalized(&constraint.quote), names, counted, sentence }
    }

    /// What it demands: it is the same of constraints that imply the same others.
    fn demand(&self) -> String {
        let names: BTreeSet<&String> = self.names.iter().collect();
        format!("{:?} {:?} {names:?} {:?}", self.kind(), self.constraint.parameters, self.sentence)
    }

    const fn kind(&self) -> Kind {
        self.constraint.kind
    }

    /// Whether it is a list of words, which may be divided into several.
    const fn is_list(&self) -> bool {
        matches!(self.kind(), Kind::IncludeWords | Kind::ExcludeWords)
    }

    /// Whether who obeys this obeys another one of its kind.
    fn implies(&self, old: &Self) -> bool {
        budget::spend(1 + self.names.len());
        match (&self.constraint.parameters, &old.constraint.parameters) {
            (Parameters::Count(new), Parameters::Count(former)) => {
                let ((least, most), (low, high)) = (new.bounds(), former.bounds());
                low <= least && most <= high && self.counts_within(old)
            }
            (Parameters::Text(_), Parameters::Text(_)) => self.names == old.names,
            (Parameters::Words(_), Parameters::Words(_)) if self.kind() == Kind::TableColumns => {
                self.names == old.names
            }
            _ if self.kind() == Kind::Choice => {
                let read = !self.names.is_empty() && !old.names.is_empty();
                self.sentence == old.sentence || read && self.names.is_subset(&old.names)
            }
            _ => old.names.is_subset(&self.names),
        }
    }

    /// Whether everything that an old number counts is counted by this one.
    fn counts_within(&self, old: &Self) -> bool {
        match (&self.counted, &old.counted) {
            (Some((new, known)), Some((old, stems))) => new == old || !known.is_disjoint(stems),
            _ => true,
        }
    }
}

/// Bytes behind a statement that are read of its sentence.
const BEHIND: usize = 800;

/// The words of a statement, and some of those that go on with its sentence.
fn sentence(statement: &str, behind: &str) -> Vec<String> {
    const MOST: usize = 12;
    let behind = head(behind, BEHIND);
    let paragraph = behind.split("\n\n").next().unwrap_or(behind);
    let rest = paragraph.split(['.', '!', '?', '。']).next().unwrap_or(paragraph);
    words(statement).chain(words(rest).take(MOST)).collect()
}

/// A text of which case and spaces are no part.
fn normalized(text: &str) -> String {
    squeezed(&text.to_lowercase())
}

/// Whether one of the parts of a text, given by their stems, has the words that a constraint cannot do without.
pub(super) fn has_words(one: &Constraint, parts: &[HashSet<String>]) -> bool {
    let needed: HashSet<String> = match &one.parameters {
        Parameters::Words(list) => list.words.iter().flat_map(|word| stems(word)).collect(),
        Parameters::Text(edge) => stems(&edge.text).collect(),
        Parameters::Value(named) if matches!(one.kind, Language | Format | Tone | Audience) => {
            stems(named.value.as_deref().unwrap_or_default()).collect()
        }
        _ => stems(&one.quote).collect(),
    };
    budget::spend(needed.len() + parts.len());
    !needed.is_empty() && parts.iter().any(|known| needed.is_subset(known))
}
