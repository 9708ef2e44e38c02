//! Files made for the tests, by real encoders and by small writers of containers.
#![allow(dead_code)]

pub mod pictures;
pub mod pngs;
pub mod table;
pub mod videos;
pub mod webps;

use bytes::Bytes;
use media::{MediaError, MediaInfo, MediaType, Source, verify};
use std::cell::Cell;
use std::pin::pin;
use std::sync::{LazyLock, Mutex};
use std::task::{Context, Poll, Waker};

/// A sound file.
pub struct Sample {
    pub name: String,
    pub media: MediaType,
    pub width: u32,
    pub height: u32,
    pub frames: Option<u32>,
    pub file: Vec<u8>,
    /// Whether missing or extra bytes at the end cannot be detected.
    pub open_ended: bool,
}

impl Sample {
    pub fn new(
        name: impl Into<String>,
        media: MediaType,
        (width, height): (u32, u32),
        file: Vec<u8>,
    ) -> Self {
        let frames = media.is_image().then_some(1);
        Self { name: name.into(), media, width, height, frames, file, open_ended: false }
    }

    pub fn frames(self, frames: u32) -> Self {
        Self { frames: Some(frames), ..self }
    }

    pub fn open_ended(self) -> Self {
        Self { open_ended: true, ..self }
    }
}

/// Every valid sample.
pub fn samples() -> &'static [Sample] {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
        let mut samples = pictures::jpegs();
        samples.extend(pngs::pngs());
        samples.extend(pictures::gifs());
        samples.extend(webps::webps());
        samples.extend(videos::mp4s());
        samples.extend(videos::quicktimes());
        samples.extend(videos::webms());
        samples
    });
    &SAMPLES
}

/// The sample of that name.
pub fn sample(name: &str) -> Vec<u8> {
    samples()
        .iter()
        .find(|sample| sample.name == name)
        .unwrap_or_else(|| panic!("no sample {name}"))
        .file
        .clone()
}

/// A file of a beginning, the same bytes many times and an end, which counts its reads.
pub struct Endless {
    head: Vec<u8>,
    pattern: Vec<u8>,
    times: u64,
    tail: Vec<u8>,
    /// How many reads, and how many bytes.
    pub cost: Mutex<(u32, u64)>,
}

impl Endless {
    pub fn new(head: Vec<u8>, pattern: Vec<u8>, times: u64, tail: Vec<u8>) -> Self {
        Self { head, pattern, times, tail, cost: Mutex::new((0, 0)) }
    }

    fn byte(&self, at: u64) -> u8 {
        if let Some(byte) = self.head.get(at as usize) {
            return *byte;
        }
        let (at, length) = (at - self.head.len() as u64, self.pattern.len() as u64);
        if at < length * self.times {
            self.pattern[(at % length) as usize]
        } else {
            self.tail[(at - length * self.times) as usize]
        }
    }
}

impl Source for Endless {
    type Error = String;

    fn size(&self) -> u64 {
        self.head.len() as u64 + self.pattern.len() as u64 * self.times + self.tail.len() as u64
    }

    fn read(&self, start: u64, length: u64) -> impl Future<Output = Result<Bytes, String>> + Send {
        assert!(
            length > 0 && start + length <= self.size(),
            "{start}+{length} is not within {}",
            self.size()
        );
        let mut cost = self.cost.lock().unwrap();
        *cost = (cost.0 + 1, cost.1 + length);
        std::future::ready(Ok((start..start + length).map(|at| self.byte(at)).collect()))
    }
}

/// The verdict on a source that never waits.
pub fn verdict<S: Source>(
    media: MediaType,
    source: &S,
) -> Result<Result<MediaInfo, MediaError>, S::Error> {
    match pin!(verify(media, source)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(verdict) => verdict,
        Poll::Pending => panic!("the source is always ready"),
    }
}

/// Numbers from a fixed seed (SplitMix64).
pub struct Numbers(Cell<u64>);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    pub fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
