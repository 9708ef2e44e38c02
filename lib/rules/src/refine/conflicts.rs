//! Wishes of one feedback that cannot all be met, and tones that go together.

use super::op::Op;
use super::settings;

/// For each operation the later one that cannot stand beside it, if there is one. One that is overruled itself
/// overrules nothing.
pub fn overruled(ops: &[Option<Op>]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; ops.len()];
    for later in (1..ops.len()).rev().filter(|later| ops[*later].is_some()) {
        for earlier in 0..later {
            let (Some(one), Some(other)) = (&ops[earlier], &ops[later]) else { continue };
            if found[later].is_none() && found[earlier].is_none() && one.gives_way_to(other) {
                found[earlier] = Some(later);
            }
        }
    }
    found
}

/// The tones that can stand beside each other as one, and where the first of them is.
pub fn join_tones(ops: &[Option<Op>], overruled: &[Option<usize>]) -> (String, Option<usize>) {
    let mut tones: Vec<(usize, String)> = Vec::new();
    for (at, op) in ops.iter().enumerate().filter(|(at, _)| overruled[*at].is_none()) {
        if let Some(Op::Tone(tone)) = op {
            let tone = settings::without_degree(tone);
            if !tones.iter().any(|(_, known)| *known == tone) {
                tones.push((at, tone));
            }
        }
    }
    let first = tones.first().map(|(at, _)| *at);
    let mut names: Vec<String> = tones.into_iter().map(|(_, tone)| tone).collect();
    match (names.pop(), names.is_empty()) {
        (Some(last), false) => (format!("{} {} {last}", names.join(", "), settings::and()), first),
        (last, _) => (last.unwrap_or_default(), first),
    }
}
