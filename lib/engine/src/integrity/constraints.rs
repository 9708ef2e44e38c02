//! What became of the constraints of a prompt.

use std::collections::{HashMap, HashSet};

use super::{Judge, MOST_SEARCHES, asked::Loss, clause::stems, contains, squeezed};
use crate::ConstraintKind::{self as Kind, Audience, Tone};
use crate::{
    ComparedConstraint, Constraint, ConstraintIntegrity, ConstraintParameters as Parameters,
    ProtectedKind, constraints,
};

/// Most demands of a kind that each demand is held against. Of more, those behind them count as lost unless they stand
/// there word for word.
const MOST_COMPARED: usize = 300;

/// Compares the constraints of two prompts, and tells whether all of the original's are kept but those
/// that were asked to go.
///
/// A constraint is kept if the new prompt states the same or a stricter one. One that is not read there
/// again, because it is worded in another way, is not missed as long as its words stand together.
pub(super) fn compare(
    original: &str,
    rewritten: &str,
    judge: &mut Judge<'_>,
) -> (ConstraintIntegrity, bool) {
    let statements = constraints::extract(original);
    let read = constraints::list(original, &statements);
    let mut result = ConstraintIntegrity::default();
    let mut passed = true;
    if read.is_empty() {
        return (result, passed);
    }
    let read_again = if rewritten == original { read.clone() } else { constraints::of(rewritten) };
    let (old, new) = (Stated::all(&read), Stated::all(&read_again));
    let parts: Vec<HashSet<String>> =
        rewritten.split(['.', '!', '?', ';', '\n']).map(|part| stems(part).collect()).collect();
    let text = normalized(rewritten);
    let added = added(&old, &new);
    let mut searches = 0..MOST_SEARCHES;
    for (stated, statement) in old.all.iter().zip(&statements) {
        let one = stated.constraint;
        let told = |new_quote: Option<&str>, requested| ComparedConstraint {
            id: one.id.clone(),
            kind: one.kind,
            quote: one.quote.clone(),
            new_quote: new_quote.map(str::to_owned),
            requested,
        };
        let loose = added.get(&one.kind);
        if let Some(same) = new.obeying(stated) {
            let is_stricter = old.obeying(same).is_none();
            let list = if is_stricter { &mut result.tightened } else { &mut result.kept };
            list.push(told(Some(&same.constraint.quote), false));
            continue;
        }
        let is_within = loose.is_some_and(|other| other.quote.contains(&stated.quote));
        if !is_within && searches.next().is_some() && contains(&text, &stated.quote) {
            result.kept.push(told(Some(&one.quote), false));
            continue;
        }
        if loose.is_none() && searches.next().is_some() && has_words(one, &parts) {
            result.kept.push(told(None, false));
            continue;
        }
        let changed = match loose {
            Some(other) => stated.names.symmetric_difference(&other.names).collect(),
            None => stated.names.iter().collect(),
        };
        let place = statement.start..statement.end;
        let (kind, text) = (ProtectedKind::Constraint, one.quote.as_str());
        let loss = Loss { kind, text, place: place.clone(), constraint: Some((one, changed)) };
        let because = judge.reader.reason(&loss);
        let requested = judge.note(kind, text, place, because);
        passed &= requested;
        let list = if loose.is_some() { &mut result.loosened } else { &mut result.lost };
        list.push(told(loose.map(|other| other.constraint.quote.as_str()), requested));
    }
    (result, passed)
}

/// The first demand of each kind that only the new prompt has.
fn added<'s>(old: &Stated<'_>, new: &'s Stated<'_>) -> HashMap<Kind, &'s Statement<'s>> {
    let mut added: HashMap<Kind, &Statement<'_>> = HashMap::new();
    for one in new.all.iter().filter(|one| !old.says(one)) {
        added.entry(one.kind()).or_insert(one);
    }
    added
}

/// The constraints of a prompt.
struct Stated<'a> {
    all: Vec<Statement<'a>>,
    /// Those of a kind, at most [`MOST_COMPARED`].
    kinds: HashMap<Kind, Vec<usize>>,
    /// The first list of words that has a word.
    lists: HashMap<(Kind, String), usize>,
}

/// A constraint, with its texts so that equal ones are the same.
struct Statement<'a> {
    constraint: &'a Constraint,
    quote: String,
    /// What its parameters name, or the answers to choose from.
    names: HashSet<String>,
}

impl<'a> Stated<'a> {
    fn all(constraints: &'a [Constraint]) -> Self {
        let all: Vec<_> = constraints.iter().map(Statement::of).collect();
        let mut kinds = HashMap::<_, Vec<usize>>::new();
        let mut lists = HashMap::new();
        for (at, one) in all.iter().enumerate() {
            let alike = kinds.entry(one.kind()).or_default();
            if one.is_list() {
                let names = one.names.iter().map(|name| (one.kind(), name.clone()));
                names.for_each(|name| _ = lists.entry(name).or_insert(at));
            } else if alike.len() < MOST_COMPARED {
                alike.push(at);
            }
        }
        Self { all, kinds, lists }
    }

    /// The first constraint that whoever obeys these obeys `wanted` by. The words of a list may stand in several.
    fn obeying(&self, wanted: &Statement<'_>) -> Option<&Statement<'a>> {
        if wanted.is_list() {
            let listed: Option<Vec<usize>> = self.listing(wanted).collect();
            return listed?.into_iter().min().map(|at| &self.all[at]);
        }
        self.alike(wanted).find(|one| one.implies(wanted))
    }

    /// Whether one of these asks for nothing that `other` does not ask for.
    fn says(&self, other: &Statement<'_>) -> bool {
        match other.is_list() {
            true => self.listing(other).flatten().next().is_some(),
            false => self.alike(other).any(|one| other.implies(one)),
        }
    }

    /// Which list has each word of a list.
    fn listing(&self, list: &Statement<'_>) -> impl Iterator<Item = Option<usize>> {
        let places = list.names.iter().map(|name| (list.kind(), name.clone()));
        places.map(|name| self.lists.get(&name).copied())
    }

    /// Those of the same kind.
    fn alike(&self, one: &Statement<'_>) -> impl Iterator<Item = &Statement<'a>> {
        self.kinds.get(&one.kind()).into_iter().flatten().map(|at| &self.all[*at])
    }
}

impl<'a> Statement<'a> {
    fn of(constraint: &'a Constraint) -> Self {
        let texts = constraint.parameters.texts();
        let names = match constraint.kind {
            _ if constraint.parameters.count().is_some() => HashSet::new(),
            Tone | Audience => texts.iter().flat_map(|name| stems(name)).collect(),
            _ => texts.iter().map(|name| normalized(name)).collect(),
        };
        Self { constraint, quote: normalized(&constraint.quote), names }
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
                low <= least && most <= high
            }
            (Parameters::Text(_), Parameters::Text(_)) => self.names == old.names,
            _ if self.kind() == Kind::TableColumns => self.names == old.names,
            _ if self.kind() == Kind::Choice => {
                match self.names.is_empty() || old.names.is_empty() {
                    true => self.quote == old.quote,
                    false => self.names.is_subset(&old.names),
                }
            }
            _ => old.names.is_subset(&self.names),
        }
    }
}

/// A text of which case and spaces are no part.
fn normalized(text: &str) -> String {
    squeezed(&text.to_lowercase())
}

/// Whether one of the parts of a text, given by their stems, has the words that a constraint cannot do without.
pub(super) fn has_words(one: &Constraint, parts: &[HashSet<String>]) -> bool {
    let texts = match &one.parameters {
        Parameters::Count(_) | Parameters::None(_) => std::slice::from_ref(&one.quote),
        _ if one.kind == Kind::JsonSchema => std::slice::from_ref(&one.quote),
        parameters => parameters.texts(),
    };
    let needed: HashSet<String> = texts.iter().flat_map(|text| stems(text)).collect();
    budget::spend(needed.len() + parts.len());
    !needed.is_empty() && parts.iter().any(|known| needed.is_subset(known))
}
