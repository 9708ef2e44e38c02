//! Files that were changed at random cause no panic and little work.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::verify_bytes;
use std::time::Duration;

use cpu_time::ThreadTime;
use support::{Numbers, samples};

const MUTATIONS: usize = 24_000;
const LIMIT: Duration = Duration::from_millis(20);
/// Larger samples only take more time: they differ in their pixels.
const LARGEST: usize = 20_000;

/// One to four changes of one of six kinds.
fn mutate(file: &mut Vec<u8>, other: &[u8], numbers: &Numbers) {
    for _ in 0..=numbers.below(4) {
        let length = file.len();
        // Half of the changes are near the beginning, where the structure is densest.
        let reach = if numbers.below(2) == 0 { length.min(300) } else { length };
        let at = numbers.below(reach);
        match numbers.below(6) {
            0 if length > 0 => file[at] ^= 1 << numbers.below(8),
            1 => file.truncate(at),
            2 => {
                let from = numbers.below(other.len());
                let end = (from + numbers.below(200)).min(other.len());
                file.splice(at..at, other[from..end].iter().copied());
            }
            3 => {
                let lengths: [&[u8]; 8] = [
                    &[0xff; 4],
                    &[0; 4],
                    &[0, 0, 0, 1],
                    &[0x7f, 0xff, 0xff, 0xff],
                    &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                    &[0xff; 8],
                    &[0x80],
                    &[0xff, 0xff],
                ];
                let edit = lengths[numbers.below(lengths.len())];
                let end = (at + edit.len()).min(length);
                file.splice(at..end, edit.iter().copied());
            }
            4 => {
                let end = (at + numbers.below(64)).min(length);
                file.drain(at..end);
            }
            _ if length > 0 => file[at] = numbers.next() as u8,
            _ => {}
        }
    }
}

#[test]
fn no_mutation_makes_the_walk_panic_or_linger() {
    let samples: Vec<_> = samples().iter().filter(|sample| sample.file.len() <= LARGEST).collect();
    assert!(samples.len() > 90, "{} samples", samples.len());
    let numbers = Numbers::new(20_240_607);
    let (mut taken, mut slowest) = (0, Duration::ZERO);
    for index in 0..MUTATIONS {
        let sample = samples[index % samples.len()];
        let other = samples[numbers.below(samples.len())];
        let mut file = sample.file.clone();
        mutate(&mut file, &other.file, &numbers);
        let time = || {
            let begun = ThreadTime::now();
            let verdict = verify_bytes(sample.media, &file);
            (begun.elapsed(), verdict)
        };
        let (mut elapsed, verdict) = time();
        // A busy machine gets more tries.
        for _ in 0..20 {
            if elapsed > LIMIT {
                elapsed = elapsed.min(time().0);
            }
        }
        assert!(elapsed <= LIMIT, "mutation {index} of {} took {elapsed:?}", sample.name);
        slowest = slowest.max(elapsed);
        taken += usize::from(verdict.is_ok());
    }
    println!(
        "{MUTATIONS} mutations of {} samples: {taken} taken, slowest {slowest:?}",
        samples.len()
    );
    // A file stays sound after changes of pixels and comments, but not after most others.
    assert!((MUTATIONS / 100..MUTATIONS / 3).contains(&taken), "{taken} taken");
}
